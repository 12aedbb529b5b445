//! A file of the configuration: which keys there are, and what each may say.
//!
//! Text in, a layer out; opens nothing. What it does not know is an error that names the place and the keys there are: a
//! misspelt key must not be silence.

mod value;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::Duration;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::layer::{Attention, Layer, Recording, Said, Written};
use super::{ConfigError, Origin, backends};
use crate::duration;
use crate::rules::{self, List};
use crate::source::Source;

/// The keys of a file.
pub(super) const KEYS: [&str; 20] = [
    "allow",
    "deny",
    "answer-command",
    "permission-timeout",
    "dangerously-allow-on-timeout",
    "question-timeout",
    "timeout",
    "idle-timeout",
    "refused-ok",
    "claude",
    "model",
    "terminal-input",
    "journal",
    "journal-folder",
    "journal-days",
    "journal-size",
    "require-journal",
    "attention",
    "backends",
    "trusted-folders",
];

/// Those of `[attention]`.
const ATTENTION: [&str; 5] = ["bell", "notify", "title", "after", "command"];

/// What stands behind a key, and where.
pub(super) type Value<'a> = Spanned<DeValue<'a>>;

/// A file, as it is read.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    pub(super) source: Source<'a>,
    /// where its lines end
    ends: &'a [usize],
    /// what `~/` stands for
    pub(super) home: Option<&'a Path>,
}

/// Reads the text of a file. `~/` in it is the home folder.
pub(super) fn parse(path: &Path, text: &str, home: Option<&Path>) -> Result<Layer, ConfigError> {
    let source = Source { path, text };
    let ends = source.line_ends();
    let reader = Reader { source, ends: &ends, home };
    let unreadable = |error| ConfigError::new(&reader.source.unreadable(&error));
    let table = DeTable::parse(text).map_err(unreadable)?;
    let mut layer = Layer::default();
    for (key, value) in table.get_ref() {
        reader.key(&mut layer, key, value)?;
    }
    Ok(layer)
}

impl Reader<'_> {
    fn key(
        self,
        layer: &mut Layer,
        key: &Spanned<std::borrow::Cow<'_, str>>,
        value: &Value<'_>,
    ) -> Result<(), ConfigError> {
        match key.get_ref().as_ref() {
            "allow" => layer.allow = self.rules(List::Allow, value)?,
            "deny" => layer.deny = self.rules(List::Deny, value)?,
            "answer-command" => layer.answer_command = Some(self.text("answer-command", value)?),
            name @ "permission-timeout" => layer.permission_timeout = Some(self.time(name, value)?),
            name @ "question-timeout" => layer.question_timeout = Some(self.time(name, value)?),
            name @ "timeout" => layer.timeout = Some(self.time(name, value)?),
            name @ "idle-timeout" => layer.idle_timeout = Some(self.time(name, value)?),
            name @ "dangerously-allow-on-timeout" => {
                layer.dangerously_allow_on_timeout = Some(self.switch(name, value)?);
            }
            name @ "refused-ok" => layer.refused_ok = Some(self.switch(name, value)?),
            name @ "claude" => layer.claude = Some(self.path(name, value)?.map(PathBuf::into_os_string)),
            name @ "model" => layer.model = Some(self.text(name, value)?),
            name @ "terminal-input" => layer.terminal_input = Some(self.switch(name, value)?),
            name @ "journal" => layer.journal = Some(self.switch(name, value)?.map(recording)),
            name @ "journal-folder" => layer.journal_folder = Some(self.path(name, value)?),
            name @ "journal-days" => layer.journal_days = Some(self.days(name, value)?),
            name @ "journal-size" => layer.journal_size = Some(self.size(name, value)?),
            name @ "require-journal" => layer.require_journal = Some(self.switch(name, value)?),
            "attention" => layer.attention = self.attention(value)?,
            "backends" => layer.backends = backends::read(self, value)?,
            name @ "trusted-folders" => layer.trusted_folders = Some(self.paths(name, value)?),
            _ => return Err(self.unknown(key, &KEYS)),
        }
        Ok(())
    }

    fn attention(self, value: &Value<'_>) -> Result<Attention, ConfigError> {
        let mut attention = Attention::default();
        for (key, value) in self.table("attention", value)? {
            match key.get_ref().as_ref() {
                "bell" => attention.bell = Some(self.switch("attention.bell", value)?),
                "notify" => attention.notify = Some(self.switch("attention.notify", value)?),
                "title" => attention.title = Some(self.switch("attention.title", value)?),
                "after" => attention.after = Some(self.time("attention.after", value)?),
                "command" => attention.command = Some(self.text("attention.command", value)?),
                _ => return Err(self.unknown(key, &ATTENTION)),
            }
        }
        Ok(attention)
    }

    fn rules(self, list: List, value: &Value<'_>) -> Result<Vec<Said<Written>>, ConfigError> {
        let entries = rules::entries(self.source, list, value).map_err(|why| ConfigError::new(&why))?;
        let said = |entry: rules::Entry| Said {
            origin: self.origin(entry.span.start),
            value: Written { rule: entry.rule, text: entry.text },
        };
        Ok(entries.rules.into_iter().map(said).collect())
    }
}

const fn recording(is_on: bool) -> Recording {
    if is_on { Recording::On } else { Recording::Off }
}
