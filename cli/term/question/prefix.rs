//! How much of a command counts: its first words, or exactly all of it.
//!
//! Owns the cut. Begins with the exact command, which allows least.

use std::cell::Cell;

use codec::json::{Json, Text, Written as _};
use codec::tunnel::PromptConfig;

use super::super::keys::{Code, Key};
use super::super::style::{Row, Span, Style};
use super::Effect;
use super::cut;
use super::draw::{BACK_TO_LINE, Binding, CYAN, Drawn, Room, at_most, labelled};
use super::widget::{Asking, Said, pressed};

#[derive(Debug)]
pub(super) struct PrefixSelect {
    said: Said,
    command: String,
    /// where each word ends, in bytes
    ends: Vec<usize>,
    /// how many words count
    words: usize,
    is_exact: bool,
    /// the last drawing had no room for all that is kept
    is_cut: Cell<bool>,
}

impl PrefixSelect {
    pub(super) fn new(config: &PromptConfig<'_>) -> Self {
        let command = config.command.as_ref().map(|command| command.get().into_owned()).unwrap_or_default();
        let ends = ends_of_words(&command);
        Self {
            said: Said::by(config),
            words: ends.len(),
            command,
            ends,
            is_exact: true,
            is_cut: Cell::new(false),
        }
    }

    /// The words that count.
    fn kept(&self) -> &str {
        if self.is_exact || self.words == self.ends.len() {
            return &self.command;
        }
        let end = self.words.checked_sub(1).and_then(|last| self.ends.get(last));
        end.and_then(|end| self.command.get(..*end)).unwrap_or(&self.command)
    }

    fn go(&mut self, words: usize) -> Effect {
        if words == 0 || words > self.ends.len() {
            return Effect::hint(HINT);
        }
        self.words = words;
        self.is_exact = false;
        Effect::Redraw
    }

    fn keep(&self) -> Effect {
        if self.ends.is_empty() {
            return Effect::hint("There is no command here: Ctrl-C gives no answer");
        }
        Effect::Answer(Json::object(|out| {
            out.member("command", |to| Text::new(self.kept()).write(to));
            out.member("exact", |to| self.is_exact.write(to));
        }))
    }
}

/// Rows for what is kept.
const MOST_KEPT: usize = 4;
const HINT: &str = "← makes it shorter, → longer, Enter keeps it";

fn ends_of_words(command: &str) -> Vec<usize> {
    let mut is_inside = false;
    let mut ends = Vec::new();
    for (at, letter) in command.char_indices() {
        if is_inside && letter.is_whitespace() {
            ends.push(at);
        }
        is_inside = !letter.is_whitespace();
    }
    ends.extend(is_inside.then_some(command.len()));
    ends
}

impl Asking for PrefixSelect {
    fn key(&mut self, key: Key, _: bool) -> Effect {
        match pressed(key) {
            Some(Code::Left) if self.is_exact && !self.ends.is_empty() => self.go(self.ends.len()),
            Some(Code::Left) => self.go(self.words.saturating_sub(1)),
            Some(Code::Right) if self.words < self.ends.len() && !self.is_exact => self.go(self.words + 1),
            Some(Code::Right) if !self.is_exact => {
                self.is_exact = true;
                Effect::Redraw
            }
            Some(Code::Char('e')) => {
                self.is_exact = !self.is_exact;
                Effect::Redraw
            }
            Some(Code::Enter) if self.is_cut.get() => {
                Effect::hint("Not all of it is shown: make it shorter, or the window larger")
            }
            Some(Code::Enter) => self.keep(),
            _ => Effect::hint(HINT),
        }
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.said.rows(columns)
    }

    fn controls(&mut self, room: Room) -> Drawn {
        let kept = self.kept();
        let says = if self.is_exact { "exactly " } else { "all that begins with " };
        let keeps = Row::own(Style::DIM, says).and(Span::foreign(CYAN, &kept.replace('\n', " ")));
        let below = labelled("keeps", &keeps, room.columns);
        self.is_cut.set(below.len() > MOST_KEPT);
        let below = at_most(MOST_KEPT, below, room.columns);
        let height = room.height.saturating_sub(below.len());
        let mut rows = cut::rows(&self.command, &(0..kept.len()), Room { height, ..room });
        rows.extend(below);
        rows.into()
    }

    fn bindings(&self, _: bool) -> Vec<Binding> {
        vec![
            Binding::new("←", "shorter"),
            Binding::new("→", "longer"),
            Binding::new("e", "exact"),
            Binding::new("Enter", "keeps this"),
            Binding::extra("Esc", BACK_TO_LINE),
            Binding::extra("Ctrl-C", "decline"),
        ]
    }
}
