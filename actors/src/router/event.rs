//! What can happen to the open questions, and what is to be done about it. Plain values.

use std::sync::Arc;

use codec::Asked;
use codec::id::RequestId;
use codec::journal;
use codec::json::Json;
use codec::tunnel::{AnswerSource, CancelReason};

use crate::answer::Given;
use crate::end::End;
use crate::gate::rules::Rule;
use crate::question::{Ask, Question};

use super::{AskerId, DeskId, Number};

/// How many questions may be open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct OpenLimits {
    /// of one asker
    pub each: usize,
    /// of all together
    pub all: usize,
    /// how many bytes they may hold, of one asker
    pub bytes_each: usize,
    /// of all together
    pub bytes_all: usize,
}

impl OpenLimits {
    /// The limits as a replay needs them.
    pub(crate) fn to_record(self) -> journal::OpenLimits<'static> {
        journal::OpenLimits {
            bytes_each: Some(self.bytes_each as u64),
            bytes_all: Some(self.bytes_all as u64),
            ..journal::OpenLimits::of(self.each as u64, self.all as u64)
        }
    }
}

impl Default for OpenLimits {
    fn default() -> Self {
        Self { each: 256, all: 10_000, bytes_each: 64 << 20, bytes_all: 256 << 20 }
    }
}

/// What the second use of an id means while the first question is still open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Repeated {
    /// the second gets an error, the first lives
    IsAnError,
    /// it is ignored: an error would be taken for the end of the first
    IsIgnored,
}

/// What a desk is to the open questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seating {
    /// what its answers count as
    pub(crate) source: AnswerSource,
    /// somebody is there: without such a desk a question is refused, whoever else may answer it
    pub(crate) counts: bool,
}

/// What happened.
#[derive(Debug, Clone)]
pub(crate) enum Event {
    /// an asker came
    AskerCame(AskerId, Repeated),
    /// an asker left: whatever it asked is withdrawn
    AskerLeft(AskerId),
    /// somebody asks; a rule may have decided it already
    Asked(AskerId, Ask, Option<Ruled>),
    /// somebody asked what is no question
    Misasked(AskerId, Asked, String),
    /// an asker takes a question back
    Withdrawn(AskerId, RequestId, CancelReason),
    /// a desk came: it is offered everything that is open
    DeskCame(DeskId, Seating),
    /// a desk left, with everything it held
    DeskLeft(DeskId),
    /// a desk says something about a question
    Said(DeskId, Number, Said),
    /// a desk says something about a question that cannot stand, and why not
    Missaid(DeskId, Number, String),
    /// a rule that came since decides a question that waits
    Ruled(Number, Ruled),
    /// the deadline of a question passed
    Expired(Number),
    /// whoever kept the deadline and the offers of a question is gone
    Lost(Number),
    /// the run ends
    ShutDown,
}

/// What a rule decided about a question.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ruled {
    /// the answer, as a desk would give it
    pub(crate) value: Json<'static>,
    /// the same, checked
    pub(crate) given: Given,
}

impl Ruled {
    /// How the question ends by it.
    pub(super) fn end(self) -> End {
        End::Answered { value: self.value, given: self.given, source: AnswerSource::Rule }
    }
}

/// What a desk can say about a question that it was offered.
#[derive(Debug, Clone, PartialEq)]
pub enum Said {
    /// somebody sees it
    Shown,
    /// an answer
    Answer(Json<'static>),
    /// a person refused to answer
    Decline,
    /// the deadline passed, by the clock of that desk; how long that was, if it says so
    TimedOut(Option<u64>),
    /// the desk cannot answer it, and why
    GiveBack(String),
    /// it was refused further up: in one word for programs, and in words for people
    Refused(&'static str, String),
    /// the desk lost its own way to the person
    Lost,
}

/// What to do about it, in this order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// a question was accepted and has a number now
    Accepted(Number, AskerId, Asked, Arc<Question>),
    /// it was offered to these desks; it may wait so long
    Opened(Number, Arc<[DeskId]>),
    /// it was offered to a desk that came later
    Offered(Number, DeskId),
    /// a desk no longer holds it, and nobody needs to tell that desk
    Released(Number, DeskId),
    /// it ended
    Ended(Number, Arc<Question>, Asked, Arc<End>),
    /// it must be taken off all desks that hold it; the one that ended it hears by this that it did
    Taken(Number, Arc<End>),
    /// something was refused before it was a question
    TurnedAway(Number, AskerId, Asked, Arc<End>),
    /// what was allowed holds for longer than this question of that asker, as far as these rules say
    Granted(AskerId, Arc<Question>, Vec<Rule>),
    /// the asker must hear of the end
    Reply(AskerId, Asked, Option<Arc<Question>>, Arc<End>),
    /// the asker may hear that somebody sees its question
    Shown(AskerId, Asked),
    /// a desk said something about a question that it does not hold
    Late(DeskId, Number),
    /// an answer did not fit the question, which stays open
    Unfit(DeskId, Number, String),
}
