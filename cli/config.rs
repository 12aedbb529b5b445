//! What is configured: built-in defaults, the user's file, the two files of the project, the environment and the flags, in
//! rising order.
//!
//! Owns which layer wins and where the files are. Runs no command and opens no journal. It ends as a `Config`, or as
//! an error of one line that says what to change.

pub(crate) mod attention;
mod backends;
mod file;
pub(crate) mod layer;
pub(crate) mod project;
pub(crate) mod shown;
#[cfg(test)]
mod tests;
mod variables;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use actors::gate::rules::RuleSet;
use codec::text::visible;

use crate::environment::Environment;
use crate::record::Kept;
use crate::rules::List;
use crate::trusted::{self, Trust};
use layer::{Layer, Origin, Recording, Said, Written};
use project::{Seen, State};

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
    /// the rules of all files but the one for rules
    pub(crate) rules: RuleSet,
    /// how long things may take, where no flag says it
    pub(crate) patience: Patience,
    /// what nobody could decide is no failure
    pub(crate) is_refused_ok: bool,
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
    /// which model it is told to use
    pub(crate) model: Option<String>,
    /// whether lines for the agent are read from the terminal
    pub(crate) terminal_input: bool,
    /// agents other than Claude Code, by name; no command is empty
    pub(crate) backends: BTreeMap<String, Vec<OsString>>,
    /// what of the project's files does not count, in rows
    pub(crate) warnings: Vec<String>,
}

/// A program that answers questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct AnswerCommand {
    /// the line for the shell; it says something
    pub(crate) line: String,
    /// who named it
    pub(crate) origin: Origin,
}

/// How long things may take.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Patience {
    pub(crate) permission: Option<Duration>,
    pub(crate) question: Option<Duration>,
    pub(crate) total: Option<Duration>,
    pub(crate) idle: Option<Duration>,
    /// a permission that somebody saw and nobody answered is allowed; who says so
    pub(crate) allows_on_timeout: Option<Origin>,
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

/// All layers but the flags, and the files that they come from.
#[derive(Debug)]
pub(crate) struct Found {
    layer: Layer,
    /// in rising order
    pub(crate) files: Vec<Seen>,
}

impl Found {
    /// What of the project's files does not count, in rows.
    pub(crate) fn warnings(&self, environment: &Environment) -> Vec<String> {
        let own = user_file(environment);
        self.files.iter().filter_map(|seen| seen.warning(own.as_deref())).collect()
    }

    /// The rules of all files but the one for rules.
    pub(crate) fn rules(&self, list: List) -> &[Said<Written>] {
        match list {
            List::Allow => &self.layer.allow,
            List::Deny => &self.layer.deny,
        }
    }
}

/// Reads the files and puts all layers together.
pub(crate) fn load(environment: &Environment, flags: Flags) -> Result<Config, ConfigError> {
    together(find(environment)?, environment, flags)
}

/// What was found, and over it the flags.
fn together(found: Found, environment: &Environment, flags: Flags) -> Result<Config, ConfigError> {
    let warnings = found.warnings(environment);
    let layer = found.layer;
    if let (true, Some(Said { value: true, origin })) = (flags.no_journal, &layer.require_journal) {
        return Err(ConfigError::new(&format!("--no-journal: {origin} says require-journal = true")));
    }
    Ok(Config { warnings, ..config(of_flags(flags).over(layer), environment) })
}

/// What the files and the environment say.
pub(crate) fn find(environment: &Environment) -> Result<Found, ConfigError> {
    let (own, seen) = of_user(environment)?;
    let trusted = own.trusted_folders.as_ref().map(|said| said.value.clone()).unwrap_or_default();
    let project = project::look(environment, &trusted)?;
    let layer = variables::layer(environment)?.over(project.layer.over(own));
    Ok(Found { layer, files: seen.into_iter().chain(project.seen).collect() })
}

/// The layer of the user's own file.
fn of_user(environment: &Environment) -> Result<(Layer, Option<Seen>), ConfigError> {
    let Some(path) = user_file(environment) else { return Ok((Layer::default(), None)) };
    match read(&path, environment)? {
        Some(layer) => Ok((layer, Some(Seen { path, state: State::Read }))),
        None if environment.config.is_some() => {
            let what = format!(
                "{}: TIM_CONFIG names a file that is not there; `tim config init` writes one",
                path.display()
            );
            Err(ConfigError::new(&what))
        }
        None => Ok((Layer::default(), Some(Seen { path, state: State::Missing }))),
    }
}

/// Where the user's file is, or would be.
pub(crate) fn user_file(environment: &Environment) -> Option<PathBuf> {
    let usual = || environment.config_folder().map(|folder| folder.join("config.toml"));
    environment.config.clone().or_else(usual)
}

/// What a file says; nothing if it is not there.
fn read(path: &Path, environment: &Environment) -> Result<Option<Layer>, ConfigError> {
    let wrong = |why: String| ConfigError::new(&format!("{}: {why}", path.display()));
    match trusted::read(path, TRUST).map_err(wrong)? {
        None => Ok(None),
        Some(text) => file::parse(path, &text, environment.home.as_deref()).map(Some),
    }
}

fn of_flags(flags: Flags) -> Layer {
    let said = |name, value| Said { value, origin: Origin::Flag(name) };
    let journal = match flags.journal {
        _ if flags.no_journal => Some(said("--no-journal", Recording::Off)),
        file => file.map(|file| said("--journal", Recording::File(file))),
    };
    let answer_command = flags.answer_command;
    Layer {
        answer_command: answer_command.map(|value| Said { value, origin: Origin::Flag("--answer-command") }),
        journal,
        require_journal: flags
            .require_journal
            .then_some(Said { value: true, origin: Origin::Flag("--require-journal") }),
        ..Layer::default()
    }
}

/// What all layers together come to.
fn config(layer: Layer, environment: &Environment) -> Config {
    let usual = Kept::default();
    let rules = |list: &[Said<Written>]| list.iter().map(|said| said.value.rule.clone()).collect();
    let command = layer.answer_command.clone().filter(|said| !said.value.trim().is_empty());
    Config {
        answer_command: command.map(|said| AnswerCommand { line: said.value, origin: said.origin }),
        rules: RuleSet { allow: rules(&layer.allow), deny: rules(&layer.deny) },
        is_refused_ok: is(layer.refused_ok.as_ref()),
        journal: journal(&layer, environment),
        requires_journal: is(layer.require_journal.as_ref()),
        kept: Kept {
            days: layer.journal_days.as_ref().map_or(usual.days, |said| said.value),
            bytes: layer.journal_size.as_ref().map_or(usual.bytes, |said| said.value),
        },
        patience: patience(&layer),
        attention: layer.attention.into(),
        claude: layer.claude.map(|said| said.value),
        model: layer.model.map(|said| said.value).filter(|model| !model.trim().is_empty()),
        terminal_input: layer.terminal_input.is_none_or(|said| said.value),
        backends: layer.backends.into_iter().map(|(name, said)| (name, said.value)).collect(),
        warnings: Vec::new(),
    }
}

fn is(said: Option<&Said<bool>>) -> bool {
    said.is_some_and(|said| said.value)
}

fn patience(layer: &Layer) -> Patience {
    let time = |said: &Option<Said<Duration>>| said.as_ref().map(|said| said.value);
    let allows = layer.dangerously_allow_on_timeout.clone().filter(|said| said.value);
    Patience {
        permission: time(&layer.permission_timeout),
        question: time(&layer.question_timeout),
        total: time(&layer.timeout),
        idle: time(&layer.idle_timeout),
        allows_on_timeout: allows.map(|said| said.origin),
    }
}

fn journal(layer: &Layer, environment: &Environment) -> JournalChoice {
    match layer.journal.as_ref().map(|said| &said.value) {
        Some(Recording::Off) => JournalChoice::Off,
        Some(Recording::File(file)) => JournalChoice::File(file.clone()),
        Some(Recording::On) | None => {
            let folder = layer.journal_folder.as_ref().map(|said| said.value.clone());
            let folder = folder.or_else(|| usual_folder(environment));
            folder.map_or(JournalChoice::Nowhere, JournalChoice::Folder)
        }
    }
}

/// Where records go if nobody says where.
pub(crate) fn usual_folder(environment: &Environment) -> Option<PathBuf> {
    environment.state_folder().map(|folder| folder.join("runs"))
}
