//! A use of a tool: what it is called and what it is about, as a person would say it.
//!
//! Owns those words, and the uses that have not ended. Neither shows them nor knows how they end.

use std::collections::VecDeque;
use std::time::Duration;

use actors::gate::Place;
use codec::claude::ToolUseBlock;
use codec::json::{Json, Kind, Object};
use tokio::time::Instant;

use super::{look, words};
use crate::render::tool;

/// A tool that runs, or waits to be allowed.
#[derive(Debug)]
pub(in crate::render) struct Call {
    id: String,
    pub(super) name: String,
    /// its name as a person reads it
    pub(in crate::render) shown: String,
    pub(super) input: Json<'static>,
    /// a command, a file, a question; may be empty
    pub(super) about: String,
    /// none while somebody is asked about it: that time is not the tool's
    since: Option<Instant>,
    /// the subagent that uses it
    pub(super) parent: Option<String>,
}

/// More of it stands in no row.
const LONGEST_ABOUT: usize = 2_000;

/// Where something else stands behind it, that must have room too.
const LONGEST_IN_BRIEF: usize = 48;

/// More of a name is cut, where nobody knows who gave it.
const LONGEST_NAME: usize = 200;

impl Call {
    /// One of an agent of which nothing is known but what it says. Its input is not kept: it is only shown.
    pub(in crate::render) fn plain(id: String, name: &str, input: Option<&Json<'_>>, now: Instant) -> Self {
        let is_empty = |input: &&Json<'_>| {
            input.kind() == Kind::Null || look::object(Some(input)).is_some_and(|input| input.is_empty())
        };
        let about = input.filter(|input| !is_empty(input)).map(|input| match input.as_text() {
            Some(text) => text.get().into_owned(),
            None => tool::about(input).into_owned(),
        });
        let about = words::short(about.unwrap_or_default().trim(), LONGEST_ABOUT);
        let shown = words::short(&shown_name(name), LONGEST_NAME);
        Self { id, name: String::new(), shown, input: Json::null(), about, since: Some(now), parent: None }
    }

    /// What it is about, in a few words.
    pub(super) fn in_brief(&self) -> String {
        words::short(self.about.lines().next().unwrap_or_default(), LONGEST_IN_BRIEF)
    }

    /// The same with its name.
    pub(in crate::render) fn in_short(&self) -> String {
        format!("{} {}", self.shown, self.in_brief()).trim_end().to_owned()
    }

    /// Whether it was meant to go on in the background from the beginning.
    pub(super) fn is_for_background(&self) -> bool {
        look::object(Some(&self.input)).is_some_and(|input| look::flag(&input, "run_in_background"))
    }

    /// Whether it is an agent of its own.
    pub(super) fn is_agent(&self) -> bool {
        matches!(self.name.as_str(), "Agent" | "Task")
    }

    /// How long it has run.
    pub(super) fn lasted(&self, now: Instant) -> Duration {
        self.since.map(|since| now.saturating_duration_since(since)).unwrap_or_default()
    }
}

/// What a use of a tool is about.
fn about(name: &str, json: &Json<'_>, place: &Place) -> String {
    let Some(input) = look::object(Some(json)) else { return String::new() };
    let text = |name: &str| look::text(&input, name);
    let file = |name: &str| text(name).map(|file| short(&file, place));
    let about = match name {
        "Read" | "Write" | "Edit" | "MultiEdit" => file("file_path"),
        "NotebookEdit" | "NotebookRead" => file("notebook_path"),
        "LS" => file("path"),
        "Grep" | "Glob" => text("pattern").map(|what| within(what, file("path"))),
        "Agent" | "Task" => agent(&input),
        "Skill" => text("skill").or_else(|| text("command")),
        "AskUserQuestion" => first_question(&input),
        "ExitPlanMode" | "EnterPlanMode" => None,
        _ if input.is_empty() => None,
        _ => Some(tool::about(json).into_owned()),
    };
    words::short(about.unwrap_or_default().trim(), LONGEST_ABOUT)
}

/// A tool's name; of an MCP tool with its server.
pub(super) fn shown_name(name: &str) -> String {
    match name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__")) {
        Some((server, tool)) => format!("{server}: {tool}"),
        None => name.to_owned(),
    }
}

fn within(what: String, folder: Option<String>) -> String {
    match folder {
        Some(folder) => format!("{what} in {folder}"),
        None => what,
    }
}

fn agent(input: &Object<'_>) -> Option<String> {
    let kind = look::text(input, "subagent_type").map(|kind| format!(" ({kind})")).unwrap_or_default();
    Some(look::text(input, "description")? + &kind)
}

fn first_question(input: &Object<'_>) -> Option<String> {
    let text = look::each(input, "questions").first().and_then(|question| look::text(question, "question"));
    text.map(|text| format!("\"{text}\""))
}

/// A file of the work by its name from there on, another one from home on.
pub(super) fn short(file: &str, place: &Place) -> String {
    let is_plain = |rest: &&str| rest.split('/').all(|name| !matches!(name, "" | "." | ".."));
    let below = |folder: &str| {
        let rest = file.strip_prefix(folder.trim_end_matches('/'))?.strip_prefix('/');
        rest.filter(|_| !folder.is_empty()).filter(is_plain)
    };
    let in_home = || Some(format!("~/{}", below(place.home.as_deref()?)?));
    below(&place.root).map(str::to_owned).or_else(in_home).unwrap_or_else(|| file.to_owned())
}

/// The uses of tools that have not ended, the oldest first.
#[derive(Debug, Default)]
pub(in crate::render) struct Calls {
    open: Vec<Call>,
    /// those that somebody said no to, also before they were heard of
    refused: VecDeque<String>,
    /// of which somebody says elsewhere that they were not allowed
    hushed: VecDeque<String>,
}

/// As many can run at a time; of more the oldest are forgotten.
const MOST: usize = 512;

impl Calls {
    pub(super) fn begin(
        &mut self,
        tool: &ToolUseBlock<'_>,
        parent: Option<String>,
        place: &Place,
        now: Instant,
    ) {
        let id = tool.id.get().into_owned();
        let (name, shown) = (tool.name.get().into_owned(), shown_name(&tool.name.get()));
        let (about, input) = (about(&name, &tool.input, place), tool.input.clone().into_owned());
        self.push(Call { id, name, shown, input, about, since: Some(now), parent });
    }

    /// It begins. What was begun by its id before is forgotten.
    pub(in crate::render) fn push(&mut self, call: Call) {
        self.end(&call.id);
        if self.open.len() >= MOST {
            self.open.remove(0);
        }
        self.open.push(call);
    }

    /// Somebody is asked about it.
    pub(super) fn is_asked(&mut self, id: &str) {
        self.of(id).into_iter().for_each(|call| call.since = None);
    }

    /// It was allowed: now it runs.
    pub(super) fn runs(&mut self, id: &str, now: Instant) {
        self.of(id).into_iter().for_each(|call| call.since = Some(now));
    }

    /// It was not allowed.
    pub(super) fn refuse(&mut self, id: &str) {
        self.refused.push_back(id.to_owned());
        if self.refused.len() > MOST {
            self.refused.pop_front();
        }
    }

    /// Whether somebody said no to it. Said once.
    pub(super) fn hush(&mut self, id: &str) {
        self.hushed.push_back(id.to_owned());
        if self.hushed.len() > MOST {
            self.hushed.pop_front();
        }
    }

    pub(super) fn was_hushed(&mut self, id: &str) -> bool {
        let before = self.hushed.len();
        self.hushed.retain(|hushed| hushed != id);
        before > self.hushed.len()
    }

    pub(super) fn was_refused(&mut self, id: &str) -> bool {
        let before = self.refused.len();
        self.refused.retain(|refused| refused != id);
        before > self.refused.len()
    }

    fn of(&mut self, id: &str) -> Option<&mut Call> {
        self.open.iter_mut().find(|call| call.id == id)
    }

    pub(super) fn get(&self, id: &str) -> Option<&Call> {
        self.open.iter().find(|call| call.id == id)
    }

    /// It ended.
    pub(in crate::render) fn end(&mut self, id: &str) -> Option<Call> {
        let at = self.open.iter().position(|call| call.id == id)?;
        Some(self.open.remove(at))
    }

    /// A subagent is gone: what it began nobody will hear of.
    pub(super) fn forget(&mut self, parent: &str) {
        self.open.retain(|call| call.parent.as_deref() != Some(parent));
    }

    /// All that the agent itself began; with `all` also those of its subagents.
    pub(in crate::render) fn abandon(&mut self, all: bool) -> Vec<Call> {
        self.open.extract_if(.., |call| all || call.parent.is_none()).collect()
    }

    /// The agent's own that runs longest.
    pub(in crate::render) fn first(&self) -> Option<&Call> {
        self.open.iter().find(|call| call.parent.is_none())
    }

    /// What runs, the last one last.
    pub(in crate::render) fn all(&self) -> &[Call] {
        &self.open
    }
}
