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

    /// The first of those that come next, in their order, if nobody comes or goes.
    pub fn next(&self, count: usize) -> impl Iterator<Item = &Key> {
        let of = |asker: &AskerId| self.waiting.get(asker).into_iter().flatten();
        let shown = self.shown.map(|(asker, _)| asker);
        // Each has something waiting: more of them than are asked for change nothing.
        let turns: Vec<&AskerId> = self.turns.iter().chain(shown.as_ref()).take(count).collect();
        let many = |asker: &&AskerId| self.waiting.get(asker).map_or(0, BTreeSet::len);
        let rounds = turns.iter().map(many).max().unwrap_or_default().min(count);
        let nth = |round: usize| turns.iter().filter_map(move |asker| of(asker).nth(round));
        let numbers: Vec<u64> = (0..rounds).flat_map(nth).copied().take(count).collect();
        numbers.into_iter().filter_map(|number| self.keys.get(&number).map(|(_, key)| key))
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn key(number: u64) -> Key {
        Key { run: "7f3c".into(), number }
    }

    /// What is shown, one after the other, if everything that is shown is answered.
    fn drain(queue: &mut TerminalQueue) -> Vec<u64> {
        let mut shown = Vec::new();
        while let Some(current) = queue.shown().cloned() {
            shown.push(current.number);
            queue.remove(&current);
        }
        shown
    }

    #[test]
    fn invariant_5_one_question_of_another_asker_is_shown_second_whatever_the_first_asks() {
        let play = |fair: bool| {
            let mut queue = TerminalQueue::default();
            for number in 1..=300 {
                queue.add(AskerId(1), key(number));
            }
            queue.add(AskerId(if fair { 2 } else { 1 }), key(301));
            drain(&mut queue)
        };
        assert_eq!(play(true)[..4], [1, 301, 2, 3]);
        assert_ne!(play(false)[..4], [1, 301, 2, 3], "a queue that does not know its askers was not noticed");
    }

    #[test]
    fn what_is_shown_stays_until_it_is_done() {
        let mut queue = TerminalQueue::default();
        assert!(queue.add(AskerId(1), key(1)));
        assert!(!queue.add(AskerId(2), key(2)), "nothing else is shown for it");
        assert!(!queue.add(AskerId(1), key(1)), "nor for the same again");
        assert!(!queue.remove(&key(2)), "nor when one goes that nobody sees");
        assert_eq!(queue.shown(), Some(&key(1)));
        assert!(!queue.remove(&key(1)), "nothing is left to be shown");
        assert_eq!((queue.shown(), queue.len(), queue.is_empty()), (None, 0, true));
        assert!(!queue.remove(&key(1)));
    }

    #[test]
    fn a_withdrawn_question_takes_no_turn() {
        let mut queue = TerminalQueue::default();
        for (asker, number) in [(1, 1), (2, 2), (3, 3), (2, 4)] {
            queue.add(AskerId(asker), key(number));
        }
        queue.remove(&key(2));
        assert_eq!(drain(&mut queue), [1, 4, 3]);
    }

    proptest! {
        /// Random arrivals and withdrawals: everything that stays is shown once, each asker's in its own order, and
        /// nobody is shown twice while somebody waits who was there before.
        #[test]
        fn everybody_is_shown_once_and_in_turn(steps in prop::collection::vec((0_u64..4, any::<bool>()), 1..60)) {
            let mut queue = TerminalQueue::default();
            let mut left: Vec<(u64, u64)> = Vec::new();
            for (number, (asker, stays)) in (1..).zip(&steps) {
                queue.add(AskerId(*asker), key(number));
                if *stays {
                    left.push((*asker, number));
                } else {
                    queue.remove(&key(number));
                }
            }
            prop_assert_eq!(queue.len(), left.len());
            let told: Vec<u64> = queue.next(steps.len()).map(|key| key.number).collect();
            let shown = drain(&mut queue);
            prop_assert_eq!(shown.get(1..).unwrap_or_default(), told);
            let mut sorted = shown.clone();
            sorted.sort_unstable();
            prop_assert_eq!(sorted, left.iter().map(|(_, number)| *number).collect::<Vec<_>>());
            let asker_of = |number: u64| left.iter().find(|(_, other)| *other == number).unwrap().0;
            for (at, number) in shown.iter().enumerate() {
                let waiting = &shown[at + 1..];
                prop_assert!(waiting.iter().all(|later| asker_of(*later) != asker_of(*number) || later > number));
                if let Some(next) = waiting.first() {
                    let alone = waiting.iter().all(|later| asker_of(*later) == asker_of(*number));
                    prop_assert!(asker_of(*next) != asker_of(*number) || alone);
                }
            }
        }
    }
}
