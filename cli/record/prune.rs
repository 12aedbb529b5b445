//! Records of earlier runs go when they are too old, or when there is too much of them.
//!
//! Owns which go. Touches only regular files of ours, by their exact name, in the folder of all runs; follows no link, and
//! leaves alone the newest, those of living runs (they are locked) and whatever has its time in the future. It runs on a
//! thread of its own, so that no start waits for it, and ends when it has looked at every file once; what goes wrong is
//! logged and nothing else.

#[cfg(test)]
mod tests;

use std::fs::{self, DirEntry, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::thread;

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::process::geteuid;

use super::is_named;

/// How much is kept: for ever, and without limit, where nothing is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kept {
    /// `journal-days`
    pub(crate) days: Option<u64>,
    /// `journal-size`
    pub(crate) bytes: Option<u64>,
}

impl Default for Kept {
    fn default() -> Self {
        Self { days: Some(30), bytes: Some(2_000_000_000) }
    }
}

/// A record.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Found {
    path: PathBuf,
    bytes: u64,
    /// when it was last written, in milliseconds since 1970
    written: u64,
    /// its run goes on
    lives: bool,
}

const DAY: u64 = 86_400_000;

/// Of a file so young nobody knows: whoever made it may not have locked it yet.
const YOUNG: u64 = 60_000;

/// Which go: first those that are too old, then the oldest until the rest fits.
fn going(mut found: Vec<Found>, kept: Kept, now: u64) -> Vec<Found> {
    found.sort_by(|one, other| (one.written, &one.path).cmp(&(other.written, &other.path)));
    let newest = found.last().map(|newest| newest.path.clone());
    let mut left: u64 = found.iter().map(|one| one.bytes).sum();
    let mut is_going = |one: &Found| {
        let stays = one.lives || one.written > now || Some(&one.path) == newest.as_ref();
        let is_old = kept.days.is_some_and(|days| now.saturating_sub(one.written) > days.saturating_mul(DAY));
        let is_too_much = kept.bytes.is_some_and(|bytes| left > bytes);
        let goes = !stays && (is_old || is_too_much);
        left -= if goes { one.bytes } else { 0 };
        goes
    };
    // The oldest come first, so those that are too old do, too.
    found.retain(|one| is_going(one));
    found
}

/// Lets them go, meanwhile.
pub(super) fn start(folder: PathBuf, kept: Kept, now: u64) {
    if kept.days.is_none() && kept.bytes.is_none() {
        return;
    }
    let started = thread::Builder::new().name("prune".to_owned()).spawn(move || prune(&folder, kept, now));
    if let Err(error) = started {
        tracing::debug!(%error, "no thread to take away old records");
    }
}

fn prune(folder: &Path, kept: Kept, now: u64) {
    let entries = match fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return tracing::debug!(%error, "the folder of all runs cannot be read"),
    };
    let found = entries.flatten().filter_map(|entry| look(&entry, now)).collect();
    for one in going(found, kept, now) {
        if let Err(error) = remove(&one) {
            tracing::debug!(%error, path = %one.path.display(), "an old record stays");
        }
    }
}

/// What is there, if it is a record of ours.
fn look(entry: &DirEntry, now: u64) -> Option<Found> {
    if !entry.file_name().to_str().is_some_and(is_named) {
        return None;
    }
    // Of a link: the link itself.
    let seen = entry.metadata().ok().filter(is_ours)?;
    let (path, written) = (entry.path(), written(&seen));
    let is_young = now.saturating_sub(written) < YOUNG;
    let lives = is_young || free(&path, &seen).is_err();
    Some(Found { path, bytes: seen.len(), written, lives })
}

fn is_ours(seen: &Metadata) -> bool {
    seen.is_file() && seen.uid() == geteuid().as_raw()
}

fn written(seen: &Metadata) -> u64 {
    let ms = seen.mtime().saturating_mul(1_000).saturating_add(seen.mtime_nsec() / 1_000_000);
    u64::try_from(ms).unwrap_or_default()
}

/// The file, locked: so nobody writes it. It must be the one that was seen.
fn free(path: &Path, seen: &Metadata) -> io::Result<File> {
    let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
    let file = OpenOptions::new().read(true).custom_flags(flags).open(path)?;
    let opened = file.metadata()?;
    if (opened.dev(), opened.ino()) != (seen.dev(), seen.ino()) {
        return Err(io::Error::other("it is another file by now"));
    }
    flock(&file, FlockOperation::NonBlockingLockExclusive)?;
    Ok(file)
}

/// Takes a record away that nobody writes.
fn remove(one: &Found) -> io::Result<()> {
    let seen = fs::symlink_metadata(&one.path)?;
    if !is_ours(&seen) || written(&seen) != one.written {
        return Err(io::Error::other("it has changed"));
    }
    let _lock = free(&one.path, &seen)?;
    fs::remove_file(&one.path)
}
