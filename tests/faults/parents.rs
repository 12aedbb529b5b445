//! Parents that go away, never were, say nothing or speak something else.

use std::io::Write as _;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::support::client::{assert_answered, assert_refused, assert_unanswered, permission};
use crate::support::desk::Parent;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::wait::now;

#[test]
fn f045_a_lost_parent_ends_open_questions_and_refuses_later_ones() {
    let (mut serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("a");
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    desk.prompt_about("a");
    desk.prompt_about("Bash");
    drop(desk);
    assert_unanswered(&client.response("a"), "disconnected", "Tunnel connection closed");
    let denied = client.response("p");
    assert_eq!(
        (&denied["approved"], &denied["outcome"]),
        (&json!(false), &json!("disconnected")),
        "{denied}"
    );
    assert_refused(&client.round_trip("later"), "no_desk");
    assert!(serve.lives());
    assert_eq!(serve.journal().end_of("a").outcome, "disconnected");
}

#[test]
fn f045_with_a_parent_that_runs_an_agent_it_ends_too() {
    let parent = Parent::open();
    let process = Launch::tim(["serve"]).under(parent.path()).start();
    let mut desk = parent.greet("run");
    let mut serve = Serve::ready(process);
    let mut client = serve.client();
    client.confirm("a");
    desk.prompt();
    drop(desk);
    assert_unanswered(&client.response("a"), "disconnected", "Tunnel connection closed");
    assert_eq!(serve.ended().code(), Some(4));
    client.end("the server is gone");
}

/// Started with a parent that is none: it says so once, and works alone.
fn works_alone(launch: Launch, path: &Path) {
    let start = now();
    let mut serve = Serve::ready(launch.start());
    assert_refused(&serve.client().round_trip("q"), "no_desk");
    assert!(start.elapsed() < Duration::from_secs(20), "ten times 2 s: {:?}", start.elapsed());
    assert_eq!(serve.finish(), Some(143));
    let stderr = serve.stderr.whole();
    let warnings = stderr.lines().filter(|line| line.contains(&*path.to_string_lossy())).count();
    assert_eq!(warnings, 1, "one warning: {stderr}");
}

#[test]
fn f126_a_tunnel_that_leads_nowhere_is_a_warning() {
    let launch = Launch::tim(["serve"]);
    let nowhere = launch.folder().path("nowhere");
    works_alone(launch.under(&nowhere), &nowhere);
}

#[test]
fn f126_a_tunnel_whose_server_is_dead_is_a_warning() {
    let launch = Launch::tim(["serve"]);
    let dead = launch.folder().path("dead");
    drop(std::os::unix::net::UnixListener::bind(&dead).unwrap());
    works_alone(launch.under(&dead), &dead);
}

#[test]
fn f127_a_tunnel_whose_server_says_nothing_is_a_warning_after_two_seconds() {
    let parent = Parent::open();
    works_alone(Launch::tim(["serve"]).under(parent.path()), parent.path());
}

#[test]
fn f127_a_tunnel_that_speaks_something_else_is_a_warning() {
    let parent = Parent::open();
    let path = parent.path().to_owned();
    let stranger = std::thread::spawn(move || {
        let desk = parent.accept();
        desk.stream().write_all(b"220 smtp.example.org ESMTP\r\n{\"jsonrpc\":\"2.0\"}\n").ok();
        desk
    });
    works_alone(Launch::tim(["serve"]).under(&path), &path);
    stranger.join().unwrap();
}

#[test]
fn f127_a_tunnel_that_is_closed_at_once_is_a_warning() {
    let parent = Parent::open();
    let path = parent.path().to_owned();
    let closer = std::thread::spawn(move || drop(parent.accept()));
    works_alone(Launch::tim(["serve"]).under(&path), &path);
    closer.join().unwrap();
}

#[test]
fn f128_a_tunnel_to_itself_is_harmless() {
    let launch = Launch::tim(["serve", "--socket"]);
    let path = launch.folder().folder("sockets").join("s");
    works_alone(launch.arg(&path).under(&path), &path);
}

#[test]
fn f126_an_empty_variable_is_none() {
    let mut serve = Serve::ready(Launch::tim(["serve"]).env("TIM_OUTPUT_SOCKET", "").start());
    assert_refused(&serve.client().round_trip("q"), "no_desk");
    serve.finish();
    assert!(!serve.stderr.whole().contains("tunnel"), "{}", serve.stderr.text());
}

fn content(line: &Value) -> Option<&str> {
    (line["type"] == "user_input").then(|| line["content"].as_str().unwrap())
}

#[test]
fn f125_a_typed_line_for_one_who_is_not_there_is_said_to_be_undelivered() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    desk.send(&json!({"type": "user_input", "content": "hello?", "inputId": "i1", "to": "x/nobody"}));
    let receipt = desk.take("a receipt", |line| line["type"] == "user_input_receipt");
    assert_eq!(
        (&receipt["inputId"], &receipt["state"]),
        (&json!("i1"), &json!("not_delivered")),
        "{receipt}"
    );
    client.confirm("q");
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("q"), &json!(true));
    client.heard_nothing_else();
}

#[test]
fn f125_a_receipt_of_a_child_comes_up() {
    use crate::support::client::Client;
    let (serve, mut desk) = Serve::under_test();
    let (mut child, welcome) = Client::greet(serve.socket(), "tim", "a");
    let path = &welcome["path"];
    desk.send(&json!({"type": "user_input", "content": "hello", "inputId": "i1", "to": path}));
    let heard = child.take("a typed line", |line| line["type"] == "user_input");
    assert_eq!(heard["inputId"], "i1", "{heard}");
    child.send(&json!({"type": "user_input_receipt", "inputId": "i1", "path": path, "state": "written"}));
    let receipt = desk.take("a receipt", |line| line["type"] == "user_input_receipt");
    assert_eq!((&receipt["inputId"], &receipt["state"]), (&json!("i1"), &json!("written")), "{receipt}");
}

#[test]
fn f125_a_typed_line_reaches_the_one_it_is_for_and_once() {
    use crate::support::client::Client;
    let (serve, mut desk) = Serve::under_test();
    let (mut first, welcome) = Client::greet(serve.socket(), "tim", "a");
    let (mut second, _) = Client::greet(serve.socket(), "tim", "b");
    let path = &welcome["path"];
    desk.send(&json!({"type": "user_input", "content": "for a", "to": path}));
    assert_eq!(content(&first.line().unwrap()), Some("for a"));
    for client in [&mut first, &mut second] {
        client.confirm("q");
        let asked = desk.prompt();
        desk.answer(&asked, &json!(true));
        assert_answered(&client.response("q"), &json!(true));
        client.heard_nothing_else();
    }
}
