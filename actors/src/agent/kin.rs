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
use super::guard::tree::Process;

/// The agents that run, shared by those who start them and whoever wants to know whose somebody is.
#[derive(Debug, Clone, Default)]
pub struct Kin(Rc<RefCell<BTreeMap<i32, Path>>>);

/// Whose a process is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Whose {
    /// of the agent of that name: the nearest one above it
    Agents(Path),
    /// of no agent of ours
    Nobodys,
    /// it is gone, or somebody above it is
    Unknown,
}

/// Whoever is found nowhere after so many looks has hidden, or is gone.
const LOOKS: usize = 5;

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

    /// Whose a process is. Looked at more than once if need be: somebody above it may end at that very moment, and then
    /// somebody else is its parent.
    #[must_use]
    pub fn whose(&self, pid: i32) -> Whose {
        if self.0.borrow().is_empty() {
            return Whose::Nobodys;
        }
        let looks = std::iter::repeat_with(|| self.look(pid, processes::one)).take(LOOKS);
        looks.into_iter().find(|whose| *whose != Whose::Unknown).unwrap_or(Whose::Unknown)
    }

    fn look(&self, pid: i32, look: impl Fn(i32) -> Option<Process>) -> Whose {
        let (known, mut last) = (self.0.borrow(), None);
        for process in processes::above(pid, look) {
            if let Some(agent) = known.get(&process.pid) {
                return Whose::Agents(agent.clone());
            }
            last = Some(process.parent);
        }
        if last == Some(0) { Whose::Nobodys } else { Whose::Unknown }
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

    fn among(all: &[(i32, i32, u64)]) -> impl Fn(i32) -> Option<Process> {
        let all = all.to_vec();
        move |pid| {
            let found = all.iter().find(|(known, ..)| *known == pid)?;
            Some(Process { pid, parent: found.1, start: found.2 })
        }
    }

    fn line(all: &[(i32, i32, u64)], pid: i32) -> Vec<i32> {
        processes::above(pid, among(all)).map(|process| process.pid).take(9).collect()
    }

    #[test]
    fn whoever_cannot_be_followed_to_the_first_of_all_is_not_taken_for_nobodys() {
        let kin = Kin::default();
        let _agent = kin.know(3, Path::new("claude").unwrap());
        let whose = |all: &[(i32, i32, u64)]| kin.look(5, among(all));
        assert_eq!(
            whose(&[(5, 4, 9), (4, 3, 8), (3, 1, 7), (1, 0, 0)]),
            Whose::Agents(Path::new("claude").unwrap())
        );
        assert_eq!(whose(&[(5, 2, 9), (2, 1, 7), (1, 0, 0)]), Whose::Nobodys);
        assert_eq!(whose(&[(5, 4, 9), (3, 1, 7), (1, 0, 0)]), Whose::Unknown, "its parent is gone");
        assert_eq!(whose(&[(3, 1, 7), (1, 0, 0)]), Whose::Unknown, "it is gone itself");
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
        let whose = || kin.whose(own.cast_signed());
        let of = |name: &str| Whose::Agents(Path::new(name).unwrap());
        assert_eq!(whose(), Whose::Nobodys);
        let parent = kin.know(std::os::unix::process::parent_id(), Path::new("outer").unwrap());
        let nearest = kin.know(own, Path::new("claude").unwrap());
        assert_eq!(whose(), of("claude"));
        drop(nearest);
        assert_eq!(whose(), of("outer"));
        drop(parent);
        assert_eq!(whose(), Whose::Nobodys);
        let _other = kin.know(u32::MAX, Path::new("other").unwrap());
        assert_eq!(whose(), Whose::Nobodys);
    }
}
