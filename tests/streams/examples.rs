//! The agents in `examples/`, as the documentation shows them.

use std::io::Write as _;
use std::process::Command;
use std::sync::Arc;

use crate::pty::{Pty, Start};
use crate::support::temp::Temp;

fn example(folder: &Temp, backend: &str, flags: &[&str]) -> Pty {
    let arguments: Vec<&str> = ["run", "go", "--backend", backend].iter().chain(flags).copied().collect();
    Start::tim(folder, &arguments).go()
}

fn path(name: &str) -> String {
    format!("{}/examples/{name}", env!("CARGO_MANIFEST_DIR"))
}

/// Whether Python is there. Without it the test says so, and fails where every test must run.
fn has_python() -> bool {
    let found = Command::new("python3").arg("--version").output().is_ok();
    if !found {
        let why = "python3 is missing: the example agent in Python is NOT tested";
        assert!(std::env::var_os("CI").is_none(), "{why}");
        // Past the test's own capture: it must be seen.
        std::io::stderr().write_all(format!("\n{why}\n").as_bytes()).unwrap();
    }
    found
}

#[test]
fn the_shell_agent_writes_its_notes_if_it_may() {
    let folder = Temp::new();
    std::fs::write(folder.path("home/one"), "").unwrap();
    std::fs::write(folder.path("home/a \"quoted\" name"), "").unwrap();
    let mut tim = example(&folder, &path("notes.sh"), &[]);
    let asked = tim.armed("[a] Write it");
    assert!(asked.has("? notes asks") && asked.has("Write the names of 2 files to NOTES.txt?"), "{asked}");
    tim.types("a");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    tim.sees("NOTES.txt has 2 names.");
    let notes = std::fs::read_to_string(folder.path("home/NOTES.txt")).unwrap();
    assert_eq!(notes, "a \"quoted\" name\none\n");
}

#[test]
fn the_shell_agent_leaves_everything_as_it_is_if_it_may_not() {
    let folder = Temp::new();
    let mut tim = example(&folder, &path("notes.sh"), &[]);
    tim.armed("[a] Write it");
    tim.types("r");
    assert_eq!(tim.ends(), 1, "{}", tim.picture());
    assert!(!folder.path("home/NOTES.txt").exists());
}

#[test]
fn the_python_agent_asks_for_a_file_and_words_and_goes_on_after_a_rejection() {
    if !has_python() {
        return;
    }
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/a.txt"), "some words\nother\n").unwrap();
    std::fs::write(folder.path("home/b.txt"), "").unwrap();
    let mut tim = example(&folder, &format!("python3 {}", path("review.py")), &["-k"]);
    tim.armed("1-2 or");
    tim.types("1");
    tim.armed("r or /reject");
    tim.types("words\r");
    tim.sees("1 lines of a.txt have 'words'.");
    tim.sees("is done");
    tim.types("once more\r");
    tim.armed("1-2 or");
    tim.types("r");
    tim.sees("say what instead");
    tim.types("\x04");
    assert_eq!(tim.ends(), 1, "{}", tim.picture());
    tim.assert_modes_restored();
}

#[test]
fn the_python_agent_has_nothing_to_ask_where_there_are_no_files() {
    if has_python() {
        let folder = Temp::new();
        let mut tim = example(&folder, &path("review.py"), &[]);
        assert_eq!(tim.ends(), 0, "{}", tim.picture());
        tim.sees("There are no files here.");
    }
}

#[test]
fn an_example_is_short_enough_to_be_read() {
    for name in ["notes.sh", "review.py"] {
        let lines = std::fs::read_to_string(path(name)).unwrap().lines().count();
        assert!(lines < 60, "{name} has {lines} lines");
    }
}
