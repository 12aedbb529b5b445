//! What must happen, said as simply as possible: lists that are searched, no cleverness.

use std::collections::{BTreeMap, BTreeSet};

use codec::Outcome;

use super::lines::{SHOWN, TYPED, WELCOME, told};

/// A question that the model knows.
#[derive(Debug, Clone)]
pub(super) struct Live {
    pub(super) number: u64,
    pub(super) asker: u64,
    pub(super) id: String,
    pub(super) deadline: Option<u64>,
    pub(super) holders: BTreeSet<u64>,
    pub(super) is_shown: bool,
}

/// Who asks, in the model.
#[derive(Debug, Clone, Default)]
pub(super) struct Peer {
    pub(super) is_agent: bool,
    /// whether it said hello: then it hears when its question is shown
    pub(super) is_greeted: bool,
    /// whether it said that it is a script: then nobody types to it
    pub(super) is_script: bool,
    /// all that it must hear, in order
    pub(super) must_hear: Vec<(String, &'static str)>,
}

/// What must be true.
#[derive(Debug, Default)]
pub(super) struct Model {
    pub(super) now: u64,
    pub(super) numbers: u64,
    pub(super) live: Vec<Live>,
    pub(super) askers: BTreeMap<u64, Peer>,
    /// each desk, and whether it is the parent
    pub(super) desks: BTreeMap<u64, bool>,
    /// those that may answer and do not count as somebody who is there
    pub(super) helpers: BTreeSet<u64>,
    /// how each question ended
    pub(super) ended: BTreeMap<u64, Outcome>,
    /// how many answers came too late
    pub(super) late: usize,
    pub(super) limit: usize,
    /// the ids under which agents may do what they ask: somebody granted it
    pub(super) granted: BTreeSet<String>,
}

impl Model {
    pub(super) fn greeted(&mut self, asker: u64, is_script: bool) {
        if let Some(peer) = self.askers.get_mut(&asker) {
            (peer.is_greeted, peer.is_script) = (true, is_script);
            peer.must_hear.push((format!("w{asker}"), WELCOME));
        }
    }

    pub(super) fn ask(&mut self, asker: u64, id: &str, timeout: Option<u64>) {
        let is_live = self.live.iter().any(|live| live.asker == asker && live.id == id);
        let is_agent = self.is_agent(asker);
        let too_many = self.live.iter().filter(|live| live.asker == asker).count() >= self.limit;
        if is_live && is_agent {
            return;
        }
        self.numbers += 1;
        if is_live || too_many {
            self.hears(asker, id, Outcome::Refused);
            return;
        }
        if is_agent && self.granted.contains(id) {
            self.ended.insert(self.numbers, Outcome::Answered);
            return self.hears(asker, id, Outcome::Answered);
        }
        let holders: BTreeSet<u64> = self.desks.keys().copied().collect();
        let nobody = holders.is_subset(&self.helpers);
        let deadline = timeout.map(|timeout| self.now + timeout);
        self.live.push(Live {
            number: self.numbers,
            asker,
            id: id.to_owned(),
            deadline,
            holders,
            is_shown: false,
        });
        if nobody {
            self.end(self.numbers, Outcome::Refused);
        }
    }

    /// Something that is no question at all.
    pub(super) fn misask(&mut self, asker: u64, id: &str) {
        let is_live = self.live.iter().any(|live| live.asker == asker && live.id == id);
        if is_live && self.is_agent(asker) {
            return;
        }
        self.numbers += 1;
        self.hears(asker, id, Outcome::Refused);
    }

    /// A desk shows a question: its asker hears that once, if it understands it.
    pub(super) fn shown(&mut self, desk: u64, number: u64) {
        let held = |live: &&mut Live| live.number == number && live.holders.contains(&desk);
        let Some(live) = self.live.iter_mut().find(held) else { return };
        let peer = self.askers.get_mut(&live.asker).filter(|peer| peer.is_greeted);
        if !std::mem::replace(&mut live.is_shown, true)
            && let Some(peer) = peer
        {
            peer.must_hear.push((live.id.clone(), SHOWN));
        }
    }

    /// A person types: every agent and every client hears it, but scripts do not.
    pub(super) fn typed(&mut self, text: &str) {
        for peer in self.askers.values_mut().filter(|peer| !peer.is_script) {
            peer.must_hear.push((text.to_owned(), TYPED));
        }
    }

    pub(super) fn cancel(&mut self, asker: u64, id: &str, outcome: Outcome) {
        let found = self.live.iter().find(|live| live.asker == asker && live.id == id);
        if let Some(number) = found.map(|live| live.number) {
            self.end(number, outcome);
        }
    }

    pub(super) fn asker_left(&mut self, asker: u64) {
        self.askers.remove(&asker);
        let theirs: Vec<u64> =
            self.live.iter().filter(|live| live.asker == asker).map(|live| live.number).collect();
        for number in theirs {
            self.end(number, Outcome::Cancelled);
        }
    }

    pub(super) fn desk_came(&mut self, desk: u64, is_parent: bool) {
        self.desks.insert(desk, is_parent);
        for live in &mut self.live {
            live.holders.insert(desk);
        }
    }

    pub(super) fn desk_left(&mut self, desk: u64) {
        let is_parent = self.desks.remove(&desk).unwrap_or_default();
        let end = if is_parent { Outcome::Disconnected } else { Outcome::Refused };
        let held: Vec<u64> =
            self.live.iter().filter(|live| live.holders.contains(&desk)).map(|live| live.number).collect();
        for number in held {
            self.give_back(desk, number, end);
        }
    }

    pub(super) fn give_back(&mut self, desk: u64, number: u64, if_last: Outcome) {
        let Some(live) = self.live.iter_mut().find(|live| live.number == number) else { return };
        if live.holders.remove(&desk) && live.holders.is_subset(&self.helpers) {
            self.end(number, if_last);
        }
    }

    /// A desk says that a question ended. If it does not hold it, it is late.
    pub(super) fn desk_ends(&mut self, desk: u64, number: u64, outcome: Outcome) {
        match self.live.iter().any(|live| live.number == number && live.holders.contains(&desk)) {
            true => self.end(number, outcome),
            false => self.late += 1,
        }
    }

    /// A desk allows for the rest of the run what an agent asks under this id: so does all that waits under it, of agents
    /// alone. Whoever else is answered so keeps that to themselves.
    pub(super) fn desk_grants(&mut self, desk: u64, number: u64, id: &str) {
        let held = |live: &&Live| live.number == number && live.holders.contains(&desk);
        let asker = self.live.iter().find(held).map(|live| live.asker);
        self.desk_ends(desk, number, Outcome::Answered);
        if !asker.is_some_and(|asker| self.is_agent(asker)) {
            return;
        }
        self.granted.insert(id.to_owned());
        let same = self.live.iter().filter(|live| live.id == id && self.is_agent(live.asker));
        for number in same.map(|live| live.number).collect::<Vec<_>>() {
            self.end(number, Outcome::Answered);
        }
    }

    fn is_agent(&self, asker: u64) -> bool {
        self.askers.get(&asker).is_some_and(|peer| peer.is_agent)
    }

    pub(super) fn advance(&mut self, ms: u64) {
        self.now += ms;
        let mut due: Vec<(u64, u64)> =
            self.live.iter().filter_map(|live| Some((live.deadline?, live.number))).collect();
        due.retain(|(deadline, _)| *deadline <= self.now);
        due.sort_unstable();
        for (_, number) in due {
            self.end(number, Outcome::TimedOut);
        }
    }

    pub(super) fn end_all(&mut self, outcome: Outcome) {
        for number in self.live.iter().map(|live| live.number).collect::<Vec<_>>() {
            self.end(number, outcome);
        }
    }

    pub(super) fn end(&mut self, number: u64, outcome: Outcome) {
        let Some(at) = self.live.iter().position(|live| live.number == number) else { return };
        let live = self.live.remove(at);
        self.ended.insert(number, outcome);
        self.hears(live.asker, &live.id, outcome);
    }

    fn hears(&mut self, asker: u64, id: &str, outcome: Outcome) {
        if let Some(peer) = self.askers.get_mut(&asker)
            && !(peer.is_agent && outcome == Outcome::Cancelled)
        {
            peer.must_hear.push((id.to_owned(), told(outcome, peer.is_agent)));
        }
    }

    /// What a desk must hold.
    pub(super) fn held_by(&self, desk: u64) -> BTreeSet<u64> {
        self.live.iter().filter(|live| live.holders.contains(&desk)).map(|live| live.number).collect()
    }
}
