//! A journal that only remembers what was written since it was last asked.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::journal::Progress;
use crate::ports::Record;

/// What the replayed router records.
#[derive(Debug, Clone, Default)]
pub(super) struct Capture {
    written: Rc<RefCell<(u64, Vec<String>)>>,
}

impl Capture {
    /// What was recorded since.
    pub(super) fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.written.borrow_mut().1)
    }
}

impl Record for Capture {
    fn push(&mut self, _: u64, line: &str) -> u64 {
        let mut written = self.written.borrow_mut();
        let number = written.0;
        written.0 += 1;
        written.1.push(line.to_owned());
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
