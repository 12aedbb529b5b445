//! Who descends from whom, given what the system says of every process. Pure.
//!
//! A number alone is nobody: the system gives it out again. With the time of its start it is one process for good.

use std::collections::{BTreeMap, BTreeSet};

/// One process, as `/proc` shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Process {
    /// its number
    pub(crate) pid: i32,
    /// the number of whoever started it, or adopted it
    pub(crate) parent: i32,
    /// when it was started, in ticks of the system's clock
    pub(crate) start: u64,
}

/// A row of `/proc/PID/stat`. The name in it may hold anything, also `) Z 1`: it ends at the last bracket.
pub(crate) fn read(stat: &str) -> Option<Process> {
    let (pid, rest) = stat.split_once(" (")?;
    let (_, fields) = rest.rsplit_once(") ")?;
    let mut fields = fields.split(' ');
    let parent = fields.nth(1)?.parse().ok()?;
    let start = fields.nth(17)?.parse().ok()?;
    Some(Process { pid: pid.parse().ok()?, parent, start })
}

/// All that descend from a process, itself left out, however the list is ordered. The list is no picture of one moment,
/// so a number in it may have changed hands: nobody is older than whoever started or adopted it.
pub(crate) fn descendants(root: i32, all: &[Process]) -> Vec<Process> {
    let mut below: BTreeMap<i32, Vec<Process>> = BTreeMap::new();
    for process in all {
        below.entry(process.parent).or_default().push(*process);
    }
    let born = all.iter().find(|process| process.pid == root).map_or(0, |process| process.start);
    let (mut found, mut seen, mut open) = (Vec::new(), BTreeSet::from([root]), vec![(root, born)]);
    while let Some((parent, born)) = open.pop() {
        let children = below.get(&parent).map(Vec::as_slice).unwrap_or_default();
        for child in children.iter().filter(|child| child.start >= born) {
            if seen.insert(child.pid) {
                open.push((child.pid, child.start));
                found.push(*child);
            }
        }
    }
    found
}

/// Who has been asked to end: each is asked once, so that a second request does not cut its tidying short.
#[derive(Debug, Default)]
pub(crate) struct Asked(BTreeSet<(i32, u64)>);

impl Asked {
    /// Those who have not been asked yet; from now on they have.
    pub(crate) fn fresh(&mut self, of: Vec<Process>) -> Vec<Process> {
        of.into_iter().filter(|process| self.0.insert((process.pid, process.start))).collect()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn process(pid: i32, parent: i32, start: u64) -> Process {
        Process { pid, parent, start }
    }

    #[test]
    fn a_name_that_looks_like_the_rest_of_the_row_does_not_mislead() {
        let stat = "42 (a) Z 1 (b)) S 7 42 42 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 9876 1 1";
        assert_eq!(read(stat), Some(process(42, 7, 9876)));
        assert_eq!(read("42 (sh) S 7"), None);
        assert_eq!(read(""), None);
    }

    #[test]
    fn our_own_row_can_be_read() {
        let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
        let read = read(&stat).unwrap();
        assert_eq!(read.pid, i32::try_from(std::process::id()).unwrap());
        assert_eq!(read.parent, i32::try_from(std::os::unix::process::parent_id()).unwrap());
        assert!(read.start > 0);
    }

    #[test]
    fn descendants_are_found_over_generations_and_nobody_else_is() {
        let all = [process(5, 3, 9), process(3, 2, 8), process(2, 1, 7), process(4, 1, 7), process(6, 4, 9)];
        let mut found: Vec<i32> = descendants(2, &all).iter().map(|process| process.pid).collect();
        found.sort_unstable();
        assert_eq!(found, [3, 5]);
    }

    #[test]
    fn whoever_is_older_than_its_parent_only_shares_a_number_with_a_child() {
        let all = [process(2, 1, 50), process(3, 2, 49), process(4, 2, 50)];
        assert_eq!(descendants(2, &all), [process(4, 2, 50)]);
    }

    #[test]
    fn everybody_is_asked_once_and_a_number_that_is_given_out_again_is_asked_again() {
        let mut asked = Asked::default();
        assert_eq!(asked.fresh(vec![process(2, 1, 5)]), [process(2, 1, 5)]);
        assert_eq!(asked.fresh(vec![process(2, 9, 5), process(3, 1, 5)]), [process(3, 1, 5)]);
        assert_eq!(asked.fresh(vec![process(2, 1, 6)]), [process(2, 1, 6)]);
    }

    proptest! {
        #[test]
        fn exactly_those_with_a_line_of_ever_older_ancestors_to_the_root_are_found(
            rows in prop::collection::btree_map(1..40_i32, (0..40_i32, 0..20_u64), 0..40),
            root in 1..40_i32,
        ) {
            let all: Vec<Process> =
                rows.iter().map(|(pid, (parent, start))| process(*pid, *parent, *start)).collect();
            let found: BTreeSet<i32> = descendants(root, &all).iter().map(|one| one.pid).collect();
            let descends = |pid: i32| {
                let mut at = pid;
                // A line longer than the list goes round in a circle.
                for _ in 0..=rows.len() {
                    let Some((parent, start)) = rows.get(&at) else { return false };
                    let older = rows.get(parent).is_none_or(|(_, born)| born <= start);
                    match () {
                        () if !older => return false,
                        () if *parent == root => return true,
                        () => at = *parent,
                    }
                }
                false
            };
            let expected: BTreeSet<i32> =
                rows.keys().copied().filter(|pid| *pid != root && descends(*pid)).collect();
            prop_assert_eq!(found, expected);
        }
    }
}
