//! May this tool run? Once, for this session, for always, no, or no and why.
//!
//! Owns the steps of that decision. Only a letter that stands on the screen decides; Enter and Space never allow a tool, but
//! in the step that shows rules, where Enter keeps exactly those. Nothing is allowed before all of it was on the screen.

mod grant;
mod places;
mod rule_row;
pub(super) mod tool;

use actors::answer::{Saved, rules_member};
use actors::question::Tool;
use codec::json::{Json, Text, Written as _};

use super::super::keys::{Code, Key};
use super::super::style::Row;
use super::draw::{Binding, Drawn, Room};
use super::field::{Field, Typed};
use super::reader::LOOK_FIRST;
use super::widget::{Asking, pressed};
use super::{Effect, Here};
use grant::{Grant, Part};
use places::Places;
use rule_row::RuleRow;
use tool::Wish;

/// A permission that is asked for.
#[derive(Debug)]
pub(super) struct Permission {
    wish: Wish,
    grant: Grant,
    places: Option<Places>,
    step: Step,
}

/// Where the decision is.
#[derive(Debug)]
enum Step {
    /// at its beginning
    Open,
    /// which rules are kept
    Rule(RuleRow),
    /// what the agent is told
    Reason(Field),
}

impl Permission {
    pub(super) fn new(tool: &Tool, here: &Here) -> Self {
        Self {
            wish: Wish::of(tool, &here.place),
            grant: if here.keeps_rules || tool.is_plan() {
                Grant::of(tool, &here.place)
            } else {
                Grant::Nothing
            },
            places: Places::of(here),
            step: Step::Open,
        }
    }

    fn decide(&mut self, code: Option<Code>, is_seen: bool) -> Effect {
        match code {
            Some(Code::Char('y' | 's' | 'p')) if self.wish.is_too_long => {
                Effect::hint("It is too long to be read here: n says no, t tells it why")
            }
            Some(Code::Char('y' | 's' | 'p')) if !is_seen => Effect::hint(LOOK_FIRST),
            Some(Code::Char('y')) => Effect::Answer(verdict(true, "once", &[], Saved::Tim, None)),
            Some(Code::Char('n')) => Effect::Answer(verdict(false, "once", &[], Saved::Tim, None)),
            Some(Code::Char('s')) => self.keep(false),
            Some(Code::Char('p')) => self.keep(true),
            Some(Code::Char('t')) => {
                self.step = Step::Reason(Field::default());
                Effect::Redraw
            }
            _ => self.which_keys(),
        }
    }

    fn which_keys(&self) -> Effect {
        let letters = match &self.grant {
            Grant::Nothing | Grant::Plan => "y, n or t",
            _ if self.is_saved() => "y, s, p, n or t",
            _ => "y, s, n or t",
        };
        Effect::Hint(format!("Answer with {letters}"))
    }

    /// Whether it can be allowed for always.
    fn is_saved(&self) -> bool {
        self.places.is_some() && self.grant.is_for_always_too()
    }

    fn keep(&mut self, is_for_always: bool) -> Effect {
        let parts = match &self.grant {
            _ if is_for_always && !self.is_saved() => return self.which_keys(),
            Grant::Nothing | Grant::Plan => return self.which_keys(),
            Grant::Command(asked) => match asked.offers() {
                Ok(parts) => parts,
                Err(why) => return Effect::hint(why),
            },
            Grant::Rule { rule, .. } if !is_for_always => {
                let rules = std::slice::from_ref(rule);
                return Effect::Answer(verdict(true, "session", rules, Saved::Tim, None));
            }
            Grant::Rule { rule, about, .. } => {
                vec![Part { text: about.clone(), rules: vec![rule.clone()], at: 0 }]
            }
        };
        self.step = Step::Rule(RuleRow::new(parts, self.places.clone().filter(|_| is_for_always)));
        Effect::Redraw
    }

    fn explain(field: &mut Field, key: Key) -> Effect {
        match field.key(key) {
            Typed::Enter(text) if text.trim().is_empty() => Effect::hint("Write why, or Esc back"),
            Typed::Enter(text) => Effect::Answer(verdict(false, "once", &[], Saved::Tim, Some(text.trim()))),
            typed => typed.into(),
        }
    }
}

/// The answer to a permission.
fn verdict(allow: bool, scope: &str, rules: &[String], saved: Saved, reason: Option<&str>) -> Json<'static> {
    Json::object(|out| {
        out.member("allow", |to| allow.write(to));
        out.member("scope", |to| Text::new(scope).write(to));
        if let Some((name, rules)) = rules_member(rules) {
            out.member(name, |to| rules.write(to));
        }
        if let Some(saved) = saved.word() {
            out.member("saved", |to| Text::new(saved).write(to));
        }
        if let Some(reason) = reason {
            out.member("reason", |to| Text::new(reason).write(to));
        }
    })
}

impl Asking for Permission {
    fn key(&mut self, key: Key, is_seen: bool) -> Effect {
        match &mut self.step {
            Step::Open => self.decide(pressed(key), is_seen),
            Step::Rule(row) => match pressed(key) {
                Some(Code::Enter) if !is_seen => {
                    Effect::hint("Look at the rule first: it was not on the screen yet")
                }
                Some(Code::Enter) => match row.why_not() {
                    Some(why) => Effect::hint(why),
                    None => Effect::Answer(verdict(true, row.scope(), &row.rules(), row.saved(), None)),
                },
                code => row.key(code),
            },
            Step::Reason(field) => Self::explain(field, key),
        }
    }

    fn field(&mut self) -> Option<&mut Field> {
        match &mut self.step {
            Step::Reason(field) => Some(field),
            _ => None,
        }
    }

    fn back(&mut self) -> bool {
        let was_inside = !matches!(self.step, Step::Open);
        self.step = Step::Open;
        was_inside
    }

    fn is_shown_whole(&self) -> bool {
        !self.wish.is_too_long
    }

    fn needs_seen(&self) -> Option<&'static str> {
        matches!(self.step, Step::Open).then_some("y")
    }

    fn step(&self) -> Option<&'static str> {
        match &self.step {
            Step::Rule(row) => Some(row.heading()),
            _ => None,
        }
    }

    fn text(&self, columns: usize) -> Vec<Row> {
        self.wish.rows(columns)
    }

    fn controls(&mut self, room: Room) -> Drawn {
        match &self.step {
            Step::Open => Drawn::default(),
            Step::Rule(row) => row.rows(room).into(),
            Step::Reason(field) => field.draw("tell it why", room),
        }
    }

    fn bindings(&self, is_seen: bool) -> Vec<Binding> {
        match &self.step {
            Step::Rule(row) => row.bindings(),
            Step::Reason(_) => vec![Binding::new("Enter", "says no with this"), Binding::new("Esc", "back")],
            Step::Open => {
                let allowing = if is_seen { self.grant.bindings(self.is_saved()) } else { Vec::new() };
                let rest = [
                    Binding::new("n", "no"),
                    Binding::new("t", "no, tell it why"),
                    Binding::extra("?", "keys"),
                ];
                allowing.into_iter().chain(rest).collect()
            }
        }
    }
}
