//! Which conversation is gone on with: a session of Claude's as it is, a run of tim by its record.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use codec::claude::{Output, System};
use codec::journal::{Body, Entry};

use crate::config::JournalChoice;

/// The session of Claude's that is meant.
pub(crate) fn session(wanted: &str, journal: &JournalChoice) -> Result<String, String> {
    if !is_plain(wanted) {
        return Err(format!("`{wanted}` is no name of a run or of a session"));
    }
    // Anything else is Claude's to understand.
    if !is_run(wanted) {
        return Ok(wanted.to_owned());
    }
    let JournalChoice::Folder(folder) = journal else {
        return Err(format!(
            "run {wanted} cannot be looked up without the folder of all runs: name the session"
        ));
    };
    let file = record(wanted, folder)?;
    last_session(&file)
        .filter(|session| is_plain(session))
        .ok_or_else(|| format!("{}: run {wanted} has no session to go on with", file.display()))
}

/// Whether it can be the name of a run: a few hex digits.
pub(crate) fn is_run(name: &str) -> bool {
    (4..=8).contains(&name.len()) && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether it can be the name of a conversation, and nothing else to a program or a shell.
pub(super) fn is_plain(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_letter)
}

/// The record of that run; its name may be cut short as long as only one is meant.
pub(crate) fn record(run: &str, folder: &Path) -> Result<PathBuf, String> {
    let none = || format!("there is no record of a run {run} in {}", folder.display());
    let entries = match std::fs::read_dir(folder) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Err(none()),
        entries => entries.map_err(|error| format!("{}: {error}", folder.display()))?,
    };
    let is_it = |path: &PathBuf| {
        let name = path.file_stem().and_then(|name| name.to_str()).and_then(|name| name.rsplit_once('-'));
        name.is_some_and(|(_, id)| id.starts_with(&run.to_ascii_lowercase()))
    };
    let mut found = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_it);
    match (found.next(), found.next()) {
        (Some(one), None) => Ok(one),
        (None, _) => Err(none()),
        (Some(_), Some(_)) => Err(format!("several runs begin with {run}: write more of it")),
    }
}

fn last_session(file: &Path) -> Option<String> {
    let lines = BufReader::new(std::fs::File::open(file).ok()?).split(b'\n').map_while(Result::ok);
    lines.filter_map(|line| session_in(&line)).last()
}

fn session_in(line: &[u8]) -> Option<String> {
    let Body::Line(record) = Entry::read(line).ok()?.body else { return None };
    if !record.wire.get().starts_with("claude:") {
        return None;
    }
    match Output::read(&record.bytes().ok()?).ok()? {
        Output::System(System::Init(init)) => init.session_id.map(|id| id.get().into_owned()),
        Output::Result(result) => result.session_id.map(|id| id.get().into_owned()),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_of_claudes_is_taken_as_it_is() {
        let uuid = "3f0c1a52-9f6e-4d0e-9d0c-5b1f6f0f7a11";
        assert_eq!(session(uuid, &JournalChoice::Off).unwrap(), uuid);
        assert_eq!(session("my title", &JournalChoice::Off).unwrap(), "my title");
    }

    #[test]
    fn what_would_be_a_flag_or_a_command_is_no_name() {
        for name in ["", "--dangerously-skip-permissions", "x; touch y", "a\u{1b}[31m"] {
            assert!(session(name, &JournalChoice::Off).is_err(), "{name:?}");
        }
    }

    #[test]
    fn a_run_is_looked_up_by_its_record() {
        let folder = std::env::temp_dir().join(format!("tim-resume-{}", crate::clock::random_hex(12)));
        std::fs::create_dir(&folder).unwrap();
        let line = r#"{"seq":1,"t":2,"wire":"claude:main","dir":"from","line":"{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"the-one\"}"}"#;
        std::fs::write(folder.join("20261116T101500Z-7f3c0a1b.jsonl"), format!("{line}\n")).unwrap();
        std::fs::write(folder.join("20261116T101501Z-91aa0000.jsonl"), "").unwrap();
        std::fs::write(folder.join("20261116T101502Z-91aa0001.jsonl"), "").unwrap();
        let journal = JournalChoice::Folder(folder.clone());
        assert_eq!(session("7f3c", &journal).unwrap(), "the-one");
        assert!(session("91aa", &journal).unwrap_err().contains("several"));
        assert!(session("91aa0000", &journal).unwrap_err().contains("no session"));
        assert!(session("ffff", &journal).unwrap_err().contains("no record"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
