//! Agents by name: the tables `[backends.NAME]` of a file.
//!
//! Owns what a name may be and what may stand below it. A table in, the words of each command out; starts nothing and looks
//! for no program. What it does not know is an error that names the place.

#[cfg(test)]
mod tests;

use std::ffi::{OsStr, OsString};

use codec::id::Label;

use super::ConfigError;
use super::file::{Reader, Value};
use super::layer::{Backends, Said};
use crate::backend::words::{self, Trouble};

/// Reads the tables. `~/` in a command is the home folder.
pub(super) fn read(reader: Reader<'_>, value: &Value<'_>) -> Result<Backends, ConfigError> {
    let mut backends = Backends::new();
    for (name, below) in reader.table("backends", value)? {
        let (at, name) = (name.span().start, name.get_ref().as_ref());
        if Label::new(name).is_none() {
            let what = format!("backends.{name}: a name is 1 to 32 of a-z, 0-9 and -");
            return Err(reader.wrong(at, &what));
        }
        backends.insert(name.to_owned(), one(reader, name, at, below)?);
    }
    Ok(backends)
}

/// The command of one of them.
fn one(
    reader: Reader<'_>,
    name: &str,
    at: usize,
    below: &Value<'_>,
) -> Result<Said<Vec<OsString>>, ConfigError> {
    let Some(table) = below.get_ref().as_table() else {
        let what = format!("backends.{name} must be a table with a command");
        return Err(reader.wrong(below.span().start, &what));
    };
    let mut command = None;
    for (key, value) in table {
        match key.get_ref().as_ref() {
            "command" => command = Some(words_of(reader, name, value)?),
            _ => return Err(reader.unknown(key, &["command"])),
        }
    }
    command.ok_or_else(|| reader.wrong(at, &format!("backends.{name} has no command")))
}

/// How to get a shell all the same.
const SHELL: &str = "[\"sh\", \"-c\", \"…\"]";

/// A text is split as on the command line; a list is taken as it stands.
fn words_of(reader: Reader<'_>, name: &str, value: &Value<'_>) -> Result<Said<Vec<OsString>>, ConfigError> {
    let (key, at) = (format!("backends.{name}.command"), value.span().start);
    let words = match value.get_ref().as_str() {
        Some(line) => words::split(OsStr::new(line), reader.home),
        None => {
            let none = || reader.wrong(at, &format!("{key} must be a text or a list of texts"));
            listed(reader.words(value).ok_or_else(none)?)
        }
    };
    let words = words.map_err(|trouble| reader.wrong(at, &trouble.said_of(&key, SHELL)))?;
    Ok(Said { value: words, origin: reader.origin(at) })
}

fn listed(items: Vec<OsString>) -> Result<Vec<OsString>, Trouble> {
    if items.first().is_none_or(|first| first.is_empty()) {
        return Err(Trouble::Empty);
    }
    if items.iter().any(|item| item.as_encoded_bytes().contains(&0)) {
        return Err(Trouble::Nul);
    }
    Ok(items)
}
