//! Which task begins when, and what a run of several comes to. Pure.
//!
//! Owns the order, how many are at work at once, and whether it goes on after a failure. Starts and asks nothing. It is over
//! when nothing is at work and nothing more will begin.

use std::collections::VecDeque;

use crate::exit::{self, Code};

/// What follows a failure.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum AfterFailure {
    /// a person is asked
    #[default]
    Ask,
    /// the next task
    GoOn,
    /// nothing more begins
    Stop,
}

/// The tasks of a run, by their numbers.
#[derive(Debug)]
pub(super) struct Schedule {
    waiting: VecDeque<usize>,
    at_work: Vec<usize>,
    /// one that was to begin and may not yet: nothing else begins before it
    held: Option<usize>,
    /// in the order in which they ended
    ended: Vec<(usize, Code)>,
    most_at_once: usize,
    after_failure: AfterFailure,
    /// somebody is asked whether it goes on: nothing begins meanwhile
    is_asking: bool,
}

impl Schedule {
    pub(super) fn new(tasks: usize, most_at_once: usize, after_failure: AfterFailure) -> Self {
        Self {
            waiting: (0..tasks).collect(),
            at_work: Vec::new(),
            held: None,
            ended: Vec::new(),
            most_at_once: most_at_once.max(1),
            after_failure,
            is_asking: false,
        }
    }

    /// The task that begins now, if one can.
    pub(super) fn next(&mut self) -> Option<usize> {
        if self.is_asking || self.held.is_some() || self.at_work.len() >= self.most_at_once {
            return None;
        }
        let next = self.waiting.pop_front()?;
        self.at_work.push(next);
        Some(next)
    }

    /// A task that was to begin may not yet.
    pub(super) fn holds(&mut self, task: usize) {
        self.at_work.retain(|other| *other != task);
        self.held = Some(task);
    }

    /// The one that was held begins, if that is still wanted.
    pub(super) fn lets_go(&mut self) {
        self.at_work.extend(self.held.take());
    }

    /// Whether one is held.
    pub(super) const fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// A task ended so. Says whether a person is to be asked if it goes on.
    pub(super) fn ended(&mut self, task: usize, code: Code) -> bool {
        self.at_work.retain(|other| *other != task);
        self.ended.push((task, code));
        let has_failed = code != exit::SUCCESS && self.left() > 0;
        match self.after_failure {
            AfterFailure::Stop if has_failed => self.stop(),
            AfterFailure::Ask if has_failed && !self.is_asking => {
                self.is_asking = true;
                return true;
            }
            _ => {}
        }
        false
    }

    /// What the person said.
    pub(super) fn goes_on(&mut self, goes_on: bool) {
        self.is_asking = false;
        if !goes_on {
            self.stop();
        }
    }

    /// Nothing more begins.
    pub(super) fn stop(&mut self) {
        self.waiting.clear();
        self.held = None;
        self.is_asking = false;
    }

    pub(super) fn is_over(&self) -> bool {
        self.at_work.is_empty() && self.left() == 0
    }

    pub(super) fn left(&self) -> usize {
        self.waiting.len() + usize::from(self.held.is_some())
    }

    /// How a run exits whose tasks ended so: as the worst of them.
    pub(super) fn worst(&self) -> Code {
        let codes = self.ended.iter().map(|(_, code)| *code);
        codes.max_by_key(|code| badness(*code)).unwrap_or(exit::SUCCESS)
    }
}

/// Failures of our own first, then those of agents, then time, then what nobody decided.
fn badness(code: Code) -> u8 {
    match code {
        exit::SUCCESS => 0,
        exit::UNDECIDED => 1,
        exit::TIMED_OUT => 2,
        exit::INTERNAL => 4,
        _ => 3,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn so_many_are_at_work_at_once_and_in_their_order() {
        let mut schedule = Schedule::new(3, 2, AfterFailure::GoOn);
        assert_eq!([schedule.next(), schedule.next(), schedule.next()], [Some(0), Some(1), None]);
        assert!(!schedule.ended(1, exit::FAILED));
        assert_eq!([schedule.next(), schedule.next()], [Some(2), None]);
        assert!(!schedule.is_over());
        schedule.ended(0, exit::SUCCESS);
        schedule.ended(2, exit::SUCCESS);
        assert!(schedule.is_over());
        assert_eq!(schedule.worst(), exit::FAILED);
    }

    #[test]
    fn after_a_failure_a_person_is_asked_once_and_nothing_begins_before_they_answered() {
        let mut schedule = Schedule::new(4, 2, AfterFailure::Ask);
        let _ = (schedule.next(), schedule.next());
        assert!(schedule.ended(0, exit::UNDECIDED));
        assert_eq!(schedule.next(), None);
        assert!(!schedule.ended(1, exit::FAILED), "one question is enough");
        assert_eq!((schedule.next(), schedule.is_over(), schedule.left()), (None, false, 2));
        schedule.goes_on(true);
        assert_eq!(schedule.next(), Some(2));
        assert!(schedule.ended(2, exit::FAILED));
        schedule.goes_on(false);
        assert_eq!((schedule.next(), schedule.is_over()), (None, true));
    }

    #[test]
    fn behind_the_last_one_there_is_nothing_to_ask() {
        let mut schedule = Schedule::new(1, 1, AfterFailure::Ask);
        let _ = schedule.next();
        assert!(!schedule.ended(0, exit::FAILED));
        assert!(schedule.is_over());
    }

    #[test]
    fn nothing_begins_after_a_failure_if_the_user_said_so_and_the_others_go_on() {
        let mut schedule = Schedule::new(3, 2, AfterFailure::Stop);
        let _ = (schedule.next(), schedule.next());
        assert!(!schedule.ended(0, exit::TIMED_OUT));
        assert_eq!((schedule.next(), schedule.is_over()), (None, false));
        schedule.ended(1, exit::SUCCESS);
        assert_eq!((schedule.is_over(), schedule.worst()), (true, exit::TIMED_OUT));
    }

    #[test]
    fn one_that_is_held_begins_only_if_nothing_that_came_meanwhile_stops_it() {
        let held = |after| {
            let mut schedule = Schedule::new(3, 2, after);
            let _ = (schedule.next(), schedule.next());
            schedule.ended(0, exit::SUCCESS);
            assert_eq!(schedule.next(), Some(2));
            schedule.holds(2);
            assert_eq!((schedule.next(), schedule.left(), schedule.is_over()), (None, 1, false));
            schedule
        };
        let mut schedule = held(AfterFailure::GoOn);
        schedule.lets_go();
        assert_eq!((schedule.is_holding(), schedule.left()), (false, 0));
        let mut schedule = held(AfterFailure::Stop);
        schedule.ended(1, exit::FAILED);
        assert!(!schedule.is_holding() && schedule.is_over(), "no task begins after a failure");
        let mut schedule = held(AfterFailure::Ask);
        assert!(schedule.ended(1, exit::FAILED), "it is the last, and it is asked all the same");
        schedule.goes_on(false);
        assert!(!schedule.is_holding() && schedule.is_over());
    }

    #[test]
    fn the_worst_code_counts() {
        let worst = |codes: &[Code]| {
            let mut schedule = Schedule::new(codes.len(), codes.len(), AfterFailure::GoOn);
            for (task, code) in codes.iter().enumerate() {
                let _ = schedule.next();
                schedule.ended(task, *code);
            }
            schedule.worst().number()
        };
        assert_eq!(worst(&[exit::UNDECIDED, exit::SUCCESS]), 5);
        assert_eq!(worst(&[exit::UNDECIDED, exit::TIMED_OUT]), 3);
        assert_eq!(worst(&[exit::FAILED, exit::TIMED_OUT, exit::UNDECIDED]), 1);
        assert_eq!(worst(&[exit::FAILED, exit::INTERNAL]), 70);
        assert_eq!(worst(&[]), 0);
    }

    proptest! {
        /// Whatever ends in whatever order: no task begins twice, never too many are at work, and it comes to an end.
        #[test]
        fn each_task_begins_once_at_most(tasks in 0..12_usize, most in 0..5_usize, ends in prop::collection::vec((0..9_usize, any::<bool>(), any::<bool>()), 40), kind in 0..3_usize) {
            let after = [AfterFailure::Ask, AfterFailure::GoOn, AfterFailure::Stop][kind];
            let mut schedule = Schedule::new(tasks, most, after);
            let (mut begun, mut at_work) = (Vec::new(), Vec::new());
            for (which, fails, goes_on) in ends {
                while let Some(task) = schedule.next() {
                    prop_assert!(!begun.contains(&task));
                    begun.push(task);
                    at_work.push(task);
                }
                prop_assert!(at_work.len() <= most.max(1));
                if at_work.is_empty() { break; }
                let task = at_work.remove(which % at_work.len());
                if schedule.ended(task, if fails { exit::FAILED } else { exit::SUCCESS }) {
                    prop_assert_eq!(schedule.next(), None);
                    schedule.goes_on(goes_on);
                }
            }
            prop_assert!(schedule.is_over() && at_work.is_empty());
            prop_assert!(begun.len() == tasks || after != AfterFailure::GoOn);
        }
    }
}
