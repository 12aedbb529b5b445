//! What is asked of the demo's agent, and what it asks: interrupts, messages that are taken back, permissions.
//!
//! Owns none of it longer than it takes to say what follows.

use codec::claude::{ControlBody, ControlReply, ControlRequest, Decision, control_success};
use codec::id::RequestId;
use codec::json::{Json, Object, Text};

use super::{CLOSED, Demo, Do, Wait};
use crate::demo::wire::{self, Gave, How, Task};

/// How long the background work lasts that is begun when a turn was interrupted: so there is a turn to speak in.
const TIDYING: u64 = 1_500;
const STOPPED: &str = "The user doesn't want to proceed with this tool use.";

impl Demo {
    pub(super) fn request(&mut self, request: &ControlRequest<'_>) {
        let id = &request.request_id;
        match &request.request {
            ControlBody::Interrupt(_) => self.interrupt(id),
            ControlBody::CancelAsyncMessage(cancel) => {
                let uuid = cancel.message_uuid.get();
                let is_back = self.inbox.takes_back(&uuid);
                if is_back {
                    self.line(wire::lifecycle(&uuid, "cancelled"));
                }
                self.line(control_success(id, &wire::cancelled(is_back)));
            }
            _ => self.line(control_success(id, &Json::object(|_| ()))),
        }
    }

    fn interrupt(&mut self, id: &RequestId) {
        match std::mem::replace(&mut self.waits, Wait::Nothing) {
            Wait::Permission(request) => self.line(wire::takes_back(&request)),
            Wait::Script => self.out.push(Do::StopAsking),
            Wait::Nothing | Wait::Line { .. } => {}
        }
        self.line(control_success(id, &wire::still_queued(&self.inbox.waiting())));
        if self.turn.is_some() {
            self.abort();
        }
    }

    /// Ends the turn in the middle.
    fn abort(&mut self) {
        self.beats.clear();
        if let Some(text) = self.saying.take() {
            self.said(text);
        }
        let aborted = if self.tool.is_some() { "aborted_tools" } else { "aborted_streaming" };
        self.tool_ends(&Gave { text: STOPPED.to_owned(), how: How::Interrupted }, None);
        self.line(wire::interrupted());
        // There must be one more turn in which that can be mentioned; but not for ever.
        if !std::mem::replace(&mut self.is_interrupted, true) && self.background.is_none() {
            let task = Task { id: "demo_tidy", what: "tidy up after the interrupt", tool_use_id: None };
            self.runs_in_background(task, TIDYING);
        }
        self.end_turn(Some(aborted));
    }

    pub(super) fn ask(&mut self, why: &str) {
        let Some(tool) = self.tool.clone() else { return };
        if self.is_closed {
            return self.decided(Err(CLOSED.to_owned()));
        }
        let request = RequestId::new(&self.name("demo-request-"));
        self.line(wire::asks(&request, &tool, why));
        self.waits = Wait::Permission(request);
    }

    /// The reply to a request of ours. One that came too late is ignored.
    pub(super) fn replied(&mut self, reply: &ControlReply<'_>) {
        if self.waits != Wait::Permission(reply.request_id.clone()) {
            return;
        }
        let response = reply.response.clone().and_then(|json| Object::read(json).ok());
        let decision = match response.map(Decision::from_object) {
            Some(Decision::Allow(_)) if reply.is_success() => Ok(()),
            Some(Decision::Deny(deny)) => Err(deny.message),
            _ => Err(reply.error.clone()),
        };
        let why = |why: Option<Text<'_>>| why.map(|why| why.get().into_owned());
        self.decided(decision.map_err(|words| why(words).unwrap_or_else(|| CLOSED.to_owned())));
    }

    pub(super) fn decided(&mut self, decision: Result<(), String>) {
        self.goes_on_now();
        if let (Err(_), Some((turn, _)), Some(tool)) = (&decision, &mut self.turn, &self.tool) {
            turn.denied.push(tool.clone());
        }
        self.permission_ended(decision);
    }
}
