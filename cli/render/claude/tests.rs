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

fn place() -> Place {
    Place { root: "/tmp/demo".to_owned(), home: Some("/home/me".to_owned()) }
}

/// A story, and the rows that were told so far.
struct Listener {
    story: Story,
    now: Instant,
    rows: Vec<String>,
    /// a text that is still being written
    writing: Option<String>,
}

impl Listener {
    fn new() -> Self {
        Self { story: Story::new(place()), now: Instant::now(), rows: Vec::new(), writing: None }
    }

    fn hears(&mut self, line: &str) -> &mut Self {
        let line = Output::read(line.as_bytes()).unwrap_or_else(|reject| panic!("{line}: {reject:?}"));
        let pieces = self.story.hear(&line, self.now);
        self.take(pieces);
        self
    }

    fn take(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Stream(text) => self.writing.get_or_insert_default().push_str(&text),
                Piece::StreamEnds => self.written(),
                Piece::Block(block) => {
                    self.written();
                    self.rows.extend(block.plain());
                }
            }
        }
    }

    fn written(&mut self) {
        let text = self.writing.take();
        self.rows.extend(text.iter().flat_map(|text| text.split('\n')).map(|line| format!("  {line}~")));
    }

    fn passes(&mut self, seconds: f64) -> &mut Self {
        self.now += Duration::from_secs_f64(seconds);
        self
    }

    fn ends(&mut self) -> &mut Self {
        let pieces = self.story.ends(self.now);
        self.take(pieces);
        self.written();
        self
    }

    /// What was told since the last time.
    fn told(&mut self) -> String {
        std::mem::take(&mut self.rows).join("\n")
    }
}

/// The story of a recording, at the times of the recording.
fn listened(name: &str) -> Listener {
    let path = format!("{}/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    listened_to(&std::fs::read_to_string(path).unwrap())
}

fn listened_to(recording: &str) -> Listener {
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
