//! Which folders are trusted, with which content.
//!
//! Owns the file that remembers it: one line for each folder, the oldest first, a thousand at the most. Is changed under a
//! lock and replaced as a whole. A file that others could have written, or that cannot be read, remembers nothing.

use std::path::PathBuf;

use codec::json::{Json, Object, Text, Written as _};

use super::Known;
use crate::environment::Environment;
use crate::save::{self, Is, Target, Unchanged};
use crate::trusted::{self, Trust};

/// A folder, and the hash of what it brought when it was trusted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Entry {
    pub(super) folder: String,
    pub(super) hash: String,
}

/// More folders than that are not remembered, nor a longer file: the oldest go.
const MOST: usize = 1_000;
const LONGEST: usize = 512 << 10;

const TRUST: Trust = Trust {
    because: "it says which folders are trusted",
    may_be_link: false,
    may_be_roots: false,
    may_be_shared: false,
};

fn file(environment: &Environment) -> Option<PathBuf> {
    environment.state_folder().map(|folder| folder.join("trusted-folders"))
}

/// What is remembered of a folder.
pub(super) fn known(environment: &Environment, folder: &Entry) -> Known {
    let text = file(environment).and_then(|path| trusted::read(&path, TRUST).ok().flatten());
    judged(&entries(&text.unwrap_or_default()), folder)
}

pub(super) fn judged(entries: &[Entry], folder: &Entry) -> Known {
    match entries.iter().rfind(|entry| entry.folder == folder.folder) {
        Some(entry) if entry.hash == folder.hash => Known::Trusted,
        Some(_) => Known::Changed,
        None => Known::Never,
    }
}

/// Remembers a folder as it is.
pub(super) async fn remember(environment: &Environment, folder: Entry) -> Result<(), String> {
    let path = file(environment).ok_or("neither HOME nor XDG_STATE_HOME says where")?;
    let target = Target { path: &path, trust: TRUST, is: Is::Private };
    // Whatever is wrong with what was remembered goes with it.
    let edit = |old: Option<String>| Ok((Some(with(entries(&old.unwrap_or_default()), folder)), ()));
    save::change(&target, edit).await.map_err(Unchanged::why)
}

/// The entries of the file. A line that is none is forgotten.
pub(super) fn entries(text: &str) -> Vec<Entry> {
    let entry = |line: &str| {
        let object = Object::parse(line).ok()?;
        let text = |name: &str| Some(object.peek(name)?.as_text()?.get().into_owned());
        Some(Entry { folder: text("folder")?, hash: text("hash")? })
    };
    text.lines().filter_map(entry).collect()
}

/// The text of the file with one folder more, or anew.
pub(super) fn with(mut entries: Vec<Entry>, folder: Entry) -> String {
    entries.retain(|entry| entry.folder != folder.folder);
    entries.push(folder);
    let lines: Vec<String> = entries.iter().map(line).collect();
    let mut length = 0;
    let kept = lines.iter().rev().take(MOST).take_while(|line| {
        length += line.len();
        length <= LONGEST
    });
    let mut kept: Vec<&str> = kept.map(String::as_str).collect();
    kept.reverse();
    kept.concat()
}

fn line(entry: &Entry) -> String {
    let json = Json::object(|out| {
        out.member("folder", |to| Text::new(&entry.folder).write(to));
        out.member("hash", |to| Text::new(&entry.hash).write(to));
    });
    format!("{}\n", json.raw())
}
