//! One end of a socket that speaks lines of JSON: what was heard waits until somebody asks for it.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde_json::Value;

use super::wait::{PATIENCE, now};

/// One end of a socket.
pub(crate) struct Wire {
    stream: UnixStream,
    read: Vec<u8>,
    /// how much of it was cut into lines, and how far was looked for the end of the next one
    cut: usize,
    searched: usize,
    heard: VecDeque<Value>,
    ended: bool,
}

/// What came next.
enum Next {
    Line(Value),
    End,
    Nothing,
}

impl Wire {
    pub(crate) fn new(stream: UnixStream) -> Self {
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        Self { stream, read: Vec::new(), cut: 0, searched: 0, heard: VecDeque::new(), ended: false }
    }

    /// A second hold on the same socket, for writing beside a reader.
    pub(crate) fn stream(&self) -> UnixStream {
        self.stream.try_clone().unwrap()
    }

    pub(crate) fn send(&mut self, line: &Value) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub(crate) fn send_bytes(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("the other side takes what is written");
    }

    /// Sends what may find nobody: says whether it found somebody.
    pub(crate) fn try_send(&mut self, line: &Value) -> bool {
        self.stream.write_all(format!("{line}\n").as_bytes()).is_ok()
    }

    /// Says that nothing more will be sent.
    pub(crate) fn half_close(&self) {
        self.stream.shutdown(Shutdown::Write).unwrap();
    }

    /// The first line that is wanted; what else was heard stays for others.
    pub(crate) fn take(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        self.take_within(PATIENCE, &wanted).unwrap_or_else(|| {
            let ended = if self.ended { "the connection ended" } else { "waited in vain" };
            panic!("{ended}: {what}; heard instead: {:?}", self.heard.iter().take(5).collect::<Vec<_>>())
        })
    }

    /// The same, or nothing if it does not come in time.
    pub(crate) fn take_within(&mut self, time: Duration, wanted: impl Fn(&Value) -> bool) -> Option<Value> {
        if let Some(at) = self.heard.iter().position(&wanted) {
            return self.heard.remove(at);
        }
        let until = now() + time;
        loop {
            match self.next(until) {
                Next::Line(line) if wanted(&line) => return Some(line),
                Next::Line(line) => self.heard.push_back(line),
                Next::End | Next::Nothing => return None,
            }
        }
    }

    /// The next line, whatever it is; nothing at the end.
    pub(crate) fn line(&mut self) -> Option<Value> {
        if let Some(line) = self.heard.pop_front() {
            return Some(line);
        }
        match self.next(now() + PATIENCE) {
            Next::Line(line) => Some(line),
            Next::End => None,
            Next::Nothing => panic!("neither a line nor an end within {PATIENCE:?}"),
        }
    }

    /// Waits for the end of the connection and gives what was heard before it and not asked for.
    pub(crate) fn end(&mut self, what: &str) -> Vec<Value> {
        let until = now() + PATIENCE;
        loop {
            match self.next(until) {
                Next::Line(line) => self.heard.push_back(line),
                Next::End => return self.heard.drain(..).collect(),
                Next::Nothing => panic!("the connection is still open after {PATIENCE:?}: {what}"),
            }
        }
    }

    /// Whether the other side has ended it, as far as was read.
    pub(crate) fn ended(&self) -> bool {
        self.ended
    }

    /// What was heard and not asked for.
    pub(crate) fn unclaimed(&self) -> Vec<&Value> {
        self.heard.iter().collect()
    }

    /// Lets a time pass in which nothing may be heard.
    pub(crate) fn silent_for(&mut self, time: Duration) {
        match self.next(now() + time) {
            Next::Nothing => {}
            Next::Line(line) => panic!("not silent: {line}"),
            Next::End => panic!("not silent: the connection ended"),
        }
    }

    /// Waits until the other side has closed, without reading anything.
    pub(crate) fn hung_up(&self, time: Duration) -> bool {
        let until = now() + time;
        loop {
            let left = until.saturating_duration_since(now());
            let mut polled = [PollFd::new(&self.stream, PollFlags::empty())];
            match poll(&mut polled, Some(&Timespec::try_from(left).unwrap())) {
                Ok(0) => return false,
                Ok(_) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(error) => panic!("cannot wait: {error}"),
            }
        }
    }

    fn next(&mut self, until: Instant) -> Next {
        loop {
            if let Some(line) = self.cut() {
                return Next::Line(line);
            }
            if self.ended {
                return Next::End;
            }
            let left = until.saturating_duration_since(now());
            if left.is_zero() || !self.fill(left) {
                return Next::Nothing;
            }
        }
    }

    /// The next whole line of what was read. One that is no JSON is a text, so that no test can take it for a message.
    fn cut(&mut self) -> Option<Value> {
        let Some(at) = self.read[self.searched..].iter().position(|byte| *byte == b'\n') else {
            self.searched = self.read.len();
            return None;
        };
        let line = &self.read[self.cut..self.searched + at];
        let text = || Value::String(String::from_utf8_lossy(line).into_owned());
        let value = serde_json::from_slice(line).unwrap_or_else(|_| text());
        self.cut = self.searched + at + 1;
        self.searched = self.cut;
        Some(value)
    }

    /// Reads once; false if nothing came.
    fn fill(&mut self, left: Duration) -> bool {
        self.stream.set_read_timeout(Some(left)).unwrap();
        self.read.drain(..self.cut);
        self.searched -= self.cut;
        self.cut = 0;
        let mut piece = [0; 1 << 16];
        match self.stream.read(&mut piece) {
            Ok(0) => self.ended = true,
            Ok(length) => self.read.extend_from_slice(&piece[..length]),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::TimedOut => return false,
                ErrorKind::Interrupted => {}
                _ => self.ended = true,
            },
        }
        true
    }
}

/// Whether a line is of a type.
pub(crate) fn is(line: &Value, kind: &str) -> bool {
    line["type"] == kind
}
