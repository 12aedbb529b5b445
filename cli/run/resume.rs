//! Which conversation is gone on with: a session of Claude's as it is, a run of tim by its record.

use std::collections::BTreeMap;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use codec::claude::{Output, System};
use codec::journal::{Body, Direction, Entry};

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
    let mut sessions = sessions(&file)?;
    sessions.retain(|_, session| is_plain(session));
    match sessions.len() {
        0 => Err(format!(
            "{}: run {wanted} has no session to go on with; leave out -r to begin anew",
            file.display()
        )),
        1 => Ok(sessions.into_values().collect()),
        _ => Err(several(wanted, &sessions)),
    }
}

/// Each of them is a conversation of its own.
fn several(run: &str, sessions: &BTreeMap<String, String>) -> String {
    let name = |wire: &str| wire.split_once(':').map_or_else(|| wire.to_owned(), |(_, name)| name.to_owned());
    let each: Vec<String> =
        sessions.iter().map(|(wire, session)| format!("{}: -r {session}", name(wire))).collect();
    format!("run {run} had several agents, each with a conversation of its own: {}", each.join(", "))
}

/// Whether it can be the name of a conversation, and nothing else to a program or a shell.
pub(super) fn is_plain(name: &str) -> bool {
    let is_letter = |letter: char| letter.is_alphanumeric() || " -_.".contains(letter);
    !name.is_empty() && !name.starts_with('-') && name.chars().all(is_letter)
}

/// The last session of each agent, by its wire.
fn sessions(file: &Path) -> Result<BTreeMap<String, String>, String> {
    let opened =
        std::fs::File::open(file).map_err(|error| actors::system::unreadable(file.display(), &error))?;
    let lines = BufReader::new(opened).split(b'\n').map_while(Result::ok);
    Ok(lines.filter_map(|line| session_in(&line)).collect())
}

fn session_in(line: &[u8]) -> Option<(String, String)> {
    let Body::Line(record) = Entry::read(line).ok()?.body else { return None };
    let wire = record.wire.get();
    if !wire.starts_with("claude:") || record.dir != Direction::From {
        return None;
    }
    let bytes = record.bytes().ok()?;
    let session = match Output::read(&bytes).ok()? {
        Output::System(System::Init(init)) => init.session_id,
        Output::Result(result) => result.session_id,
        _ => None,
    };
    Some((wire.into_owned(), session?.get().into_owned()))
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
        let other = line.replace("claude:main", "claude:web").replace("the-one", "the-other");
        std::fs::write(folder.join("20261116T101503Z-abcd0000.jsonl"), format!("{line}\n{other}\n")).unwrap();
        let said = session("abcd", there).unwrap_err();
        assert!(said.contains("main: -r the-one") && said.contains("web: -r the-other"), "{said}");
        assert!(session("91aa", there).unwrap_err().contains("several"));
        assert!(session("91aa0000", there).unwrap_err().contains("no session"));
        assert!(session("ffff", there).unwrap_err().contains("no record"));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
