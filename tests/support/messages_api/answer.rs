//! A turn, said: as a stream of events, or at once if the client wants no stream.

use std::io;
use std::net::TcpStream;
use std::sync::atomic::{AtomicU32, Ordering};

use serde_json::{Value, json};

use super::http::{Asked, write_event, write_head, write_json};
use super::request::{Kind, Request};
use super::script::{Step, Turn};
use super::state::State;

/// Characters of one delta.
const PIECE: usize = 20;

/// Keeps what was asked and answers it.
pub(super) fn answer(stream: &mut TcpStream, state: &State, asked: Asked) -> io::Result<()> {
    let request = Request::new(asked);
    if request.kind == Kind::Other {
        let body =
            if request.path.contains("count_tokens") { json!({"input_tokens": 10}) } else { json!({}) };
        state.note(request);
        return write_json(stream, 200, &[], &body);
    }
    let (model, streams) = (request.body["model"].clone(), request.body["stream"] == true);
    let turn = state.take(request);
    let mut said =
        Said { stream, state, turn: &turn, model, streams, blocks: Vec::new(), begun: false, open: false };
    for step in &turn.steps {
        if said.step(step)? == Goes::Over {
            return Ok(());
        }
    }
    said.end()
}

/// A number that no other has.
fn fresh(prefix: &str) -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    format!("{prefix}_{}_{:08}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed))
}

fn usage() -> Value {
    json!({
        "input_tokens": 10, "output_tokens": 5, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0,
        "service_tier": "standard",
    })
}

#[derive(PartialEq, Eq)]
enum Goes {
    On,
    Over,
}

/// What was said of a turn so far.
struct Said<'a> {
    stream: &'a mut TcpStream,
    state: &'a State,
    turn: &'a Turn,
    model: Value,
    /// whether each step is told as it happens
    streams: bool,
    blocks: Vec<Value>,
    begun: bool,
    /// whether the last block goes on
    open: bool,
}

impl Said<'_> {
    fn step(&mut self, step: &Step) -> io::Result<Goes> {
        match step {
            Step::Hold(gate) => self.state.pass(gate)?,
            Step::Begin => self.begin()?,
            Step::Open(text) => {
                self.block(json!({"type": "text", "text": ""}))?;
                self.more("text", text)?;
            }
            Step::More(text) => self.more("text", text)?,
            Step::Close => self.close()?,
            Step::Thinking(text) => self.thinking(text)?,
            Step::Tool(name, input) => self.tool(name, input)?,
            Step::Fail(status) => return self.fail(*status),
            Step::Error(kind) => return self.err(kind),
            Step::Cut => return Ok(Goes::Over),
        }
        Ok(Goes::On)
    }

    fn thinking(&mut self, text: &str) -> io::Result<()> {
        self.block(json!({"type": "thinking", "thinking": "", "signature": ""}))?;
        self.more("thinking", text)?;
        self.more("signature", "c2lnbmF0dXJl")?;
        self.close()
    }

    fn tool(&mut self, name: &str, input: &Value) -> io::Result<()> {
        self.block(json!({"type": "tool_use", "id": fresh("toolu"), "name": name, "input": {}}))?;
        for piece in pieces(&input.to_string(), 4 * PIECE) {
            self.delta(&json!({"type": "input_json_delta", "partial_json": piece}))?;
        }
        if let Some(block) = self.blocks.last_mut() {
            block["input"] = input.clone();
        }
        self.close()
    }

    fn begin(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.begun, true) || !self.streams {
            return Ok(());
        }
        write_head(self.stream, 200, "text/event-stream; charset=utf-8", &self.turn.headers)?;
        let message = self.message(&[], &Value::Null);
        self.event(&json!({"type": "message_start", "message": message}))?;
        self.event(&json!({"type": "ping"}))
    }

    fn message(&self, content: &[Value], stop: &Value) -> Value {
        json!({
            "id": fresh("msg"), "type": "message", "role": "assistant", "model": self.model, "content": content,
            "stop_reason": stop, "stop_sequence": null, "usage": usage(),
        })
    }

    fn block(&mut self, block: Value) -> io::Result<()> {
        self.begin()?;
        self.close()?;
        self.event(
            &json!({"type": "content_block_start", "index": self.blocks.len(), "content_block": block}),
        )?;
        self.blocks.push(block);
        self.open = true;
        Ok(())
    }

    fn more(&mut self, what: &str, text: &str) -> io::Result<()> {
        for piece in pieces(text, PIECE) {
            self.delta(&json!({"type": format!("{what}_delta"), what: piece}))?;
        }
        if let Some(block) = self.blocks.last_mut() {
            block[what] = format!("{}{text}", block[what].as_str().unwrap_or_default()).into();
        }
        Ok(())
    }

    fn delta(&mut self, delta: &Value) -> io::Result<()> {
        self.event(&json!({"type": "content_block_delta", "index": self.blocks.len() - 1, "delta": delta}))
    }

    fn close(&mut self) -> io::Result<()> {
        if std::mem::replace(&mut self.open, false) {
            self.event(&json!({"type": "content_block_stop", "index": self.blocks.len() - 1}))?;
        }
        Ok(())
    }

    fn end(&mut self) -> io::Result<()> {
        self.begin()?;
        self.close()?;
        let calls = self.blocks.iter().any(|block| block["type"] == "tool_use");
        let stop = json!(if calls { "tool_use" } else { "end_turn" });
        if !self.streams {
            let message = self.message(&self.blocks, &stop);
            return write_json(self.stream, 200, &self.turn.headers, &message);
        }
        let delta = json!({"stop_reason": stop, "stop_sequence": null});
        self.event(&json!({"type": "message_delta", "delta": delta, "usage": usage()}))?;
        self.event(&json!({"type": "message_stop"}))
    }

    fn fail(&mut self, status: u16) -> io::Result<Goes> {
        let error = json!({"type": error_type(status), "message": format!("scripted {status}")});
        let body = json!({"type": "error", "error": error, "request_id": "req_scripted"});
        write_json(self.stream, status, &self.turn.headers, &body)?;
        Ok(Goes::Over)
    }

    fn err(&mut self, kind: &str) -> io::Result<Goes> {
        if !self.streams {
            return self.fail(500);
        }
        self.begin()?;
        self.event(
            &json!({"type": "error", "error": {"type": kind, "message": "scripted error in the stream"}}),
        )?;
        Ok(Goes::Over)
    }

    fn event(&mut self, data: &Value) -> io::Result<()> {
        if self.streams { write_event(self.stream, data) } else { Ok(()) }
    }
}

fn error_type(status: u16) -> &'static str {
    match status {
        400 => "invalid_request_error",
        401 => "authentication_error",
        403 => "permission_error",
        404 => "not_found_error",
        413 => "request_too_large",
        429 => "rate_limit_error",
        529 => "overloaded_error",
        _ => "api_error",
    }
}

fn pieces(text: &str, length: usize) -> Vec<String> {
    let characters: Vec<char> = text.chars().collect();
    characters.chunks(length).map(|piece| piece.iter().collect()).collect()
}
