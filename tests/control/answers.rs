//! Answers from another shell: the first one counts, and everybody is told.

use std::sync::Arc;

use serde_json::json;

use crate::shell::{connected, key, listed, tim, waiting};
use crate::stub::run_in;
use crate::support::client::{Client, assert_answered, assert_refused, assert_unanswered, permission};
use crate::support::serve::Serve;
use crate::support::temp::Temp;
use crate::support::wait::eventually;
use crate::support::wire::is;

#[test]
fn an_answer_from_another_shell_counts_and_a_second_one_is_late() {
    let mut serve = waiting();
    let mut client = serve.client();
    client.confirm("q");
    let key = key(serve.folder(), serve.pid());
    let (code, said, stderr) = tim(serve.folder(), &["answer", &key, "y"]);
    assert_eq!((code, said), (0, format!("{key} answered\n")), "{stderr}");
    assert_answered(&client.response("q"), &json!(true));
    let (code, _, stderr) = tim(serve.folder(), &["answer", &key, "n"]);
    assert_eq!(code, 1);
    assert!(stderr.contains("it was answered from another shell"), "{stderr}");
    client.heard_nothing_else();
    serve.finish();
    let journal = serve.journal();
    assert_eq!(journal.records("outcome")[0]["source"], "control");
    assert_eq!(journal.records("late").len(), 1);
    let file = serve.journal_path();
    let (code, said, _) = tim(serve.folder(), &["replay", "--check", file.to_str().unwrap()]);
    assert_eq!(code, 0, "{said}");
}

#[test]
fn what_does_not_fit_leaves_the_question_open_and_says_why() {
    let serve = waiting();
    let mut client = serve.client();
    let choices = json!([{"name": "main", "value": "m"}, {"name": "develop", "value": "d"}]);
    client.ask("q", "select", &json!({"message": "Which?", "choices": choices}));
    let key = key(serve.folder(), serve.pid());
    for wrong in [&["dev"][..], &["--json", "\"x\""], &["--json", "{}"]] {
        let arguments = [&["answer", key.as_str()][..], wrong].concat();
        let (code, _, stderr) = tim(serve.folder(), &arguments);
        assert_eq!(code, 1, "{wrong:?}: {stderr}");
        assert!(stderr.contains(&key), "{stderr}");
    }
    assert_eq!(tim(serve.folder(), &["answer", &key, "2"]).0, 0);
    assert_answered(&client.response("q"), &json!("d"));
}

#[test]
fn a_permission_is_allowed_or_denied_with_a_reason_and_a_question_declined() {
    let serve = waiting();
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    bridge.send(&permission("one", "Bash", &json!({"command": "echo"})));
    let asked = key(serve.folder(), serve.pid());
    assert_eq!(tim(serve.folder(), &["answer", &asked, "y"]).0, 0);
    assert_eq!(bridge.response("one")["approved"], true);
    bridge.send(&permission("two", "Bash", &json!({"command": "echo"})));
    let asked = key(serve.folder(), serve.pid());
    assert_eq!(tim(serve.folder(), &["answer", &asked, "n", "--reason", "not yet"]).0, 0);
    let no = bridge.response("two");
    assert_eq!((&no["approved"], &no["outcome"]), (&json!(false), &json!("answered")), "{no}");
    assert!(no["message"].as_str().unwrap().contains("not yet"), "{no}");
    let mut client = serve.client();
    client.confirm("q");
    let asked = key(serve.folder(), serve.pid());
    assert_eq!(tim(serve.folder(), &["answer", &asked, "--decline"]).0, 0);
    assert_unanswered(&client.response("q"), "declined", "Declined by the user");
}

#[test]
fn a_key_that_never_was_and_a_run_that_is_not_there_are_told_apart() {
    let serve = waiting();
    let run = listed(serve.folder(), serve.pid()).unwrap()["run"].as_str().unwrap().to_owned();
    let (code, _, stderr) = tim(serve.folder(), &["answer", &format!("{run}.p9"), "y"]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("there was no question"), "{stderr}");
    assert_eq!(tim(serve.folder(), &["answer", "nokey", "y"]).0, 2);
    let (code, _, stderr) = tim(serve.folder(), &["answer", "0123456789.p1", "y"]);
    assert_eq!(code, 4, "{stderr}");
    assert_eq!(tim(serve.folder(), &["answer", "p1"]).0, 2, "no answer at all");
}

#[test]
fn where_nobody_counts_as_being_there_questions_are_refused_at_once() {
    let serve = Serve::alone();
    assert_refused(&serve.client().round_trip("q"), "no_desk");
    let run = listed(serve.folder(), serve.pid()).unwrap();
    assert_eq!((&run["desk"], &run["questions"]), (&json!(false), &json!([])));
    let (_, text, _) = tim(serve.folder(), &["ps"]);
    assert!(text.contains("nobody is there: questions are refused"), "{text}");
}

#[test]
fn one_connection_may_ask_for_several_things_and_hears_of_each() {
    let serve = waiting();
    let mut asker = serve.client();
    asker.confirm("q");
    let key = key(serve.folder(), serve.pid());
    let mut control = connected(serve.folder());
    control.send(&json!({"type": "answer", "key": key, "value": 7}));
    control.send(&json!({"type": "answer", "key": key, "value": true}));
    control.send(&json!({"type": "decline", "key": key}));
    control.send(&json!({"type": "ps"}));
    let reasons: Vec<_> =
        (0..2).map(|_| control.take("an error", |line| is(line, "error"))["reason"].clone()).collect();
    assert_eq!(reasons, ["unfit", "late"]);
    control.take("an ok", |line| is(line, "ok"));
    let status = control.take("what goes on", |line| is(line, "ps"));
    assert_eq!(status["questions"], json!([]));
    assert_answered(&asker.response("q"), &json!(true));
}

#[test]
fn where_nobody_sits_at_a_terminal_it_is_said_what_waits_and_how_to_answer_it() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; asks q; hears; result; to_the_end";
    let mut run = run_in(Arc::clone(&folder), script).arg("--wait").start();
    let key = key(&folder, run.pid());
    let told = format!("? claude  Write a\n  tim answer {key} y\n");
    eventually("what waits", || run.stderr.text().contains(&told).then_some(()));
    assert_eq!(tim(&folder, &["answer", &key, "y"]).0, 0);
    let (code, _, stderr) = run.exit();
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("answered elsewhere") && stderr.contains("Write a · allowed once"), "{stderr}");
}

#[test]
fn an_answer_that_would_change_what_runs_is_none() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; asks q; hears; allowed && touch allowed; result; to_the_end";
    let mut run = run_in(Arc::clone(&folder), script).arg("--wait").within(folder.path("home")).start();
    let key = key(&folder, run.pid());
    let changes = r#"{"allow":true,"updatedInput":{"file_path":"b"}}"#;
    let (code, _, stderr) = tim(&folder, &["answer", &key, "--json", changes]);
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("cannot change what was asked"), "{stderr}");
    assert_eq!(tim(&folder, &["answer", &key, "n"]).0, 0, "it is still open");
    assert_eq!(run.exit().0, Some(0));
    assert!(!folder.path("home/allowed").exists());
}

#[test]
fn an_empty_line_is_sent_to_nobody() {
    let (code, _, stderr) = tim(&Arc::new(Temp::new()), &["send", "claude", " "]);
    assert_eq!(code, 2);
    assert!(stderr.contains("the text is empty"), "{stderr}");
}
