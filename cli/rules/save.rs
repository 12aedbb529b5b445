//! Puts a changed rules file in the place of the old one.
//!
//! Owns the lock beside the file, the new file and its name. Never writes into the old file and never follows a link: the
//! file is the old one or the new one, whole, whenever the program or the machine stops. Several writers wait for each
//! other, each reads what the one before has written.

use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, OFlags, flock};

use super::TRUST;
use super::document::Document;
use crate::clock;
use crate::exit::{self, Code};
use crate::trusted::Trust;

/// Why nothing was changed.
#[derive(Debug)]
pub(super) enum Unchanged {
    /// the file as it stands cannot be used
    Unusable(String),
    /// it could not be written
    NotSaved(String),
    /// there is nothing of the kind to change; in rows
    Missing(Vec<String>),
}

impl Unchanged {
    /// What to say of it, in rows, and how to exit.
    pub(super) fn told(self) -> (Vec<String>, Code) {
        match self {
            Unchanged::Unusable(why) => (vec![why, "nothing was changed".to_owned()], exit::USAGE),
            Unchanged::NotSaved(why) => (vec![format!("not saved: {why}")], exit::FAILED),
            Unchanged::Missing(rows) => (rows, exit::FAILED),
        }
    }

    fn io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = format!("{} {what}", path.display());
        move |error| Unchanged::NotSaved(format!("{what}: {error}"))
    }
}

/// Reads the file, lets it be changed and saves it, while nobody else does. A change of nothing writes nothing.
pub(super) async fn change<T>(
    path: &Path,
    edit: impl FnOnce(&Document) -> Result<(Option<Document>, T), Unchanged>,
) -> Result<T, Unchanged> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let made = DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(Unchanged::io("cannot be made", folder))?;
    // Nobody else changes the file until this is dropped.
    let _lock = wait_for_lock(&beside(path, "lock")).await?;
    let own = Trust { may_be_roots: false, ..TRUST };
    let old = super::read(path.to_owned(), own).map_err(Unchanged::Unusable)?;
    let (new, told) = edit(&old)?;
    if let Some(new) = new {
        replace(path, folder, new.text())?;
    }
    Ok(told)
}

const LOCK_TRIES: u32 = 250;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Locks the file of that name, as soon as nobody else has. It stays there: whoever removed it could leave two locks.
async fn wait_for_lock(path: &Path) -> Result<File, Unchanged> {
    let open = || {
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
        OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(path)
    };
    let file = open().map_err(Unchanged::io("cannot be opened", path))?;
    for _ in 0..LOCK_TRIES {
        match flock(&file, FlockOperation::NonBlockingLockExclusive).map_err(io::Error::from) {
            Ok(()) => return Ok(file),
            Err(error) if error.kind() == ErrorKind::WouldBlock => tokio::time::sleep(LOCK_PAUSE).await,
            Err(error) => return Err(Unchanged::io("cannot be locked", path)(error)),
        }
    }
    let seconds = (LOCK_PAUSE * LOCK_TRIES).as_secs();
    let path = path.display();
    Err(Unchanged::NotSaved(format!(
        "another program has kept {path} locked for {seconds} seconds; try again"
    )))
}

/// Puts a new file in the place of the old one, which stays as it was if anything goes wrong.
fn replace(path: &Path, folder: &Path, text: &str) -> Result<(), Unchanged> {
    let new = beside(path, &format!("{}.new", clock::random_hex(16)));
    let written = write_new(&new, text).and_then(|()| fs::rename(&new, path));
    if let Err(error) = written {
        // Ours, by its name; if it cannot be removed either, it harms nobody.
        let _ = fs::remove_file(&new);
        return Err(Unchanged::io("cannot be written", path)(error));
    }
    // The new file is in its place whatever becomes of this: it is for the case that the machine stops now.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_new(path: &Path, text: &str) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// The path of something that belongs to a file.
fn beside(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(suffix);
    name.into()
}
