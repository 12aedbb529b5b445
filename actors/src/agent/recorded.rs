//! Recorded runs of the real CLI, driven through the pure parts of the agent (tests only).
//!
//! The recorder often wrote its next message after a result; so stdin is kept open until its last one is written, and
//! from then on it must close by itself, at a moment when the real CLI had nothing more to say.

use std::path::{Path, PathBuf};

use codec::claude::{ControlBody, Input, Output};
use codec::id::RequestId;
use codec::recording::{Direction, Recorded};

use super::background::Background;
use super::signs::sign;
use super::stdin::{Close, Event, Stdin};
use super::verdict::{Exit, Tally};

/// One line of a recording.
pub(crate) struct Line {
    pub(crate) at_ms: u64,
    pub(crate) dir: Direction,
    pub(crate) text: String,
}

pub(crate) fn lines(path: &Path) -> Vec<Line> {
    let text = std::fs::read_to_string(path).unwrap();
    let read = |line: &str| {
        let line = Recorded::read(line.as_bytes()).unwrap();
        let at_ms = std::time::Duration::from_secs_f64(line.t.as_f64().max(0.0)).as_millis();
        Line { at_ms: at_ms.try_into().unwrap(), dir: line.dir, text: line.line.get().into_owned() }
    };
    text.lines().map(read).collect()
}

pub(crate) fn all_files() -> Vec<PathBuf> {
    let of = |folder: &str| std::fs::read_dir(fixtures().join(folder)).unwrap();
    let mut files: Vec<_> = of("claude").chain(of("settle")).map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

pub(crate) fn file(name: &str) -> PathBuf {
    let is_it = |path: &PathBuf| path.file_stem().unwrap() == name;
    all_files().into_iter().find(is_it).unwrap()
}

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// A run as tim would have seen it.
#[derive(Default)]
pub(crate) struct Driven {
    pub(crate) stdin: Stdin,
    pub(crate) background: Background,
    pub(crate) tally: Tally,
    pub(crate) closed: Vec<(u64, Close)>,
    pub(crate) exit: Option<Exit>,
    pub(crate) stderr: String,
    /// tasks that were open at each result
    pub(crate) open_at_results: Vec<Vec<String>>,
    cancels: Vec<(RequestId, String)>,
    written: u32,
    stdin_was_closed: bool,
}

impl Driven {
    /// The whole recording, and then silence.
    pub(crate) fn by(path: &Path) -> Self {
        let lines = lines(path);
        let is_message = |line: &Line| line.dir == Direction::In && message(line).is_some();
        let last = lines.iter().rposition(is_message);
        let mut run = Driven::default();
        for (at, line) in lines.iter().enumerate() {
            run.wait_until(line.at_ms);
            run.on(Event::KeepOpen(last.is_some_and(|last| at <= last)), line.at_ms);
            run.line(line);
        }
        let end = lines.last().unwrap().at_ms;
        run.on(Event::KeepOpen(false), end);
        run.wait_until(end + 600_000);
        run
    }

    fn line(&mut self, line: &Line) {
        match line.dir {
            Direction::In => self.writes(line),
            Direction::Out => self.hears(line),
            Direction::Err => self.stderr.push_str(&format!("{}\n", line.text)),
            Direction::Meta => self.note(line),
            _ => {}
        }
    }

    fn writes(&mut self, line: &Line) {
        if let Some(uuid) = message(line) {
            self.written += 1;
            let uuid = uuid.unwrap_or_else(|| format!("unnamed {}", self.written));
            let first = Event::PromptWritten;
            self.on(if self.written == 1 { first } else { Event::MessageWritten { uuid } }, line.at_ms);
        }
        match Input::read(line.text.as_bytes()) {
            Ok(Input::ControlResponse(reply)) => {
                self.on(Event::QuestionClosed { id: reply.response.request_id }, line.at_ms);
            }
            Ok(Input::ControlRequest(request)) => {
                if let ControlBody::CancelAsyncMessage(cancel) = request.request {
                    let uuid = cancel.message_uuid.get().into_owned();
                    self.cancels.push((request.request_id, uuid));
                }
            }
            _ => {}
        }
    }

    fn hears(&mut self, line: &Line) {
        let output = Output::read(line.text.as_bytes()).unwrap();
        for change in self.background.hear(&output) {
            self.on(Event::Task(change), line.at_ms);
        }
        self.tally.hear(&output);
        if let Output::ControlResponse(reply) = &output
            && let Some((_, uuid)) = self.cancels.iter().find(|(id, _)| *id == reply.response.request_id)
        {
            let uuid = uuid.clone();
            self.on(Event::MessageTakenBack { uuid }, line.at_ms);
        }
        if matches!(output, Output::Result(_)) {
            self.open_at_results.push(self.background.open().map(|(_, name)| name.to_owned()).collect());
        }
        self.on(sign(&output), line.at_ms);
    }

    /// An exit counts only if the recorder did not bring it about by closing stdin itself.
    fn note(&mut self, line: &Line) {
        self.stdin_was_closed |= line.text.contains("stdin closed");
        let Some(code) = line.text.strip_prefix("exit ") else { return };
        self.exit = Some(code.trim().parse().map_or(Exit::StoppedByTim, |code: i32| match code {
            0.. => Exit::Code(code),
            signal => Exit::Signal(-signal),
        }));
        if !self.stdin_was_closed {
            self.on(Event::ChildExited, line.at_ms);
        }
    }

    fn wait_until(&mut self, until_ms: u64) {
        while let Some(wake) = self.stdin.wake_at().filter(|wake| *wake <= until_ms) {
            self.on(Event::TimePassed, wake);
            assert_ne!(self.stdin.wake_at(), Some(wake), "would wake for ever");
        }
    }

    fn on(&mut self, event: Event, at_ms: u64) {
        if let Some(close) = self.stdin.on(event, at_ms) {
            self.closed.push((at_ms, close));
        }
    }
}

fn message(line: &Line) -> Option<Option<String>> {
    match Input::read(line.text.as_bytes()) {
        Ok(Input::User(user)) => Some(user.uuid.map(|uuid| uuid.get().into_owned())),
        // Ten megabytes, of which the recording keeps the beginning [a8].
        Err(_)
            if line.text.starts_with(r#"{"type": "user""#) || line.text.starts_with(r#"{"type":"user""#) =>
        {
            Some(None)
        }
        _ => None,
    }
}
