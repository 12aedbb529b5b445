//! A pasted text on its way in, between its two marks.
//!
//! Owns the bytes until the end mark and the bound on them: what is too long is counted and not kept, for half a text must
//! not look like the whole. Ends with the mark, or when its owner gives it up.

use super::Input;

/// How many bytes of one paste are kept.
pub(crate) const LONGEST_PASTE: usize = 1024 * 1024;

const END: &[u8] = b"\x1b[201~";

/// A paste that has begun.
#[derive(Debug, Default)]
pub(super) struct Paste {
    kept: Vec<u8>,
    /// how many have come, kept or not
    bytes: usize,
    /// how many bytes of the end mark have come; they are part of the text if the mark does not go on
    matched: usize,
}

impl Paste {
    /// Takes a byte; true when the paste is over.
    pub(super) fn take(&mut self, byte: u8) -> bool {
        if END.get(self.matched) == Some(&byte) {
            self.matched += 1;
            return self.matched == END.len();
        }
        self.keep_matched();
        if END.first() == Some(&byte) {
            self.matched = 1;
        } else {
            self.keep(byte);
        }
        false
    }

    /// The text, or that it was too long.
    pub(super) fn finish(mut self) -> Input {
        if self.matched < END.len() {
            self.keep_matched();
        }
        if self.bytes > LONGEST_PASTE {
            return Input::PasteTooLong { bytes: self.bytes };
        }
        let text = String::from_utf8_lossy(&self.kept);
        Input::Paste(text.replace("\r\n", "\n").replace('\r', "\n"))
    }

    fn keep_matched(&mut self) {
        for byte in END.iter().take(std::mem::take(&mut self.matched)) {
            self.keep(*byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        self.bytes = self.bytes.saturating_add(1);
        if self.bytes <= LONGEST_PASTE {
            self.kept.push(byte);
        } else if !self.kept.is_empty() {
            self.kept = Vec::new();
        }
    }

    #[cfg(test)]
    pub(super) fn capacity(&self) -> usize {
        self.kept.capacity()
    }
}
