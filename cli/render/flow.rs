//! What an agent says, piece by piece or as a whole: without the line ends around it.
//!
//! Owns which line ends belong to a text that is still being written. A text in pieces ends with [`Flow::ends`]; then the
//! next one may begin. Keeps nothing but those line ends, and shows nothing.

use super::page::Page;
use super::prose::Prose;
use super::{Block, Kind};
use crate::term::style::Style;

/// So many empty rows nobody wants to see.
const MOST_HELD: usize = 32;

/// A text that comes in pieces.
#[derive(Debug, Default)]
pub(super) struct Flow {
    /// line ends that belong to it only if something follows
    held: String,
    has_begun: bool,
}

impl Flow {
    /// More of it came: what is to be told now.
    pub(super) fn more(&mut self, more: &str) -> Option<String> {
        // Most pieces: nothing waits in front of them, and no line end of theirs has to.
        if self.has_begun && self.held.is_empty() && !more.is_empty() && !more.ends_with('\n') {
            return Some(more.to_owned());
        }
        let mut all = std::mem::take(&mut self.held) + more;
        if !self.has_begun {
            all.drain(..all.len() - all.trim_start_matches('\n').len());
        }
        self.held = all.split_off(all.trim_end_matches('\n').len());
        self.held.truncate(MOST_HELD);
        self.has_begun |= !all.is_empty();
        (!all.is_empty()).then_some(all)
    }

    /// No more comes. Whether something of it was told.
    pub(super) fn ends(&mut self) -> bool {
        std::mem::take(self).has_begun
    }
}

/// A text that is there as a whole, if it says anything.
pub(super) fn talk(text: &str) -> Option<Block> {
    let text = text.trim_matches('\n');
    let page = || Page::of(Kind::Talk).text(Prose::at(2, Style::PLAIN, text));
    (!text.trim().is_empty()).then(|| page().into())
}
