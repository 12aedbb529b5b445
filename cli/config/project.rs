//! The files of a project: `.tim/config.toml` and, over it, `.tim/config.local.toml`.
//!
//! Owns where they are looked for and what they may say: whoever can write into a folder must not decide by that what runs
//! there unasked. So what loosens counts only if the user's own configuration trusts the folder, and nobody else can write
//! the file. What does not count is said, never silence.

use std::path::{Path, PathBuf};

use super::file;
use super::layer::{Layer, Origin, Said};
use super::{ConfigError, TRUST};
use crate::environment::Environment;
use crate::trusted::{self, Trust};

/// The two files, the upper one last.
const FILES: [&str; 2] = ["config.toml", "config.local.toml"];

/// A file that was looked for, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) path: PathBuf,
    pub(crate) state: State,
}

/// What became of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    /// it is not there
    Missing,
    /// all of it counts
    Read,
    /// these keys of it do not count, because
    Held(Vec<String>, Because),
    /// none of it counts, because
    Unread(String),
}

/// Why something does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    /// the user's file does not trust the folder
    NotTrusted,
    /// others can write the file
    Shared,
}

/// The layer of a project, and its files.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) layer: Layer,
    pub(super) seen: Vec<Seen>,
}

/// Reads the files of the project that we are in, if we are in one.
pub(super) fn look(environment: &Environment, trusted: &[PathBuf]) -> Result<Project, ConfigError> {
    let Some(folder) = environment.folder.as_deref() else { return Ok(Project::default()) };
    let own = root(folder, environment.home.as_deref()).unwrap_or(folder);
    let is_trusted = is_trusted(own, trusted);
    let mut project = Project::default();
    for name in FILES {
        let path = own.join(".tim").join(name);
        let (layer, state) = read(&path, is_trusted, environment.home.as_deref())?;
        project.layer = layer.over(project.layer);
        project.seen.push(Seen { path, state });
    }
    Ok(project)
}

/// The nearest folder with such a file: this one, or one above it. A home is no project of all that is below it.
fn root<'a>(folder: &'a Path, home: Option<&Path>) -> Option<&'a Path> {
    let has_file = |folder: &Path| FILES.iter().any(|name| folder.join(".tim").join(name).exists());
    let is_looked_at = |above: &&Path| *above == folder || Some(*above) != home;
    folder.ancestors().take_while(is_looked_at).find(|folder| has_file(folder))
}

/// Whether the user's file names that very folder, by whatever way.
fn is_trusted(folder: &Path, trusted: &[PathBuf]) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let folder = real(folder);
    folder.is_some() && trusted.iter().any(|named| real(named) == folder)
}

fn read(path: &Path, is_trusted: bool, home: Option<&Path>) -> Result<(Layer, State), ConfigError> {
    let shared = Trust { may_be_shared: true, ..TRUST };
    let (text, because) = match trusted::read(path, TRUST) {
        Ok(text) if is_trusted => (text, None),
        Ok(text) => (text, Some(Because::NotTrusted)),
        Err(why) => match trusted::read(path, shared) {
            Ok(text) => (text, Some(Because::Shared)),
            Err(_) => return Ok((Layer::default(), State::Unread(why))),
        },
    };
    let Some(text) = text else { return Ok((Layer::default(), State::Missing)) };
    let layer = file::parse(path, &text, home)?;
    if let Some(Said { origin: Origin::File(_, line), .. }) = &layer.trusted_folders {
        let what = format!("{}:{line}: trusted-folders counts only in your own file", path.display());
        return Err(ConfigError::new(&what));
    }
    Ok(match because {
        None => (layer, State::Read),
        Some(because) => match layer.restrained() {
            (kept, held) if held.is_empty() => (kept, State::Read),
            (kept, held) => (kept, State::Held(held, because)),
        },
    })
}

impl Seen {
    /// What to say of it in a run, if not all of it counts. The user's file is where trust is said.
    pub(crate) fn warning(&self, user_file: Option<&Path>) -> Option<String> {
        let path = self.path.display();
        match &self.state {
            State::Missing | State::Read => None,
            State::Unread(why) => Some(format!("{path}: {why}; nothing of it counts")),
            State::Held(keys, because) => {
                let (keys, todo) = (keys.join(", "), self.todo(*because, user_file));
                Some(format!("{path}: {keys}: not used; {todo}"))
            }
        }
    }

    /// Why something is held back, and what to do about it.
    pub(crate) fn todo(&self, because: Because, user_file: Option<&Path>) -> String {
        let own =
            user_file.map_or_else(|| "your own configuration".to_owned(), |file| file.display().to_string());
        let folder = self.path.ancestors().nth(2).unwrap_or(&self.path).display();
        match because {
            Because::NotTrusted => {
                format!("if you trust this folder write trusted-folders = [\"{folder}\"] into {own}")
            }
            Because::Shared => "others can write the file; chmod go-w makes it yours".to_owned(),
        }
    }
}
