//! What somebody decided about a tool, read from an answer.
//!
//! Owns the form of that answer. Nothing but a clear yes is a yes, and what holds for longer than once says in rules what
//! it holds for. Whether those rules would allow what was asked is not looked at here.

use codec::json::{Fault, Json, Kind, Object, Wrong};
use codec::tunnel::Scope;

use crate::gate::rules::Rule;

use super::text;

/// How many rules one answer may carry: one for each part of a command, and no more than a person can follow.
pub const MOST_RULES: usize = 8;

/// The longest rule that an answer may carry, in bytes.
pub const LONGEST_RULE: usize = 4_096;

/// What somebody decided about a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// whether it may run
    pub allow: bool,
    /// for how long that holds
    pub scope: Scope,
    /// the rules that say what it holds for; at least one if it allows for longer than once
    pub rules: Vec<String>,
    /// where rules that hold for always are to be saved
    pub saved: Saved,
    /// what the person would like the agent to know
    pub reason: Option<String>,
}

/// Where rules that hold for always are to be saved. Whether anybody does is not the answer's business.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Saved {
    /// in tim's own file of rules
    #[default]
    Tim,
    /// in the settings that Claude Code has for the folder of the work
    Claude,
}

impl Saved {
    /// As an answer says it; what goes without saying is not said.
    #[must_use]
    pub const fn word(self) -> Option<&'static str> {
        match self {
            Saved::Tim => None,
            Saved::Claude => Some("claude"),
        }
    }

    /// Reads it. Only what is allowed for always is saved at all.
    fn read(object: &mut Object<'_>, scope: Scope) -> Result<Self, Wrong> {
        let wrong = |expected| Err(Wrong::new("saved", Fault::NotA { expected }));
        match text(object, "saved")?.as_deref() {
            None => Ok(Saved::Tim),
            Some(_) if scope != Scope::Always => wrong("absent where the scope is not always"),
            Some("tim") => Ok(Saved::Tim),
            Some("claude") => Ok(Saved::Claude),
            Some(_) => wrong("tim or claude"),
        }
    }
}

impl Verdict {
    /// Reads `{"allow", "scope"?, "rule"? or "rules"?, "saved"?, "reason"?}`. Nothing but a clear yes is a yes.
    pub fn read(value: &Json<'_>) -> Result<Self, Wrong> {
        let mut object = Object::read(value.clone())?;
        let allow = flag(&mut object, "allow")?;
        let scope = match text(&mut object, "scope")? {
            None => Scope::Once,
            Some(word) => {
                let wrong = || Wrong::new("scope", Fault::NotA { expected: "once, session or always" });
                Scope::from_word(&word).ok_or_else(wrong)?
            }
        };
        let verdict = Self {
            allow,
            scope,
            rules: rules(&mut object)?,
            saved: Saved::read(&mut object, scope)?,
            reason: text(&mut object, "reason")?,
        };
        if verdict.is_grant() {
            verdict.check_grant()?;
        }
        Ok(verdict)
    }

    /// Whether it allows for longer than once.
    #[must_use]
    pub fn is_grant(&self) -> bool {
        self.allow && self.scope != Scope::Once
    }

    /// The rules that hold from now on: none if it allows nothing, or only once.
    #[must_use]
    pub fn granted(&self) -> Vec<Rule> {
        let rules = self.rules.iter().filter(|_| self.is_grant());
        rules.filter_map(|rule| Rule::parse(rule).ok()).collect()
    }

    /// What is granted must be rules, all of it: of one that is none nobody knows what the person meant by it.
    fn check_grant(&self) -> Result<(), Wrong> {
        if self.rules.is_empty() {
            return Err(Wrong::new("rule", Fault::Missing));
        }
        match self.rules.iter().position(|rule| Rule::parse(rule).is_err()) {
            None => Ok(()),
            Some(at) => {
                Err(Wrong::new(&self.name(at), Fault::NotA { expected: "a rule, such as Bash(ls:*)" }))
            }
        }
    }

    /// What the rule at a place is called in the answer.
    fn name(&self, at: usize) -> String {
        if self.rules.len() == 1 { "rule".to_owned() } else { format!("rules[{at}]") }
    }
}

/// Writes rules as an answer carries them: one by itself, several as a list.
#[must_use]
pub fn rules_member(rules: &[String]) -> Option<(&'static str, Json<'static>)> {
    match rules {
        [] => None,
        [one] => Some(("rule", Json::of(one))),
        several => Some(("rules", Json::of(several))),
    }
}

/// One rule or several, but not both: nobody could tell whether the one is meant too.
fn rules(object: &mut Object<'_>) -> Result<Vec<String>, Wrong> {
    let one = text(object, "rule")?.filter(|rule| !rule.trim().is_empty());
    let several = match object.take("rules")?.filter(|list| list.kind() != Kind::Null) {
        None => return bounded(one.into_iter().collect()),
        Some(list) => texts(&list).ok_or_else(|| Wrong::new("rules", LIST))?,
    };
    match one {
        Some(_) => Err(Wrong::new("rules", Fault::NotA { expected: "absent where there is a rule" })),
        None => bounded(several),
    }
}

const LIST: Fault = Fault::NotA { expected: "a list of rules" };

fn texts(list: &Json<'_>) -> Option<Vec<String>> {
    let list = list.as_list()?;
    list.iter().map(|one| one.as_text().map(|text| text.get().into_owned())).collect()
}

fn bounded(rules: Vec<String>) -> Result<Vec<String>, Wrong> {
    if rules.len() > MOST_RULES {
        return Err(Wrong::new("rules", Fault::TooMany { limit: MOST_RULES }));
    }
    if rules.iter().any(|rule| rule.len() > LONGEST_RULE) {
        return Err(Wrong::new("rule", Fault::TooLong { limit: LONGEST_RULE, unit: "bytes" }));
    }
    Ok(rules)
}

fn flag(object: &mut Object<'_>, name: &str) -> Result<bool, Wrong> {
    let value = object.take(name)?.ok_or_else(|| Wrong::new(name, Fault::Missing))?;
    value.as_flag().ok_or_else(|| Wrong::new(name, Fault::NotA { expected: "true or false" }))
}
