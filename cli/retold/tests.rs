//! Runs that are told once more: what stands there, whose it is, and that it is told once.

use super::*;
use crate::term::style::Ink;

const MAIN: Speaker<'_> = Speaker { wire: "claude:main", path: "claude" };
const INIT: &str = r#"{"type":"system","subtype":"init","cwd":"/w/app","session_id":"s","model":"opus","claude_code_version":"2.1.325"}"#;
const READS: &str = r#"{"type":"assistant","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"cargo test"}}]}}"#;
const GAVE: &str = r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}"#;

fn plain() -> Retelling {
    Retelling::new(Look::PLAIN)
}

fn told(retelling: &mut Retelling) -> Vec<String> {
    retelling.rows().collect()
}

fn says(id: &str, text: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{id}","role":"assistant","content":[{{"type":"text","text":"{text}"}}]}}}}"#
    )
}

fn piece(event: &str) -> String {
    format!(r#"{{"type":"stream_event","event":{event}}}"#)
}

#[test]
fn a_conversation_reads_as_it_did_on_the_screen() {
    let mut run = plain();
    run.typed("fix the test\nplease", None);
    for (t, line) in [(0, INIT), (1_000, &says("m0", "I look.")), (2_000, READS), (16_200, GAVE)] {
        run.said(MAIN, line.as_bytes(), t);
    }
    run.exited("claude:main", Some(0), None);
    run.gone("claude:main", 65_000);
    assert_eq!(
        told(&mut run),
        [
            "→ You: fix the test",
            "  please",
            "",
            "  claude 2.1.325  opus",
            "",
            "  I look.",
            "● Bash  cargo test  14.2s",
            "    ok",
            "– 1m5s claude ended"
        ]
    );
}

#[test]
fn a_text_is_told_once_whether_or_not_its_pieces_are_on_record() {
    let pieces = [
        piece(r#"{"type":"message_start","message":{"id":"m1"}}"#),
        piece(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
        piece(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Hel"}}"#),
        piece(r#"{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"lo."}}"#),
        says("m1", "Hello."),
        piece(r#"{"type":"content_block_stop","index":0}"#),
        piece(r#"{"type":"message_stop"}"#),
    ];
    let (mut all, mut whole) = (plain(), plain());
    for line in &pieces {
        all.said(MAIN, line.as_bytes(), 0);
        if !line.contains("stream_event") {
            whole.said(MAIN, line.as_bytes(), 0);
        }
    }
    all.finish(1);
    whole.finish(1);
    assert_eq!(told(&mut whole), ["  Hello."]);
    assert_eq!(told(&mut all), ["  Hello."]);
}

#[test]
fn of_several_agents_each_row_says_whose_it_is() {
    let mut run = plain();
    let (one, two) =
        (Speaker { wire: "claude:lint", path: "lint" }, Speaker { wire: "agent:docs", path: "docs" });
    run.said(one, says("m", "mine").as_bytes(), 0);
    run.said(two, br#"{"type":"text_delta","text":"and "}"#, 1);
    run.said(one, says("n", "more").as_bytes(), 2);
    run.said(two, br#"{"type":"text_delta","text":"this"}"#, 3);
    run.gone("agent:docs", 4);
    assert_eq!(run.whose("lint"), Some("lint"));
    run.finish(5);
    assert_eq!(
        told(&mut run),
        ["lint    mine", "", "lint    more", "", "docs    and this", "– 0.0s docs is gone"]
    );
}

#[test]
fn a_client_stands_behind_its_path_and_nothing_of_it_acts_on_a_terminal() {
    let mut run = plain();
    let script = Speaker { wire: "tunnel:3", path: "claude/re\u{1b}view" };
    run.said(script, br#"{"type":"log","args":["half \u001b[2J done"]}"#, 0);
    run.said(script, b"no message at all", 0);
    run.said(script, br#"{"type":"relayed","via":[{"label":"x"}],"line":{"type":"log","args":["deep"]}}"#, 0);
    assert_eq!(
        told(&mut run),
        ["claude/re\\x1bview    half \\x1b[2J done", "", "claude/re\\x1bview/x    deep"]
    );
}

#[test]
fn what_is_no_line_of_the_agents_language_stands_there_as_text() {
    let mut run = plain();
    run.said(MAIN, b"warning: \x07 something", 0);
    assert_eq!(told(&mut run), ["  warning: \\x07 something"]);
}

#[test]
fn a_tool_that_somebody_decided_about_is_not_told_to_be_denied_twice() {
    let mut run = plain();
    run.said(MAIN, READS.as_bytes(), 0);
    run.tool_asked("claude", "t1");
    run.note(&Row::own(Style::PLAIN, "✗ you said no"));
    run.tool_decided("claude", "t1", false, 9_000);
    let no = GAVE.replace(r#""type":"tool_result""#, r#""is_error":true,"type":"tool_result""#);
    run.said(MAIN, no.as_bytes(), 9_001);
    assert_eq!(told(&mut run), ["✗ you said no"]);
}

#[test]
fn a_terminal_gets_rows_that_fit_and_no_advice_about_keys() {
    let mut run = Retelling::new(Look { columns: Some(40), ink: Ink::Colours });
    let many = "row\\n".repeat(60);
    run.typed(&"word ".repeat(20), None);
    run.said(MAIN, READS.as_bytes(), 0);
    run.said(MAIN, GAVE.replace("ok", &many).as_bytes(), 1);
    let rows = told(&mut run);
    assert!(rows.iter().any(|row| row.contains("\u{1b}[")), "{rows:?}");
    assert!(rows.iter().any(|row| row.contains("lines folded")), "{rows:?}");
    assert!(!rows.iter().any(|row| row.contains("Ctrl-O")), "{rows:?}");
    run.look.ink = Ink::Plain;
    run.typed(&"word ".repeat(20), Some("lint"));
    for row in told(&mut run) {
        assert!(row.chars().count() <= 40, "{row:?}");
    }
}

#[test]
fn no_time_is_too_late_and_no_agent_too_many() {
    let mut run = plain();
    run.said(MAIN, READS.as_bytes(), u64::MAX);
    run.said(MAIN, GAVE.as_bytes(), 0);
    for number in 0..1_100 {
        let wire = format!("agent:a{number}");
        run.said(Speaker { wire: &wire, path: &wire }, br#"{"type":"done"}"#, u64::MAX);
    }
    run.finish(u64::MAX);
    let rows = told(&mut run);
    assert!(rows.iter().any(|row| row.contains("one agent too many")), "{rows:?}");
}

#[test]
fn what_an_agent_was_saying_when_the_record_ends_is_told() {
    let mut run = plain();
    let agent = Speaker { wire: "agent:main", path: "agent" };
    run.said(agent, br#"{"type":"text_delta","text":"so far"}"#, 0);
    assert_eq!(told(&mut run), Vec::<String>::new());
    run.finish(1);
    assert_eq!(told(&mut run), ["  so far"]);
}
