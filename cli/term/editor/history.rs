//! The lines that were sent, to be taken up again.
//!
//! Owns the walk through them: every line that was changed on the way, and the draft at its end, is there when the walk
//! comes back. Bounded in lines and in bytes; the oldest go first. Nothing of it is kept when the program ends.

use std::collections::{BTreeMap, VecDeque};

/// How many lines are kept.
pub(super) const MOST_LINES: usize = 1000;
/// How many bytes.
const MOST_BYTES: usize = 4 * 1024 * 1024;

/// What was sent.
#[derive(Debug, Default)]
pub(super) struct History {
    lines: VecDeque<String>,
    bytes: usize,
    /// how far the walk has gone back, if there is one
    back: usize,
    /// what was left behind on the walk, by how far back it is; the draft is at 0
    changed: BTreeMap<usize, String>,
}

impl History {
    /// A line was sent.
    pub(super) fn add(&mut self, line: &str) {
        self.leave();
        if self.lines.back().is_some_and(|last| last == line) {
            return;
        }
        self.bytes += line.len();
        self.lines.push_back(line.to_owned());
        while self.lines.len() > MOST_LINES || self.bytes > MOST_BYTES {
            self.bytes -= self.lines.pop_front().map_or(0, |oldest| oldest.len());
        }
    }

    /// The walk is over.
    pub(super) fn leave(&mut self) {
        self.back = 0;
        self.changed.clear();
    }

    /// The line before this one.
    pub(super) fn older(&mut self, now: &str) -> Option<String> {
        if self.back >= self.lines.len() {
            return None;
        }
        Some(self.walk(now, self.back + 1))
    }

    /// The line after this one; at last the draft.
    pub(super) fn newer(&mut self, now: &str) -> Option<String> {
        let back = self.back.checked_sub(1)?;
        Some(self.walk(now, back))
    }

    fn walk(&mut self, now: &str, back: usize) -> String {
        if self.sent(self.back) == Some(now) {
            self.changed.remove(&self.back);
        } else {
            self.changed.insert(self.back, now.to_owned());
        }
        self.back = back;
        let changed = self.changed.get(&back).cloned();
        changed.or_else(|| self.sent(back).map(str::to_owned)).unwrap_or_default()
    }

    fn sent(&self, back: usize) -> Option<&str> {
        let place = self.lines.len().checked_sub(back)?;
        self.lines.get(place).map(String::as_str)
    }
}
