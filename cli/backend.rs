//! Which program an agent is: what `--backend` names, as a program with its arguments and a label.
//!
//! Owns the order in which a name, a path and a command line are tried, and which flags are for Claude Code alone. It
//! looks whether a file is there and does nothing else: no shell, no program is started, and what is not found on the
//! path is for whoever starts it to say. It ends as a `Program`, or as an error of one line that says what to write.

mod label;
#[cfg(test)]
mod tests;
pub(crate) mod words;

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::path::Path;

use crate::args::RunArgs;
use crate::config::Config;

/// An agent that is not Claude Code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Program {
    /// by name or path
    pub(crate) program: OsString,
    /// what stands behind it
    pub(crate) arguments: Vec<OsString>,
    /// its name for people and in the record: `codec::id::Label` takes it as it is
    pub(crate) label: String,
}

/// The agent that `--backend` names, if it is there.
pub(crate) fn of(args: &RunArgs, config: &Config, home: Option<&Path>) -> Result<Option<Program>, String> {
    let Some(backend) = &args.backend else { return Ok(None) };
    if let Some(flag) = claudes(args) {
        return Err(format!("{flag} is for Claude Code, not for --backend: leave one of them out"));
    }
    let mut program = find(backend, config, home)?;
    program.arguments.extend(args.passed_on.iter().cloned());
    Ok(Some(program))
}

/// The names that the configuration gives.
pub(crate) fn known(config: &Config) -> Vec<String> {
    config.backends.keys().cloned().collect()
}

/// A flag that only Claude Code understands. `--permission-route` is clap's to refuse: it has a default, which here
/// cannot be told from the same word on the command line.
fn claudes(args: &RunArgs) -> Option<&'static str> {
    let own = [("--claude", args.claude.is_some()), ("--image", !args.images.is_empty())];
    let own = own.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag);
    own.or_else(|| args.of_claude.given())
}

/// A name of the configuration, else a file, else a command line. A name comes first, so that a file which happens to
/// lie in the folder cannot take its place.
fn find(backend: &OsStr, config: &Config, home: Option<&Path>) -> Result<Program, String> {
    let named = backend.to_str().and_then(|name| config.backends.get_key_value(name));
    if let Some((name, words)) = named {
        return program(words.clone(), Some(name))
            .ok_or_else(|| format!("the backend {name} has no command"));
    }
    let words = match is_file(backend) {
        true => vec![backend.to_owned()],
        false => words::split(backend, home).map_err(|trouble| trouble.said_of("--backend", SHELL))?,
    };
    program(words, None).ok_or_else(|| words::Trouble::Empty.said_of("--backend", SHELL))
}

/// How to get a shell all the same.
const SHELL: &str = "--backend \"sh -c '…'\"";

/// Whether that is a path, and a file is there. A word without `/` is never one: as in a shell, it stands on the path.
fn is_file(written: &OsStr) -> bool {
    written.as_bytes().contains(&b'/') && Path::new(written).is_file()
}

fn program(words: Vec<OsString>, name: Option<&str>) -> Option<Program> {
    let label = name.map_or_else(|| label::of(&words), str::to_owned);
    let mut words = words.into_iter();
    let program = words.next().filter(|program| !program.is_empty())?;
    Some(Program { program, arguments: words.collect(), label })
}
