//! The command line of tim.
//!
//! Owns what only a program may touch: arguments, environment, configuration, the terminal and the exit code. Takes
//! no routing decision.

mod args;
mod exit;
mod replay;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::Parser as _;

/// Runs the program with its arguments, the first of which is its own name.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    match args::Args::try_parse_from(arguments) {
        Ok(args::Args { command: args::Command::Replay(args) }) => replay::run(&args).into(),
        Err(message) => say(&message).into(),
    }
}

/// Prints help, the version or a usage error where each belongs, and says how to exit.
fn say(message: &clap::Error) -> exit::Code {
    match message.print() {
        _ if message.use_stderr() => exit::USAGE,
        Ok(()) => exit::SUCCESS,
        Err(error) => output_failed(&error),
    }
}

/// Whoever reads our output went away, or it cannot be written.
fn output_failed(error: &std::io::Error) -> exit::Code {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => exit::OUTPUT_CLOSED,
        _ => complain(&format!("cannot write: {error}"), exit::FAILED),
    }
}

/// Says on stderr what went wrong, also if that quotes something foreign. If it cannot be written, the exit code still
/// says it.
fn complain(what: &str, code: exit::Code) -> exit::Code {
    let _ = writeln!(std::io::stderr(), "tim: {}", codec::text::visible(what));
    code
}
