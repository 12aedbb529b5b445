//! What crosses a hop: every kind of question as that kind, permissions as permissions, ends as they are.

use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered, assert_refused, assert_unanswered, permission};
use crate::support::desk::Desk;
use crate::support::serve::Serve;

/// Decides a permission as a parent would.
fn decide(desk: &mut Desk, decision: &Value) {
    let asked = desk.prompt();
    assert_eq!(asked.kind, "permission");
    let mut line = json!({"type": "permission_response", "requestId": asked.id});
    line.as_object_mut().unwrap().extend(decision.as_object().unwrap().clone());
    desk.send(&line);
}

#[test]
fn the_kinds_of_ours_reach_the_parent_as_they_are() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let choices = json!([{"name": "A", "value": "A"}, {"name": "B", "value": "B"}]);
    let kinds = [
        ("approval", json!({"message": "Delete?"}), json!("approve")),
        ("approval", json!({"message": "Delete?"}), json!("reject")),
        ("choice", json!({"message": "Which?", "choices": choices}), json!({"index": 1, "value": "B"})),
        ("choice", json!({"message": "Which?", "choices": choices}), json!("reject")),
        ("text", json!({"message": "Say"}), json!("more")),
    ];
    for (kind, config, value) in kinds {
        client.ask("q", kind, &config);
        let asked = desk.prompt();
        assert_eq!((asked.kind.as_str(), &asked.message["promptConfig"]), (kind, &config));
        desk.answer(&asked, &value);
        assert_answered(&client.response("q"), &value);
    }
}

#[test]
fn a_permission_is_asked_as_one_and_decided() {
    let (serve, mut desk) = Serve::under_test();
    // A tim below: what its agents are granted is not for us to judge.
    let (mut client, _) = Client::greet(serve.socket(), "tim", "b");
    let input = json!({"command": "git fetch", "later": [1, {"x": null}]});
    let mut request = permission("p1", "Bash", &input);
    request["tool_use_id"] = json!("toolu_1");
    request["agent_name"] = json!("Explore");
    client.send(&request);
    let asked = desk.prompt();
    let fields = ["tool_name", "input", "tool_use_id", "agent_name"].map(|name| asked.message[name].clone());
    assert_eq!(fields, [json!("Bash"), input, json!("toolu_1"), json!("Explore")]);
    assert_ne!(asked.id, json!("p1"), "asked anew under an id of its own");
    let grant = json!({"rule": "Bash(git fetch:*)", "scope": "session"});
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": true, "outcome": "answered", "grant": grant}));
    let response = client.response("p1");
    assert_eq!(
        (&response["approved"], &response["outcome"]),
        (&json!(true), &json!("answered")),
        "{response}"
    );
    assert_eq!(response["grant"], grant, "{response}");
    assert!(response.get("updatedInput").is_none(), "it never crosses: {response}");
}

#[test]
fn a_grant_of_several_rules_crosses_whole() {
    let (serve, mut desk) = Serve::under_test();
    let (mut client, _) = Client::greet(serve.socket(), "tim", "b");
    client.send(&permission("p", "Bash", &json!({"command": "git fetch && npm test"})));
    let rules = json!(["Bash(git fetch:*)", "Bash(npm test:*)"]);
    let grant = json!({"rule": "Bash(git fetch:*)", "scope": "session", "rules": rules});
    decide(&mut desk, &json!({"approved": true, "outcome": "answered", "grant": grant}));
    assert_eq!(client.response("p")["grant"], grant);
}

#[test]
fn a_denial_crosses_with_its_words() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.send(&permission("p", "Write", &json!({"file_path": "a"})));
    decide(&mut desk, &json!({"approved": false, "outcome": "answered", "message": "use b instead"}));
    let response = client.response("p");
    assert_eq!(
        (&response["approved"], &response["outcome"]),
        (&json!(false), &json!("answered")),
        "{response}"
    );
    assert_eq!(response["message"], "use b instead");
}

#[test]
fn t18_a_yes_that_nobody_said_is_a_no() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    for outcome in ["declined", "disconnected", "cancelled", "refused"] {
        client.send(&permission("p", "Bash", &json!({"command": "echo"})));
        decide(&mut desk, &json!({"approved": true, "outcome": outcome}));
        let response = client.response("p");
        assert_eq!(response["approved"], false, "{response}");
        assert_ne!(response["outcome"], "answered", "{response}");
    }
}

#[test]
fn a_permission_with_odd_fields_is_denied_and_never_asked() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    for input in [json!(null), json!(5), json!("text"), json!([])] {
        client.send(&permission("p", "Bash", &input));
        let response = client.response("p");
        assert_eq!(
            (&response["approved"], &response["outcome"]),
            (&json!(false), &json!("refused")),
            "{response}"
        );
    }
    client.confirm("only this");
    assert_eq!(desk.prompt().text, "only this");
}

#[test]
fn what_the_parent_says_of_an_end_is_what_the_client_hears() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let ends = [("declined", "Declined by the user"), ("disconnected", "Tunnel connection closed")];
    for (outcome, error) in ends {
        client.confirm("q");
        let asked = desk.prompt();
        desk.end_with(&asked, outcome, error);
        assert_unanswered(&client.response("q"), outcome, error);
    }
    client.confirm("q");
    let asked = desk.prompt();
    desk.end_with(&asked, "timed_out", "Prompt request timed out after 5000ms");
    assert_eq!(client.response("q")["outcome"], "timed_out");
    client.confirm("q");
    let asked = desk.prompt();
    desk.end_with(&asked, "refused", "No one can answer here");
    assert_refused(&client.response("q"), "given_back");
}

#[test]
fn an_answer_that_cannot_be_read_still_ends_its_question() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("q");
    let asked = desk.prompt();
    desk.send(&json!({"type": "prompt_response", "requestId": asked.id, "error": 7}));
    let response = client.response("q");
    assert!(response.get("value").is_none() && response["outcome"] != "answered", "{response}");
}
