//! The end of a run: what it came to, what it cost, what was decided, and how to go on.
//!
//! Owns the rows. What a run came to is decided elsewhere; parts that are zero are left out.

use std::time::Duration;

use super::page::{Line, Page};
use super::structured::{CYAN, GREEN, RED, YELLOW};
use super::{Block, Kind, figures};
use crate::duration;
use crate::term::diff;
use crate::term::measure::width;
use crate::term::style::Style;

#[cfg(test)]
mod tests;

/// A run that is over.
#[derive(Debug)]
pub(crate) struct Ending {
    pub(crate) how: How,
    pub(crate) exit: u8,
    pub(crate) lasted: Duration,
    pub(crate) turns: u64,
    pub(crate) cost: Option<f64>,
    /// that went in and came out, where the agent counts them itself
    pub(crate) tokens: Option<(u64, u64)>,
    /// files that were changed, lines that came, lines that went
    pub(crate) files: (usize, usize, usize),
    pub(crate) questions: Questions,
    /// lines that were typed and that nobody read
    pub(crate) not_read: Vec<String>,
    /// the conversation, as Claude Code calls it
    pub(crate) session: Option<String>,
    /// by which name it can be gone on with
    pub(crate) goes_on_by: Option<String>,
    /// the name under which its record can be looked at
    pub(crate) recorded_as: Option<String>,
}

/// What it came to.
#[derive(Debug)]
pub(crate) enum How {
    Done,
    /// nobody could answer
    Undecided(Vec<Refused>),
    Failed(String),
    TimedOut(String),
    Interrupted,
    /// somebody said no to what the agent asked: its turn was over by that
    Rejected,
    Stopped(String),
}

/// A question that nobody could answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refused {
    pub(crate) what: String,
    /// what would have answered it
    pub(crate) remedy: String,
}

/// How many questions ended how.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Questions {
    pub(crate) you_yes: u64,
    pub(crate) rules_yes: u64,
    pub(crate) other_yes: u64,
    pub(crate) no: u64,
    pub(crate) undecided: u64,
}

/// The rows of an end.
pub(crate) fn block(ending: &Ending) -> Block {
    let page = Page::of(Kind::Block).line(ending.heading());
    let page = match &ending.how {
        How::Undecided(refused) => undecided(page, refused),
        _ => page,
    };
    let page = ending.questions.row().into_iter().fold(page, Page::line);
    let page = ending.not_read.iter().map(|line| not_read(line)).fold(page, Page::line);
    ending.last_row().into_iter().fold(page, Page::line).into()
}

impl Ending {
    /// What can be done with it now: the commands that go on, and that look back.
    fn last_row(&self) -> Option<Line> {
        let looks_back = self.recorded_as.as_ref().map(|name| format!("tim log {name}"));
        let line = match (&self.goes_on_by, &looks_back) {
            (Some(name), None) => go_on(name, &self.how),
            (Some(name), Some(_)) => go_on(name, &self.how).own(Style::DIM, "    look back"),
            (None, Some(_)) => Line::at(2).own(Style::DIM, "look back"),
            (None, None) => return None,
        };
        Some(line.maybe(Style::PLAIN, looks_back).wrapped())
    }

    fn heading(&self) -> Line {
        let (style, sign, word, why) = match &self.how {
            How::Done => (GREEN.bold(), "✓ ", "done", ""),
            How::Undecided(_) => (RED.bold(), "✗ ", "undecided", ""),
            How::Failed(why) => (RED.bold(), "✗ ", "failed", why.as_str()),
            How::TimedOut(why) => (RED.bold(), "✗ ", "out of time", why.as_str()),
            How::Stopped(why) => (RED.bold(), "✗ ", "stopped", why.as_str()),
            How::Interrupted => (YELLOW.bold(), "– ", "interrupted", ""),
            How::Rejected => (YELLOW.bold(), "– ", "rejected", ""),
        };
        let line = Line::sign(style, sign).own(style, word);
        let exit = format!(" (exit {})", self.exit);
        let line = if self.exit == 0 { line } else { line.joined(style, &exit) };
        let figures = self.figures();
        let line = figures.iter().fold(line, |line, figure| line.foreign(style, figure));
        line.foreign(style, &short(why, LONGEST_WHY)).wrapped()
    }

    fn figures(&self) -> Vec<String> {
        let whole = Duration::from_secs(self.lasted.as_secs());
        let time = (whole > Duration::ZERO).then(|| duration::written(whole));
        let turns = usize::try_from(self.turns).ok().filter(|turns| *turns > 0);
        let turns = turns
            .filter(|_| matches!(self.how, How::Done))
            .map(|turns| figures::how_many(turns, "turn", "turns"));
        let cost = self.cost.filter(|cost| *cost > 0.0).map(figures::price);
        let tokens = self.tokens.map(|(input, output)| input.saturating_add(output));
        let tokens = tokens.and_then(|sum| usize::try_from(sum).ok()).filter(|sum| *sum > 0);
        let tokens = tokens.map(|sum| figures::how_many(sum, "token", "tokens"));
        let (files, come, go) = self.files;
        let lines = diff::counted((come, go)).text();
        let files = (files > 0).then(|| format!("{} {lines}", figures::how_many(files, "file", "files")));
        [time, turns, cost, tokens, files].into_iter().flatten().collect()
    }
}

/// So many letters of a text.
pub(super) fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default().trim_end()),
        None => text.to_owned(),
    }
}

/// Why, in two rows at the most: what is longer was told in full when it happened.
const LONGEST_WHY: usize = 140;
/// What was not read somebody may want to have back.
const LONGEST_LINE: usize = 2_000;

fn undecided(page: Page, refused: &[Refused]) -> Page {
    let why = "Nobody decided these; what would have:";
    let page = page.line(Line::at(2).own(Style::PLAIN, why).wrapped());
    let widest = refused.iter().map(|one| width(&one.what)).filter(|width| *width <= WIDEST).max();
    page.lines(refused, |one| {
        let blanks = " ".repeat(widest.unwrap_or_default().saturating_sub(width(&one.what)));
        let line = Line::at(4).foreign(Style::PLAIN, &one.what).joined(Style::PLAIN, &blanks);
        line.foreign(CYAN, &one.remedy).wrapped()
    })
}

/// What is wider is not aligned with.
const WIDEST: usize = 40;

impl Questions {
    fn row(self) -> Option<Line> {
        let yes = self.you_yes.saturating_add(self.rules_yes).saturating_add(self.other_yes);
        let by = [("you", self.you_yes), ("rules", self.rules_yes), ("others", self.other_yes)];
        let by: Vec<_> =
            by.iter().filter(|(_, count)| *count > 0).map(|(who, count)| format!("{who} {count}")).collect();
        let yes = (yes > 0).then(|| format!("{yes} yes ({})", by.join(", ")));
        let count = |count: u64, word: &str| (count > 0).then(|| format!("{count} {word}"));
        let parts = [yes, count(self.no, "no"), count(self.undecided, "undecided")];
        let parts: Vec<_> = parts.into_iter().flatten().collect();
        let line = Line::at(2).own(Style::DIM, "questions");
        let row = || parts.iter().fold(line, |line, part| line.foreign(Style::DIM, part)).wrapped();
        (!parts.is_empty()).then(row)
    }
}

fn not_read(line: &str) -> Line {
    let words = Line::sign(YELLOW, "! ")
        .own(YELLOW, "not read ")
        .foreign(YELLOW, &format!("\"{}\"", short(line, LONGEST_LINE)));
    words.joined(YELLOW, " came after the last turn").wrapped()
}

/// The command that goes on; what was to be said next, nobody knows.
fn go_on(session: &str, how: &How) -> Line {
    let what = if matches!(how, How::Done) { " \"…\"" } else { "" };
    let line = Line::at(2).own(Style::DIM, "go on    ");
    line.foreign(Style::PLAIN, &format!("tim run -r {session}{what}"))
}
