//! Tools from their beginning to their end.
//!
//! Owns which of them are told, and what is taken for a failure or a no. How a block looks is not decided here.

use codec::claude::{ToolResultBlock, ToolUseBlock, UserLine};
use codec::json::{Item, Object};
use tokio::time::Instant;

use super::call::Call;
use super::gave::{Ended, Gave};
use super::{Piece, State, Story, change, look, notes, words};
use crate::render::figures;
use crate::render::page::Page;

impl Story {
    pub(super) fn tool_begins(&mut self, tool: &ToolUseBlock<'_>, parent: Option<String>, now: Instant) {
        self.calls.begin(tool, parent, &self.place, now);
        let id = tool.id.get();
        if let Some(input) = self.calls.get(&id).filter(|call| call.is_agent()).map(|call| call.input.clone())
        {
            let input = look::object(Some(&input)).unwrap_or_default();
            let (kind, what) = (look::text(&input, "subagent_type"), look::text(&input, "description"));
            self.tasks.name(&id, kind.as_deref(), what.as_deref());
        }
    }

    pub(super) fn tool_ends(
        &mut self,
        result: &ToolResultBlock<'_>,
        line: &UserLine<'_>,
        now: Instant,
    ) -> Option<Piece> {
        let id = result.tool_use_id.get();
        let call = self.calls.end(&id)?;
        if call.parent.is_none() {
            self.state = State::Thinking;
            self.thinking.may_begin(now);
        }
        let was_refused = self.calls.was_refused(&id);
        let gave = gave(&call, result, line, was_refused);
        self.count(&call, &gave);
        if !gave.goes_on {
            self.calls.forget(&id);
        } else if self.tasks.goes_on(&id) {
            return None;
        }
        if self.calls.was_hushed(&id) && gave.is_denied {
            return None;
        }
        let page = self.page(&call, &gave, now)?;
        Some(page.into())
    }

    fn count(&mut self, call: &Call, gave: &Gave<'_>) {
        let Some(member) = change::file_member(&call.name).filter(|_| !gave.has_failed && !gave.is_denied)
        else {
            return;
        };
        let input = look::object(Some(&call.input)).unwrap_or_default();
        let changes = change::made(&call.name, &input, gave.detail.as_ref());
        if let Some(file) = look::text(&input, member) {
            self.files.changed(file, change::counts(&changes));
        }
    }

    fn page(&mut self, call: &Call, gave: &Gave<'_>, now: Instant) -> Option<Page> {
        let input = || look::object(Some(&call.input)).unwrap_or_default();
        let is_good = !gave.has_failed && !gave.is_denied;
        match call.name.as_str() {
            // Its question, and how that ended, is told by whoever asked it.
            "AskUserQuestion" if is_good || gave.is_denied => return None,
            "TodoWrite" if is_good => return self.todo.list(&input()),
            "TaskCreate" if is_good => return self.todo.created(&input(), gave.detail.as_ref(), &gave.text),
            "TaskUpdate" if is_good => return self.todo.updated(&input()),
            "TaskList" | "TaskGet" if is_good => return None,
            _ => {}
        }
        let who = call.parent.as_deref().map(|parent| self.tasks.name_of(parent));
        let took = figures::lasted(call.lasted(now));
        Some(Ended { call, gave, who, took }.page())
    }

    /// Tools whose end nobody will hear.
    pub(super) fn abandon(&mut self, all: bool, now: Instant) -> Vec<Piece> {
        self.calls.abandon(all).iter().map(|call| unfinished(call, now).into()).collect()
    }
}

/// A tool whose end nobody will hear.
pub(in crate::render) fn unfinished(call: &Call, now: Instant) -> Page {
    let what = format!("{}  {}", call.shown, call.in_brief());
    notes::unfinished(what.trim_end(), figures::lasted(call.lasted(now)))
}

fn gave<'a>(call: &Call, result: &ToolResultBlock<'_>, line: &UserLine<'a>, was_refused: bool) -> Gave<'a> {
    let has_failed = result.is_error == Some(true);
    let raw = result.text();
    let detail = look::object(line.tool_use_result.as_ref());
    let metas = line.tool_result_meta.iter().flatten().filter_map(Item::known);
    let meta = metas.into_iter().find(|meta| meta.id.get() == result.tool_use_id.get());
    let is_rejected = meta.is_some_and(|meta| {
        let decision = meta.permission_decision.as_ref().and_then(|decision| decision.decision.as_ref());
        meta.non_execution_kind.is_some() || decision.is_some_and(|decision| decision.is("reject"))
    });
    let text = words::unframed(&raw);
    let is_turned_down = has_failed && raw.starts_with("<tool_use_error>");
    let is_denied = has_failed && !is_turned_down && (was_refused || is_rejected || is_denial(call, &text));
    let goes_on = !has_failed && detail.as_ref().is_some_and(is_sent_away);
    let text = if goes_on { so_far(detail.as_ref()) } else { text };
    Gave { text, is_turned_down, detail, has_failed, is_denied, goes_on }
}

/// Old CLIs do not tell a no from a failure; a question that fails was answered by a no.
fn is_denial(call: &Call, text: &str) -> bool {
    words::is_denial(text) || call.name == "AskUserQuestion"
}

fn is_sent_away(detail: &Object<'_>) -> bool {
    let is_launched = look::text(detail, "status").is_some_and(|status| status == "async_launched");
    is_launched || look::text(detail, "backgroundTaskId").is_some()
}

/// The output so far, where the text only says where to find it.
fn so_far(detail: Option<&Object<'_>>) -> String {
    detail.and_then(|detail| look::text(detail, "stdout")).unwrap_or_default()
}
