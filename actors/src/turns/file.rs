//! The turns of a file: a journal, or a raw recording of Claude's pipes.
//!
//! Owns what a file begins with and what of it cannot be used. Lines in, turns out; opens nothing. It ends where another
//! run begins. A hole in the record is told and no more: turns have no numbers that depend on it.

use codec::journal::{self, Body, Entry, Event, WireLine};
use codec::json::Text;
use codec::recording::{Direction, Recorded};

use super::{Turn, Turns};
use crate::replay::{NotReplayable, first_record, milliseconds};

/// Whose pipes a recording holds.
const AGENT: &str = "claude:main";

/// What a line of the file brought.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Told {
    /// a turn ended
    Turn(Box<Turn>),
    /// something in the file that could not be used, and when: turns may be incomplete
    Unused(u64, String),
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
    pub fn line(&mut self, line: &[u8]) -> Result<Option<Told>, NotReplayable> {
        match self.kind {
            _ if self.is_over => Ok(None),
            None => self.first_line(line),
            Some(kind) => Ok(self.next_line(kind, line)),
        }
    }

    /// Takes a last line that has no line end. A killed writer leaves it torn.
    pub fn last_line(&mut self, line: &[u8]) -> Result<Option<Told>, NotReplayable> {
        let is_whole = match self.kind {
            None => true,
            Some(Kind::Recording) => Recorded::read(line).is_ok(),
            Some(Kind::Journal) => Entry::read(line).is_ok(),
        };
        if is_whole {
            return self.line(line);
        }
        let torn = format!("the last line is torn after {} bytes", line.len());
        Ok((!self.is_over).then(|| self.unused(torn)))
    }

    /// A line of the file was too long to be one.
    pub fn oversized(&mut self, length: usize) -> Result<Option<Told>, NotReplayable> {
        let why = format!("a line of {length} bytes, longer than any record");
        match self.kind {
            None => Err(NotReplayable::Unknown(why)),
            Some(_) => Ok((!self.is_over).then(|| self.unused(why))),
        }
    }

    /// The file ends: the turns that still went on. An empty file is no run.
    pub fn finish(self) -> Result<Vec<Turn>, NotReplayable> {
        match self.kind {
            None => Err(NotReplayable::Unknown("it is empty".to_owned())),
            Some(_) => Ok(self.turns.end()),
        }
    }

    fn first_line(&mut self, line: &[u8]) -> Result<Option<Told>, NotReplayable> {
        if Recorded::read(line).is_ok() {
            self.kind = Some(Kind::Recording);
            return Ok(self.next_line(Kind::Recording, line));
        }
        first_record(line)?;
        self.kind = Some(Kind::Journal);
        Ok(None)
    }

    fn next_line(&mut self, kind: Kind, line: &[u8]) -> Option<Told> {
        let entry = match kind {
            Kind::Journal => Entry::read(line).map(Some),
            Kind::Recording => Recorded::read(line).map(|recorded| entry_of(&recorded)),
        };
        let entry = match entry {
            Ok(entry) => entry?,
            Err(reject) => return Some(self.unused(format!("a record that cannot be read: {reject}"))),
        };
        self.now = self.now.max(entry.t);
        let entry = Entry { t: self.now, ..entry };
        match &entry.body {
            Body::Event(Event::Run(_)) => {
                self.is_over = true;
                Some(self.unused("another run begins here; what follows is not read".to_owned()))
            }
            Body::Event(Event::Gap(gap)) => {
                Some(self.unused(format!("{} records are missing here", gap.lost)))
            }
            _ => self.turns.hear(&entry).map(|turn| Told::Turn(Box::new(turn))),
        }
    }

    fn unused(&self, why: String) -> Told {
        Told::Unused(self.now, why)
    }
}

/// A line of a recording as the journal would have it, if it is about the agent.
fn entry_of(recorded: &Recorded<'_>) -> Option<Entry<'static>> {
    let said = recorded.line.get();
    let line = |dir| Body::Line(WireLine::new(AGENT, dir, said.as_bytes()));
    let body = match recorded.dir {
        Direction::Out => line(journal::Direction::From),
        Direction::In => line(journal::Direction::To),
        Direction::Meta if said.starts_with("exit") => {
            Body::Event(Event::Detach(journal::Detach::of(Text::new(AGENT))))
        }
        _ => return None,
    };
    Some(Entry { seq: 0, t: milliseconds(recorded.t.as_f64()), body })
}
