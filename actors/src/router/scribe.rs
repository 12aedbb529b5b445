//! The router's hand on the journal: numbers the records and knows how far they are on file.

use std::time::Duration;

use codec::journal::{Body, Direction, Entry, Event, write_wire_line};

use crate::journal::Progress;
use crate::ports::{NoRecord, Record};

/// Writes records, in order.
pub(super) struct Scribe {
    record: Box<dyn Record>,
    next: u64,
    /// whether it was said that records are lost
    has_warned: bool,
    /// whether nothing may take effect whose record is lost
    is_required: bool,
    /// how many records were let go on file
    flushed: u64,
    /// room for a line, kept from one record to the next
    line: String,
    /// what became of the records, when there will be no more
    ended: Option<Progress>,
}

impl Scribe {
    pub(super) fn new(record: Box<dyn Record>) -> Self {
        Self {
            record,
            next: 0,
            has_warned: false,
            is_required: false,
            flushed: 0,
            line: String::new(),
            ended: None,
        }
    }

    /// From now on nothing may take effect whose record is lost.
    pub(super) const fn require(&mut self) {
        self.is_required = true;
    }

    fn lost(&self) -> u64 {
        self.ended.unwrap_or_else(|| self.record.progress()).lost
    }

    /// Whether anybody keeps what is recorded.
    pub(super) fn is_kept(&self) -> bool {
        self.record.is_kept()
    }

    /// Whether pieces of messages that follow as a whole need no record.
    pub(super) fn leaves_out_pieces(&self) -> bool {
        self.record.leaves_out_pieces()
    }

    /// Records a line of a wire. `length` is given if only its beginning is left.
    pub(super) fn line(&mut self, now: u64, wire: &str, dir: Direction, line: &[u8], length: Option<usize>) {
        if self.record.is_kept() {
            let length = length.map(|length| length as u64);
            write_wire_line(&mut self.line, (self.next, now), (wire, dir), line, length);
            self.push(now);
        }
    }

    /// Records an event, which is only made if somebody keeps it.
    pub(super) fn event<'a>(&mut self, now: u64, event: impl FnOnce() -> Event<'a>) {
        if self.record.is_kept() {
            Entry { seq: self.next, t: now, body: Body::Event(event()) }.write_line(&mut self.line);
            self.push(now);
        }
    }

    fn push(&mut self, now: u64) {
        let number = self.record.push(now, &self.line);
        debug_assert_eq!(number, self.next, "records are numbered in the order in which they come");
        self.next += 1;
    }

    /// The record that must be on file before anything decided so far may take effect.
    pub(super) const fn last(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// Nobody need wait for a record with a smaller number: it is on file, or known to be lost, or the disk is too slow.
    /// Nothing if one is lost without which nothing may go on: that is looked at last, because the disk is at work
    /// meanwhile, and what it let go of by then must not be one that it lost.
    pub(super) fn released(&self) -> Option<u64> {
        let released = self.record.progress().released;
        (!self.is_required || self.lost() == 0).then_some(released)
    }

    /// Ends the record, once. What was decided by then may take effect, whatever became of it.
    pub(super) fn finish(&mut self, patience: Duration) -> Progress {
        let record = std::mem::replace(&mut self.record, Box::new(NoRecord));
        *self.ended.get_or_insert_with(|| record.finish(patience))
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
        let lost = self.lost();
        self.has_warned = lost > 0;
        self.has_warned.then(|| (lost, self.record.trouble()))
    }
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    /// A disk that fails between one look at it and the next.
    struct Failing(Cell<bool>);

    impl Record for Failing {
        fn push(&mut self, _: u64, _: &str) -> u64 {
            0
        }

        fn flush(&mut self) {}

        fn progress(&self) -> Progress {
            match self.0.replace(true) {
                false => Progress::default(),
                true => Progress { settled: 1, lost: 1, released: 1 },
            }
        }

        fn finish(self: Box<Self>, _: Duration) -> Progress {
            self.progress()
        }
    }

    #[test]
    fn what_is_lost_between_two_looks_is_let_go_only_if_it_is_not_required() {
        let scribe = || Scribe::new(Box::new(Failing(Cell::new(false))));
        let (free, mut required) = (scribe(), scribe());
        required.require();
        assert_eq!((free.released(), free.released()), (Some(0), Some(1)));
        assert_eq!(
            (required.released(), required.released()),
            (None, None),
            "it fails while it is looked at"
        );
    }
}
