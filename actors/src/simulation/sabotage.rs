//! Bugs that the router does not have, to prove that the tests would notice them.
//!
//! Each is planted between the ledger and the rest of the router: in what the ledger is told, or in what it says.

use std::sync::Arc;

use codec::Outcome;
use codec::json::Json;
use codec::tunnel::{AnswerSource, CancelReason};

use crate::answer::{Given, Verdict};
use crate::end::{End, Refusal};
use crate::router::{AskerId, Effect, Event, Number, Repeated, Said};

/// An answer that fits no question.
pub(crate) const UNFIT: &str = "{\"unfit\":1}";

/// One bug, or none.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Sabotage {
    /// the router as it is
    #[default]
    None,
    /// whoever asked hears of the end twice
    DoubleEnd,
    /// the end of a question is told to nobody
    LostEnd,
    /// the end of a question is not recorded
    UnrecordedEnd,
    /// a question that was taken back stays
    LostCancel,
    /// an answer counts for another question than the one it names
    WrongKey,
    /// a deadline passes and nothing happens
    ForgottenDeadline,
    /// a timeout is told as a withdrawal
    MixedUpOutcome,
    /// the reply leaves before its record is on file
    ReplyBeforeJournal,
    /// ids are shared by all askers
    SharedIds,
    /// the second use of an id ends the first question
    DuplicateEndsFirst,
    /// on a control wire the second use of an id gets an error
    DuplicateIsAnError,
    /// a permission that nobody decided in time is given
    TimeoutApproves,
    /// an ended question stays on the desks
    LostWithdrawal,
    /// a desk that left is still waited for
    ForgottenDesk,
    /// a desk that comes later is offered nothing
    NoOfferToLateDesk,
    /// only the first desk is offered anything
    OfferToOneDesk,
    /// the questions of an asker that left stay
    ForgottenAsker,
    /// an answer that does not fit ends the question
    UnfitAnswerCounts,
    /// a question that nobody can answer waits
    WaitsForNobody,
    /// what is granted for longer holds for one question
    LostGrant,
    /// what waits is not answered by what is granted
    GrantAnswersNothing,
    /// the terminal shows questions in order of arrival alone
    UnfairQueue,
}

impl Sabotage {
    /// What the ledger hears.
    pub(crate) fn before(self, event: Event) -> Vec<Event> {
        match (self, event) {
            (Sabotage::LostCancel, Event::Withdrawn(..))
            | (Sabotage::GrantAnswersNothing, Event::Ruled(..))
            | (Sabotage::ForgottenDeadline, Event::Expired(_))
            | (Sabotage::ForgottenDesk, Event::DeskLeft(_))
            | (Sabotage::ForgottenAsker, Event::AskerLeft(_)) => Vec::new(),
            (Sabotage::WrongKey, Event::Said(desk, number, said @ Said::Answer(_))) => {
                vec![Event::Said(desk, Number(number.0 + 1), said)]
            }
            (Sabotage::UnfitAnswerCounts, Event::Said(desk, number, Said::Answer(value)))
                if value.raw() == UNFIT =>
            {
                vec![Event::Said(desk, number, Said::Decline)]
            }
            (Sabotage::DuplicateIsAnError, Event::AskerCame(asker, _)) => {
                vec![Event::AskerCame(asker, Repeated::IsAnError)]
            }
            (Sabotage::SharedIds, Event::Asked(_, ask, ruled)) => vec![Event::Asked(AskerId(1), ask, ruled)],
            (Sabotage::DuplicateEndsFirst, Event::Asked(asker, ask, ruled)) => {
                let first = Event::Withdrawn(asker, ask.asked.id.clone(), CancelReason::Cancelled);
                vec![first, Event::Asked(asker, ask, ruled)]
            }
            (_, event) => vec![event],
        }
    }

    /// What the ledger says.
    pub(crate) fn after(self, effects: &mut Vec<Effect>) {
        let is_reply = |effect: &Effect| matches!(effect, Effect::Reply(..));
        match self {
            Sabotage::DoubleEnd => {
                if let Some(reply) = effects.iter().find(|effect| is_reply(effect)).cloned() {
                    effects.push(reply);
                }
            }
            Sabotage::LostEnd => effects.retain(|effect| !is_reply(effect)),
            Sabotage::UnrecordedEnd => effects.retain(|effect| !matches!(effect, Effect::Ended(..))),
            Sabotage::LostWithdrawal => effects.retain(|effect| !matches!(effect, Effect::Taken(..))),
            Sabotage::LostGrant => effects.retain(|effect| !matches!(effect, Effect::Granted(..))),
            Sabotage::NoOfferToLateDesk => effects.retain(|effect| !matches!(effect, Effect::Offered(..))),
            Sabotage::OfferToOneDesk => effects.iter_mut().for_each(offer_to_one),
            Sabotage::WaitsForNobody => effects.retain(|effect| !is_of_nobody(effect)),
            Sabotage::TimeoutApproves => effects.iter_mut().for_each(approve),
            Sabotage::MixedUpOutcome => effects.iter_mut().for_each(mix_up),
            _ => {}
        }
    }

    /// Whether lines do not wait for their records.
    pub(crate) fn is_impatient(self) -> bool {
        self == Sabotage::ReplyBeforeJournal
    }
}

fn offer_to_one(effect: &mut Effect) {
    if let Effect::Opened(_, desks) = effect {
        *desks = desks.iter().copied().take(1).collect();
    }
}

fn is_of_nobody(effect: &Effect) -> bool {
    let (Effect::Ended(.., end) | Effect::Reply(.., end)) = effect else { return false };
    **end == End::Refused(Refusal::NoDesk)
}

fn mix_up(effect: &mut Effect) {
    if let Effect::Reply(.., end) = effect
        && end.outcome() == Outcome::TimedOut
    {
        *end = Arc::new(End::Cancelled { gone: false });
    }
}

fn approve(effect: &mut Effect) {
    if let Effect::Reply(.., end) = effect
        && end.outcome() == Outcome::TimedOut
    {
        let value = Json::parse("{\"allow\":true}").unwrap();
        let given = Given::Verdict(Verdict::read(&value).unwrap());
        *end = Arc::new(End::Answered { value, given, source: AnswerSource::Rule });
    }
}
