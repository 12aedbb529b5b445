//! `tim serve`, started and ready.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

use super::client::Client;
use super::desk::{Desk, Parent};
use super::journal::Journal;
use super::launch::{Launch, Process};
use super::temp::all_below;

/// A server that listens.
pub(crate) struct Serve {
    process: Process,
    socket: PathBuf,
}

impl Serve {
    /// Waits for its first line: where it listens.
    pub(crate) fn ready(process: Process) -> Self {
        let first = |said: &str, _| said.split_once('\n').map(|(line, _)| PathBuf::from(line));
        let socket = process.stdout.wait("the path of the socket", first);
        let socket = socket.unwrap_or_else(|| panic!("it ended at once: {}", process.stderr.text()));
        Self { process, socket }
    }

    /// Alone: there is nobody to answer.
    pub(crate) fn alone() -> Self {
        Self::ready(Launch::tim(["serve"]).start())
    }

    /// As a child of the test.
    pub(crate) fn under_test() -> (Self, Desk) {
        Self::under_parent(&Parent::open(), Launch::tim(["serve"]))
    }

    /// As a child of a parent.
    pub(crate) fn under_parent(parent: &Parent, launch: Launch) -> (Self, Desk) {
        let process = launch.under(parent.path()).start();
        let desk = parent.greet("serve");
        (Self::ready(process), desk)
    }

    /// With a program at the desk.
    pub(crate) fn answered_by(command: &str) -> Self {
        Self::ready(Launch::tim(["serve", "--answer-command", command]).start())
    }

    pub(crate) fn socket(&self) -> &Path {
        &self.socket
    }

    /// A client that knows nothing of ours.
    pub(crate) fn client(&self) -> Client {
        Client::connect(&self.socket)
    }

    /// Where its journal is, if it was not said where it should be.
    pub(crate) fn journal_path(&self) -> PathBuf {
        let files: Vec<PathBuf> = all_below(&self.folder().path("state/tim/runs"));
        assert_eq!(files.len(), 1, "one journal: {files:?}");
        files[0].clone()
    }

    /// What is on record.
    pub(crate) fn journal(&self) -> Journal {
        Journal::read(&self.journal_path())
    }

    /// Asks it to end and waits until it has.
    pub(crate) fn finish(&mut self) -> Option<i32> {
        self.signal(rustix::process::Signal::TERM);
        self.ended().code()
    }
}

impl Deref for Serve {
    type Target = Process;

    fn deref(&self) -> &Process {
        &self.process
    }
}

impl DerefMut for Serve {
    fn deref_mut(&mut self) -> &mut Process {
        &mut self.process
    }
}
