//! Who else works in a folder, and who holds it.
//!
//! Owns a small file for each run, in a folder of tim's own that stands for the one that is worked in. As long as its run
//! lives the file is locked, so whoever finds it knows whether it was left behind: not by a process number, which may
//! belong to somebody else by now. Removes its own, and what the dead left behind that held nothing. Never waits for
//! another run, and asks nobody: what follows from what it finds is said in `run/entering`.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use codec::json::{Json, Object, Text, Written as _};
use rustix::fs::{FlockOperation, OFlags, flock};
use sha2::{Digest as _, Sha256};

use crate::environment::Environment;

/// What a run says of itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) run: String,
    pub(crate) pid: u32,
    pub(crate) began_unix_ms: u64,
    /// nobody else should work there
    pub(crate) holds: bool,
}

/// Another run, by what it left there.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Other {
    pub(crate) entry: Entry,
    pub(crate) lives: bool,
    path: PathBuf,
}

/// We are in the folder. Dropping it is leaving.
#[derive(Debug)]
pub(crate) struct Presence {
    path: PathBuf,
    _lock: File,
}

/// So many runs are looked at.
const MOST: usize = 256;
/// More is no file of ours.
const LONGEST: u64 = 4 << 10;

impl Entry {
    fn read(text: &str) -> Option<Self> {
        let object = Object::parse(text).ok()?;
        let number = |name: &str| object.peek(name)?.raw().parse::<u64>().ok();
        Some(Self {
            run: object.peek("run")?.as_text()?.get().into_owned(),
            pid: number("pid").and_then(|pid| u32::try_from(pid).ok())?,
            began_unix_ms: number("began")?,
            holds: object.peek("holds")?.as_flag()?,
        })
    }

    fn to_text(&self) -> String {
        let json = Json::object(|out| {
            out.member("run", |to| Text::new(&self.run).write(to));
            out.member("pid", |to| u64::from(self.pid).write(to));
            out.member("began", |to| self.began_unix_ms.write(to));
            out.member("holds", |to| self.holds.write(to));
        });
        format!("{}\n", json.raw())
    }
}

impl Other {
    /// Takes away what a dead run left behind.
    pub(crate) fn forget(&self) -> io::Result<()> {
        match fs::remove_file(&self.path) {
            // Somebody else was faster.
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
            removed => removed,
        }
    }

    /// Where it says so.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        if let Err(error) = fs::remove_file(&self.path) {
            tracing::debug!(%error, "what says that we are in the folder stays");
        }
    }
}

/// The folder of tim's own that stands for that one.
fn shelf(environment: &Environment, folder: &Path) -> Option<PathBuf> {
    let folder = fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned());
    let hash = Sha256::digest(folder.as_os_str().as_bytes());
    let name: String = hash.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
    environment.state_folder().map(|state| state.join("folders").join(name))
}

/// Enters a folder: says who else is there, and from now on that we are.
pub(crate) fn enter(
    environment: &Environment,
    folder: &Path,
    own: &Entry,
) -> Result<(Presence, Vec<Other>), String> {
    let shelf = shelf(environment, folder).ok_or("neither HOME nor XDG_STATE_HOME says where")?;
    let wrong = |error: io::Error| format!("{}: {}", shelf.display(), actors::system::says(&error));
    DirBuilder::new().recursive(true).mode(0o700).create(&shelf).map_err(wrong)?;
    // Of two that come at once the second sees the first.
    let door = File::open(&shelf).map_err(wrong)?;
    flock(&door, FlockOperation::LockExclusive).map_err(|error| wrong(error.into()))?;
    let others = others(&shelf);
    let presence = present(&shelf, own).map_err(wrong)?;
    Ok((presence, others))
}

fn present(shelf: &Path, own: &Entry) -> io::Result<Presence> {
    let path = shelf.join(&own.run);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path)?;
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    file.write_all(own.to_text().as_bytes())?;
    Ok(Presence { path, _lock: file })
}

/// Whoever else is there, or was and held it.
fn others(shelf: &Path) -> Vec<Other> {
    let Ok(entries) = fs::read_dir(shelf) else { return Vec::new() };
    let found = entries.flatten().take(MOST).filter_map(|entry| other(entry.path()));
    let (kept, left_behind): (Vec<Other>, Vec<Other>) =
        found.partition(|other| other.lives || other.entry.holds);
    for other in left_behind {
        // It only said that somebody was there.
        let _ = other.forget();
    }
    kept
}

fn other(path: PathBuf) -> Option<Other> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).ok()?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(&path).ok()?;
    let mut text = String::new();
    (&file).take(LONGEST).read_to_string(&mut text).ok()?;
    let entry = Entry::read(&text)?;
    let lives = flock(&file, FlockOperation::NonBlockingLockShared).is_err();
    Some(Other { entry, lives, path })
}

#[cfg(test)]
mod tests {
    use super::*;

    struct State(PathBuf, Environment);

    impl State {
        fn new() -> Self {
            let folder = std::env::temp_dir().join(format!("tim-folder-{}", crate::clock::random_hex(12)));
            fs::create_dir(&folder).unwrap();
            let environment = Environment { state_home: Some(folder.clone()), ..Environment::default() };
            Self(folder, environment)
        }

        fn enter(&self, run: &str, holds: bool) -> (Presence, Vec<Other>) {
            let own = Entry { run: run.to_owned(), pid: 7, began_unix_ms: 1, holds };
            enter(&self.1, Path::new("/"), &own).unwrap()
        }
    }

    impl Drop for State {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn seen(others: &[Other]) -> Vec<(&str, bool, bool)> {
        let mut seen: Vec<_> =
            others.iter().map(|other| (other.entry.run.as_str(), other.entry.holds, other.lives)).collect();
        seen.sort_unstable();
        seen
    }

    #[test]
    fn whoever_comes_later_sees_those_who_are_there_and_not_those_who_left() {
        let state = State::new();
        let (first, others) = state.enter("a", true);
        assert!(others.is_empty());
        let (second, others) = state.enter("b", false);
        assert_eq!(seen(&others), [("a", true, true)]);
        drop(first);
        let (_third, others) = state.enter("c", false);
        assert_eq!(seen(&others), [("b", false, true)]);
        drop(second);
    }

    #[test]
    fn what_a_dead_run_held_is_found_until_somebody_takes_it_away_the_rest_is_forgotten() {
        let state = State::new();
        for (run, holds) in [("a", true), ("b", false)] {
            let (presence, _) = state.enter(run, holds);
            // As after a kill: the lock goes with the process, the file stays.
            let text = fs::read_to_string(&presence.path).unwrap();
            let path = presence.path.clone();
            drop(presence);
            fs::write(path, text).unwrap();
        }
        let (_third, others) = state.enter("c", false);
        assert_eq!(seen(&others), [("a", true, false)]);
        others[0].forget().unwrap();
        others[0].forget().unwrap();
        assert!(seen(&state.enter("d", false).1).iter().all(|(run, ..)| *run != "a"));
    }

    #[test]
    fn what_is_no_entry_of_ours_is_left_alone() {
        let state = State::new();
        let (presence, _) = state.enter("a", false);
        let shelf = presence.path.parent().unwrap().to_owned();
        for (name, text) in
            [("x", "{}"), ("y", "no json"), ("z", "{\"run\":1,\"pid\":-1,\"began\":0,\"holds\":1}")]
        {
            fs::write(shelf.join(name), text).unwrap();
        }
        std::os::unix::fs::symlink("/dev/zero", shelf.join("link")).unwrap();
        assert_eq!(seen(&state.enter("b", false).1), [("a", false, true)]);
        assert!(["x", "y", "z"].iter().all(|name| shelf.join(name).exists()));
    }
}
