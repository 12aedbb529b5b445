//! The turns of Claude Code.

use super::*;

const CLAUDE: &str = "claude:main";

#[test]
fn a_turn_of_claude_code_ends_with_its_result() {
    let mut record = Record::default();
    let mut line = |dir, line: &str| record.line(CLAUDE, dir, line);
    line(Direction::To, r#"{"type":"user","message":{"role":"user","content":"go"}}"#);
    line(Direction::From, r#"{"type":"system","subtype":"init"}"#);
    line(
        Direction::From,
        r#"{"type":"stream_event","event":{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"On"}}}"#,
    );
    line(Direction::From, r#"{"type":"assistant","message":{"content":[{"type":"text","text":"One."}]}}"#);
    line(
        Direction::From,
        r#"{"type":"assistant","parent_tool_use_id":"t","message":{"content":[{"type":"text","text":"not mine"}]}}"#,
    );
    line(
        Direction::From,
        r#"{"type":"assistant","message":{"content":[{"type":"tool_use","id":"t","name":"Bash","input":{"command":"x\ny"}}]}}"#,
    );
    line(
        Direction::From,
        r#"{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"t","is_error":true}]}}"#,
    );
    line(Direction::From, r#"{"type":"assistant","message":{"content":"Two."}}"#);
    line(
        Direction::From,
        r#"{"type":"result","subtype":"success","is_error":false,"usage":{"input_tokens":3,"output_tokens":4}}"#,
    );
    line(Direction::From, r#"{"type":"system","subtype":"task_notification","task_id":"1"}"#);
    line(Direction::From, r#"{"type":"result","subtype":7}"#);
    line(Direction::From, r#"{"type":"system","subtype":"init"}"#);
    line(Direction::From, &format!("{}{{\"type\":\"result\"", "[".repeat(500)));
    let turns = record.end();
    let unreadable = TurnEnd::Failed("its result could not be understood".to_owned());
    assert_eq!(texts(&turns), [("One.\nTwo.", &TurnEnd::Done), ("", &unreadable), ("", &unreadable)]);
    let tool = TurnTool { name: "Bash".to_owned(), input_summary: "x …".to_owned(), failed: Some(true) };
    assert_eq!((&turns[0].tools, turns[0].usage), (&vec![tool], Some((3, 4))));
}
