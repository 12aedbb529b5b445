//! Who may control a run: processes of the same user that no agent started.
//!
//! Owns that decision ([`judge`], pure) and what it is made of, which is read from `/proc` ([`look`]). An agent's guard is
//! the one to whom all orphans below it go, so whatever an agent started has a guard above it, however it was started. An
//! agent that a person started by hand has none; it is known as long as its permission bridge is connected, whose parent it
//! is ([`guests`]). What cannot be found out is refused.

use crate::agent::guard::{is_guard, processes, second_word};

/// What a bridge is called on its command line, behind the program's own name.
const BRIDGE: &[u8] = b"mcp";

/// No chain of parents is as long: one that is goes round in a circle.
const LONGEST: usize = 4_096;

/// A process, as far as it matters here.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Seen {
    /// who started or adopted it; 0 for the first of all
    pub(super) parent: i32,
    /// it stands between some tim and an agent
    pub(super) is_guard: bool,
    /// it asks for an agent that somebody started by hand
    pub(super) is_bridge: bool,
}

/// Why somebody may not control a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    /// of another user
    #[error("only the user who started this run controls it")]
    Stranger,
    /// an agent's
    #[error("nothing that an agent started controls a run: this is for a person's own shell")]
    OfAnAgent,
    /// our own
    #[error("nothing that this run itself started controls it: this is for a person's own shell")]
    OfOurs,
    /// nobody knows whose
    #[error("it cannot be told who started the process that asks, so it is refused")]
    Unknown,
}

/// Whether a process of that user may control the run that `own` is, where those guests are. `look` tells what is known of a
/// process.
pub(super) fn judge(
    (uid, pid): (u32, Option<i32>),
    (own_uid, own): (u32, i32),
    guests: &[i32],
    look: impl Fn(i32) -> Option<Seen>,
) -> Result<(), Refused> {
    if uid != own_uid {
        return Err(Refused::Stranger);
    }
    let mut at = pid.filter(|pid| *pid > 0).ok_or(Refused::Unknown)?;
    for _ in 0..LONGEST {
        let seen = look(at).ok_or(Refused::Unknown)?;
        match seen.parent {
            _ if seen.is_guard || guests.contains(&at) => return Err(Refused::OfAnAgent),
            _ if at == own => return Err(Refused::OfOurs),
            0 => return Ok(()),
            parent => at = parent,
        }
    }
    Err(Refused::Unknown)
}

/// What the system says of a process.
pub(super) fn look(pid: i32) -> Option<Seen> {
    let process = processes::one(pid)?;
    let words = processes::words(pid)?;
    // Looked at again: the number may have changed hands in between.
    let is_same = processes::one(pid).is_some_and(|now| now.start == process.start);
    let is_bridge = second_word(&words) == Some(BRIDGE);
    is_same.then(|| Seen { parent: process.parent, is_guard: is_guard(&words), is_bridge })
}

/// The agents to whom these bridges belong. One that lost its parent belongs to nobody.
pub(super) fn guests(bridges: impl Iterator<Item = i32>, look: impl Fn(i32) -> Option<Seen>) -> Vec<i32> {
    let bridges = bridges.filter_map(look).filter(|bridge| bridge.is_bridge);
    bridges.map(|bridge| bridge.parent).filter(|parent| *parent > 1).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    const OWN: i32 = 50;
    const ITS_BRIDGE: i32 = 70;

    fn plain(parent: i32) -> Seen {
        Seen { parent, is_guard: false, is_bridge: false }
    }

    fn guard(parent: i32) -> Seen {
        Seen { is_guard: true, ..plain(parent) }
    }

    fn bridge(parent: i32) -> Seen {
        Seen { is_bridge: true, ..plain(parent) }
    }

    fn judged(uid: u32, pid: Option<i32>, processes: &[(i32, Seen)]) -> Result<(), Refused> {
        let processes: HashMap<i32, Seen> = processes.iter().copied().collect();
        let look = |pid| processes.get(&pid).copied();
        judge((uid, pid), (1000, OWN), &guests([ITS_BRIDGE].into_iter(), look), look)
    }

    #[test]
    fn a_shell_of_the_same_user_is_let_in() {
        let processes = [(1, plain(0)), (7, plain(1)), (9, plain(7))];
        assert_eq!(judged(1000, Some(9), &processes), Ok(()));
    }

    #[test]
    fn another_user_is_not_even_looked_at() {
        assert_eq!(judged(1001, Some(9), &[]), Err(Refused::Stranger));
        assert_eq!(judged(0, Some(9), &[]), Err(Refused::Stranger), "nor is root");
    }

    #[test]
    fn whoever_has_a_guard_above_it_is_refused_whosever_guard_that_is() {
        let processes = [(1, plain(0)), (50, plain(1)), (60, guard(50)), (61, plain(60)), (62, plain(61))];
        assert_eq!(judged(1000, Some(62), &processes), Err(Refused::OfAnAgent));
        assert_eq!(judged(1000, Some(60), &processes), Err(Refused::OfAnAgent), "the guard itself");
        let of_another = [(1, plain(0)), (8, guard(1)), (9, plain(8))];
        assert_eq!(judged(1000, Some(9), &of_another), Err(Refused::OfAnAgent));
    }

    #[test]
    fn what_the_run_itself_started_is_refused() {
        let processes = [(1, plain(0)), (50, plain(1)), (60, plain(50))];
        assert_eq!(judged(1000, Some(60), &processes), Err(Refused::OfOurs));
        assert_eq!(judged(1000, Some(50), &processes), Err(Refused::OfOurs));
    }

    #[test]
    fn what_a_guest_started_is_refused_and_its_neighbours_are_not() {
        let shell = [(1, plain(0)), (7, plain(1)), (69, plain(7)), (ITS_BRIDGE, bridge(69)), (71, plain(69))];
        assert_eq!(judged(1000, Some(71), &shell), Err(Refused::OfAnAgent));
        assert_eq!(judged(1000, Some(ITS_BRIDGE), &shell), Err(Refused::OfAnAgent), "the bridge itself");
        assert_eq!(judged(1000, Some(7), &shell), Ok(()), "whoever started the guest is the person");
        let script = [(1, plain(0)), (7, plain(1)), (ITS_BRIDGE, plain(7)), (9, plain(7))];
        assert_eq!(judged(1000, Some(9), &script), Ok(()), "some program only says to be a bridge");
        let orphaned = [(1, plain(0)), (ITS_BRIDGE, bridge(1)), (7, plain(1))];
        assert_eq!(judged(1000, Some(7), &orphaned), Ok(()), "not everybody belongs to a guest that is gone");
    }

    #[test]
    fn whoever_cannot_be_looked_at_is_refused() {
        assert_eq!(judged(1000, None, &[]), Err(Refused::Unknown), "no number");
        assert_eq!(judged(1000, Some(0), &[(0, plain(0))]), Err(Refused::Unknown), "of another namespace");
        assert_eq!(judged(1000, Some(9), &[]), Err(Refused::Unknown), "gone");
        assert_eq!(judged(1000, Some(9), &[(9, plain(7))]), Err(Refused::Unknown), "its parent is hidden");
        assert_eq!(judged(1000, Some(9), &[(9, plain(8)), (8, plain(9))]), Err(Refused::Unknown), "a circle");
    }

    #[test]
    fn this_very_process_can_be_looked_at_up_to_the_first() {
        let own = i32::try_from(std::process::id()).unwrap();
        let (mut at, mut steps) = (own, 0);
        while at != 0 {
            at = look(at).expect("it is there").parent;
            steps += 1;
            assert!(steps < LONGEST);
        }
    }

    proptest! {
        #[test]
        fn only_a_whole_line_of_ancestors_without_guard_guest_and_us_is_let_in(
            rows in prop::collection::btree_map(1..30_i32, (0..30_i32, prop::bool::weighted(0.1)), 0..30),
            peer in 1..30_i32,
            own in 1..30_i32,
            guest in 1..30_i32,
        ) {
            let look = |pid: i32| {
                rows.get(&pid).map(|(parent, is_guard)| Seen { is_guard: *is_guard, ..plain(*parent) })
            };
            let let_in = judge((1, Some(peer)), (1, own), &[guest], look).is_ok();
            let (mut at, mut line) = (peer, Vec::new());
            while at != 0 && rows.contains_key(&at) && !line.contains(&at) {
                line.push(at);
                at = rows[&at].0;
            }
            let is_whole = at == 0;
            let has_guard = line.iter().any(|pid| rows[pid].1);
            let has_us_or_guest = line.contains(&own) || line.contains(&guest);
            prop_assert_eq!(let_in, is_whole && !has_guard && !has_us_or_guest);
        }
    }
}
