//! `tim run` as a process: with Claude Code and a scripted API, or with a stub instead; without a terminal, in a folder of
//! its own. It is waited for, and searched for what it left behind.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::Value;

use super::place::Place;
use crate::claude::{Claude, Slot, environment};
use crate::messages_api::Api;
use crate::support::journal::Journal;
use crate::support::launch::{Launch, Process, Reading};
use crate::support::wait::{eventually, now};

/// For a whole run: the CLI starts in it, up to three times, beside whatever else this machine does.
pub(super) const PATIENCE: Duration = Duration::from_secs(90);

/// How `tim run` is started.
pub(crate) struct Run {
    launch: Launch,
    place: Place,
    slot: Option<Slot>,
}

impl Run {
    /// With Claude Code, in a place of its own.
    pub(crate) fn of(claude: &Claude, api: &Api) -> Self {
        Self::at(&Place::new(), claude, api)
    }

    /// With Claude Code, in that place.
    pub(crate) fn at(place: &Place, claude: &Claude, api: &Api) -> Self {
        let slot = Some(Slot::take());
        Self { slot, ..Self::bare(place, &api.url()) }.env("TIM_CLAUDE", &claude.binary)
    }

    /// With a program of our own instead.
    pub(crate) fn stub(text: &str) -> Self {
        let place = Place::new();
        let program = place.program("stub", text);
        Self::bare(&place, "http://127.0.0.1:9").env("TIM_CLAUDE", program)
    }

    /// With no agent at all.
    pub(crate) fn bare(place: &Place, api: &str) -> Self {
        let launch = Launch::tim_in(Arc::clone(&place.0), ["run"]).within(place.0.path("work"));
        let variables = environment(&place.0, api).into_iter();
        let launch = variables.fold(launch, |launch, (name, value)| launch.env(name, value));
        Self { launch, place: place.clone(), slot: None }
    }

    pub(crate) fn place(&self) -> &Place {
        &self.place
    }

    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.launch = self.launch.arg(argument);
        self
    }

    pub(crate) fn args(self, arguments: &[&str]) -> Self {
        arguments.iter().fold(self, |run, argument| run.arg(argument))
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.launch = self.launch.env(name, value);
        self
    }

    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.launch = self.launch.without(name);
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.launch = self.launch.stdin(text);
        self
    }

    pub(crate) fn reading(mut self, reading: Reading) -> Self {
        self.launch = self.launch.reading(reading);
        self
    }

    pub(crate) fn start(self) -> Going {
        Going { process: self.launch.start(), place: self.place, _slot: self.slot }
    }

    /// From its start to its end.
    pub(crate) fn done(self) -> Done {
        self.start().done()
    }
}

/// A run that goes on. It ends with the test.
pub(crate) struct Going {
    pub(crate) process: Process,
    pub(crate) place: Place,
    _slot: Option<Slot>,
}

impl Going {
    pub(crate) fn signal(&self, signal: Signal) {
        self.process.signal(signal);
    }

    /// The number of the agent's process, as the record has it.
    pub(crate) fn agent(&self) -> Pid {
        let pid = eventually("the start of the agent", || {
            let record = self.place.records().pop()?;
            let spawned = Journal::read(&record).records("spawn").first().and_then(|one| one["pid"].as_i64());
            spawned.map(|pid| i32::try_from(pid).unwrap())
        });
        Pid::from_raw(pid).unwrap()
    }

    /// Waits until so many results are on record.
    pub(crate) fn results(&self, number: usize) {
        let until = now() + PATIENCE;
        let count = || {
            let record = self.place.records().pop().map(|path| Journal::read(&path));
            record.map_or(0, |record| record.lines("from").iter().filter(|(_, line)| is_result(line)).count())
        };
        while count() < number {
            assert!(now() < until, "waited in vain for a result; stderr: {}", self.process.stderr.text());
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }

    /// Whether anything can still be written to the agent: tim has the other end of its stdin.
    pub(crate) fn can_be_told(&self) -> bool {
        let end = |fd: PathBuf| std::fs::read_link(fd).ok();
        let stdin = end(format!("/proc/{}/fd/0", self.agent().as_raw_nonzero()).into());
        let ours = std::fs::read_dir(format!("/proc/{}/fd", self.process.pid())).unwrap().flatten();
        stdin.is_some() && ours.map(|entry| end(entry.path())).any(|own| own == stdin)
    }

    /// Waits until there is a file in the folder that it works in.
    pub(crate) fn made(&self, name: &str) {
        let is_made = self.makes_within(name, PATIENCE);
        assert!(is_made, "waited in vain for {name}; stderr: {}", self.process.stderr.text());
    }

    /// Whether there is that file before the time is up.
    pub(crate) fn makes_within(&self, name: &str, time: Duration) -> bool {
        let (path, until) = (self.place.path(name), now() + time);
        while !path.exists() && now() < until {
            std::thread::park_timeout(Duration::from_millis(5));
        }
        path.exists()
    }

    /// Waits for its end, however much of its output nobody reads.
    pub(crate) fn left(mut self) -> (Option<i32>, Place) {
        self.until_over();
        (self.process.ended().code(), self.place.clone())
    }

    fn until_over(&mut self) {
        let until = now() + PATIENCE;
        while self.process.lives() {
            let (out, err) = (self.process.stdout.text(), self.process.stderr.text());
            assert!(now() < until, "it does not end; stdout: {out}; stderr: {err}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    /// Waits for its end.
    pub(crate) fn done(mut self) -> Done {
        self.until_over();
        let (code, stdout, stderr) = self.process.exit();
        Done { code, stdout, stderr, place: self.place.clone() }
    }
}

/// A run that is over.
pub(crate) struct Done {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
    pub(crate) place: Place,
}

impl Done {
    /// Checks the exit code; all that was said is in the failure.
    #[track_caller]
    pub(crate) fn exits(&self, code: i32) -> &Self {
        let (out, err) = (self.stdout.chars().take(2000).collect::<String>(), &self.stderr);
        assert_eq!(self.code, Some(code), "\nstdout: {out}\nstderr: {err}");
        self
    }

    #[track_caller]
    pub(crate) fn complains(&self, words: &str) -> &Self {
        assert!(self.stderr.contains(words), "not said on stderr: {words:?}, but: {}", self.stderr);
        self
    }

    /// The record of the last run here.
    pub(crate) fn journal(&self) -> Journal {
        Journal::read(self.place.records().last().expect("a record"))
    }

    /// Checks that the record can be replayed, and comes to the same.
    #[track_caller]
    pub(crate) fn replays(&self) -> &Self {
        let record = self.place.records().pop().expect("a record");
        let (code, out, err) = Launch::tim(["replay", "--check"]).arg(&record).start().exit();
        let last: Vec<&str> = out.lines().rev().take(12).collect();
        assert!(code == Some(0) && out.contains("as recorded"), "{code:?} {last:#?} {err}");
        self
    }

    /// Every line of stdout, as JSON.
    pub(crate) fn lines(&self) -> Vec<Value> {
        let read = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        self.stdout.lines().map(read).collect()
    }
}

fn is_result(line: &str) -> bool {
    serde_json::from_str::<Value>(line).is_ok_and(|line| line["type"] == "result")
}
