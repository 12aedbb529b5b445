//! A report on a screen of a given width.
//!
//! Owns where a report is wrapped, cut and folded, and the gutter with a name in it. No row is wider than the screen, and
//! however long the report is, the rows of it that are shown at first are few.

use std::borrow::Cow;

use super::Rendered;
use super::page::{Line, Page, Part};
use super::prose::{Prose, TextLine};
use crate::term::measure::width;
use crate::term::style::{Colour, Row, Span, Style};
use crate::term::wrap::{Breaks, Margin, fold};

/// How much of a long text is shown.
#[derive(Debug, Clone, Copy)]
struct Fold {
    /// up to so many rows it is shown whole
    most: usize,
    first: usize,
    last: usize,
    indent: usize,
}

/// What a tool gave: its beginning says what it is, its end how it went.
const OUTPUT: Fold = Fold { most: 12, first: 3, last: 6, indent: 4 };
/// Any report: more than a few screens nobody reads in passing.
const REPORT: Fold = Fold { most: 500, first: 200, last: 100, indent: 2 };
/// Of a longer text only so many lines of its beginning and of its end are ever drawn: rows take many times the memory
/// of what stands in them.
const MOST_LINES: usize = 10_000;
/// A longer line is wrapped piece by piece, for the same reason.
const LONGEST_PIECE: usize = 8 << 10;
/// And of one that has more pieces only so many of its beginning and of its end are drawn.
const MOST_PIECES: usize = 32;

/// The rows of a report.
pub(super) fn rendered(page: &Page, columns: usize) -> Rendered {
    let mut short = Drawing { hint: ", Ctrl-O shows them", ..Drawing::of(columns) };
    page.parts.iter().for_each(|part| short.part(part));
    short.fold_all();
    let folded = short.has_less.then(|| {
        let mut whole = Drawing { is_whole: true, ..Drawing::of(columns) };
        page.parts.iter().for_each(|part| whole.part(part));
        whole.rows
    });
    Rendered { rows: short.rows, folded, kind: page.kind }
}

/// The same rows where nobody has keys to see more of them: what is printed and left behind.
pub(super) fn printed(badge: Option<&Badge>, page: &Page, columns: usize) -> Vec<Row> {
    let gutter = badge.map(|badge| Gutter::of(badge, columns));
    let room = gutter.as_ref().map_or(columns, |gutter| gutter.room(columns));
    let mut short = Drawing::of(room);
    page.parts.iter().for_each(|part| short.part(part));
    short.fold_all();
    gutter.iter().for_each(|gutter| gutter.put_before(&mut short.rows, columns));
    short.rows
}

/// The same with the name of who said it in the gutter.
pub(super) fn behind(badge: &Badge, page: &Page, columns: usize) -> Rendered {
    let gutter = Gutter::of(badge, columns);
    let mut rendered = rendered(page, gutter.room(columns));
    for rows in [Some(&mut rendered.rows), rendered.folded.as_mut()].into_iter().flatten() {
        gutter.put_before(rows, columns);
    }
    rendered
}

/// What stands left of what somebody says, where that must be told.
struct Gutter {
    name: Row,
}

impl Gutter {
    fn of(badge: &Badge, columns: usize) -> Self {
        let most = (columns / 4).max(1);
        let name = Row::foreign(Style::of(badge.colour), &end_of(&badge.name, most));
        let blanks = Row::blanks(badge.width.saturating_sub(name.width()));
        Self { name: name.then(&blanks).fit(most) }
    }

    /// How many columns are left beside it.
    fn room(&self, columns: usize) -> usize {
        columns.saturating_sub(self.name.width() + width(RULE)).max(1)
    }

    fn put_before(&self, rows: &mut [Row], columns: usize) {
        let blank = Row::blanks(self.name.width());
        for (at, row) in rows.iter_mut().enumerate() {
            let left = if at == 0 { self.name.clone() } else { blank.clone() };
            *row = left.and(Span::own(Style::DIM, RULE)).then(row);
            if row.width() > columns {
                *row = row.fit(columns);
            }
        }
    }
}

/// A path that is too wide loses its beginning: the end tells one from another.
fn end_of(name: &str, most: usize) -> Cow<'_, str> {
    if width(name) <= most {
        return Cow::Borrowed(name);
    }
    let ends = name.char_indices().map(|(at, _)| name.split_at(at).1);
    let (mut labels, mut letters) = (ends.clone().filter(|end| end.starts_with('/')), ends);
    let fits = |end: &&str| width(end) < most;
    let end = labels.find(fits).or_else(|| letters.find(fits)).unwrap_or_default();
    Cow::Owned(format!("…{end}"))
}

const RULE: &str = " │ ";

/// Whose words something is, for a person who looks at several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Badge {
    pub(crate) name: String,
    pub(crate) colour: Colour,
    /// as wide as the names of all
    pub(crate) width: usize,
}

/// The other colours mean something.
const COLOURS: [Colour; 3] = [Colour::Cyan, Colour::Magenta, Colour::Blue];

impl Badge {
    /// Of whoever is called so. Always the same for the same name, so that a person sees who goes on.
    pub(crate) fn of(name: &str) -> Self {
        let sum = name.bytes().fold(0_usize, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
        Self::numbered(name, sum, 0)
    }

    /// Of one of several: neighbours differ in their colours.
    pub(crate) fn numbered(name: &str, number: usize, width: usize) -> Self {
        let colour = COLOURS.get(number % COLOURS.len()).copied().unwrap_or_default();
        Self { name: name.to_owned(), colour, width }
    }
}

struct Drawing {
    columns: usize,
    /// whether nothing is folded or cut
    is_whole: bool,
    rows: Vec<Row>,
    /// whether something was left out
    has_less: bool,
    /// how to see what was folded
    hint: &'static str,
}

impl Drawing {
    const fn of(columns: usize) -> Self {
        Self { columns, is_whole: false, rows: Vec::new(), has_less: false, hint: "" }
    }

    fn part(&mut self, part: &Part) {
        match part {
            Part::Line(line) => self.line(line),
            Part::Prose(text) => self.text(text),
        }
    }

    fn line(&mut self, line: &Line) {
        let all = line.in_full();
        let is_short = line.margin.width() + all.width() <= self.columns;
        let row = line.margin.clone().then(&line.words);
        if is_short && !line.right.is_empty() {
            self.rows.push(row.with_right(&line.right, self.columns));
        } else if is_short {
            self.rows.push(row);
        } else if self.is_whole {
            self.wrap(&line.margin, &all);
        } else {
            self.has_less = true;
            self.shorten(line, &row);
        }
    }

    /// A line without what the screen has no room for.
    fn shorten(&mut self, line: &Line, row: &Row) {
        if !line.is_wrapped {
            self.rows.push(row.with_right(&line.right, self.columns));
            return;
        }
        self.has_less = !line.right.is_empty() || line.words.width() > LONGEST_PIECE;
        self.wrap(&line.margin, &line.words);
        if let Some(last) = self.rows.pop() {
            self.rows.push(last.with_right(&line.right, self.columns));
        }
    }

    fn wrap(&mut self, margin: &Row, words: &Row) {
        let margin = Margin::hanging(margin.clone());
        self.rows.extend(fold(&words.fit(LONGEST_PIECE), &margin, self.columns, Breaks::Words));
    }

    fn text(&mut self, text: &Prose) {
        if text.is_hidden && !self.is_whole {
            self.has_less = true;
            return;
        }
        let begin = self.rows.len();
        let count = text.count();
        let (mut at, mut left_out) = (0, 0);
        text.each(|line| {
            at += 1;
            if at <= MOST_LINES || at + MOST_LINES > count {
                self.text_line(text, &line);
            } else {
                left_out += 1;
            }
            if left_out > 0 && at + MOST_LINES == count {
                self.rows.push(self.note(text.indent, left_out, " lines are too many for this screen", ""));
            }
        });
        if text.is_folded && !self.is_whole {
            self.fold_from(begin, Fold { indent: text.indent, ..OUTPUT }, left_out);
        }
    }

    fn text_line(&mut self, text: &Prose, line: &TextLine<'_>) {
        if line.text.is_empty() {
            return self.rows.push(line.sign_alone(text));
        }
        let margin = Margin::hanging(line.margin(text));
        let rest = Margin::hanging(margin.rest.clone());
        let pieces: Vec<&str> = pieces(&line.text).collect();
        let last = pieces.len().saturating_sub(MOST_PIECES);
        for (number, piece) in pieces.iter().enumerate() {
            if number == MOST_PIECES && number < last {
                let hidden = pieces.iter().take(last).skip(number).map(|piece| piece.len()).sum();
                self.rows.push(self.note(text.indent, hidden, " bytes are too many for this screen", ""));
            }
            let (margin, lead) = if number == 0 { (&margin, line.lead()) } else { (&rest, Row::default()) };
            if number < MOST_PIECES || number >= last {
                let row = lead.and(Span::foreign(line.style, piece));
                self.rows.extend(fold(&row, margin, self.columns, Breaks::Words));
            }
        }
    }

    fn fold_all(&mut self) {
        self.fold_from(0, REPORT, 0);
    }

    /// Folds the rows from there on, if they are too many. So many lines more were not even drawn.
    fn fold_from(&mut self, begin: usize, how: Fold, undrawn: usize) {
        let count = self.rows.len().saturating_sub(begin);
        if count <= how.most {
            return;
        }
        let hidden = count - how.first - how.last;
        let from = begin + how.first;
        let note = self.note(how.indent, hidden + undrawn, " lines folded", self.hint);
        self.rows.splice(from..from + hidden, [note]);
        self.has_less = true;
    }

    /// A row of ours about rows that are not there.
    fn note(&self, indent: usize, count: usize, what: &'static str, how: &'static str) -> Row {
        let row = Row::blanks(indent).and(Span::own(Style::DIM, "… "));
        let row = row
            .and(Span::foreign(Style::DIM, &super::figures::grouped(count)))
            .and(Span::own(Style::DIM, what));
        let longer = row.clone().and(Span::own(Style::DIM, how));
        if longer.width() <= self.columns { longer } else { row.fit(self.columns) }
    }
}

/// A line in pieces of a length that can be wrapped at once, cut between words if that can be.
fn pieces(line: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(line);
    std::iter::from_fn(move || {
        let text = rest.take()?;
        if text.len() <= LONGEST_PIECE {
            return Some(text);
        }
        let edge = text.floor_char_boundary(LONGEST_PIECE);
        let head = text.get(..edge).unwrap_or_default();
        let cut = head.rfind(' ').filter(|at| *at > 0).unwrap_or(edge);
        let (piece, more) = text.split_at_checked(cut)?;
        rest = Some(more.strip_prefix(' ').unwrap_or(more));
        Some(piece)
    })
}
