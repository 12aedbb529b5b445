//! Another shell of the same person: the commands, and the socket by hand.

use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;

use crate::support::client::Client;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below};
use crate::support::wait::eventually;

/// What a command came to: its exit code, stdout and stderr.
pub(crate) fn tim(folder: &Arc<Temp>, arguments: &[&str]) -> (i32, String, String) {
    let launch =
        arguments.iter().fold(Launch::tim_in(Arc::clone(folder), []), |launch, word| launch.arg(*word));
    let (code, stdout, stderr) = launch.start().exit();
    (code.expect("not by a signal"), stdout, stderr)
}

/// A service whose questions wait for those who answer from outside.
pub(crate) fn waiting() -> Serve {
    Serve::ready(Launch::tim(["serve", "--wait"]).start())
}

/// What the run of that process says of itself; other runs may be there too.
pub(crate) fn listed(folder: &Arc<Temp>, pid: u32) -> Option<Value> {
    let (code, stdout, stderr) = tim(folder, &["ps", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let all: Value = serde_json::from_str(&stdout).unwrap();
    all["runs"].as_array().unwrap().iter().find(|run| run["pid"] == pid).cloned()
}

/// The key of a question of that run, when it is open.
pub(crate) fn key(folder: &Arc<Temp>, pid: u32) -> String {
    eventually("a question is open", || {
        let run = listed(folder, pid)?;
        run["questions"][0]["key"].as_str().map(str::to_owned)
    })
}

/// Where the one run in a folder is controlled.
pub(crate) fn socket(folder: &Temp) -> PathBuf {
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name == "control.sock");
    eventually("a control socket", || all_below(&folder.path("run/tim")).into_iter().find(is_it))
}

/// A connection to it, by hand.
pub(crate) fn connected(folder: &Temp) -> Client {
    Client::connect(&socket(folder))
}
