//! Trust: what a folder brings to Claude Code, and whether the person has agreed to it.
//!
//! Owns what is looked at, the words for it, and what is remembered of it. Claude Code asks about a folder only at a terminal
//! of its own; as `tim run` starts it, it asks nobody and runs what the folder says. Nothing here asks or starts anything:
//! it ends as a [`Folder`], which somebody may ask about.

mod brought;
mod files;
mod memory;
mod servers;
mod settings;
#[cfg(test)]
mod tests;

use std::fmt::Write as _;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};

use sha2::{Digest as _, Sha256};

use self::brought::{Brought, cut};
use self::files::{Content, Found, Kind};
use self::memory::Entry;
use crate::environment::Environment;
use crate::terminal::short;
pub(crate) use files::own_place;

/// What is remembered of a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    /// nothing
    Never,
    /// it was trusted, with something else in it
    Changed,
    /// it was trusted as it is
    Trusted,
}

/// A folder, and what it brings.
pub(crate) struct Folder {
    path: PathBuf,
    /// as people know it
    name: String,
    files: Vec<(String, Brought)>,
    /// of names and contents; none if not all of it was read
    hash: Option<String>,
    contents: Vec<(PathBuf, Vec<u8>)>,
}

/// Looks at a folder: a few files, each of them bounded.
pub(crate) fn look(environment: &Environment, folder: &Path) -> Folder {
    let found = files::found(environment, folder);
    let home = environment.home.as_deref().and_then(Path::to_str);
    let name = |path: &Path| short(&path.to_string_lossy(), home);
    let named = |path: &Path| match path.strip_prefix(folder) {
        Ok(below) => below.to_string_lossy().into_owned(),
        Err(_) => name(path),
    };
    let files: Vec<_> = found.iter().map(|found| (named(&found.path), brings(found))).collect();
    let is_read = files.iter().all(|(_, brought)| !brought.is_unread());
    let hash = is_read.then(|| hashed(folder, &found));
    let contents = found.into_iter().filter_map(Found::bytes).collect();
    Folder { path: folder.to_owned(), name: name(folder), files, hash, contents }
}

/// The user's own settings of Claude Code.
pub(crate) struct OfUser {
    /// the file, as people know it
    pub(crate) name: String,
    /// what Claude Code ignores of it, in a sentence each
    pub(crate) ignored: Vec<String>,
    /// whether they name a command that gives the key to log in with
    pub(crate) has_key_helper: bool,
}

/// Looks at the user's own settings, if there are some. They are nothing that a folder brings.
pub(crate) fn of_user(environment: &Environment) -> Option<OfUser> {
    let path = own_place(environment)?.join("settings.json");
    let content = files::content(&path)?;
    let home = environment.home.as_deref().and_then(Path::to_str);
    let name = short(&path.to_string_lossy(), home);
    let text = match &content {
        Content::Bytes(bytes) => std::str::from_utf8(bytes).unwrap_or_default(),
        Content::Unread(_) | Content::Unreadable(_) => "",
    };
    let has_key_helper = settings::has_key_helper(text);
    let brought = brings(&Found { path, kind: Kind::Settings, content });
    let ignored = brought.warnings().iter().map(|why| format!("{name} {why}")).collect();
    Some(OfUser { name, ignored, has_key_helper })
}

fn brings(found: &Found) -> Brought {
    match (&found.content, found.kind) {
        (Content::Bytes(bytes), kind) => match (std::str::from_utf8(bytes), kind) {
            (Ok(text), Kind::Settings) => settings::brings(text),
            (Ok(text), Kind::Servers) => servers::brings(text),
            // Claude Code reads UTF-16 too.
            (Err(_), _) => Brought::unread("is not UTF-8"),
        },
        (Content::Unread(why), _) => Brought::unread(why),
        (Content::Unreadable(why), _) => {
            let mut nothing = Brought::default();
            nothing.warn(why);
            nothing
        }
    }
}

/// Of the folder, and of the names and contents of its files; each with its length, so that none runs into the next.
fn hashed(folder: &Path, found: &[Found]) -> String {
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_be_bytes());
        hash.update(bytes);
    };
    add(folder.as_os_str().as_bytes());
    for Found { path, content, .. } in found {
        if let Content::Bytes(bytes) = content {
            add(path.as_os_str().as_bytes());
            add(bytes);
        }
    }
    let mut hex = String::new();
    for byte in hash.finalize() {
        // A text never fails to take more.
        let _ = write!(hex, "{byte:02x}");
    }
    hex
}

/// How much is said in the row of a question: so many files, each with a name of so many characters.
const MOST_FILES: usize = 6;
const LONGEST_NAME: usize = 120;
/// In bytes. A question takes 64 KiB of each text.
const LONGEST_DETAILS: usize = 48 << 10;

impl Folder {
    /// Whether nothing in it runs or is allowed unasked.
    pub(crate) fn brings_nothing(&self) -> bool {
        self.files.iter().all(|(_, brought)| brought.is_nothing())
    }

    /// Whether all of it was read, so that it can be known again.
    pub(crate) const fn can_be_known(&self) -> bool {
        self.hash.is_some()
    }

    /// Whether it has not changed since the other look.
    pub(crate) fn is_as(&self, other: &Self) -> bool {
        self.hash.is_some() && self.hash == other.hash
    }

    /// Whether nothing in it has changed since the other look but one file, from that very text to this one.
    pub(crate) fn differs_only_in(&self, file: &Path, (old, new): (&str, &str), before: &Self) -> bool {
        let text = |folder: &Self| {
            folder.contents.iter().find(|(path, _)| path == file).map(|(_, text)| text.clone())
        };
        let others = |folder: &Self| -> Vec<_> {
            folder.contents.iter().filter(|(path, _)| path != file).cloned().collect()
        };
        let is_so = |text: Option<Vec<u8>>, expected: &str| text.unwrap_or_default() == expected.as_bytes();
        let are_read = self.can_be_known() && before.can_be_known();
        are_read && is_so(text(before), old) && is_so(text(self), new) && others(self) == others(before)
    }

    /// What is remembered of it.
    pub(crate) fn known(&self, environment: &Environment) -> Known {
        memory::known(environment, &self.entry())
    }

    /// Whether nobody need be asked about it.
    pub(crate) fn is_trusted(&self, environment: &Environment) -> bool {
        self.brings_nothing() || self.known(environment) == Known::Trusted
    }

    /// The names of its files.
    pub(crate) fn names(&self) -> impl Iterator<Item = String> {
        self.files.iter().map(|(name, _)| cut(name, LONGEST_NAME))
    }

    /// What is wrong with its files, in a sentence each.
    pub(crate) fn warnings(&self) -> Vec<String> {
        let of = |(name, brought): &(String, Brought)| {
            let name = cut(name, LONGEST_NAME);
            brought.warnings().iter().map(|why| format!("{name} {why}")).collect::<Vec<_>>()
        };
        self.files.iter().flat_map(of).collect()
    }

    /// What to say of it: why it matters, and what it brings.
    pub(crate) fn rows(&self, known: Known) -> [String; 2] {
        let name = cut(&self.name, LONGEST_NAME);
        let head = match known {
            Known::Never => format!("First run in {name}."),
            Known::Changed | Known::Trusted => format!("{name} brings something new."),
        };
        [format!("{head} Claude Code skips its trust question in this mode."), self.in_short()]
    }

    fn in_short(&self) -> String {
        let bringing: Vec<_> = self.files.iter().filter(|(_, brought)| !brought.is_nothing()).collect();
        let one = |(name, brought): &&(String, Brought)| {
            format!("{} ({})", brought.words(), cut(name, LONGEST_NAME))
        };
        let mut items: Vec<String> = bringing.iter().take(MOST_FILES).map(one).collect();
        if let Some(more @ 1..) = bringing.len().checked_sub(MOST_FILES) {
            items.push(format!("and what stands in {more} more files"));
        }
        format!("This folder brings: {}.", items.join(", "))
    }

    /// All of it, thing by thing, as far as a question takes it.
    pub(crate) fn details(&self) -> String {
        let mut all = String::new();
        for (name, brought) in self.files.iter().filter(|(_, brought)| !brought.is_nothing()) {
            brought.details(name, &mut all);
        }
        if all.len() <= LONGEST_DETAILS {
            return all;
        }
        let mut kept = String::new();
        for line in all.lines() {
            if kept.len() + line.len() >= LONGEST_DETAILS {
                break;
            }
            kept.push_str(line);
            kept.push('\n');
        }
        kept + "… and more: look at the files themselves\n"
    }

    fn entry(&self) -> Entry {
        let folder = self.path.to_string_lossy().into_owned();
        Entry { folder, hash: self.hash.clone().unwrap_or_default() }
    }
}

/// Remembers that a folder is trusted with what it brings now. What was not read whole is never remembered.
///
/// # Errors
/// Says why it is not remembered.
pub(crate) async fn remember(environment: &Environment, folder: &Folder) -> Result<(), String> {
    match &folder.hash {
        Some(_) => memory::remember(environment, folder.entry()).await,
        None => Err("not all of it was read".to_owned()),
    }
}
