//! The turns of an agent that speaks stream events: it pauses by a question, and a no to that ends its turn.
//!
//! Owns whose turn was rejected. What such an agent says from then on is on record, and nowhere else, until it has said that
//! the turn is over and the person has said something more: a no cannot be followed by a turn that nobody asked for. What it
//! asks meanwhile is answered at once, since it would wait for ever.

use std::sync::Arc;

use codec::frame::Frame;

use crate::agent::events;
use crate::dialect::{Dialect, Heard};
use crate::end::End;

use super::AskerId;
use super::info::Asker;
use super::order::Order;
use super::routing::Routing;

/// What is asked in a turn that is over.
const IS_OVER: &str = "the turn was rejected";

/// The turns of one agent.
#[derive(Debug, Default)]
pub(super) struct Turns {
    /// lines of the person for which there was no turn yet; the one that goes on is about the first
    said: u64,
    rejected: Option<Rejected>,
}

/// A turn that was rejected.
#[derive(Debug, Default)]
struct Rejected {
    is_over: bool,
}

impl Turns {
    /// The person said something.
    pub(super) fn spoken_to(&mut self) {
        self.said = self.said.saturating_add(1);
        self.rejected.take_if(|rejected| rejected.is_over);
    }

    /// Whether what it says counts nowhere.
    pub(super) const fn is_rejected(&self) -> bool {
        self.rejected.is_some()
    }

    /// It was rejected. Says whether that is news.
    fn is_rejected_now(&mut self) -> bool {
        let is_news = self.rejected.is_none();
        self.rejected.get_or_insert_default();
        is_news
    }

    /// The turn is over; the next one may be about what the person said meanwhile.
    fn ended(&mut self) {
        self.said = self.said.saturating_sub(1);
        match &mut self.rejected {
            Some(rejected) if self.said == 0 => rejected.is_over = true,
            rejected => *rejected = None,
        }
    }
}

impl Routing {
    /// What is left of what an agent says, if its turn was rejected.
    pub(super) fn not_discarded(&mut self, asker: AskerId, heard: Heard) -> Option<Heard> {
        let Some(known) = self.askers.get_mut(&asker) else { return Some(heard) };
        let is_rejected = known.turns.is_rejected();
        if matches!(heard, Heard::TurnEnds) {
            known.turns.ended();
        }
        match heard {
            heard if !is_rejected => Some(heard),
            Heard::Ask(ask) => Some(Heard::Misask(ask.asked, IS_OVER.to_owned())),
            Heard::Misask(asked, _) => Some(Heard::Misask(asked, IS_OVER.to_owned())),
            _ => None,
        }
    }

    /// An agent pauses itself to ask: whoever shows what it says knows that before the question is there.
    pub(super) fn pauses(&mut self, asker: AskerId, frame: Frame) {
        if self.askers.get(&asker).is_some_and(Asker::speaks_events) {
            self.report(asker, frame);
        }
    }

    /// An agent hears of an end: if that is a no, its turn is over. `is_question`: it was one that somebody could answer.
    pub(super) fn ends_turn(&mut self, now: u64, asker: AskerId, is_question: bool, end: &End) {
        let is_its_end = |known: &&mut Asker| known.speaks_events() && events::is_rejection(end);
        let Some(known) = self.askers.get_mut(&asker).filter(is_its_end) else { return };
        if !known.turns.is_rejected_now() {
            return;
        }
        if !is_question {
            self.orders.push(Order::Misasked(Arc::clone(&known.who), end.told()));
        }
        self.send(now, asker, events::cancel());
    }
}

impl Asker {
    fn speaks_events(&self) -> bool {
        self.info.dialect == Dialect::Events
    }
}
