//! What the system says of processes, and signals to them.
//!
//! Reads `/proc` only, and signals nobody but the very process that was seen there.

use std::fs;

use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, Signal, kill_process, pidfd_open, pidfd_send_signal};

use super::tree::{Process, descendants, read};

/// Every process that there is. One that comes or goes meanwhile may be missing.
pub(crate) fn all() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    numbers.filter_map(one).collect()
}

/// One process.
pub(crate) fn one(pid: i32) -> Option<Process> {
    // A name need not be text.
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    read(&String::from_utf8_lossy(&stat))
}

/// The words with which a process was started, each behind a zero byte.
pub(crate) fn words(pid: i32) -> Option<Vec<u8>> {
    fs::read(format!("/proc/{pid}/cmdline")).ok()
}

/// Whether a process descends from another. One that is gone descends from nobody.
pub(crate) fn is_above(ancestor: i32, pid: i32) -> bool {
    above(pid, one).skip(1).any(|process| process.pid == ancestor)
}

/// A process and those above it, the nearest first. Nobody is older than whoever started it, unless a number changed hands.
pub(crate) fn above(pid: i32, look: impl Fn(i32) -> Option<Process>) -> impl Iterator<Item = Process> {
    let first = look(pid);
    std::iter::successors(first, move |child| look(child.parent).filter(|parent| parent.start <= child.start))
        .take(GENERATIONS)
}

/// So many generations are looked at: no sane tree is deeper, and a list that changes meanwhile must not lead in circles.
const GENERATIONS: usize = 1_000;

/// The children of this thread, in a fraction of the time that a look at all processes takes. None where the system does
/// not tell.
pub(crate) fn own() -> Vec<Pid> {
    let numbers = fs::read_to_string("/proc/thread-self/children").unwrap_or_default();
    numbers.split_whitespace().filter_map(|number| number.parse().ok().and_then(Pid::from_raw)).collect()
}

/// Signals a process, but nobody who got its number after it. It need not be there any more, nor ours.
pub(crate) fn signal(process: Process, signal: Signal) {
    let is_still = || one(process.pid).is_some_and(|now| now.start == process.start);
    let Some(pid) = Pid::from_raw(process.pid) else { return };
    let _ = match pidfd_open(pid, PidfdFlags::empty()) {
        // Held before it was looked at: from then on the number cannot mean anybody else.
        Ok(held) if is_still() => pidfd_send_signal(held, signal),
        // A system without such handles; then the look is all there is.
        Err(Errno::NOSYS) if is_still() => kill_process(pid, signal),
        _ => Ok(()),
    };
}

/// Kills a process and all that it started, as far as that can still be seen.
pub(crate) fn kill_tree(root: Process) {
    let all = all();
    let is_there = all.iter().any(|one| one.pid == root.pid && one.start == root.start);
    let below = if is_there { descendants(root.pid, &all) } else { Vec::new() };
    for process in std::iter::once(root).chain(below) {
        signal(process, Signal::KILL);
    }
}
