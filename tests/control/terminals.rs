//! The terminal and another shell: whoever is first decides, and the other one is told.

use std::sync::Arc;

use serde_json::json;

use crate::pty::{Pty, Start};
use crate::shell::{key, tim};
use crate::stub::written;
use crate::support::client::{Client, assert_answered};
use crate::support::temp::Temp;

/// A service at a terminal, and its socket.
fn seat(folder: &Arc<Temp>) -> (Pty, Client) {
    let socket = folder.path("s");
    let pty = Start::tim(folder, &["serve", "--socket", socket.to_str().unwrap()]).go();
    pty.saw("Type a mess");
    let client = Client::greet(&socket, "script", "deploy").0;
    (pty, client)
}

#[test]
fn the_terminals_question_closes_when_it_is_answered_elsewhere() {
    let folder = Arc::new(Temp::new());
    let (seat, mut client) = seat(&folder);
    client.confirm("Shall I?");
    seat.sees("Shall I?");
    let key = key(&folder, seat.pid());
    assert_eq!(tim(&folder, &["answer", &key, "y"]).0, 0);
    assert_answered(&client.response("Shall I?"), &json!(true));
    let after = seat.sees("answered elsewhere");
    assert_eq!(after.times("Shall I?"), 1, "{after}");
}

#[test]
fn whoever_answers_after_the_terminal_hears_that() {
    let folder = Arc::new(Temp::new());
    let (mut seat, mut client) = seat(&folder);
    client.confirm("Shall I?");
    let key = key(&folder, seat.pid());
    seat.armed("n no");
    seat.types("n");
    assert_answered(&client.response("Shall I?"), &json!(false));
    seat.sees("you answered");
    let (code, _, stderr) = tim(&folder, &["answer", &key, "y"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("it was answered at the terminal"), "{stderr}");
}

#[test]
fn a_permission_of_the_runs_own_agent_is_allowed_from_elsewhere_in_one_row() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; asks q; hears; allowed && says went; result; to_the_end";
    let path = written(&folder, script);
    let mut run = Start::tim(&folder, &["run", "go", "--claude", path.to_str().unwrap()]).go();
    run.sees("y once");
    let key = key(&folder, run.pid());
    assert_eq!(tim(&folder, &["answer", &key, "y"]).0, 0);
    run.sees("went");
    assert_eq!(run.ends(), 0, "{}", run.picture());
    let picture = run.picture();
    assert!(picture.has("answered elsewhere  Write a · allowed once"), "{picture}");
    assert!(picture.has("1 yes (you 1"), "it was the person: {picture}");
}

#[test]
fn whoever_sits_at_the_terminal_sees_what_was_said_and_stopped_from_elsewhere() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; init; says ready; hears; says heard; hears; case $line in *interrupt*) says stopped;; esac; to_the_end"#;
    let path = written(&folder, script);
    let mut run = Start::tim(&folder, &["run", "go", "--claude", path.to_str().unwrap()]).go();
    run.sees("ready");
    assert_eq!(tim(&folder, &["send", "claude", "only the \u{1b}[2Jparser"]).0, 0);
    run.sees("heard");
    run.sees("→ You, elsewhere: only the ");
    assert!(!run.raw().windows(9).any(|bytes| bytes == b"\x1b[2Jparse"), "as it came");
    assert_eq!(tim(&folder, &["stop", "claude"]).0, 0);
    run.sees("interrupted from another shell");
    run.sees("stopped");
    assert_eq!(tim(&folder, &["stop", "claude", "--end"]).0, 0);
    assert_eq!(run.ends(), 130);
    run.assert_modes_restored();
}
