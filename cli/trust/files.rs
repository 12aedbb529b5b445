//! The files of a folder that Claude Code reads there, and what is in them.
//!
//! Owns which they are, as Claude Code 2.1.197 and 2.1.325 have it: the settings of the folder itself; those that are not for
//! everybody also of the root of its repository; and the servers of the folder and of every folder above it. What belongs
//! to the user, and not to the folder, is left out. Reads a bounded part of each, never waits for one, writes nothing.

use std::io::{ErrorKind, Read as _};
use std::path::{Path, PathBuf};

use crate::environment::Environment;
use crate::trusted::{LONGEST, open_at_once, too_long};

/// Which kind of file it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Settings,
    Servers,
}

/// What was found in the place of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Content {
    /// this
    Bytes(Vec<u8>),
    /// something that Claude Code may read and we do not
    Unread(String),
    /// something that nobody reads, and why
    Unreadable(String),
}

/// A file that is there.
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) kind: Kind,
    pub(super) content: Content,
}

impl Found {
    /// Its path and what is in it, if that was read.
    pub(super) fn bytes(self) -> Option<(PathBuf, Vec<u8>)> {
        match self.content {
            Content::Bytes(bytes) => Some((self.path, bytes)),
            Content::Unread(_) | Content::Unreadable(_) => None,
        }
    }
}

/// All of them that are there, in a fixed order.
pub(super) fn found(environment: &Environment, folder: &Path) -> Vec<Found> {
    let wanted = wanted(environment, folder).into_iter();
    wanted.filter_map(|(path, kind)| content(&path).map(|content| Found { path, kind, content })).collect()
}

const LOCAL: &str = "settings.local.json";

fn wanted(environment: &Environment, folder: &Path) -> Vec<(PathBuf, Kind)> {
    let own = own_folder(environment);
    let mut settings = vec![folder.join(".claude/settings.json"), folder.join(".claude").join(LOCAL)];
    settings.extend(repositories(folder).iter().map(|root| root.join(".claude").join(LOCAL)));
    // The home as the current folder: what is in it is not the folder's.
    let is_own =
        |path: &PathBuf| own.is_some() && path.parent().and_then(|folder| folder.canonicalize().ok()) == own;
    settings.retain(|path| !is_own(path));
    let servers = folder.ancestors().map(|above| (above.join(".mcp.json"), Kind::Servers));
    let mut all: Vec<_> = settings.into_iter().map(|path| (path, Kind::Settings)).chain(servers).collect();
    let mut seen = Vec::new();
    all.retain(|(path, _)| {
        let is_new = !seen.contains(path);
        seen.push(path.clone());
        is_new
    });
    all
}

/// Where Claude Code has what is the user's own.
pub(crate) fn own_place(environment: &Environment) -> Option<PathBuf> {
    let home = || environment.home.as_ref().map(|home| home.join(".claude"));
    environment.claude_folder.clone().or_else(home)
}

fn own_folder(environment: &Environment) -> Option<PathBuf> {
    own_place(environment)?.canonicalize().ok()
}

/// The root of the repository that the folder belongs to, and that of its main working tree.
fn repositories(folder: &Path) -> Vec<PathBuf> {
    let has_git = |above: &&Path| above.join(".git").symlink_metadata().is_ok();
    let Some(root) = folder.ancestors().find(has_git) else { return Vec::new() };
    let main = main_tree(&root.join(".git"));
    [Some(root.to_owned()), main].into_iter().flatten().collect()
}

/// The main working tree, if that file says that this is another one.
fn main_tree(git: &Path) -> Option<PathBuf> {
    let line = |path: &Path| match content(path)? {
        Content::Bytes(bytes) => Some(String::from_utf8_lossy(&bytes).trim_end().to_owned()),
        Content::Unread(_) | Content::Unreadable(_) => None,
    };
    let own = line(git)?;
    let own = git.parent()?.join(own.strip_prefix("gitdir:")?.trim_start());
    let common = own.join(line(&own.join("commondir"))?).canonicalize().ok()?;
    common.parent().map(Path::to_owned)
}

/// What is in the place of a file; nothing if there is none.
pub(super) fn content(path: &Path) -> Option<Content> {
    let unreadable = |error: std::io::Error| {
        Content::Unreadable(format!("cannot be read: {}", actors::system::says(&error)))
    };
    let file = match open_at_once(path, true) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return None,
        Err(error) => return Some(unreadable(error)),
        Ok(file) => file,
    };
    match file.metadata() {
        Err(error) => return Some(unreadable(error)),
        Ok(facts) if facts.is_dir() => return Some(Content::Unreadable("is a folder".to_owned())),
        // Whoever holds the other end of a pipe decides what Claude Code reads.
        Ok(facts) if !facts.is_file() => return Some(Content::Unread("is not a file".to_owned())),
        Ok(_) => {}
    }
    let mut bytes = Vec::new();
    if let Err(error) = file.take(LONGEST + 1).read_to_end(&mut bytes) {
        return Some(unreadable(error));
    }
    let is_too_long = bytes.len() as u64 > LONGEST;
    Some(if is_too_long { Content::Unread(too_long()) } else { Content::Bytes(bytes) })
}
