//! The line as rows of the screen.
//!
//! Owns where each character stands and so where the cursor is. What has no glyph is shown as its escape, for a pasted text
//! may hold anything. A text with more rows than there is room shows those around the cursor and says how many it hides.

use std::borrow::Cow;

use codec::text::visible;
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::measure::{Measure, clusters};
use super::super::style::{Row, Span, Style};
use super::super::wrap::Margin;
use super::Editor;

#[cfg(test)]
mod tests;

/// What there is to draw.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Rendered {
    /// the rows, none wider than the screen
    pub(crate) rows: Vec<Row>,
    /// the row and the column of the cursor, both from 0; always on the screen
    pub(crate) cursor: (usize, usize),
    /// how many rows of the text are not among them
    pub(crate) hidden: usize,
}

impl Editor {
    /// The rows of the line behind a prompt, at most so many.
    pub(crate) fn render(&self, prompt: &Row, columns: usize, most_rows: usize) -> Rendered {
        let margin = Margin::hanging(prompt.clone());
        let most = most_rows.max(1);
        let near = Near::the_cursor(self.text.as_str(), self.text.cursor(), margin.room(columns), most);
        let window = Window::around(near.cursor.0, near.total, most);
        let lines =
            (near.above..).zip(&near.rows).skip(window.from - near.above).take(window.to - window.from);
        let rows = lines
            .map(|(number, line)| margin.of(number == 0, columns).and(Span::foreign(Style::PLAIN, line)));
        let hint = |count: usize, side| {
            let is_said = window.says && count > 0;
            is_said.then(|| margin.of(false, columns).and(hidden(count, side)).fit(columns))
        };
        let above = hint(window.from, "above");
        let column = (margin.of(false, columns).width() + near.cursor.1).min(columns.saturating_sub(1));
        let cursor = (near.cursor.0 - window.from + usize::from(above.is_some()), column);
        let below = hint(near.total - window.to, "below");
        let rows = above.into_iter().chain(rows).chain(below).collect();
        Rendered { rows, cursor, hidden: near.total - (window.to - window.from) }
    }
}

/// The rows of the lines around the cursor. Of the others it is enough to know how many there are: a pasted text may have
/// thousands, and all this is done for every key.
struct Near {
    /// how many rows there are before those here
    above: usize,
    rows: Vec<String>,
    /// its row counts from the first of the text
    cursor: (usize, usize),
    /// how many rows there are in all
    total: usize,
}

impl Near {
    /// So many lines before and behind that of the cursor; each is one row at least.
    fn the_cursor(text: &str, cursor: usize, room: usize, lines: usize) -> Self {
        let (before, behind) = text.split_at_checked(cursor).unwrap_or((text, ""));
        let from = before.rmatch_indices('\n').nth(lines).map(|(at, _)| at);
        let to = behind.match_indices('\n').nth(lines).map(|(at, _)| cursor + at);
        let begin = from.map_or(0, |at| at + 1);
        let mut layout = Layout { room, ..Layout::default() };
        layout.lay(text.get(begin..to.unwrap_or(text.len())).unwrap_or_default(), Some(cursor - begin));
        let above = from.and_then(|at| text.get(..at)).map_or(0, |lines| count_rows(lines, room));
        let below = to.and_then(|at| text.get(at + 1..)).map_or(0, |lines| count_rows(lines, room));
        let total = above + layout.rows.len() + below;
        Self { above, rows: layout.rows, cursor: (above + layout.cursor.0, layout.cursor.1), total }
    }
}

fn count_rows(text: &str, room: usize) -> usize {
    let rows = |line: &str| {
        if line.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return line.len().div_ceil(room).max(1);
        }
        let mut layout = Layout { room, ..Layout::default() };
        layout.lay(line, None);
        layout.rows.len()
    };
    text.split('\n').map(rows).sum()
}

fn hidden(count: usize, side: &str) -> Span {
    let rows = if count == 1 { "row" } else { "rows" };
    Span::foreign(Style::DIM, &format!("… {count} {rows} {side}"))
}

/// What stands on the screen for a cluster.
pub(super) fn shown(cluster: &str) -> Cow<'_, str> {
    match cluster.as_bytes() {
        [b' '..=b'~'] => Cow::Borrowed(cluster),
        [b'\t'] => Cow::Borrowed("    "),
        _ => Cow::Owned(Span::foreign(Style::PLAIN, &visible(cluster)).text().to_owned()),
    }
}

#[derive(Default)]
struct Layout {
    room: usize,
    rows: Vec<String>,
    row: String,
    used: usize,
    cursor: (usize, usize),
}

impl Layout {
    fn lay(&mut self, text: &str, cursor: Option<usize>) {
        for (at, cluster) in text.grapheme_indices(true) {
            let shown = shown(cluster);
            if cursor == Some(at) {
                self.put_cursor(clusters(&shown, Measure::Usual).next().map_or(1, |first| first.width));
            }
            if cluster == "\n" {
                self.end_row();
            } else {
                self.put(&shown);
            }
        }
        if cursor.is_some_and(|cursor| cursor >= text.len()) {
            self.put_cursor(1);
        }
        self.end_row();
    }

    /// The cursor needs a column of its own, and stands where the next cluster will.
    fn put_cursor(&mut self, next: usize) {
        if self.used + next.clamp(1, self.room) > self.room {
            self.end_row();
        }
        self.cursor = (self.rows.len(), self.used);
    }

    fn put(&mut self, shown: &str) {
        for cluster in clusters(shown, Measure::Usual) {
            // A screen may be narrower than one character.
            let (text, width) =
                if cluster.width > self.room { ("…", 1) } else { (cluster.text, cluster.width) };
            if self.used + width > self.room {
                self.end_row();
            }
            self.row.push_str(text);
            self.used += width;
        }
    }

    fn end_row(&mut self) {
        self.rows.push(std::mem::take(&mut self.row));
        self.used = 0;
    }
}

/// Which rows of a long text are shown.
struct Window {
    from: usize,
    to: usize,
    /// there is room to say how many are not
    says: bool,
}

impl Window {
    fn around(cursor: usize, rows: usize, most: usize) -> Self {
        if rows <= most {
            return Self { from: 0, to: rows, says: false };
        }
        let says = most >= 3;
        let room = if says { most - 2 } else { most };
        let from = (cursor + 1).saturating_sub(room).min(rows - room);
        let (from, to) = match from {
            0 if says => (0, most - 1),
            _ if says && from + room >= rows => (rows - (most - 1), rows),
            _ => (from, from + room),
        };
        Self { from, to, says }
    }
}
