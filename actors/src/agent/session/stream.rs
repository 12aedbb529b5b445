//! What the lines of an agent that speaks stream events mean for its session. Pure.
//!
//! Owns which question it has paused itself by, whether its turn was rejected, and how its turns ended. A line that will get
//! a response pauses it, be it a good question or not; after a rejection nothing counts until it says that the turn is over,
//! for which it has a few seconds.

use codec::events::{Event as Line, only_tells, recover};
use codec::frame::Frame;
use codec::id::RequestId;

use super::told::Answer;
use crate::agent::stdin::Event;
use crate::agent::verdict::Turns;

/// How long a turn that was rejected may take to end.
const TO_END_MS: u64 = 5_000;

/// What is known of such an agent by its lines.
#[derive(Debug, Default)]
pub(super) struct Stream {
    /// the question that it waits for
    paused: Option<RequestId>,
    rejected: Option<Rejected>,
    turns: Turns,
}

/// A turn that was rejected, and that it has not ended.
#[derive(Debug)]
struct Rejected {
    since_ms: u64,
    is_told: bool,
}

impl Stream {
    /// One that begins with something to do, or not.
    pub(super) fn beginning(has_prompt: bool) -> Self {
        let mut stream = Self::default();
        if has_prompt {
            stream.spoken_to();
        }
        stream
    }

    /// Whether a line of it, in a turn, says no more than that the turn goes on. Most do, and need not be read for that.
    pub(super) fn only_goes_on(&self, frame: &Frame) -> bool {
        let is_at_work = self.turns.is_open() || self.rejected.is_some();
        is_at_work && matches!(frame, Frame::Line(line) if only_tells(line))
    }

    /// A line of it: what that means for its stdin.
    pub(super) fn hear(&mut self, frame: &Frame, is_in_turn: bool) -> Vec<Event> {
        match frame {
            Frame::Line(line) => match Line::read(line) {
                Ok(event) => self.event(&event, is_in_turn),
                Err(reject) => self.may_ask(reject.asked.map(|asked| asked.id), is_in_turn),
            },
            Frame::Oversized(over) => self.may_ask(recover(&over.head).map(|asked| asked.id), is_in_turn),
            Frame::Torn { .. } => Vec::new(),
        }
    }

    /// A line that could not be understood pauses it all the same, if it asked something under a name.
    fn may_ask(&mut self, id: Option<RequestId>, is_in_turn: bool) -> Vec<Event> {
        id.map_or_else(|| vec![Event::Heard], |id| self.asks(id, is_in_turn))
    }

    fn event(&mut self, event: &Line<'_>, is_in_turn: bool) -> Vec<Event> {
        if self.rejected.is_none() {
            self.turns.hear(event);
        }
        match event {
            Line::InputRequest(request) => self.asks(request.request_id.clone(), is_in_turn),
            Line::Done(_) => {
                self.rejected = None;
                vec![Event::TurnEnded { unasked: false, read: Vec::new() }]
            }
            Line::UserRead(read) => vec![Event::MessageEchoed { uuid: read.id.get().into_owned() }],
            Line::Unknown(_) => self.may_ask(event.misunderstood().map(|asked| asked.id), is_in_turn),
            _ if event.begins_turn() && !is_in_turn => vec![Event::TurnBegan],
            _ => vec![Event::Heard],
        }
    }

    fn asks(&mut self, id: RequestId, is_in_turn: bool) -> Vec<Event> {
        self.paused = Some(id.clone());
        let began = (!is_in_turn).then_some(Event::TurnBegan);
        began.into_iter().chain([Event::QuestionOpened { id }]).collect()
    }

    /// It is told something by the person: a turn begins, or hears more.
    pub(super) const fn spoken_to(&mut self) {
        self.turns.begins();
    }

    /// The answer is on its way to it, or can never reach it.
    pub(super) fn answered(&mut self, answer: &Answer, is_heard: bool, now_ms: u64) {
        self.paused.take_if(|paused| *paused == answer.id);
        if answer.is_reject && self.rejected.is_none() {
            self.turns.was_rejected(answer.is_decided());
        }
        // An agent that asks and hears nothing can only be ended.
        if (answer.is_reject || !is_heard) && self.rejected.is_none() {
            self.rejected = Some(Rejected { since_ms: now_ms, is_told: false });
        }
    }

    pub(super) const fn is_paused(&self) -> bool {
        self.paused.is_some()
    }

    /// When a turn that was rejected must have ended.
    pub(super) fn overdue_at(&self) -> Option<u64> {
        let rejected = self.rejected.as_ref().filter(|rejected| !rejected.is_told)?;
        Some(rejected.since_ms.saturating_add(TO_END_MS))
    }

    /// Whether it should have ended by now; said once.
    pub(super) fn is_overdue(&mut self, now_ms: u64) -> bool {
        let is_so = self.overdue_at().is_some_and(|at| now_ms >= at);
        if let Some(rejected) = self.rejected.as_mut().filter(|_| is_so) {
            rejected.is_told = true;
        }
        is_so
    }

    /// How its turns ended.
    pub(super) fn end(self) -> Turns {
        self.turns
    }
}
