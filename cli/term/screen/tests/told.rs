//! What an agent does, on the screen: in blocks, with a blank row where one belongs.

use actors::gate::Place;
use codec::claude::Output;

use super::*;
use crate::render::claude::Story;
use crate::render::events;
use crate::render::tale::Tale as _;

fn text(text: &str) -> [String; 3] {
    let event = |event: &str| format!(r#"{{"type":"stream_event","event":{event}}}"#);
    let delta = |text: &str| {
        event(&format!(
            r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"{text}"}}}}"#
        ))
    };
    let start = event(r#"{"type":"message_start","message":{"id":"m1"}}"#);
    [start, delta(text), event(r#"{"type":"content_block_stop","index":0}"#)]
}

fn used(name: &str, input: &str, gave: &str) -> [String; 2] {
    let content = format!(r#"{{"type":"tool_use","id":"t","name":"{name}","input":{input}}}"#);
    let result = format!(r#"{{"type":"tool_result","tool_use_id":"t","content":"{gave}"}}"#);
    [
        format!(r#"{{"type":"assistant","message":{{"content":[{content}]}}}}"#),
        format!(r#"{{"type":"user","message":{{"content":[{result}]}}}}"#),
    ]
}

#[test]
fn what_an_agent_says_and_does_is_one_block_and_another_text_another() {
    let mut stand = Stand::new();
    let mut story = Story::new(Place { root: "/app".to_owned(), home: None });
    let init = r#"{"type":"system","subtype":"init","claude_code_version":"2.1.325","model":"sonnet"}"#;
    stand.screen.began_with("fix the failing test in parse.rs", None);
    let mut lines = vec![init.to_owned()];
    lines.extend(text("I'll run the test first, then read the tokenizer."));
    lines.extend(used("Bash", r#"{"command":"cargo test parse"}"#, &"test ok\\n".repeat(50)));
    lines.extend(used("Read", r#"{"file_path":"/app/src/parse.rs"}"#, "1\\n2"));
    lines.extend(text("The tokenizer drops the last byte."));
    lines
        .extend(text("I keep it in split_line, where nobody will miss it, and then I look again at what is"));
    lines.pop();
    for line in &lines {
        let now = stand.now;
        stand.screen.tell(story.hear(&Output::read(line.as_bytes()).unwrap(), now));
        stand.passes(SECOND * 2);
    }
    insta::assert_snapshot!(stand.picture());
    stand.types("\x0f");
    assert!(stand.picture().matches("test ok").count() > 15, "{}", stand.picture());
}

#[test]
fn what_a_stream_agent_says_is_whole_before_it_asks() {
    let mut stand = Stand::new();
    let mut story = events::Story::default();
    stand.screen.began_with("tidy up", None);
    for line in [
        r#"{"type":"text_delta","text":"I look at what "}"#,
        r#"{"type":"text_delta","text":"is there.\n"}"#,
        r#"{"type":"tool_use_start","id":"t1","name":"list","input":{"path":"."}}"#,
        r#"{"type":"tool_result","id":"t1","output":"a\nb\nc"}"#,
        r#"{"type":"text_delta","text":"I would delete 3 files.\n"}"#,
        r#"{"type":"input_request","requestId":"r1","prompt":"Proceed?"}"#,
        r#"{"type":"error","message":"no space left"}"#,
        r#"{"type":"text_delta","text":"Now I would not."}"#,
    ] {
        let now = stand.now;
        stand.screen.tell(story.hear(line.as_bytes(), now).unwrap());
        stand.passes(SECOND * 2);
    }
    insta::assert_snapshot!(stand.picture());
}
