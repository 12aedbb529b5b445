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
mod diff;
mod journal;
mod orders;
mod recording;
mod told;

use std::collections::{BTreeSet, HashMap};

use codec::frame::Frame;
use codec::id::Path;
use codec::limits::Limits;
use codec::tunnel::{AnswerSource, Role};

pub use compare::Difference;
pub(crate) use journal::first_record;
pub(crate) use recording::{exit_of, milliseconds};
pub use told::{Aside, Happening, Lines, NotReplayable, Told, Wanted};

use crate::dialect::Dialect;
use crate::router::{AskerId, AskerInfo, DeskId, DeskInfo, Number, OpenLimits, Order, Routing, RunInfo};
use capture::Capture;
use compare::{Comparison, Place};

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

/// What became of a line of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Became {
    Used,
    /// it is of no use here, and of what kind it is
    Passed(&'static str),
    Unused,
    /// the replay was over
    Behind,
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
    wanted: Wanted,
    lines: Lines,
    /// how many lines the router sent
    sent: u64,
    /// how often something was told to be unused
    unused_so_far: u64,
    /// the record that was read last, by its number or else by its line
    record: u64,
    /// the number that the next record should have
    next_record: u64,
    /// whether the rest of the file cannot be replayed
    is_over: bool,
    told: Vec<Told>,
    /// room for what the router wants done, kept from one line to the next
    orders: Vec<Order>,
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
            wanted: Wanted::All,
            lines: Lines::default(),
            sent: 0,
            unused_so_far: 0,
            record: 0,
            next_record: 1,
            is_over: false,
            told: Vec::new(),
            orders: Vec::new(),
        }
    }

    /// One that tells no more than that.
    #[must_use]
    pub fn telling(wanted: Wanted) -> Self {
        Self { wanted, ..Self::new() }
    }

    /// What became of the lines so far.
    #[must_use]
    pub const fn lines(&self) -> &Lines {
        &self.lines
    }

    /// How many lines the router sent so far.
    #[must_use]
    pub const fn sent(&self) -> u64 {
        self.sent
    }

    /// Takes the next line of the file, and says what happened then.
    pub fn line(&mut self, line: &[u8]) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        self.record = self.lines.all();
        let became = match self.kind {
            _ if self.is_over => Became::Behind,
            None => self.first_line(line)?,
            Some(Kind::Recording) => self.recorded_line(line),
            Some(Kind::Own | Kind::Foreign) => self.journal_line(line),
        };
        self.count(became);
        Ok(self.told.drain(..))
    }

    fn count(&mut self, became: Became) {
        match became {
            Became::Used => self.lines.used += 1,
            Became::Passed(what) => *self.lines.passed.entry(what).or_default() += 1,
            Became::Unused => self.lines.unused += 1,
            Became::Behind => self.lines.behind += 1,
        }
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
        self.count(Became::Passed("torn"));
        self.remark(format!("the last line is torn after {} bytes", line.len()));
        Ok(self.told.drain(..))
    }

    /// A line of the file was too long to be one.
    pub fn oversized(&mut self, length: usize) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        let why = format!("a line of {length} bytes, longer than any record");
        if self.kind.is_none() {
            return Err(NotReplayable::Unknown(why));
        }
        if self.is_over {
            self.count(Became::Behind);
        } else {
            self.count(Became::Unused);
            self.unused(why);
        }
        Ok(self.told.drain(..))
    }

    /// The file ends: what has no match by now is a difference. An empty file is no run. What our own router recorded
    /// after the last thing on file is none: a killed run has no time for it.
    pub fn finish(&mut self) -> Result<std::vec::Drain<'_, Told>, NotReplayable> {
        if self.kind.is_none() {
            return Err(NotReplayable::Unknown("it is empty".to_owned()));
        }
        let unwritten = self.capture.clear();
        if unwritten > 0 && !self.is_over {
            self.remark(format!("the file ends before {unwritten} of its records"));
        }
        self.comparison.finish();
        self.tell_differences();
        Ok(self.told.drain(..))
    }

    fn first_line(&mut self, line: &[u8]) -> Result<Became, NotReplayable> {
        if self.begins_recording(line) {
            self.kind = Some(Kind::Recording);
            return Ok(self.recorded_line(line));
        }
        self.kind = Some(self.begin_journal(line)?);
        Ok(Became::Used)
    }

    /// Where in the file we are.
    const fn place(&self) -> Place {
        Place { record: self.record, at: self.now }
    }

    /// Tells something that only whoever reads everything wants to know; it is only made then.
    fn tell(&mut self, what: impl FnOnce() -> Happening) {
        if self.wanted == Wanted::All {
            self.told.push((self.now, what()));
        }
    }

    fn tell_differences(&mut self) {
        for difference in self.comparison.found() {
            self.told.push((self.now, Happening::Differs(difference)));
        }
    }

    fn remark(&mut self, what: String) {
        self.told.push((self.now, Happening::Remark(what)));
    }

    fn unused(&mut self, why: String) {
        self.unused_so_far += 1;
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
        let path = info.path.clone();
        let asker = self.routing.attach(self.now, info);
        self.tell(|| Happening::Aside(Aside::Came { wire: wire.to_owned(), path }));
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
