//! The router and its actors.
//!
//! Decisions live in plain structs; actors only delegate to them. This room knows sockets, processes and timers, but
//! no argument, no environment, no configuration file and no terminal, and it prints nothing. It may use `codec` and
//! nothing of the command line: the compiler keeps that direction.

pub mod agent;
pub mod answer;
pub mod answer_command;
mod arming;
pub mod ask;
pub mod audit;
pub mod bridge;
pub mod control;
mod desk;
pub mod dialect;
pub mod end;
pub mod gate;
pub mod hook;
#[cfg(test)]
mod invariants;
pub mod journal;
pub mod messages;
pub mod ports;
mod post;
mod process;
mod prompt;
pub mod question;
pub mod replay;
pub mod router;
pub mod scripted;
#[cfg(test)]
mod simulation;
#[cfg(test)]
mod streams;
pub mod system;
pub mod terminal;
pub mod terminal_queue;
pub mod tunnel;
pub mod turns;
