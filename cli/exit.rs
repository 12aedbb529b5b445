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
/// Whoever read our output is gone: what a shell shows for SIGPIPE.
pub(crate) const OUTPUT_CLOSED: Code = Code(141);

impl From<Code> for ExitCode {
    fn from(code: Code) -> Self {
        ExitCode::from(code.0)
    }
}
