//! A client of the tunnel: asks, reports, leaves.

use std::ops::{Deref, DerefMut};
use std::os::unix::net::UnixStream;
use std::path::Path;

use serde_json::{Value, json};

use super::wait::eventually;
use super::wire::{Wire, is};

/// A connection to a server.
pub(crate) struct Client(Wire);

impl Client {
    /// A socket is there a moment before somebody listens.
    pub(crate) fn connect(socket: &Path) -> Self {
        Self(Wire::new(eventually("somebody listens", || UnixStream::connect(socket).ok())))
    }

    /// A client of ours, with its welcome.
    pub(crate) fn greet(socket: &Path, kind: &str, label: &str) -> (Self, Value) {
        let mut client = Self::connect(socket);
        client.send(&json!({"type": "hello", "tim": 1, "as": kind, "label": label}));
        let welcome = client.take("a welcome", |line| is(line, "welcome"));
        (client, welcome)
    }

    /// Asks for a yes or a no; the id is also the text.
    pub(crate) fn confirm(&mut self, id: &str) {
        self.send(&prompt(id, "confirm", &json!({"message": id}), None));
    }

    /// The same, with a deadline.
    pub(crate) fn confirm_within(&mut self, id: &str, ms: u64) {
        self.send(&prompt(id, "confirm", &json!({"message": id}), Some(ms)));
    }

    /// Asks anything.
    pub(crate) fn ask(&mut self, id: &str, kind: &str, config: &Value) {
        self.send(&prompt(id, kind, config, None));
    }

    /// Says something for the log.
    pub(crate) fn log(&mut self, text: &str) {
        self.send(&json!({"type": "log", "args": [text]}));
    }

    /// The answer to a question.
    pub(crate) fn response(&mut self, id: &str) -> Value {
        self.take(&format!("an answer to {id:?}"), |line| responds(line, id))
    }

    /// Asks and is answered: what came before it at the server has been seen to, and is on file.
    pub(crate) fn round_trip(&mut self, id: &str) -> Value {
        self.confirm(id);
        self.response(id)
    }

    /// Nothing came that was not asked for.
    pub(crate) fn heard_nothing_else(&self) {
        assert!(self.unclaimed().is_empty(), "{:?}", self.unclaimed());
    }
}

impl Deref for Client {
    type Target = Wire;

    fn deref(&self) -> &Wire {
        &self.0
    }
}

impl DerefMut for Client {
    fn deref_mut(&mut self) -> &mut Wire {
        &mut self.0
    }
}

/// Whether a line is the answer to a question.
pub(crate) fn responds(line: &Value, id: &str) -> bool {
    (is(line, "prompt_response") || is(line, "permission_response")) && line["requestId"] == id
}

/// A question as a client of the original sends it.
pub(crate) fn prompt(id: &str, kind: &str, config: &Value, timeout_ms: Option<u64>) -> Value {
    let mut message = json!({
        "type": "prompt_request",
        "timestamp": "2026-11-16T09:00:00.000Z",
        "requestId": id,
        "promptType": kind,
        "promptConfig": config,
    });
    if let Some(ms) = timeout_ms {
        message["timeoutMs"] = json!(ms);
    }
    json!({"type": "structured", "message": message})
}

/// Asks to run a tool.
pub(crate) fn permission(id: &str, tool: &str, input: &Value) -> Value {
    json!({"type": "permission_request", "requestId": id, "tool_name": tool, "input": input})
}

/// Whether a line says that a question ended so, with that value.
pub(crate) fn assert_answered(response: &Value, value: &Value) {
    assert_eq!((&response["value"], &response["outcome"]), (value, &json!("answered")), "{response}");
    assert!(response.get("error").is_none(), "{response}");
}

/// Whether a line says that a question ended without an answer, how, and in which words.
pub(crate) fn assert_unanswered(response: &Value, outcome: &str, error: &str) {
    assert_eq!((&response["outcome"], &response["error"]), (&json!(outcome), &json!(error)), "{response}");
    assert!(response.get("value").is_none(), "{response}");
}

/// Whether a line says that a question was refused, and why in one word.
pub(crate) fn assert_refused(response: &Value, reason: &str) {
    assert_eq!(
        (&response["outcome"], &response["reason"]),
        (&json!("refused"), &json!(reason)),
        "{response}"
    );
    assert!(response["error"].as_str().is_some_and(|error| !error.is_empty()), "{response}");
    assert!(response.get("value").is_none(), "{response}");
}
