//! How a retold run is printed: wrapped and coloured on a terminal, else plain and in whole rows.
//!
//! Owns that choice and nothing else. Foreign text comes in through rows alone.

use std::io::IsTerminal as _;

use codec::text::visible;
use rustix::termios::tcgetwinsize;

use crate::environment::Environment;
use crate::render::{Badge, Block};
use crate::term::style::{Ink, Row, Style, paint};
use crate::term::wrap::{Breaks, Margin, fold};

/// For which output rows are made.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Look {
    /// as wide as the terminal; nothing is wrapped or cut where there is none
    pub(crate) columns: Option<usize>,
    pub(crate) ink: Ink,
}

/// For a terminal that does not know how wide it is; and what none is.
const USUAL: usize = 80;
const NARROWEST: usize = 20;
const WIDEST: usize = 2_000;

impl Look {
    /// For an output that is no terminal: the same everywhere.
    pub(crate) const PLAIN: Self = Self { columns: None, ink: Ink::Plain };

    /// For the stdout of this process, whatever it is.
    pub(crate) fn of_stdout(environment: &Environment) -> Self {
        let stdout = std::io::stdout();
        if !stdout.is_terminal() {
            return Self::PLAIN;
        }
        let size = tcgetwinsize(stdout).map_or(0, |size| usize::from(size.ws_col));
        let columns = if size == 0 { USUAL } else { size.clamp(NARROWEST, WIDEST) };
        let ink = if environment.no_color { Ink::NoColours } else { Ink::Colours };
        Self { columns: Some(columns), ink }
    }

    pub(super) fn block(&self, block: &Block, badge: Option<&Badge>) -> Vec<String> {
        match (self.columns, badge) {
            (Some(columns), badge) => self.paint(&block.printed(badge, columns)),
            (None, Some(badge)) => named(&badge.name, &block.plain()),
            (None, None) => block.plain(),
        }
    }

    /// A text behind a sign, its other lines below the first.
    pub(super) fn note(&self, sign: Row, style: Style, text: &str) -> Vec<String> {
        let mut margin = Margin { rest: Row::blanks(2), first: sign };
        let mut rows = Vec::new();
        for line in text.split('\n') {
            let words = Row::foreign(style, line);
            match self.columns {
                Some(columns) => rows.extend(fold(&words, &margin, columns, Breaks::Words)),
                None => rows.push(margin.first.clone().then(&words)),
            }
            margin = Margin::blank(2);
        }
        self.paint(&rows)
    }

    /// The first of them, and how many there are more.
    pub(super) fn at_most(&self, mut rows: Vec<String>, most: usize) -> Vec<String> {
        let more = rows.len().saturating_sub(most);
        if more > 0 {
            rows.truncate(most);
            rows.extend(self.paint(&[Row::foreign(Style::DIM, &format!("  … {more} more rows"))]));
        }
        rows
    }

    /// A row that must not be wrapped, cut at the edge of the terminal.
    pub(super) fn cut(&self, row: &Row) -> Row {
        self.columns.map_or_else(|| row.clone(), |columns| row.fit(columns))
    }

    pub(super) fn paint(&self, rows: &[Row]) -> Vec<String> {
        let painted = |row: &Row| {
            let mut text = paint(row, self.ink);
            text.truncate(text.trim_end_matches(' ').len());
            text
        };
        rows.iter().map(painted).collect()
    }

    /// As many columns as a row may have.
    pub(crate) fn room(&self) -> usize {
        self.columns.unwrap_or(usize::MAX)
    }
}

/// Each row behind the name of whose it is.
pub(super) fn named(who: &str, rows: &[String]) -> Vec<String> {
    let who = visible(who);
    rows.iter().map(|row| format!("{who}  {row}").trim_end_matches(' ').to_owned()).collect()
}
