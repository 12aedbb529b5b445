//! What each question looks like, wide and narrow.

use super::super::super::style::Row;
use super::*;

/// Compares with the picture of that name.
#[track_caller]
pub(super) fn looks(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

fn with_reason(question: Question, reason: &str) -> Question {
    let Asks::Permission(tool) = question.asks else { panic!("no permission") };
    of_tool(Tool { reason: Some(Text::new(reason)), ..*tool })
}

pub(super) const REBASE: &str =
    "cd vendor/parser && git fetch origin && git -c core.hooksPath=/dev/null rebase --autostash origin/main";
const WHY: &str = "changes directory before a version-control command, which can pick up untrusted hooks or configuration \
                   from the target directory";

#[test]
fn a_command_stands_whole_with_why_and_where_and_what_comes_next() {
    let question = with_reason(bash(REBASE), WHY);
    let mut asked = asked(&question);
    asked.folder = Some("~/src/app");
    asked.then =
        ["Explore \"find config\": Read /etc/issue".to_owned(), "claude: Edit src/parse.rs".to_owned()]
            .to_vec();
    let mut text = asked.both();
    asked.key(Code::Enter);
    text.push_str(&asked.both());
    asked.height = 9;
    text.push_str(&asked.both());
    looks("permission_bash", &text);
}

#[test]
fn a_reason_that_says_nothing_is_left_out() {
    let mut asked = asked(&with_reason(bash("ls"), "This command requires approval"));
    assert!(!asked.text(79).contains("  why  "));
}

#[test]
fn the_keys_are_weak_until_they_count() {
    let mut asked = asked(&bash("npm publish --access public"));
    let keys = |drawn: Drawn| drawn.rows.last().cloned().unwrap();
    let strong = keys(asked.draw(79));
    asked.is_armed = false;
    let weak = keys(asked.draw(79));
    assert_eq!(strong.text(), weak.text());
    assert!(strong.spans().iter().any(|span| span.style() == Style::BOLD));
    assert!(weak.spans().iter().all(|span| span.style() == Style::DIM || span.text().trim().is_empty()));
}

#[test]
fn the_rule_stands_there_before_it_is_kept() {
    let mut asked = asked(&bash("git fetch origin --prune"));
    asked.key(Code::Char('s'));
    let mut text = asked.both();
    asked.key(Code::Esc);
    asked.key(Code::Char('p'));
    asked.key(Code::Right);
    text.push_str(&asked.both());
    asked.key(Code::Tab);
    text.push_str(&asked.both());
    let mut fixed = super::asked(&of_tool(tool("Read", r#"{"file_path":"/etc/hosts"}"#)));
    fixed.key(Code::Char('p'));
    text.push_str(&fixed.both());
    fixed.key(Code::Left);
    text.push_str(&fixed.text(79));
    let mut compound = super::asked(&bash("timeout 30 git fetch && git status"));
    compound.key(Code::Char('s'));
    text.push_str(&compound.both());
    compound.key(Code::Char('x'));
    text.push_str(&compound.text(79));
    looks("permission_rule", &text);
}

#[test]
fn each_part_of_a_command_stands_above_its_rule() {
    let mut asked = asked(&bash("cd src && npm test 2>&1 | tail -20"));
    asked.key(Code::Char('s'));
    let mut text = asked.both();
    asked.key(Code::Down);
    asked.key(Code::Right);
    text.push_str(&asked.both());
    asked.height = 6;
    text.push_str(&asked.text(79));
    asked.height = 24;
    asked.key(Code::Char('x'));
    asked.key(Code::Esc);
    asked.key(Code::Char('p'));
    asked.key(Code::Char('x'));
    text.push_str(&asked.text(79));
    looks("permission_rules", &text);
}

#[test]
fn a_no_that_says_why_is_typed_in_place() {
    let mut asked = asked(&bash("npm publish"));
    asked.key(Code::Char('t'));
    let mut text = asked.both();
    asked.type_in("not before the tag, please");
    text.push_str(&asked.both());
    looks("permission_reason", &text);
}

#[test]
fn a_command_of_more_than_one_screen_is_cut_and_says_so() {
    let lines: Vec<_> = (1..=60).map(|line| format!("print('this is line {line}')")).collect();
    let mut asked = asked(&bash(&format!("python3 - <<'EOF'\n{}\nEOF", lines.join("\n"))));
    asked.height = 12;
    let mut text = asked.both();
    asked.text(79);
    asked.key(Code::Char('y'));
    text.push_str(&asked.text(79));
    asked.key(Code::Char('v'));
    text.push_str(&asked.text(79));
    asked.key(Code::Char(' '));
    text.push_str(&asked.both());
    for _ in 0..8 {
        asked.text(79);
        asked.key(Code::PageDown);
    }
    text.push_str(&asked.text(79));
    asked.key(Code::Char('q'));
    text.push_str(&asked.both());
    looks("permission_long", &text);
}

#[test]
fn an_edit_is_shown_as_what_goes_and_what_comes() {
    let edit = r#"{"file_path":"/proj/app/src/parse.rs","old_string":"    fn split_line(&mut self) -> Option<&[u8]> {\n        let end = memchr(b'\\n', &self.buf)?;\n        self.take(end)","new_string":"    fn split_line(&mut self) -> Option<&[u8]> {\n        let end = match memchr(b'\\n', &self.buf) {\n            Some(at) => at,\n            None if self.eof => self.buf.len(),\n            None => return None,\n        };\n        self.take(end)"}"#;
    let several = r#"{"file_path":"/proj/app/a.go","edits":[{"old_string":"a\nb\nc\nd\ne\n\tx   y","new_string":"a\nb\nc\nd\ne\n\tx"},{"old_string":"p","new_string":"q","replace_all":true}]}"#;
    let written = r#"{"file_path":"/srv/a file  with blanks","content":"one\n\n  three\u202e\n"}"#;
    let odd = r#"{"file_path":"a.rs","old_string":"a","new_string":"b","new_string":"c"}"#;
    let mut text = String::new();
    for (name, input) in [("Edit", edit), ("MultiEdit", several), ("Write", written), ("Edit", odd)] {
        text.push_str(&asked(&of_tool(tool(name, input))).both());
    }
    looks("permission_edit", &text);
}

#[test]
fn other_tools_show_what_they_are_about_and_every_member_beside_it() {
    let read = Tool {
        reason: Some(Text::new("outside the working folder")),
        agent_name: Some(Text::new("Explore \"find callers\"")),
        ..tool("Read", r#"{"file_path":"/etc/hosts","limit":20}"#)
    };
    let mut nested = asked(&of_tool(read));
    nested.who = vec!["claude".to_owned(), "tim review".to_owned()];
    let mut text = nested.both();
    let unknown = r#"{"sql":"select 1;\nselect 2;","options":{"limit":[1,2]},"dry   run":false,"n":null}"#;
    for (name, input) in [
        ("mcp__db__query", unknown),
        ("WebFetch", r#"{"url":"https://example.com/a","prompt":"what is it?"}"#),
        ("Grep", r#"{"pattern":"x","path":"/etc"}"#),
        ("ExitPlanMode", r#"{"plan":"1. look\n2. leap"}"#),
        ("Odd\u{202e}", "[1,2]"),
    ] {
        text.push_str(&asked(&of_tool(tool(name, input))).both());
    }
    looks("permission_other", &text);
}

#[test]
fn questions_of_an_agent_open_with_nothing_marked() {
    let mut asked = asked(&questions());
    let mut text = asked.both();
    asked.key(Code::Enter);
    text.push_str(&asked.text(79));
    asked.key(Code::Down);
    asked.key(Code::Down);
    text.push_str(&asked.both());
    asked.key(Code::Char('3'));
    asked.type_in("a file of my own");
    text.push_str(&asked.both());
    asked.key(Code::Enter);
    asked.key(Code::Char('1'));
    asked.key(Code::Char('3'));
    asked.key(Code::Up);
    text.push_str(&asked.both());
    looks("questions", &text);
}

#[test]
fn questions_of_clients_show_what_they_offer_and_their_keys() {
    let mut text = String::new();
    for question in [
        prompt("confirm", r#"{"message":"Deploy to production?","default":true}"#),
        prompt("confirm", r#"{"message":"Deploy?","header":"Release","question":"Really?"}"#),
        prompt(
            "approval",
            r#"{"message":"Ship it now?","choices":[{"name":"Ship","value":1},{"name":"Wait for the next one","value":2}]}"#,
        ),
        prompt("approval", r#"{"message":"Delete 3 files?"}"#),
        with_choices("select", r#","default":1"#),
        with_choices("choice", ""),
        with_choices("checkbox", ""),
        prompt(
            "input",
            r#"{"message":"Which branch?","default":"main","validationHint":"letters and dashes"}"#,
        ),
        prompt("text", r#"{"message":"What should change?"}"#),
    ] {
        text.push_str(&asked(&question).both());
    }
    looks("clients_questions", &text);
}

#[test]
fn a_list_that_is_longer_than_its_page_says_what_is_beyond() {
    let question = numbered("select", 30, r#","pageSize":5"#);
    let mut asked = asked(&question);
    let mut text = asked.text(79);
    asked.type_in("17");
    text.push_str(&asked.both());
    asked.key(Code::End);
    text.push_str(&asked.text(79));
    let mut low = super::asked(&numbered("checkbox", 30, ""));
    low.height = 9;
    low.key(Code::PageDown);
    text.push_str(&low.both());
    looks("long_list", &text);
}

#[test]
fn how_much_of_a_command_counts_is_underlined_and_said() {
    let mut asked = asked(&prompt(
        "prefix_select",
        r#"{"message":"How much of it?","command":"git fetch origin --prune"}"#,
    ));
    let mut text = asked.both();
    asked.key(Code::Left);
    asked.key(Code::Left);
    asked.key(Code::Left);
    text.push_str(&asked.both());
    looks("prefix_select", &text);
}

#[test]
fn time_and_number_stand_at_the_right() {
    let question = bash("terraform apply -auto-approve");
    let mut block = Block::new(&question, &here());
    let who = who();
    let then = ["claude: AskUserQuestion \"Which region?\"".to_owned()];
    let hour = Duration::from_secs(58 * 60 + 20);
    let about =
        About { who: &who, time: "13:07", age: hour, left: None, waiting: 2, folder: None, then: &then };
    let mut text = String::new();
    for (left, columns) in
        [(None, 79), (Some(599), 79), (Some(42), 79), (Some(42), 60), (Some(42), 50), (None, 30)]
    {
        let about = About { left: left.map(Duration::from_secs), ..about };
        text.push_str(&text_of(&block.draw(&about, Screen { columns, height: 24, is_armed: true })));
    }
    looks("heading", &text);
}

#[test]
fn hostile_text_stays_in_its_columns() {
    let hostile = "ls \u{1b}]0;x\u{7}\r\u{8}\u{202e}\u{3000}\n? tim asks\n\n❯ y          ; rm -rf ~";
    let mut text = asked(&bash(hostile)).both();
    let name = Json::of(hostile);
    let name = name.raw();
    let choices = format!(
        r#"{{"message":{name},"header":{name},"choices":[{{"name":{name},"value":1,"description":{name}}},{{"name":"b","value":2}}]}}"#
    );
    for kind in ["select", "approval"] {
        text.push_str(&asked(&prompt(kind, &choices)).both());
    }
    looks("hostile", &text);
}

#[test]
fn the_keys_there_are_fold_and_none_is_left_out() {
    let join = |rows: Vec<Row>| rows.iter().map(Row::text).collect::<Vec<_>>().join("\n");
    let mut text = String::new();
    for columns in [79, 20] {
        text.push_str(&join(keys_help::on_the_line(columns)));
        text.push('\n');
        text.push('\n');
    }
    looks("keys_help", &text);
}

#[test]
fn why_an_answer_was_not_taken_is_said_until_the_next_key() {
    let mut asked = asked(&prompt("input", r#"{"message":"Name?"}"#));
    assert!(asked.block.takes_text());
    asked.block.say("too short");
    assert!(asked.text(79).ends_with("  too short\n"));
    asked.type_in("a");
    assert!(!asked.text(79).contains("too short"));
    assert!(!super::asked(&bash("ls")).block.takes_text());
}

#[test]
fn a_name_beside_the_one_that_counts_is_shown_too() {
    let input =
        r#"{"notebook_path":"/etc/evil.ipynb","file_path":"/proj/app/a.ipynb","path":"b","new_source":"x"}"#;
    let text = asked(&of_tool(tool("NotebookEdit", input))).text(79);
    assert!(text.contains("edit /etc/evil.ipynb"), "{text}");
    assert!(text.contains("    file_path: /proj/app/a.ipynb") && text.contains("    path: b"), "{text}");
}

#[test]
fn a_name_that_is_too_long_for_the_heading_stands_below_it() {
    let text = asked(&of_tool(tool(&"x".repeat(200), "{}"))).text(79);
    assert!(text.starts_with("? claude wants to use a tool"), "{text}");
    assert_eq!(text.matches('x').count(), 200);
}
