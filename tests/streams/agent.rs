//! A shell script that speaks stream events, and `tim run --backend` with it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::pty::{Pty, Start};
use crate::support::launch::Launch;
use crate::support::temp::{Temp, all_below};

/// What every script can use. What it hears is kept in the file `heard`.
const BEGIN: &str = r#"#!/bin/sh
say() { printf '%s\n' "$1"; }
text() { say '{"type":"text_delta","text":"'"$1"'\n"}'; }
asks() { say '{"type":"input_request","requestId":"'"$1"'",'"$2"'}'; }
approval() { asks "$1" '"prompt":"Go on with '"$1"'?","input_type":"approval","choices":["Do it","Leave it"]'; }
hears() { read -r line || exit 9; printf '%s\n' "$line" >> heard; }
ends() { say '{"type":"done","ok":'"${1:-true}"'}'; }
to_the_end() { while read -r line; do printf '%s\n' "$line" >> heard; done; }
"#;

/// The script as a program.
pub(crate) fn written(folder: &Temp, script: &str) -> PathBuf {
    let path = folder.path("agent.sh");
    std::fs::write(&path, format!("{BEGIN}{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// A run of it at a terminal.
pub(crate) fn at_terminal(folder: &Arc<Temp>, script: &str, flags: &[&str]) -> Pty {
    let path = written(folder, script);
    let arguments = ["run", "go", "--backend", path.to_str().unwrap()];
    let arguments: Vec<&str> = arguments.iter().chain(flags).copied().collect();
    Start::tim(folder, &arguments).go()
}

/// A run of it without a terminal.
pub(crate) fn run(folder: &Arc<Temp>, script: &str) -> Launch {
    let path = written(folder, script);
    let launch = Launch::tim_in(Arc::clone(folder), ["run", "go", "--backend"]).arg(path);
    launch.within(folder.path("home"))
}

/// The exit code of such a run, its stdout and its stderr.
pub(crate) fn played(launch: Launch) -> (i32, String, String) {
    let (code, stdout, stderr) = launch.start().exit();
    (code.expect("not by a signal"), stdout, stderr)
}

/// What the agent heard behind its first line.
pub(crate) fn heard(folder: &Temp) -> Vec<String> {
    let text = std::fs::read_to_string(folder.path("home/heard")).unwrap();
    text.lines().skip(1).map(str::to_owned).collect()
}

/// The line by which it hears of the end of a question.
pub(crate) fn response(id: &str, value: &str, outcome: &str) -> String {
    format!(r#"{{"type":"input_response","requestId":"{id}","response":{value},"outcome":"{outcome}"}}"#)
}

pub(crate) const CANCEL: &str = r#"{"type":"cancel"}"#;

/// The file with the record of the run.
pub(crate) fn record(folder: &Temp) -> PathBuf {
    let files = all_below(&folder.path("state"));
    files.into_iter().find(|path| path.extension().is_some_and(|end| end == "jsonl")).expect("a record")
}
