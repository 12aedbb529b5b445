//! A run again: the same router, driven by what is on record, under the clock of the record.
//!
//! Owns a router of its own and nothing outside it: it starts no process, opens no socket and answers nobody. What
//! came in goes in again; what the router then says is compared with what is on record. The same file always gives
//! the same output. Lines are taken one at a time; what is remembered of a file is bounded, however long it is.
//!
//! A record with a hole in it cannot be replayed beyond the hole: the router of now would number its questions
//! otherwise, and an answer would meet another question than it was given to. Then the replay ends there, and says so.

mod capture;
mod compare;
mod journal;
mod recording;

use std::collections::{BTreeSet, HashMap};

use bytes::Bytes;
use codec::frame::Frame;
use codec::id::{Key, Path};
use codec::limits::Limits;
use codec::tunnel::{AnswerSource, Role};

pub use compare::Difference;
pub(crate) use journal::first_record;
pub(crate) use recording::milliseconds;

use crate::dialect::Dialect;
use crate::router::{
    AskerId, AskerInfo, DeskId, DeskInfo, Emitted, News, Number, OpenLimits, Order, Routing, RunInfo,
};
use capture::Capture;
use compare::Comparison;

/// Something that the replay has to tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// the router sent a line
    Sent {
        /// to whom
        wire: String,
        /// what
        line: String,
    },
    /// something became of a question
    Question(Emitted),
    /// a peer reported something
    Reported {
        /// who
        wire: String,
        /// what
        line: Bytes,
    },
    /// a desk was told that what it said did not count
    Told {
        /// which desk
        desk: String,
        /// about which question
        key: Key,
        /// why not
        news: News,
    },
    /// a line that a peer said could not be understood, then as now
    Noise {
        /// who
        wire: String,
        /// why not
        why: String,
    },
    /// something about the file that is no difference
    Remark(String),
    /// something in the record that could not be used, and why: the replay does not show what was
    Unused(String),
    /// the record and the replay do not agree
    Differs(Difference),
}

/// What a replay tells, and when.
pub type Told = (u64, Happening);

/// Why a file cannot be replayed at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReplayable {
    /// it begins with something else than a journal or a recording does
    #[error("neither a journal nor a recording of tim: {0}")]
    Unknown(String),
    /// it was written by a later version
    #[error("the journal has version {0}, this program reads {known}", known = codec::journal::VERSION)]
    Version(u64),
}

/// How many askers and desks a run can have at a time.
const MOST_WIRES: usize = 1_024;

/// What the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// our own: it holds everything that the router did, deadlines included
    Own,
    /// the wires of another program in our format: deadlines are ours to keep
    Foreign,
    /// the pipes of one agent
    Recording,
}

/// A run again.
pub struct Replay {
    kind: Option<Kind>,
    routing: Routing,
    capture: Capture,
    comparison: Comparison,
    askers: HashMap<String, AskerId>,
    wires: HashMap<AskerId, String>,
    desks: HashMap<String, DeskId>,
    deadlines: BTreeSet<(u64, Number)>,
    due: HashMap<Number, u64>,
    now: u64,
    /// the number that the next record should have
    next_record: u64,
    /// whether the rest of the file cannot be replayed
    is_over: bool,
    told: Vec<Told>,
}

impl Default for Replay {
    fn default() -> Self {
        Self::new()
    }
}

impl Replay {
    /// A replay of a file that has not been read yet.
    #[must_use]
    pub fn new() -> Self {
        let capture = Capture::default();
        Self {
            kind: None,
            routing: Routing::new(unknown_run(), Box::new(capture.clone())),
            capture,
            comparison: Comparison::default(),
            askers: HashMap::new(),
            wires: HashMap::new(),
            desks: HashMap::new(),
            deadlines: BTreeSet::new(),
            due: HashMap::new(),
            now: 0,
            next_record: 1,
            is_over: false,
            told: Vec::new(),
        }
    }

    /// Takes the next line of the file, and says what happened then.
    pub fn line(&mut self, line: &[u8]) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        match self.kind {
            _ if self.is_over => {}
            None => self.first_line(line)?,
            Some(Kind::Recording) => self.recorded_line(line),
            Some(Kind::Own | Kind::Foreign) => self.journal_line(line),
        }
        Ok(self.told.drain(..))
    }

    /// Takes a last line that has no line end. It may be torn, which is what a killed writer leaves behind: no more
    /// than a remark.
    pub fn last_line(&mut self, line: &[u8]) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        let is_whole = match self.kind {
            None => true,
            Some(Kind::Recording) => codec::recording::Recorded::read(line).is_ok(),
            Some(Kind::Own | Kind::Foreign) => codec::journal::Entry::read(line).is_ok(),
        };
        if is_whole {
            return self.line(line);
        }
        self.remark(format!("the last line is torn after {} bytes", line.len()));
        Ok(self.told.drain(..))
    }

    /// A line of the file was too long to be one.
    pub fn oversized(&mut self, length: usize) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        let why = format!("a line of {length} bytes, longer than any record");
        if self.kind.is_none() {
            return Err(NotReplayable::Unknown(why));
        }
        self.unused(why);
        Ok(self.told.drain(..))
    }

    /// The file ends: what has no match by now is a difference. An empty file is no run. What our own router recorded
    /// after the last thing on file is none: a killed run has no time for it.
    pub fn finish(&mut self) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        if self.kind.is_none() {
            return Err(NotReplayable::Unknown("it is empty".to_owned()));
        }
        let unwritten = self.comparison.forget_records();
        if unwritten > 0 && !self.is_over {
            self.remark(format!("the file ends before {unwritten} of its records"));
        }
        for difference in self.comparison.finish() {
            self.told.push((self.now, Happening::Differs(difference)));
        }
        Ok(self.told.drain(..))
    }

    fn first_line(&mut self, line: &[u8]) -> Result<(), NotReplayable> {
        if self.begins_recording(line) {
            self.kind = Some(Kind::Recording);
            self.recorded_line(line);
            return Ok(());
        }
        self.kind = Some(self.begin_journal(line)?);
        Ok(())
    }

    fn remark(&mut self, what: String) {
        self.told.push((self.now, Happening::Remark(what)));
    }

    fn unused(&mut self, why: String) {
        self.told.push((self.now, Happening::Unused(why)));
    }

    /// Lets the clock go on. Where nobody recorded that a deadline passed, it passes now.
    fn advance(&mut self, to: u64) {
        while self.kind != Some(Kind::Own)
            && let Some((at, number)) = self.deadlines.first().copied().filter(|(at, _)| *at <= to)
        {
            self.deadlines.remove(&(at, number));
            self.now = at;
            self.routing.expired(at, number);
            self.settle();
        }
        self.now = self.now.max(to);
    }

    /// Says why the rest of the file is not replayed.
    fn end_early(&mut self, why: &str) {
        self.is_over = true;
        self.unused(format!("{why}; what follows is not replayed"));
    }

    /// Whether one more may come under that name. Nobody has so many connections, and nobody has one twice.
    fn has_room_for(&mut self, wire: &str) -> bool {
        let why = if self.askers.contains_key(wire) || self.desks.contains_key(wire) {
            "is there already"
        } else if self.askers.len() + self.desks.len() >= MOST_WIRES {
            "came, and there are too many already"
        } else {
            return true;
        };
        self.unused(format!("{wire} {why}"));
        false
    }

    fn attach(
        &mut self,
        wire: &str,
        dialect: Dialect,
        path: Option<String>,
        pid: Option<u64>,
        below: Option<Path>,
    ) {
        if !self.has_room_for(wire) {
            return;
        }
        let info = AskerInfo { wire: wire.to_owned(), dialect, path, pid, below };
        let asker = self.routing.attach(self.now, info);
        self.askers.insert(wire.to_owned(), asker);
        self.wires.insert(asker, wire.to_owned());
        self.settle();
    }

    fn seat(&mut self, name: &str, source: AnswerSource, counts: bool) {
        if !self.has_room_for(name) {
            return;
        }
        let desk = self.routing.seat(self.now, DeskInfo { counts, ..DeskInfo::new(name, source) });
        self.desks.insert(name.to_owned(), desk);
        self.settle();
    }

    fn frame(&mut self, wire: &str, frame: Frame) {
        match self.askers.get(wire) {
            Some(asker) => self.routing.frame(self.now, *asker, frame),
            None => self.unused(format!("a line from {wire}, which is not there")),
        }
        self.settle();
    }

    /// Notes what the router wants done. Nobody is there to do it to.
    fn settle(&mut self) {
        let (now, timeless) = (self.now, self.kind == Some(Kind::Own));
        for order in self.routing.orders() {
            match order {
                Order::Keep(number, offer, _) if !timeless => {
                    if let Some(at) = offer.left_ms.map(|left| now.saturating_add(left)) {
                        self.deadlines.insert((at, number));
                        self.due.insert(number, at);
                    }
                }
                Order::Close(number, _) => {
                    if let Some(at) = self.due.remove(&number) {
                        self.deadlines.remove(&(at, number));
                    }
                }
                Order::Send(asker, line) => {
                    let wire = self.wires.get(&asker).cloned().unwrap_or_default();
                    let line = String::from_utf8_lossy(&line).into_owned();
                    self.comparison.sent(&wire, &line, now);
                    self.told.push((now, Happening::Sent { wire, line }));
                }
                Order::Publish(emitted) => self.told.push((now, Happening::Question(*emitted))),
                Order::Report(who, line) => {
                    self.told.push((now, Happening::Reported { wire: who.wire.clone(), line }));
                }
                Order::Noise(who, why) | Order::Misasked(who, why) => {
                    self.told.push((now, Happening::Noise { wire: who.wire.clone(), why }));
                }
                Order::Tell(desk, key, news) => {
                    let name = self.desks.iter().find(|(_, id)| **id == desk).map(|(name, _)| name.clone());
                    let desk = name.unwrap_or_default();
                    self.told.push((now, Happening::Told { desk, key, news }));
                }
                _ => {}
            }
        }
        if timeless {
            self.comparison.recorded(self.capture.take());
        } else {
            self.capture.take();
        }
    }
}

/// A run of which nothing is known: that of a raw recording.
fn unknown_run() -> RunInfo {
    RunInfo {
        id: "0f1e".into(),
        seed: "recording".to_owned(),
        began_unix_ms: 0,
        open: OpenLimits::default(),
        limits: Limits::STANDARD,
        publishes: true,
        path: None,
        role: Role::Run,
        gate: std::sync::Arc::default(),
        permission_timeout_ms: None,
        question_timeout_ms: None,
        is_bridged: false,
        allow_on_timeout: false,
    }
}
