//! What the user configured: built-in defaults, the user's file, the environment and the flags, in rising order.
//!
//! Owns which layer wins and where the user's file is. Runs no command and opens no journal. It ends as a `Config`, or as
//! an error of one line that says what to change.

pub(crate) mod attention;
mod backends;
mod file;
#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::{Path, PathBuf};

use codec::text::visible;

use crate::environment::Environment;
use crate::record::Kept;
use crate::trusted::{self, Trust};
use file::Written;

/// What the configuration is believed for. Many keep theirs elsewhere, behind a link.
const TRUST: Trust = Trust {
    because: "it can name a command to run",
    may_be_link: true,
    may_be_roots: true,
    may_be_shared: false,
};

/// The configuration of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Config {
    /// the program that answers questions, if there is one
    pub(crate) answer_command: Option<AnswerCommand>,
    /// where the record goes
    pub(crate) journal: JournalChoice,
    /// nothing may happen without it
    pub(crate) requires_journal: bool,
    /// how many records of earlier runs are kept
    pub(crate) kept: Kept,
    /// what calls a person who looks elsewhere
    pub(crate) attention: attention::Settings,
    /// which Claude Code to run, if not the one on the path
    pub(crate) claude: Option<OsString>,
    /// whether lines for the agent are read from the terminal
    pub(crate) terminal_input: bool,
    /// agents other than Claude Code, by name
    pub(crate) backends: backends::Backends,
}

/// A program that answers questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerCommand {
    /// the line for the shell; it says something
    pub(crate) line: String,
    /// who named it
    pub(crate) origin: Origin,
}

/// Where a setting came from. A nested tim does not believe all of them alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// a flag
    Flag,
    /// an environment variable
    Environment,
    /// this file
    File(PathBuf),
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag => out.write_str("--answer-command"),
            Origin::Environment => out.write_str("TIM_ANSWER_COMMAND"),
            Origin::File(path) => write!(out, "{}", path.display()),
        }
    }
}

/// Where the record of a run goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum JournalChoice {
    /// nowhere: nobody wants it
    Off,
    /// into this very file
    File(PathBuf),
    /// into a new file in this folder
    Folder(PathBuf),
    /// it is wanted, but neither a home nor a folder is known
    Nowhere,
}

/// What the command line says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Flags {
    /// `--answer-command`; an empty one takes away what the other layers say
    pub(crate) answer_command: Option<String>,
    /// `--journal`
    pub(crate) journal: Option<PathBuf>,
    /// `--no-journal`
    pub(crate) no_journal: bool,
    /// `--require-journal`
    pub(crate) require_journal: bool,
}

/// What is wrong with the configuration, in one line that may be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigError(String);

impl ConfigError {
    fn new(what: &str) -> Self {
        Self(visible(what).into_owned())
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// Reads the user's file and puts all layers together.
pub(crate) fn load(environment: &Environment, flags: Flags) -> Result<Config, ConfigError> {
    let written = match &environment.config {
        Some(path) => read(path, environment)?.ok_or_else(|| {
            ConfigError::new(&format!("{}: TIM_CONFIG names a file that is not there", path.display()))
        })?,
        None => match user_file(environment) {
            Some(path) => read(&path, environment)?.unwrap_or_default(),
            None => Written::default(),
        },
    };
    merge(written, environment, flags)
}

/// Where the user's file would be.
fn user_file(environment: &Environment) -> Option<PathBuf> {
    environment.config_folder().map(|folder| folder.join("config.toml"))
}

/// What a file says; nothing if it is not there.
fn read(path: &Path, environment: &Environment) -> Result<Option<Written>, ConfigError> {
    let wrong = |why: String| ConfigError::new(&format!("{}: {why}", path.display()));
    match trusted::read(path, TRUST).map_err(wrong)? {
        None => Ok(None),
        Some(text) => Written::parse(path, &text, environment.home.as_deref()).map(Some),
    }
}

/// Puts the layers together: the last one that says something counts.
fn merge(written: Written, environment: &Environment, flags: Flags) -> Result<Config, ConfigError> {
    let requires_journal = flags.require_journal || written.require_journal == Some(true);
    if requires_journal && flags.no_journal {
        return Err(ConfigError::new("--no-journal: the configuration says require-journal = true"));
    }
    let journal = journal(&written, environment, &flags);
    let kept = written.kept;
    let answer_command = match (flags.answer_command, &environment.answer_command) {
        (Some(line), _) => command(line, Origin::Flag),
        (None, Some(line)) => command(words("TIM_ANSWER_COMMAND", line)?, Origin::Environment),
        (None, None) => written.answer_command,
    };
    let attention = attention(written.attention, environment.attention.as_deref())?;
    let claude = environment.claude.clone().or(written.claude.map(PathBuf::into_os_string));
    let terminal_input = written.terminal_input.unwrap_or(true);
    let backends = written.backends;
    Ok(Config {
        answer_command,
        journal,
        requires_journal,
        kept,
        attention,
        claude,
        terminal_input,
        backends,
    })
}

/// The environment turns it all off, or leaves it as it is written: a variable is nobody's wish to hear a bell.
fn attention(written: attention::Settings, said: Option<&OsStr>) -> Result<attention::Settings, ConfigError> {
    let Some(said) = said else { return Ok(written) };
    match said.to_str() {
        Some("1" | "on") => Ok(written),
        Some("0" | "off") => Ok(attention::Settings::off()),
        _ => Err(ConfigError::new(&format!("TIM_ATTENTION is on or off, not {}", said.display()))),
    }
}

/// A command that says nothing is none.
fn command(line: String, origin: Origin) -> Option<AnswerCommand> {
    (!line.trim().is_empty()).then_some(AnswerCommand { line, origin })
}

fn words(name: &str, value: &OsStr) -> Result<String, ConfigError> {
    let words = value.to_str().map(str::to_owned);
    words.ok_or_else(|| ConfigError::new(&format!("{name} is not UTF-8: {}", value.display())))
}

fn journal(written: &Written, environment: &Environment, flags: &Flags) -> JournalChoice {
    let said = environment.journal.as_deref();
    match (&flags.journal, said.and_then(OsStr::to_str)) {
        _ if flags.no_journal => JournalChoice::Off,
        (Some(file), _) => JournalChoice::File(file.clone()),
        (None, Some("0" | "off")) => JournalChoice::Off,
        (None, Some("1" | "on")) => in_folder(written, environment),
        (None, _) => match said {
            Some(file) => JournalChoice::File(file.into()),
            None if written.journal == Some(false) => JournalChoice::Off,
            None => in_folder(written, environment),
        },
    }
}

fn in_folder(written: &Written, environment: &Environment) -> JournalChoice {
    let usual = || environment.state_folder().map(|folder| folder.join("runs"));
    written.journal_folder.clone().or_else(usual).map_or(JournalChoice::Nowhere, JournalChoice::Folder)
}
