//! Agents: how one is started and ended, how what they ask is understood, and what they are told.

mod actor;
pub(crate) mod background;
pub mod command;
pub mod events;
pub mod guard;
mod kin;
pub mod process;
#[cfg(test)]
mod recorded;
pub mod reported;
pub(crate) mod session;
pub(crate) mod signs;
pub(crate) mod stdin;
mod tail;
pub(crate) mod translate;
pub mod verdict;
mod writer;

pub use actor::{Agent, Ending, Host, News, Plan, Reins, Room};
pub use kin::{Kin, Whose};
pub use session::Language;

/// The nearest guard of an agent, of any tim, above a process.
#[must_use]
pub fn guard_above(pid: i32) -> Option<i32> {
    let is_guard = |pid: &i32| guard::processes::words(*pid).is_some_and(|words| guard::is_guard(&words));
    guard::processes::above(pid, guard::processes::one).skip(1).map(|process| process.pid).find(is_guard)
}

/// Whether a process descends from another. One that is gone descends from nobody.
#[must_use]
pub fn is_above(ancestor: i32, pid: i32) -> bool {
    guard::processes::is_above(ancestor, pid)
}
