//! Rows that are too long for the screen, folded into several.
//!
//! Owns where a row breaks: between words, or at the edge where words are too long; never inside a cluster, and never so
//! that foreign text begins left of its margin. Nothing is lost but the blanks at which prose breaks.

use codec::text::visible_rows;

use super::measure::{Cluster, Measure, clusters, letters, width};
use super::style::{Row, Span, Style};

#[cfg(test)]
mod tests;

/// Where a row may break.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Breaks {
    /// between words, and inside one only if it is longer than a row
    Words,
    /// between words if that leaves the row more than half full, else at the edge; every blank is kept, and every
    /// character has the room that the widest terminal gives it
    Edge,
}

/// What stands left of the text.
#[derive(Debug, Clone)]
pub(crate) struct Margin {
    /// in the first row
    pub(crate) first: Row,
    /// in the others
    pub(crate) rest: Row,
}

impl Margin {
    /// So many blanks.
    pub(crate) fn blank(columns: usize) -> Self {
        Self { first: Row::blanks(columns), rest: Row::blanks(columns) }
    }

    /// A beginning of the first row; the others have blanks below it.
    pub(crate) fn hanging(first: Row) -> Self {
        let rest = Row::blanks(first.width());
        Self { first, rest }
    }

    /// How many columns are left for text, at least one.
    pub(super) fn room(&self, columns: usize) -> usize {
        columns.saturating_sub(self.width()).max(1)
    }

    /// The margin of a row: in all rows as wide as in the widest, or blank and narrower where else no text had room.
    pub(super) fn of(&self, is_first: bool, columns: usize) -> Row {
        if self.width() >= columns {
            return Row::blanks(columns.saturating_sub(1));
        }
        let row = if is_first { &self.first } else { &self.rest };
        row.clone().then(&Row::blanks(self.width() - row.width()))
    }

    fn width(&self) -> usize {
        self.first.width().max(self.rest.width())
    }
}

/// Folds a row for a screen of so many columns.
pub(crate) fn fold(text: &Row, margin: &Margin, columns: usize, breaks: Breaks) -> Vec<Row> {
    if text.ascii_width().is_some_and(|width| width <= margin.room(columns)) {
        return vec![margin.of(true, columns).then(text)];
    }
    let mut folder = Folder {
        room: margin.room(columns),
        breaks,
        rows: Vec::new(),
        row: Vec::new(),
        used: 0,
        is_over: false,
    };
    let measure = match breaks {
        Breaks::Words => Measure::Usual,
        Breaks::Edge => Measure::Widest,
    };
    for span in text.spans() {
        for cluster in clusters(span.text(), measure) {
            let whole = Some(cluster).filter(|cluster| cluster.width <= folder.room.max(ROOM_TO_SPLIT));
            let apart = whole.is_none().then(|| letters(&cluster, measure)).into_iter().flatten();
            for cluster in whole.into_iter().chain(apart) {
                folder.take(Cell { cluster, span, is_too_wide: false, is_bare: false });
            }
        }
    }
    let rows = folder.finish().into_iter().enumerate();
    rows.map(|(number, cells)| row_of(margin.of(number == 0, columns), &cells)).collect()
}

/// A command or another text that a person decides about: every line of it, with `↪` where a row goes on, long runs of
/// blanks as `·`, and every blank that a shell does not take for one as an escape.
pub(crate) fn command(text: &str, style: Style, columns: usize) -> Vec<Row> {
    let rest = Row::blanks(2).and(Span::own(Style::DIM, "↪ "));
    let margin = Margin { first: Row::blanks(4), rest };
    visible_rows(text).flat_map(|line| fold(&marked(&line, style), &margin, columns, Breaks::Edge)).collect()
}

/// From how many blanks on a run of them is marked: more may be there to push something out of sight.
const LONG_RUN: usize = 3;

/// A line with its long runs of blanks marked.
pub(crate) fn marked(line: &str, style: Style) -> Row {
    let mut row = Row::default();
    for run in runs(line) {
        match run.chars().next() {
            Some(' ') if run.len() >= LONG_RUN => row.push(Span::foreign(Style::DIM, &"·".repeat(run.len()))),
            Some(' ') | None => row.push(Span::foreign(style, run)),
            Some(first) if first.is_whitespace() => {
                row.push(Span::foreign(Style::DIM, &run.escape_unicode().to_string()));
            }
            Some(_) => row.push(Span::foreign(style, run)),
        }
    }
    row
}

/// The runs of plain blanks, of other blanks, and of everything else.
fn runs(line: &str) -> impl Iterator<Item = &str> {
    let kind = |letter: char| (letter == ' ', letter.is_whitespace());
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = kind(rest.chars().next()?);
        let end = rest.find(|letter| kind(letter) != first).unwrap_or(rest.len());
        let (run, left) = rest.split_at_checked(end)?;
        rest = left;
        Some(run)
    })
}

/// With less room a cluster that is too wide is not taken apart: `…` stands for it.
const ROOM_TO_SPLIT: usize = 8;

/// A cluster and the piece of text that it is from.
#[derive(Clone, Copy)]
struct Cell<'t> {
    cluster: Cluster<'t>,
    span: &'t Span,
    /// wider than the whole screen
    is_too_wide: bool,
    /// a mark whose letter is in the row above: it would stand on what is left of the text
    is_bare: bool,
}

impl Cell<'_> {
    /// Where it ends in its piece of text.
    const fn end(&self) -> usize {
        self.cluster.at + self.cluster.text.len()
    }

    /// Whether it goes on where the other one ends, with nothing of ours between.
    fn goes_on(&self, before: &Self) -> bool {
        let is_plain = !self.is_too_wide && !self.is_bare && !before.is_too_wide;
        is_plain && std::ptr::eq(self.span, before.span) && before.end() == self.cluster.at
    }
}

/// A row of cells behind its margin. What belongs together is put there at once.
fn row_of(mut row: Row, cells: &[Cell<'_>]) -> Row {
    for run in cells.chunk_by(|before, cell| cell.goes_on(before)) {
        let (Some(first), Some(last)) = (run.first(), run.last()) else { continue };
        if first.is_too_wide {
            row.push(Span::own(first.span.style(), "…"));
            continue;
        }
        if first.is_bare {
            row.push(Span::own(first.span.style(), "◌"));
        }
        row.push_part(first.span, first.cluster.at, last.end() - first.cluster.at);
    }
    row
}

struct Folder<'t> {
    room: usize,
    breaks: Breaks,
    rows: Vec<Vec<Cell<'t>>>,
    row: Vec<Cell<'t>>,
    used: usize,
    /// blanks were left out at the end of the row: no word goes on there
    is_over: bool,
}

impl<'t> Folder<'t> {
    fn take(&mut self, mut cell: Cell<'t>) {
        if cell.cluster.width > self.room {
            self.fit(&mut cell);
        }
        let is_blank = self.breaks == Breaks::Words && cell.cluster.is_blank();
        if is_blank && self.used + cell.cluster.width > self.room {
            // It would stand beyond the edge, where nobody misses it.
            self.is_over = true;
        }
        if self.is_over && is_blank {
            return;
        }
        if self.is_over || self.used + cell.cluster.width > self.room {
            self.break_row();
        }
        if self.row.is_empty() && width(cell.cluster.text) == 0 {
            cell.is_bare = true;
            cell.cluster.width = (cell.cluster.width + 2).min(self.room);
        }
        self.used += cell.cluster.width;
        self.row.push(cell);
    }

    /// What only the most careful measure has no room for fills a row; what really has none is replaced.
    fn fit(&self, cell: &mut Cell<'_>) {
        cell.is_too_wide = width(cell.cluster.text) > self.room;
        cell.cluster.width = if cell.is_too_wide { 1 } else { self.room };
    }

    fn break_row(&mut self) {
        let is_over = std::mem::take(&mut self.is_over);
        let word = if is_over { self.row.len() } else { self.begin_of_word() };
        let tail = self.row.split_off(word);
        self.used = tail.iter().map(|cell| cell.cluster.width).sum();
        let mut row = std::mem::replace(&mut self.row, tail);
        while self.breaks == Breaks::Words && row.last().is_some_and(|cell| cell.cluster.is_blank()) {
            row.pop();
        }
        self.rows.push(row);
    }

    /// Where the last word of the row begins, if enough stands before it; else the end of the row.
    fn begin_of_word(&self) -> usize {
        let blank = self.row.iter().rposition(|cell| cell.cluster.is_blank());
        let is_enough = |at: &usize| match self.breaks {
            Breaks::Words => self.row.iter().take(*at).any(|cell| !cell.cluster.is_blank()),
            Breaks::Edge => *at >= self.row.len() / 2,
        };
        blank.filter(is_enough).map_or(self.row.len(), |at| at + 1)
    }

    fn finish(mut self) -> Vec<Vec<Cell<'t>>> {
        self.rows.push(self.row);
        self.rows
    }
}
