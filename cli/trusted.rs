//! Reads a file that decides what runs: only one that nobody but its user, or root, can have written.
//!
//! Owns that judgement. What is judged is the open file, not its name, so that nobody can exchange it in between; and
//! opening never waits, also not for a named pipe. It ends as the file's text, or as the reason why it is not believed.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::Errno;

/// More than this is no file that a person writes.
pub(crate) const LONGEST: u64 = 1 << 20;

/// What a file is believed for, and what it must be for that.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Trust {
    /// why it matters who can write it, as the end of a sentence
    pub(crate) because: &'static str,
    /// whether a symbolic link may stand in its place
    pub(crate) may_be_link: bool,
    /// whether it may belong to root
    pub(crate) may_be_roots: bool,
    /// whether others may write it
    pub(crate) may_be_shared: bool,
}

/// The text of the file; nothing if there is no such file. The error says why it cannot be used.
pub(crate) fn read(path: &Path, trust: Trust) -> Result<Option<String>, String> {
    text(path, trust.may_be_link, |facts| facts.check(rustix::process::geteuid().as_raw(), trust))
}

/// The same, whoever can write it: for what may only forbid.
pub(crate) fn read_anybodys(path: &Path) -> Result<Option<String>, String> {
    text(path, false, |facts| if facts.is_file { Ok(()) } else { Err(NO_FILE.to_owned()) })
}

const NO_FILE: &str = "is not a file";

fn text(
    path: &Path,
    may_be_link: bool,
    check: impl FnOnce(Facts) -> Result<(), String>,
) -> Result<Option<String>, String> {
    let file = match open_at_once(path, may_be_link) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            tracing::debug!(path = %path.display(), "there is no such file");
            return Ok(None);
        }
        Err(error) if !may_be_link && error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) => {
            return Err("is a symbolic link; put the file itself in its place".to_owned());
        }
        opened => opened.map_err(|error| unreadable(&error))?,
    };
    let facts = file.metadata().map_err(|error| unreadable(&error))?;
    check(Facts::from(&facts))?;
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| unreadable(&error))?;
    if bytes.len() as u64 > LONGEST {
        return Err(too_long());
    }
    tracing::info!(path = %path.display(), bytes = bytes.len(), "a file was read");
    String::from_utf8(bytes).map(Some).map_err(|_| "is not UTF-8".to_owned())
}

/// Opens a file for reading, without waiting, whatever it is.
pub(crate) fn open_at_once(path: &Path, may_be_link: bool) -> std::io::Result<File> {
    let links = if may_be_link { OFlags::empty() } else { OFlags::NOFOLLOW };
    let flags = i32::try_from((OFlags::NONBLOCK | links).bits()).map_err(std::io::Error::other)?;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn unreadable(error: &std::io::Error) -> String {
    format!("cannot be read: {}", actors::system::says(error))
}

/// Said of a file that is longer than that.
pub(crate) fn too_long() -> String {
    format!("is longer than {} MiB", LONGEST >> 20)
}

/// What decides whether a file is believed.
#[derive(Debug, Clone, Copy)]
struct Facts {
    is_file: bool,
    owner: u32,
    mode: u32,
}

impl From<&Metadata> for Facts {
    fn from(metadata: &Metadata) -> Self {
        Self { is_file: metadata.is_file(), owner: metadata.uid(), mode: metadata.mode() }
    }
}

impl Facts {
    fn check(self, me: u32, trust: Trust) -> Result<(), String> {
        let because = trust.because;
        if !self.is_file {
            return Err(NO_FILE.to_owned());
        }
        if self.owner != me && !(trust.may_be_roots && self.owner == 0) {
            return Err(format!("belongs to somebody else (user {}), and {because}", self.owner));
        }
        if self.mode & 0o022 != 0 && !trust.may_be_shared {
            let mode = self.mode & 0o777;
            return Err(format!(
                "can be written by others (mode {mode:o}), and {because}; chmod go-w makes it yours"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRUST: Trust =
        Trust { because: "it matters", may_be_link: true, may_be_roots: true, may_be_shared: false };

    fn judged(is_file: bool, owner: u32, mode: u32) -> Result<(), String> {
        Facts { is_file, owner, mode }.check(1000, TRUST)
    }

    #[test]
    fn a_file_of_the_user_or_of_root_is_believed() {
        assert_eq!(judged(true, 1000, 0o100_644), Ok(()));
        assert_eq!(judged(true, 1000, 0o100_600), Ok(()));
        assert_eq!(judged(true, 0, 0o100_644), Ok(()));
    }

    #[test]
    fn a_file_that_somebody_else_can_write_is_not() {
        assert!(judged(true, 1001, 0o100_600).unwrap_err().contains("user 1001"));
        assert!(judged(true, 1000, 0o100_664).unwrap_err().contains("mode 664"));
        assert!(judged(true, 0, 0o100_666).unwrap_err().contains("chmod go-w"));
        assert!(judged(false, 1000, 0o040_700).unwrap_err().contains("not a file"));
    }

    #[test]
    fn a_file_that_is_only_changed_may_be_one_that_others_write_too() {
        let shared = Trust { may_be_shared: true, ..TRUST };
        let facts = |owner| Facts { is_file: true, owner, mode: 0o100_664 };
        assert_eq!(facts(1000).check(1000, shared), Ok(()));
        assert!(facts(1001).check(1000, shared).is_err());
    }

    #[test]
    fn a_file_that_is_to_be_written_must_be_our_own() {
        let own = Trust { may_be_roots: false, ..TRUST };
        let facts = |owner| Facts { is_file: true, owner, mode: 0o100_600 };
        assert_eq!(facts(1000).check(1000, own), Ok(()));
        assert_eq!(facts(0).check(0, own), Ok(()));
        assert!(facts(0).check(1000, own).unwrap_err().contains("user 0"));
    }
}
