//! A shell script in the place of Claude Code, and `tim run` with it.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use crate::support::launch::Launch;
use crate::support::temp::{Temp, all_below};

/// What every script can use: the lines of a turn, and the name of the next question.
const BEGIN: &str = r#"#!/bin/sh
case "$1" in --version) echo '2.1.325 (Claude Code)'; exit;; --help) exit;; esac
init() { echo '{"type":"system","subtype":"init","session_id":"s"}'; }
says() { echo '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$1"'"}]}}'; }
result() { echo '{"type":"result","subtype":"success","is_error":false,"result":"'"${1:-ok}"'","num_turns":1,"session_id":"s"}'; }
asks() { echo '{"type":"control_request","request_id":"'"$1"'","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"a"},"tool_use_id":"t'"$1"'"}}'; }
hears() { read -r line || line=; }
allowed() { case $line in *'"behavior":"allow"'*) ;; *) return 1;; esac; }
to_the_end() { cat > /dev/null; }
"#;

/// `tim run` with such an agent. It ends with the test, and so does the agent.
pub(crate) fn run(script: &str) -> Launch {
    run_in(Arc::new(Temp::new()), script)
}

/// The same, in a folder that is there already.
pub(crate) fn run_in(folder: Arc<Temp>, script: &str) -> Launch {
    let path = written(&folder, script);
    Launch::tim_in(folder, ["run", "go", "--claude"]).arg(path)
}

/// The script as a program.
pub(crate) fn written(folder: &Temp, script: &str) -> PathBuf {
    written_as(folder, "agent", script)
}

/// The same, beside another one.
pub(crate) fn written_as(folder: &Temp, name: &str, script: &str) -> PathBuf {
    let path = folder.path(name);
    std::fs::write(&path, format!("{BEGIN}{script}\n")).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// What a run came to: its exit code, stdout, stderr. Nothing of it is left but the record.
pub(crate) fn played(launch: Launch) -> (i32, String, String) {
    let folder = Arc::clone(launch.folder());
    let (code, stdout, stderr) = launch.start().exit();
    assert!(
        all_below(&folder.path("run/tim")).is_empty(),
        "a socket is left: {:?}",
        all_below(&folder.path("run/tim"))
    );
    (code.expect("not by a signal"), stdout, stderr)
}

/// The record of the run in a folder.
pub(crate) fn record(folder: &Temp) -> String {
    maybe_record(folder).expect("a record")
}

/// The same, if it has begun.
pub(crate) fn maybe_record(folder: &Temp) -> Option<String> {
    let files = all_below(&folder.path("state"));
    let file = files.iter().find(|path| path.extension().is_some_and(|end| end == "jsonl"))?;
    std::fs::read_to_string(file).ok()
}
