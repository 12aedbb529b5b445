//! The files of a project: `.tim/config.toml` and, over it, `.tim/config.local.toml`.
//!
//! Owns where they are looked for and what they may say: whoever can write into a folder must not decide by that what runs
//! there unasked. So what loosens counts only if the user's own configuration trusts the folder, and nobody else can write
//! the file. What does not count is said, never silence; and a file that cannot be read is an error, because what it forbids
//! is not known.

use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use super::file;
use super::layer::{Layer, Origin, Said};
use super::shown::quoted;
use super::{ConfigError, TRUST};
use crate::above::Above;
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
}

/// Why something does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Because {
    /// the user's file does not trust the folder
    NotTrusted,
    /// others can write the file, or it is another's
    Shared,
    /// another tim is above this one
    Nested,
}

/// The layer of a project, and its files.
#[derive(Debug, Default)]
pub(super) struct Project {
    pub(super) layer: Layer,
    pub(super) seen: Vec<Seen>,
}

/// Reads the files of the projects that we are in, the nearest last. Below another tim none of them is trusted: whoever is at
/// work there may be an agent, and may have chosen the folder.
pub(super) fn look(environment: &Environment, trusted: &[PathBuf]) -> Result<Project, ConfigError> {
    let Some(folder) = environment.folder.as_deref() else { return Ok(Project::default()) };
    let home = environment.home.as_deref();
    let roots = roots(folder, home);
    // Who is above is looked up only where it matters.
    let is_nested = !roots.is_empty() && Above::look(environment).is_nested();
    let mut project = Project::default();
    for root in roots {
        let because = match is_trusted(root, trusted) {
            _ if is_nested => Some(Because::Nested),
            true => is_shared(root).then_some(Because::Shared),
            false => Some(Because::NotTrusted),
        };
        for name in FILES {
            let path = root.join(".tim").join(name);
            let (layer, state) = read(&path, because, home)?;
            project.layer = layer.over(project.layer);
            project.seen.push(Seen { path, state });
        }
    }
    if project.seen.is_empty() {
        let missing = |name| Seen { path: folder.join(".tim").join(name), state: State::Missing };
        project.seen.extend(FILES.map(missing));
    }
    Ok(project)
}

/// The folders with a `.tim`: this one and those above it, the nearest last. A home is no project of all that is below it, nor
/// is anything above it.
fn roots<'a>(folder: &'a Path, home: Option<&Path>) -> Vec<&'a Path> {
    let home = home.and_then(|home| home.canonicalize().ok());
    let is_home = |above: &Path| home.is_some() && above.canonicalize().ok() == home;
    let own = std::iter::once(folder);
    let above = folder.ancestors().skip(1).take_while(|above| !is_home(above));
    let all = if is_home(folder) { own.collect() } else { own.chain(above).collect::<Vec<_>>() };
    all.into_iter().filter(|folder| is_project(folder)).rev().collect()
}

/// What somebody has put into a folder of another, as anybody can in /tmp, makes no project of it.
fn is_project(folder: &Path) -> bool {
    let owner = |path: &Path| path.symlink_metadata().ok().map(|about| about.uid());
    let tim = owner(&folder.join(".tim"));
    let of_folder = folder.metadata().ok().map(|about| about.uid());
    tim.is_some() && (tim == of_folder || tim == Some(rustix::process::geteuid().as_raw()))
}

/// Whether others can put files of any owner into its `.tim`.
fn is_shared(folder: &Path) -> bool {
    folder.join(".tim").metadata().is_ok_and(|about| about.mode() & 0o022 != 0)
}

/// Whether the user's file names that very folder, by whatever way.
fn is_trusted(folder: &Path, trusted: &[PathBuf]) -> bool {
    let real = |path: &Path| path.canonicalize().ok();
    let folder = real(folder);
    folder.is_some() && trusted.iter().any(|named| real(named) == folder)
}

fn read(path: &Path, because: Option<Because>, home: Option<&Path>) -> Result<(Layer, State), ConfigError> {
    let (text, because) = match trusted::read(path, Trust { may_be_link: false, ..TRUST }) {
        Ok(text) if !is_link(path.parent()) => (text, because),
        // Whoever it belongs to: what forbids counts.
        _ => (anybodys(path)?, because.or(Some(Because::Shared))),
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

fn is_link(folder: Option<&Path>) -> bool {
    folder.is_some_and(Path::is_symlink)
}

fn anybodys(path: &Path) -> Result<Option<String>, ConfigError> {
    let todo = "what it forbids is not known: mend it, or move it away";
    let wrong = |why: String| ConfigError::new(&format!("{}: {why}; {todo}", path.display()));
    if is_link(path.parent()) && path.symlink_metadata().is_ok() {
        return Err(wrong("its folder is a symbolic link".to_owned()));
    }
    trusted::read_anybodys(path).map_err(wrong)
}

impl Seen {
    /// What to say of it in a run, if not all of it counts. The user's file is where trust is said.
    pub(crate) fn warning(&self, user_file: Option<&Path>) -> Option<String> {
        let path = self.path.display();
        match &self.state {
            State::Missing | State::Read => None,
            State::Held(keys, because) => {
                let (keys, todo) = (listed(keys), self.todo(*because, user_file));
                Some(format!("{path}: {keys}: not used; {todo}"))
            }
        }
    }

    /// Why something is held back, and what to do about it.
    pub(crate) fn todo(&self, because: Because, user_file: Option<&Path>) -> String {
        let own =
            user_file.map_or_else(|| "your own configuration".to_owned(), |file| file.display().to_string());
        let folder = self.path.ancestors().nth(2).unwrap_or(&self.path).display().to_string();
        match because {
            Because::NotTrusted => {
                let folder = quoted(&folder);
                format!("if you trust this folder: trusted-folders = [{folder}] at the top of {own}")
            }
            Because::Shared => {
                "others can write the file, or its folder: chmod go-w, or chown, makes it yours alone"
                    .to_owned()
            }
            Because::Nested => "below another tim no folder is trusted".to_owned(),
        }
    }
}

/// So many keys are named.
const MOST_KEYS: usize = 12;

/// Keys in a row, not all of them if they are many.
pub(crate) fn listed(keys: &[String]) -> String {
    let named = keys.iter().take(MOST_KEYS).map(String::as_str).collect::<Vec<_>>().join(", ");
    match keys.len().checked_sub(MOST_KEYS) {
        Some(more @ 1..) => format!("{named}, and {more} more"),
        _ => named,
    }
}
