//! Why an agent could not be started, and what to do about it. Pure.

use std::ffi::OsStr;
use std::path::Path;

use rustix::io::Errno;

/// Why an agent could not be started.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StartFailure {
    /// there is no such program
    #[error("`{0}` is not found: install it, or name it by its path")]
    NotFound(String),
    /// there is, but not what it needs to run
    #[error(
        "`{0}` cannot run: the interpreter that its first line names is missing; install that, or correct the line"
    )]
    NoInterpreter(String),
    /// it may not be executed
    #[error("`{0}` may not be executed: is it a program, and does it have the permission (chmod +x)?")]
    NotExecutable(String),
    /// the folder that it was to run in cannot be entered
    #[error("the folder `{0}` cannot be entered: {1}")]
    Folder(String, String),
    /// the system takes no such long command line
    #[error("the arguments for `{0}` are too long for the system: give it the text as input instead")]
    TooManyArguments(String),
    /// the system is out of something
    #[error("`{0}` cannot be started now: {1}; end something else, or raise the limit (ulimit -u, -n, -v)")]
    NoRoom(String, String),
    /// anything else
    #[error("`{0}` cannot be started: {1}")]
    Other(String, String),
    /// its guard cannot be started
    #[error("the guard of `{0}` cannot be started: {1}; is tim still where it was started from?")]
    Guard(String, String),
}

impl StartFailure {
    /// What the system's error means for a program that was to be run in a folder.
    pub(super) fn of(error: Errno, program: &OsStr, exists: bool) -> Self {
        let name = shown(program);
        match error {
            Errno::NOENT if exists => Self::NoInterpreter(name),
            Errno::NOENT | Errno::NOTDIR => Self::NotFound(name),
            Errno::ACCESS | Errno::PERM | Errno::NOEXEC | Errno::ISDIR => Self::NotExecutable(name),
            Errno::TOOBIG => Self::TooManyArguments(name),
            Errno::AGAIN | Errno::NOMEM | Errno::MFILE | Errno::NFILE => {
                Self::NoRoom(name, error.to_string())
            }
            _ => Self::Other(name, error.to_string()),
        }
    }

    /// The same for its guard, which gets the same arguments and needs the same room.
    pub(super) fn of_guard(error: &std::io::Error, program: &OsStr) -> Self {
        let known = Errno::from_io_error(error).map(|error| Self::of(error, program, false));
        match known {
            Some(known @ (Self::TooManyArguments(_) | Self::NoRoom(..))) => known,
            _ => Self::Guard(shown(program), error.to_string()),
        }
    }

    pub(super) fn folder(folder: &Path, why: &str) -> Self {
        Self::Folder(shown(folder.as_os_str()), why.to_owned())
    }

    /// The exit code that a shell shows for it.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NotFound(_) | Self::NoInterpreter(_) => 127,
            _ => 126,
        }
    }
}

pub(super) fn shown(name: &OsStr) -> String {
    name.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_error_says_what_to_do_and_exits_as_a_shell_would() {
        let of = |error, exists| StartFailure::of(error, OsStr::new("x"), exists);
        for (error, exists, expected, code) in [
            (Errno::NOENT, false, StartFailure::NotFound("x".into()), 127),
            (Errno::NOENT, true, StartFailure::NoInterpreter("x".into()), 127),
            (Errno::ACCESS, true, StartFailure::NotExecutable("x".into()), 126),
            (Errno::NOEXEC, true, StartFailure::NotExecutable("x".into()), 126),
            (Errno::TOOBIG, true, StartFailure::TooManyArguments("x".into()), 126),
            (Errno::AGAIN, true, StartFailure::NoRoom("x".into(), Errno::AGAIN.to_string()), 126),
            (Errno::IO, true, StartFailure::Other("x".into(), Errno::IO.to_string()), 126),
        ] {
            assert_eq!((of(error, exists), of(error, exists).exit_code()), (expected, code));
        }
    }

    #[test]
    fn a_command_line_that_is_too_long_for_the_guard_is_not_the_guards_fault() {
        let of = |error: Errno| StartFailure::of_guard(&error.into(), OsStr::new("x"));
        assert_eq!(of(Errno::TOOBIG), StartFailure::TooManyArguments("x".into()));
        assert!(matches!(of(Errno::NOENT), StartFailure::Guard(..)));
    }
}
