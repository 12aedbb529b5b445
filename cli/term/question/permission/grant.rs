//! What could be allowed for longer than once.
//!
//! Owns which rule that is. Each one was tried: alone it allows this very use of the tool, so nothing is kept that does not
//! do what the person expects. An answer carries one rule; where it takes several, there is none.

use actors::gate::rules::{Rule, RuleSet};
use actors::gate::suggest::{self, suggest};
use actors::gate::{Decision, Gate, Place};
use actors::question::Tool;
use codec::json::{Json, Object};

use super::super::draw::Binding;
use super::tool::{file_field, text_of};

/// What could be granted.
#[derive(Debug)]
pub(super) enum Grant {
    /// a rule for a command, which the person makes shorter or longer
    Command(Asked),
    /// this rule
    Rule {
        /// itself
        rule: String,
        /// what the key says
        says: String,
    },
    /// there is none
    Nothing,
}

/// A command, and where it would run.
#[derive(Debug)]
pub(super) struct Asked {
    command: String,
    input: Json<'static>,
    place: Place,
}

/// Rules for a command, the widest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    /// the parts of the command, as they were written
    pub(super) parts: Vec<String>,
    /// the rules; there is at least one
    pub(super) rules: Vec<String>,
    /// which to show first
    pub(super) preferred: usize,
}

/// A command with more parts is not looked at: nobody could follow which rule is for what.
const MOST_PARTS: usize = 8;
/// A longer rule cannot be read in the row of the keys.
const LONGEST_RULE: usize = 100;

impl Grant {
    pub(super) fn of(tool: &Tool, place: &Place) -> Self {
        let name = tool.name.get();
        let Ok(input) = Object::read(tool.input.clone()) else { return Self::Nothing };
        if let ("Bash", Some(command)) = (name.as_ref(), text_of(&input, "command")) {
            return Self::Command(Asked { command, input: tool.input.clone(), place: place.clone() });
        }
        let is_enough = |rule: &str| is_enough(rule, &name, &tool.input, place);
        let allows = |rule: &String| {
            // A folder that holds the settings of tools counts only where a rule spells it out. A person may write such a
            // rule; one key is too little for it.
            let is_guarded =
                rule.split_once("(//").is_some_and(|(name, _)| !is_enough(&format!("{name}(//**)")));
            rule.chars().count() <= LONGEST_RULE && is_enough(rule) && !is_guarded
        };
        candidates(&name, &input).into_iter().find(allows).map_or(Self::Nothing, |rule| {
            let says = match rule.as_str() {
                "Edit(**)" => "all edits here this session".to_owned(),
                _ => format!("{rule} this session"),
            };
            Self::Rule { rule, says }
        })
    }

    /// The keys that allow.
    pub(super) fn bindings(&self) -> Vec<Binding> {
        let once = Binding::new("y", "once");
        match self {
            Self::Command(_) => vec![once, Binding::new("s", "session…"), Binding::new("p", "always…")],
            Self::Rule { says, .. } => vec![once, Binding::new("s", says)],
            Self::Nothing => vec![once],
        }
    }
}

/// Rules that may be enough, the first the one that people mean.
fn candidates(name: &str, input: &Object<'_>) -> Vec<String> {
    let family = match name {
        "Edit" | "MultiEdit" | "NotebookEdit" | "Write" => "Edit",
        "Glob" | "Grep" | "LS" | "NotebookRead" | "Read" => "Read",
        "WebFetch" => {
            let host =
                text_of(input, "url").and_then(|url| Some(url.split('/').nth(2)?.to_ascii_lowercase()));
            return host.map(|host| format!("WebFetch(domain:{host})")).into_iter().collect();
        }
        "Bash" => return Vec::new(),
        _ => return vec![name.to_owned()],
    };
    let path = file_field(name).and_then(|field| text_of(input, field));
    let folder = path.as_deref().and_then(|path| path.rsplit_once('/')).map(|(folder, _)| folder);
    let outside =
        folder.filter(|folder| folder.starts_with('/')).map(|folder| format!("{family}(/{folder}/**)"));
    [format!("{family}(**)")].into_iter().chain(outside).collect()
}

/// Whether this rule alone allows the use of the tool.
fn is_enough(rule: &str, tool: &str, input: &Json<'_>, place: &Place) -> bool {
    let Ok(rule) = Rule::parse(rule) else { return false };
    let gate = Gate::new(RuleSet { allow: vec![rule], deny: Vec::new() }, place.clone());
    gate.judge(tool, input).decision == Decision::Allow
}

impl Asked {
    /// The rules that alone allow the whole command; else why there is none.
    pub(super) fn offers(&self) -> Result<Offer, &'static str> {
        let parts = suggest(&self.command, &self.place);
        if parts.is_empty() || parts.len() > MOST_PARTS {
            return Err("No rule can say what this command does: y allows it once");
        }
        let (rules, preferred) = self.enough(&parts);
        if rules.is_empty() {
            let needing = parts.iter().filter(|part| !part.rules.is_empty()).count();
            return Err(match needing {
                2.. => "Each part of this command needs a rule of its own: y allows it once",
                _ => "No rule can allow this command: y allows it once",
            });
        }
        Ok(Offer { parts: parts.into_iter().map(|part| part.part).collect(), rules, preferred })
    }

    /// Of what is suggested for the parts, what is enough for all of them, and which to show first: the usual one of a
    /// part, or else the narrowest.
    fn enough(&self, parts: &[suggest::Offer]) -> (Vec<String>, usize) {
        let (mut rules, mut preferred) = (Vec::new(), None);
        for (part, one) in parts.iter().flat_map(|part| part.rules.iter().map(move |one| (part, one))) {
            if rules.contains(&one.rule) || !is_enough(&one.rule, "Bash", &self.input, &self.place) {
                continue;
            }
            let is_usual = part.rules.get(part.preferred) == Some(one);
            preferred = preferred.or(is_usual.then_some(rules.len()));
            rules.push(one.rule.clone());
        }
        let narrowest = rules.len().saturating_sub(1);
        (rules, preferred.unwrap_or(narrowest))
    }
}
