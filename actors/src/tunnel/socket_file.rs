//! The files of our sockets: where they lie, that they are ours, and that they go when we go.
//!
//! There are two, for those who ask and for those who control; they share a folder where we made one. Owns that folder and
//! each file, known by its inode. Never removes anything that is not a dead socket of ours or
//! its own file, never follows a symbolic link, never opens a socket where others could put theirs in its place.

use std::fs::{self, DirBuilder, File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::{DirBuilderExt as _, FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net as blocking;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use codec::text::is_printable;
use rustix::fs::{FlockOperation, flock};
use thiserror::Error;
use tokio::net::UnixListener;

use crate::system::{elsewhere, says};

/// The longest path that a socket can have.
const LONGEST: usize = 107;
/// The name of the socket of those who ask, in a folder of its own.
const NAME: &str = "output.sock";
/// The name of the one of those who control. It is told to nobody, and is the longer one.
const CONTROL: &str = "control.sock";
/// What a folder of ours below a shared one is called, before its random part.
const PREFIX: &str = "tim-";
/// Where folders go if the usual path is too long for a socket.
const SHORT: &str = "/tmp";

/// Why there is no socket.
#[derive(Debug, Error)]
pub enum NoSocket {
    /// its path is too long
    #[error("{path} is too long for a socket, whose path has at most {LONGEST} bytes; choose a shorter one", path = .0.display())]
    TooLong(PathBuf),
    /// nobody could be told where it is
    #[error("the socket path holds what cannot be printed: {path:?}", path = .0)]
    Unprintable(PathBuf),
    /// its folder is not safe
    #[error("the folder of the socket {wrong}: {path}; use one that is yours alone (chmod 700)", path = .folder.display())]
    UnsafeFolder {
        /// which
        folder: PathBuf,
        /// what is the matter with it
        wrong: &'static str,
    },
    /// its folder is not there
    #[error("the folder of the socket is not there: {path}; make it first (mkdir -m 700)", path = .0.display())]
    NoFolder(PathBuf),
    /// something else is there
    #[error("{path} is taken: {by}; it was left as it is: choose another path", path = .path.display())]
    Occupied {
        /// where
        path: PathBuf,
        /// what is there
        by: &'static str,
    },
    /// the system says no
    #[error("no socket at {path}: {why}; {advice}", path = .path.display(), why = says(.error), advice = elsewhere(.error))]
    Io {
        /// where
        path: PathBuf,
        /// what it says
        #[source]
        error: io::Error,
    },
}

impl NoSocket {
    fn io(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        |error| NoSocket::Io { path, error }
    }
}

/// The file of a socket of ours, and the folder if we made it. Dropping it removes the file, and the last one the folder,
/// if they are still ours.
#[derive(Debug)]
pub struct SocketFile {
    path: PathBuf,
    inode: (u64, u64),
    folder: Option<Arc<Folder>>,
}

/// A folder that we made. As long as we live it is locked: by that others know that it is not left behind.
#[derive(Debug)]
struct Folder {
    path: PathBuf,
    _lock: File,
}

impl SocketFile {
    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A socket at that path, instead of a dead one of ours if need be.
    pub async fn at(path: &Path) -> Result<(Self, UnixListener), NoSocket> {
        // Whoever is told where it is may be in another folder.
        let path = &std::path::absolute(path).map_err(NoSocket::io(path))?;
        let folder = path.parent().unwrap_or(path);
        check_folder(folder)?;
        // Two that start at once do not take each other's socket for a dead one.
        let _lock = wait_for_lock(folder).await?;
        make_room(path)?;
        bind(path, None)
    }

    /// A socket in a fresh folder of its own: below `runtime` if that is given, else below `temp`; where such a path
    /// would be too long, below `/tmp`. `random` makes the folder's name.
    pub async fn fresh(
        runtime: Option<&Path>,
        temp: &Path,
        random: &str,
    ) -> Result<(Self, UnixListener), NoSocket> {
        let folder = Folder::fresh(runtime, temp, random).await?;
        bind(&folder.path.join(NAME), Some(Arc::new(folder)))
    }

    /// The socket of those who control: in the folder that we made for this one, else in a fresh one of its own.
    pub async fn control(
        &self,
        runtime: Option<&Path>,
        temp: &Path,
        random: &str,
    ) -> Result<(Self, UnixListener), NoSocket> {
        let folder = match &self.folder {
            Some(folder) => Arc::clone(folder),
            None => Arc::new(Folder::fresh(runtime, temp, random).await?),
        };
        bind(&folder.path.join(CONTROL), Some(folder))
    }
}

/// The folder below which a fresh one for sockets is made: see [`SocketFile::fresh`]. Makes none.
#[must_use]
pub fn shelf(runtime: Option<&Path>, temp: &Path) -> PathBuf {
    let (usual, prefix) = match runtime {
        Some(runtime) => (runtime.join("tim"), 0),
        None => (temp.to_owned(), PREFIX.len()),
    };
    match usual.as_os_str().len() + 1 + prefix + RANDOM + 1 + CONTROL.len() {
        0..=LONGEST => usual,
        _ => SHORT.into(),
    }
}

impl Folder {
    async fn fresh(runtime: Option<&Path>, temp: &Path, random: &str) -> Result<Self, NoSocket> {
        let path = match runtime {
            Some(runtime) => shared_folder(runtime)?.join(random),
            None => temp.join(format!("{PREFIX}{random}")),
        };
        let path = match path.join(CONTROL).as_os_str().len() {
            0..=LONGEST => path,
            _ => Path::new(SHORT).join(format!("{PREFIX}{random}")),
        };
        if let Some(shelf) = path.parent() {
            sweep(shelf);
        }
        DirBuilder::new().mode(0o700).create(&path).map_err(NoSocket::io(&path))?;
        check_folder(&path)?;
        // Whoever sweeps may look at it just now.
        let lock = wait_for_lock(&path).await?;
        Ok(Self { path, _lock: lock })
    }
}

impl Drop for SocketFile {
    fn drop(&mut self) {
        let is_ours = fs::symlink_metadata(&self.path).is_ok_and(|found| inode(&found) == self.inode);
        if is_ours && let Err(error) = fs::remove_file(&self.path) {
            tracing::warn!(%error, "the socket could not be removed");
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Not empty means that somebody put something there, which is not ours to remove.
        if let Err(error) = fs::remove_dir(&self.path) {
            tracing::debug!(%error, "the folder of the socket stays");
        }
    }
}

fn bind(path: &Path, folder: Option<Arc<Folder>>) -> Result<(SocketFile, UnixListener), NoSocket> {
    if path.as_os_str().len() > LONGEST {
        return Err(NoSocket::TooLong(path.to_owned()));
    }
    if path.to_str().is_none_or(|path| path.contains(|letter| !is_printable(letter))) {
        return Err(NoSocket::Unprintable(path.to_owned()));
    }
    let listener = UnixListener::bind(path).map_err(NoSocket::io(path))?;
    let found = fs::symlink_metadata(path).map_err(NoSocket::io(path))?;
    let file = SocketFile { path: path.to_owned(), inode: inode(&found), folder };
    fs::set_permissions(path, fs::Permissions::from_mode(0o600)).map_err(NoSocket::io(path))?;
    Ok((file, listener))
}

fn inode(found: &Metadata) -> (u64, u64) {
    (found.dev(), found.ino())
}

/// Locks a folder, if nobody else has.
fn lock(folder: &Path) -> io::Result<File> {
    let opened = File::open(folder)?;
    flock(&opened, FlockOperation::NonBlockingLockExclusive)?;
    Ok(opened)
}

/// Locks a folder, as soon as nobody else has.
async fn wait_for_lock(folder: &Path) -> Result<File, NoSocket> {
    for _ in 0..LOCK_TRIES {
        match lock(folder) {
            Err(error) if error.kind() == ErrorKind::WouldBlock => tokio::time::sleep(LOCK_PAUSE).await,
            locked => return locked.map_err(NoSocket::io(folder)),
        }
    }
    Err(NoSocket::Occupied { path: folder.to_owned(), by: "another program keeps the folder locked" })
}

const LOCK_TRIES: usize = 100;
const LOCK_PAUSE: Duration = Duration::from_millis(20);

/// A folder in which nobody but us can replace what we put there.
fn check_folder(folder: &Path) -> Result<(), NoSocket> {
    let found = fs::symlink_metadata(folder).map_err(|error| match error.kind() {
        ErrorKind::NotFound => NoSocket::NoFolder(folder.to_owned()),
        _ => NoSocket::Io { path: folder.to_owned(), error },
    })?;
    let wrong = match () {
        () if found.is_symlink() => "is a symbolic link",
        () if !found.is_dir() => "is no folder",
        () if found.uid() != own_uid() => "belongs to somebody else",
        () if found.mode() & 0o022 != 0 => "can be written by others",
        () => return Ok(()),
    };
    Err(NoSocket::UnsafeFolder { folder: folder.to_owned(), wrong })
}

fn own_uid() -> u32 {
    rustix::process::geteuid().as_raw()
}

/// Our folder in the one that the system gave this user: made if need be, closed to everybody else.
fn shared_folder(runtime: &Path) -> Result<PathBuf, NoSocket> {
    let folder = runtime.join("tim");
    match DirBuilder::new().mode(0o700).create(&folder) {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
        Err(error) => return Err(NoSocket::Io { path: folder, error }),
    }
    check_folder(&folder)?;
    Ok(folder)
}

/// Removes a dead socket of ours; anything else stays and is an error.
fn make_room(path: &Path) -> Result<(), NoSocket> {
    let found = match fs::symlink_metadata(path) {
        Ok(found) => found,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(NoSocket::io(path)(error)),
    };
    let by = match () {
        () if found.is_symlink() => "it is a symbolic link",
        () if !found.file_type().is_socket() => "it is no socket",
        () if found.uid() != own_uid() => "it belongs to somebody else",
        () if !is_dead(path) => "somebody listens there already",
        () => {
            tracing::info!(path = %path.display(), "a dead socket was removed");
            return fs::remove_file(path).map_err(NoSocket::io(path));
        }
    };
    Err(NoSocket::Occupied { path: path.to_owned(), by })
}

/// Whether nobody listens at a socket. Only a clear refusal says so.
fn is_dead(path: &Path) -> bool {
    blocking::UnixStream::connect(path).is_err_and(|error| error.kind() == ErrorKind::ConnectionRefused)
}

/// How many leftovers are looked at: a start must not take longer the more there are.
const MOST_SWEPT: usize = 64;

/// Removes what a killed tim left behind: folders that look like ours, are ours, and hold nothing but dead sockets.
/// Whatever is not quite so stays.
fn sweep(shelf: &Path) {
    let Ok(entries) = fs::read_dir(shelf) else { return };
    let folders = entries.flatten().map(|entry| entry.path()).filter(|path| looks_like_ours(path));
    for folder in folders.take(MOST_SWEPT) {
        // Looked at before it is opened: somebody else may have put a pipe there, on which opening waits.
        if check_folder(&folder).is_err() {
            continue;
        }
        let Ok(_lock) = lock(&folder) else { continue };
        let Some(dead) = dead_sockets(&folder) else { continue };
        let removed = dead.iter().try_for_each(fs::remove_file).and_then(|()| fs::remove_dir(&folder));
        tracing::info!(folder = %folder.display(), removed = removed.is_ok(), "left behind by a tim that was killed");
    }
}

fn looks_like_ours(folder: &Path) -> bool {
    let name = folder.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let random = name.strip_prefix(PREFIX).unwrap_or(name);
    random.len() == RANDOM && random.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The sockets in a folder, if they are ours and dead, and nothing else is there.
fn dead_sockets(folder: &Path) -> Option<Vec<PathBuf>> {
    let names = fs::read_dir(folder).ok()?.map(|entry| Some(entry.ok()?.file_name()));
    let names = names.collect::<Option<Vec<_>>>()?;
    let is_dead_socket = |socket: &PathBuf| {
        fs::symlink_metadata(socket).is_ok_and(|found| found.file_type().is_socket()) && is_dead(socket)
    };
    let dead = names.iter().filter(|name| *name == NAME || *name == CONTROL);
    let dead: Vec<PathBuf> = dead.map(|name| folder.join(name)).filter(is_dead_socket).collect();
    (!dead.is_empty() && dead.len() == names.len()).then_some(dead)
}

/// Where the control sockets of runs are, as far as they are this user's: below the folder that the system gave them,
/// below that for temporary files, and where folders go whose paths would be too long.
#[must_use]
pub fn control_sockets(runtime: Option<&Path>, temp: &Path) -> Vec<PathBuf> {
    let shelves = [runtime.map(|runtime| runtime.join("tim")), Some(temp.to_owned()), Some(SHORT.into())];
    let mut found = Vec::new();
    for shelf in shelves.into_iter().flatten() {
        let entries = fs::read_dir(&shelf).into_iter().flatten().flatten();
        let folders = entries.map(|entry| entry.path()).filter(|path| looks_like_ours(path));
        let closed = |folder: &PathBuf| {
            let mode = fs::symlink_metadata(folder).map_or(0o777, |found| found.mode());
            check_folder(folder).is_ok() && mode & 0o077 == 0
        };
        let sockets = folders.filter(closed).map(|folder| folder.join(CONTROL));
        let is_socket =
            |path: &PathBuf| fs::symlink_metadata(path).is_ok_and(|found| found.file_type().is_socket());
        found.extend(sockets.filter(is_socket));
    }
    found.sort();
    found.dedup();
    found
}

/// How many hex digits make a folder's name.
pub const RANDOM: usize = 16;
