//! Agents by name: the tables `[backends.NAME]` of the user's file.
//!
//! Owns what a name may be and what may stand below it. Text in, the words of each command out; starts nothing and looks
//! for no program. What it does not know is an error that names the place.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use codec::id::Label;
use serde::Deserialize;
use toml::{Spanned, Value};

use super::ConfigError;
use super::file::value;
use crate::backend::words::{self, Trouble};
use crate::source::Source;

/// The command of each agent, by its name. No command is empty.
pub(crate) type Backends = BTreeMap<String, Vec<OsString>>;

/// The part of the file that is read here; the rest was looked at before.
#[derive(Deserialize)]
struct Tables {
    backends: Option<BTreeMap<Spanned<String>, Spanned<Value>>>,
}

/// The same, once each is known to be a table.
#[derive(Deserialize)]
struct File {
    backends: Option<BTreeMap<String, Keys>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Keys {
    command: Option<Spanned<Value>>,
}

/// Reads the tables, if the file has them. `~/` in a command is the home folder.
pub(super) fn parse(source: Source<'_>, home: Option<&Path>) -> Result<Backends, ConfigError> {
    let unreadable = |error: toml::de::Error| ConfigError::new(&source.unreadable(&error));
    let tables: Tables = toml::from_str(source.text).map_err(unreadable)?;
    let tables = tables.backends.unwrap_or_default();
    for (name, table) in &tables {
        check(source, name, table)?;
    }
    let file: File = toml::from_str(source.text).map_err(unreadable)?;
    let mut backends = Backends::new();
    for (name, keys) in file.backends.unwrap_or_default() {
        let place = tables.get_key_value(name.as_str()).map(|(name, _)| name.span().start);
        let command = command(source, &name, keys.command, home)?;
        let none = || wrong(source, place, &format!("backends.{name} has no command"));
        backends.insert(name.clone(), command.ok_or_else(none)?);
    }
    Ok(backends)
}

/// Whether a name is one, and a table stands below it.
fn check(source: Source<'_>, name: &Spanned<String>, table: &Spanned<Value>) -> Result<(), ConfigError> {
    let text = name.get_ref();
    if Label::new(text).is_none() {
        let what = format!("backends.{text}: a name is 1 to 32 of a-z, 0-9 and -");
        return Err(wrong(source, Some(name.span().start), &what));
    }
    if !table.get_ref().is_table() {
        let what = format!("backends.{text} must be a table with a command");
        return Err(wrong(source, Some(table.span().start), &what));
    }
    Ok(())
}

fn command(
    source: Source<'_>,
    name: &str,
    said: Option<Spanned<Value>>,
    home: Option<&Path>,
) -> Result<Option<Vec<OsString>>, ConfigError> {
    let key = format!("backends.{name}.command");
    let at = said.as_ref().map(|said| said.span().start);
    let words = |value| words_of(value, home);
    let read = value(source, &key, "a text or a list of texts", said, words)?;
    read.transpose().map_err(|trouble| wrong(source, at, &trouble.said_of(&key, SHELL)))
}

/// How to get a shell all the same.
const SHELL: &str = "[\"sh\", \"-c\", \"…\"]";

/// A text is split as on the command line; a list is taken as it stands.
fn words_of(value: Value, home: Option<&Path>) -> Option<Result<Vec<OsString>, Trouble>> {
    match value {
        Value::String(line) => Some(words::split(OsStr::new(&line), home)),
        Value::Array(items) => items.into_iter().map(super::file::text_of).collect::<Option<_>>().map(listed),
        _ => None,
    }
}

fn listed(items: Vec<String>) -> Result<Vec<OsString>, Trouble> {
    if items.first().is_none_or(String::is_empty) {
        return Err(Trouble::Empty);
    }
    if items.iter().any(|item| item.contains('\0')) {
        return Err(Trouble::Nul);
    }
    Ok(items.into_iter().map(OsString::from).collect())
}

fn wrong(source: Source<'_>, at: Option<usize>, what: &str) -> ConfigError {
    ConfigError::new(&source.wrong(at, what))
}
