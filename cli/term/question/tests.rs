//! Questions on the screen: what each looks like, what each key says, and that no accident answers.

mod always;
mod ended;
mod keys;
mod permission;
mod random;
mod shown;

use std::time::Duration;

use actors::gate::Place;
use actors::question::{Asks, Question, Tool};
use codec::json::{IntoOwned as _, Json, Text};
use codec::limits::Limits;
use codec::tunnel::Up;

use super::super::keys::{Code, Key};
use super::super::style::Style;
use super::*;

pub(crate) fn prompt(kind: &str, config: &str) -> Question {
    let line = format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"x","promptType":"{kind}","promptConfig":{config}}}}}"#
    );
    let Ok(Up::Prompt(request, _)) = Up::read(line.as_bytes(), &Limits::STANDARD) else { panic!("{line}") };
    let request = request.into_owned();
    Question { asks: Asks::Prompt(request.prompt_type, request.config), timeout_ms: None, claimed: None }
}

pub(crate) fn tool(name: &str, input: &str) -> Tool {
    Tool {
        name: Text::new(name),
        input: Json::parse(input).unwrap().into_owned(),
        tool_use_id: None,
        reason: None,
        agent_id: None,
        agent_name: None,
        suggestions: None,
        plan: None,
    }
}

pub(crate) fn of_tool(tool: Tool) -> Question {
    Question { asks: tool.asks().unwrap(), timeout_ms: None, claimed: None }
}

pub(crate) fn bash(command: &str) -> Question {
    of_tool(tool(
        "Bash",
        Json::object(|out| out.member("command", |to| to.push_str(Text::new(command).raw()))).raw(),
    ))
}

pub(crate) fn here() -> Here {
    Here {
        place: Place { root: "/proj/app".to_owned(), home: Some("/home/me".to_owned()) },
        rules_file: "~/.config/tim/rules.toml".to_owned(),
        claude_file: ".claude/settings.local.json".to_owned(),
        is_alone: false,
        keeps_rules: true,
        pid: None,
        asks_itself: false,
    }
}

fn who() -> Vec<String> {
    vec!["claude".to_owned()]
}

/// An open question with what is around it.
struct Asked {
    block: Block,
    who: Vec<String>,
    then: Vec<String>,
    folder: Option<&'static str>,
    height: usize,
    is_armed: bool,
}

fn asked(question: &Question) -> Asked {
    let mut asked = Asked {
        block: Block::new(question, &here()),
        who: who(),
        then: Vec::new(),
        folder: None,
        height: 24,
        is_armed: true,
    };
    asked.text(79);
    asked
}

impl Asked {
    fn draw(&mut self, columns: usize) -> Drawn {
        let about = About {
            who: &self.who,
            time: "14:02",
            age: Duration::from_secs(3),
            left: None,
            waiting: 1,
            folder: self.folder,
            then: &self.then,
        };
        self.block.draw(&about, Screen { columns, height: self.height, is_armed: self.is_armed })
    }

    /// Its rows, with `_` for the cursor.
    fn text(&mut self, columns: usize) -> String {
        text_of(&self.draw(columns))
    }

    fn key(&mut self, code: Code) -> Effect {
        let effect = self.block.key(Key::plain(code));
        self.text(79);
        effect
    }

    /// Types letters; what the last one came to.
    fn type_in(&mut self, letters: &str) -> Effect {
        letters.chars().map(|letter| self.key(Code::Char(letter))).last().unwrap()
    }

    /// Wide, then narrow.
    fn both(&mut self) -> String {
        format!("{}\n{}", self.text(79), self.text(20))
    }
}

fn text_of(drawn: &Drawn) -> String {
    let mut text = String::new();
    for (at, row) in drawn.rows.iter().enumerate() {
        let mut row = row.text();
        if let Some((_, column)) = drawn.cursor.filter(|(row, _)| *row == at) {
            let missing = (column + 1).saturating_sub(row.chars().count());
            row.push_str(&" ".repeat(missing));
            row =
                row.chars().enumerate().map(|(at, letter)| if at == column { '_' } else { letter }).collect();
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

fn answer(raw: &str) -> Effect {
    Effect::Answer(Json::parse(raw).unwrap().into_owned())
}

/// That it answers so, and that the answer fits.
#[track_caller]
fn assert_answers(question: &Question, effect: &Effect, raw: &str) {
    assert_eq!(*effect, answer(raw));
    let Effect::Answer(value) = effect else { panic!("{effect:?}") };
    actors::answer::check(question, value).unwrap();
}

#[track_caller]
fn assert_hints(effect: &Effect) {
    assert!(matches!(effect, Effect::Hint(text) if !text.is_empty()), "{effect:?}");
}

const CHOICES: &str = r#""choices":[{"name":"alpha","value":"a","description":"the first of them, which is a long description that needs more than one row"},{"name":"one","value":1,"checked":true},{"name":"yes","value":true}]"#;

fn with_choices(kind: &str, rest: &str) -> Question {
    prompt(kind, &format!(r#"{{"message":"Which of these?",{CHOICES}{rest}}}"#))
}

fn numbered(kind: &str, count: usize, rest: &str) -> Question {
    let choices: Vec<_> = (1..=count).map(|at| format!(r#"{{"name":"item {at}","value":{at}}}"#)).collect();
    prompt(kind, &format!(r#"{{"message":"Which?","choices":[{}]{rest}}}"#, choices.join(",")))
}

const QUESTIONS: &str = r#"{"questions":[
    {"question":"Which database should the service use?","header":"Database","options":[
        {"label":"PostgreSQL","description":"a server; the team already runs one"},
        {"label":"SQLite","description":"one file, no server","preview":"CREATE TABLE job (id INTEGER PRIMARY KEY, body TEXT);"}]},
    {"question":"Which sections should the report have?","header":"Sections","multiSelect":true,"options":[
        {"label":"Introduction","description":"what the tool is for"},
        {"label":"Method","description":"how it was measured"},
        {"label":"Conclusion","description":"what to do next"}]}]}"#;

fn questions() -> Question {
    of_tool(tool("AskUserQuestion", QUESTIONS))
}
