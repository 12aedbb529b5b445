//! Whether the router did what the model says.

use std::collections::BTreeSet;

use codec::journal::{Body, Entry, Event as Recorded};

use crate::replay::{Happening, Replay, Told};

use super::lines::understood;
use super::world::World;

/// What was found to be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// a question did not end once, as it should and for whom it should (invariants 1, 3, 8)
    Ends(String),
    /// an answer counted that should not, or the other way round (invariant 2)
    Late(String),
    /// a desk does not hold what it should (invariants 4, 5)
    Desks(String),
    /// the queue is not fair (invariant 5)
    Fairness(String),
    /// something took effect before its record was on file (invariant 11)
    Journal(String),
    /// the record does not tell what happened (invariant 13)
    Replay(String),
}

impl World {
    /// Whether the router did what the model says. What waits for the journal may still be missing.
    pub(super) fn check(&mut self, is_over: bool) -> Result<(), Broken> {
        self.read_tape();
        let settled = {
            let tape = self.tape.lock().unwrap();
            tape.settled == tape.lines.len() as u64
        };
        self.check_desks()?;
        if self.late != self.model.late {
            return Err(Broken::Late(format!("{} late answers, expected {}", self.late, self.model.late)));
        }
        if self.ended != self.model.ended {
            return Err(Broken::Ends(format!("ended {:?}, expected {:?}", self.ended, self.model.ended)));
        }
        let open: BTreeSet<u64> =
            self.asked.iter().filter(|key| !self.ended.contains_key(key)).copied().collect();
        let live: BTreeSet<u64> = self.model.live.iter().map(|live| live.number).collect();
        if open != live {
            return Err(Broken::Ends(format!("open {open:?}, expected {live:?}")));
        }
        self.check_ears(is_over && settled)
    }

    fn read_tape(&mut self) {
        let tape = self.tape.lock().unwrap();
        for line in tape.lines.iter().skip(self.read_to) {
            match Entry::read(line.as_bytes()).unwrap().body {
                Body::Event(Recorded::Ask(ask)) => drop(self.asked.insert(ask.key.number)),
                Body::Event(Recorded::Ended(end)) if self.asked.contains(&end.key.number) => {
                    let before = self.ended.insert(end.key.number, end.outcome);
                    assert_eq!(before, None, "{} ended twice on record", end.key);
                }
                Body::Event(Recorded::Late(_)) => self.late += 1,
                _ => {}
            }
        }
        self.read_to = tape.lines.len();
    }

    fn check_desks(&self) -> Result<(), Broken> {
        for (id, table) in &self.tables {
            let view = table.view.lock().unwrap();
            if let Some(odd) = view.odd.clone() {
                return Err(Broken::Desks(odd));
            }
            if let Some(unfair) = view.unfair.clone() {
                return Err(Broken::Fairness(unfair));
            }
            let holds: BTreeSet<u64> = view.offers.keys().copied().collect();
            let expected = self.model.held_by(*id);
            if holds != expected {
                return Err(Broken::Desks(format!("desk {id} holds {holds:?}, expected {expected:?}")));
            }
        }
        Ok(())
    }

    fn check_ears(&self, is_complete: bool) -> Result<(), Broken> {
        for (id, person) in &self.people {
            let ear = person.ear.lock().unwrap();
            if let Some(line) = &ear.too_early {
                return Err(Broken::Journal(format!("before its record: {line}")));
            }
            let heard: Vec<_> = ear.heard.iter().map(|line| understood(line)).collect();
            let peer = self.model.askers.get(id).unwrap();
            let fits = if is_complete { heard == peer.must_hear } else { peer.must_hear.starts_with(&heard) };
            if !fits {
                return Err(Broken::Ends(format!(
                    "{} heard {heard:?}, expected {:?}",
                    person.wire, peer.must_hear
                )));
            }
        }
        Ok(())
    }
}

/// Whether the same happens again when the router is given what is on the tape.
pub(super) fn replays(tape: &[String]) -> Result<(), Broken> {
    let mut replay = Replay::new();
    let as_told = |told: &Happening| !matches!(told, Happening::Unused(_) | Happening::Differs(_));
    let differs = |told: &[Told]| match told.iter().find(|(_, told)| !as_told(told)) {
        Some((_, odd)) => Err(Broken::Replay(format!("{odd:?}"))),
        None => Ok(()),
    };
    for line in tape {
        let told: Vec<Told> = replay.line(line.as_bytes()).unwrap().collect();
        differs(&told)?;
    }
    let told: Vec<Told> = replay.finish().unwrap().collect();
    differs(&told)
}
