//! Rows of the screen: pieces of text, each with a look.
//!
//! Owns the way in for foreign text: only [`Span::foreign`] takes it, and makes it visible; [`Span::own`] takes nothing but
//! what is written in this program. So no row can hold a character that a terminal would act upon. Only [`paint`] writes
//! escape sequences, and each row that it paints leaves the terminal plain.

use std::borrow::Cow;
use std::fmt::Write as _;

use codec::text::visible;
use unicode_width::UnicodeWidthChar as _;

use super::measure::{Measure, clusters, width};

#[cfg(test)]
mod tests;

/// The colours every terminal has; which shades they are is up to the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Colour {
    /// that of plain text
    #[default]
    Default,
    Red,
    Green,
    Yellow,
    Blue,
    Magenta,
    Cyan,
}

/// How a piece of text looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Style {
    colour: Colour,
    bold: bool,
    dim: bool,
}

impl Style {
    /// Like any text.
    pub(crate) const PLAIN: Self = Self { colour: Colour::Default, bold: false, dim: false };
    /// Strong.
    pub(crate) const BOLD: Self = Self { bold: true, ..Self::PLAIN };
    /// Weak.
    pub(crate) const DIM: Self = Self { dim: true, ..Self::PLAIN };

    /// In a colour.
    pub(crate) const fn of(colour: Colour) -> Self {
        Self { colour, ..Self::PLAIN }
    }

    /// The same, strong.
    pub(crate) const fn bold(self) -> Self {
        Self { bold: true, ..self }
    }
}

/// What may be used to make text look different.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// everything
    Colours,
    /// bold and dim, as people want it who set `NO_COLOR`
    NoColours,
    /// nothing
    Plain,
}

impl Ink {
    const fn of(self, style: Style) -> Style {
        match self {
            Self::Colours => style,
            Self::NoColours => Style { colour: Colour::Default, ..style },
            Self::Plain => Style::PLAIN,
        }
    }
}

/// A piece of text with one look. It holds only characters with a glyph, and blanks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Span {
    text: Cow<'static, str>,
    style: Style,
}

impl Span {
    /// Text of this program.
    pub(crate) fn own(style: Style, text: &'static str) -> Self {
        debug_assert_eq!(visible(text), text, "our own text has nothing hidden in it");
        Self { text: Cow::Borrowed(text), style }
    }

    /// Text from anywhere else, made visible; also what was made of such text.
    pub(crate) fn foreign(style: Style, text: &str) -> Self {
        let mut text = visible(text).into_owned();
        // A mark without a letter would stand on whatever is left of it, which may be ours.
        if text.chars().next().is_some_and(|first| first.width() == Some(0)) {
            text.insert(0, '◌');
        }
        Self { text: Cow::Owned(text), style }
    }

    /// What stands there.
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// How it looks.
    pub(crate) const fn style(&self) -> Style {
        self.style
    }
}

/// One row of the screen.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Row {
    spans: Vec<Span>,
}

impl Row {
    /// A row with one piece of our own text.
    pub(crate) fn own(style: Style, text: &'static str) -> Self {
        Self { spans: vec![Span::own(style, text)] }
    }

    /// A row with one piece of foreign text.
    pub(crate) fn foreign(style: Style, text: &str) -> Self {
        Self { spans: vec![Span::foreign(style, text)] }
    }

    /// A row of so many blanks.
    pub(crate) fn blanks(count: usize) -> Self {
        let text = BLANKS.get(..count).map_or_else(|| Cow::Owned(" ".repeat(count)), Cow::Borrowed);
        Self::default().and(Span { text, style: Style::PLAIN })
    }

    /// Adds a piece at the end.
    pub(crate) fn push(&mut self, span: Span) {
        match self.spans.last_mut() {
            _ if span.text.is_empty() => {}
            Some(last) if last.style == span.style => last.text.to_mut().push_str(&span.text),
            _ => self.spans.push(span),
        }
    }

    /// Adds a part of a piece at the end: so many bytes from there on.
    pub(super) fn push_part(&mut self, span: &Span, at: usize, len: usize) {
        let text = span.text.get(at..at + len).unwrap_or_default();
        match self.spans.last_mut() {
            Some(last) if last.style == span.style => last.text.to_mut().push_str(text),
            _ => self.spans.push(Span { text: text.to_owned().into(), style: span.style }),
        }
    }

    /// The row with a piece more.
    #[must_use]
    pub(crate) fn and(mut self, span: Span) -> Self {
        self.push(span);
        self
    }

    /// The row with another one behind it.
    #[must_use]
    pub(crate) fn then(mut self, row: &Self) -> Self {
        for span in &row.spans {
            self.push(span.clone());
        }
        self
    }

    /// Its pieces.
    pub(crate) fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Its text without any look.
    pub(crate) fn text(&self) -> String {
        self.spans.iter().map(Span::text).collect()
    }

    /// How many columns it takes.
    pub(crate) fn width(&self) -> usize {
        self.spans.iter().map(|span| width(&span.text)).sum()
    }

    /// How many columns it takes, if that can be told at a glance.
    pub(super) fn ascii_width(&self) -> Option<usize> {
        let each = self.spans.iter().map(|span| span.text.is_ascii().then(|| span.text.len()));
        each.sum()
    }

    /// The row, cut so that it takes no more columns than that. `…` says that it was cut.
    #[must_use]
    pub(crate) fn fit(&self, columns: usize) -> Self {
        if self.width() <= columns {
            return self.clone();
        }
        let Some(room) = columns.checked_sub(1) else { return Self::default() };
        let (mut row, mut used) = (Self::default(), 0);
        for span in &self.spans {
            for cluster in clusters(&span.text, Measure::Usual) {
                used += cluster.width;
                if used > room {
                    return row.and(Span::own(span.style, "…"));
                }
                row.push_part(span, cluster.at, cluster.text.len());
            }
        }
        row
    }

    /// A row with pieces at its right end. Where it is too narrow for all, they are dropped from the right, and when
    /// none is left the row itself is cut.
    #[must_use]
    pub(crate) fn with_right(&self, right: &[Self], columns: usize) -> Self {
        let mut kept = right;
        while let Some((_, fewer)) = kept.split_last() {
            let mut end = Self::default();
            for piece in kept {
                end = if end.spans.is_empty() { piece.clone() } else { end.and(GAP).then(piece) };
            }
            let taken = self.width() + end.width();
            if taken + GAP_WIDTH <= columns {
                return self.clone().then(&Self::blanks(columns - taken)).then(&end);
            }
            kept = fewer;
        }
        self.fit(columns)
    }
}

/// Most margins are no wider.
const BLANKS: &str = "                                ";
/// Between what stands side by side.
const GAP: Span = Span { text: Cow::Borrowed("  "), style: Style::PLAIN };
const GAP_WIDTH: usize = 2;

/// The row as a terminal takes it.
pub(crate) fn paint(row: &Row, ink: Ink) -> String {
    let mut painted = String::new();
    paint_into(row, ink, &mut painted);
    painted
}

/// The same, behind what was painted before.
pub(super) fn paint_into(row: &Row, ink: Ink, painted: &mut String) {
    let mut look = Style::PLAIN;
    for span in &row.spans {
        let wanted = ink.of(span.style);
        change(look, wanted, painted);
        look = wanted;
        painted.push_str(&span.text);
    }
    change(look, Style::PLAIN, painted);
}

/// The shortest sequence that turns one look into another.
fn change(from: Style, to: Style, out: &mut String) {
    if from == to {
        return;
    }
    let weaker = from.bold && !to.bold || from.dim && !to.dim;
    let from = if weaker || to == Style::PLAIN { Style::PLAIN } else { from };
    let mut codes = Vec::new();
    if weaker || to == Style::PLAIN {
        codes.push(0);
    }
    codes.extend((to.bold && !from.bold).then_some(1));
    codes.extend((to.dim && !from.dim).then_some(2));
    codes.extend((to.colour != from.colour).then(|| code_of(to.colour)));
    out.push_str("\x1b[");
    for (at, code) in codes.iter().enumerate() {
        let written = write!(out, "{}{code}", if at > 0 { ";" } else { "" });
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }
    out.push('m');
}

const fn code_of(colour: Colour) -> u8 {
    match colour {
        Colour::Default => 39,
        Colour::Red => 31,
        Colour::Green => 32,
        Colour::Yellow => 33,
        Colour::Blue => 34,
        Colour::Magenta => 35,
        Colour::Cyan => 36,
    }
}
