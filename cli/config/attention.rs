//! How a person who looks elsewhere is called: what `[attention]` comes to.
//!
//! Owns what counts where nothing is said. Values in, values out; rings nothing, runs nothing.

use std::path::PathBuf;
use std::time::Duration;

use super::layer::{Attention, Origin, Said};

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

/// A command that is run when a person is called. Only a file can name one, the user's own or that of a folder which the
/// user trusts, no flag and no variable: what it names is run without a question.
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

impl From<Attention> for Settings {
    fn from(said: Attention) -> Self {
        let usual = Self::default();
        let switch = |said: Option<Said<bool>>, usual| said.map_or(usual, |said| said.value);
        Self {
            bell: switch(said.bell, usual.bell),
            notify: switch(said.notify, usual.notify),
            title: switch(said.title, usual.title),
            after: said.after.map_or(usual.after, |said| said.value),
            command: said.command.and_then(hook),
        }
    }
}

/// As with the answer command, one that says nothing is none.
fn hook(said: Said<String>) -> Option<Hook> {
    match said.origin {
        Origin::File(path, _) if !said.value.trim().is_empty() => {
            Some(Hook { line: said.value, origin: path })
        }
        _ => None,
    }
}
