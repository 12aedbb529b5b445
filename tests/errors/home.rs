//! A home of the test's own, with whatever a mistake needs, and `tim` in it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// The home; commands run in its folder `home`.
pub(crate) struct Home(pub(crate) Arc<Temp>);

impl Home {
    pub(crate) fn new() -> Self {
        Self(Arc::new(Temp::new()))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    /// The same as a word of a command.
    pub(crate) fn word(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A file that nobody else may write.
    pub(crate) fn file(&self, name: &str, text: impl AsRef<[u8]>) {
        self.with_mode(name, text, 0o644);
    }

    /// A shell script.
    pub(crate) fn program(&self, name: &str, script: &str) {
        self.with_mode(name, format!("#!/bin/sh\n{script}\n"), 0o755);
    }

    pub(crate) fn with_mode(&self, name: &str, text: impl AsRef<[u8]>, mode: u32) {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(mode)).unwrap();
    }

    pub(crate) fn folder(&self, name: &str) {
        std::fs::create_dir_all(self.path(name)).unwrap();
    }

    /// `tim` with these arguments, without a terminal.
    pub(crate) fn tim(&self, arguments: &[&str]) -> Launch {
        let launch = Launch::tim_in(Arc::clone(&self.0), []).within(self.path("home"));
        arguments.iter().fold(launch, |launch, argument| launch.arg(*argument))
    }

    /// The same, below whoever listens there.
    pub(crate) fn below(&self, socket: &str, arguments: &[&str]) -> Launch {
        self.tim(arguments).env("TIM_OUTPUT_SOCKET", socket)
    }
}
