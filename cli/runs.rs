//! The records of all runs: which there are, and which one is meant.
//!
//! Owns the names of their files, for all who look at the past. Reads the folder and no file in it.

use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use actors::system;

use crate::config::{self, Flags, JournalChoice};
use crate::environment::Environment;
use crate::record;

/// The record of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RunFile {
    pub(crate) path: PathBuf,
    /// `7f3c0a1b`
    pub(crate) id: String,
    /// as much of it as tells it from all others
    pub(crate) short: String,
    /// when something was last written there, in milliseconds since 1970
    pub(crate) written_unix_ms: u64,
    /// when its run began, by its name: to the second
    pub(crate) began_unix_ms: u64,
}

/// As many letters of a run are shown at least.
const SHORTEST: usize = 4;

/// Where the records of all runs are. Whether runs are recorded from now on has nothing to do with where they were.
pub(crate) fn folder(environment: &Environment) -> Result<PathBuf, String> {
    let recording = Environment { journal: Some("on".into()), ..environment.clone() };
    let config = config::load(&recording, Flags::default()).or_else(|error| {
        // What is wrong in a folder must not keep anybody from looking back.
        let elsewhere = Environment { folder: None, ..recording.clone() };
        let config = config::load(&elsewhere, Flags::default());
        config.inspect(|_| crate::warn(&error.to_string()))
    });
    match config.map_err(|error| error.to_string())?.journal {
        JournalChoice::Folder(folder) => Ok(folder),
        _ => {
            Err("neither HOME nor XDG_STATE_HOME says where the records of runs are; set one of them"
                .to_owned())
        }
    }
}

/// All records of the folder, in the order in which the runs began.
pub(crate) fn all(folder: &Path) -> Result<Vec<RunFile>, String> {
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(|error| system::unreadable(folder.display(), &error))?,
    };
    let mut found: Vec<RunFile> = entries.filter_map(|entry| run_file(&entry.ok()?)).collect();
    found.sort_by(|one, other| one.path.cmp(&other.path));
    let mut ids: Vec<String> = found.iter().map(|run| run.id.clone()).collect();
    ids.sort_unstable();
    found.iter_mut().for_each(|run| run.short = short(&run.id, &ids));
    Ok(found)
}

fn run_file(entry: &std::fs::DirEntry) -> Option<RunFile> {
    let path = entry.path();
    let id = id_of(&path)?;
    let about = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
    let written = about.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default();
    let written_unix_ms = u64::try_from(written.as_millis()).unwrap_or(u64::MAX);
    let began_unix_ms = began(&path).unwrap_or_default();
    Some(RunFile { path, short: id.clone(), id, written_unix_ms, began_unix_ms })
}

/// When the run of a file began that is called like a record.
fn began(path: &Path) -> Option<u64> {
    let (time, _) = path.file_stem()?.to_str()?.split_once('-')?;
    let began = jiff::civil::DateTime::strptime("%Y%m%dT%H%M%SZ", time).ok()?;
    let stamp = began.to_zoned(jiff::tz::TimeZone::UTC).ok()?.timestamp();
    u64::try_from(stamp.as_millisecond()).ok()
}

/// The run of a file that is called like a record.
fn id_of(path: &Path) -> Option<String> {
    let name = path.file_name()?.to_str().filter(|name| record::is_named(name))?;
    name.strip_suffix(".jsonl")?.rsplit('-').next().map(str::to_owned)
}

/// As much of a name as none of the others begins with; they are sorted, so only its neighbours could.
fn short(id: &str, sorted: &[String]) -> String {
    let at = sorted.partition_point(|other| other.as_str() < id);
    let before = at.checked_sub(1).and_then(|before| sorted.get(before));
    let neighbours = [before, sorted.get(at + 1)];
    let is_clear = |head: &&str| !neighbours.into_iter().flatten().any(|other| other.starts_with(head));
    let mut heads = (SHORTEST..id.len()).filter_map(|length| id.get(..length));
    heads.find(is_clear).unwrap_or(id).to_owned()
}

/// Whether this can be the name of a run, or the beginning of one.
pub(crate) fn is_name(text: &str) -> bool {
    (SHORTEST..=8).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// The record of the run whose name begins so.
pub(crate) fn named(name: &str, folder: &Path) -> Result<RunFile, String> {
    let name = name.to_ascii_lowercase();
    let mut meant = all(folder)?.into_iter().filter(|run| run.id.starts_with(&name));
    match (meant.next(), meant.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => {
            Err(format!("there is no record of a run {name} in {}: `tim log` lists them", folder.display()))
        }
        (Some(_), Some(_)) => Err(format!("several runs begin with {name}: write more of it")),
    }
}

/// The record that is meant: a file, or else the run that is called so.
pub(crate) fn find(wanted: &Path, environment: &Environment) -> Result<RunFile, String> {
    let name = wanted.to_str().filter(|name| is_name(name) && wanted.symlink_metadata().is_err());
    if let Some(name) = name {
        return named(name, &folder(environment)?);
    }
    let (id, short) = (String::new(), String::new());
    Ok(RunFile { path: wanted.to_owned(), id, short, written_unix_ms: 0, began_unix_ms: 0 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_called_as_its_file_says() {
        assert_eq!(id_of(Path::new("/r/20261116T075520Z-7f3c0a1b.jsonl")).as_deref(), Some("7f3c0a1b"));
        assert_eq!(began(Path::new("/r/20261116T075520Z-7f3c0a1b.jsonl")), Some(1_794_815_720_000));
        assert_eq!(id_of(Path::new("/r/notes.jsonl")), None);
    }

    #[test]
    fn a_run_is_called_by_as_many_letters_as_tell_it_from_others() {
        let all = ["7f3c0a1b", "7f3c0b00", "91aa0000"].map(str::to_owned);
        assert_eq!(short("91aa0000", &all), "91aa");
        assert_eq!((short("7f3c0a1b", &all), short("7f3c0b00", &all)), ("7f3c0a".into(), "7f3c0b".into()));
        assert_eq!(short("91aa0000", &["91aa0000", "91aa0000"].map(str::to_owned)), "91aa0000", "a copy");
    }
}
