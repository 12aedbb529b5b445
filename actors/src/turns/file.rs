//! The turns of a file: a journal, or a raw recording of Claude's pipes.
//!
//! Owns what a file begins with and what of it cannot be used. Lines in, turns out; opens nothing. It ends where another
//! run begins. A hole in the record is told and no more: turns have no numbers that depend on it. How processes ended is told
//! between the turns.

use codec::journal::{self, Body, Entry, Event, WireLine};
use codec::json::Text;
use codec::recording::{Direction, Recorded};

use super::{Turn, Turns};
use crate::replay::{NotReplayable, exit_of, first_record, milliseconds};

/// Whose pipes a recording holds.
const AGENT: &str = "claude:main";

/// What a line of the file brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// a turn ended
    Turn(Box<Turn>),
    /// the process of an agent ended
    Exited(Exited),
    /// an agent printed this outside of any turn: when, who, and what
    Printed(u64, String, String),
    /// something in the file that could not be used, and when: turns may be incomplete
    Unused(u64, String),
}

/// How the process of an agent ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exited {
    /// when, in milliseconds
    pub at: u64,
    /// whose
    pub wire: String,
    /// with what
    pub code: Option<u64>,
    /// by what
    pub signal: Option<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Journal,
    Recording,
}

/// A file of which the turns are wanted.
#[derive(Debug, Default)]
pub struct Reading {
    kind: Option<Kind>,
    turns: Turns,
    now: u64,
    /// the number that the next record should have, if that is known
    next: Option<u64>,
    /// whether the rest of the file belongs to something else
    is_over: bool,
}

impl Reading {
    /// A file that has not been read yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next line.
    pub fn line(&mut self, line: &[u8]) -> Result<Vec<Told>, NotReplayable> {
        match self.kind {
            _ if self.is_over => Ok(Vec::new()),
            None => self.first_line(line),
            Some(kind) => Ok(self.next_line(kind, line)),
        }
    }

    /// Takes a last line that has no line end. A killed writer leaves it torn.
    pub fn last_line(&mut self, line: &[u8]) -> Result<Vec<Told>, NotReplayable> {
        let is_whole = match self.kind {
            None => true,
            Some(Kind::Recording) => Recorded::read(line).is_ok(),
            Some(Kind::Journal) => Entry::read(line).is_ok(),
        };
        if is_whole {
            return self.line(line);
        }
        let torn = format!("the last line is torn after {} bytes", line.len());
        Ok((!self.is_over).then(|| self.unused(torn)).into_iter().collect())
    }

    /// A line of the file was too long to be one.
    pub fn oversized(&mut self, length: usize) -> Result<Vec<Told>, NotReplayable> {
        let why = format!("a line of {length} bytes, longer than any record");
        match self.kind {
            None => Err(NotReplayable::Unknown(why)),
            Some(_) => Ok((!self.is_over).then(|| self.unused(why)).into_iter().collect()),
        }
    }

    /// The file ends: the turns that still went on. An empty file is no run.
    pub fn finish(self) -> Result<Vec<Turn>, NotReplayable> {
        match self.kind {
            None => Err(NotReplayable::Unknown("it is empty".to_owned())),
            Some(_) => Ok(self.turns.end()),
        }
    }

    fn first_line(&mut self, line: &[u8]) -> Result<Vec<Told>, NotReplayable> {
        if Recorded::read(line).is_ok() {
            self.kind = Some(Kind::Recording);
            return Ok(self.next_line(Kind::Recording, line));
        }
        // The wires of other programs may be numbered as they like.
        self.next = first_record(line)?.writer.map(|_| 1);
        self.kind = Some(Kind::Journal);
        Ok(Vec::new())
    }

    fn next_line(&mut self, kind: Kind, line: &[u8]) -> Vec<Told> {
        let read = match kind {
            Kind::Journal => Entry::read(line).map(|entry| vec![entry]),
            Kind::Recording => Recorded::read(line).map(|recorded| entries_of(&recorded)),
        };
        match read {
            Ok(entries) => entries.into_iter().flat_map(|entry| self.entry(entry)).collect(),
            Err(reject) => vec![self.unused(format!("a record that cannot be read: {reject}"))],
        }
    }

    fn entry(&mut self, entry: Entry<'_>) -> Vec<Told> {
        self.now = self.now.max(entry.t);
        let mut told: Vec<_> = self.hole_before(&entry).into_iter().collect();
        let entry = Entry { t: self.now, ..entry };
        match &entry.body {
            Body::Event(Event::Run(_)) => {
                self.is_over = true;
                told.push(self.unused("another run begins here; what follows is not read".to_owned()));
            }
            Body::Event(Event::Gap(gap)) => {
                told.push(self.unused(format!("{} records are missing here", gap.lost)));
            }
            Body::Event(Event::Exit(exit)) => told.push(Told::Exited(Exited {
                at: self.now,
                wire: exit.wire.get().into_owned(),
                code: exit.code,
                signal: exit.signal,
            })),
            body => {
                told.extend(self.turns.hear(&entry).map(|turn| Told::Turn(Box::new(turn))));
                if let (Some(line), Body::Line(from)) = (self.turns.stray(), body) {
                    told.push(Told::Printed(self.now, from.wire.get().into_owned(), line));
                }
            }
        }
        told
    }

    /// Says if records are missing before this one. A gap has the number of the first that is lost, and stands for all.
    fn hole_before(&mut self, entry: &Entry<'_>) -> Option<Told> {
        let expected = self.next?;
        let stands_for = match &entry.body {
            Body::Event(Event::Run(_)) => return None,
            Body::Event(Event::Gap(gap)) => gap.lost,
            _ => 1,
        };
        self.next = Some(entry.seq.saturating_add(stands_for));
        let is_hole = entry.seq != expected;
        is_hole.then(|| self.unused(format!("record {} stands where {expected} should be", entry.seq)))
    }

    fn unused(&self, why: String) -> Told {
        Told::Unused(self.now, why)
    }
}

/// A line of a recording as the journal would have it, if it is about the agent.
fn entries_of(recorded: &Recorded<'_>) -> Vec<Entry<'static>> {
    let said = recorded.line.get();
    let line = |dir| vec![Body::Line(WireLine::new(AGENT, dir, said.as_bytes()))];
    let bodies = match recorded.dir {
        Direction::Out => line(journal::Direction::From),
        Direction::In => line(journal::Direction::To),
        Direction::Meta if said.starts_with("exit") => {
            let (code, signal) = exit_of(&said);
            let exit = journal::Exit { code, signal, ..journal::Exit::of(Text::new(AGENT)) };
            let left = journal::Detach::of(Text::new(AGENT));
            vec![Body::Event(Event::Detach(left)), Body::Event(Event::Exit(exit))]
        }
        _ => Vec::new(),
    };
    let t = milliseconds(recorded.t.as_f64());
    bodies.into_iter().map(|body| Entry { seq: 0, t, body }).collect()
}
