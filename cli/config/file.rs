//! The user's file: which keys there are, and what each may say.
//!
//! Text in, values out; opens nothing. What it does not know is an error that names the place and the keys there are: a
//! misspelt key must not be silence.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use toml::{Spanned, Value};

use super::{AnswerCommand, ConfigError, Origin, attention, backends, command};
use crate::record::Kept;
use crate::source::Source;

/// What the file says.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Written {
    /// `answer-command`
    pub(super) answer_command: Option<AnswerCommand>,
    /// `journal`
    pub(super) journal: Option<bool>,
    /// `journal-folder`, absolute
    pub(super) journal_folder: Option<PathBuf>,
    /// `require-journal`
    pub(super) require_journal: Option<bool>,
    /// `journal-days` and `journal-size`
    pub(super) kept: Kept,
    /// `[attention]`
    pub(super) attention: attention::Settings,
    /// `claude`, absolute
    pub(super) claude: Option<PathBuf>,
    /// `terminal-input`
    pub(super) terminal_input: Option<bool>,
    /// `[backends]`
    pub(super) backends: backends::Backends,
}

/// The file's keys. Their values are looked at afterwards, so that an error can name the key.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Keys {
    answer_command: Option<Spanned<Value>>,
    journal: Option<Spanned<Value>>,
    journal_folder: Option<Spanned<Value>>,
    journal_days: Option<Spanned<Value>>,
    journal_size: Option<Spanned<Value>>,
    require_journal: Option<Spanned<Value>>,
    attention: Option<Spanned<Value>>,
    claude: Option<Spanned<Value>>,
    terminal_input: Option<Spanned<Value>>,
    backends: Option<Spanned<Value>>,
}

impl Written {
    /// Reads the text of the file. `~/` in it is the home folder.
    pub(super) fn parse(path: &Path, text: &str, home: Option<&Path>) -> Result<Self, ConfigError> {
        let source = Source { path, text };
        let keys: Keys =
            toml::from_str(text).map_err(|error| ConfigError::new(&source.unreadable(&error)))?;
        let line = value(source, "answer-command", "a text", keys.answer_command, text_of)?;
        let folder = |value| folder_of(value, home);
        // Their keys are read from the text again: a value does not know its place.
        value(source, "attention", "a table", keys.attention, |value| value.is_table().then_some(()))?;
        value(source, "backends", "a table", keys.backends, |value| value.is_table().then_some(()))?;
        let usual = Kept::default();
        let days = value(source, "journal-days", DAYS, keys.journal_days, days_of)?.unwrap_or(usual.days);
        let bytes = value(source, "journal-size", SIZE, keys.journal_size, size_of)?.unwrap_or(usual.bytes);
        Ok(Self {
            answer_command: line.and_then(|line| command(line, Origin::File(path.to_owned()))),
            journal: value(source, "journal", "true or false", keys.journal, |value| value.as_bool())?,
            journal_folder: value(source, "journal-folder", FOLDER, keys.journal_folder, folder)?,
            require_journal: value(
                source,
                "require-journal",
                "true or false",
                keys.require_journal,
                |value| value.as_bool(),
            )?,
            kept: Kept { days, bytes },
            attention: attention::Settings::parse(source)?,
            claude: value(source, "claude", FOLDER, keys.claude, folder)?,
            terminal_input: value(source, "terminal-input", "true or false", keys.terminal_input, |value| {
                value.as_bool()
            })?,
            backends: backends::parse(source, home)?,
        })
    }
}

const FOLDER: &str = "an absolute path, or one that begins with ~/ if HOME is set";

const DAYS: &str = "a whole number of days, 0 for ever";

const SIZE: &str = "a size such as \"2 GB\" or \"500 MB\", 0 for no limit";

#[expect(clippy::needless_pass_by_value, reason = "as all that read a value")]
fn days_of(value: Value) -> Option<Option<u64>> {
    let days = u64::try_from(value.as_integer()?).ok()?;
    Some((days > 0).then_some(days))
}

/// A number alone would have to be guessed at, but for 0.
fn size_of(value: Value) -> Option<Option<u64>> {
    if value.as_integer() == Some(0) {
        return Some(None);
    }
    let text = text_of(value)?;
    let digits = text.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(text.len());
    let (number, unit) = text.split_at_checked(digits)?;
    let (_, worth) = UNITS.into_iter().find(|(name, _)| unit.trim().eq_ignore_ascii_case(name))?;
    let bytes = number.parse::<u64>().ok()?.checked_mul(worth)?;
    Some((bytes > 0).then_some(bytes))
}

const UNITS: [(&str, u64); 4] =
    [("KB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("TB", 1_000_000_000_000)];

pub(super) fn text_of(value: Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text),
        _ => None,
    }
}

fn folder_of(value: Value, home: Option<&Path>) -> Option<PathBuf> {
    let text = text_of(value)?;
    match text.strip_prefix("~/") {
        Some(below) => home.map(|home| home.join(below.trim_start_matches('/'))),
        None => Some(PathBuf::from(text)).filter(|path| path.is_absolute()),
    }
}

/// What a key says, if it is there.
pub(super) fn value<T>(
    source: Source<'_>,
    key: &str,
    expected: &str,
    value: Option<Spanned<Value>>,
    read: impl FnOnce(Value) -> Option<T>,
) -> Result<Option<T>, ConfigError> {
    let Some(value) = value else { return Ok(None) };
    let start = value.span().start;
    let wrong = || ConfigError::new(&source.wrong(Some(start), &format!("{key} must be {expected}")));
    read(value.into_inner()).map(Some).ok_or_else(wrong)
}
