//! The background work of one Claude process: which commands and agents outlive their turn, by id and name. Pure.
//!
//! Owns the list of tasks that are known; hears every line of stdout; decides nothing about stdin, reads no clock and
//! ends with the process. Which lines count (in brackets the recordings that show it, named as in `fixtures/`):
//!
//! - `task_started` with `is_backgrounded: true` opens; with `false` the task belongs to its turn, which holds stdin
//!   open anyway ([a4 f8]). Old CLIs have no flag: there the tool's result tells ([e3 f4]).
//! - a tool's result with `backgroundTaskId`, or of an agent that was only launched, opens ([f4]). Without a mark
//!   it is a guess: a foreground task always ended before its tool's result [a4 a5b e2], so one that has not ended is
//!   held to be at work, but only as a guess, which time may drop (`stdin.rs`).
//! - `task_updated` with `is_backgrounded: true` opens (moved there by its timeout [f4b]); with a final status closes.
//! - `task_notification` closes, whatever its status says, unless that means "still at it".
//! - `background_tasks_changed` (new CLIs) opens what it lists and closes what it listed before and lists no more.
//! - the result of a turn ends the tasks that belong to turns. An end is remembered, so that the late result of the
//!   tool does not open the task again; only a new start does.

use std::collections::{BTreeMap, BTreeSet};

use codec::claude::{
    BackgroundTasksChanged, Block, Content, Output, System, TaskNotification, TaskStarted, TaskUpdated,
    UserLine,
};
use codec::json::{Item, Json, Object, Text};

/// A task began to outlive its turn, or ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TaskChange {
    /// It is at work. Said again, with the same id, when more is known of it.
    Opened { id: String, name: String, sureness: Sureness },
    /// It ended, and Claude may begin a turn of its own about it.
    Closed { id: String },
}

/// How a task is known to be in the background.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sureness {
    /// the CLI said so
    Told,
    /// by what the CLI did not say
    Guessed,
}

/// The background work of one process.
#[derive(Debug, Default)]
pub(crate) struct Background {
    tasks: BTreeMap<String, Task>,
    ended: BTreeSet<String>,
}

#[derive(Debug)]
struct Task {
    name: String,
    tool_use_id: Option<String>,
    place: Place,
    /// once listed, a list without it means that it ended
    listed: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    /// ends with its turn
    Turn,
    /// an old CLI does not say; the tool's result will
    Unsaid,
    Background(Sureness),
}

impl Background {
    /// Takes in one line of stdout and says what changed.
    pub(crate) fn hear(&mut self, line: &Output<'_>) -> Vec<TaskChange> {
        match line {
            Output::System(System::TaskStarted(started)) => self.started(started),
            Output::System(System::TaskUpdated(updated)) => self.updated(updated),
            Output::System(System::TaskNotification(notice)) => self.notified(notice),
            Output::System(System::BackgroundTasksChanged(list)) => self.listed(list),
            Output::User(user) => self.tool_ended(user),
            Output::Result(_) => self.turn_ended(),
            _ => Vec::new(),
        }
    }

    /// The tasks that are at work, id and name.
    #[cfg(test)]
    pub(crate) fn open(&self) -> impl Iterator<Item = (&str, &str)> {
        let open = self.tasks.iter().filter(|(_, task)| matches!(task.place, Place::Background(_)));
        open.map(|(id, task)| (id.as_str(), task.name.as_str()))
    }

    fn started(&mut self, started: &TaskStarted<'_>) -> Vec<TaskChange> {
        let id = started.task_id.get().into_owned();
        self.ended.remove(&id);
        let task = self.task(&id, started.description.as_ref());
        task.tool_use_id = started.tool_use_id.as_ref().map(said);
        match started.is_backgrounded {
            Some(true) => return self.open_task(&id, Sureness::Told),
            Some(false) if task.place == Place::Unsaid => task.place = Place::Turn,
            _ => {}
        }
        Vec::new()
    }

    fn updated(&mut self, updated: &TaskUpdated<'_>) -> Vec<TaskChange> {
        let id = updated.task_id.get();
        let Some(patch) = &updated.patch else { return Vec::new() };
        if patch.status.as_ref().is_some_and(is_final) {
            return self.close(&id);
        }
        let moved = patch.extras.peek("is_backgrounded").and_then(Json::as_flag) == Some(true);
        if moved { self.open_task(&id, Sureness::Told) } else { Vec::new() }
    }

    fn notified(&mut self, notice: &TaskNotification<'_>) -> Vec<TaskChange> {
        if notice.status.as_ref().is_some_and(is_at_work) {
            return Vec::new();
        }
        self.close(&notice.task_id.get())
    }

    fn listed(&mut self, list: &BackgroundTasksChanged<'_>) -> Vec<TaskChange> {
        let mut changes = Vec::new();
        let mut now = BTreeSet::new();
        for task in list.tasks.iter().filter_map(Item::known) {
            let id = task.task_id.get().into_owned();
            self.ended.remove(&id);
            self.task(&id, task.description.as_ref()).listed = true;
            changes.extend(self.open_task(&id, Sureness::Told));
            now.insert(id);
        }
        let gone = |(id, task): (&String, &Task)| (task.listed && !now.contains(id)).then(|| id.clone());
        let gone: Vec<String> = self.tasks.iter().filter_map(gone).collect();
        changes.extend(gone.iter().flat_map(|id| self.close(id)));
        changes
    }

    /// A tool's result: what the tool started may go on without it.
    fn tool_ended(&mut self, user: &UserLine<'_>) -> Vec<TaskChange> {
        if let Some(id) = user.tool_use_result.as_ref().and_then(left_at_work) {
            return self.open_task(&id, Sureness::Told);
        }
        let Content::Blocks(blocks) = &user.message.content else { return Vec::new() };
        blocks.iter().flat_map(|block| self.tool_result(block)).collect()
    }

    fn tool_result(&mut self, block: &Block<'_>) -> Vec<TaskChange> {
        let Block::ToolResult(result) = block else { return Vec::new() };
        let of_this = |task: &Task| task.tool_use_id.as_deref().is_some_and(|id| result.tool_use_id.is(id));
        let Some((id, task)) = self.tasks.iter().find(|(_, task)| of_this(task)) else { return Vec::new() };
        let (id, place) = (id.clone(), task.place);
        match place {
            // A tool that failed or was interrupted left nothing behind.
            Place::Unsaid if result.is_error == Some(true) => self.forget(&id),
            Place::Unsaid => return self.open_task(&id, Sureness::Guessed),
            Place::Turn => self.forget(&id),
            Place::Background(_) => {}
        }
        Vec::new()
    }

    fn turn_ended(&mut self) -> Vec<TaskChange> {
        self.tasks.retain(|_, task| matches!(task.place, Place::Background(_)));
        Vec::new()
    }

    fn task(&mut self, id: &str, description: Option<&Text<'_>>) -> &mut Task {
        let name = description.map(said).filter(|name| !name.trim().is_empty());
        let task = self.tasks.entry(id.to_owned()).or_insert_with(|| Task {
            name: id.to_owned(),
            tool_use_id: None,
            place: Place::Unsaid,
            listed: false,
        });
        if let Some(name) = name {
            task.name = name;
        }
        task
    }

    fn open_task(&mut self, id: &str, sureness: Sureness) -> Vec<TaskChange> {
        if self.ended.contains(id) {
            return Vec::new();
        }
        let task = self.task(id, None);
        if task.place == Place::Background(Sureness::Told) {
            return Vec::new();
        }
        task.place = Place::Background(sureness);
        vec![TaskChange::Opened { id: id.to_owned(), name: task.name.clone(), sureness }]
    }

    fn close(&mut self, id: &str) -> Vec<TaskChange> {
        self.ended.insert(id.to_owned());
        match self.tasks.remove(id) {
            Some(Task { place: Place::Background(_), .. }) => vec![TaskChange::Closed { id: id.to_owned() }],
            _ => Vec::new(),
        }
    }

    fn forget(&mut self, id: &str) {
        self.tasks.remove(id);
    }
}

fn said(text: &Text<'_>) -> String {
    text.get().into_owned()
}

/// The statuses after which nothing more comes. An unknown one is not among them: the notification follows.
fn is_final(status: &Text<'_>) -> bool {
    matches!(&*status.get(), "completed" | "failed" | "killed" | "stopped" | "cancelled" | "error")
}

/// A notification means an end, unless it says the opposite.
fn is_at_work(status: &Text<'_>) -> bool {
    matches!(&*status.get(), "running" | "pending" | "queued" | "in_progress" | "paused")
}

/// The task that a tool's result says to be still at work.
fn left_at_work(result: &Json<'_>) -> Option<String> {
    let result = Object::read(result.clone()).ok()?;
    let text = |name: &str| result.peek(name).and_then(Json::as_text).map(|text| text.get().into_owned());
    if let Some(command) = text("backgroundTaskId") {
        return Some(command);
    }
    let launched = text("status").is_some_and(|status| status == "async_launched");
    if launched { text("agentId") } else { None }
}

#[cfg(test)]
mod tests;
