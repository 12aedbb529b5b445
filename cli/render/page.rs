//! A report before it is known how wide the screen is.
//!
//! Owns the pieces that every report is made of: lines with a sign, words and a right end, and between them longer texts.
//! Foreign text comes in through [`Span::foreign`] alone. Wraps and cuts nothing.

use std::borrow::Cow;

use super::Kind;
use super::prose::Prose;
use crate::term::style::{Ink, Row, Span, Style, paint};

/// One report.
#[derive(Debug)]
pub(super) struct Page {
    pub(super) kind: Kind,
    pub(super) parts: Vec<Part>,
}

/// A piece of a report.
#[derive(Debug)]
pub(super) enum Part {
    Line(Line),
    Prose(Prose),
}

impl Page {
    /// A report that has nothing to say to a person.
    pub(super) const fn nothing() -> Self {
        Self::of(Kind::Note)
    }

    pub(super) const fn of(kind: Kind) -> Self {
        Self { kind, parts: Vec::new() }
    }

    /// With a line below.
    pub(super) fn line(mut self, line: Line) -> Self {
        self.parts.push(Part::Line(line));
        self
    }

    /// With a line below for each of these.
    pub(super) fn lines<T>(self, of: impl IntoIterator<Item = T>, line: impl Fn(T) -> Line) -> Self {
        of.into_iter().fold(self, |page, one| page.line(line(one)))
    }

    /// With a text below.
    pub(super) fn text(mut self, text: Prose) -> Self {
        self.parts.push(Part::Prose(text));
        self
    }

    /// With a text below, if it says anything.
    pub(super) fn more(self, text: Prose) -> Self {
        if text.is_empty() { self } else { self.text(text) }
    }

    /// Its rows where there is no screen.
    pub(super) fn plain(&self) -> Vec<String> {
        self.each_part(whole)
    }

    /// The same without the middle of long outputs: nobody could ask for it, but nobody reads it in passing either.
    pub(super) fn brief(&self) -> Vec<String> {
        self.each_part(|text| {
            let rows = whole(text);
            let rows: Vec<_> = if text.is_folded { rows.iter().map(|row| cut(row)).collect() } else { rows };
            let left_out = rows.len().saturating_sub(FIRST + LAST);
            if !text.is_folded || rows.len() <= MOST {
                return rows;
            }
            let note = format!("{}… {left_out} lines left out", " ".repeat(text.indent));
            let (first, last) = (rows.iter().take(FIRST), rows.iter().skip(FIRST + left_out));
            first.chain([&note]).chain(last).cloned().collect()
        })
    }

    fn each_part(&self, prose: impl Fn(&Prose) -> Vec<String>) -> Vec<String> {
        let rows = self.parts.iter().map(|part| match part {
            Part::Line(line) => vec![painted(&line.margin.clone().then(&line.in_full()))],
            Part::Prose(text) if text.is_hidden => Vec::new(),
            Part::Prose(text) => prose(text),
        });
        rows.flatten().collect()
    }
}

/// Up to so many rows of an output are printed whole, of a longer one these.
const MOST: usize = 12;
const FIRST: usize = 3;
const LAST: usize = 6;

/// More of one row of an output is not printed either.
const LONGEST_ROW: usize = 1_000;

fn cut(row: &str) -> String {
    let end = row.char_indices().nth(LONGEST_ROW).and_then(|(at, _)| row.get(..at));
    end.map_or_else(|| row.to_owned(), |head| format!("{head}…"))
}

fn whole(text: &Prose) -> Vec<String> {
    let mut rows = Vec::new();
    text.each(|line| rows.push(painted(&line.margin(text).then(&line.row()))));
    rows
}

fn painted(row: &Row) -> String {
    let mut text = paint(row, Ink::Plain);
    text.truncate(text.trim_end_matches(' ').len());
    text
}

/// Two columns between what stands side by side.
const GAP: &str = "  ";

/// Words in one row.
#[derive(Debug)]
pub(super) struct Line {
    /// what stands left of the words
    pub(super) margin: Row,
    pub(super) words: Row,
    /// what stands at the right edge
    pub(super) right: Vec<Row>,
    /// whether it goes on below where the screen ends; else it is cut there
    pub(super) is_wrapped: bool,
}

impl Line {
    /// One with a sign in the gutter.
    pub(super) fn sign(style: Style, sign: &'static str) -> Self {
        Self::behind(Row::own(style, sign))
    }

    /// One that begins so many columns from the left.
    pub(super) fn at(indent: usize) -> Self {
        Self::behind(Row::blanks(indent))
    }

    /// One that begins so many columns from the left with a sign of ours.
    pub(super) fn marked(indent: usize, style: Style, sign: &'static str) -> Self {
        Self::behind(Row::blanks(indent).and(Span::own(style, sign)))
    }

    fn behind(margin: Row) -> Self {
        Self { margin, words: Row::default(), right: Vec::new(), is_wrapped: false }
    }

    /// With words of ours more.
    pub(super) fn own(self, style: Style, words: &'static str) -> Self {
        self.and(Span::own(style, words))
    }

    /// With words of somebody else more, all in this line.
    pub(super) fn foreign(self, style: Style, words: &str) -> Self {
        self.and(Span::foreign(style, &one_line(words)))
    }

    /// The same, if there are any.
    pub(super) fn maybe(self, style: Style, words: Option<impl AsRef<str>>) -> Self {
        match words {
            Some(words) => self.foreign(style, words.as_ref()),
            None => self,
        }
    }

    fn and(mut self, span: Span) -> Self {
        if !span.text().is_empty() && !self.words.spans().is_empty() {
            self.words.push(Span::own(Style::PLAIN, GAP));
        }
        self.words.push(span);
        self
    }

    /// With words of somebody else right behind the last ones.
    pub(super) fn joined(mut self, style: Style, words: &str) -> Self {
        self.words.push(Span::foreign(style, &one_line(words)));
        self
    }

    /// With something at the right edge, if there is something.
    pub(super) fn right(mut self, row: Option<Row>) -> Self {
        self.right.extend(row.filter(|row| !row.spans().is_empty()));
        self
    }

    /// Going on below.
    pub(super) fn wrapped(self) -> Self {
        Self { is_wrapped: true, ..self }
    }

    /// Everything that it says, one behind the other.
    pub(super) fn in_full(&self) -> Row {
        let gap = Row::own(Style::PLAIN, GAP);
        let mut row = self.words.clone();
        for piece in &self.right {
            row = if row.spans().is_empty() { piece.clone() } else { row.then(&gap).then(piece) };
        }
        row
    }
}

/// What has a line end in it, in one line all the same.
fn one_line(text: &str) -> Cow<'_, str> {
    if text.contains(['\n', '\t']) { text.trim().replace(['\n', '\t'], " ").into() } else { text.into() }
}
