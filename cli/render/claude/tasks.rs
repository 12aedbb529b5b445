//! Subagents and what runs in the background: who is who, and which rows tell of them.
//!
//! Owns their names and whether they were told. A command that only takes long is none of these: it has its own block.

use std::collections::{BTreeSet, VecDeque};

use codec::claude::{BackgroundTasksChanged, TaskNotification, TaskStarted, TaskUpdated};
use codec::json::{Item, Text};

use super::look;
use crate::render::Kind;
use crate::render::page::{Line, Page};
use crate::render::structured::RED;
use crate::term::style::Style;

/// More are forgotten, the oldest first.
const MOST: usize = 512;

#[derive(Debug, Default)]
pub(super) struct Tasks {
    /// subagents by the tool use that began them; their last words may come when that ended long ago
    names: VecDeque<(String, String)>,
    open: VecDeque<Task>,
    /// what there is by the last list, of CLIs that have one
    listed: Option<BTreeSet<String>>,
}

#[derive(Debug)]
struct Task {
    id: String,
    tool_use: Option<String>,
    what: String,
    is_background: bool,
    is_told: bool,
}

/// What is known of the tool use behind a task.
pub(super) struct Behind {
    pub(super) what: String,
    pub(super) is_for_background: bool,
    pub(super) is_agent: bool,
}

impl Tasks {
    /// A subagent is called so from now on.
    pub(super) fn name(&mut self, tool_use: &str, kind: Option<&str>, description: Option<&str>) {
        let name = match (kind, description) {
            (Some(kind), Some(what)) => format!("{kind} \"{what}\""),
            (one, other) => one.or(other).unwrap_or("a subagent").to_owned(),
        };
        self.names.retain(|(known, _)| known != tool_use);
        if self.names.len() >= MOST {
            self.names.pop_front();
        }
        self.names.push_back((tool_use.to_owned(), name));
    }

    /// What a subagent is called.
    pub(super) fn name_of(&self, tool_use: &str) -> &str {
        let known = self.names.iter().find(|(known, _)| known == tool_use);
        known.map_or("a subagent", |(_, name)| name.as_str())
    }

    pub(super) fn started(&mut self, task: &TaskStarted<'_>, behind: Option<&Behind>) -> Option<Page> {
        let tool_use = task.tool_use_id.as_ref().map(said);
        let (kind, description) =
            (task.subagent_type.as_ref().map(said), task.description.as_ref().map(said));
        let is_agent = kind.is_some() || behind.is_some_and(|behind| behind.is_agent);
        if let Some(id) = tool_use.as_deref().filter(|_| is_agent) {
            self.name(id, kind.as_deref(), description.as_deref());
        }
        let name = tool_use.as_deref().filter(|_| is_agent).map(|id| self.name_of(id).to_owned());
        let what =
            name.or_else(|| Some(behind?.what.clone()).filter(|what| !what.is_empty())).or(description);
        let what = what.unwrap_or_default();
        let is_meant = behind.is_none_or(|behind| behind.is_for_background);
        let is_background = task.is_backgrounded.unwrap_or(behind.is_some() && is_meant);
        // One that is sent there later is told together with what it gave so far.
        let is_told = is_background && (is_meant || is_agent);
        if self.open.len() >= MOST {
            self.open.pop_front();
        }
        let row = is_told.then(|| in_background(Line::at(2), &what, ""));
        self.open.push_back(Task { id: said(&task.task_id), tool_use, what, is_background, is_told });
        row
    }

    pub(super) fn updated(&mut self, task: &TaskUpdated<'_>) {
        let is_sent = task.patch.as_ref().is_some_and(|patch| look::flag(&patch.extras, "is_backgrounded"));
        let known = self.open.iter_mut().filter(|known| is_sent && task.task_id.is(&known.id));
        known.for_each(|known| known.is_background = true);
    }

    /// The result of a tool says that it goes on in the background. Whether that is told already.
    pub(super) fn goes_on(&mut self, tool_use: &str) -> bool {
        let task = self.open.iter_mut().find(|task| task.tool_use.as_deref() == Some(tool_use));
        task.is_some_and(|task| {
            task.is_background = true;
            std::mem::replace(&mut task.is_told, true)
        })
    }

    pub(super) fn listed(&mut self, list: &BackgroundTasksChanged<'_>) {
        let known = list.tasks.iter().filter_map(Item::known);
        self.listed = Some(known.map(|task| said(&task.task_id)).collect());
    }

    pub(super) fn notified(&mut self, end: &TaskNotification<'_>) -> Option<Page> {
        let at = self.open.iter().position(|task| end.task_id.is(&task.id))?;
        let task = self.open.remove(at).filter(|task| task.is_told)?;
        let status = end.status.as_ref().map(said).unwrap_or_else(|| "ended".to_owned());
        let sign = match status.as_str() {
            "failed" | "error" => Line::sign(RED, "✗ "),
            "stopped" | "killed" | "cancelled" => Line::sign(Style::DIM, "– "),
            _ => Line::at(2),
        };
        Some(in_background(sign, &task.what, &status))
    }

    /// What runs in the background, the last one last.
    pub(super) fn in_background(&self) -> impl Iterator<Item = &str> {
        let is_there = |id: &String| self.listed.as_ref().is_none_or(|listed| listed.contains(id));
        self.open
            .iter()
            .filter(move |task| task.is_background && is_there(&task.id))
            .map(|task| task.what.as_str())
    }
}

fn in_background(line: Line, what: &str, status: &str) -> Page {
    let line = line.own(Style::DIM, "background").foreign(Style::DIM, what).foreign(Style::DIM, status);
    Page::of(Kind::Tool).line(line)
}

pub(super) fn said(text: &Text<'_>) -> String {
    text.get().into_owned()
}
