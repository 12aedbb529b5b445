//! Nothing is left out, nothing told twice, and every line is one that a parent takes.

use codec::claude::{Block, Content, Output};
use codec::limits::Limits;
use codec::recording::Direction;
use codec::tunnel::Up;
use proptest::prelude::*;

use super::*;
use crate::agent::recorded::{all_files, lines};

const CLAUDE: Language = Language::Claude { asks_by: None };

/// What is reported of these lines, read back.
fn reports(language: Language, said: &[&str]) -> Vec<Structured<'static>> {
    let mut reported = Reported::new(language, "claude");
    let mut out: Vec<String> = said.iter().flat_map(|line| reported.hear(line.as_bytes(), 0)).collect();
    out.extend(reported.ends(&Came { is_success: true, ..Came::default() }, 0));
    out.iter().map(|line| read(line)).collect()
}

fn read(line: &str) -> Structured<'static> {
    match Up::read(line.as_bytes(), &Limits::STANDARD).unwrap() {
        Up::Structured(message, _) => codec::json::IntoOwned::into_owned(message),
        other => panic!("{other:?}"),
    }
}

/// What is said, done and given: each as one text.
#[derive(Debug, Default, PartialEq)]
struct Told {
    texts: Vec<String>,
    uses: Vec<String>,
    gave: Vec<String>,
}

fn told(reports: &[Structured<'_>]) -> Told {
    let mut told = Told::default();
    for report in reports {
        match report {
            Structured::LlmResponse(said) => told.texts.push(said.text.get().into_owned()),
            Structured::WorkflowProgress(said) => told.texts.push(said.message.get().into_owned()),
            Structured::FailureReport(said) => told.texts.push(said.summary.get().into_owned()),
            Structured::LlmToolUse(used) => {
                let name = used.tool_name.get();
                told.uses.push(name.rsplit(" › ").next().unwrap().to_owned());
            }
            Structured::TodoUpdate(_) => told.uses.push("TodoWrite".to_owned()),
            Structured::LlmToolResult(gave) => {
                told.gave.push(gave.result.as_ref().map(|gave| text_of(&gave.0)).unwrap());
            }
            _ => {}
        }
    }
    told
}

fn text_of(result: &Json<'_>) -> String {
    match result.as_text() {
        Some(text) => text.get().into_owned(),
        None => {
            let parts = result.as_list().unwrap();
            let part = Object::parse(parts[0].raw()).unwrap();
            assert_eq!(part.peek("is_error").unwrap().as_flag(), Some(true));
            part.peek("text").unwrap().as_text().unwrap().get().into_owned()
        }
    }
}

/// The same, from the lines of the recording themselves.
fn there(said: &[&str]) -> Told {
    let mut there = Told::default();
    let mut text = |text: &str| {
        if !text.trim().is_empty() {
            there.texts.push(cut(text, LONGEST).get().into_owned());
        }
    };
    for line in said {
        match Output::read(line.as_bytes()) {
            Ok(Output::Assistant(line)) => match &line.message.content {
                Content::Text(said) => text(&said.get()),
                Content::Blocks(blocks) => blocks.iter().for_each(|block| match block {
                    Block::Text(said) => text(&said.text.get()),
                    Block::ToolUse(tool) => there.uses.push(tool.name.get().into_owned()),
                    _ => {}
                }),
            },
            Ok(Output::User(line)) => {
                let Content::Blocks(blocks) = &line.message.content else { continue };
                let results = blocks.iter().filter_map(|block| match block {
                    Block::ToolResult(result) => Some(cut(&result.text(), LONGEST).get().into_owned()),
                    _ => None,
                });
                there.gave.extend(results);
            }
            _ => {}
        }
    }
    there
}

#[test]
fn every_text_tool_and_result_of_all_recordings_is_reported_once_and_in_order() {
    let mut seen = 0;
    for file in all_files() {
        let lines = lines(&file);
        let said: Vec<&str> = lines
            .iter()
            .filter(|line| line.dir == Direction::Out && Output::read(line.text.as_bytes()).is_ok())
            .map(|line| line.text.as_str())
            .collect();
        let (told, there) = (told(&reports(CLAUDE, &said)), there(&said));
        seen += there.texts.len() + there.uses.len() + there.gave.len();
        assert_eq!(told, there, "{}", file.display());
    }
    assert!(seen > 300, "only {seen} texts, tools and results in all recordings");
}

fn assistant(block: &str) -> String {
    format!(r#"{{"type":"assistant","message":{{"content":[{block}]}}}}"#)
}

#[test]
fn a_conversation_begins_once_and_ends_with_what_it_came_to() {
    let init =
        r#"{"type":"system","subtype":"init","session_id":"s","model":"m","permissionMode":"default"}"#;
    let result = r#"{"type":"result","subtype":"success","is_error":false,"usage":{"input_tokens":7,"output_tokens":2}}"#;
    let kinds: Vec<String> = reports(CLAUDE, &[init, result, init, result])
        .iter()
        .map(|report| report.kind().into_owned())
        .collect();
    assert_eq!(kinds, ["agent_session_start", "token_usage", "token_usage", "agent_session_end"]);
}

#[test]
fn what_the_person_said_is_not_reported_as_what_the_agent_did() {
    let echo = r#"{"type":"user","isReplay":true,"message":{"content":[{"type":"tool_result","tool_use_id":"x","content":"no"}]}}"#;
    let words = r#"{"type":"user","message":{"content":"fix it"}}"#;
    assert_eq!(reports(CLAUDE, &[echo, words]).len(), 1, "its end alone");
}

#[test]
fn a_tool_that_failed_says_so_and_has_its_name() {
    let used = assistant(r#"{"type":"tool_use","id":"t","name":"Bash","input":{"command":"false"}}"#);
    let gave = r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","content":"exit 1","is_error":true}]}}"#;
    let reports = reports(CLAUDE, &[&used, gave]);
    let Structured::LlmToolResult(result) = &reports[1] else { panic!("{reports:?}") };
    assert!(result.tool_name.is("Bash"));
    let expected = r#"[{"type":"text","text":"exit 1","is_error":true}]"#;
    assert_eq!(result.result.as_ref().unwrap().0.raw(), expected);
}

#[test]
fn what_a_subagent_does_stands_behind_its_name() {
    let start =
        assistant(r#"{"type":"tool_use","id":"t","name":"Agent","input":{"subagent_type":"Explore"}}"#);
    let below = |block: &str| assistant(block).replacen('{', r#"{"parent_tool_use_id":"t","#, 1);
    let text = below(r#"{"type":"text","text":"I look."}"#);
    let tool = below(r#"{"type":"tool_use","id":"u","name":"Grep","input":{}}"#);
    let reports = reports(CLAUDE, &[&start, &text, &tool]);
    let (Structured::WorkflowProgress(said), Structured::LlmToolUse(used)) = (&reports[1], &reports[2])
    else {
        panic!("{reports:?}")
    };
    assert!(said.phase.as_ref().unwrap().is("Explore") && said.message.is("I look."));
    assert!(used.tool_name.is("Explore › Grep"));
}

#[test]
fn what_is_too_long_is_cut_and_numbers_that_are_none_are_shown_as_they_are() {
    let long = assistant(&format!(r#"{{"type":"text","text":"{}"}}"#, "ü".repeat(LONGEST)));
    let odd = assistant(r#"{"type":"tool_use","id":"t","name":"T","input":{"n":1e400}}"#);
    let reports = reports(CLAUDE, &[&long, &odd]);
    let (Structured::LlmResponse(said), Structured::LlmToolUse(used)) = (&reports[0], &reports[1]) else {
        panic!("{reports:?}")
    };
    assert!(said.text.get().ends_with("… 65536 more bytes"));
    assert!(used.input.is_none() && used.input_summary.as_ref().unwrap().is(r#"{"n":1e400}"#));
}

#[test]
fn a_line_that_is_none_is_passed_on_as_text() {
    let lines = Reported::new(CLAUDE, "claude").hear(b"Segmentation fault", 0);
    assert_eq!(lines, [r#"{"type":"log","args":["Segmentation fault"]}"#]);
}

#[test]
fn a_text_in_pieces_is_reported_by_paragraphs_and_before_what_comes_behind_it() {
    let delta = |text: &str| format!(r#"{{"type":"text_delta","text":{}}}"#, Text::new(text).raw());
    let said = [
        delta("One"),
        delta(" par.\n\nTwo\nlines.\n"),
        delta("\n\n"),
        r#"{"type":"tool_use_start","id":"t","name":"grep","input":{"q":"x"}}"#.to_owned(),
        r#"{"type":"tool_result","id":"t","output":"found"}"#.to_owned(),
        delta("The end"),
        r#"{"type":"done"}"#.to_owned(),
    ];
    let reports = reports(Language::Events, &said.iter().map(String::as_str).collect::<Vec<_>>());
    let kinds: Vec<_> = reports.iter().map(|report| report.kind().into_owned()).collect();
    let expected = [
        "agent_session_start",
        "llm_response",
        "llm_response",
        "llm_tool_use",
        "llm_tool_result",
        "llm_response",
        "agent_session_end",
    ];
    assert_eq!(kinds, expected);
    assert_eq!(told(&reports).texts, ["One par.", "Two\nlines.", "The end"]);
}

proptest! {
    #[test]
    fn however_a_text_is_cut_all_of_it_is_reported_once(
        pieces in prop::collection::vec("[a-z\n]{0,6}", 0..60),
    ) {
        let delta = |text: &String| format!(r#"{{"type":"text_delta","text":{}}}"#, Text::new(text).raw());
        let said: Vec<String> = pieces.iter().map(delta).collect();
        let reports = reports(Language::Events, &said.iter().map(String::as_str).collect::<Vec<_>>());
        prop_assert_eq!(told(&reports).texts.concat().replace('\n', ""), pieces.concat().replace('\n', ""));
    }
}
