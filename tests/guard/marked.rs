//! Processes that carry a mark in their environment: whoever descends from an agent has it, whatever became of its
//! parents, group and session.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use actors::agent::process::Spawn;

use crate::support::process::runs;
use crate::support::wait::now;

/// The variable.
const NAME: &str = "TIM_TEST_MARK";

/// What is promised of an ending, times ten.
pub(crate) const BOUND: Duration = Duration::from_secs(70);

/// One mark.
#[derive(Clone)]
pub(crate) struct Mark(String);

impl Mark {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        Self(format!("{}-{}-", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed)))
    }

    /// Of a process that somebody else started.
    pub(crate) fn of(text: String) -> Self {
        Self(text)
    }

    pub(crate) fn text(&self) -> &str {
        &self.0
    }

    /// A shell script as an agent that carries it.
    pub(crate) fn script(&self, script: &str) -> Spawn {
        self.program("sh", &["-c", script])
    }

    pub(crate) fn program(&self, program: &str, arguments: &[&str]) -> Spawn {
        Spawn {
            guard_program: PathBuf::from(env!("CARGO_BIN_EXE_tim")),
            program: OsString::from(program),
            arguments: arguments.iter().map(OsString::from).collect(),
            folder: std::env::temp_dir(),
            environment: vec![(OsString::from(NAME), Some(OsString::from(&self.0)))],
        }
    }

    /// Everybody who carries it and lives.
    pub(crate) fn alive(&self) -> Vec<u32> {
        let mark = format!("{NAME}={}", self.0).into_bytes();
        let carries = |pid: &u32| {
            std::fs::read(format!("/proc/{pid}/environ"))
                .is_ok_and(|all| all.split(|byte| *byte == 0).any(|one| one == mark))
        };
        let entries = std::fs::read_dir("/proc").unwrap().flatten();
        let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        pids.filter(carries).filter(|pid| runs(*pid)).collect()
    }

    /// Nobody who carries it lives.
    pub(crate) fn is_gone(&self) {
        let alive = self.alive();
        assert!(alive.is_empty(), "{alive:?} live");
    }

    /// Looks until at least so many live.
    pub(crate) fn until_there_are(&self, count: usize) {
        self.until(&format!("{count} to live"), |alive| alive.len() >= count);
    }

    /// Looks until nobody does, also nobody who is just being started. How long that took.
    pub(crate) fn until_all_are_gone(&self) -> Duration {
        let began = now();
        self.until("all to be gone", <[u32]>::is_empty);
        let took = began.elapsed();
        self.is_gone();
        took
    }

    fn until(&self, what: &str, is_so: impl Fn(&[u32]) -> bool) {
        let until: Instant = now() + BOUND;
        loop {
            let alive = self.alive();
            if is_so(&alive) {
                return;
            }
            assert!(now() < until, "waited {BOUND:?} in vain for {what}: {alive:?}");
            std::thread::park_timeout(Duration::from_millis(2));
        }
    }
}
