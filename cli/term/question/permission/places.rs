//! Where rules that hold for always are saved: in tim's own file, or in Claude's settings of the folder.
//!
//! Owns that choice and the rows that show it. Saves nothing. A rule that Claude would read otherwise is not for its file.

use actors::answer::Saved;

use super::super::super::style::{Row, Span, Style};
use super::super::super::wrap::{Breaks, Margin, fold};
use super::super::Here;
use super::super::draw::{YELLOW, labelled};
use crate::claude_settings::same;

/// The files there are, as people know them.
#[derive(Debug, Clone)]
pub(super) struct Places {
    tim: String,
    /// none where nobody knows the folder
    claude: Option<String>,
    pub(super) saved: Saved,
}

impl Places {
    /// Those of the place where it is asked; nothing if nothing is saved there.
    pub(super) fn of(here: &Here) -> Option<Self> {
        let some = |file: &String| Some(file.clone()).filter(|file| !file.is_empty());
        let tim = some(&here.rules_file)?;
        Some(Self { tim, claude: some(&here.claude_file), saved: Saved::Tim })
    }

    /// Whether there is a choice.
    pub(super) const fn has_two(&self) -> bool {
        self.claude.is_some()
    }

    /// The other file.
    pub(super) const fn other(&self) -> Saved {
        match self.saved {
            Saved::Tim => Saved::Claude,
            Saved::Claude => Saved::Tim,
        }
    }

    /// Why these rules cannot be saved there.
    pub(super) fn why_not(rules: &[String], there: Saved) -> Option<&'static str> {
        match there {
            Saved::Tim => None,
            Saved::Claude => rules.iter().find_map(|rule| same::why_not(rule)),
        }
    }

    /// The file that it is, by which key it becomes the other one, and what is to be known of it.
    pub(super) fn rows(&self, rules: &[String], columns: usize) -> Vec<Row> {
        let (file, other) = match (self.saved, &self.claude) {
            (_, None) => (&self.tim, None),
            (Saved::Tim, Some(claude)) => (&self.tim, Some(claude)),
            (Saved::Claude, Some(claude)) => (claude, Some(&self.tim)),
        };
        let mut row = Row::foreign(Style::PLAIN, file);
        if let Some(other) = other {
            row = row.and(Span::own(Style::BOLD, "   Tab")).and(Span::own(Style::DIM, ": "));
            row = row.and(Span::foreign(Style::DIM, other));
        }
        let mut rows = labelled("saved", &row, columns);
        if self.saved == Saved::Claude {
            let remark = match Self::why_not(rules, self.saved) {
                None => Row::own(Style::DIM, REMARK),
                Some(why) => Row::own(YELLOW, why),
            };
            let margin = if columns < NARROW { 2 } else { MARGIN };
            rows.extend(fold(&remark, &Margin::blank(margin), columns, Breaks::Words));
        }
        rows
    }
}

const REMARK: &str = "Claude's own matching applies there: its Bash(x:*) may be wider";

/// As wide as the label above it.
const MARGIN: usize = 9;
/// Where the screen is narrower nothing is aligned.
const NARROW: usize = 40;
