//! A turn of a stream agent: what it says, and how it ends.
//!
//! Owns the text of the turn that goes on and of the last one that is over. A turn ends when the agent says so, when
//! somebody says no to what it asks, or with its process. Tells nothing.

use super::kept::Kept;

/// The turn that goes on, and what the last one left.
#[derive(Debug, Default)]
pub(super) struct Turn {
    text: Kept,
    last: Option<String>,
    was_rejected: bool,
    has_told_error: bool,
    /// the last one failed, and nobody was told why
    has_trouble: bool,
}

impl Turn {
    /// The next one begins: why the last one failed, if nobody was told.
    pub(super) fn begins(&mut self) -> Option<&'static str> {
        self.text = Kept::default();
        (self.was_rejected, self.has_told_error) = (false, false);
        std::mem::take(&mut self.has_trouble).then_some("the agent does not say why")
    }

    pub(super) fn says(&mut self, text: &str) {
        self.text.push(text);
    }

    /// What is said next stands in a line of its own.
    pub(super) fn falls_silent(&mut self) {
        self.text.breaks();
    }

    pub(super) fn error_is_told(&mut self) {
        self.has_told_error = true;
    }

    /// Somebody said no to what it asks.
    pub(super) fn is_rejected(&mut self) {
        self.last = Some(std::mem::take(&mut self.text).read());
        self.was_rejected = true;
    }

    /// The person wants no more of it: if it fails, they know why.
    pub(super) const fn is_broken_off(&mut self) {
        self.was_rejected = true;
    }

    pub(super) fn ends(&mut self, is_ok: bool) {
        self.last = Some(std::mem::take(&mut self.text).read());
        self.has_trouble = !is_ok && !self.has_told_error && !self.was_rejected;
    }

    pub(super) fn has_text(&self) -> bool {
        !self.text.is_empty()
    }

    pub(super) const fn was_rejected(&self) -> bool {
        self.was_rejected
    }

    /// The text of the last one that is over.
    pub(super) fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.text.bytes() + self.last.as_ref().map_or(0, String::capacity)
    }
}
