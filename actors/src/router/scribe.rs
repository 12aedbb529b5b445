//! The router's hand on the journal: numbers the records and knows how far they are on file.

use std::time::Duration;

use codec::journal::{Body, Direction, Entry, Event, WireLine};

use crate::journal::Progress;
use crate::ports::{NoRecord, Record};

/// Writes records, in order.
pub(super) struct Scribe {
    record: Box<dyn Record>,
    next: u64,
    /// whether it was said that records are lost
    has_warned: bool,
    /// how many records were let go on file
    flushed: u64,
    /// room for a line, kept from one record to the next
    line: String,
}

impl Scribe {
    pub(super) fn new(record: Box<dyn Record>) -> Self {
        Self { record, next: 0, has_warned: false, flushed: 0, line: String::new() }
    }

    /// Records a line of a wire. `length` is given if only its beginning is left.
    pub(super) fn line(&mut self, now: u64, wire: &str, dir: Direction, line: &[u8], length: Option<usize>) {
        if self.record.is_kept() {
            let length = length.map(|length| length as u64);
            self.write(now, Body::Line(WireLine { length, ..WireLine::new(wire, dir, line) }));
        }
    }

    /// Records an event, which is only made if somebody keeps it.
    pub(super) fn event<'a>(&mut self, now: u64, event: impl FnOnce() -> Event<'a>) {
        if self.record.is_kept() {
            self.write(now, Body::Event(event()));
        }
    }

    fn write(&mut self, now: u64, body: Body<'_>) {
        Entry { seq: self.next, t: now, body }.write_line(&mut self.line);
        let number = self.record.push(now, &self.line);
        debug_assert_eq!(number, self.next, "records are numbered in the order in which they come");
        self.next += 1;
    }

    /// The record that must be on file before anything decided so far may take effect.
    pub(super) const fn last(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// All records with a smaller number are on file, or known to be lost.
    pub(super) fn settled(&self) -> u64 {
        self.record.progress().settled
    }

    /// Ends the record. What was decided by then may take effect, whatever became of it.
    pub(super) fn finish(&mut self, patience: Duration) -> Progress {
        std::mem::replace(&mut self.record, Box::new(NoRecord)).finish(patience)
    }

    /// Whether there are records that nobody has let go on file.
    pub(super) const fn needs_flush(&self) -> bool {
        self.flushed < self.next
    }

    /// Lets everything so far go on file.
    pub(super) fn flush(&mut self) {
        self.flushed = self.next;
        self.record.flush();
    }

    /// How many records were lost and why, the first time that any are: nobody needs to hear it again with every line.
    pub(super) fn first_loss(&mut self) -> Option<(u64, Option<String>)> {
        if self.has_warned {
            return None;
        }
        let lost = self.record.progress().lost;
        self.has_warned = lost > 0;
        self.has_warned.then(|| (lost, self.record.trouble()))
    }
}
