//! What the router is given instead of reaching for it: time and the record. Ids it makes itself, from the run's name
//! and by counting, so that a run can be replayed.

use std::time::Duration;

use codec::id::Path;

use crate::journal::{Journal, Progress};
use crate::messages::Output;

/// The time.
pub trait Clock {
    /// Milliseconds since the run began. Never goes back.
    fn now(&self) -> u64;
}

/// The time of the runtime, which tests can pause.
#[derive(Debug)]
pub struct RuntimeClock {
    began: tokio::time::Instant,
}

impl RuntimeClock {
    /// A clock that starts now.
    #[must_use]
    pub fn start() -> Self {
        Self { began: tokio::time::Instant::now() }
    }
}

impl Clock for RuntimeClock {
    fn now(&self) -> u64 {
        u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

/// Where what the run has to say goes. It is called for every line that an asker reports, so it must not wait: it takes
/// the line, or drops and counts it.
pub trait Outlet {
    /// Takes one thing.
    fn take(&mut self, output: Output);
}

/// What is known of an agent of ours while it runs.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentState {
    /// what it is called
    pub path: Path,
    /// what it is at
    pub doing: Option<String>,
    /// what it cost so far, in dollars
    pub cost_usd: Option<f64>,
    /// it waits for a person
    pub is_waiting: bool,
}

/// The agents of this run, for whoever steers them from outside.
pub trait Agents {
    /// Those that run.
    fn all(&self) -> Vec<AgentState>;

    /// A line is about to go to whoever is called so, or to all: an agent of ours hears that first, so that it does not end
    /// under it. Says under which name the line must go then, if one was given.
    fn announce(&self, to: Option<&Path>, text: &str) -> Option<String>;

    /// Stops what the agent of that path does. Says whether there is such an agent.
    fn interrupt(&self, path: &Path) -> bool;

    /// Ends the agent of that path and all that it started. Says whether there is such an agent.
    fn end(&self, path: &Path) -> bool;
}

/// A run without agents of its own.
#[derive(Debug, Default)]
pub struct NoAgents;

impl Agents for NoAgents {
    fn all(&self) -> Vec<AgentState> {
        Vec::new()
    }

    fn announce(&self, _: Option<&Path>, _: &str) -> Option<String> {
        None
    }

    fn interrupt(&self, _: &Path) -> bool {
        false
    }

    fn end(&self, _: &Path) -> bool {
        false
    }
}

/// How a run was started, as far as only its record tells.
pub struct Started {
    /// its command line, as it may be put on record
    pub argv: Vec<String>,
    /// takes out of a text what no record of the router's own may hold
    pub mask: Box<dyn Fn(&str) -> String>,
}

impl Default for Started {
    fn default() -> Self {
        Self { argv: Vec::new(), mask: Box::new(str::to_owned) }
    }
}

/// Where records go.
pub trait Record {
    /// Takes the line of the next record. They are numbered from 0 in the order in which they come.
    fn push(&mut self, t: u64, line: &str) -> u64;

    /// Lets everything that was taken go on file now.
    fn flush(&mut self);

    /// How far they are on file.
    fn progress(&self) -> Progress;

    /// Why records were last lost, if that is known: once each time.
    fn trouble(&mut self) -> Option<String> {
        None
    }

    /// Ends the record, with what is left on file if that takes no longer than `patience`.
    fn finish(self: Box<Self>, patience: Duration) -> Progress;

    /// Whether anybody keeps them: if not, no record is worth writing.
    fn is_kept(&self) -> bool {
        true
    }

    /// Whether pieces of messages are left out because the whole ones follow. A replay is given what is on record, and so
    /// leaves out nothing.
    fn leaves_out_pieces(&self) -> bool {
        false
    }
}

impl Record for Journal {
    fn push(&mut self, t: u64, line: &str) -> u64 {
        Journal::push(self, t, line)
    }

    fn flush(&mut self) {
        Journal::flush(self);
    }

    fn progress(&self) -> Progress {
        Journal::progress(self)
    }

    fn trouble(&mut self) -> Option<String> {
        self.take_error().map(|error| error.to_string())
    }

    fn finish(self: Box<Self>, patience: Duration) -> Progress {
        Journal::finish(*self, patience)
    }

    fn leaves_out_pieces(&self) -> bool {
        true
    }
}

/// No journal: everything is on file at once.
#[derive(Debug, Default)]
pub struct NoRecord;

impl Record for NoRecord {
    fn push(&mut self, _: u64, _: &str) -> u64 {
        0
    }

    fn flush(&mut self) {}

    fn progress(&self) -> Progress {
        Progress { settled: u64::MAX, lost: 0, released: u64::MAX }
    }

    fn finish(self: Box<Self>, _: Duration) -> Progress {
        self.progress()
    }

    fn is_kept(&self) -> bool {
        false
    }
}
