//! What a client reports, as rows for a person.
//!
//! Owns the look of each kind of report: on a screen ([`report`]) and on an output that is none ([`plain`]). What is no
//! report (a permission, a greeting) has no row here: it is asked or handled, not printed. Only our own signs stand in the
//! first two columns, so that no client can draw what tim draws. Touches no terminal and keeps nothing.

pub(crate) mod batch;
mod block;
pub(crate) mod claude;
pub(crate) mod ending;
pub(crate) mod events;
pub(crate) mod figures;
mod flow;
mod layout;
mod page;
mod prose;
mod review;
mod session;
mod structured;
mod summary;
pub(crate) mod tale;
#[cfg(test)]
mod tests;
mod tool;
pub(crate) mod whole;

use codec::json::Text;
use codec::limits::Limits;
use codec::text::visible_rows;
use codec::tunnel::{Level, Relayed, Up};

use crate::term::style::{Row, Style};
pub(crate) use block::Block;
pub(crate) use layout::Badge;
use page::Page;
use prose::Prose;

/// What a report looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rendered {
    /// none wider than the screen; foreign text begins at column 2 or later, also in wrapped rows
    pub(crate) rows: Vec<Row>,
    /// the whole report, if the rows leave something of it out
    pub(crate) folded: Option<Vec<Row>>,
    /// what it is
    pub(crate) kind: Kind,
}

/// What a report is, as far as the blank rows around it go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// what an agent says
    Talk,
    /// what a tool does or did
    Tool,
    /// how things go, in a row
    Note,
    /// what a client printed
    Output,
    /// what stands for itself: a typed line, an end, a review
    Block,
}

/// Whether a blank row belongs between two reports. What an agent says and does is one block.
pub(crate) const fn gap_between(before: Kind, after: Kind) -> bool {
    !matches!(
        (before, after),
        (Kind::Tool, Kind::Tool | Kind::Note | Kind::Talk)
            | (Kind::Note, Kind::Tool | Kind::Note)
            | (Kind::Talk, Kind::Tool)
            | (Kind::Output, Kind::Output)
    )
}

/// The rows of one report, for a screen of so many columns; none if it has nothing to say to a person. With a path the
/// name of who said it stands in the gutter; the report of somebody further down has one in any case.
pub(crate) fn report(path: Option<&str>, message: &Up<'_>, columns: usize) -> Rendered {
    let (path, page) = match message {
        Up::Relayed(relayed) => (Some(path_of(path, relayed)), relayed_page(relayed)),
        other => (path.map(str::to_owned), page_of(other)),
    };
    match path {
        Some(path) => layout::behind(&Badge::of(&path), &page, columns),
        None => layout::rendered(&page, columns),
    }
}

/// The same rows for an output that is no terminal: nothing is wrapped, cut or folded. One of somebody further down
/// stands behind the path of whoever said it, row by row.
pub(crate) fn plain(message: &Up<'_>) -> Vec<String> {
    let Up::Relayed(relayed) = message else { return page_of(message).plain() };
    let path = path_of(None, relayed);
    relayed_page(relayed).plain().iter().map(|row| format!("{path}  {row}")).collect()
}

/// The same before it is known where it is printed, and the path of whoever said it.
pub(crate) fn block(path: &str, message: &Up<'_>) -> (String, Block) {
    match message {
        Up::Relayed(relayed) => (path_of(Some(path), relayed), relayed_page(relayed).into()),
        other => (path.to_owned(), page_of(other).into()),
    }
}

/// The rows for whoever reports something to nobody but itself: its own words are a plain print, without a gutter that
/// would tell them from somebody else's.
pub(crate) fn own_print(message: &Up<'_>) -> Vec<String> {
    let words = match message {
        Up::Log(_, log) => words_of(&log.args),
        Up::Raw(_, raw) => raw.data.get().into_owned(),
        other => return plain(other),
    };
    if matches!(message, Up::Raw(..)) && words.is_empty() {
        return Vec::new();
    }
    let words = words.strip_suffix('\n').unwrap_or(&words);
    visible_rows(words).map(std::borrow::Cow::into_owned).collect()
}

fn words_of(args: &[Text<'_>]) -> String {
    let words: Vec<_> = args.iter().map(Text::get).collect();
    words.join(" ")
}

pub(crate) fn path_of(path: Option<&str>, relayed: &Relayed<'_>) -> String {
    let labels = relayed.via.iter().map(|segment| segment.label.as_str());
    path.into_iter().chain(labels).collect::<Vec<_>>().join("/")
}

fn relayed_page(relayed: &Relayed<'_>) -> Page {
    let report = Up::read(relayed.line.raw().as_bytes(), &Limits::STANDARD);
    report.map_or_else(|_| Page::nothing(), |report| page_of(&report))
}

fn page_of(message: &Up<'_>) -> Page {
    match message {
        Up::Log(level, log) => logged(*level, &log.args),
        Up::Raw(_, raw) if !raw.data.is_empty() => {
            Page::of(Kind::Output).text(Prose::at(2, Style::PLAIN, raw.data.get()))
        }
        Up::Structured(message, _) => structured::page_of(message),
        Up::Prompt(request, _) => structured::asked(request),
        Up::Unknown(unknown) => structured::newer(&unknown.kind()),
        Up::Raw(..) | Up::Process(_) | Up::Receipt(_) | Up::Relayed(_) => Page::nothing(),
        Up::Hello(_) | Up::Permission(_) | Up::Cancel(_) => Page::nothing(),
    }
}

/// A log line is what its arguments say. One that is for a person's attention has a sign in front of its first row.
fn logged(level: Level, args: &[Text<'_>]) -> Page {
    let text = words_of(args);
    let page = Page::of(Kind::Output);
    let said = |style| Prose::at(2, style, text.as_str());
    match level {
        _ if text.is_empty() => Page::nothing(),
        Level::Log => page.text(said(Style::PLAIN)),
        Level::Debug => page.text(said(Style::DIM)),
        Level::Warn => page.text(said(Style::PLAIN).signed(structured::YELLOW, "! ", "")),
        Level::Error => page.text(said(Style::PLAIN).signed(structured::RED, "✗ ", "")),
    }
}
