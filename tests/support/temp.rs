//! A folder of the test's own, gone when the test is.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that only we may enter. Its name is short: sockets lie in it.
pub(crate) struct Temp(PathBuf);

impl Temp {
    /// A new one, with what a home needs in it.
    pub(crate) fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = Self(std::env::temp_dir().join(format!("tim-t{}-{number}", std::process::id())));
        make(&folder.0);
        for name in ["home", "run", "state", "config", "cache", "data", "tmp"] {
            make(&folder.path(name));
        }
        folder
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// A new folder in it.
    pub(crate) fn folder(&self, name: &str) -> PathBuf {
        make(&self.path(name));
        self.path(name)
    }
}

fn make(path: &Path) {
    std::fs::DirBuilder::new().mode(0o700).create(path).expect("a new folder");
}

impl Drop for Temp {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).ok();
    }
}

/// What lies in a folder, also in the folders below it; nothing if there is none.
pub(crate) fn all_below(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        found.push(entry.path());
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            found.extend(all_below(&entry.path()));
        }
    }
    found
}

/// The permission bits of a file.
pub(crate) fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt as _;
    std::fs::symlink_metadata(path).expect("a file").permissions().mode() & 0o7777
}
