//! The test as the parent of a tim: every question arrives here, by its own hand, when it wants.

use std::ops::{Deref, DerefMut};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::{Value, json};

use super::temp::Temp;
use super::wait::PATIENCE;
use super::wire::{Wire, is};

/// A socket that a tim may be started under.
pub(crate) struct Parent {
    listener: UnixListener,
    path: PathBuf,
    _folder: Temp,
}

impl Parent {
    pub(crate) fn open() -> Self {
        let folder = Temp::new();
        let path = folder.path("parent.sock");
        Self { listener: UnixListener::bind(&path).unwrap(), path, _folder: folder }
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The next connection, before anything was said.
    pub(crate) fn accept(&self) -> Desk {
        let mut polled = [PollFd::new(&self.listener, PollFlags::IN)];
        let came = poll(&mut polled, Some(&Timespec::try_from(PATIENCE).unwrap())).unwrap();
        assert_eq!(came, 1, "nobody connected to the parent within {PATIENCE:?}");
        Desk(Wire::new(self.listener.accept().unwrap().0))
    }

    /// The next connection, greeted: the child is called `x`.
    pub(crate) fn greet(&self, role: &str) -> Desk {
        let mut desk = self.accept();
        let hello = desk.take("a hello", |line| is(line, "hello"));
        assert_eq!((&hello["tim"], &hello["as"]), (&json!(1), &json!("tim")), "{hello}");
        desk.send(&json!({"type": "welcome", "tim": 1, "role": role, "path": "x", "desk": true}));
        desk
    }
}

/// The parent's end of a connection.
pub(crate) struct Desk(Wire);

/// A question as it arrived at the parent.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    /// the id that it was given for this hop
    pub(crate) id: Value,
    /// `confirm`, …, `permission`
    pub(crate) kind: String,
    /// what is asked: its text, or the name of its tool
    pub(crate) text: String,
    /// all of it
    pub(crate) message: Value,
}

impl Asked {
    /// The question in a line, if it is one.
    pub(crate) fn read(line: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let message = if is(line, "structured") { &line["message"] } else { line };
        let (kind, asks) = match message["type"].as_str()? {
            "prompt_request" => (&message["promptType"], &message["promptConfig"]["message"]),
            "permission_request" => (&message["type"], &message["tool_name"]),
            _ => return None,
        };
        let kind = text(kind).replace("permission_request", "permission");
        Some(Self { id: message["requestId"].clone(), kind, text: text(asks), message: message.clone() })
    }

    /// The line that answers it.
    pub(crate) fn answer(&self, value: &Value) -> Value {
        json!({"type": "prompt_response", "requestId": self.id, "value": value, "outcome": "answered"})
    }
}

impl Desk {
    /// The next question.
    pub(crate) fn prompt(&mut self) -> Asked {
        let line = self.take("a question at the parent", |line| Asked::read(line).is_some());
        Asked::read(&line).unwrap()
    }

    /// The question with a text.
    pub(crate) fn prompt_about(&mut self, text: &str) -> Asked {
        let about = |line: &Value| Asked::read(line).is_some_and(|asked| asked.text == text);
        Asked::read(&self.take(&format!("the question {text:?} at the parent"), about)).unwrap()
    }

    pub(crate) fn answer(&mut self, asked: &Asked, value: &Value) {
        self.send(&asked.answer(value));
    }

    /// Says how else a question ended here.
    pub(crate) fn end_with(&mut self, asked: &Asked, outcome: &str, error: &str) {
        self.send(
            &json!({"type": "prompt_response", "requestId": asked.id, "error": error, "outcome": outcome}),
        );
    }

    /// Says that the question is on a screen.
    pub(crate) fn shown(&mut self, asked: &Asked) {
        self.send(&json!({"type": "prompt_shown", "requestId": asked.id}));
    }

    /// Waits until a question is withdrawn, and says why.
    pub(crate) fn withdrawn(&mut self, asked: &Asked) -> String {
        let withdraws = |line: &Value| is(line, "prompt_cancel") && line["requestId"] == asked.id;
        let line = self.take(&format!("the withdrawal of {:?}", asked.text), withdraws);
        line["reason"].as_str().expect("a reason").to_owned()
    }

    /// Answers everything that is asked from now on, on its own, until the child is gone. `None` leaves a question open.
    pub(crate) fn answering(
        mut self,
        mut policy: impl FnMut(&Asked) -> Option<Value> + Send + 'static,
    ) -> JoinHandle<Vec<Value>> {
        std::thread::spawn(move || {
            let mut reports = Vec::new();
            while let Some(line) = self.line_or_end() {
                let Some(asked) = Asked::read(&line) else {
                    reports.push(line);
                    continue;
                };
                if policy(&asked).is_some_and(|value| !self.try_send(&asked.answer(&value))) {
                    break;
                }
            }
            reports
        })
    }

    /// The next line, however long it takes; nothing at the end.
    pub(crate) fn line_or_end(&mut self) -> Option<Value> {
        loop {
            if let Some(line) = self.take_within(PATIENCE, |_| true) {
                return Some(line);
            }
            if self.ended() {
                return None;
            }
        }
    }
}

/// Says yes to everything.
pub(crate) fn yes(_: &Asked) -> Option<Value> {
    Some(Value::Bool(true))
}

impl Deref for Desk {
    type Target = Wire;

    fn deref(&self) -> &Wire {
        &self.0
    }
}

impl DerefMut for Desk {
    fn deref_mut(&mut self) -> &mut Wire {
        &mut self.0
    }
}
