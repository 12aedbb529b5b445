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
pub use kin::Kin;
pub use session::Language;

/// Whether a process descends from another. One that is gone descends from nobody.
#[must_use]
pub fn is_above(ancestor: i32, pid: i32) -> bool {
    guard::processes::is_above(ancestor, pid)
}
