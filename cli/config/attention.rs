//! How a person who looks elsewhere is called: the table `[attention]` of the user's file.
//!
//! Owns its keys, what each may say, and what counts where nothing is said. Text in, values out; rings nothing, runs
//! nothing. A key that it does not know is an error that names the place.

use std::path::PathBuf;
use std::time::Duration;

use serde::Deserialize;
use toml::{Spanned, Value};

use super::ConfigError;
use super::file::{text_of, value};
use crate::duration;
use crate::source::Source;

/// What may call a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Settings {
    /// `bell`: the terminal's bell
    pub(crate) bell: bool,
    /// `notify`: a notification of the desktop, by the terminal (OSC 9)
    pub(crate) notify: bool,
    /// `title`: the title of the window says how many questions wait
    pub(crate) title: bool,
    /// `after`: how long no key came before somebody counts as away
    pub(crate) after: Duration,
    /// `command`: what is run besides
    pub(crate) command: Option<Hook>,
}

/// A command that is run when a person is called. Only the user's own file can name one, no flag, no variable and no
/// file of a project: what it names is run without a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Hook {
    /// the line for the shell; it says something
    pub(crate) line: String,
    /// the file that named it
    pub(crate) origin: PathBuf,
}

impl Default for Settings {
    fn default() -> Self {
        Self { bell: true, notify: true, title: true, after: Duration::from_secs(10), command: None }
    }
}

/// The part of the file that is read here; the rest was looked at before.
#[derive(Deserialize)]
struct File {
    attention: Option<Keys>,
}

#[derive(Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Keys {
    bell: Option<Spanned<Value>>,
    notify: Option<Spanned<Value>>,
    title: Option<Spanned<Value>>,
    after: Option<Spanned<Value>>,
    command: Option<Spanned<Value>>,
}

impl Settings {
    /// Nobody is called by anything.
    pub(super) fn off() -> Self {
        Self { bell: false, notify: false, title: false, command: None, ..Self::default() }
    }

    /// Reads the table, if the file has it.
    pub(super) fn parse(source: Source<'_>) -> Result<Self, ConfigError> {
        let file: File =
            toml::from_str(source.text).map_err(|error| ConfigError::new(&source.unreadable(&error)))?;
        let (keys, usual) = (file.attention.unwrap_or_default(), Self::default());
        let command = value(source, "attention.command", "a text", keys.command, text_of)?;
        let hook = |line| Hook { line, origin: source.path.to_owned() };
        Ok(Self {
            bell: switch(source, "attention.bell", keys.bell)?.unwrap_or(usual.bell),
            notify: switch(source, "attention.notify", keys.notify)?.unwrap_or(usual.notify),
            title: switch(source, "attention.title", keys.title)?.unwrap_or(usual.title),
            after: time(source, "attention.after", keys.after)?.unwrap_or(usual.after),
            // As with the answer command, one that says nothing is none.
            command: command.filter(|line| !line.trim().is_empty()).map(hook),
        })
    }
}

fn switch(source: Source<'_>, key: &str, said: Option<Spanned<Value>>) -> Result<Option<bool>, ConfigError> {
    value(source, key, "true or false", said, |value| value.as_bool())
}

fn time(
    source: Source<'_>,
    key: &str,
    said: Option<Spanned<Value>>,
) -> Result<Option<Duration>, ConfigError> {
    let at = said.as_ref().map(|said| said.span().start);
    let wrong = |why: String| ConfigError::new(&source.wrong(at, &format!("{key}: {why}")));
    let text = value(source, key, "a text, such as \"10s\"", said, text_of)?;
    text.map(|text| duration::parse(&text).map_err(wrong)).transpose()
}
