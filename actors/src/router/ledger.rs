//! The open questions, and the only place where one of them ends.
//!
//! Owns who asked what under which id, who was offered it, and until when. Every event goes through [`Ledger::step`],
//! which decides in that one call and says what to do: record it, tell the asker, take it off the desks. Reads no
//! clock, starts no timer and sends nothing. An event costs the same with ten open questions and with ten thousand;
//! only when an asker leaves it costs as much as that asker had, and when a desk comes or leaves as much as is open.

use std::collections::HashMap;
use std::sync::Arc;

use codec::Asked;
use codec::id::RequestId;
use codec::json::Json;
use codec::tunnel::{AnswerSource, CancelReason};

use crate::answer;
use crate::end::{End, Refusal};
use crate::question::{Ask, Question};

use super::desks::Desks;
use super::event::{Effect, Event, OpenLimits, Repeated, Ruled, Said, Seating};
use super::numbered::ByNumber;
use super::{AskerId, DeskId, Number};

/// A question that is open.
#[derive(Debug)]
struct Open {
    asker: AskerId,
    asked: Asked,
    question: Arc<Question>,
    /// how much it holds, in bytes
    size: usize,
    shown: bool,
    /// when it came
    since: u64,
}

#[derive(Debug)]
struct Asker {
    repeated: Repeated,
    open: HashMap<RequestId, Number>,
    /// how much its open questions hold
    bytes: usize,
}

/// The open questions.
#[derive(Debug, Default)]
pub(crate) struct Ledger {
    limits: OpenLimits,
    /// the last number that was given
    last: Number,
    open: ByNumber<Number, Open>,
    /// how much the open questions hold
    bytes: usize,
    askers: ByNumber<AskerId, Asker>,
    desks: Desks,
    /// set when the run ends: whoever asks now hears what the others heard
    closing: bool,
}

impl Ledger {
    /// An empty ledger.
    #[must_use]
    pub(crate) fn new(limits: OpenLimits) -> Self {
        Self { limits, ..Self::default() }
    }

    /// Takes note of an event at a time, and says what to do.
    pub(crate) fn step(&mut self, now: u64, event: Event, effects: &mut Vec<Effect>) {
        match event {
            Event::AskerCame(asker, repeated) => {
                self.askers.insert(asker, Asker { repeated, open: HashMap::new(), bytes: 0 });
            }
            Event::AskerLeft(asker) => self.asker_left(asker, effects),
            Event::Asked(asker, ask, ruled) => self.asked(now, asker, ask, ruled, effects),
            Event::Misasked(asker, asked, why) => {
                self.turn_away(asker, asked, End::Refused(Refusal::Invalid(why)), effects);
            }
            Event::Withdrawn(asker, id, reason) => self.withdrawn(now, asker, &id, reason, effects),
            Event::DeskCame(desk, seating) => self.desk_came(desk, seating, effects),
            Event::DeskLeft(desk) => self.desk_left(desk, effects),
            Event::Said(desk, number, said) => self.said(now, desk, number, said, effects),
            Event::Missaid(desk, number, why) => effects.push(match self.desks.holds(desk, number) {
                true => Effect::Unfit(desk, number, why),
                false => Effect::Late(desk, number),
            }),
            Event::Ruled(number, ruled) => self.end(number, ruled.end(), effects),
            Event::Expired(number) => self.expired(number, effects),
            Event::Lost(number) => self.end(number, End::Refused(Refusal::Internal), effects),
            Event::ShutDown => self.shut_down(effects),
        }
    }

    /// An open question: who asks it, what it is, and since when.
    #[must_use]
    pub(crate) fn look(&self, number: Number) -> Option<(AskerId, &Arc<Question>, u64)> {
        let open = self.open.get(&number)?;
        Some((open.asker, &open.question, open.since))
    }

    /// Whether somebody sees an open question.
    #[must_use]
    pub(crate) fn is_shown(&self, number: Number) -> bool {
        self.open.get(&number).is_some_and(|open| open.shown)
    }

    /// Whether that number was ever given.
    #[must_use]
    pub(crate) fn has_numbered(&self, number: Number) -> bool {
        (Number(1)..=self.last).contains(&number)
    }

    /// Whether there is anybody to be asked.
    #[must_use]
    pub(crate) fn has_desk(&self) -> bool {
        !self.desks.is_deserted()
    }

    /// The open question that an asker asked under an id.
    #[must_use]
    pub(crate) fn find(&self, asker: AskerId, id: &RequestId) -> Option<Number> {
        self.askers.get(&asker)?.open.get(id).copied()
    }

    fn asked(&mut self, now: u64, asker: AskerId, ask: Ask, ruled: Option<Ruled>, effects: &mut Vec<Effect>) {
        let Some(book) = self.askers.get(&asker) else { return };
        let OpenLimits { each, all, bytes_each, bytes_all } = self.limits;
        let end = match () {
            () if self.closing => End::Disconnected,
            () if book.open.contains_key(&ask.asked.id) => End::Refused(Refusal::Duplicate),
            () if book.open.len() >= each => End::Refused(Refusal::TooMany { limit: each }),
            () if self.open.len() >= all => End::Refused(Refusal::TooManyInAll { limit: all }),
            () if book.bytes.saturating_add(ask.size) > bytes_each => End::Refused(Refusal::TooLarge),
            () if self.bytes.saturating_add(ask.size) > bytes_all => End::Refused(Refusal::TooLarge),
            () => return self.accept(now, asker, ask, ruled, effects),
        };
        self.turn_away(asker, ask.asked, end, effects);
    }

    fn accept(
        &mut self,
        now: u64,
        asker: AskerId,
        ask: Ask,
        ruled: Option<Ruled>,
        effects: &mut Vec<Effect>,
    ) {
        let number = self.next_number();
        let Ask { asked, question, size } = ask;
        self.bytes += size;
        if let Some(book) = self.askers.get_mut(&asker) {
            book.open.insert(asked.id.clone(), number);
            book.bytes += size;
        }
        effects.push(Effect::Accepted(number, asker, asked.clone(), Arc::clone(&question)));
        self.open.insert(number, Open { asker, asked, question, size, shown: false, since: now });
        if let Some(ruled) = ruled {
            return self.end(number, ruled.end(), effects);
        }
        if self.desks.is_deserted() {
            return self.end(number, End::Refused(Refusal::NoDesk), effects);
        }
        effects.push(Effect::Opened(number, self.desks.offer(number)));
    }

    /// What is no question, or one too many, is refused at the door, unless a question of that id is open and the
    /// reply would be taken for its end.
    fn turn_away(&mut self, asker: AskerId, asked: Asked, end: End, effects: &mut Vec<Effect>) {
        let Some(book) = self.askers.get(&asker) else { return };
        if book.repeated == Repeated::IsIgnored && book.open.contains_key(&asked.id) {
            return;
        }
        let end = Arc::new(end);
        effects.push(Effect::TurnedAway(self.next_number(), asker, asked.clone(), Arc::clone(&end)));
        effects.push(Effect::Reply(asker, asked, None, end));
    }

    fn next_number(&mut self) -> Number {
        self.last = Number(self.last.0 + 1);
        self.last
    }

    fn withdrawn(
        &mut self,
        now: u64,
        asker: AskerId,
        id: &RequestId,
        reason: CancelReason,
        effects: &mut Vec<Effect>,
    ) {
        let Some(number) = self.find(asker, id) else { return };
        let end = match reason {
            CancelReason::TimedOut => self.timed_out_elsewhere(now, number, None),
            CancelReason::AskerGone => End::Cancelled { gone: true },
            CancelReason::Cancelled => End::Cancelled { gone: false },
        };
        self.end(number, end, effects);
    }

    fn asker_left(&mut self, asker: AskerId, effects: &mut Vec<Effect>) {
        let Some(book) = self.askers.remove(&asker) else { return };
        let mut numbers: Vec<Number> = book.open.into_values().collect();
        numbers.sort_unstable();
        for number in numbers {
            self.end(number, End::Cancelled { gone: true }, effects);
        }
    }

    fn desk_came(&mut self, desk: DeskId, seating: Seating, effects: &mut Vec<Effect>) {
        self.desks.come(desk, seating);
        for number in self.numbers() {
            self.desks.offer_to(number, desk);
            effects.push(Effect::Offered(number, desk));
        }
    }

    fn desk_left(&mut self, desk: DeskId, effects: &mut Vec<Effect>) {
        let Some(source) = self.desks.leave(desk) else { return };
        for number in self.desks.held_by(desk) {
            let end = match source {
                AnswerSource::Parent => End::Disconnected,
                _ => End::Refused(Refusal::GivenBack("Whoever could answer has left".to_owned())),
            };
            self.given_back(desk, number, end, effects);
        }
    }

    fn given_back(&mut self, desk: DeskId, number: Number, if_last: End, effects: &mut Vec<Effect>) {
        effects.push(Effect::Released(number, desk));
        if self.desks.give_back(desk, number) {
            self.end(number, if_last, effects);
        }
    }

    fn said(&mut self, now: u64, desk: DeskId, number: Number, said: Said, effects: &mut Vec<Effect>) {
        if !self.desks.holds(desk, number) {
            // What was on its way when the question ended. Only an answer is something that a person meant.
            if !matches!(said, Said::Shown | Said::GiveBack(_) | Said::Refused(..) | Said::Lost) {
                effects.push(Effect::Late(desk, number));
            }
            return;
        }
        match said {
            Said::Shown => self.shown(number, effects),
            Said::Answer(value) => self.answered(desk, number, value, effects),
            Said::Decline => self.end(number, End::Declined, effects),
            Said::TimedOut(after) => self.end(number, self.timed_out_elsewhere(now, number, after), effects),
            Said::Lost => self.given_back(desk, number, End::Disconnected, effects),
            Said::GiveBack(why) => {
                self.given_back(desk, number, End::Refused(Refusal::GivenBack(why)), effects);
            }
            Said::Refused(word, why) => {
                self.given_back(desk, number, End::Refused(Refusal::Further { word, why }), effects);
            }
        }
    }

    fn shown(&mut self, number: Number, effects: &mut Vec<Effect>) {
        let Some(open) = self.open.get_mut(&number) else { return };
        if !std::mem::replace(&mut open.shown, true) {
            effects.push(Effect::Shown(open.asker, open.asked.clone()));
        }
    }

    fn answered(&mut self, desk: DeskId, number: Number, value: Json<'static>, effects: &mut Vec<Effect>) {
        let (Some(open), Some(source)) = (self.open.get(&number), self.desks.source(desk)) else { return };
        let given = match answer::check(&open.question, &value) {
            Ok(given) => given,
            Err(wrong) => return effects.push(Effect::Unfit(desk, number, wrong.to_string())),
        };
        let granted = given.granted();
        // Only somebody who decides can grant; a rule applies itself.
        let is_grant = source != AnswerSource::Rule && !granted.is_empty();
        let granted = is_grant.then(|| Effect::Granted(open.asker, Arc::clone(&open.question), granted));
        self.end(number, End::Answered { value, given, source }, effects);
        // After its own end: what it answers besides comes behind it.
        effects.extend(granted);
    }

    /// Our own timer fired. A question without a deadline has none, whoever says so.
    fn expired(&mut self, number: Number, effects: &mut Vec<Effect>) {
        let Some(open) = self.open.get(&number) else { return };
        if let Some(after_ms) = open.question.timeout_ms {
            self.end(number, End::TimedOut { after_ms, shown: open.shown }, effects);
        }
    }

    /// Somebody else's timer fired, or so they say: nothing may be approved on their word, so nobody has seen it.
    fn timed_out_elsewhere(&self, now: u64, number: Number, after_ms: Option<u64>) -> End {
        let since = self.open.get(&number).map_or(now, |open| open.since);
        End::TimedOut { after_ms: after_ms.unwrap_or(now.saturating_sub(since)), shown: false }
    }

    fn shut_down(&mut self, effects: &mut Vec<Effect>) {
        self.closing = true;
        for number in self.numbers() {
            self.end(number, End::Disconnected, effects);
        }
    }

    /// The one place where a question ends: off the books, off the desks, and the asker hears of it if it lives.
    fn end(&mut self, number: Number, end: End, effects: &mut Vec<Effect>) {
        let Some(Open { asker, asked, question, size, .. }) = self.open.remove(&number) else { return };
        self.bytes -= size;
        let book = self.askers.get_mut(&asker);
        let asker_lives = book.is_some_and(|book| {
            book.bytes -= size;
            book.open.remove(&asked.id).is_some()
        });
        let end = Arc::new(end);
        effects.push(Effect::Ended(number, Arc::clone(&question), asked.clone(), Arc::clone(&end)));
        self.desks.withdraw(number);
        effects.push(Effect::Taken(number, Arc::clone(&end)));
        if asker_lives {
            effects.push(Effect::Reply(asker, asked, Some(question), end));
        }
    }

    /// All open questions, the oldest first.
    #[must_use]
    pub(crate) fn numbers(&self) -> Vec<Number> {
        let mut numbers: Vec<Number> = self.open.keys().copied().collect();
        numbers.sort_unstable();
        numbers
    }
}
