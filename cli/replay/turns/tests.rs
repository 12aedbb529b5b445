//! How turns look, in every format, and that no file makes them fail.

use std::path::Path;

use actors::turns::{LeftOut, Part, TurnEnd, TurnQuestion, TurnTool};

use super::*;

fn printed(file: &str, format: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures").join(file);
    let format = <OutputFormat as clap::ValueEnum>::from_str(format, false).unwrap();
    let mut print = Print::new(format, Vec::new());
    assert!(read(&path, std::fs::File::open(&path).unwrap(), &mut print).is_ok(), "{file}");
    String::from_utf8(print.out).unwrap()
}

fn turn() -> Turn {
    Turn {
        number: 1_234,
        wire: "agent:review".to_owned(),
        began_ms: 59_999,
        ended_ms: Some(3_725_000),
        said: vec!["fix the test\nand the docs".to_owned(), "quickly".to_owned()],
        text: String::new(),
        tools: Vec::new(),
        questions: Vec::new(),
        errors: Vec::new(),
        noise: Vec::new(),
        course: vec![Part::Said(0), Part::Said(1)],
        usage: Some((1_204, 310)),
        end: TurnEnd::Done,
        left_out: LeftOut::default(),
    }
}

fn tool(input: &str, failed: Option<bool>) -> TurnTool {
    TurnTool { name: "Bash".to_owned(), input_summary: input.to_owned(), failed }
}

fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

#[test]
fn recorded_runs_look_so() {
    let files = [
        "events/approval-then-text.jsonl",
        "events/choice-and-text.jsonl",
        "events/malformed.jsonl",
        "claude/s1_official_sdk_multi.2.1.325.jsonl",
        "claude/d5_interrupt_mid_bash.2.1.197.jsonl",
        "claude/e2_subagent_foreground.2.1.325.jsonl",
        "claude/e5c_api_500_forever_max_retries_2.2.1.325.jsonl",
        "runs/every-record.jsonl",
    ];
    let all: Vec<_> = files.iter().map(|file| format!("== {file}\n{}", printed(file, "text"))).collect();
    snapshot("recorded", &all.join("\n"));
    let json = files.iter().take(3).map(|file| printed(file, "stream-json"));
    snapshot("recorded_json", &json.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_long_turn_is_cut_and_says_what_there_is_more_of() {
    let commands = ["cargo test", "cargo test -- \u{1b}[2J\u{202e}", &"long ".repeat(40)];
    let mut tools: Vec<_> =
        commands.iter().zip([Some(true), None, Some(true)]).map(|(input, end)| tool(input, end)).collect();
    tools.resize(53, tool("", Some(false)));
    let question = |asked: &str, ended: Option<&str>| TurnQuestion {
        asked: asked.to_owned(),
        ended: ended.map(str::to_owned),
    };
    let turn = Turn {
        tools,
        questions: vec![
            question("may it run git push", Some("allowed (terminal)")),
            question("Which?", None),
        ],
        text: format!("  › I look like a row of yours.\n\n{}\n", "word ".repeat(400)),
        end: TurnEnd::Failed("no\nway".to_owned()),
        errors: vec!["the first time it was busy".to_owned(), "no\nway".to_owned()],
        noise: vec!["Segmentation fault? no: \u{1b}[0m".to_owned()],
        left_out: LeftOut { text: 1_000, ..LeftOut::default() },
        ..turn()
    };
    let tools = (0..53).map(Part::Tool);
    let course = [Part::Said(0), Part::Text(0, 33), Part::Question(0), Part::Error(0)].into_iter();
    let rest =
        [Part::Noise(0), Part::Said(1), Part::Question(1), Part::Text(33, turn.text.len()), Part::Error(1)];
    let turn = Turn { course: course.chain(tools).chain(rest).collect(), ..turn };
    snapshot("long", &page::rows(&turn).join("\n"));
}

#[test]
fn no_row_is_wider_than_a_screen_or_holds_what_a_terminal_would_act_upon() {
    let nasty = "\u{1b}]0;x\u{7}\u{202e}ü漢字👩‍👩‍👧 \r\n\t".repeat(20);
    let asked = TurnQuestion { asked: nasty.clone(), ended: Some(nasty.clone()) };
    let turn = Turn {
        wire: nasty.clone(),
        said: vec![nasty.clone()],
        text: nasty.clone(),
        tools: vec![tool(&nasty, None), tool(&nasty, Some(false))],
        questions: vec![asked],
        errors: vec![nasty.clone()],
        noise: vec![nasty.clone()],
        course: vec![
            Part::Said(0),
            Part::Text(0, nasty.len()),
            Part::Tool(0),
            Part::Tool(1),
            Part::Question(0),
            Part::Error(0),
            Part::Noise(0),
        ],
        end: TurnEnd::Failed(format!("{nasty}.")),
        ended_ms: None,
        ..turn()
    };
    for row in page::rows(&turn) {
        assert!(crate::term::measure::width(&row) <= 80, "{row}");
        assert!(
            row.chars().all(|letter| letter == '\u{200d}' || codec::text::is_printable(letter)),
            "{row:?}"
        );
    }
    let line = line(&turn.to_json());
    assert!(line.chars().all(codec::text::is_printable), "{line:?}");
}

#[test]
fn one_object_holds_all_turns() {
    for (file, turns) in [("claude/s1_official_sdk_multi.2.1.325.jsonl", 2), ("runs/grant.jsonl", 0)] {
        let object = printed(file, "json");
        let object = codec::json::Object::parse(object.trim_end()).unwrap();
        assert!(object.peek("type").unwrap().as_text().unwrap().is("turns"));
        assert_eq!(object.peek("turns").unwrap().as_list().unwrap().len(), turns);
        assert_eq!(object.peek("unused").unwrap().raw(), "0");
        let each = printed(file, "stream-json");
        assert_eq!(each.lines().filter(|line| line.contains("\"type\":\"turn\"")).count(), turns);
        assert!(each.lines().all(|line| codec::json::Object::parse(line).is_ok()), "{each}");
    }
}
