//! A text that somebody decides about: shown whole, or cut with the cut said, and then read page by page.
//!
//! Owns whether all of it has been on the screen. A text that was never drawn has not been seen; so a yes to it is
//! impossible.

use super::super::keys::{Code, Key};
use super::super::style::{Colour, Row, Span, Style};
use super::Effect;
use super::draw::{Binding, Room};
use super::widget::pressed;

/// Said to a yes that comes too early.
pub(super) const LOOK_FIRST: &str = "Not all of it was on the screen: v shows it";

/// The text as rows of one width, and what was seen of it.
#[derive(Debug, Default)]
pub(super) struct Reader {
    rows: Vec<Row>,
    /// how many characters each of them has, margins and marks aside
    letters: Vec<usize>,
    /// the width and the number of the text that the rows are for
    drawn_for: Option<(usize, usize)>,
    /// whether a part was hidden when it was drawn last
    is_cut: bool,
    /// whether all of it was on the screen
    is_seen: bool,
    /// the first row on the page, while it is read
    at: Option<usize>,
    /// how many rows the page had
    page: usize,
    /// how many rows from the top were seen in a row
    seen: usize,
}

impl Reader {
    /// Takes the text anew if it is another, or the width is.
    pub(super) fn show(&mut self, columns: usize, number: usize, text: impl FnOnce(usize) -> Vec<Row>) {
        if self.drawn_for == Some((columns, number)) {
            return;
        }
        let is_same = self.drawn_for.is_some_and(|(_, before)| before == number);
        let is_seen = is_same && self.is_seen;
        let at = self.at.filter(|_| is_same).map(|_| 0);
        let rows = text(columns);
        let letters =
            rows.iter().map(|row| row.text().trim_start_matches([' ', '↪']).chars().count()).collect();
        let drawn_for = Some((columns, number));
        *self = Self { rows, letters, drawn_for, is_seen, at, ..Self::default() };
    }

    pub(super) const fn is_open(&self) -> bool {
        self.at.is_some()
    }

    pub(super) const fn is_cut(&self) -> bool {
        self.is_cut
    }

    pub(super) const fn is_seen(&self) -> bool {
        self.is_seen
    }

    pub(super) fn height(&self) -> usize {
        self.rows.len()
    }

    pub(super) fn open(&mut self) -> Effect {
        self.at = Some(0);
        Effect::Redraw
    }

    /// Leaves the pages; says whether it was there.
    pub(super) fn close(&mut self) -> bool {
        self.at.take().is_some()
    }

    /// Takes a key while the text is read.
    pub(super) fn key(&mut self, key: Key) -> Effect {
        let (Some(at), page) = (self.at, self.page.max(1)) else { return Effect::Nothing };
        let at = match pressed(key) {
            Some(Code::Char('q') | Code::Esc) => {
                self.close();
                return Effect::Redraw;
            }
            Some(Code::Down) => at + 1,
            Some(Code::Char(' ') | Code::PageDown) => at + page,
            Some(Code::Up) => at.saturating_sub(1),
            Some(Code::PageUp) => at.saturating_sub(page),
            _ => return Effect::hint("Space and ↓ go on, q goes back"),
        };
        self.at = Some(at.min(self.rows.len().saturating_sub(page)));
        Effect::Redraw
    }

    /// The keys while it is read.
    pub(super) fn bindings() -> Vec<Binding> {
        vec![Binding::new("space", "next page"), Binding::new("↓ ↑", "by rows"), Binding::new("q", "back")]
    }

    /// The rows for so much room, and what was seen with them.
    pub(super) fn draw(&mut self, room: Room) -> Vec<Row> {
        match self.at {
            Some(at) => self.draw_page(at, room),
            None => self.draw_ends(room),
        }
    }

    fn draw_page(&mut self, at: usize, room: Room) -> Vec<Row> {
        self.page = room.height.saturating_sub(1);
        let at = at.min(self.rows.len().saturating_sub(self.page));
        self.at = Some(at);
        let end = (at + self.page).min(self.rows.len());
        // What was jumped over was not seen.
        if at <= self.seen {
            self.seen = self.seen.max(end);
        }
        self.is_seen |= self.seen == self.rows.len();
        let mut rows: Vec<_> = self.rows.iter().skip(at).take(self.page).cloned().collect();
        let place = format!("rows {}-{end} of {}", (at + 1).min(end), self.rows.len());
        rows.push(Row::blanks(4).and(Span::foreign(Style::DIM, &place)).fit(room.columns));
        rows.truncate(room.height);
        rows
    }

    fn draw_ends(&mut self, room: Room) -> Vec<Row> {
        self.is_cut = self.rows.len() > room.height;
        if !self.is_cut {
            self.is_seen = true;
            return self.rows.clone();
        }
        let Some(left) = room.height.checked_sub(1) else { return Vec::new() };
        let tail = left / 3;
        let head = left - tail;
        let hidden = self.rows.len() - left;
        let letters = self.letters.iter().skip(head).take(hidden).sum();
        let mut rows: Vec<_> = self.rows.iter().take(head).cloned().collect();
        rows.push(cut_row(hidden, letters, room.columns));
        rows.extend(self.rows.iter().skip(self.rows.len() - tail).cloned());
        rows
    }
}

fn cut_row(rows: usize, letters: usize, columns: usize) -> Row {
    let row = |says: &str| Row::blanks(4).and(Span::foreign(Style::of(Colour::Red), says));
    let (rows, letters) = (grouped(rows), grouped(letters));
    let whole = row(&format!("… {rows} rows, {letters} characters hidden"));
    if whole.width() <= columns { whole } else { row(&format!("… {rows} hidden")).fit(columns) }
}

/// A number with a comma between its thousands.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
