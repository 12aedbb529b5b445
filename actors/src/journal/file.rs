//! The journal's file: made by us, for our eyes, never through a symbolic link.
//!
//! Owns the modes of the file and of its folder, and its lock: as long as it is open whoever looks knows that its run
//! lives. Never opens a file that is already there, and never changes a folder that is not ours. A file that fails a check
//! after it was made is removed again.

use std::ffi::OsStr;
use std::fs::{self, DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, ErrorKind, Write as _};
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::time::Duration;

use rustix::fs::{FlockOperation, flock};
use rustix::io::Errno;
use thiserror::Error;

use super::Sink;
use crate::system::{elsewhere, says};

/// Owner only: a journal holds everything that was asked and typed.
const FILE_MODE: u32 = 0o600;
const FOLDER_MODE: u32 = 0o700;
/// What everybody else may do, in a mode.
const OTHERS: u32 = 0o077;
/// How often the lock is tried for, and how long apart.
const TRIES: usize = 50;
const MOMENT: Duration = Duration::from_millis(1);
/// The mode bit of folders that many share, such as `/tmp`.
const STICKY: u32 = 0o1000;

/// An open journal file.
#[derive(Debug)]
pub struct JournalFile {
    file: File,
    /// how much of it we wrote
    length: u64,
    /// whether it must still be there when we write to it
    must_stay: bool,
}

impl JournalFile {
    const fn new(file: File) -> Self {
        Self { file, length: 0, must_stay: false }
    }

    /// One whose loss is noticed: where somebody removed or shortened it, writing fails.
    #[must_use]
    pub fn that_must_stay(self) -> Self {
        Self { must_stay: true, ..self }
    }

    fn is_there(&self) -> io::Result<()> {
        let about = self.file.metadata()?;
        match about.nlink() > 0 && about.len() >= self.length {
            true => Ok(()),
            false => Err(io::Error::other("somebody removed or shortened it")),
        }
    }
}

impl Sink for JournalFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.must_stay {
            self.is_there()?;
        }
        let written = self.file.write(bytes)?;
        self.length += written as u64;
        Ok(written)
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.length = length;
        Ok(())
    }
}

/// Why there is no journal file.
#[derive(Debug, Error)]
pub enum CreateError {
    /// a file, a folder or anything else is there
    #[error("{} exists already; a journal overwrites nothing: move it away or choose another name", path.display())]
    Exists {
        /// where the journal should have been
        path: PathBuf,
    },
    /// a symbolic link stands in place of the file or of the folder
    #[error("{} is a symbolic link; a journal follows none: remove it or name the place it leads to", path.display())]
    Link {
        /// the link
        path: PathBuf,
    },
    /// something else stands in place of the folder
    #[error("{} is not a folder; move it away or choose another folder for journals", path.display())]
    NotAFolder {
        /// what should have been a folder
        path: PathBuf,
    },
    /// the folder belongs to somebody else
    #[error("{} belongs to another user; choose a folder of your own for journals", path.display())]
    Foreign {
        /// the folder
        path: PathBuf,
    },
    /// the folder has other uses, and closing it to others would be an accident
    #[error("{} is shared with other programs; name a folder that is for journals alone", path.display())]
    Shared {
        /// the folder
        path: PathBuf,
    },
    /// the name leads elsewhere
    #[error("{name:?} is not a file name; a journal's name has no slash in it and is not `.` or `..`")]
    Name {
        /// the name
        name: String,
    },
    /// the system said no
    #[error("{} cannot be used: {}; {}", path.display(), says(error), elsewhere(error))]
    System {
        /// the file or the folder
        path: PathBuf,
        /// what the system said
        error: io::Error,
    },
}

/// Makes a journal file, mode 0600 whatever the umask is.
pub fn create(path: &Path) -> Result<JournalFile, CreateError> {
    let opened = OpenOptions::new().append(true).create_new(true).mode(FILE_MODE).open(path);
    let file = opened.map_err(|error| refusal(path, error))?;
    if let Err(error) = file.set_permissions(Permissions::from_mode(FILE_MODE)) {
        return Err(undo(path, failed(path)(error)));
    }
    lock(|| flock(&file, FlockOperation::NonBlockingLockExclusive));
    Ok(JournalFile::new(file))
}

/// Whoever looks whether the run lives holds the lock for a moment, so it may take more than one try. Where there are no
/// locks, nobody gets this one to take the file away either.
#[expect(clippy::disallowed_methods, reason = "a journal is made before anything else runs on this thread")]
pub(super) fn lock(mut attempt: impl FnMut() -> Result<(), Errno>) {
    for _ in 0..TRIES {
        match attempt() {
            Ok(()) => return,
            Err(Errno::WOULDBLOCK) => std::thread::sleep(MOMENT),
            Err(error) => {
                tracing::debug!(%error, "the journal cannot be locked");
                return;
            }
        }
    }
    tracing::debug!("the journal is not locked: somebody else holds it");
}

/// Makes a journal file in a folder of ours, which it makes if need be, with its parents. Others have no access to the
/// folder afterwards.
pub fn create_in(folder: &Path, name: &str) -> Result<JournalFile, CreateError> {
    if Path::new(name).file_name() != Some(OsStr::new(name)) {
        return Err(CreateError::Name { name: name.to_owned() });
    }
    // Without a slash at its end, which would make the system follow a link.
    let folder = folder.components().collect::<PathBuf>();
    let (owner, mode) = make_folder(&folder)?;
    let path = folder.join(name);
    let file = create(&path)?;
    close_folder(&folder, owner, mode, &file).map_err(|error| undo(&path, error))?;
    Ok(file)
}

/// Makes the folder if it is missing; says whose it is and its mode.
fn make_folder(folder: &Path) -> Result<(u32, u32), CreateError> {
    let path = folder.to_path_buf();
    if folder.file_name().is_none() {
        return Err(CreateError::Shared { path });
    }
    if fs::symlink_metadata(folder).is_err_and(|error| error.kind() == ErrorKind::NotFound) {
        DirBuilder::new().recursive(true).mode(FOLDER_MODE).create(folder).map_err(failed(folder))?;
    }
    let found = fs::symlink_metadata(folder).map_err(failed(folder))?;
    if found.is_symlink() {
        return Err(CreateError::Link { path });
    }
    if !found.is_dir() {
        return Err(CreateError::NotAFolder { path });
    }
    if found.mode() & STICKY != 0 {
        return Err(CreateError::Shared { path });
    }
    Ok((found.uid(), found.mode()))
}

/// Closes the folder to others, if it is ours: the file that we just made tells who we are.
pub(super) fn close_folder(
    folder: &Path,
    owner: u32,
    mode: u32,
    file: &JournalFile,
) -> Result<(), CreateError> {
    let made = file.file.metadata().map_err(failed(folder))?;
    if made.uid() != owner {
        return Err(CreateError::Foreign { path: folder.to_path_buf() });
    }
    if mode & OTHERS != 0 {
        fs::set_permissions(folder, Permissions::from_mode(FOLDER_MODE)).map_err(failed(folder))?;
    }
    Ok(())
}

/// Why the file could not be made; the system has one error for all that may be in the way.
fn refusal(path: &Path, error: io::Error) -> CreateError {
    if error.kind() != ErrorKind::AlreadyExists {
        return failed(path)(error);
    }
    let path = path.to_path_buf();
    match fs::symlink_metadata(&path) {
        Ok(found) if found.is_symlink() => CreateError::Link { path },
        _ => CreateError::Exists { path },
    }
}

fn failed(path: &Path) -> impl FnOnce(io::Error) -> CreateError + '_ {
    |error| CreateError::System { path: path.to_path_buf(), error }
}

/// Removes the file that should not have been made. That this fails as well would hide why.
fn undo(path: &Path, why: CreateError) -> CreateError {
    fs::remove_file(path).ok();
    why
}
