//! What is told of recorded runs, and of lines made by hand.

mod bounds;
mod recorded;
mod rows;
mod saying;
mod tasks;
mod troubles;

use std::time::Duration;

use codec::json::{Json, Object};

use super::*;
use crate::render::tests::listener::Listener;

fn place() -> Place {
    Place { root: "/tmp/demo".to_owned(), home: Some("/home/me".to_owned()) }
}

impl Listener<Story> {
    fn new() -> Self {
        Self::of(Story::new(place()))
    }
}

/// The story of a recording, at the times of the recording.
fn listened(name: &str) -> Listener<Story> {
    let path = format!("{}/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    listened_to(&std::fs::read_to_string(path).unwrap())
}

fn listened_to(recording: &str) -> Listener<Story> {
    let mut listener = Listener::new();
    let begin = listener.now;
    for record in recording.lines().map(|record| Object::parse(record).unwrap()) {
        if record.peek("dir").and_then(Json::as_text).is_none_or(|dir| !dir.is("out")) {
            continue;
        }
        let time: f64 = record.peek("t").unwrap().raw().parse().unwrap();
        listener.now = begin + Duration::from_secs_f64(time);
        listener.hears(&look::text(&record, "line").unwrap());
    }
    listener.ends();
    listener
}

fn json(text: &str) -> String {
    Json::of(text).raw().to_owned()
}

fn says(message: &str, text: &str) -> String {
    format!(
        r#"{{"type":"assistant","message":{{"id":"{message}","role":"assistant","content":[{{"type":"text","text":{}}}]}}}}"#,
        json(text)
    )
}

fn event(event: &str) -> String {
    format!(r#"{{"type":"stream_event","event":{event}}}"#)
}

fn begins(message: &str) -> String {
    event(&format!(r#"{{"type":"message_start","message":{{"id":"{message}"}}}}"#))
}

fn block(index: u64) -> String {
    event(&format!(
        r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"text","text":""}}}}"#
    ))
}

fn delta(index: u64, text: &str) -> String {
    event(&format!(
        r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"text_delta","text":{}}}}}"#,
        json(text)
    ))
}

fn stop(index: u64) -> String {
    event(&format!(r#"{{"type":"content_block_stop","index":{index}}}"#))
}

/// A tool is used, by a subagent if there is a parent.
fn uses(id: &str, name: &str, input: &str, parent: Option<&str>) -> String {
    let parent = parent.map_or_else(|| "null".to_owned(), json);
    format!(
        r#"{{"type":"assistant","parent_tool_use_id":{parent},"message":{{"id":"m","content":[{{"type":"tool_use","id":"{id}","name":"{name}","input":{input}}}]}}}}"#
    )
}

fn gives(id: &str, text: &str, more: &str) -> String {
    let comma = if more.is_empty() { "" } else { "," };
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"{id}","content":{}}}]}}{comma}{more}}}"#,
        json(text)
    )
}

fn fails(id: &str, text: &str, more: &str) -> String {
    gives(id, text, more).replace(r#""type":"tool_result""#, r#""is_error":true,"type":"tool_result""#)
}

fn result(members: &str) -> String {
    format!(r#"{{"type":"result","subtype":"success","is_error":false{members}}}"#)
}

const INIT: &str =
    r#"{"type":"system","subtype":"init","claude_code_version":"2.1.325","model":"claude-sonnet-5"}"#;
