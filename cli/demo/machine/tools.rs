//! A tool of the demo, in its turn or in the background. None of them does anything.

use super::{Demo, SEEN, Wait};
use crate::demo::story;
use crate::demo::wire::{self, Gave, How, Task, Use};

/// How long a tool runs for somebody who does not type.
const PATIENCE: u64 = 8_000;

impl Demo {
    pub(super) fn tool_begins(&mut self, tool: Use) {
        let message = self.name("msg_demo_");
        self.line(wire::uses(&message, &tool));
        self.tool = Some(tool);
    }

    /// It runs on while the person may type.
    pub(super) fn linger(&mut self) {
        let until = if self.inbox.is_used() { self.paced(SEEN) } else { PATIENCE };
        self.waits = Wait::Line { until: self.now.saturating_add(until) };
    }

    /// It ends, and what was typed meanwhile is read.
    pub(super) fn tool_ends(&mut self, gave: &Gave, task: Option<&str>) {
        let Some(tool) = self.tool.take() else { return };
        self.line(wire::gave(&tool, gave, task));
        if gave.how != How::Interrupted {
            self.reads();
        }
    }

    /// The tool goes on without its turn.
    pub(super) fn task_begins(&mut self, mut task: Task) {
        task.tool_use_id = self.tool.as_ref().map(|tool| tool.id.clone());
        let id = task.id;
        self.runs_in_background(task, story::IN_BACKGROUND);
        let text = format!("Command running in background with ID: {id}.");
        self.tool_ends(&Gave { text, how: How::Unasked }, Some(id));
    }

    pub(super) fn runs_in_background(&mut self, task: Task, ms: u64) {
        self.lines(wire::task_begins(&task));
        self.background = Some((task, self.now.saturating_add(self.paced(ms))));
    }
}
