//! Which question a terminal shows next: one at a time, in order of arrival, fair between askers.
//!
//! Owns the order and nothing else. Somebody with three hundred questions does not make the one question of somebody
//! else wait for them: askers take turns, each with its oldest question. What is shown stays until it is done.

use std::collections::{BTreeSet, HashMap, VecDeque};

use codec::id::Key;

use crate::router::AskerId;

/// The questions that wait at a terminal, and the one that is shown.
#[derive(Debug, Default)]
pub struct TerminalQueue {
    /// askers that have a question waiting, each once, in the order of their turns; whoever is shown takes its next
    /// turn when that is done, behind all who came meanwhile
    turns: VecDeque<AskerId>,
    waiting: HashMap<AskerId, BTreeSet<u64>>,
    keys: HashMap<u64, (AskerId, Key)>,
    shown: Option<(AskerId, u64)>,
}

impl TerminalQueue {
    /// A question came. Says whether it is shown now.
    pub fn add(&mut self, asker: AskerId, key: Key) -> bool {
        let number = key.number;
        if self.keys.insert(number, (asker, key)).is_some() {
            return false;
        }
        let is_shown = self.shown.is_some_and(|(shown, _)| shown == asker);
        let waiting = self.waiting.entry(asker).or_default();
        if waiting.is_empty() && !is_shown {
            self.turns.push_back(asker);
        }
        waiting.insert(number);
        self.shown.is_none() && self.show_next()
    }

    /// A question is done or withdrawn. Says whether another one is shown now.
    pub fn remove(&mut self, key: &Key) -> bool {
        let Some((asker, _)) = self.keys.remove(&key.number) else { return false };
        if self.shown == Some((asker, key.number)) {
            self.shown = None;
            if self.waiting.contains_key(&asker) {
                self.turns.push_back(asker);
            }
            return self.show_next();
        }
        self.take(asker, key.number);
        false
    }

    /// The question that is shown.
    #[must_use]
    pub fn shown(&self) -> Option<&Key> {
        self.keys.get(&self.shown?.1).map(|(_, key)| key)
    }

    /// How many there are, the one that is shown included.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    fn show_next(&mut self) -> bool {
        let Some(asker) = self.turns.pop_front() else { return false };
        let Some(waiting) = self.waiting.get_mut(&asker) else { return false };
        self.shown = waiting.pop_first().map(|number| (asker, number));
        if waiting.is_empty() {
            self.waiting.remove(&asker);
        }
        self.shown.is_some()
    }

    /// Takes a waiting question out; an asker with nothing left has no turn.
    fn take(&mut self, asker: AskerId, number: u64) {
        let Some(waiting) = self.waiting.get_mut(&asker) else { return };
        waiting.remove(&number);
        if waiting.is_empty() {
            self.waiting.remove(&asker);
            self.turns.retain(|turn| *turn != asker);
        }
    }
}
