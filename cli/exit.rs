//! How the program ends: one place for every exit code.

use std::process::ExitCode;

/// An exit code of ours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Code(u8);

/// All went well.
pub(crate) const SUCCESS: Code = Code(0);
/// Something failed.
pub(crate) const FAILED: Code = Code(1);
/// The command line or the configuration is wrong.
pub(crate) const USAGE: Code = Code(2);
/// The time was up.
pub(crate) const TIMED_OUT: Code = Code(3);
/// The way to the person was lost.
pub(crate) const DISCONNECTED: Code = Code(4);
/// Nobody decided something that an agent asked.
pub(crate) const UNDECIDED: Code = Code(5);
/// The person declined.
pub(crate) const DECLINED: Code = Code(5);
/// Nobody can answer.
pub(crate) const REFUSED: Code = Code(6);
/// A failure of our own.
pub(crate) const INTERNAL: Code = Code(70);
/// What was to be said could not be written.
pub(crate) const UNWRITTEN: Code = Code(74);
/// Whoever read our output is gone: what a shell shows for SIGPIPE.
pub(crate) const OUTPUT_CLOSED: Code = Code(141);

impl Code {
    /// As a number.
    pub(crate) const fn number(self) -> u8 {
        self.0
    }

    /// That of a program that we ran.
    pub(crate) fn of_program(code: u8) -> Self {
        Self(code)
    }

    /// Ended by a signal, as a shell shows it.
    pub(crate) fn signal(number: i32) -> Self {
        Self(u8::try_from(128 + number).unwrap_or(u8::MAX))
    }
}

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(code.0)
    }
}
