//! The bridge as a process, and the test as its client; and the test as the tim that it asks.

use std::io::Write as _;
use std::ops::{Deref, DerefMut};
use std::path::Path;
use std::process::ChildStdin;

use serde_json::{Value, json};

use crate::support::desk::{Asked, Desk, Parent};
use crate::support::launch::{Launch, Process};
use crate::support::wire::is;

/// A bridge that runs.
pub(crate) struct Bridge {
    process: Process,
    stdin: Option<ChildStdin>,
    last: i64,
}

impl Bridge {
    /// As it is started, before anything was said.
    pub(crate) fn start(launch: Launch) -> Self {
        let (process, stdin) = launch.with(true);
        Self { process, stdin, last: 0 }
    }

    /// One that asks there, before anything was said.
    pub(crate) fn silent(socket: &Path) -> Self {
        Self::start(Launch::tim(["mcp", "serve", "--socket"]).arg(socket))
    }

    /// One that asks there, ready for calls.
    pub(crate) fn to(socket: &Path) -> Self {
        let mut bridge = Self::silent(socket);
        bridge.begin("2025-11-25");
        bridge
    }

    /// One that asks the test.
    pub(crate) fn to_test() -> (Self, Desk, Parent) {
        let parent = Parent::open();
        let bridge = Self::to(parent.path());
        let desk = greet(&parent);
        (bridge, desk, parent)
    }

    /// Begins the conversation, and gives what the server says of itself.
    pub(crate) fn begin(&mut self, version: &str) -> Value {
        let client = json!({"name": "test", "version": "1"});
        let params = json!({"protocolVersion": version, "capabilities": {}, "clientInfo": client});
        let id = self.request("initialize", &params);
        let reply = self.reply(id);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        reply
    }

    pub(crate) fn send(&mut self, line: &Value) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).and_then(|()| stdin.flush()).expect("the bridge reads");
    }

    /// Requests something, under an id of its own.
    pub(crate) fn request(&mut self, method: &str, params: &Value) -> i64 {
        self.last += 1;
        // The order of Claude Code, whose id comes last.
        let line =
            format!(r#"{{"method":"{method}","params":{params},"jsonrpc":"2.0","id":{}}}"#, self.last) + "\n";
        self.send_bytes(line.as_bytes());
        self.last
    }

    /// Asks whether a tool may be used.
    pub(crate) fn call(&mut self, tool: &str, input: &Value) -> i64 {
        self.call_with(&json!({"tool_name": tool, "input": input, "tool_use_id": "toolu_1"}))
    }

    /// The same, with any arguments.
    pub(crate) fn call_with(&mut self, arguments: &Value) -> i64 {
        let meta = json!({"claudecode/toolUseId": "toolu_1", "progressToken": self.last});
        self.request("tools/call", &json!({"name": "approval_prompt", "arguments": arguments, "_meta": meta}))
    }

    pub(crate) fn cancel(&mut self, id: i64) {
        let params = json!({"requestId": id, "reason": "interrupted"});
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}));
    }

    /// The reply to a request.
    pub(crate) fn reply(&self, id: impl Into<Value>) -> Value {
        let id = id.into();
        let find = |said: &str, _| replies(said).into_iter().find(|line| line["id"] == id);
        let found = self.process.stdout.wait(&format!("the reply to {id}"), find);
        found.unwrap_or_else(|| panic!("it ended without a reply to {id}: {}", self.process.stderr.text()))
    }

    /// The decision about a call: one text, which holds JSON.
    pub(crate) fn decision(&self, id: i64) -> Value {
        decision_in(&self.reply(id))
    }

    /// Checks that a call was denied, and gives the words for the model.
    #[track_caller]
    pub(crate) fn denied(&self, id: i64) -> String {
        let decision = self.decision(id);
        assert_eq!(decision["behavior"], "deny", "{decision}");
        let message = decision["message"].as_str().unwrap_or_default().to_owned();
        assert!(!message.trim().is_empty(), "every no has its words: {decision}");
        message
    }

    /// Everything that it has said so far.
    pub(crate) fn said(&self) -> Vec<Value> {
        replies(&self.process.stdout.text())
    }

    /// End of file on its stdin.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Ends its stdin and waits for its end: checks that it went well, and that all it said were messages of the protocol.
    #[track_caller]
    pub(crate) fn finish(mut self) -> Vec<Value> {
        self.close();
        let (code, stdout, stderr) = self.process.exit();
        assert_eq!((code, stderr.as_str()), (Some(0), ""), "{stdout}");
        assert!(stdout.is_empty() || stdout.ends_with('\n'), "{stdout}");
        let lines = stdout.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON"));
        let lines: Vec<Value> = lines.collect();
        assert!(lines.iter().all(|line| line["jsonrpc"] == "2.0" && line.get("id").is_some()), "{lines:?}");
        lines
    }
}

/// The whole lines of what was said.
fn replies(said: &str) -> Vec<Value> {
    let whole = said.rsplit_once('\n').map_or("", |(whole, _)| whole);
    whole.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

pub(crate) fn decision_in(reply: &Value) -> Value {
    let content = reply["result"]["content"].as_array().unwrap_or_else(|| panic!("no content: {reply}"));
    assert_eq!((content.len(), &content[0]["type"]), (1, &json!("text")), "{reply}");
    assert_ne!(reply["result"]["isError"], true, "{reply}");
    serde_json::from_str(content[0]["text"].as_str().unwrap()).expect("the text is JSON")
}

/// The next bridge that comes to the test.
pub(crate) fn greet(parent: &Parent) -> Desk {
    let mut desk = parent.accept();
    let hello = desk.take("a hello", |line| is(line, "hello"));
    assert_eq!(
        (&hello["tim"], &hello["as"], &hello["label"]),
        (&json!(1), &json!("bridge"), &json!("claude"))
    );
    desk.send(&json!({"type": "welcome", "tim": 1, "role": "serve", "path": "claude", "desk": true}));
    desk
}

/// Decides about a tool, as a tim would.
pub(crate) fn decide(desk: &mut Desk, asked: &Asked, approved: bool, more: &Value) {
    let mut line = json!({"type": "permission_response", "requestId": asked.id, "approved": approved,
        "outcome": "answered"});
    let all = line.as_object_mut().unwrap();
    all.extend(more.as_object().unwrap().clone());
    desk.send(&line);
}

impl Deref for Bridge {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

impl DerefMut for Bridge {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.process
    }
}
