//! Pieces of a question's picture that several kinds share.
//!
//! Owns the margins: our own signs stand in the first two columns, foreign text never does. Knows no keys.

use super::super::style::{Colour, Row, Span, Style};
use super::super::wrap::{Breaks, Margin, fold};

/// What is marked, and what tim itself adds to a foreign text.
pub(super) const CYAN: Style = Style::of(Colour::Cyan);
/// What asks for attention.
pub(super) const YELLOW: Style = Style::of(Colour::Yellow);

/// How much room there is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Room {
    pub(super) columns: usize,
    pub(super) height: usize,
}

/// Rows, and where in them the cursor is, if they have it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Drawn {
    /// the rows, none wider than was asked for
    pub(crate) rows: Vec<Row>,
    /// the row and the column of the cursor, both from 0
    pub(crate) cursor: Option<(usize, usize)>,
}

impl Drawn {
    /// Adds rows below.
    pub(super) fn add(&mut self, below: Self) {
        let above = self.rows.len();
        self.cursor = below.cursor.map(|(row, column)| (above + row, column)).or(self.cursor);
        self.rows.extend(below.rows);
    }
}

impl From<Vec<Row>> for Drawn {
    fn from(rows: Vec<Row>) -> Self {
        Self { rows, cursor: None }
    }
}

/// A foreign text as prose, each of its lines in rows of their own.
pub(super) fn prose(text: &str, style: Style, columns: usize) -> Vec<Row> {
    indented(text, style, 2, columns)
}

/// The same, so many columns from the left.
pub(super) fn indented(text: &str, style: Style, margin: usize, columns: usize) -> Vec<Row> {
    let margin = Margin::blank(margin);
    let lines = text.trim_end_matches('\n').split('\n');
    lines.flat_map(|line| fold(&dotted(line, style), &margin, columns, Breaks::Words)).collect()
}

/// A line of prose in which a long run of blanks shows: it may be there to part what belongs together.
fn dotted(line: &str, style: Style) -> Row {
    let words = line.trim_start_matches(' ');
    let mut row = Row::foreign(style, line.strip_suffix(words).unwrap_or_default());
    let mut blanks = 0;
    for piece in words.split(' ') {
        if piece.is_empty() {
            blanks += 1;
            continue;
        }
        row = row.and(run_of_blanks(blanks, style)).and(Span::foreign(style, piece));
        blanks = 1;
    }
    row
}

fn run_of_blanks(count: usize, style: Style) -> Span {
    if count < LONG_RUN {
        Span::foreign(style, &" ".repeat(count))
    } else {
        Span::foreign(Style::DIM, &"·".repeat(count))
    }
}

/// From how many blanks on a run of them shows.
const LONG_RUN: usize = 3;

/// A word of ours in the left, and what it says behind it.
pub(super) fn labelled(label: &'static str, text: &Row, columns: usize) -> Vec<Row> {
    let label = Row::blanks(2).and(Span::own(Style::DIM, label)).and(Span::own(Style::PLAIN, "  "));
    let padding = Row::blanks(LABEL_WIDTH.saturating_sub(label.width()));
    fold(text, &Margin::hanging(label.then(&padding)), columns, Breaks::Words)
}

const LABEL_WIDTH: usize = 8;

/// At most so many rows; `…` says that there were more.
pub(super) fn at_most(most: usize, mut rows: Vec<Row>, columns: usize) -> Vec<Row> {
    if rows.len() <= most {
        return rows;
    }
    rows.truncate(most);
    if let Some(last) = rows.pop() {
        let room = columns.saturating_sub(2).max(1);
        // Cut to make room, it already says that something is missing.
        let is_cut = last.width() > room;
        rows.push(if is_cut { last.fit(room) } else { last.and(Span::own(Style::DIM, " …")) });
    }
    rows
}

/// A row that says how many are not shown.
pub(super) fn more(sign: &'static str, count: usize, columns: usize) -> Row {
    let row = Row::blanks(4).and(Span::own(Style::DIM, sign));
    row.and(Span::foreign(Style::DIM, &format!("{count} more"))).fit(columns)
}

/// What Esc does where there is nothing to step back from.
pub(super) const BACK_TO_LINE: &str = "back to your line";

/// A key and what it does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Binding {
    key: String,
    does: String,
    /// nobody misses it on a narrow screen
    is_extra: bool,
}

impl Binding {
    pub(super) fn new(key: &str, does: &str) -> Self {
        Self { key: key.to_owned(), does: does.to_owned(), is_extra: false }
    }

    /// One that a narrow screen leaves out.
    pub(super) fn extra(key: &str, does: &str) -> Self {
        Self { is_extra: true, ..Self::new(key, does) }
    }

    /// Whether it gives the keys back to the line.
    pub(super) fn is_back_to_line(&self) -> bool {
        self.key == "Esc" && self.does == BACK_TO_LINE
    }

    /// Whether it shows which keys there are.
    pub(super) fn is_help(&self) -> bool {
        self.key == "?"
    }

    /// Whether a narrow screen leaves it out.
    pub(super) const fn is_extra(&self) -> bool {
        self.is_extra
    }

    fn row(&self, is_armed: bool) -> Row {
        let (key, does) = if is_armed { (Style::BOLD, Style::PLAIN) } else { (Style::DIM, Style::DIM) };
        let row = Row::foreign(key, &self.key);
        if self.does.is_empty() {
            row
        } else {
            row.and(Span::own(does, " ")).and(Span::foreign(does, &self.does))
        }
    }
}

/// The rows that say which keys there are. Strong letters say that they count.
pub(super) fn keys(bindings: &[Binding], gap: usize, is_armed: bool, columns: usize) -> Vec<Row> {
    let mut kept: Vec<&Binding> = bindings.iter().collect();
    let draw = |kept: &[&Binding], gap| side_by_side(kept.iter().map(|one| one.row(is_armed)), gap, columns);
    let mut rows = draw(&kept, gap);
    // What a narrow screen leaves out goes from the right.
    while rows.len() > 1
        && let Some(at) = kept.iter().rposition(|binding| binding.is_extra)
    {
        kept.remove(at);
        rows = draw(&kept, gap);
    }
    if rows.len() > 1 { draw(&kept, gap.min(NARROW_GAP)) } else { rows }
}

/// Between keys that take more than one row anyway.
const NARROW_GAP: usize = 2;

fn side_by_side(pieces: impl Iterator<Item = Row>, gap: usize, columns: usize) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for piece in pieces {
        match rows.last_mut() {
            Some(last) if last.width() + gap + piece.width() <= columns => {
                *last = std::mem::take(last).then(&Row::blanks(gap)).then(&piece);
            }
            _ => rows.extend(fold(&piece, &Margin::blank(2), columns, Breaks::Words)),
        }
    }
    rows
}
