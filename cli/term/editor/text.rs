//! A text and a place in it.
//!
//! Owns that the place is always between two clusters. Knows lines and words; knows no keys.

use unicode_segmentation::{GraphemeCursor, UnicodeSegmentation as _};

use super::super::measure::width;
use super::render::shown;

/// The text with its cursor.
#[derive(Debug, Default)]
pub(super) struct Text {
    text: String,
    /// in bytes
    cursor: usize,
}

impl Text {
    pub(super) fn as_str(&self) -> &str {
        &self.text
    }

    pub(super) const fn cursor(&self) -> usize {
        self.cursor
    }

    /// Gives the text away; then there is none.
    pub(super) fn take(&mut self) -> String {
        self.cursor = 0;
        std::mem::take(&mut self.text)
    }

    pub(super) fn insert(&mut self, text: &str) {
        self.text.insert_str(self.cursor, text);
        self.go_to(self.cursor + text.len());
    }

    /// Goes there, or behind the cluster in which that is.
    pub(super) fn go_to(&mut self, place: usize) {
        let mut clusters = GraphemeCursor::new(place.min(self.text.len()), self.text.len(), true);
        self.cursor = match clusters.is_boundary(&self.text, 0) {
            Ok(true) => clusters.cur_cursor(),
            _ => clusters.next_boundary(&self.text, 0).ok().flatten().unwrap_or(self.text.len()),
        };
    }

    /// Removes what is between the cursor and there.
    pub(super) fn remove_to(&mut self, place: usize) -> String {
        let (from, to) = (place.min(self.cursor), place.max(self.cursor));
        let removed = self.text.get(from..to).unwrap_or_default().to_owned();
        if !removed.is_empty() {
            self.text.replace_range(from..to, "");
        }
        self.go_to(from);
        removed
    }

    fn before(&self) -> &str {
        self.text.get(..self.cursor).unwrap_or_default()
    }

    fn after(&self) -> &str {
        self.text.get(self.cursor..).unwrap_or_default()
    }

    pub(super) fn left(&self) -> usize {
        self.cursor - self.before().graphemes(true).next_back().map_or(0, str::len)
    }

    pub(super) fn right(&self) -> usize {
        self.cursor + self.after().graphemes(true).next().map_or(0, str::len)
    }

    pub(super) fn line_begin(&self) -> usize {
        self.before().rfind('\n').map_or(0, |at| at + 1)
    }

    pub(super) fn line_end(&self) -> usize {
        self.after().find('\n').map_or(self.text.len(), |at| self.cursor + at)
    }

    /// The end of the line; from there, the beginning of the next.
    pub(super) fn line_end_or_over_it(&self) -> usize {
        if self.line_end() == self.cursor { self.right() } else { self.line_end() }
    }

    /// Back over what is no word, then over the word.
    pub(super) fn begin_of_word(&self) -> usize {
        self.cursor - length_of_word(self.before().graphemes(true).rev(), is_word)
    }

    /// The same for words between blanks.
    pub(super) fn begin_of_blanks_word(&self) -> usize {
        self.cursor - length_of_word(self.before().graphemes(true).rev(), |cluster| !is_blank(cluster))
    }

    pub(super) fn end_of_word(&self) -> usize {
        self.cursor + length_of_word(self.after().graphemes(true), is_word)
    }

    /// The place one line above, in the wanted column or else in this one, and which column that is.
    pub(super) fn line_above(&self, goal: Option<usize>) -> Option<(usize, usize)> {
        let end = self.line_begin().checked_sub(1)?;
        let begin = self.text.get(..end)?.rfind('\n').map_or(0, |at| at + 1);
        Some(self.in_line(begin, end, goal))
    }

    /// The same one line below.
    pub(super) fn line_below(&self, goal: Option<usize>) -> Option<(usize, usize)> {
        let begin = self.line_end() + 1;
        let end = self.text.get(begin..)?.find('\n').map_or(self.text.len(), |at| begin + at);
        Some(self.in_line(begin, end, goal))
    }

    fn in_line(&self, begin: usize, end: usize, goal: Option<usize>) -> (usize, usize) {
        let here = self.text.get(self.line_begin()..self.cursor).unwrap_or_default();
        let goal = goal.unwrap_or_else(|| here.graphemes(true).map(|cluster| width(&shown(cluster))).sum());
        let (mut place, mut column) = (begin, 0);
        for cluster in self.text.get(begin..end).unwrap_or_default().graphemes(true) {
            column += width(&shown(cluster));
            if column > goal {
                break;
            }
            place += cluster.len();
        }
        (place, goal)
    }
}

/// How many bytes it is over what is no word, and then over the word.
fn length_of_word<'t>(clusters: impl Iterator<Item = &'t str>, belongs: impl Fn(&str) -> bool) -> usize {
    let (mut length, mut is_inside) = (0, false);
    for cluster in clusters {
        let is_word = belongs(cluster);
        if is_inside && !is_word {
            break;
        }
        is_inside |= is_word;
        length += cluster.len();
    }
    length
}

fn is_word(cluster: &str) -> bool {
    cluster.chars().next().is_some_and(char::is_alphanumeric)
}

fn is_blank(cluster: &str) -> bool {
    cluster.chars().all(char::is_whitespace)
}
