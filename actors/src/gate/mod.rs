//! What answers permission requests without a person: the written rules, and nothing else.
//!
//! Owns the judgement of one use of a tool: a deny rule that is about it denies, an allow rule that covers all of it
//! allows, and everything else asks. What is not understood asks. Pure: opens no file, reads no clock, runs nothing. It
//! is a convenience that saves the person questions, not a sandbox.

mod command;
mod deny;
mod on_record;
mod options;
mod paths;
pub mod rules;
pub mod shell;
pub mod suggest;
pub mod tools;

use codec::json::Json;
use rules::{BASH, Rule, RuleSet};
use suggest::Offer;

/// Where commands run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// the folder of the work, absolute
    pub root: String,
    /// the user's home, absolute
    pub home: Option<String>,
}

/// What becomes of a use of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decision {
    /// it runs
    Allow,
    /// a person decides
    Ask,
    /// it does not run
    Deny,
}

impl Decision {
    /// One word for it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Decision::Allow => "allow",
            Decision::Ask => "ask",
            Decision::Deny => "deny",
        }
    }
}

/// A decision, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Judgement {
    /// what becomes of it
    pub decision: Decision,
    /// why, in one line
    pub why: String,
    /// the rule that decided it; of several parts the first
    pub rule: Option<String>,
    /// of a command: what was found of each part, in order
    pub parts: Vec<Finding>,
}

/// What was found of one part of a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// the part as it was written
    pub text: String,
    /// what would become of it alone
    pub decision: Decision,
    /// why, in one line; the rule, if one decided
    pub why: String,
    /// the rule that decided it
    pub rule: Option<String>,
}

impl Judgement {
    fn by_rule(decision: Decision, rule: &str, parts: Vec<Finding>) -> Self {
        Self { decision, why: rule.to_owned(), rule: Some(rule.to_owned()), parts }
    }

    fn asks(why: impl Into<String>, parts: Vec<Finding>) -> Self {
        Self { decision: Decision::Ask, why: why.into(), rule: None, parts }
    }
}

/// The rules in force, and where.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    rules: RuleSet,
    place: Place,
}

impl Gate {
    /// A gate with these rules.
    #[must_use]
    pub const fn new(rules: RuleSet, place: Place) -> Self {
        Self { rules, place }
    }

    /// The rules.
    #[must_use]
    pub const fn rules(&self) -> &RuleSet {
        &self.rules
    }

    /// The same gate with these rules allowed too. Those that it has already count once.
    #[must_use]
    pub fn with(&self, allow: &[Rule]) -> Self {
        let mut rules = self.rules.clone();
        for rule in allow {
            if !rules.allow.contains(rule) {
                rules.allow.push(rule.clone());
            }
        }
        Self { rules, place: self.place.clone() }
    }

    /// How many rules allow something.
    #[must_use]
    pub(crate) const fn allowing(&self) -> usize {
        self.rules.allow.len()
    }

    /// What could be granted for a command, part by part.
    #[must_use]
    pub fn suggest(&self, command: &str) -> Vec<Offer> {
        suggest::suggest(command, &self.place)
    }

    /// Judges a command of a shell.
    #[must_use]
    pub fn judge_command(&self, command: &str) -> Judgement {
        command::judge(command, &self.rules, &self.place)
    }

    /// Judges a use of a tool.
    #[must_use]
    pub fn judge(&self, tool: &str, input: &Json<'_>) -> Judgement {
        match tool {
            BASH => match tools::command_of(input) {
                Ok(command) => self.judge_command(&command),
                Err(why) => {
                    tools::judge_named(tool, &self.rules).unwrap_or_else(|| Judgement::asks(why, Vec::new()))
                }
            },
            _ => tools::judge(tool, input, &self.rules, &self.place),
        }
    }
}

/// Whether a word is one of a list that is written as words between blanks.
fn lists(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

#[cfg(test)]
mod tests;
