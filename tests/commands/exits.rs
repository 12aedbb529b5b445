//! The table of exit codes in `tim --help`: each row of it happens, and none is missing.

use std::sync::Arc;

use rustix::process::Signal;

use super::{serve, tim, tim_in, told, write};
use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// What ends with that code.
fn ends_with(row: &str) -> Option<i32> {
    let folder = Arc::new(Temp::new());
    let code = |launch: Launch| told(launch).0;
    match row {
        "0" => code(tim(&["--version"])),
        "1" => code(tim(&["rules", "test", "echo hello"])),
        "2" => code(tim(&["run", "--no-such-flag"])),
        "3" => {
            let waiting = serve(&folder, &["--wait"], &[]);
            code(tim(&["ask", "confirm", "Go?", "--timeout", "10ms"]).under(waiting.socket()))
        }
        "4" => code(tim(&["answer", "7f3c.p1", "y"])),
        "5" => code(tim(&["rules", "test", "--deny", "Bash(echo:*)", "echo hello"])),
        "6" => code(tim(&["ask", "confirm", "Go?"])),
        "70" => code(tim(&["serve"]).limited("--nofile=4")),
        "74" => code(tim(&["serve", "--require-journal", "--journal", "/dev/full/x"])),
        "126" => {
            let file = write(&folder, "no-program", "");
            code(tim_in(&folder, &["run", "go", "--claude"]).arg(file))
        }
        "127" => code(tim(&["run", "go", "--claude", "/nowhere/claude"])),
        "130" => {
            let mut running = serve(&folder, &[], &[]);
            running.signal(Signal::INT);
            running.exit().0
        }
        "141" => {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            std::process::Command::new(env!("CARGO_BIN_EXE_tim"))
                .arg("--help")
                .stdout(writer)
                .status()
                .unwrap()
                .code()
        }
        other => panic!("{other} is in the table, and no test of this file ends with it"),
    }
}

#[test]
fn every_exit_code_of_the_help_is_one_that_happens() {
    let (_, help, _) = told(tim(&["--help"]));
    let (_, table) = help.split_once("Exit codes:\n").unwrap();
    let codes: Vec<&str> = table.lines().map(|row| row.split_whitespace().next().unwrap()).collect();
    assert_eq!(codes.join(" "), "0 1 2 3 4 5 6 70 74 126 127 130 141");
    for row in codes {
        assert_eq!(ends_with(row), row.parse().ok(), "the row of {row}");
    }
}

#[test]
fn the_readme_has_the_same_table() {
    let (_, help, _) = told(tim(&["--help"]));
    let (_, table) = help.split_once("Exit codes:\n").unwrap();
    let readme = include_str!("../../README.md");
    for row in table.lines() {
        assert!(readme.contains(row), "README.md does not have {row:?}");
    }
}
