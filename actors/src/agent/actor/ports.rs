//! What an agent is started with, and what whoever started it hears of it. Plain values.

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use crate::agent::kin::Kin;
use crate::agent::process::Spawn;
use crate::agent::session::Language;
use crate::agent::verdict::{Account, Exit};
use crate::messages::Typed;

/// What an agent needs to run.
#[derive(Debug)]
pub struct Plan {
    /// the process
    pub spawn: Spawn,
    /// how it is started, as it may be put on record
    pub argv: Vec<String>,
    /// its name among the wires: `claude:main`
    pub wire: String,
    /// what it is called
    pub path: String,
    /// what it begins with; its name is a uuid
    pub prompt: Option<Typed>,
    /// whether it goes on until the person says that this was all
    pub keep_open: bool,
    /// whether the person has a line to type on
    pub has_line: bool,
    /// how long it may say nothing while nobody is asked
    pub idle: Option<Duration>,
    /// the longest line
    pub line_limit: usize,
    /// what it speaks
    pub language: Language,
    /// where it is known that whoever it starts belongs to it
    pub kin: Kin,
}

/// What whoever started an agent hears of it.
#[derive(Debug)]
pub enum News {
    /// the typed line of that name will not be read: the person has it back
    TakenBack(String),
    /// it was asked back too late
    NotTakenBack(String),
    /// it has said nothing for as long as it may
    Idle,
    /// it begins without the server by which it asks, whose status this is
    Mute(String),
    /// it does not end a turn that was rejected, or does not hear what it is told, and is ended
    Overdue,
    /// it is gone, with all that it started
    Ended(Box<Ending>),
}

/// What is left of an agent.
#[derive(Debug)]
pub struct Ending {
    /// how its process ended
    pub exit: Exit,
    /// the last that it wrote to stderr
    pub stderr: String,
    /// what its own lines say of it
    pub account: Account,
    /// what was typed for it and never read
    pub unread: Vec<String>,
}

/// A wait for room, if there is none.
pub type Room = Option<Pin<Box<dyn Future<Output = ()>>>>;

/// Whoever started an agent. Called from its handlers: must not wait.
pub trait Host {
    /// Hears of it.
    fn tell(&mut self, news: News);

    /// Whether there is room for more of what it says.
    fn room(&self) -> Room {
        None
    }
}
