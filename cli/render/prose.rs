//! A longer text of a report: what an agent says, what a tool gave, what an edit changes.
//!
//! Owns its cutting into lines, and what stands before each of them. Wraps and folds nothing, and holds the text only
//! once: a row takes many times the memory of what stands in it.

use std::borrow::Cow;

use crate::term::diff::{self, Line as Difference};
use crate::term::style::{Row, Span, Style};

/// A longer text of somebody else.
#[derive(Debug)]
pub(super) struct Prose {
    pub(super) indent: usize,
    pub(super) style: Style,
    /// whether only its beginning and its end are shown if it is long
    pub(super) is_folded: bool,
    /// whether it is only there for whoever asks for more
    pub(super) is_hidden: bool,
    lead: Option<Lead>,
    body: Body,
}

/// What stands before the first line of a text.
#[derive(Debug)]
struct Lead {
    sign: Span,
    words: Span,
}

#[derive(Debug)]
enum Body {
    Text(String),
    /// as `diff -u` writes it
    Unified(String),
    /// an old text and a new one
    Replaced(String, String),
}

impl Prose {
    /// One that begins so many columns from the left. The line ends at its end are not part of it.
    pub(super) fn at(indent: usize, style: Style, text: impl Into<String>) -> Self {
        let mut text = text.into();
        text.truncate(text.trim_end_matches(['\n', '\r']).len());
        Self { indent, style, is_folded: false, is_hidden: false, lead: None, body: Body::Text(text) }
    }

    /// The same, weak.
    pub(super) fn dim(self) -> Self {
        Self { style: Style::DIM, ..self }
    }

    /// The same with a sign in the gutter of its first row, and words of ours behind it.
    pub(super) fn signed(self, style: Style, sign: &'static str, words: &'static str) -> Self {
        let lead = Lead { sign: Span::own(style, sign), words: Span::own(style, words) };
        Self { lead: Some(lead), ..self }
    }

    /// The same, shown to nobody who does not ask for it.
    pub(super) fn hidden(self) -> Self {
        Self { is_hidden: true, ..self }
    }

    /// What a tool or a command gave.
    pub(super) fn output(style: Style, text: impl Into<String>) -> Self {
        Self { is_folded: true, ..Self::at(OUTPUT_INDENT, style, text) }
    }

    /// A difference that somebody made.
    pub(super) fn unified(text: impl Into<String>) -> Self {
        Self { is_folded: true, body: Body::Unified(text.into()), ..Self::at(OUTPUT_INDENT, Style::DIM, "") }
    }

    /// The difference between two texts.
    pub(super) fn replaced(old: String, new: String) -> Self {
        Self { is_folded: true, body: Body::Replaced(old, new), ..Self::at(OUTPUT_INDENT, Style::DIM, "") }
    }

    pub(super) fn is_empty(&self) -> bool {
        match &self.body {
            Body::Text(text) | Body::Unified(text) => text.is_empty(),
            Body::Replaced(..) => false,
        }
    }

    /// How many lines come and go, if it is a difference.
    pub(super) fn counts(&self) -> (usize, usize) {
        diff::counts(&self.differences().unwrap_or_default())
    }

    fn differences(&self) -> Option<Vec<Difference<'_>>> {
        match &self.body {
            Body::Text(_) => None,
            Body::Unified(text) => Some(diff::unified(text)),
            Body::Replaced(old, new) => Some(diff::between(old, new)),
        }
    }

    /// How many lines it has.
    pub(super) fn count(&self) -> usize {
        match &self.body {
            Body::Text(text) => text.split('\n').count(),
            _ => self.differences().unwrap_or_default().len(),
        }
    }

    /// Takes each line in its turn.
    pub(super) fn each(&self, mut take: impl FnMut(TextLine<'_>)) {
        match (&self.body, self.differences()) {
            (Body::Text(text), _) => {
                for (at, line) in text.split('\n').enumerate() {
                    let lead = self.lead.as_ref().filter(|_| at == 0);
                    take(TextLine { sign: "", lead, style: self.style, text: unmarked(line) });
                }
            }
            (_, differences) => differences.unwrap_or_default().iter().for_each(|line| take(line.into())),
        }
    }
}

/// How far from the left stands what a tool gave.
const OUTPUT_INDENT: usize = 4;

/// One line of a longer text.
pub(super) struct TextLine<'t> {
    sign: &'static str,
    lead: Option<&'t Lead>,
    pub(super) style: Style,
    pub(super) text: Cow<'t, str>,
}

impl TextLine<'_> {
    /// What stands left of it.
    pub(super) fn margin(&self, of: &Prose) -> Row {
        match self.lead {
            Some(lead) => Row::default().and(lead.sign.clone()),
            None => Row::blanks(of.indent).and(Span::own(self.style, self.sign)),
        }
    }

    /// The words of ours that it begins with.
    pub(super) fn lead(&self) -> Row {
        self.lead.map(|lead| Row::default().and(lead.words.clone())).unwrap_or_default()
    }

    /// The row of a line without text; where nothing is to be seen in it, it takes no memory either.
    pub(super) fn sign_alone(&self, of: &Prose) -> Row {
        let is_blank = self.sign.is_empty() && self.lead.is_none();
        if is_blank { Row::default() } else { self.margin(of).then(&self.lead()) }
    }

    /// Its text, as one row however long.
    pub(super) fn row(&self) -> Row {
        self.lead().and(Span::foreign(self.style, &self.text))
    }
}

impl<'t> From<&Difference<'t>> for TextLine<'t> {
    fn from(line: &Difference<'t>) -> Self {
        let (sign, style) = line.look();
        let text = match line {
            Difference::Skipped(count) => format!("… {count} that stay").into(),
            Difference::Same(text) | Difference::Out(text) => unmarked(text),
            Difference::In(text) | Difference::Note(text) => unmarked(text),
        };
        Self { sign, lead: None, style, text }
    }
}

/// A line without the end that other systems write, and with room for its tabs: nobody decides about it.
fn unmarked(line: &str) -> Cow<'_, str> {
    let line = line.strip_suffix('\r').unwrap_or(line);
    if line.contains('\t') { line.replace('\t', "    ").into() } else { line.into() }
}
