//! The characters of a command line, and how far they were read.
//!
//! Owns the position. Knows blanks, comments and joined lines, no words. Reading past the end gives nothing.

use codec::text::visible;

/// A text that is read from the front.
pub(super) struct Text {
    letters: Vec<char>,
    at: usize,
}

impl Text {
    pub(super) fn new(text: &str) -> Self {
        // A text that is too long is refused by its length; one character more than that is enough to know.
        Self { letters: text.chars().take(super::LONGEST + 1).collect(), at: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.letters.len()
    }

    pub(super) const fn at(&self) -> usize {
        self.at
    }

    pub(super) fn peek(&self) -> Option<char> {
        self.peek_at(0)
    }

    pub(super) fn peek_at(&self, further: usize) -> Option<char> {
        self.letters.get(self.at + further).copied()
    }

    pub(super) fn next(&mut self) -> Option<char> {
        let letter = self.peek()?;
        self.at += 1;
        Some(letter)
    }

    pub(super) fn advance(&mut self, letters: usize) {
        self.at = (self.at + letters).min(self.letters.len());
    }

    /// Reads on from an earlier place.
    pub(super) fn back_to(&mut self, at: usize) {
        self.at = at.min(self.at);
    }

    /// The last character cannot be understood: the place is before it.
    pub(super) fn refuse_last(&mut self, why: super::Reason) -> super::Reason {
        self.back_to(self.at.saturating_sub(1));
        why
    }

    pub(super) fn starts_with(&self, start: &str) -> bool {
        let rest = self.letters.get(self.at..).unwrap_or_default();
        start.chars().count() <= rest.len() && start.chars().zip(rest).all(|(one, other)| one == *other)
    }

    /// Takes this start away, if it is there.
    pub(super) fn takes(&mut self, start: &str) -> bool {
        let is_there = self.starts_with(start);
        if is_there {
            self.advance(start.chars().count());
        }
        is_there
    }

    /// The character at a place.
    pub(super) fn letter(&self, at: usize) -> Option<char> {
        self.letters.get(at).copied()
    }

    /// Where a quote that begins before a place ends. In double quotes a character can be escaped.
    pub(super) fn closing(&self, mut at: usize, quote: char) -> Option<usize> {
        loop {
            match self.letter(at)? {
                letter if letter == quote => return Some(at),
                '\\' if quote != '\'' => at += 2,
                _ => at += 1,
            }
        }
    }

    /// The text between two places, without blanks around it.
    pub(super) fn between(&self, start: usize, end: usize) -> String {
        let letters: String = self.letters.get(start..end).unwrap_or_default().iter().collect();
        letters.trim().to_owned()
    }

    /// Blanks, tabs, and a line end behind a backslash, which joins the lines.
    pub(super) fn skip_blanks(&mut self) {
        while self.takes(" ") || self.takes("\t") || self.takes("\\\n") {}
    }

    /// Everything up to the end of the line.
    pub(super) fn skip_comment(&mut self) {
        while self.peek().is_some_and(|letter| letter != '\n') {
            self.at += 1;
        }
    }

    /// Whether a word ends here.
    pub(super) fn is_at_word_end(&self) -> bool {
        self.peek().is_none_or(|letter| matches!(letter, ' ' | '\t' | '\n' | ';' | '&' | '|'))
    }
}

/// Whether a person sees all of it: line ends and tabs aside there is nothing that a screen would not show.
pub(super) fn is_all_visible(text: &str) -> bool {
    let printable = |byte: u8| matches!(byte, b' '..=b'~' | b'\n' | b'\t');
    text.bytes().all(printable) || text.split(['\n', '\t']).all(|piece| visible(piece) == piece)
}
