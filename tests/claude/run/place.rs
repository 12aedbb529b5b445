//! Where a run takes place, what lies there, and what is left of it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::driver::PATIENCE;
use crate::support::temp::{Temp, all_below};
use crate::support::wait::now;

/// Where a run takes place: its home, and the folder that it works in.
#[derive(Clone)]
pub(crate) struct Place(pub(super) Arc<Temp>);

impl Place {
    pub(crate) fn new() -> Self {
        let folder = Temp::new();
        folder.folder("work");
        Self(Arc::new(folder))
    }

    /// A path in the folder that it works in.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path("work").join(name)
    }

    /// The same, as the model would write it.
    pub(crate) fn named(&self, name: &str) -> String {
        self.path(name).to_str().unwrap().to_owned()
    }

    /// A path beside that folder.
    pub(crate) fn outside(&self, name: &str) -> PathBuf {
        self.0.path(name)
    }

    /// A program that is there.
    pub(crate) fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.outside(name);
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// The records of all runs, the oldest first.
    pub(crate) fn records(&self) -> Vec<PathBuf> {
        let mut all = all_below(&self.0.path("state"));
        all.retain(|path| path.extension().is_some_and(|kind| kind == "jsonl"));
        all.sort();
        all
    }

    /// The processes that have this place for their home: number and command line.
    pub(crate) fn processes(&self) -> Vec<(u32, String)> {
        let mark = format!("HOME={}", self.0.path("home").display());
        let numbers = std::fs::read_dir("/proc").unwrap().flatten();
        let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
        let is_ours = |pid: &u32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == mark.as_bytes())
        };
        let command = |pid: u32| {
            let words = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
            String::from_utf8_lossy(&words).replace('\0', " ")
        };
        numbers.filter(is_ours).map(|pid| (pid, command(pid))).collect()
    }

    /// Waits until no process is left.
    pub(crate) fn no_process_is_left(&self) {
        let until = now() + PATIENCE;
        loop {
            let left = self.processes();
            if left.is_empty() {
                return;
            }
            assert!(now() < until, "left behind: {left:?}");
            std::thread::park_timeout(Duration::from_millis(5));
        }
    }

    /// The same, and no socket is.
    pub(crate) fn nothing_is_left(&self) {
        self.no_process_is_left();
        // The folder of all runs may stay.
        let left = all_below(&self.0.path("run/tim"));
        assert!(left.is_empty(), "left behind: {left:?}");
    }
}
