//! May this tool run? Once, for this session, for always, no, or no and why.
//!
//! Owns the steps of that decision. Only a letter that stands on the screen decides; Enter and Space never allow a tool, but
//! in the step that shows rules, where Enter keeps exactly those. Nothing is allowed before all of it was on the screen.

mod grant;
mod rule_row;
pub(super) mod tool;

use actors::answer::rules_member;
use actors::question::Tool;
use codec::json::{Json, Text, Written as _};

use super::super::keys::{Code, Key};
use super::super::style::Row;
use super::draw::{Binding, Drawn, Room};
use super::field::{Field, Typed};
use super::reader::LOOK_FIRST;
use super::widget::{Asking, pressed};
use super::{Effect, Here};
use grant::Grant;
use rule_row::RuleRow;
use tool::Wish;

/// A permission that is asked for.
#[derive(Debug)]
pub(super) struct Permission {
    wish: Wish,
    grant: Grant,
    rules_file: String,
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
            grant: if here.keeps_rules { Grant::of(tool, &here.place) } else { Grant::Nothing },
            rules_file: here.rules_file.clone(),
            step: Step::Open,
        }
    }

    fn decide(&mut self, code: Option<Code>, is_seen: bool) -> Effect {
        match code {
            Some(Code::Char('y' | 's' | 'p')) if self.wish.is_too_long => {
                Effect::hint("It is too long to be read here: n says no, t tells it why")
            }
            Some(Code::Char('y' | 's' | 'p')) if !is_seen => Effect::hint(LOOK_FIRST),
            Some(Code::Char('y')) => Effect::Answer(verdict(true, "once", &[], None)),
            Some(Code::Char('n')) => Effect::Answer(verdict(false, "once", &[], None)),
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
            Grant::Command(_) if self.rules_file.is_empty() => "y, s, n or t",
            Grant::Command(_) => "y, s, p, n or t",
            Grant::Rule { .. } => "y, s, n or t",
            Grant::Nothing => "y, n or t",
        };
        Effect::Hint(format!("Answer with {letters}"))
    }

    fn keep(&mut self, is_for_always: bool) -> Effect {
        match &self.grant {
            _ if is_for_always && self.rules_file.is_empty() => self.which_keys(),
            Grant::Command(asked) => match asked.offers() {
                Ok(parts) => {
                    self.step = Step::Rule(RuleRow::new(parts, is_for_always));
                    Effect::Redraw
                }
                Err(why) => Effect::hint(why),
            },
            Grant::Rule { rule, .. } if !is_for_always => {
                Effect::Answer(verdict(true, "session", std::slice::from_ref(rule), None))
            }
            _ => self.which_keys(),
        }
    }

    fn explain(field: &mut Field, key: Key) -> Effect {
        match field.key(key) {
            Typed::Enter(text) if text.trim().is_empty() => Effect::hint("Write why, or Esc back"),
            Typed::Enter(text) => Effect::Answer(verdict(false, "once", &[], Some(text.trim()))),
            typed => typed.into(),
        }
    }
}

/// The answer to a permission.
fn verdict(allow: bool, scope: &str, rules: &[String], reason: Option<&str>) -> Json<'static> {
    Json::object(|out| {
        out.member("allow", |to| allow.write(to));
        out.member("scope", |to| Text::new(scope).write(to));
        if let Some((name, rules)) = rules_member(rules) {
            out.member(name, |to| rules.write(to));
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
                Some(Code::Enter) => Effect::Answer(verdict(true, row.scope(), &row.rules(), None)),
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

    fn controls(&self, room: Room) -> Drawn {
        match &self.step {
            Step::Open => Drawn::default(),
            Step::Rule(row) => row.rows(&self.rules_file, room).into(),
            Step::Reason(field) => field.draw("tell it why", room),
        }
    }

    fn bindings(&self, is_seen: bool) -> Vec<Binding> {
        match &self.step {
            Step::Rule(row) => row.bindings(),
            Step::Reason(_) => vec![Binding::new("Enter", "says no with this"), Binding::new("Esc", "back")],
            Step::Open => {
                let allowing =
                    if is_seen { self.grant.bindings(!self.rules_file.is_empty()) } else { Vec::new() };
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
