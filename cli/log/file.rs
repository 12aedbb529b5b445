//! The file of the log: opened for our eyes alone, and put aside when it has become long.
//!
//! Owns both files of the state folder, `log` and `log.1`. Follows no link and never waits. Ends as an open file, or as the
//! system's error.

use std::fs::{DirBuilder, File, OpenOptions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// A log that is longer when tim starts is put aside.
const LONGEST: u64 = 10 << 20;

/// A file to append to.
pub(super) fn open(path: &Path) -> io::Result<File> {
    // Opening must neither wait, as it would for a pipe, nor lead elsewhere.
    let flags = (OFlags::NOFOLLOW | OFlags::NONBLOCK).bits();
    let flags = i32::try_from(flags).map_err(io::Error::other)?;
    let file = OpenOptions::new().append(true).create(true).mode(0o600).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::Error::other("it is no file"));
    }
    Ok(file)
}

/// The log of all runs, in a folder that is made if need be. One that is too long becomes `log.1`, and what was that is gone.
pub(super) fn own(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent() {
        DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    }
    let is_long = path.symlink_metadata().is_ok_and(|about| about.is_file() && about.len() > LONGEST);
    if is_long {
        // Two that start at once may both do so: then the second moves what is short, which loses nothing of now.
        std::fs::rename(path, path.with_extension("1"))?;
    }
    open(path)
}
