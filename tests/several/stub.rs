//! A shell script in the place of Claude Code that does what its task says, word by word.

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::pty::{Pty, Start};
use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// `asks` a permission, `waits` for a file of that name to go away, `fails`, `dies`, `hears` one more line. What it heard is
/// in a file of its own.
const AGENT: &str = r#"#!/bin/sh
case "$1" in --version) echo '2.1.325 (Claude Code)'; exit;; --help) exit;; esac
init() { echo '{"type":"system","subtype":"init","session_id":"s-'$$'"}'; }
says() { echo '{"type":"assistant","message":{"content":[{"type":"text","text":"'"$1"'"}]}}'; }
result() { echo '{"type":"result","subtype":"success","is_error":'${2:-false}',"result":"'"$1"'","num_turns":1,"session_id":"s-'$$'","total_cost_usd":0.25}'; }
asks() { echo '{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{"command":"touch '"$1"'"},"tool_use_id":"t"}}'; }
hears() { read -r line || line=; }
hears; init
task=$(echo "$line" | sed 's/.*"content":"\([^"]*\)".*/\1/')
says "begins $task"
set -- $task
while [ $# -gt 0 ]; do
  case "$1" in
    asks) asks "$2"; hears; case "$line" in *'"allow"'*) touch "$2"; says "allowed $2";; *) says "denied $2";; esac; shift;;
    waits) while [ -e "$2" ]; do sleep 0.02; done; shift;;
    marks) touch "$2"; shift;;
    hears) hears; echo "$line" >> "$2"; says "heard"; uuid=$(echo "$line" | sed 's/.*"uuid":"\([^"]*\)".*/\1/'); echo '{"type":"command_lifecycle","command_uuid":"'$uuid'","state":"started"}'; shift;;
    fails) result "it broke" true; cat > /dev/null; exit 1;;
    dies) kill -9 $$;;
  esac
  shift
done
result "did $task"
cat > /dev/null
"#;

/// The agent, as a program in a folder.
pub(crate) fn agent(folder: &Temp) -> PathBuf {
    let path = folder.path("agent");
    std::fs::write(&path, AGENT).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// `tim run` of several such agents, without a terminal.
pub(crate) fn run(folder: &Arc<Temp>, flags: &[&str]) -> Launch {
    let launch = Launch::tim_in(Arc::clone(folder), ["run", "--claude"]).arg(agent(folder));
    flags.iter().fold(launch, |launch, flag| launch.arg(*flag)).within(folder.path("home"))
}

/// The same at a terminal.
pub(crate) fn at_terminal(folder: &Temp, flags: &[&str]) -> Pty {
    let path = agent(folder);
    let begin = ["run", "--claude", path.to_str().unwrap()];
    let arguments: Vec<&str> = begin.iter().chain(flags).copied().collect();
    Start::tim(folder, &arguments).go()
}

/// What it came to: exit code, stdout, stderr.
pub(crate) fn played(launch: Launch) -> (i32, String, String) {
    let (code, stdout, stderr) = launch.start().exit();
    (code.expect("not by a signal"), stdout, stderr)
}

/// The objects that were printed, a line each.
pub(crate) fn objects(stdout: &str) -> Vec<Value> {
    stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}
