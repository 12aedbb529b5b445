//! The looking at folders: whether something could be written there, without writing anything.
//!
//! The system is asked what it would allow; a folder that is not there is judged by the nearest one above it that is.

use std::fs::Metadata;
use std::io;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

use actors::system::says;
use actors::tunnel::shelf;
use rustix::fs::{Access, access, statvfs};

use super::facts::{Folder, Records, Sockets};
use crate::config::{self, Config, JournalChoice};
use crate::environment::Environment;
use crate::runs;

/// A folder that is made with all above it where it is not there.
pub(super) fn look(path: PathBuf) -> Folder {
    match std::fs::metadata(&path) {
        Ok(found) => there(path, &found),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            let above = path.ancestors().skip(1).find(|above| above.symlink_metadata().is_ok());
            let wrong = above.and_then(|above| cannot_write(above).map(|why| cannot_make(above, &why)));
            Folder { path, about: None, wrong }
        }
        Err(error) => Folder { path, about: None, wrong: Some(format!("cannot be made: {}", says(&error))) },
    }
}

fn cannot_make(above: &Path, why: &str) -> String {
    format!("cannot be made: {} {why}", above.display())
}

fn there(path: PathBuf, found: &Metadata) -> Folder {
    let about = Some((found.uid(), found.mode() & 0o7777));
    let wrong = cannot_write(&path);
    Folder { path, about, wrong }
}

/// Why nothing can be put into a folder, as the end of a sentence.
fn cannot_write(folder: &Path) -> Option<String> {
    if !folder.is_dir() {
        return Some("is no folder".to_owned());
    }
    access(folder, Access::WRITE_OK | Access::EXEC_OK)
        .err()
        .map(|error| format!("cannot be written: {}", says(&error.into())))
}

/// Where the sockets of a run would go.
pub(super) fn sockets(environment: &Environment) -> Sockets {
    let runtime = environment.runtime_folder.as_deref();
    let temp = environment.temp_folder.as_deref().unwrap_or(Path::new("/tmp"));
    let usual = runtime.map_or_else(|| temp.to_owned(), |runtime| runtime.join("tim"));
    let instead = Some(shelf(runtime, temp)).filter(|shelf| *shelf != usual);
    // What the system gave is made ready also where its path is too long.
    let path = instead.clone().filter(|_| runtime.is_none()).unwrap_or(usual);
    let mut folder = look(path);
    // Only the last part of it is made.
    let above = folder.path.parent().filter(|_| runtime.is_some()).unwrap_or(&folder.path);
    if folder.wrong.is_none() && !above.is_dir() {
        folder.wrong = Some(format!("cannot be made: there is no {}", above.display()));
    }
    let own_user = rustix::process::geteuid().as_raw();
    Sockets { folder, instead, is_private: runtime.is_some(), own_user }
}

/// Where the record of a run would go, and what is there.
pub(super) fn records(environment: &Environment, config: Option<&Config>) -> Records {
    let is_required = config.is_some_and(|config| config.requires_journal);
    let (folder, has_others) = match config.map(|config| &config.journal) {
        Some(JournalChoice::Off) => return Records::Off,
        Some(JournalChoice::File(file)) => (file.parent().map(named), false),
        Some(JournalChoice::Folder(folder)) => (Some(folder.clone()), true),
        Some(JournalChoice::Nowhere) => (None, false),
        None => (config::usual_folder(environment), true),
    };
    let Some(folder) = folder.map(look) else { return Records::Nowhere { is_required } };
    let free = folder.path.ancestors().find_map(|above| statvfs(above).ok());
    let free = free.map(|about| about.f_bavail.saturating_mul(about.f_frsize));
    let kept = has_others.then(|| kept(&folder.path)).flatten();
    Records::In { folder, free, kept, is_required }
}

/// The folder of a file whose name may have none.
fn named(folder: &Path) -> PathBuf {
    let here = Path::new(".");
    let folder = if folder.as_os_str().is_empty() { here } else { folder };
    std::path::absolute(folder).unwrap_or_else(|_| folder.to_owned())
}

/// How many records there are, and how many bytes they take.
fn kept(folder: &Path) -> Option<(usize, u64)> {
    let all = runs::all(folder).ok()?;
    let bytes = all.iter().filter_map(|run| run.path.metadata().ok()).map(|about| about.len()).sum();
    Some((all.len(), bytes))
}
