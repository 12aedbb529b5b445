//! Those around the router in the simulation: an asker that listens, a desk that shows, a journal that is slow.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::prelude::*;
use codec::id::Key;
use codec::journal::{Body, Direction, Entry};

use crate::journal::Progress;
use crate::messages::{DeskMail, Lines};
use crate::ports::Record;
use crate::router::{AskerId, Offer};
use crate::terminal_queue::TerminalQueue;

use super::Sabotage;

/// A journal in memory that is as far on file as the simulation says.
#[derive(Debug, Default)]
pub(crate) struct Tape {
    pub(crate) lines: Vec<String>,
    pub(crate) settled: u64,
    /// the numbers of the lines that went to each wire
    sent: HashMap<String, Vec<u64>>,
}

impl Tape {
    fn push(&mut self, line: &str) -> u64 {
        let number = self.lines.len() as u64;
        if let Body::Line(record) = Entry::read(line.as_bytes()).unwrap().body
            && record.dir == Direction::To
        {
            self.sent.entry(record.wire.get().into_owned()).or_default().push(number);
        }
        self.lines.push(line.to_owned());
        number
    }

    /// Whether the n-th line to a wire is on file.
    pub(crate) fn has_sent(&self, wire: &str, nth: usize) -> bool {
        self.sent.get(wire).and_then(|sent| sent.get(nth)).is_some_and(|number| *number < self.settled)
    }
}

/// The router's end of the tape.
pub(crate) struct Recorder(pub(crate) Arc<Mutex<Tape>>);

impl Record for Recorder {
    fn push(&mut self, _: u64, line: &str) -> u64 {
        self.0.lock().unwrap().push(line)
    }

    fn flush(&mut self) {}

    fn progress(&self) -> Progress {
        let settled = self.0.lock().unwrap().settled;
        Progress { settled, lost: 0, released: settled }
    }

    fn finish(self: Box<Self>, _: Duration) -> Progress {
        let mut tape = self.0.lock().unwrap();
        tape.settled = tape.lines.len() as u64;
        Progress { settled: tape.settled, lost: 0, released: tape.settled }
    }
}

/// What an asker heard.
#[derive(Debug, Default)]
pub(crate) struct Ear {
    pub(crate) heard: Vec<String>,
    /// a line that came before its record was on file
    pub(crate) too_early: Option<String>,
}

/// An asker that writes down what it hears.
pub(crate) struct Asker {
    pub(crate) wire: String,
    pub(crate) ear: Arc<Mutex<Ear>>,
    pub(crate) tape: Arc<Mutex<Tape>>,
}

impl Actor for Asker {
    type Context = Context<Self>;
}

impl Handler<Lines> for Asker {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, _: &mut Self::Context) {
        let mut ear = self.ear.lock().unwrap();
        for line in lines {
            let line = String::from_utf8(line.to_vec()).unwrap();
            if !self.tape.lock().unwrap().has_sent(&self.wire, ear.heard.len()) {
                ear.too_early = Some(line.clone());
            }
            ear.heard.push(line);
        }
    }
}

/// What a desk sees.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) offers: BTreeMap<u64, Arc<Offer>>,
    queue: TerminalQueue,
    /// when each question arrived, and when each asker was last shown, in steps of this desk
    arrived: HashMap<u64, u64>,
    last_shown: HashMap<AskerId, u64>,
    showing: Option<u64>,
    step: u64,
    /// an asker that was shown twice while another one waited
    pub(crate) unfair: Option<String>,
    /// a question that was offered twice, or withdrawn without having been offered
    pub(crate) odd: Option<String>,
}

/// A desk with a terminal's queue.
pub(crate) struct Desk {
    pub(crate) view: Arc<Mutex<View>>,
    pub(crate) sabotage: Sabotage,
}

impl Actor for Desk {
    type Context = Context<Self>;
}

impl Handler<DeskMail> for Desk {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        let mut view = self.view.lock().unwrap();
        match mail {
            DeskMail::Offered(offer) => view.offered(offer, self.sabotage),
            DeskMail::Withdrawn(key, _) => view.gone(&key),
            DeskMail::News(..) => {}
        }
    }
}

impl View {
    fn offered(&mut self, offer: Arc<Offer>, sabotage: Sabotage) {
        self.step += 1;
        let (number, asker) = (offer.key.number, offer.asker);
        let turn = if sabotage == Sabotage::UnfairQueue { AskerId(0) } else { asker };
        self.arrived.insert(number, self.step);
        self.queue.add(turn, offer.key.clone());
        if self.offers.insert(number, offer).is_some() {
            self.odd = Some(format!("p{number} was offered twice"));
        }
        self.look();
    }

    /// A question was withdrawn, or given back.
    pub(crate) fn gone(&mut self, key: &Key) {
        self.step += 1;
        if self.offers.remove(&key.number).is_none() {
            self.odd = Some(format!("{key} was withdrawn but not there"));
        }
        self.queue.remove(key);
        self.look();
    }

    /// Looks at what is shown now, and whether that is fair.
    fn look(&mut self) {
        let shown = self.queue.shown().map(|key| key.number);
        if shown == self.showing {
            return;
        }
        self.showing = shown;
        let Some(asker) = shown.and_then(|number| self.offers.get(&number)).map(|offer| offer.asker) else {
            return;
        };
        if let Some(before) = self.last_shown.insert(asker, self.step) {
            let waits = |offer: &&Arc<Offer>| {
                let came = self.arrived.get(&offer.key.number).is_some_and(|at| *at < before);
                let had_a_turn = self.last_shown.get(&offer.asker).is_some_and(|at| *at > before);
                offer.asker != asker && came && !had_a_turn
            };
            if let Some(other) = self.offers.values().find(waits) {
                self.unfair = Some(format!("{asker:?} was shown twice while {} waited", other.key));
            }
        }
    }
}
