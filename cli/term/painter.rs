//! From one picture of the screen to the next: which bytes to write.
//!
//! Owns what the live region looks like now: its rows and where in it the cursor is. Rows above it belong to the history;
//! once written they are never touched again. Asks the terminal nothing, writes nothing itself and keeps no more than
//! one picture. Ends with [`Painter::leave`], after which the terminal is as it was but for the history.

#[cfg(test)]
mod emulated;
mod reflow;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;

use super::style::{Ink, Row, paint, paint_into};
use super::wrap::{Breaks, Margin, fold};

/// What a terminal does with rows that are wider than it has become.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reflow {
    /// breaks them into several, as nearly all do
    Breaks,
    /// cuts them, as xterm and the Linux console do
    Cuts,
}

/// The part of the screen that is drawn again and again.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Live {
    /// its rows
    pub(crate) rows: Vec<Row>,
    /// the row and the column of the cursor, both from 0
    pub(crate) cursor: (usize, usize),
}

/// Composes frames.
#[derive(Debug)]
pub(crate) struct Painter {
    columns: usize,
    height: usize,
    ink: Ink,
    reflow: Reflow,
    drawn: Live,
    /// how many rows the cursor is below the first row that was drawn
    depth: usize,
    /// what was drawn cannot be relied upon
    is_stale: bool,
}

/// The terminal shows nothing until all of a frame is there, and no cursor that runs about. It wraps nothing either: where it
/// thinks a character wider than we do, a row must not go on in the columns that are ours, nor push another off the screen.
const BEGIN: &str = "\x1b[?2026h\x1b[?25l\x1b[?7l";
const END: &str = "\x1b[?7h\x1b[?25h\x1b[?2026l";
/// The row of the cursor.
const ERASE_ROW: &str = "\r\x1b[K";
/// The rows below it, then the row itself. From the first row of a screen nothing is ever erased to its end: tmux takes that
/// for a wish to keep what was there and puts it into the history.
const ERASE_ROWS: &str = "\r\x1b7\x1b[1B\x1b[J\x1b8\x1b[K";
const BRACKETED_PASTE: &str = "\x1b[?2004h";
/// Plain text that wraps, a cursor that is seen, no frame half shown, no bracketed paste; whatever was before.
const RESTORE: &str = "\x1b[0m\x1b[?7h\x1b[?25h\x1b[?2026l\x1b[?2004l";

impl Painter {
    /// For a terminal of that size. Its cursor stands in the first column.
    pub(crate) fn new(columns: usize, height: usize, ink: Ink, reflow: Reflow) -> Self {
        let (columns, height) = (columns.max(1), height.max(1));
        Self { columns, height, ink, reflow, drawn: Live::default(), depth: 0, is_stale: false }
    }

    /// To be written before the first frame, and again after [`Painter::leave`].
    pub(crate) const fn enter() -> &'static str {
        BRACKETED_PASTE
    }

    /// To be written where the program breaks off and nobody knows what is on the screen.
    pub(crate) const fn rescue() -> &'static str {
        RESTORE
    }

    /// The terminal has another size now. The next frame makes good what that did.
    pub(crate) fn resized(&mut self, columns: usize, height: usize) {
        (self.columns, self.height) = (columns.max(1), height.max(1));
        if self.reflow == Reflow::Breaks {
            self.depth = reflow::depth(&self.drawn, self.columns);
        }
        self.is_stale = true;
    }

    /// Draw everything anew the next time.
    pub(crate) const fn redraw(&mut self) {
        self.is_stale = true;
    }

    /// Something else wrote since: what was drawn is out of reach, and the cursor is in the first column of a new row.
    pub(crate) fn forget(&mut self) {
        (self.drawn, self.depth, self.is_stale) = (Live::default(), 0, true);
    }

    /// The bytes of the next frame: rows that go into the history for good, then the live region. None if nothing changes.
    pub(crate) fn frame(&mut self, above: &[Row], live: &Live) -> String {
        let live = self.fitted(live);
        if above.is_empty() && !self.is_stale && live == self.drawn {
            return String::new();
        }
        let mut bytes = BEGIN.to_owned();
        let same = if above.is_empty() && !self.is_stale { self.unchanged(&live.rows) } else { 0 };
        self.erase_from(same, &live, &mut bytes);
        for row in above {
            self.paint_above(row, &mut bytes);
        }
        let rows: Vec<String> = live.rows.iter().skip(same).map(|row| paint(row, self.ink)).collect();
        bytes.push_str(&rows.join("\r\n"));
        place_cursor(self.row_after(same, live.rows.len()), live.cursor, &mut bytes);
        bytes.push_str(END);
        (self.depth, self.drawn, self.is_stale) = (live.cursor.0, live, false);
        bytes
    }

    /// To be written at the end, or before something else gets the terminal: the live region is gone, and the cursor is
    /// where its first row was.
    pub(crate) fn leave(&mut self) -> String {
        let mut bytes = String::new();
        up(self.depth, &mut bytes);
        bytes.push_str(ERASE_ROWS);
        bytes.push_str(RESTORE);
        (self.drawn, self.depth, self.is_stale) = (Live::default(), 0, false);
        bytes
    }

    /// The live region as it fits on the screen: no row too wide, the cursor on it, and one row left for the history.
    fn fitted(&self, live: &Live) -> Live {
        let most = self.height.saturating_sub(1).max(1);
        let last = live.rows.len().saturating_sub(1);
        let cursor = (live.cursor.0.min(last), live.cursor.1.min(self.columns - 1));
        let from = live.rows.len().saturating_sub(most).min(cursor.0);
        let rows = live.rows.iter().skip(from).take(most).map(|row| row.fit(self.columns)).collect();
        Live { rows, cursor: (cursor.0 - from, cursor.1) }
    }

    fn paint_above(&self, row: &Row, bytes: &mut String) {
        let rows = if row.width() <= self.columns { Vec::new() } else { self.folded(row) };
        for row in if rows.is_empty() { std::slice::from_ref(row) } else { &rows } {
            paint_into(row, self.ink, bytes);
            bytes.push_str("\r\n");
        }
    }

    /// A row of the history that is too wide goes on below itself, off the columns that are ours.
    fn folded(&self, row: &Row) -> Vec<Row> {
        if row.width() <= self.columns {
            return vec![row.clone()];
        }
        let margin = Margin { first: Row::default(), rest: Row::default() };
        let mut rows = fold(row, &margin, self.columns, Breaks::Edge);
        let Some(first) = (!rows.is_empty()).then(|| rows.remove(0)) else { return rows };
        let rest = rows.into_iter().fold(Row::default(), |rest, row| rest.then(&row));
        std::iter::once(first).chain(fold(&rest, &Margin::blank(2), self.columns, Breaks::Edge)).collect()
    }

    /// How many rows from the top on are as they should be.
    fn unchanged(&self, rows: &[Row]) -> usize {
        self.drawn.rows.iter().zip(rows).take_while(|(drawn, row)| drawn == row).count()
    }

    /// Goes to where the first row that changes belongs, and erases what is there and below.
    fn erase_from(&self, same: usize, live: &Live, bytes: &mut String) {
        let drawn = self.drawn.rows.len();
        if same == drawn && same == live.rows.len() {
            return;
        }
        if same > 0 && same == drawn {
            down((drawn - 1).saturating_sub(self.depth), bytes);
            bytes.push_str("\r\n");
            return;
        }
        up(self.depth.saturating_sub(same), bytes);
        down(same.saturating_sub(self.depth), bytes);
        let is_one_row = drawn <= same + 1 && !self.is_stale;
        bytes.push_str(if is_one_row { ERASE_ROW } else { ERASE_ROWS });
    }

    /// In which row of the live region the cursor is when all rows but the first few have been written.
    const fn row_after(&self, same: usize, rows: usize) -> usize {
        if same < rows {
            rows - 1
        } else if same == self.drawn.rows.len() {
            self.depth
        } else {
            same
        }
    }
}

/// From that row of the live region to where the cursor belongs.
fn place_cursor(at: usize, (row, column): (usize, usize), bytes: &mut String) {
    up(at.saturating_sub(row), bytes);
    down(row.saturating_sub(at), bytes);
    // Also ends the wrap that is pending when a row goes to the edge.
    bytes.push('\r');
    forward(column, bytes);
}

fn up(rows: usize, bytes: &mut String) {
    go(rows, 'A', bytes);
}

fn down(rows: usize, bytes: &mut String) {
    go(rows, 'B', bytes);
}

fn forward(columns: usize, bytes: &mut String) {
    go(columns, 'C', bytes);
}

/// To go no step at all would be to go one.
fn go(steps: usize, whither: char, bytes: &mut String) {
    if steps > 0 {
        let written = write!(bytes, "\x1b[{steps}{whither}");
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }
}
