//! Which conversation is gone on with: a session of Claude's as it is, a run of tim by its record.

use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use codec::claude::{Output, System};
use codec::journal::{Body, Entry};

use crate::runs;

/// The session of Claude's that is meant. `folder` says where the records of all runs are.
pub(crate) fn session(
    wanted: &str,
    folder: impl FnOnce() -> Result<PathBuf, String>,
) -> Result<String, String> {
    if !is_plain(wanted) {
        return Err(format!("`{wanted}` is no name of a run or of a session"));
    }
    // Anything else is Claude's to understand.
    if !runs::is_name(wanted) {
        return Ok(wanted.to_owned());
    }
    let file = runs::named(wanted, &folder()?)?.path;
    last_session(&file)
        .filter(|session| is_plain(session))
        .ok_or_else(|| format!("{}: run {wanted} has no session to go on with", file.display()))
}

/// Whether it can be the name of a conversation, and nothing else to a program or a shell.
pub(super) fn is_plain(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_letter)
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
        assert_eq!(session(uuid, || Err("nowhere".to_owned())).unwrap(), uuid);
        assert_eq!(session("my title", || Err("nowhere".to_owned())).unwrap(), "my title");
    }

    #[test]
    fn what_would_be_a_flag_or_a_command_is_no_name() {
        for name in ["", "--dangerously-skip-permissions", "x; touch y", "a\u{1b}[31m"] {
            assert!(session(name, || Err("nowhere".to_owned())).is_err(), "{name:?}");
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
        let there = || Ok(folder.clone());
        assert_eq!(session("7f3c", there).unwrap(), "the-one");
        assert!(session("91aa", there).unwrap_err().contains("several"));
        assert!(session("91aa0000", there).unwrap_err().contains("no session"));
        assert!(session("ffff", there).unwrap_err().contains("no record"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
