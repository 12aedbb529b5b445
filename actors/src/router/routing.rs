//! The router without its mailbox: lines and answers in, orders out.
//!
//! Owns the ledger, who speaks which language on which wire, the record and what waits for it. Every line and every word
//! of a desk is recorded before it is looked at (half a line at the end of a connection was not said), everything that
//! goes out before it leaves. The actor, the replay and the simulation all drive this one struct. Reads no clock: the
//! time comes with every call.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use codec::Outcome;
use codec::frame::Frame;
use codec::id::{Key, Path};
use codec::journal::{self, Direction};
use codec::json::{Json, Object, Text};
use tokio::sync::mpsc;

use crate::dialect::Heard;
use crate::gate::Gate;
use crate::journal::Progress;
use crate::ports::{Record, Started};
use crate::question::Ask;

use super::event::{Effect, Event, Said, Seating};
use super::info::{Asker, AskerInfo, DeskInfo, RunInfo};
use super::ledger::Ledger;
use super::numbered::ByNumber;
use super::order::Order;
use super::outbox::Outbox;
use super::scribe::Scribe;
use super::{AskerId, DeskId, Number};

/// Who writes our journals.
const WRITER: &str = concat!("tim ", env!("CARGO_PKG_VERSION"));

/// The router's state.
pub struct Routing {
    pub(super) run: RunInfo,
    pub(super) ledger: Ledger,
    /// the rules in force: those of the run, and what was granted since
    pub(super) gate: Arc<Gate>,
    pub(super) askers: ByNumber<AskerId, Asker>,
    pub(super) desks: ByNumber<DeskId, DeskInfo>,
    /// the paths of all who ask
    pub(super) paths: HashSet<String>,
    last_asker: u64,
    last_desk: u64,
    /// how many requests were made of agents, and how many names were given to typed lines
    pub(super) steered: u64,
    pub(super) named: u64,
    pub(super) scribe: Scribe,
    /// takes out of a text what no record of our own may hold
    pub(super) mask: Box<dyn Fn(&str) -> String>,
    pub(super) outbox: Outbox<Order>,
    effects: Vec<Effect>,
    pub(super) orders: Vec<Order>,
    #[cfg(test)]
    pub(crate) sabotage: crate::simulation::Sabotage,
}

impl Routing {
    /// A router for one run. The first record says which.
    #[must_use]
    pub fn new(run: RunInfo, record: Box<dyn Record>) -> Self {
        Self::started_with(Started::default(), run, record)
    }

    /// The same; the first record also says how the run was started.
    #[must_use]
    pub fn started_with(started: Started, run: RunInfo, record: Box<dyn Record>) -> Self {
        let Started { argv, mask } = started;
        let mut scribe = Scribe::new(record);
        scribe.event(0, || {
            let mut first = journal::Run::of(journal::VERSION, Text::new(&run.id), Text::new(&run.seed));
            first.started = Some(Text::new(&super::emit::timestamp(run.began_unix_ms)));
            first.writer = Some(Text::new(WRITER));
            first.rules = run.gate.to_record().map(|rules| masked(&rules, &mask));
            first.limits = Some(run.open.to_record());
            first.path = run.path.clone();
            first.role = Some(run.role);
            first.permission_timeout_ms = run.permission_timeout_ms;
            first.question_timeout_ms = run.question_timeout_ms;
            first.bridged = run.is_bridged.then_some(true);
            first.allow_on_timeout = run.allow_on_timeout.then_some(true);
            first.argv = (!argv.is_empty()).then(|| argv.iter().map(|word| Text::new(word)).collect());
            journal::Event::Run(first)
        });
        Self {
            ledger: Ledger::new(run.open),
            gate: Arc::clone(&run.gate),
            run,
            askers: ByNumber::default(),
            desks: ByNumber::default(),
            paths: HashSet::new(),
            last_asker: 0,
            last_desk: 0,
            steered: 0,
            named: 0,
            scribe,
            mask,
            outbox: Outbox::default(),
            effects: Vec::new(),
            orders: Vec::new(),
            #[cfg(test)]
            sabotage: crate::simulation::Sabotage::default(),
        }
    }

    /// With a record that is required: nothing whose record is lost takes effect, and nothing after it.
    #[must_use]
    pub const fn requiring_record(mut self) -> Self {
        self.scribe.require();
        self
    }

    /// Somebody waits until all was carried out that is ordered by now.
    pub(crate) fn reaches(&mut self, reached: mpsc::Sender<()>) {
        self.outbox.hold(self.scribe.last(), Order::Reached(reached));
    }

    /// Somebody who asks came.
    pub(crate) fn attach(&mut self, now: u64, mut asker: AskerInfo) -> AskerId {
        self.last_asker += 1;
        if let Some(wish) = asker.path.as_deref().and_then(Path::new) {
            asker.path = Some(self.free_path(&wish).to_string());
        }
        let id = AskerId(self.last_asker);
        self.scribe.event(now, || {
            let mut came = journal::Attach::of(Text::new(&asker.wire));
            came.path = asker.path.as_deref().map(Text::new);
            came.pid = asker.pid;
            came.below = asker.below.clone();
            journal::Event::Attach(came)
        });
        let (repeated, is_agent) = (asker.dialect.repeated(), asker.dialect.is_of_agent());
        self.paths.extend(asker.path.clone());
        self.askers.insert(id, Asker::new(asker));
        self.step(now, Event::AskerCame(id, repeated));
        if is_agent {
            // It says nothing before it is told something.
            self.begins_to_hear(id);
        }
        id
    }

    /// Somebody who asks left.
    pub(crate) fn detach(&mut self, now: u64, asker: AskerId, reason: &str) {
        let Some(mut known) = self.askers.remove(&asker) else { return };
        self.paths.remove(&known.who.path);
        self.orders.extend(known.hears_no_more().map(|path| Order::Hears(path, false)));
        self.record_departure(now, &known.info.wire, reason);
        self.step(now, Event::AskerLeft(asker));
        self.undelivered(&known);
    }

    fn record_departure(&mut self, now: u64, wire: &str, reason: &str) {
        self.scribe.event(now, || {
            let mut left = journal::Detach::of(Text::new(wire));
            left.reason = Some(Text::new(reason));
            journal::Event::Detach(left)
        });
    }

    /// A desk came.
    pub(crate) fn seat(&mut self, now: u64, mut desk: DeskInfo) -> DeskId {
        self.last_desk += 1;
        let id = DeskId(self.last_desk);
        // On record a desk is its name.
        if self.desks.values().any(|other| other.name == desk.name) {
            desk.name = format!("{}:{}", desk.name, id.0);
        }
        let seating = Seating { source: desk.source, counts: desk.counts };
        self.scribe.event(now, || {
            let mut came = journal::Attach::of(Text::new(&desk.name));
            came.counts = (!desk.counts).then_some(false);
            journal::Event::Attach(came)
        });
        self.desks.insert(id, desk);
        self.step(now, Event::DeskCame(id, seating));
        id
    }

    /// A desk left.
    pub(crate) fn leave(&mut self, now: u64, desk: DeskId, reason: &str) {
        let Some(info) = self.desks.remove(&desk) else { return };
        self.record_departure(now, &info.name, reason);
        self.step(now, Event::DeskLeft(desk));
    }

    /// What one read from an asker's connection brought.
    pub(crate) fn frame(&mut self, now: u64, asker: AskerId, frame: Frame) {
        let Some(known) = self.askers.get(&asker) else { return };
        let info = &known.info;
        let heard = match &frame {
            Frame::Line(line) => {
                let is_guessed = self.scribe.leaves_out_pieces() && info.dialect.may_be_piece(line);
                if !is_guessed {
                    self.scribe.line(now, &info.wire, Direction::From, line, None);
                }
                let heard = info.dialect.hear(line, &self.run.limits);
                // The whole message follows. Whatever else the line turns out to be is on record before it counts.
                if is_guessed && !matches!(heard, Heard::Piece) {
                    self.scribe.line(now, &info.wire, Direction::From, line, None);
                }
                heard
            }
            Frame::Oversized(over) => {
                self.scribe.line(now, &info.wire, Direction::From, &over.head, Some(over.length));
                info.dialect.hear_oversized(over, &self.run.limits)
            }
            Frame::Torn { length } => {
                Heard::Noise(format!("the connection ended in a line, after {length} bytes"))
            }
        };
        match (&heard, frame) {
            // Most lines of an agent: there is nothing more to find out.
            (Heard::Report | Heard::Piece, Frame::Line(line)) if known.only_goes_on() => {
                self.orders.push(Order::Report(Arc::clone(&known.who), line));
            }
            (_, frame) => self.heard(now, asker, heard, frame),
        }
    }

    fn heard(&mut self, now: u64, asker: AskerId, heard: Heard, frame: Frame) {
        // Whoever says something else first will never say hello.
        if !matches!(heard, Heard::Hello(..)) {
            self.begins_to_hear(asker);
        }
        let Some(heard) = self.not_discarded(asker, heard) else { return };
        match heard {
            Heard::Ask(ask) => {
                let size = if let Frame::Line(line) = &frame { line.len() } else { 0 };
                self.pauses(asker, frame);
                let ask = self.completed(asker, Ask { size, ..ask });
                let ruled = self.ruled(asker, &ask.question);
                self.step(now, Event::Asked(asker, ask, ruled));
            }
            Heard::Misask(asked, why) => self.step(now, Event::Misasked(asker, asked, why)),
            Heard::Withdraw(id, reason) => self.step(now, Event::Withdrawn(asker, id, reason)),
            Heard::Hello(peer, label) => self.greeted(now, asker, peer, &label),
            Heard::Receipt(receipt) => self.receipt(asker, receipt),
            Heard::Noise(why) => self.noise(asker, why),
            Heard::Report | Heard::Piece | Heard::TurnEnds => self.report(asker, frame),
            Heard::Task(ids, name) => {
                if let Some(known) = self.askers.get_mut(&asker) {
                    ids.into_iter().for_each(|id| known.tasks.began(id, name.clone()));
                }
                self.report(asker, frame);
            }
            Heard::Uses(uses) => {
                if let Some(known) = self.askers.get_mut(&asker) {
                    uses.into_iter().for_each(|used| known.tasks.uses(used));
                }
                self.report(asker, frame);
            }
        }
    }

    pub(super) fn report(&mut self, asker: AskerId, frame: Frame) {
        if let (Frame::Line(line), Some(known)) = (frame, self.askers.get(&asker)) {
            self.orders.push(Order::Report(Arc::clone(&known.who), line));
        }
    }

    /// A line was dropped.
    pub(super) fn noise(&mut self, asker: AskerId, why: String) {
        if let Some(known) = self.askers.get(&asker) {
            self.orders.push(Order::Noise(Arc::clone(&known.who), why));
        }
    }

    /// A desk says something about the question of that name.
    pub(crate) fn said(&mut self, now: u64, desk: DeskId, key: &Key, said: Said) {
        let Some(info) = self.desks.get(&desk) else { return };
        // Why a desk cannot answer may be the words of some program.
        let said = match said {
            Said::GiveBack(why) => Said::GiveBack((self.mask)(&why)),
            Said::Refused(word, why) => Said::Refused(word, (self.mask)(&why)),
            said => said,
        };
        self.scribe.event(now, || said_record(key.clone(), Text::new(&info.name), &said));
        if key.run == self.run.id {
            let number = Number(key.number);
            let event = match self.misgranted(number, &said) {
                Some(why) => Event::Missaid(desk, number, why),
                None => Event::Said(desk, number, said),
            };
            self.step(now, event);
        } else {
            self.late(now, desk, key.clone());
        }
    }

    /// The deadline of a question passed.
    pub(crate) fn expired(&mut self, now: u64, number: Number) {
        let key = || key_of(&self.run, number);
        self.scribe.event(now, || journal::Event::Timer(journal::Timer::of(key())));
        self.step(now, Event::Expired(number));
    }

    /// Whoever kept a question is gone without a word.
    pub(crate) fn lost(&mut self, now: u64, number: Number) {
        self.step(now, Event::Lost(number));
    }

    /// Puts something on record that concerns no question: a signal, a process.
    pub(crate) fn note(&mut self, now: u64, event: journal::Event<'_>) {
        self.scribe.event(now, || event);
    }

    /// Puts a line on record that is not for the router: of a wire whose owner says what it means.
    pub(crate) fn note_line(
        &mut self,
        now: u64,
        wire: &str,
        dir: Direction,
        line: &[u8],
        length: Option<usize>,
    ) {
        self.scribe.line(now, wire, dir, line, length);
    }

    /// The name of the run.
    #[must_use]
    pub(crate) const fn run_id(&self) -> &Arc<str> {
        &self.run.id
    }

    /// The run ends: whoever waits hears that.
    pub(crate) fn shut_down(&mut self, now: u64) {
        self.step(now, Event::ShutDown);
    }

    /// Whether records wait to be let go on file.
    #[must_use]
    pub(crate) const fn needs_flush(&self) -> bool {
        self.scribe.needs_flush()
    }

    /// Whether something waits for its record.
    #[must_use]
    pub(crate) fn is_waiting(&self) -> bool {
        !self.outbox.is_empty()
    }

    /// Lets the records so far go on file.
    pub(crate) fn flush(&mut self) {
        self.scribe.flush();
    }

    /// Ends the record.
    pub(crate) fn finish_record(&mut self, patience: Duration) -> Progress {
        self.scribe.finish(patience)
    }

    pub(super) fn step(&mut self, now: u64, event: Event) {
        let mut effects = std::mem::take(&mut self.effects);
        #[cfg(not(test))]
        self.ledger.step(now, event, &mut effects);
        #[cfg(test)]
        for event in self.sabotage.before(event) {
            self.ledger.step(now, event, &mut effects);
        }
        #[cfg(test)]
        self.sabotage.after(&mut effects);
        for effect in effects.drain(..) {
            self.carry_out(now, effect);
        }
        self.effects = effects;
    }

    /// What is to be done now, in order: also what only waited for its record.
    pub(crate) fn orders(&mut self) -> std::vec::Drain<'_, Order> {
        match self.scribe.released() {
            None => self.outbox.seal(),
            Some(released) => {
                while let Some(order) = self.outbox.next(released) {
                    self.orders.push(order);
                }
            }
        }
        if let Some((lost, why)) = self.scribe.first_loss() {
            self.orders.push(Order::Gap(lost, why));
        }
        self.orders.drain(..)
    }

    /// The open questions.
    #[must_use]
    pub(crate) const fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The name of a question.
    #[must_use]
    pub(crate) fn key(&self, number: Number) -> Key {
        key_of(&self.run, number)
    }
}

/// The rules without what no record may hold.
fn masked(rules: &Object<'_>, mask: &dyn Fn(&str) -> String) -> Object<'static> {
    let text = |json: &Json<'_>| json.as_text().map(|text| mask(&text.get()));
    let mut all = Object::default();
    for (name, json) in rules.iter() {
        let list =
            || Some(json.as_list()?.iter().map(|item| text(item).unwrap_or_default()).collect::<Vec<_>>());
        let masked = text(json).map(|text| Json::of(&text)).or_else(|| list().map(|list| Json::of(&list)));
        all.push(&name, masked.unwrap_or_else(|| json.clone().into_owned()));
    }
    all
}

/// The name of a question of that run.
pub(super) fn key_of(run: &RunInfo, number: Number) -> Key {
    Key { run: Arc::clone(&run.id), number: number.0 }
}

fn said_record<'a>(key: Key, desk: Text<'a>, said: &Said) -> journal::Event<'a> {
    match said {
        Said::Shown => journal::Event::Shown(journal::Shown::of(key, desk)),
        Said::Answer(value) => journal::Event::Answer(journal::Answer {
            value: Some(value.clone()),
            ..journal::Answer::of(key, desk)
        }),
        Said::Decline => journal::Event::Answer(journal::Answer {
            outcome: Some(Outcome::Declined),
            ..journal::Answer::of(key, desk)
        }),
        Said::TimedOut(after_ms) => journal::Event::Answer(journal::Answer {
            outcome: Some(Outcome::TimedOut),
            after_ms: *after_ms,
            ..journal::Answer::of(key, desk)
        }),
        Said::Lost => journal::Event::Answer(journal::Answer {
            outcome: Some(Outcome::Disconnected),
            ..journal::Answer::of(key, desk)
        }),
        Said::GiveBack(why) => journal::Event::GiveBack(journal::GiveBack {
            reason: Some(Text::new(why)),
            ..journal::GiveBack::of(key, desk)
        }),
        Said::Refused(word, why) => journal::Event::GiveBack(journal::GiveBack {
            reason: Some(Text::new(why)),
            word: Some(Text::new(word)),
            ..journal::GiveBack::of(key, desk)
        }),
    }
}
