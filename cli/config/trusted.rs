//! Reads a file that can name a command to run: only one that nobody but its user, or root, can have written.
//!
//! Owns that judgement. What is judged is the open file, not its name, so that nobody can exchange it in between; and
//! opening never waits, also not for a named pipe.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::Path;

use rustix::fs::OFlags;

/// More than this is no configuration.
const LONGEST: u64 = 1 << 20;

/// The text of the file; nothing if there is no such file. The error says why it cannot be used.
pub(super) fn read(path: &Path) -> Result<Option<String>, String> {
    let file = match open(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        opened => opened.map_err(|error| format!("cannot be read: {error}"))?,
    };
    let facts = file.metadata().map_err(|error| format!("cannot be read: {error}"))?;
    Facts::from(&facts).check(rustix::process::geteuid().as_raw())?;
    let mut bytes = Vec::new();
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(|error| format!("cannot be read: {error}"))?;
    if bytes.len() as u64 > LONGEST {
        return Err(too_long());
    }
    String::from_utf8(bytes).map(Some).map_err(|_| "is not UTF-8".to_owned())
}

fn open(path: &Path) -> std::io::Result<File> {
    #[expect(clippy::cast_possible_wrap, reason = "the flag is a small number")]
    let flags = OFlags::NONBLOCK.bits() as i32;
    OpenOptions::new().read(true).custom_flags(flags).open(path)
}

fn too_long() -> String {
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
    fn check(self, me: u32) -> Result<(), String> {
        if !self.is_file {
            return Err("is not a file".to_owned());
        }
        if self.owner != me && self.owner != 0 {
            return Err(format!(
                "belongs to somebody else (user {}), and it can name a command to run",
                self.owner
            ));
        }
        if self.mode & 0o022 != 0 {
            let mode = self.mode & 0o777;
            return Err(format!(
                "can be written by others (mode {mode:o}), and it can name a command to run; chmod go-w makes it yours"
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(is_file: bool, owner: u32, mode: u32) -> Result<(), String> {
        Facts { is_file, owner, mode }.check(1000)
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
}
