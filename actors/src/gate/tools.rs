//! Judges the uses of tools other than commands: by the tool's name, the file it touches, or the host it reads from.
//!
//! Tools by which an agent asks the person are never answered by a rule. Input that is not as expected asks.

use codec::json::{Json, Object};

use super::paths::Pattern;
use super::rules::{BASH, Covers, Rule, RuleSet};
use super::{Decision, Judgement, Place, lists};

/// Tools that are questions to the person.
const QUESTIONS: &str = "AskUserQuestion ExitPlanMode";

/// The tools for files: what rules are for them, beside those by their own name, and which member of the input names the
/// file.
const FILE_TOOLS: [(&str, &str, &str); 9] = [
    ("Edit", "Edit", "file_path"),
    ("Glob", "Read", "path"),
    ("Grep", "Read", "path"),
    ("LS", "Read", "path"),
    ("MultiEdit", "Edit", "file_path"),
    ("NotebookEdit", "Edit", "notebook_path"),
    ("NotebookRead", "Read", "notebook_path"),
    ("Read", "Read", "file_path"),
    ("Write", "Edit", "file_path"),
];

/// Whether there are rules of that name for files.
pub(super) fn is_for_files(name: &str) -> bool {
    FILE_TOOLS.iter().any(|(tool, ..)| *tool == name)
}

/// The member of a tool's input that says what it is about, if it is one of those that tim knows.
#[must_use]
pub fn subject_member(tool: &str) -> Option<&'static str> {
    let of_file = FILE_TOOLS.iter().find(|(name, ..)| *name == tool).map(|(.., member)| *member);
    match tool {
        BASH => Some("command"),
        "Glob" => Some("pattern"),
        "WebFetch" => Some("url"),
        "WebSearch" => Some("query"),
        _ => of_file,
    }
}

/// The command that a use of Bash would run, if there is nothing beside it that could change what it means.
pub(super) fn command_of(input: &Json<'_>) -> Result<String, String> {
    const KNOWN: [&str; 4] = ["command", "description", "timeout", "run_in_background"];
    let object = Object::read(input.clone()).map_err(|_| "its input is no object".to_owned())?;
    if let Some((name, _)) = object.iter().find(|(name, _)| !KNOWN.contains(&name.as_ref())) {
        return Err(format!("its input has `{name}`, which no rule is about"));
    }
    let command = object.peek("command").and_then(Json::as_text).map(|text| text.get().into_owned());
    command.ok_or_else(|| "its input does not have one command".to_owned())
}

/// Judges a use of a tool that runs no command.
pub(super) fn judge(tool: &str, input: &Json<'_>, rules: &RuleSet, place: &Place) -> Judgement {
    let subject = Subject::of(tool, input);
    let of_kind = |rule: &Rule| matches!(&rule.covers, Covers::Tool(name) if is_for(name, tool));
    let denies = |rule: &&Rule| rule.names(tool) || of_kind(rule) || subject.is_denied_by(rule, tool, place);
    if let Some(rule) = rules.deny.iter().find(denies) {
        return Judgement::by_rule(Decision::Deny, &rule.to_string(), Vec::new());
    }
    if lists(QUESTIONS, tool) {
        return Judgement::asks("it is a question to you, which no rule answers", Vec::new());
    }
    if let Some(why) = subject.hides_from(rules, tool) {
        return Judgement::asks(why, Vec::new());
    }
    let allows = |rule: &&Rule| is_clearly_named(rule, tool) || subject.is_allowed_by(rule, tool, place);
    match rules.allow.iter().find(allows) {
        Some(rule) => Judgement::by_rule(Decision::Allow, &rule.to_string(), Vec::new()),
        None => Judgement::asks("no rule covers it", Vec::new()),
    }
}

/// What a rule for the whole tool says, where its input cannot be read: nothing but a denial.
pub(super) fn judge_named(tool: &str, rules: &RuleSet) -> Option<Judgement> {
    let rule = rules.deny.iter().find(|rule| rule.names(tool))?;
    Some(Judgement::by_rule(Decision::Deny, &rule.to_string(), Vec::new()))
}

/// A server's name may hold what separates it from its tools: then nobody knows whose tool it is.
fn is_clearly_named(rule: &Rule, tool: &str) -> bool {
    match &rule.covers {
        Covers::Server(start) => tool.strip_prefix(start.as_str()).is_some_and(|name| !name.contains("__")),
        _ => rule.names(tool),
    }
}

/// What a use of a tool is about.
enum Subject {
    /// these files or folders
    Files(Vec<String>),
    /// this host
    Host(String),
    Unknown,
}

impl Subject {
    fn of(tool: &str, input: &Json<'_>) -> Self {
        let Ok(object) = Object::read(input.clone()) else { return Self::Unknown };
        let text = |name: &str| object.peek(name).and_then(Json::as_text).map(|text| text.get().into_owned());
        let here = || (!object.has("path")).then(|| ".".to_owned());
        let member = FILE_TOOLS.iter().find(|(name, ..)| *name == tool).map(|(.., member)| *member);
        match (tool, member) {
            ("WebFetch", _) => text("url").and_then(|url| host(&url)).map_or(Self::Unknown, Self::Host),
            ("Glob", _) => Self::files([text("path").or_else(here), text("pattern")]),
            (_, Some("path")) => Self::files([text("path").or_else(here)]),
            (_, Some(member)) => Self::files([text(member)]),
            (_, None) => Self::Unknown,
        }
    }

    fn files<const N: usize>(files: [Option<String>; N]) -> Self {
        let all: Option<Vec<_>> = files.into_iter().collect();
        all.map_or(Self::Unknown, Self::Files)
    }

    fn is_allowed_by(&self, rule: &Rule, tool: &str, place: &Place) -> bool {
        match (self, &rule.covers) {
            (Self::Files(files), Covers::Files(family, pattern)) if is_for(family, tool) => {
                !files.is_empty() && files.iter().all(|file| pattern.allows(file, place))
            }
            (Self::Host(host), Covers::Host(own)) => host == own,
            _ => false,
        }
    }

    /// Why an allow rule must not count although no deny rule was found to be about it: the subject cannot be told, or what
    /// is searched may hold what is denied.
    fn hides_from(&self, rules: &RuleSet, tool: &str) -> Option<&'static str> {
        let is_about_tool = |rule: &Rule| match &rule.covers {
            Covers::Files(family, _) => is_for(family, tool),
            Covers::Host(_) => tool == "WebFetch",
            _ => false,
        };
        let searches = matches!(tool, "Glob" | "Grep" | "LS");
        let is_hidden = searches || matches!(self, Self::Unknown);
        (is_hidden && rules.deny.iter().any(is_about_tool)).then_some("a deny rule may be about it")
    }

    fn is_denied_by(&self, rule: &Rule, tool: &str, place: &Place) -> bool {
        let denies =
            |pattern: &Pattern, files: &[String]| files.iter().any(|file| pattern.denies(file, place));
        match (self, &rule.covers) {
            (Self::Files(files), Covers::Files(family, pattern)) => {
                is_for(family, tool) && denies(pattern, files)
            }
            (Self::Host(host), Covers::Host(own)) => host.trim_end_matches('.') == own.trim_end_matches('.'),
            _ => false,
        }
    }
}

/// Whether rules of that name are for the tool.
fn is_for(name: &str, tool: &str) -> bool {
    name == tool || FILE_TOOLS.iter().any(|(one, family, _)| *one == tool && *family == name)
}

/// The host of an address, if there is no doubt about it.
fn host(url: &str) -> Option<String> {
    let rest = url.strip_prefix("https://").or_else(|| url.strip_prefix("http://"))?;
    let host = rest.split(['/', '?', '#']).next()?;
    let is_host = !host.is_empty()
        && host.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-'));
    (is_host && codec::text::visible(url) == url && !url.contains('\\')).then(|| host.to_ascii_lowercase())
}
