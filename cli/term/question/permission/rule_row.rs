//! The exact rule, before it is kept.
//!
//! Owns which of the rules that would do is shown. What the screen says is what is kept.

use super::super::super::keys::Code;
use super::super::super::style::{Row, Style};
use super::super::Effect;
use super::super::cut;
use super::super::draw::{Binding, CYAN, Room, labelled};
use super::grant::Offer;

/// The step in which a rule is chosen.
#[derive(Debug)]
pub(super) struct RuleRow {
    offer: Offer,
    at: usize,
    is_for_always: bool,
}

impl RuleRow {
    pub(super) const fn new(offer: Offer, is_for_always: bool) -> Self {
        Self { at: offer.preferred, offer, is_for_always }
    }

    pub(super) fn rule(&self) -> &str {
        self.offer.rules.get(self.at).map(String::as_str).unwrap_or_default()
    }

    pub(super) const fn scope(&self) -> &'static str {
        if self.is_for_always { "always" } else { "session" }
    }

    pub(super) const fn heading(&self) -> &'static str {
        if self.is_for_always { "Allow always" } else { "Allow for this session" }
    }

    pub(super) fn key(&mut self, code: Option<Code>) -> Effect {
        let at = match code {
            Some(Code::Left) => self.at.checked_sub(1),
            Some(Code::Right) => Some(self.at + 1).filter(|at| *at < self.offer.rules.len()),
            _ => return Effect::hint("← makes the rule shorter, → longer, Enter keeps it"),
        };
        match at {
            Some(at) => {
                self.at = at;
                Effect::Redraw
            }
            None if code == Some(Code::Left) => Effect::hint("No shorter rule is offered"),
            None => Effect::hint("No longer rule is offered"),
        }
    }

    pub(super) fn rows(&self, rules_file: &str, room: Room) -> Vec<Row> {
        let rule = labelled("rule", &Row::foreign(CYAN, self.rule()), room.columns);
        let file = self.is_for_always.then(|| Row::foreign(Style::PLAIN, rules_file));
        let saved = file.map(|file| labelled("saved", &file, room.columns)).unwrap_or_default();
        let left = room.height.saturating_sub(rule.len() + saved.len());
        let each = Room { height: (left / self.offer.parts.len().max(1)).max(1), ..room };
        let mut rows: Vec<Row> = self.offer.parts.iter().flat_map(|part| self.part(part, each)).collect();
        rows.truncate(left);
        rows.into_iter().chain(rule).chain(saved).collect()
    }

    /// A part of the command, with the words that the rule spells out.
    fn part(&self, part: &str, room: Room) -> Vec<Row> {
        let words =
            self.rule().strip_prefix("Bash(").and_then(|rule| rule.strip_suffix(')')).unwrap_or_default();
        let words = words.strip_suffix(":*").unwrap_or(words);
        let is_end =
            |end: usize| part.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
        let is_begin = |at: usize| part.get(..at).is_some_and(|head| head.is_empty() || head.ends_with(' '));
        let found = part.find(words).filter(|at| is_begin(*at) && is_end(at + words.len()));
        match found {
            Some(at) => cut::rows(part, &(at..at + words.len()), room),
            None => cut::rows(part, &(0..0), room),
        }
    }

    pub(super) fn bindings(&self) -> Vec<Binding> {
        vec![
            Binding::new("←", "shorter"),
            Binding::new("→", "longer"),
            Binding::new("Enter", "keeps this rule"),
            Binding::new("Esc", "back"),
        ]
    }
}
