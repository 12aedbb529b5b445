//! The exact rules, before they are kept: one for each part of a command that needs one.
//!
//! Owns which of the rules that would do is shown for each part. What the screen says is what is kept.

use actors::answer::Saved;

use super::super::super::keys::Code;
use super::super::super::style::{Row, Span, Style};
use super::super::Effect;
use super::super::cut;
use super::super::draw::{Binding, CYAN, Room, labelled};
use super::grant::{Part, chosen};
use super::places::Places;

/// The step in which rules are chosen.
#[derive(Debug)]
pub(super) struct RuleRow {
    parts: Vec<Part>,
    /// the part whose rule the keys change
    marked: usize,
    /// where they are saved; nowhere if they hold for the session
    places: Option<Places>,
}

impl RuleRow {
    pub(super) fn new(parts: Vec<Part>, places: Option<Places>) -> Self {
        let marked = parts.iter().position(needs_rule).unwrap_or_default();
        Self { parts, marked, places }
    }

    /// The rules that stand there.
    pub(super) fn rules(&self) -> Vec<String> {
        chosen(&self.parts)
    }

    pub(super) const fn scope(&self) -> &'static str {
        if self.places.is_some() { "always" } else { "session" }
    }

    pub(super) const fn heading(&self) -> &'static str {
        if self.places.is_some() { "Allow always" } else { "Allow for this session" }
    }

    /// Where they are saved.
    pub(super) fn saved(&self) -> Saved {
        self.places.as_ref().map(|places| places.saved).unwrap_or_default()
    }

    /// Why the rules that stand there cannot be kept where the screen says.
    pub(super) fn why_not(&self) -> Option<&'static str> {
        Places::why_not(&self.rules(), self.saved())
    }

    /// Whether they can be saved elsewhere too.
    fn has_places(&self) -> bool {
        self.places.as_ref().is_some_and(Places::has_two)
    }

    /// Whether there is more than one rule for some part.
    fn has_choice(&self) -> bool {
        self.parts.iter().any(|part| part.rules.len() > 1)
    }

    /// Whether several parts have rules, so that one of them is marked.
    fn has_several(&self) -> bool {
        self.parts.iter().filter(|part| needs_rule(part)).count() > 1
    }

    pub(super) fn key(&mut self, code: Option<Code>) -> Effect {
        match code {
            Some(Code::Left | Code::Right) if !self.has_choice() => self.which_keys(),
            Some(Code::Left) => self.change(|at, _| at.checked_sub(1), "No shorter rule is offered"),
            Some(Code::Right) => {
                self.change(|at, count| Some(at + 1).filter(|at| *at < count), "No longer rule is offered")
            }
            Some(Code::Up) if self.has_several() => {
                let above = self.parts.iter().take(self.marked).rposition(needs_rule);
                self.mark(above, "No part above it needs a rule")
            }
            Some(Code::Down) if self.has_several() => {
                let below = self.parts.iter().skip(self.marked + 1).position(needs_rule);
                self.mark(below.map(|at| self.marked + 1 + at), "No part below it needs a rule")
            }
            Some(Code::Tab) if self.has_places() => self.save_elsewhere(),
            _ => self.which_keys(),
        }
    }

    fn which_keys(&self) -> Effect {
        let keys = match (self.has_several(), self.has_choice()) {
            (true, _) => "↑↓ choose a part, ← makes its rule shorter, → longer, Enter keeps all",
            (false, true) => "← makes the rule shorter, → longer, Enter keeps it",
            (false, false) => "Enter keeps the rule, Esc goes back",
        };
        Effect::hint(keys)
    }

    /// The other file. What cannot be there stays where it is.
    fn save_elsewhere(&mut self) -> Effect {
        let rules = self.rules();
        let Some(places) = &mut self.places else { return Effect::Nothing };
        let other = places.other();
        match Places::why_not(&rules, other) {
            Some(why) => Effect::hint(why),
            None => {
                places.saved = other;
                Effect::Redraw
            }
        }
    }

    fn change(&mut self, to: impl Fn(usize, usize) -> Option<usize>, else_says: &str) -> Effect {
        let Some(part) = self.parts.get_mut(self.marked) else { return Effect::Nothing };
        match to(part.at, part.rules.len()) {
            Some(at) => {
                part.at = at;
                Effect::Redraw
            }
            None => Effect::hint(else_says),
        }
    }

    fn mark(&mut self, part: Option<usize>, else_says: &str) -> Effect {
        match part {
            Some(part) => {
                self.marked = part;
                Effect::Redraw
            }
            None => Effect::hint(else_says),
        }
    }

    /// All rules stand there, whatever room there is; of the parts as much as has room.
    pub(super) fn rows(&self, room: Room) -> Vec<Row> {
        let labelled_rule = |rule: &String| labelled("rule", &Row::foreign(CYAN, rule), room.columns);
        let rules: Vec<Vec<Row>> =
            self.parts.iter().map(|part| part.rule().map(labelled_rule).unwrap_or_default()).collect();
        let saved = self.places.as_ref().map(|places| places.rows(&self.rules(), room.columns));
        let saved = saved.unwrap_or_default();
        let fixed = rules.iter().map(Vec::len).sum::<usize>() + saved.len();
        let texts = self.texts(Room { height: room.height.saturating_sub(fixed), ..room });
        let parts = texts.into_iter().zip(rules).flat_map(|(text, rule)| text.into_iter().chain(rule));
        parts.chain(saved).collect()
    }

    /// What stands there of each part. Where not all have room the marked one has, then those that need a rule.
    fn texts(&self, room: Room) -> Vec<Vec<Row>> {
        let count = self.parts.len();
        let each = Room { height: (room.height / count.max(1)).max(1), ..room };
        let mut texts = vec![Vec::new(); count];
        let mut left = room.height;
        let needs_none = |at: usize| !self.parts.get(at).is_some_and(needs_rule);
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_by_key(|at| (*at != self.marked, needs_none(*at)));
        for at in order {
            let mut text = self.part(at, each);
            text.truncate(left);
            left -= text.len();
            if let Some(place) = texts.get_mut(at) {
                *place = text;
            }
        }
        texts
    }

    /// A part of the command. The marked one shows the words that its rule spells out.
    fn part(&self, at: usize, room: Room) -> Vec<Row> {
        let Some(part) = self.parts.get(at) else { return Vec::new() };
        let Some(rule) = part.rule() else { return cut::plain(&part.text, Style::DIM, room) };
        if part.text.is_empty() {
            return Vec::new();
        }
        if at != self.marked || !rule.starts_with("Bash(") {
            return cut::plain(&part.text, Style::PLAIN, room);
        }
        let rows = cut::rows(&part.text, &spelled_out(rule, &part.text), room);
        if self.has_several() { pointed_at(rows) } else { rows }
    }

    pub(super) fn bindings(&self) -> Vec<Binding> {
        let between = self.has_several().then(|| Binding::new("↑↓", "part"));
        let keeps = if self.has_several() { "keeps these rules" } else { "keeps this rule" };
        let change = [Binding::new("←", "shorter"), Binding::new("→", "longer")];
        let change = change.into_iter().filter(|_| self.has_choice());
        let rest = [Binding::new("Enter", keeps), Binding::new("Esc", "back")];
        between.into_iter().chain(change).chain(rest).collect()
    }
}

fn needs_rule(part: &Part) -> bool {
    !part.rules.is_empty()
}

/// Which words of a part a rule spells out.
fn spelled_out(rule: &str, part: &str) -> std::ops::Range<usize> {
    let words = rule.strip_prefix("Bash(").and_then(|rule| rule.strip_suffix(')')).unwrap_or_default();
    let words = words.strip_suffix(":*").unwrap_or(words);
    let is_end = |end: usize| part.get(end..).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let is_begin = |at: usize| part.get(..at).is_some_and(|head| head.is_empty() || head.ends_with(' '));
    let found = part.find(words).filter(|at| is_begin(*at) && is_end(at + words.len()));
    found.map_or(0..0, |at| at..at + words.len())
}

/// The same rows with a mark in the margin of the first. Where there is no margin there is no room for it.
fn pointed_at(rows: Vec<Row>) -> Vec<Row> {
    let mut rows = rows.into_iter();
    let first = rows.next().map(|row| {
        if !row.text().starts_with(MARGIN) {
            return row;
        }
        let mut pointed = Row::blanks(2).and(Span::own(CYAN, "❯ "));
        let mut skipped = MARGIN.len();
        for span in row.spans() {
            let left = span.text().len().saturating_sub(skipped);
            if left > 0 {
                pointed.push_part(span, skipped, left);
            }
            skipped = 0;
        }
        pointed
    });
    first.into_iter().chain(rows).collect()
}

/// What stands left of a command.
const MARGIN: &str = "    ";
