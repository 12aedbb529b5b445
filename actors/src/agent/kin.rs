//! Who belongs to which agent of ours: a process that descends from an agent's guard does, and can be called by its name.
//!
//! Owns the names of the agents that run, by the numbers of their guards: a guard adopts whoever loses its parent, so no
//! descendant of its agent gets away from it. Looks at `/proc`, signals nobody. A name is there as long as its
//! [`Kinship`] is.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use codec::id::Path;

use super::guard::processes;

/// The agents that run, shared by those who start them and whoever wants to know whose somebody is.
#[derive(Debug, Clone, Default)]
pub struct Kin(Rc<RefCell<BTreeMap<i32, Path>>>);

/// An agent runs. Dropping it says that it is gone.
#[derive(Debug)]
pub(crate) struct Kinship {
    kin: Kin,
    guard: i32,
}

impl Kin {
    /// Whoever descends from that guard belongs to the agent of that name from now on.
    pub(crate) fn know(&self, guard: u32, agent: Path) -> Kinship {
        let guard = guard.cast_signed();
        self.0.borrow_mut().insert(guard, agent);
        Kinship { kin: self.clone(), guard }
    }

    /// The agent that a process belongs to: the nearest one above it. None if it is nobody's, or gone.
    #[must_use]
    pub fn agent_of(&self, pid: i32) -> Option<Path> {
        let known = self.0.borrow();
        if known.is_empty() {
            return None;
        }
        processes::above(pid, processes::one).find_map(|process| known.get(&process.pid).cloned())
    }
}

impl Drop for Kinship {
    fn drop(&mut self) {
        self.kin.0.borrow_mut().remove(&self.guard);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agent::guard::tree::Process;

    fn line(all: &[(i32, i32, u64)], pid: i32) -> Vec<i32> {
        let all = all.to_vec();
        let look = move |pid| {
            let found = all.iter().find(|(known, ..)| *known == pid)?;
            Some(Process { pid, parent: found.1, start: found.2 })
        };
        processes::above(pid, look).map(|process| process.pid).take(9).collect()
    }

    #[test]
    fn the_line_of_those_above_ends_where_nobody_is_known() {
        assert_eq!(line(&[(5, 3, 9), (3, 2, 8), (2, 1, 7)], 5), [5, 3, 2]);
        assert!(line(&[(5, 3, 9)], 4).is_empty());
    }

    #[test]
    fn whoever_is_younger_than_its_child_only_has_the_number_of_its_parent() {
        assert_eq!(line(&[(5, 3, 9), (3, 2, 10)], 5), [5]);
    }

    #[test]
    fn a_process_belongs_to_the_nearest_agent_above_it_for_as_long_as_that_runs() {
        let (kin, own) = (Kin::default(), std::process::id());
        assert_eq!(kin.agent_of(own.cast_signed()), None);
        let parent = kin.know(std::os::unix::process::parent_id(), Path::new("outer").unwrap());
        let nearest = kin.know(own, Path::new("claude").unwrap());
        assert_eq!(kin.agent_of(own.cast_signed()), Path::new("claude"));
        drop(nearest);
        assert_eq!(kin.agent_of(own.cast_signed()), Path::new("outer"));
        drop(parent);
        assert_eq!(kin.agent_of(own.cast_signed()), None);
    }
}
