//! Hello and welcome: what a client of ours hears that one of the original does not, and what no client can do.

use serde_json::json;

use crate::support::client::{Client, assert_answered, permission};
use crate::support::desk::Parent;
use crate::support::serve::Serve;

#[test]
fn a_greeting_is_answered_with_role_path_and_whether_somebody_can_answer() {
    let alone = Serve::alone();
    let (_client, welcome) = Client::greet(alone.socket(), "script", "x");
    assert_eq!(welcome, json!({"type": "welcome", "tim": 1, "role": "serve", "path": "x", "desk": false}));
    let (serve, _desk) = Serve::under_test();
    let (_client, welcome) = Client::greet(serve.socket(), "script", "review");
    assert_eq!((&welcome["path"], &welcome["desk"]), (&json!("x/review"), &json!(true)));
}

#[test]
fn two_of_the_same_label_get_two_paths() {
    let serve = Serve::alone();
    let greeted = [1, 2, 3].map(|_| Client::greet(serve.socket(), "script", "x"));
    let paths: Vec<&str> = greeted.iter().map(|(_, welcome)| welcome["path"].as_str().unwrap()).collect();
    assert_eq!(paths, ["x", "x-2", "x-3"]);
}

#[test]
fn a_label_in_any_words_becomes_one_that_can_be_shown() {
    let serve = Serve::alone();
    for label in ["Übung \u{1b}[2J 12", "a/b", "", "UPPER", &"long".repeat(1 << 20)] {
        let (_client, welcome) = Client::greet(serve.socket(), "script", label);
        let path = welcome["path"].as_str().unwrap();
        let fits = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
        assert!((1..=32).contains(&path.len()) && path.bytes().all(fits), "{label:.40} became {path:?}");
    }
}

#[test]
fn only_who_said_hello_hears_that_a_question_is_shown() {
    let (serve, mut desk) = Serve::under_test();
    let (mut ours, _) = Client::greet(serve.socket(), "script", "ours");
    let mut original = serve.client();
    ours.confirm("a");
    original.confirm("b");
    for text in ["a", "b"] {
        let asked = desk.prompt_about(text);
        desk.shown(&asked);
        desk.answer(&asked, &json!(true));
    }
    let shown = ours.take("prompt_shown", |line| line["type"] == "prompt_shown");
    assert_eq!(shown["requestId"], "a");
    assert_answered(&ours.response("a"), &json!(true));
    assert_answered(&original.response("b"), &json!(true));
    original.heard_nothing_else();
    assert_eq!(serve.journal().records("shown").len(), 2);
}

#[test]
fn an_asker_can_withdraw_its_question() {
    let (serve, mut desk) = Serve::under_test();
    let (mut client, _) = Client::greet(serve.socket(), "script", "x");
    client.confirm("a");
    let asked = desk.prompt();
    client.send(&json!({"type": "prompt_cancel", "requestId": "a", "reason": "cancelled"}));
    assert_eq!(desk.withdrawn(&asked), "cancelled");
    let response = client.response("a");
    assert_eq!(
        (&response["outcome"], &response["error"]),
        (&json!("cancelled"), &json!("Prompt was cancelled"))
    );
    assert_eq!(serve.journal().end_of("a").outcome, "cancelled");
}

#[test]
fn t12_no_byte_of_a_client_answers_types_or_shows_anything() {
    let (serve, mut desk) = Serve::under_test();
    let (mut victim, _) = Client::greet(serve.socket(), "script", "victim");
    victim.confirm("a");
    victim.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let (a, p) = (desk.prompt_about("a"), desk.prompt_about("Bash"));
    let (mut attacker, _) = Client::greet(serve.socket(), "tim", "attacker");
    for id in [json!("a"), a.id.clone(), json!("p"), p.id.clone()] {
        attacker.send(&json!({"type": "prompt_response", "requestId": id, "value": true}));
        attacker.send(&json!({"type": "permission_response", "requestId": id, "approved": true}));
        attacker.send(&json!({"type": "prompt_shown", "requestId": id}));
        attacker.send(&json!({"type": "prompt_cancel", "requestId": id, "reason": "timed_out"}));
        let claim = json!({"type": "prompt_answered", "timestamp": "", "requestId": id, "promptType": "confirm", "source": "terminal", "value": true});
        attacker.send(&json!({"type": "structured", "message": claim}));
    }
    attacker.send(&json!({"type": "user_input", "content": "typed by a client"}));
    attacker.send(&json!({"type": "welcome", "tim": 1, "role": "run", "path": "main", "desk": true}));
    attacker.confirm("done");
    let done = desk.prompt_about("done");
    desk.answer(&done, &json!(true));
    assert_answered(&attacker.response("done"), &json!(true));
    victim.heard_nothing_else();
    desk.answer(&a, &json!(false));
    assert_answered(&victim.response("a"), &json!(false));
    desk.send(
        &json!({"type": "permission_response", "requestId": p.id, "approved": false, "outcome": "answered"}),
    );
    assert_eq!(victim.response("p")["approved"], false);
    victim.heard_nothing_else();
    assert!(!desk.unclaimed().iter().any(|line| line["type"] == "user_input"));
}

#[test]
fn a_serve_greets_its_parent_first_and_says_what_it_is() {
    let parent = Parent::open();
    let _process = crate::support::launch::Launch::tim(["serve"]).under(parent.path()).start();
    let mut desk = parent.accept();
    let hello = desk.line().unwrap();
    assert_eq!((&hello["type"], &hello["tim"], &hello["as"]), (&json!("hello"), &json!(1), &json!("tim")));
    assert!(hello["label"].is_string(), "{hello}");
}
