//! The diagnostic log from outside: who gets one, where it goes, and what stands in it.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
mod support;

use std::path::Path;
use std::sync::Arc;

use support::launch::Launch;
use support::temp::{Temp, mode};

/// A demo that is over soon, with these words before and behind its name.
fn demo(temp: &Arc<Temp>, before: &[&str], behind: &[&str]) -> Launch {
    let words = [before, &["demo", "--print", "--speed", "max"], behind].concat();
    words.iter().fold(Launch::tim_in(Arc::clone(temp), []), |launch, word| launch.arg(*word))
}

/// Its complaints, if it ends well.
fn said(launch: Launch) -> String {
    let (code, _, said) = launch.start().exit();
    assert_eq!(code, Some(0), "{said}");
    said
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn a_log_that_is_wanted_goes_to_the_state_folder_and_that_is_said_once() {
    for (before, behind) in [(&["-v"][..], &[][..]), (&[], &["-v"]), (&["--verbose"], &[])] {
        let temp = Arc::new(Temp::new());
        let said = said(demo(&temp, before, behind));
        let log = temp.path("state/tim/log");
        assert_eq!(said.matches(&format!("tim: log: {}\n", log.display())).count(), 1, "{said}");
        assert_eq!(mode(&log), 0o600);
        assert!(!said.contains("INFO"), "{said}");
    }
}

#[test]
fn in_the_home_it_is_named_as_people_know_it() {
    let temp = Arc::new(Temp::new());
    let said = said(demo(&temp, &["-v"], &[]).without("XDG_STATE_HOME"));
    assert!(said.starts_with("tim: log: ~/.local/state/tim/log\n"), "{said}");
    assert!(temp.path("home/.local/state/tim/log").exists());
}

#[test]
fn every_row_says_when_how_important_whose_and_about_what_and_none_quotes_a_question() {
    let temp = Arc::new(Temp::new());
    said(demo(&temp, &["-vv"], &[]));
    let log = read(&temp.path("state/tim/log"));
    for row in log.lines() {
        let words: Vec<&str> = row.split(' ').filter(|word| !word.is_empty()).collect();
        assert!(words[0].starts_with("20") && words[0].ends_with('Z') && words[0].len() == 24, "{row}");
        assert!(["ERROR", "WARN", "INFO", "DEBUG", "TRACE"].contains(&words[1]), "{row}");
        assert!(words[2].starts_with("pid="), "{row}");
    }
    for event in [
        "tim starts version=",
        "a run begins",
        "an agent was started",
        "a question is open key=",
        "kind=permission",
        "a question ended key=",
        "outcome=answered",
        "a client came",
        "a client left",
        "an agent exited",
        "tim ends code=0",
    ] {
        assert!(log.contains(event), "{event}:\n{log}");
    }
    assert!(log.lines().filter(|row| row.contains(" run=")).count() > 5, "{log}");
    for text in ["cargo test", "changelog", "release version"] {
        assert!(!log.contains(text), "{text}: what was asked or said is on record, not here:\n{log}");
    }
}

#[test]
fn one_v_leaves_out_what_only_two_tell() {
    let temp = Arc::new(Temp::new());
    said(demo(&temp, &["-v"], &[]));
    let log = read(&temp.path("state/tim/log"));
    assert!(log.contains(" INFO ") && !log.contains(" DEBUG "), "{log}");
    said(demo(&temp, &["-vv"], &[]));
    assert!(read(&temp.path("state/tim/log")).starts_with(&log), "it is appended to");
    assert!(read(&temp.path("state/tim/log")).contains(" DEBUG "));
}

#[test]
fn a_file_by_name_goes_before_and_alone_it_is_not_told_of_and_gets_all() {
    let temp = Arc::new(Temp::new());
    let (all, some) = (temp.path("all"), temp.path("some"));
    let quiet = said(demo(&temp, &[], &[]).env("TIM_LOG", &all));
    assert!(!quiet.contains("tim: log"), "{quiet}");
    assert!(read(&all).contains(" DEBUG "));
    let told = said(demo(&temp, &["-v"], &[]).env("TIM_LOG", &some));
    assert!(told.contains(&format!("tim: log: {}\n", some.display())), "{told}");
    // The guard and the agent of the demo have no flag and log all that they have to say.
    let own = |row: &&str| row.contains("a question") || row.contains("DEBUG");
    assert!(read(&some).lines().filter(own).all(|row| !row.contains("DEBUG")), "{}", read(&some));
    assert!(!temp.path("state/tim/log").exists());
}

#[test]
fn a_log_that_has_become_long_is_put_aside_when_tim_starts() {
    let temp = Arc::new(Temp::new());
    let folder = temp.folder("state/tim");
    let (log, old) = (folder.join("log"), folder.join("log.1"));
    std::fs::write(&old, "oldest\n").unwrap();
    let file = std::fs::File::create(&log).unwrap();
    file.set_len((10 << 20) + 1).unwrap();
    said(demo(&temp, &["-v"], &[]));
    assert_eq!(std::fs::metadata(&old).unwrap().len(), (10 << 20) + 1);
    assert!(std::fs::metadata(&log).unwrap().len() < 1 << 20);
}

#[test]
fn a_log_that_cannot_be_written_is_said_and_nothing_else_changes() {
    let temp = Arc::new(Temp::new());
    let folder = temp.folder("state/tim");
    std::os::unix::fs::symlink(temp.path("elsewhere"), folder.join("log")).unwrap();
    let said = said(demo(&temp, &["-v"], &[]));
    assert!(said.starts_with("tim: no log: "), "{said}");
    assert!(!temp.path("elsewhere").exists(), "no link is followed");
}

#[test]
fn without_the_flag_there_is_no_log() {
    let temp = Arc::new(Temp::new());
    said(demo(&temp, &[], &[]));
    assert!(!temp.path("state/tim/log").exists());
}
