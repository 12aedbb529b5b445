//! What an agent said behind a question by which it paused itself. Pure.
//!
//! Owns those lines, up to a bound: a line that is longer than that is still one. Understands none of them.

use std::collections::VecDeque;

use codec::frame::Frame;

/// So much is kept of what an agent says while it waits for an answer; then it is read no further.
const MOST_HELD: usize = 8 << 20;

/// The lines that wait.
#[derive(Debug, Default)]
pub(super) struct Held {
    frames: VecDeque<Frame>,
    bytes: usize,
}

impl Held {
    /// One more line.
    pub(super) fn push(&mut self, frame: Frame) {
        self.bytes = self.bytes.saturating_add(size(&frame));
        self.frames.push_back(frame);
    }

    /// Whether no more may be read.
    pub(super) const fn is_full(&self) -> bool {
        self.bytes >= MOST_HELD
    }

    pub(super) fn is_empty(&self) -> bool {
        self.frames.is_empty()
    }

    /// The oldest line.
    pub(super) fn pop(&mut self) -> Option<Frame> {
        let frame = self.frames.pop_front()?;
        self.bytes = self.bytes.saturating_sub(size(&frame));
        Some(frame)
    }
}

/// What a line takes of our memory.
pub(super) fn size(frame: &Frame) -> usize {
    let bytes = match frame {
        Frame::Line(line) => line.len(),
        Frame::Oversized(over) => over.head.len(),
        Frame::Torn { .. } => 0,
    };
    bytes.saturating_add(std::mem::size_of::<Frame>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use bytes::Bytes;

    #[test]
    fn lines_wait_in_order_until_so_much_is_kept_that_reading_rests() {
        let mut held = Held::default();
        let line = |text: String| Frame::Line(Bytes::from(text));
        held.push(line("a".to_owned()));
        held.push(line("x".repeat(MOST_HELD / 2)));
        assert!(!held.is_full());
        held.push(line("x".repeat(MOST_HELD / 2)));
        assert!(held.is_full());
        assert!(matches!(held.pop(), Some(Frame::Line(first)) if first == "a"));
        assert!(held.pop().is_some() && !held.is_full() && !held.is_empty());
        assert!(held.pop().is_some() && held.pop().is_none() && held.is_empty());
    }

    #[test]
    fn many_empty_lines_count_for_the_place_that_they_take() {
        let mut held = Held::default();
        let mut count = 0;
        while !held.is_full() {
            held.push(Frame::Torn { length: 0 });
            count += 1;
        }
        assert!(count <= MOST_HELD / std::mem::size_of::<Frame>() + 1);
    }
}
