//! Clients that leave while something of theirs is open.

use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::support::client::{assert_answered, prompt};
use crate::support::desk::Asked;
use crate::support::serve::Serve;

#[test]
fn f001_a_client_that_closes_takes_its_question_with_it() {
    let (serve, mut desk) = Serve::under_test();
    let (mut leaver, mut other) = (serve.client(), serve.client());
    leaver.confirm_within("a", 60_000);
    let asked = desk.prompt_about("a");
    desk.shown(&asked);
    other.confirm("b");
    drop(leaver);
    assert_eq!(desk.withdrawn(&asked), "asker_gone");
    let next = desk.prompt_about("b");
    desk.answer(&next, &json!(true));
    assert_answered(&other.response("b"), &json!(true));
    assert_eq!(serve.journal().end_of("a").outcome, "cancelled");
}

#[test]
fn f002_a_client_that_closes_leaves_the_questions_of_others_alone() {
    let (serve, mut desk) = Serve::under_test();
    let (mut first, mut second) = (serve.client(), serve.client());
    second.confirm("b");
    let b = desk.prompt_about("b");
    first.confirm("a");
    let a = desk.prompt_about("a");
    drop(first);
    desk.withdrawn(&a);
    desk.answer(&b, &json!(false));
    assert_answered(&second.response("b"), &json!(false));
    let journal = serve.journal();
    assert_eq!(journal.end_of("a").outcome, "cancelled");
    assert_eq!(journal.end_of("b").value, Some(json!(false)));
}

/// A process whose stdout is the tunnel, so that a kill is all that closes it.
fn client_process(serve: &Serve) -> std::process::Child {
    let socket = OwnedFd::from(UnixStream::connect(serve.socket()).unwrap());
    Command::new("cat").stdin(Stdio::piped()).stdout(socket).env_clear().spawn().unwrap()
}

#[test]
fn f003_a_killed_client_takes_all_its_fifty_questions_with_it() {
    use std::io::Write as _;
    let (serve, mut desk) = Serve::under_test();
    let mut process = client_process(&serve);
    let mut stdin = process.stdin.take().unwrap();
    for number in 0..50 {
        let id = format!("q{number}");
        writeln!(stdin, "{}", prompt(&id, "confirm", &json!({"message": id}), None)).unwrap();
    }
    let asked: Vec<Asked> = (0..50).map(|_| desk.prompt()).collect();
    process.kill().unwrap();
    process.wait().unwrap();
    for one in &asked {
        desk.withdrawn(one);
    }
    serve_answers(&serve, &mut desk);
    let ends = serve.journal().ends();
    assert_eq!(ends.iter().filter(|end| end.outcome == "cancelled").count(), 50);
}

/// A new client is answered; all that happened before it is then on record.
fn serve_answers(serve: &Serve, desk: &mut crate::support::desk::Desk) {
    let mut client = serve.client();
    client.confirm("still there?");
    let asked = desk.prompt_about("still there?");
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("still there?"), &json!(true));
}

#[test]
fn f004_a_half_close_means_gone_and_cancels_its_prompts() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm_within("a", 60_000);
    let asked = desk.prompt();
    client.half_close();
    desk.withdrawn(&asked);
    for line in client.end("after a half-close") {
        assert_eq!(line["outcome"], "cancelled", "{line}");
    }
    serve_answers(&serve, &mut desk);
    assert_eq!(serve.journal().end_of("a").outcome, "cancelled");
}

#[test]
fn f005_a_half_close_within_a_line_drops_the_line() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.send_bytes(br#"{"type":"log","args":["torn"]}"#);
    client.half_close();
    assert!(client.end("after a half-close").is_empty());
    serve_answers(&serve, &mut desk);
    let relayed = desk.unclaimed().iter().any(|line| line.to_string().contains("torn"));
    assert!(!relayed, "{:?}", desk.unclaimed());
}

#[test]
fn f009_an_old_answer_never_reaches_a_new_question_with_the_same_id() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("a");
    let old = desk.prompt();
    drop(client);
    desk.withdrawn(&old);
    let mut again = serve.client();
    again.confirm("a");
    let new = desk.prompt();
    assert_ne!(old.id, new.id, "a fresh id for each hop and question");
    desk.answer(&old, &json!(true));
    desk.answer(&new, &json!(false));
    assert_answered(&again.response("a"), &json!(false));
    let outcomes: Vec<String> = serve.journal().ends().into_iter().map(|end| end.outcome).collect();
    assert_eq!(outcomes, ["cancelled", "answered"]);
}
