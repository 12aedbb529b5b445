//! `tim run` of a program that prints stream events, without a terminal and with a home of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use crate::stream::Folder;

/// Whether it keeps a record.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Journal {
    Off,
    On,
}

/// A run of that command. Nothing is printed but one object at the end.
///
/// `setsid` takes the terminal away, if there is one. It becomes the program that it starts, as it leads no group: so the
/// process is tim.
pub(crate) fn command(folder: &Folder, agent: &str, journal: Journal) -> Command {
    let mut command = Command::new("setsid");
    command.arg(env!("CARGO_BIN_EXE_tim")).args(["run", "--output-format", "json", "--backend", agent]);
    match journal {
        Journal::Off => command.arg("--no-journal"),
        Journal::On => command.arg("--journal").arg(record(folder)),
    };
    command.arg("go").env_clear().env("HOME", folder.path()).env("PATH", "/usr/bin:/bin");
    for name in ["XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, folder.path());
    }
    command.current_dir(folder.path()).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

/// Where the record goes.
pub(crate) fn record(folder: &Folder) -> PathBuf {
    folder.join("record.jsonl")
}

/// How `--backend` is told to print a file.
pub(crate) fn cat(file: &Path) -> String {
    format!("cat {}", quoted(file))
}

/// A path as one word.
pub(crate) fn quoted(path: &Path) -> String {
    format!("'{}'", path.to_str().unwrap())
}

/// How long a run takes, from its start to its end.
pub(crate) fn timed(folder: &Folder, file: &Path, journal: Journal) -> Duration {
    let began = Instant::now();
    assert!(command(folder, &cat(file), journal).status().unwrap().success());
    let took = began.elapsed();
    // A record is not written over.
    let _ = std::fs::remove_file(record(folder));
    took
}
