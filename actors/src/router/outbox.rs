//! What waits for its record: nothing leaves before the decision behind it is on file.

use std::collections::VecDeque;

/// Things to send, each with the number of the record that must be on file first. In order: what waits holds up what
/// came after it, so that nobody hears of a later decision before an earlier one.
#[derive(Debug)]
pub(crate) struct Outbox<T> {
    waiting: VecDeque<(u64, T)>,
    /// nothing leaves any more
    is_sealed: bool,
}

impl<T> Default for Outbox<T> {
    fn default() -> Self {
        Self { waiting: VecDeque::new(), is_sealed: false }
    }
}

impl<T> Outbox<T> {
    /// Keeps something until that record is on file. Once it is sealed that never comes.
    pub(crate) fn hold(&mut self, record: u64, thing: T) {
        if !self.is_sealed {
            self.waiting.push_back((record, thing));
        }
    }

    /// Nothing leaves any more: what waits is dropped, and so is what would from now on.
    pub(crate) fn seal(&mut self) {
        self.is_sealed = true;
        self.waiting.clear();
    }

    /// Whether nothing waits.
    pub(crate) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// The next thing that may go, if nobody need wait for records below `released`.
    pub(crate) fn next(&mut self, released: u64) -> Option<T> {
        let (record, _) = self.waiting.front()?;
        if *record < released { self.waiting.pop_front().map(|(_, thing)| thing) } else { None }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn things_go_in_order_and_not_before_their_record() {
        let mut outbox = Outbox::default();
        outbox.hold(3, "a");
        outbox.hold(3, "b");
        outbox.hold(5, "c");
        assert_eq!(outbox.next(3), None, "record 3 itself is not yet on file");
        assert_eq!((outbox.next(4), outbox.next(4), outbox.next(4)), (Some("a"), Some("b"), None));
        assert_eq!((outbox.next(u64::MAX), outbox.next(u64::MAX)), (Some("c"), None));
    }

    #[test]
    fn nothing_leaves_what_is_sealed() {
        let mut outbox = Outbox::default();
        outbox.hold(3, "a");
        outbox.seal();
        outbox.hold(4, "b");
        assert!(outbox.is_empty());
        assert_eq!(outbox.next(u64::MAX), None);
    }
}
