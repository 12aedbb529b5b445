//! What a terminal sends, as keys and pasted texts.
//!
//! Owns the meaning of the bytes: bytes in, however they were cut, inputs out. Answers of the terminal, mouse reports and
//! sequences that nobody knows are swallowed whole, in bounded memory; so none of them can be taken for an answer. Reads no
//! terminal and no clock: its owner says when nothing has come for a while. There is nothing to end.

mod decoder;
mod paste;
mod sequence;
#[cfg(test)]
mod tests;

pub(crate) use decoder::{Decoder, Waits};
pub(crate) use paste::LONGEST_PASTE;

/// What a person did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// pressed a key
    Key(Key),
    /// pasted a text; its line ends are `\n`
    Paste(String),
    /// pasted more than is kept; nothing of it was
    PasteTooLong {
        /// how much it was
        bytes: usize,
    },
}

/// A key with what was held down beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key {
    /// which
    pub(crate) code: Code,
    /// with Ctrl; the character is then a small letter
    pub(crate) ctrl: bool,
    /// with Alt
    pub(crate) alt: bool,
    /// with Shift, where that is not already said by the character
    pub(crate) shift: bool,
}

/// The keys there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Code {
    /// a character, also one that nobody sees
    Char(char),
    /// Return, or a line feed
    Enter,
    /// Tab
    Tab,
    /// Tab with Shift
    BackTab,
    /// deletes to the left
    Backspace,
    /// deletes to the right
    Delete,
    /// Insert
    Insert,
    /// to the beginning
    Home,
    /// to the end
    End,
    /// one page up
    PageUp,
    /// one page down
    PageDown,
    /// up
    Up,
    /// down
    Down,
    /// left
    Left,
    /// right
    Right,
    /// Escape alone
    Esc,
    /// a function key
    F(u8),
}

impl Key {
    /// The key alone.
    pub(crate) const fn plain(code: Code) -> Self {
        Self { code, ctrl: false, alt: false, shift: false }
    }

    /// The same with Ctrl.
    pub(crate) const fn ctrl(self) -> Self {
        Self { ctrl: true, ..self }
    }

    /// The same, with Alt if so.
    pub(crate) const fn alt_if(self, alt: bool) -> Self {
        Self { alt: self.alt || alt, ..self }
    }

    /// The same with Shift.
    pub(crate) const fn shift(self) -> Self {
        Self { shift: true, ..self }
    }
}
