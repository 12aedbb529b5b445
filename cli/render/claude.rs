//! What Claude Code does, told to a person, line by line of its stdout.
//!
//! Owns what was told, so that nothing is told twice, and what goes on, for the status row. A tool is told when it ended, in
//! one block with what it gave. Questions are none of it: they are asked elsewhere. Asks nobody, decides nothing, reads no
//! clock and touches no terminal; what it keeps is bounded, however long the agent runs.

pub(super) mod call;
mod change;
pub(super) mod gave;
mod look;
mod messages;
pub(super) mod notes;
mod said;
mod system;
mod tasks;
#[cfg(test)]
mod tests;
mod thought;
mod todo;
pub(super) mod tools;
mod turn;
pub(super) mod words;

use actors::gate::Place;
use codec::claude::{ControlBody, Output};
use codec::json::Text;
use tokio::time::Instant;

use super::tale::{Piece, Tale};
use call::{Call, Calls};
use change::Files;
use said::Saying;
use tasks::Tasks;
use thought::Thinking;
use todo::Todo;
use turn::Turn;

/// What one agent does, told to a person.
#[derive(Debug)]
pub(crate) struct Story {
    place: Place,
    state: State,
    saying: Saying,
    thinking: Thinking,
    calls: Calls,
    tasks: Tasks,
    todo: Todo,
    files: Files,
    turn: Turn,
    /// the API is tried again: what the status row says
    retry: Option<String>,
    /// the limit that was told last
    limit: Option<String>,
    is_greeted: bool,
}

/// What the agent is at when no tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Starting,
    Thinking,
    Writing,
    Compacting,
    Idle,
}

impl Story {
    /// The story of an agent that works there.
    pub(crate) fn new(place: Place) -> Self {
        Self {
            place,
            state: State::Starting,
            saying: Saying::default(),
            thinking: Thinking::default(),
            calls: Calls::default(),
            tasks: Tasks::default(),
            todo: Todo::default(),
            files: Files::default(),
            turn: Turn::default(),
            retry: None,
            limit: None,
            is_greeted: false,
        }
    }

    /// Takes in one line of stdout: what is to be told of it.
    pub(crate) fn hear(&mut self, line: &Output<'_>, now: Instant) -> Vec<Piece> {
        match line {
            Output::System(line) => self.system(line, now),
            Output::Assistant(line) => self.assistant(line, now),
            Output::User(line) => self.user(line, now),
            Output::Stream(line) => self.partial(line, now),
            Output::Result(result) => self.result(result, now),
            Output::Reset(_) => vec![notes::begins_anew().into()],
            Output::ControlRequest(request) => {
                if let ControlBody::CanUseTool(tool) = &request.request {
                    self.calls.is_asked(&tool.tool_use_id.as_ref().map(Text::get).unwrap_or_default());
                }
                Vec::new()
            }
            Output::Unknown(line) => self.limited(&line.members),
            Output::ControlResponse(_) | Output::ControlCancel(_) | Output::Lifecycle(_) => Vec::new(),
        }
    }
}

impl Tale for Story {
    fn hear(&mut self, line: &[u8], now: Instant) -> Option<Vec<Piece>> {
        Some(Self::hear(self, &Output::read(line).ok()?, now))
    }

    fn asked(&mut self, tool_use_id: &str) {
        self.calls.is_asked(tool_use_id);
    }

    fn decided(&mut self, tool_use_id: &str, is_allowed: bool, now: Instant) {
        if is_allowed {
            self.calls.runs(tool_use_id, now);
        } else {
            self.calls.refuse(tool_use_id);
        }
    }

    fn hush(&mut self, tool_use_id: &str) {
        self.calls.hush(tool_use_id);
    }

    fn ends(&mut self, now: Instant) -> Vec<Piece> {
        self.state = State::Idle;
        self.turn.all_are_over();
        let mut pieces = self.saying.ends();
        pieces.extend(self.abandon(true, now));
        pieces
    }

    fn doing(&self) -> String {
        // What a subagent does in the background is less than what the agent itself says.
        let is_own = self.calls.first().is_some() || self.state != State::Writing;
        match &self.retry {
            Some(retry) => retry.clone(),
            None if is_own && !self.calls.all().is_empty() => self.running(),
            None => self.at(),
        }
    }

    fn is_idle(&self) -> bool {
        self.state == State::Idle && self.doing() == "idle"
    }

    fn was_interrupted(&self) -> bool {
        self.turn.was_interrupted()
    }

    fn tool_at_work(&self) -> Option<&str> {
        self.calls.first().map(|call| call.shown.as_str())
    }

    fn final_text(&self) -> Option<&str> {
        self.turn.text()
    }

    fn cost(&self) -> Option<f64> {
        self.turn.cost()
    }

    fn files(&self) -> (usize, usize, usize) {
        self.files.sum()
    }
}

impl Story {
    fn running(&self) -> String {
        let Some(last) = self.calls.all().last() else { return String::new() };
        let what = self.by_whom(last);
        let beside = |call: &&Call| call.parent == last.parent;
        match self.calls.all().iter().filter(beside).count() {
            0 | 1 => what,
            more => format!("{what} and {} more", more - 1),
        }
    }

    fn by_whom(&self, call: &Call) -> String {
        match &call.parent {
            Some(parent) => format!("{} › {}", self.tasks.name_of(parent), call.in_short()),
            None => call.in_short(),
        }
    }

    fn at(&self) -> String {
        let background = self.tasks.in_background().last();
        match (self.state, background) {
            (State::Idle, Some(what)) => format!("background: {}", words::short(what, 80)),
            (State::Idle, None) => "idle".to_owned(),
            (State::Starting, _) => "starting".to_owned(),
            (State::Thinking, _) => "thinking".to_owned(),
            (State::Writing, _) => "writing".to_owned(),
            (State::Compacting, _) => "compacting".to_owned(),
        }
    }
}
