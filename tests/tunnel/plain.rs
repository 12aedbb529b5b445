//! Beneath a parent of the original (`TIM_TUNNEL=plain`): its protocol and nothing of ours.

use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered, permission};
use crate::support::desk::{Desk, Parent};
use crate::support::launch::Launch;
use crate::support::serve::Serve;

fn under_the_original() -> (Serve, Desk) {
    let parent = Parent::open();
    let process = Launch::tim(["serve"]).under(parent.path()).env("TIM_TUNNEL", "plain").start();
    let desk = parent.accept();
    (Serve::ready(process), desk)
}

/// A line as a server of the original answers.
fn answer(desk: &mut Desk, id: &Value, value: &Value) {
    desk.send(&json!({"type": "prompt_response", "requestId": id, "value": value}));
}

#[test]
fn nothing_but_the_lines_of_clients_goes_up() {
    let (serve, mut desk) = under_the_original();
    let (mut client, _) = Client::greet(serve.socket(), "script", "x");
    client.log("as it is");
    assert_eq!(desk.line().unwrap(), json!({"type": "log", "args": ["as it is"]}));
    client.confirm("q");
    let asked = desk.prompt();
    answer(&mut desk, &asked.id, &json!(true));
    assert_answered(&client.response("q"), &json!(true));
    assert!(desk.unclaimed().is_empty(), "{:?}", desk.unclaimed());
}

#[test]
fn the_kinds_of_ours_become_those_of_the_original_and_back() {
    let (serve, mut desk) = under_the_original();
    let mut client = serve.client();
    let choices = json!([{"name": "A", "value": "A"}, {"name": "B", "value": "B"}]);
    let kinds = [
        ("approval", json!({"message": "1"}), "confirm", json!(true), json!("approve")),
        ("approval", json!({"message": "2"}), "confirm", json!(false), json!("reject")),
        ("text", json!({"message": "3"}), "input", json!("more"), json!("more")),
    ];
    for (kind, config, becomes, said, value) in kinds {
        client.ask("q", kind, &config);
        let asked = desk.prompt();
        assert_eq!(
            (asked.kind.as_str(), &asked.text),
            (becomes, &config["message"].as_str().unwrap().to_owned())
        );
        answer(&mut desk, &asked.id, &said);
        assert_answered(&client.response("q"), &value);
    }
    client.ask("q", "choice", &json!({"message": "4", "choices": choices}));
    let asked = desk.prompt();
    assert_eq!(asked.kind, "select");
    let chosen = choice_named(&asked.message, &["B"]);
    answer(&mut desk, &asked.id, &chosen);
    assert_answered(&client.response("q"), &json!({"index": 1, "value": "B"}));
}

/// The value of the choice whose name holds one of some words.
fn choice_named(message: &Value, words: &[&str]) -> Value {
    let choices = message["promptConfig"]["choices"].as_array().expect("choices");
    let named = |choice: &&Value| words.iter().any(|word| choice["name"].as_str().unwrap().contains(word));
    choices.iter().find(named).unwrap_or_else(|| panic!("none of {words:?} in {choices:?}"))["value"].clone()
}

#[test]
fn a_permission_becomes_a_selection_that_names_the_tool() {
    let (serve, mut desk) = under_the_original();
    let mut client = serve.client();
    for (words, approved) in [(["Allow", "Yes"], true), (["Deny", "No"], false)] {
        client.send(&permission("p", "Bash", &json!({"command": "echo canary"})));
        let asked = desk.prompt();
        assert_eq!(asked.kind, "select");
        let shown = asked.message["promptConfig"].to_string();
        assert!(shown.contains("Bash") && shown.contains("echo canary"), "{shown}");
        let chosen = choice_named(&asked.message, &words);
        let default = &asked.message["promptConfig"]["default"];
        assert!(!approved || chosen != *default, "no affirmative default: {shown}");
        answer(&mut desk, &asked.id, &chosen);
        let response = client.response("p");
        assert_eq!(
            (&response["approved"], &response["outcome"]),
            (&json!(approved), &json!("answered")),
            "{response}"
        );
    }
}

#[test]
fn errors_of_the_original_are_understood_by_their_words() {
    let (serve, mut desk) = under_the_original();
    let mut client = serve.client();
    let errors = [
        ("Prompt request timed out after 5000ms", "timed_out"),
        ("User force closed the prompt with SIGINT", "declined"),
        ("Tunnel connection closed", "disconnected"),
    ];
    for (error, outcome) in errors {
        client.confirm("q");
        let asked = desk.prompt();
        desk.send(&json!({"type": "prompt_response", "requestId": asked.id, "error": error}));
        assert_eq!(client.response("q")["outcome"], outcome, "{error}");
    }
}

#[test]
fn a_silent_parent_of_an_executor_is_taken_for_one_of_the_original() {
    for variable in ["TIM_EXECUTOR", "TIM_OWNER_PROCESS_ID"] {
        let parent = Parent::open();
        let process = Launch::tim(["serve"]).under(parent.path()).env(variable, "claude").start();
        let mut desk = parent.accept();
        desk.take("a hello, which the original ignores", |line| line["type"] == "hello");
        let serve = Serve::ready(process);
        let mut client = serve.client();
        client.ask("q", "approval", &json!({"message": "?"}));
        let asked = desk.prompt();
        assert_eq!(asked.kind, "confirm");
        answer(&mut desk, &asked.id, &json!(true));
        assert_answered(&client.response("q"), &json!("approve"));
    }
}
