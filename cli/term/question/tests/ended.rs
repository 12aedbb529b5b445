//! What is left of a question when it ended, and what tim itself asks and says.

use actors::answer::check;
use actors::end::{End, Refusal};
use codec::tunnel::AnswerSource;

use super::super::super::style::{Ink, Row, paint};
use super::shown::{REBASE, looks};
use super::*;

fn ended(question: &Question, raw: &str, source: AnswerSource) -> End {
    let value = Json::parse(raw).unwrap().into_owned();
    let given = check(question, &value).unwrap();
    End::Answered { value, given, source }
}

#[test]
fn each_end_is_one_row() {
    use AnswerSource::{Command, Control, Parent, Rule, Terminal};
    let (rebase, fetch, publish) = (bash(REBASE), bash("git fetch origin"), bash("npm publish"));
    let once = r#"{"allow":true}"#;
    let session = r#"{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}"#;
    let always = r#"{"allow":true,"scope":"always","rule":"Bash(git:*)"}"#;
    let several = r#"{"allow":true,"scope":"session","rules":["Bash(git fetch:*)","Bash(npm test:*)"]}"#;
    let no = r#"{"allow":false,"reason":"not before the tag"}"#;
    let asked = questions();
    let select = with_choices("select", "");
    let checkbox = with_choices("checkbox", "");
    let choice = with_choices("choice", "");
    let confirm = prompt("confirm", r#"{"message":"Deploy?"}"#);
    let both = r#"{"answers":[{"options":[1]},{"options":[0,2],"text":"more"}]}"#;
    let edit = of_tool(tool("Edit", r#"{"file_path":"/proj/app/src/a.rs"}"#));
    let ends = [
        (&rebase, ended(&rebase, once, Terminal), None),
        (&fetch, ended(&fetch, session, Terminal), Some("also answered 2 that waited")),
        (&fetch, ended(&fetch, session, Rule), None),
        (&rebase, ended(&rebase, several, Terminal), None),
        (&fetch, ended(&fetch, always, Terminal), None),
        (&fetch, ended(&fetch, session, Command), None),
        (&fetch, ended(&fetch, session, Parent), None),
        (&fetch, ended(&fetch, always, Control), None),
        (&publish, ended(&publish, no, Terminal), None),
        (&publish, ended(&publish, no, Rule), None),
        (&publish, ended(&publish, no, Command), None),
        (&publish, End::Cancelled { gone: false }, Some("claude was interrupted")),
        (&publish, End::TimedOut { after_ms: 600_000, shown: true }, Some("claude was told so")),
        (&edit, ended(&edit, once, Control), Some("from pts/3")),
        (&edit, ended(&edit, no, Parent), None),
        (&edit, End::Cancelled { gone: true }, None),
        (&edit, End::Declined, None),
        (&edit, End::Disconnected, None),
        (&edit, End::Refused(Refusal::NoDesk), None),
        (&asked, ended(&asked, both, Terminal), None),
        (&asked, End::Declined, None),
        (&select, ended(&select, "1", Terminal), None),
        (&checkbox, ended(&checkbox, "[1,true]", Terminal), None),
        (&checkbox, ended(&checkbox, "[]", Terminal), None),
        (&choice, ended(&choice, r#"{"index":0,"value":"a"}"#, Terminal), None),
        (&confirm, ended(&confirm, "true", Parent), None),
    ];
    let mut text = String::new();
    for columns in [79, 20] {
        for (question, end, note) in &ends {
            let row = history::row(question, end, &here().place, ("14:02", None), *note, columns);
            text.push_str(&row.text());
            text.push('\n');
        }
    }
    looks("history", &text);
}

/// A question whether a folder is trusted, asked by tim itself or by somebody else.
fn about_a_folder(asks_itself: bool) -> Asked {
    let question = prompt(
        "confirm",
        r#"{"message":"First run in ~/src/app. Claude Code skips its trust question in this mode.\nThis folder brings: 2 hooks and 3 allow rules (.claude/settings.json), 1 MCP server (.mcp.json).","details":".claude/settings.json\n  hook  PreToolUse (Bash): ./check.sh\n  allow rule  Bash(ls:*)\n"}"#,
    );
    let mut asked = asked(&question);
    asked.block = Block::new(&question, &Here { asks_itself, ..here() });
    asked.height = 12;
    asked
}

#[test]
fn a_folder_that_brings_something_is_trusted_by_one_key_only() {
    let mut trust = about_a_folder(true);
    let mut text = String::new();
    let mut draw = |trust: &mut Asked| {
        for columns in [20, 79] {
            text.push_str(&trust.text(columns));
        }
    };
    draw(&mut trust);
    for code in [Code::Enter, Code::Char(' '), Code::Up] {
        assert_hints(&trust.block.key(Key::plain(code)));
    }
    draw(&mut trust);
    assert_eq!(trust.block.key(Key::plain(Code::Char('v'))), Effect::Redraw);
    draw(&mut trust);
    assert_hints(&trust.block.key(Key::plain(Code::Char('y'))));
    assert_eq!(trust.block.key(Key::plain(Code::Esc)), Effect::Redraw);
    trust.text(79);
    assert_eq!(trust.block.key(Key::plain(Code::Esc)), Effect::ToLine);
    assert_eq!(trust.block.key(Key::plain(Code::Char('y'))), answer("true"));
    assert_eq!(trust.block.key(Key::plain(Code::Char('n'))), answer("false"));
    assert_eq!(trust.block.key(Key::plain(Code::Char('c')).ctrl()), Effect::Decline);
    text.push_str(&about_a_folder(false).text(79));
    looks("trust", &text);
}

#[test]
fn only_what_tim_itself_asks_begins_with_its_own_words() {
    assert!(about_a_folder(true).text(79).starts_with("! First run in ~/src/app."));
    let others = about_a_folder(false).text(79);
    assert!(others.starts_with("? claude asks") && others.contains("\n  First run in"), "{others}");
}

/// With `‹` for what begins a colour.
fn painted(rows: &[Row]) -> String {
    let row = |row: &Row| paint(row, Ink::Colours).replace("\x1b[", "‹");
    rows.iter().map(|one| format!("{}\n", row(one))).collect()
}

#[test]
fn colours_are_those_of_the_drawings() {
    let mut text = String::new();
    let mut asked_bash = asked(&bash("npm publish --access public"));
    text.push_str(&painted(&asked_bash.draw(79).rows));
    asked_bash.is_armed = false;
    text.push_str(&painted(&asked_bash.draw(79).rows));
    asked_bash.key(Code::Char('s'));
    asked_bash.is_armed = true;
    text.push_str(&painted(&asked_bash.draw(79).rows));
    let edit = r#"{"file_path":"/proj/app/a.rs","old_string":"a\nb","new_string":"a\nc"}"#;
    text.push_str(&painted(&asked(&of_tool(tool("Edit", edit))).draw(79).rows));
    let mut asked_questions = asked(&questions());
    asked_questions.key(Code::Char('1'));
    asked_questions.key(Code::Char('2'));
    asked_questions.key(Code::Down);
    text.push_str(&painted(&asked_questions.draw(79).rows));
    let question = bash("ls");
    for end in
        [ended(&question, r#"{"allow":true}"#, AnswerSource::Terminal), End::Declined, End::Disconnected]
    {
        let row = history::row(&question, &end, &here().place, ("14:02", None), None, 79);
        text.push_str(&painted(&[row]));
    }
    looks("colours", &text);
}
