//! The title of the window: how many questions wait.
//!
//! Owns what the title is now. Says only words of its own, never foreign ones. Ends with [`Title::leave`]: the terminal
//! has kept the title that was there before, and takes it back.

/// What the title is, and what it should be.
#[derive(Debug, Clone)]
pub(super) struct Title {
    is_wanted: bool,
    waiting: usize,
    /// between entering and leaving: the number that is in the title, once one was written
    written: Option<Option<usize>>,
}

/// Keeps the title of the window, not that of its icon.
const KEEP: &str = "\x1b[22;2t";
/// A terminal that keeps no titles has an empty one then, instead of one that says that tim waits.
const RESTORE: &str = "\x1b]2;\x1b\\\x1b[23;2t";

impl Title {
    pub(super) const fn new(is_wanted: bool) -> Self {
        Self { is_wanted, waiting: 0, written: None }
    }

    pub(super) const fn waiting(&mut self, count: usize) {
        self.waiting = count;
    }

    /// Nothing if it was entered already: a title that is kept twice would come back as ours.
    pub(super) const fn enter(&mut self) -> &'static str {
        if !self.is_wanted || self.written.is_some() {
            return "";
        }
        self.written = Some(None);
        KEEP
    }

    pub(super) const fn leave(&mut self) -> &'static str {
        if self.written.take().is_some() { RESTORE } else { "" }
    }

    /// The bytes of the title, if it is not there already. Before the person's own is kept there are none.
    pub(super) fn change(&mut self) -> Option<String> {
        let written = self.written.as_mut()?;
        if written.replace(self.waiting) == Some(self.waiting) {
            return None;
        }
        Some(match self.waiting {
            0 => "\x1b]2;tim\x1b\\".to_owned(),
            count => format!("\x1b]2;● tim: {count} waiting\x1b\\"),
        })
    }
}
