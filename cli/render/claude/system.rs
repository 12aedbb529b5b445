//! Lines about Claude Code itself: which of them are told.

use codec::claude::{ApiRetry, Init, PermissionDenied, Status, System, TaskStarted};
use codec::json::{Object, Text};
use tokio::time::Instant;

use super::tasks::Behind;
use super::{Piece, State, Story, call, notes};
use crate::render::page::Page;

impl Story {
    pub(super) fn system(&mut self, line: &System<'_>, now: Instant) -> Vec<Piece> {
        let page = match line {
            System::Init(init) => return self.turn_begins(init, now),
            System::Status(status) => self.status(status),
            System::ApiRetry(retry) => self.tried_again(retry),
            System::TaskStarted(task) => self.task_started(task),
            System::TaskNotification(end) => {
                self.calls.forget(&end.tool_use_id.as_ref().map(Text::get).unwrap_or_default());
                self.tasks.notified(end)
            }
            System::PermissionDenied(denied) => self.denied(denied),
            System::HookResponse(hook) => notes::hook(hook),
            System::TaskUpdated(_) | System::BackgroundTasksChanged(_) | System::ThinkingTokens(_) => {
                self.noticed(line);
                None
            }
            System::Unknown(line) if line.kind() == "compact_boundary" => Some(notes::compacted()),
            System::Unknown(line) => return self.limited(&line.members),
            System::TaskProgress(_) | System::HookStarted(_) | System::SessionStateChanged(_) => None,
        };
        page.map(Piece::from).into_iter().collect()
    }

    /// What changes nothing but what is told later.
    fn noticed(&mut self, line: &System<'_>) {
        match line {
            System::TaskUpdated(task) => self.tasks.updated(task),
            System::BackgroundTasksChanged(list) => self.tasks.listed(list),
            _ => self.state = State::Thinking,
        }
    }

    /// A turn begins. Why the one before failed nobody else will tell.
    fn turn_begins(&mut self, init: &Init<'_>, now: Instant) -> Vec<Piece> {
        let failed = self.turn.begins().map(|why| notes::turn_failed(&why).into());
        let greeting = (!self.is_greeted).then(|| notes::greeting(init).into());
        self.is_greeted = true;
        self.state = State::Thinking;
        self.thinking.may_begin(now);
        failed.into_iter().chain(greeting).collect()
    }

    fn status(&mut self, status: &Status<'_>) -> Option<Page> {
        let is_compacting = status.status.as_ref().is_some_and(|status| status.is("compacting"));
        if is_compacting && self.state == State::Compacting {
            return None;
        }
        let page = notes::compacting(status);
        self.state = match (is_compacting, self.state) {
            (true, _) => State::Compacting,
            (false, State::Compacting) => State::Thinking,
            (false, state) => state,
        };
        page
    }

    /// Only the first try is told, the others are in the status row.
    fn tried_again(&mut self, retry: &ApiRetry<'_>) -> Option<Page> {
        let before = self.retry.replace(notes::waits_for_api(retry));
        before.is_none().then(|| notes::retry(retry))
    }

    fn task_started(&mut self, task: &TaskStarted<'_>) -> Option<Page> {
        let call = task.tool_use_id.as_ref().and_then(|id| self.calls.get(&id.get()));
        let behind = call.map(|call| Behind {
            what: call.in_brief(),
            is_for_background: call.is_for_background(),
            is_agent: call.is_agent(),
        });
        self.tasks.started(task, behind.as_ref())
    }

    /// Told here, so not again with its result.
    fn denied(&mut self, denied: &PermissionDenied<'_>) -> Option<Page> {
        let id = denied.tool_use_id.as_ref().map(Text::get).unwrap_or_default();
        let call = self.calls.end(&id);
        let what = match &call {
            Some(call) => self.by_whom(call),
            None => call::shown_name(&denied.tool_name.get()),
        };
        Some(notes::denied(denied, &what))
    }

    /// A limit of the account, if a line is about one; the same one is told once.
    pub(super) fn limited(&mut self, line: &Object<'_>) -> Vec<Piece> {
        let Some((limit, page)) = notes::limit(line) else { return Vec::new() };
        let is_known = self.limit.as_deref() == Some(&limit);
        self.limit = Some(limit);
        if is_known { Vec::new() } else { vec![page.into()] }
    }
}
