//! Every setting with the value that counts and who said it, as `tim config show` tells them.
//!
//! Owns how a value is written: as it would stand in a file. Layers in, texts out.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::attention::Settings;
use super::layer::{Layer, Origin, Recording, Said, Written};
use super::{Found, Kept, usual_folder};
use crate::duration;
use crate::environment::Environment;

/// A setting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Setting {
    pub(crate) key: String,
    /// as it would stand in a file; nothing if there is no value, and that is the default
    pub(crate) value: Option<String>,
    /// who said it; nobody, if it is the default
    pub(crate) origin: Option<Origin>,
}

/// All of them, in the order of the documentation. A list has a row for each of its items. With a home, what is below it is
/// written with `~/`.
pub(crate) fn settings(found: &Found, environment: &Environment, home: Option<&Path>) -> Vec<Setting> {
    let layer = &found.layer;
    let mut rows = asking(layer);
    rows.extend(agents(layer, home));
    rows.extend(records(layer, usual_folder(environment).as_ref(), home));
    rows.extend(attention(layer));
    rows.extend(layer.backends.iter().map(|(name, said)| Setting {
        key: format!("backends.{name}.command"),
        value: Some(list(said.value.iter().map(|word| path(word, None)))),
        origin: Some(said.origin.clone()),
    }));
    let folders = |folders: &Vec<PathBuf>| list(folders.iter().map(|folder| path(folder, home)));
    rows.push(row("trusted-folders", layer.trusted_folders.as_ref(), Some(&Vec::new()), folders));
    rows
}

fn asking(layer: &Layer) -> Vec<Setting> {
    let rules = |key: &str, list: &[Said<Written>]| match list {
        [] => vec![Setting { key: key.to_owned(), value: Some("[]".to_owned()), origin: None }],
        rules => rules.iter().map(|said| rule(key, said)).collect(),
    };
    let mut rows = rules("allow", &layer.allow);
    rows.extend(rules("deny", &layer.deny));
    rows.extend([
        row("answer-command", layer.answer_command.as_ref(), None, |line| quoted(line)),
        row("permission-timeout", layer.permission_timeout.as_ref(), None, time),
        row(
            "dangerously-allow-on-timeout",
            layer.dangerously_allow_on_timeout.as_ref(),
            Some(&false),
            switch,
        ),
        row("question-timeout", layer.question_timeout.as_ref(), None, time),
        row("timeout", layer.timeout.as_ref(), None, time),
        row("idle-timeout", layer.idle_timeout.as_ref(), None, time),
        row("refused-ok", layer.refused_ok.as_ref(), Some(&false), switch),
    ]);
    rows
}

fn agents(layer: &Layer, home: Option<&Path>) -> [Setting; 3] {
    [
        row("claude", layer.claude.as_ref(), None, |program| path(program, home)),
        row("model", layer.model.as_ref(), None, |model| quoted(model)),
        row("terminal-input", layer.terminal_input.as_ref(), Some(&true), switch),
    ]
}

fn records(layer: &Layer, usual: Option<&PathBuf>, home: Option<&Path>) -> [Setting; 5] {
    let recording = |recording: &Recording| recording_of(recording, home);
    let kept = Kept::default();
    let number = |days: &Option<u64>| days.unwrap_or_default().to_string();
    [
        row("journal", layer.journal.as_ref(), Some(&Recording::On), recording),
        row("journal-folder", layer.journal_folder.as_ref(), usual, |folder| path(folder, home)),
        row("journal-days", layer.journal_days.as_ref(), Some(&kept.days), number),
        row("journal-size", layer.journal_size.as_ref(), Some(&kept.bytes), size),
        row("require-journal", layer.require_journal.as_ref(), Some(&false), switch),
    ]
}

fn attention(layer: &Layer) -> [Setting; 5] {
    let (said, usual) = (&layer.attention, Settings::default());
    [
        row("attention.bell", said.bell.as_ref(), Some(&usual.bell), switch),
        row("attention.notify", said.notify.as_ref(), Some(&usual.notify), switch),
        row("attention.title", said.title.as_ref(), Some(&usual.title), switch),
        row("attention.after", said.after.as_ref(), Some(&usual.after), time),
        row("attention.command", said.command.as_ref(), None, |line| quoted(line)),
    ]
}

fn row<T>(key: &str, said: Option<&Said<T>>, usual: Option<&T>, shown: impl Fn(&T) -> String) -> Setting {
    let value = said.map(|said| &said.value).or(usual);
    Setting { key: key.to_owned(), value: value.map(shown), origin: said.map(|said| said.origin.clone()) }
}

fn rule(key: &str, said: &Said<Written>) -> Setting {
    let value = Some(quoted(&said.value.text));
    Setting { key: key.to_owned(), value, origin: Some(said.origin.clone()) }
}

fn switch(is_on: &bool) -> String {
    is_on.to_string()
}

fn time(time: &Duration) -> String {
    quoted(&duration::written(*time))
}

fn path(path: impl AsRef<OsStr>, home: Option<&Path>) -> String {
    let path = Path::new(&path);
    let below = home.and_then(|home| path.strip_prefix(home).ok());
    quoted(&below.map_or_else(|| path.display().to_string(), |below| format!("~/{}", below.display())))
}

fn recording_of(recording: &Recording, home: Option<&Path>) -> String {
    match recording {
        Recording::On => "true".to_owned(),
        Recording::Off => "false".to_owned(),
        Recording::File(file) => path(file, home),
    }
}

#[expect(clippy::ref_option, reason = "as all that show a value")]
fn size(bytes: &Option<u64>) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000)];
    let Some(bytes) = *bytes else { return "0".to_owned() };
    let fits = units.into_iter().find(|(_, worth)| bytes % worth == 0);
    fits.map_or_else(|| bytes.to_string(), |(unit, worth)| format!("\"{} {unit}\"", bytes / worth))
}

fn list(items: impl Iterator<Item = String>) -> String {
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

/// A text of TOML.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for letter in text.chars() {
        match letter {
            '"' | '\\' => out.extend(['\\', letter]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            // Writing to a text does not fail.
            hidden if hidden.is_control() => drop(write!(out, "\\u{:04X}", u32::from(hidden))),
            plain => out.push(plain),
        }
    }
    out + "\""
}
