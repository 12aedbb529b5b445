//! What could be allowed for longer than once.
//!
//! Owns which rules those are. They were tried: they allow this very use of the tool, so nothing is kept that does not do
//! what the person expects. Of a command each part has its own, and whichever of them are chosen, together they allow it.

use actors::answer;
use actors::gate::rules::{Rule, RuleSet};
use actors::gate::suggest::{self, suggest};
use actors::gate::{Decision, Gate, Judgement, Place};
use actors::question::Tool;
use codec::json::{Json, Object};

use super::super::draw::Binding;
use super::tool::{file_field, text_of};

/// What could be granted.
#[derive(Debug)]
pub(super) enum Grant {
    /// rules for the parts of a command, which the person makes shorter or longer
    Command(Asked),
    /// this rule
    Rule {
        /// itself
        rule: String,
        /// what the key says
        says: String,
        /// what it would be used for now, if that is a file or a page
        about: String,
    },
    /// there is none
    Nothing,
    /// none either: each plan is looked at
    Plan,
}

/// A command, and where it would run.
#[derive(Debug)]
pub(super) struct Asked {
    command: String,
    input: Json<'static>,
    place: Place,
}

/// A part of a command, and the rules that could be kept for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// as it was written
    pub(super) text: String,
    /// the rules, the widest first; none if it needs none
    pub(super) rules: Vec<String>,
    /// which of them is shown
    pub(super) at: usize,
}

impl Part {
    pub(super) fn rule(&self) -> Option<&String> {
        self.rules.get(self.at)
    }
}

/// The rules that stand there, each once.
pub(super) fn chosen(parts: &[Part]) -> Vec<String> {
    let mut rules: Vec<String> = Vec::new();
    for rule in parts.iter().filter_map(Part::rule) {
        if !rules.contains(rule) {
            rules.push(rule.clone());
        }
    }
    rules
}

/// A command with more parts is not looked at: nobody could follow which rule is for what.
const MOST_PARTS: usize = answer::MOST_RULES;
/// A longer rule cannot be read in the row of the keys.
const LONGEST_RULE: usize = 100;

impl Grant {
    pub(super) fn of(tool: &Tool, place: &Place) -> Self {
        if tool.is_plan() {
            return Self::Plan;
        }
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
                ALL_EDITS => "all edits here this session".to_owned(),
                _ => format!("{rule} this session"),
            };
            Self::Rule { rule, says, about: subject(&name, &input).unwrap_or_default() }
        })
    }

    /// Whether it can hold for always. To edit whatever there is in any folder is no thing to save by two keys.
    pub(super) fn is_for_always_too(&self) -> bool {
        match self {
            Self::Command(_) => true,
            Self::Rule { rule, .. } => rule != ALL_EDITS,
            Self::Nothing | Self::Plan => false,
        }
    }

    /// The keys that allow.
    pub(super) fn bindings(&self, is_saved: bool) -> Vec<Binding> {
        let once = Binding::new("y", "once");
        let session = match self {
            Self::Command(_) => Binding::new("s", "session…"),
            Self::Rule { says, .. } => Binding::new("s", says),
            Self::Nothing => return vec![once],
            Self::Plan => return vec![Binding::new("y", "carry it out")],
        };
        let always = is_saved.then(|| Binding::new("p", "always…"));
        [once, session].into_iter().chain(always).collect()
    }
}

/// Every file in the folder of the work, whichever that is.
const ALL_EDITS: &str = "Edit(**)";

/// The file or the page that a tool is about.
fn subject(name: &str, input: &Object<'_>) -> Option<String> {
    text_of(input, file_field(name).or((name == "WebFetch").then_some("url"))?)
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
    judged(&[rule], tool, input, place).decision == Decision::Allow
}

/// What these rules alone say about the use of the tool. What is no rule allows nothing.
fn judged(rules: &[&str], tool: &str, input: &Json<'_>, place: &Place) -> Judgement {
    let allow = rules.iter().filter_map(|rule| Rule::parse(rule).ok()).collect();
    Gate::new(RuleSet { allow, deny: Vec::new() }, place.clone()).judge(tool, input)
}

impl Asked {
    /// The parts of the command, each with the rules that allow it; else why there are none.
    pub(super) fn offers(&self) -> Result<Vec<Part>, &'static str> {
        let parts = suggest(&self.command, &self.place);
        if parts.is_empty() || parts.len() > MOST_PARTS {
            return Err("No rule can say what this command does: y allows it once");
        }
        let parts: Vec<_> = parts.into_iter().enumerate().map(|(at, part)| self.part(at, part)).collect();
        let rules = chosen(&parts);
        let rules: Vec<_> = rules.iter().map(String::as_str).collect();
        match judged(&rules, "Bash", &self.input, &self.place).decision {
            Decision::Allow => Ok(parts),
            _ => Err("No rule can allow this command: y allows it once"),
        }
    }

    /// Of what is suggested for a part, what is enough for it where it stands, behind a `cd` perhaps. The usual one is
    /// shown first, or else the narrowest.
    fn part(&self, at: usize, offer: suggest::Offer) -> Part {
        let suggest::Offer { part, rules, preferred } = offer;
        let usual = rules.get(preferred).map(|one| one.rule.clone());
        let is_allowed = |rule: &String| {
            let judged = judged(&[rule], "Bash", &self.input, &self.place);
            judged.parts.get(at).is_some_and(|found| found.decision == Decision::Allow)
        };
        let is_kept = |rule: &String| rule.len() <= answer::LONGEST_RULE && is_allowed(rule);
        let rules: Vec<_> = rules.into_iter().map(|one| one.rule).filter(is_kept).collect();
        let narrowest = rules.len().saturating_sub(1);
        let at = rules.iter().position(|rule| Some(rule) == usual.as_ref()).unwrap_or(narrowest);
        Part { text: part, rules, at }
    }
}
