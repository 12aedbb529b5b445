//! A journal that only remembers what was written, until it is compared.
//!
//! Owns the records of the replayed router that the file has not shown yet, oldest first. Ends with the replay.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use crate::journal::Progress;
use crate::ports::Record;

/// What the replayed router records.
#[derive(Debug, Clone, Default)]
pub(super) struct Capture {
    written: Rc<RefCell<Written>>,
}

#[derive(Debug, Default)]
struct Written {
    count: u64,
    records: VecDeque<String>,
    /// room of records that were compared, for the next ones
    spare: Vec<String>,
}

/// As many bytes of room are kept for a record, and for as many records.
const MOST_KEPT: usize = 1 << 20;
const MOST_SPARE: usize = 16;

impl Capture {
    pub(super) fn is_empty(&self) -> bool {
        self.written.borrow().records.is_empty()
    }

    /// Takes the oldest record.
    pub(super) fn pop(&self) -> Option<String> {
        self.written.borrow_mut().records.pop_front()
    }

    /// A record was compared: its room is free.
    pub(super) fn recycle(&self, mut record: String) {
        let mut written = self.written.borrow_mut();
        if record.capacity() <= MOST_KEPT && written.spare.len() < MOST_SPARE {
            record.clear();
            written.spare.push(record);
        }
    }

    /// Forgets all records. Says how many there were.
    pub(super) fn clear(&self) -> usize {
        let mut count = 0;
        while let Some(record) = self.pop() {
            self.recycle(record);
            count += 1;
        }
        count
    }
}

impl Record for Capture {
    fn push(&mut self, _: u64, line: &str) -> u64 {
        let mut written = self.written.borrow_mut();
        let number = written.count;
        written.count += 1;
        let mut record = written.spare.pop().unwrap_or_default();
        record.push_str(line);
        written.records.push_back(record);
        number
    }

    fn flush(&mut self) {}

    fn progress(&self) -> Progress {
        Progress { settled: u64::MAX, lost: 0, released: u64::MAX }
    }

    fn finish(self: Box<Self>, _: Duration) -> Progress {
        self.progress()
    }
}
