//! The record of a server: where it lies, what is in it, and that it can be played again.

use std::sync::Arc;

use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered};
use crate::support::desk::Parent;
use crate::support::journal::Journal;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below, mode};

/// A short life: two clients, answers, a timeout, one who leaves, a report.
fn live(serve: &Serve, desk: &mut crate::support::desk::Desk) {
    let (mut ours, _) = Client::greet(serve.socket(), "script", "ours");
    let (mut original, mut leaver) = (serve.client(), serve.client());
    original.log("about to ask");
    ours.confirm("a");
    let asked = desk.prompt_about("a");
    desk.shown(&asked);
    desk.answer(&asked, &json!(true));
    assert_answered(&ours.response("a"), &json!(true));
    original.confirm_within("b", 100);
    assert_eq!(original.response("b")["outcome"], "timed_out");
    leaver.confirm("c");
    let asked = desk.prompt_about("c");
    drop(leaver);
    desk.withdrawn(&asked);
    original.confirm("d");
    let asked = desk.prompt_about("d");
    desk.answer(&asked, &json!(false));
    assert_answered(&original.response("d"), &json!(false));
}

#[test]
fn every_answer_on_the_wire_is_on_record_word_for_word() {
    let (mut serve, mut desk) = Serve::under_test();
    live(&serve, &mut desk);
    serve.finish();
    let journal = serve.journal();
    journal.every_question_ended_once();
    let outcomes = ["a", "b", "c", "d"].map(|id| journal.end_of(id).outcome);
    assert_eq!(outcomes, ["answered", "timed_out", "cancelled", "answered"]);
    let to: Vec<Value> =
        journal.lines("to").into_iter().map(|(_, line)| serde_json::from_str(line).unwrap()).collect();
    for (id, outcome) in [("a", "answered"), ("b", "timed_out"), ("d", "answered")] {
        let sent = to.iter().filter(|line| line["type"] == "prompt_response" && line["requestId"] == id);
        assert_eq!(sent.map(|line| &line["outcome"]).collect::<Vec<_>>(), [outcome]);
    }
    assert_eq!(journal.records("run").len(), 1);
}

#[test]
fn a_record_can_be_played_again_and_gives_the_same() {
    let (mut serve, mut desk) = Serve::under_test();
    live(&serve, &mut desk);
    serve.finish();
    let file = serve.journal_path();
    let (code, stdout, stderr) = Launch::tim(["replay", "--check"]).arg(file).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    assert!(stdout.starts_with("as recorded"), "{stdout}");
}

#[test]
fn the_record_lies_where_it_was_said() {
    let launch = Launch::tim(["serve", "--journal"]);
    let file = launch.folder().path("here.jsonl");
    let (mut serve, mut desk) = Serve::under_parent(&Parent::open(), launch.arg(&file));
    live(&serve, &mut desk);
    serve.finish();
    assert_eq!(mode(&file), 0o600);
    Journal::read(&file).every_question_ended_once();
    assert!(all_below(&serve.folder().path("state")).iter().all(|path| path.is_dir()));
}

#[test]
fn without_a_record_nothing_is_written() {
    let (mut serve, mut desk) = Serve::under_parent(&Parent::open(), Launch::tim(["serve", "--no-journal"]));
    live(&serve, &mut desk);
    serve.finish();
    for folder in ["state", "home", "config", "cache", "data", "tmp"] {
        let found = all_below(&serve.folder().path(folder));
        assert!(found.iter().all(|path| path.is_dir()), "{found:?}");
    }
}

#[test]
fn t64_a_symlink_in_the_place_of_the_record_is_not_followed() {
    let temp = Arc::new(Temp::new());
    let launch = Launch::tim_in(Arc::clone(&temp), ["serve", "--journal"]);
    let (victim, link) = (temp.path("victim"), temp.path("link"));
    std::fs::write(&victim, "precious").unwrap();
    std::os::unix::fs::symlink(&victim, &link).unwrap();
    let (code, stdout, stderr) = launch.arg(&link).start().exit();
    assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
    assert_eq!(std::fs::read_to_string(&victim).unwrap(), "precious");
}

#[test]
fn quiet_says_where_the_socket_is_and_nothing_else() {
    let (mut serve, mut desk) = Serve::under_parent(&Parent::open(), Launch::tim(["serve", "--quiet"]));
    live(&serve, &mut desk);
    serve.finish();
    assert_eq!(serve.stdout.whole(), format!("{}\n", serve.socket().display()));
}

#[test]
fn t08_no_secret_of_the_environment_is_written_anywhere() {
    let launch = Launch::tim(["serve"]).env("ANTHROPIC_API_KEY", "canary-123");
    let (mut serve, mut desk) = Serve::under_parent(&Parent::open(), launch);
    live(&serve, &mut desk);
    serve.finish();
    let files = all_below(&serve.folder().path("."));
    let held = files.iter().filter_map(|path| std::fs::read(path).ok());
    let texts = held.chain([serve.stdout.whole().into_bytes(), serve.stderr.whole().into_bytes()]);
    assert!(!texts.into_iter().any(|text| String::from_utf8_lossy(&text).contains("canary-123")));
}
