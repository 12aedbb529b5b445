//! What the ledger decided becomes records and orders: each effect is put on file, then sent on its way.

use std::sync::Arc;

use bytes::Bytes;
use codec::Asked;
use codec::id::{Key, Path};
use codec::journal::{self, Direction};
use codec::json::Text;

use crate::end::End;
use crate::question::{Question, Tool};

use super::emit::{Emission, timestamp};
use super::event::Effect;
use super::info::DeskInfo;
use super::numbered::ByNumber;
use super::order::{Emitted, News, Offer, Order, Stage};
use super::routing::{Routing, key_of};
use super::{AskerId, DeskId, Number};

impl Routing {
    pub(super) fn carry_out(&mut self, now: u64, effect: Effect) {
        match effect {
            Effect::Accepted(number, asker, asked, question) => {
                self.accepted(now, number, asker, &asked, question);
            }
            Effect::Opened(number, desks) => self.opened(now, number, desks),
            Effect::Offered(number, desk) => self.offered(now, number, desk),
            Effect::Released(number, desk) => self.orders.push(Order::Release(number, desk)),
            Effect::Ended(number, question, asked, end) => self.ended(now, number, &question, &asked, &end),
            Effect::Taken(number, end) => self.orders.push(Order::Close(number, end)),
            Effect::TurnedAway(number, asker, asked, end) => {
                self.turned_away(now, number, asker, asked, &end)
            }
            Effect::Reply(asker, asked, question, end) => {
                self.reply(now, asker, &asked, question.as_deref(), &end)
            }
            Effect::Granted(asker, question, rules) => self.granted(now, asker, &question, &rules),
            Effect::Shown(asker, asked) => self.shown(now, asker, &asked),
            Effect::Late(desk, number) => self.late(now, desk, self.key(number)),
            Effect::Unfit(desk, number, why) => {
                self.orders.push(Order::Tell(desk, self.key(number), News::Unfit(why)));
            }
        }
    }

    fn accepted(&mut self, now: u64, number: Number, asker: AskerId, asked: &Asked, question: Arc<Question>) {
        if !self.scribe.is_kept() && !self.run.publishes {
            return;
        }
        let key = self.key(number);
        let path = self.path_of(asker, &question);
        let (wire, named) = match self.askers.get(&asker) {
            Some(known) => (Some(known.info.wire.as_str()), known.info.path.is_some()),
            None => (None, false),
        };
        let behalf = self.behalf(asker, &question);
        self.scribe.event(now, || {
            let mut ask = journal::Ask::of(key.clone(), question.kind());
            ask.wire = wire.map(Text::new);
            ask.path = named.then(|| Text::new(&path));
            ask.request_id = Some(asked.id.clone());
            ask.config = question.config();
            ask.tool = question.tool().map(Tool::on_record);
            ask.deadline_ms = question.timeout_ms;
            ask.behalf = behalf;
            journal::Event::Ask(ask)
        });
        if self.run.publishes {
            let at = self.timestamp(now);
            let line = Emission { at: &at, key: &key, asked, question: &question }
                .accepted(named.then_some(path.as_str()));
            let keeper = self.keeper(asker, &question);
            self.publish(key, Stage::Asked { path, question, keeper }, line);
        }
    }

    /// What programs read waits for its record as replies do.
    fn publish(&mut self, key: Key, what: Stage, line: String) {
        self.outbox.hold(self.scribe.last(), Order::Publish(Box::new(Emitted { key, what, line })));
    }

    pub(super) fn timestamp(&self, now: u64) -> String {
        timestamp(self.run.began_unix_ms.saturating_add(now))
    }

    fn opened(&mut self, now: u64, number: Number, desks: Arc<[DeskId]>) {
        for desk in desks.iter() {
            self.record_offer(now, number, *desk);
        }
        if let Some(offer) = self.offer(now, number) {
            self.orders.push(Order::Keep(number, offer, desks));
        }
    }

    fn offered(&mut self, now: u64, number: Number, desk: DeskId) {
        self.record_offer(now, number, desk);
        if let Some(offer) = self.offer(now, number) {
            self.orders.push(Order::OfferTo(number, offer, desk));
        }
    }

    fn record_offer(&mut self, now: u64, number: Number, desk: DeskId) {
        let (run, desks) = (&self.run, &self.desks);
        self.scribe.event(now, || {
            journal::Event::Offer(journal::Offer::of(key_of(run, number), name_of(desks, desk)))
        });
    }

    pub(super) fn offer(&self, now: u64, number: Number) -> Option<Arc<Offer>> {
        let (asker, question, since) = self.ledger.look(number)?;
        let left = |timeout: u64| since.saturating_add(timeout).saturating_sub(now);
        Some(Arc::new(Offer {
            key: self.key(number),
            asker,
            path: self.path_of(asker, question),
            pid: self.askers.get(&asker).and_then(|known| known.info.pid),
            question: Arc::clone(question),
            since,
            left_ms: question.timeout_ms.map(left),
            keeper: self.keeper(asker, question),
        }))
    }

    /// Who asks, in words: the one at the other end of the connection, or whoever it asks for further down.
    fn path_of(&self, asker: AskerId, question: &Question) -> String {
        let Some(known) = self.agent_of(asker).or_else(|| self.askers.get(&asker)) else {
            return String::new();
        };
        let below =
            |claimed: &&Path| known.path().is_some_and(|own| claimed.labels().starts_with(own.labels()));
        match question.claimed.as_ref().filter(below) {
            Some(claimed) => claimed.to_string(),
            None => known.who.path.clone(),
        }
    }

    fn ended(&mut self, now: u64, number: Number, question: &Question, asked: &Asked, end: &Arc<End>) {
        let key = self.key(number);
        self.scribe.event(now, || journal::Event::Ended(end_record(key.clone(), end)));
        if self.run.publishes {
            let at = self.timestamp(now);
            let line = Emission { at: &at, key: &key, asked, question }.ended(end);
            self.publish(key, Stage::Ended(Arc::clone(end)), line);
        }
    }

    fn turned_away(&mut self, now: u64, number: Number, asker: AskerId, asked: Asked, end: &End) {
        let (run, asker) = (&self.run, self.askers.get(&asker));
        self.scribe.event(now, || {
            let mut ended = end_record(key_of(run, number), end);
            ended.wire = asker.map(|known| Text::new(&known.info.wire));
            ended.request_id = Some(asked.id);
            journal::Event::Ended(ended)
        });
    }

    fn reply(&mut self, now: u64, asker: AskerId, asked: &Asked, question: Option<&Question>, end: &End) {
        let Some(known) = self.askers.get(&asker) else { return };
        let line = self.allowed_by_time(asker, asked, question, end);
        if let Some(line) = line.or_else(|| known.info.dialect.reply(asked, question, end)) {
            self.send(now, asker, line);
        }
        self.ends_turn(now, asker, question.is_some(), end);
    }

    /// What somebody saw and nobody answered in time may have been allowed beforehand: for an agent of ours.
    fn allowed_by_time(
        &self,
        asker: AskerId,
        asked: &Asked,
        question: Option<&Question>,
        end: &End,
    ) -> Option<String> {
        let question = question.filter(|question| self.is_ours(asker, question))?;
        self.agent_of(asker).filter(|_| self.run.allow_on_timeout)?;
        match end {
            End::TimedOut { shown: true, .. } => {
                self.askers.get(&asker)?.info.dialect.allowed_by_time(asked, question)
            }
            _ => None,
        }
    }

    fn shown(&mut self, now: u64, asker: AskerId, asked: &Asked) {
        if let Some(line) = self.askers.get(&asker).and_then(|known| known.info.dialect.shown(asked)) {
            self.send(now, asker, line);
        }
    }

    pub(super) fn late(&mut self, now: u64, desk: DeskId, key: Key) {
        let desks = &self.desks;
        self.scribe.event(now, || journal::Event::Late(journal::Late::of(key.clone(), name_of(desks, desk))));
        self.orders.push(Order::Tell(desk, key, News::Late));
    }

    /// Records a line for an asker and lets it wait for that record.
    pub(super) fn send(&mut self, now: u64, asker: AskerId, line: String) {
        let Some(known) = self.askers.get(&asker) else { return };
        self.scribe.line(now, &known.info.wire, Direction::To, line.as_bytes(), None);
        #[cfg(test)]
        if self.sabotage.is_impatient() {
            self.orders.push(Order::Send(asker, Bytes::from(line)));
            return;
        }
        self.outbox.hold(self.scribe.last(), Order::Send(asker, Bytes::from(line)));
    }
}

fn name_of(desks: &ByNumber<DeskId, DeskInfo>, desk: DeskId) -> Text<'static> {
    Text::new(desks.get(&desk).map_or("", |info| &info.name))
}

fn end_record(key: Key, end: &End) -> journal::Ended<'static> {
    let mut ended = journal::Ended::of(key, end.outcome());
    match end {
        End::Answered { value, source, .. } => {
            ended.value = Some(value.clone());
            ended.source = Some(*source);
        }
        End::Refused(refusal) => ended.reason = Some(Text::new(refusal.word())),
        _ => {}
    }
    ended
}
