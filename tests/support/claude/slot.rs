//! Places for running CLIs: two for all tests of all processes, as each takes a few hundred megabytes.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;

use crate::support::wait::now;

/// How long the others may take, one after another.
const QUEUE: Duration = Duration::from_secs(300);

/// A place that is ours until it is dropped.
pub(crate) struct Slot {
    _locked: File,
}

impl Slot {
    /// Waits for a place.
    pub(crate) fn take() -> Self {
        let folder = super::folder();
        fs::create_dir_all(&folder).expect("a folder in the target folder");
        Self { _locked: lock(&["slot-1", "slot-2"].map(|name| folder.join(name)), QUEUE) }
    }
}

/// Locks whichever of the files comes free first. The lock ends with the file, also if the process is killed.
pub(super) fn lock(paths: &[PathBuf], patience: Duration) -> File {
    let until = now() + patience;
    let files: Vec<File> = paths.iter().map(open).collect();
    loop {
        if let Some(place) = files.iter().position(|file| file.try_lock().is_ok()) {
            return files.into_iter().nth(place).expect("the one that is locked");
        }
        assert!(now() < until, "waited {patience:?} in vain for one of {paths:?}");
        std::thread::park_timeout(Duration::from_millis(5));
    }
}

fn open(path: &PathBuf) -> File {
    File::options().create(true).append(true).open(path).expect("a lock file")
}
