//! Puts a changed file of the user's in the place of the old one.
//!
//! Owns the lock, the new file and its name. Never writes into the old file and never follows a link: the file is the old
//! one or the new one, whole, whenever the program or the machine stops. Several writers wait for each other, each reads
//! what the one before has written. What is written there, and whether the old text makes sense, whoever calls says.

use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use actors::system;
use rustix::fs::{FlockOperation, OFlags, flock};

use crate::clock;
use crate::exit::{self, Code};
use crate::trusted::{self, Trust};

/// A file that is changed, and what it and its folder are.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Target<'a> {
    pub(crate) path: &'a Path,
    /// what it must be, to be read and replaced
    pub(crate) trust: Trust,
    pub(crate) is: Is,
}

/// Whose eyes a file is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Is {
    /// a file of the user alone, in a folder of tim's own: a lock may lie beside it
    Private,
    /// a file in a project, where nothing else may be left behind: its folder is the lock. It and its folder are made as
    /// every other program of the user makes files, and the folder must be no link to elsewhere.
    InProject,
}

impl Is {
    /// What a new file and a new folder may be, before the umask.
    const fn modes(self) -> (u32, u32) {
        match self {
            Is::Private => (0o600, 0o700),
            Is::InProject => (0o666, 0o777),
        }
    }
}

/// Why nothing was changed.
#[derive(Debug)]
pub(crate) enum Unchanged {
    /// the file as it stands cannot be used
    Unusable(String),
    /// it could not be written
    NotSaved(String),
    /// there is nothing of the kind to change; in rows
    Missing(Vec<String>),
}

impl Unchanged {
    /// What to say of it, in rows, and how to exit.
    pub(crate) fn told(self) -> (Vec<String>, Code) {
        match self {
            Unchanged::Unusable(why) => (vec![why, "nothing was changed".to_owned()], exit::USAGE),
            Unchanged::NotSaved(why) => (vec![format!("not saved: {why}")], exit::FAILED),
            Unchanged::Missing(rows) => (rows, exit::FAILED),
        }
    }

    /// The reason alone.
    pub(crate) fn why(self) -> String {
        match self {
            Unchanged::Unusable(why) | Unchanged::NotSaved(why) => why,
            Unchanged::Missing(rows) => rows.join("; "),
        }
    }

    fn io(what: &str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let what = format!("{} {what}", path.display());
        move |error| {
            Unchanged::NotSaved(format!("{what}: {}; {}", system::says(&error), system::mend(&error)))
        }
    }
}

/// Reads the file, lets its text be changed and saves it, while nobody else does. A change of nothing writes nothing. What
/// `edit` gets is nothing if there is no file.
pub(crate) async fn change<T>(
    target: &Target<'_>,
    edit: impl FnOnce(Option<String>) -> Result<(Option<String>, T), Unchanged>,
) -> Result<T, Unchanged> {
    let path = target.path;
    let folder = path.parent().unwrap_or(Path::new("/"));
    make(folder, target.is).map_err(Unchanged::io("cannot be made", folder))?;
    let lock = match target.is {
        Is::Private => lock_beside(path)?,
        Is::InProject => open_folder(folder)?,
    };
    // Nobody else changes the file until this is dropped.
    let lock = wait_for_lock(lock, path).await?;
    if target.is == Is::InProject {
        is_still(folder, &lock)?;
    }
    let usable = |why| Unchanged::Unusable(format!("{}: {why}", path.display()));
    let own = Trust { may_be_roots: false, ..target.trust };
    let old = trusted::read(path, own).map_err(usable)?;
    let old_mode = old.as_ref().and_then(|_| fs::symlink_metadata(path).ok()).map(|facts| facts.mode());
    let (new, told) = edit(old)?;
    if let Some(new) = new {
        // Only the folder must be writable for a new file; whoever made the old one read-only means its text.
        if old_mode.is_some_and(|mode| mode & 0o200 == 0) {
            return Err(Unchanged::NotSaved(format!("{} is read-only", path.display())));
        }
        let kept = old_mode.filter(|_| target.is == Is::InProject);
        replace(path, folder, &new, kept.map_or(Mode::New(target.is.modes().0), Mode::Old))?;
    }
    Ok(told)
}

/// Makes the folder of a file, if it is not there. A project that has gone is not made anew.
fn make(folder: &Path, is: Is) -> io::Result<()> {
    let mut folders = DirBuilder::new();
    match folders.recursive(is == Is::Private).mode(is.modes().1).create(folder) {
        // Whatever it is: the next step looks.
        Err(error) if error.kind() == ErrorKind::AlreadyExists && is == Is::InProject => Ok(()),
        made => made,
    }
}

/// The file that is a lock. It stays there: whoever removed it could leave two locks.
fn lock_beside(path: &Path) -> Result<File, Unchanged> {
    let path = beside(path, "lock");
    let open = || {
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::NONBLOCK).bits()).map_err(io::Error::other)?;
        OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(&path)
    };
    open().map_err(Unchanged::io("cannot be opened", &path))
}

/// The folder itself, which is no link: by one the file of another project would be changed.
fn open_folder(folder: &Path) -> Result<File, Unchanged> {
    if fs::symlink_metadata(folder).is_ok_and(|facts| facts.file_type().is_symlink()) {
        let what = "is a symbolic link; put the folder itself in its place";
        return Err(Unchanged::Unusable(format!("{}: {what}", folder.display())));
    }
    let open = || {
        let flags = i32::try_from((OFlags::NOFOLLOW | OFlags::DIRECTORY).bits()).map_err(io::Error::other)?;
        OpenOptions::new().read(true).custom_flags(flags).open(folder)
    };
    open().map_err(Unchanged::io("cannot be opened", folder))
}

/// Whether the folder that is locked is still the one of that name: somebody may have put another in its place.
fn is_still(folder: &Path, lock: &File) -> Result<(), Unchanged> {
    let (locked, named) = (lock.metadata(), fs::symlink_metadata(folder));
    let same = locked.and_then(|locked| Ok((locked, named?))).is_ok_and(|(locked, named)| {
        named.is_dir() && (locked.dev(), locked.ino()) == (named.dev(), named.ino())
    });
    if same {
        return Ok(());
    }
    Err(Unchanged::Unusable(format!(
        "{}: somebody has just put something else in its place",
        folder.display()
    )))
}

const LOCK_TRIES: u32 = 250;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// Locks what was opened for it, as soon as nobody else has.
async fn wait_for_lock(file: File, path: &Path) -> Result<File, Unchanged> {
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

/// Who may read and write the new file.
#[derive(Debug, Clone, Copy)]
enum Mode {
    /// as the umask says, and no more than this
    New(u32),
    /// those who could the old one
    Old(u32),
}

/// Puts a new file in the place of the old one, which stays as it was if anything goes wrong.
fn replace(path: &Path, folder: &Path, text: &str, mode: Mode) -> Result<(), Unchanged> {
    let new = beside(path, &format!("{}.new", clock::random_hex(16)));
    let written = write_new(&new, text, mode).and_then(|()| fs::rename(&new, path));
    if let Err(error) = written {
        // Ours, by its name; if it cannot be removed either, it harms nobody.
        let _ = fs::remove_file(&new);
        return Err(Unchanged::io("cannot be written", path)(error));
    }
    // The new file is in its place whatever becomes of this: it is for the case that the machine stops now.
    let _ = File::open(folder).and_then(|folder| folder.sync_all());
    Ok(())
}

fn write_new(path: &Path, text: &str, mode: Mode) -> io::Result<()> {
    let (Mode::New(at_most) | Mode::Old(at_most)) = mode;
    let mut file = OpenOptions::new().write(true).create_new(true).mode(at_most & 0o777).open(path)?;
    if let Mode::Old(old) = mode {
        file.set_permissions(Permissions::from_mode(old & 0o777))?;
    }
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
