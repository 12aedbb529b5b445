//! Agents: how one is started and ended, how what they ask is understood, and what they are told.

#[cfg_attr(not(test), expect(dead_code, reason = "the agent's actor uses it"))]
pub(crate) mod background;
#[cfg_attr(not(test), expect(dead_code, reason = "the agent's actor uses it"))]
pub(crate) mod command;
pub mod guard;
pub mod process;
#[cfg(test)]
mod recorded;
#[cfg_attr(not(test), expect(dead_code, reason = "the agent's actor uses it"))]
pub(crate) mod signs;
#[cfg_attr(not(test), expect(dead_code, reason = "the agent's actor uses it"))]
pub(crate) mod stdin;
pub(crate) mod translate;
#[cfg_attr(not(test), expect(dead_code, reason = "the agent's actor uses it"))]
pub(crate) mod verdict;
