//! The rows of the fault matrix about the permission channel. A test carries the number of its row.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::driver::{Bridge, decide};
use crate::support::client::{Client, permission};
use crate::support::launch::Launch;
use crate::support::serve::Serve;

#[test]
fn f096_a_bridge_that_is_killed_takes_its_question_with_it_and_nothing_is_approved() {
    let (serve, mut desk) = Serve::under_test();
    let mut bridge = Bridge::to(serve.socket());
    bridge.call("Bash", &json!({"command": "echo"}));
    let asked = desk.prompt();
    bridge.signal(Signal::KILL);
    assert_eq!(desk.withdrawn(&asked), "asker_gone");
    assert_eq!(bridge.ended().code(), None);
    let mut next = Bridge::to(serve.socket());
    let id = next.call("Bash", &json!({"command": "echo"}));
    let asked = desk.prompt();
    decide(&mut desk, &asked, true, &json!({}));
    assert_eq!(next.decision(id)["behavior"], "allow");
    // What was answered is on file, and so is all that came before it.
    let ends = serve.journal().ends();
    assert_eq!(ends.len(), 2, "{ends:?}");
    assert_eq!((ends[0].outcome.as_str(), &ends[0].value), ("cancelled", &None));
}

#[test]
fn f097_the_first_request_waits_for_a_bridge_that_starts_late() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let launch = Launch::tim(["mcp", "serve", "--socket"]).arg(serve.socket());
    let mut bridge = Bridge::start(launch.env("TIM_TEST_BRIDGE_DELAY_MS", "1500"));
    bridge.begin("2025-11-25");
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    assert_eq!(bridge.decision(id)["behavior"], "allow");
    bridge.finish();
}

/// Says yes to everything that it is asked.
fn agreeable() -> Serve {
    Serve::answered_by(r#"echo '{"allow":true}'"#)
}

/// Asks over the socket itself; gives what came back for it, if anything, before the answer to a question that is asked
/// behind it.
fn raw(serve: &Serve, request: &Value) -> Option<Value> {
    let (mut client, _) = Client::greet(serve.socket(), "bridge", "permissions");
    client.send(request);
    client.send(&permission("behind", "Bash", &json!({"command": "echo"})));
    assert_eq!(client.response("behind")["approved"], true);
    client.unclaimed().first().map(|line| (*line).clone())
}

#[test]
fn f098_a_request_that_lacks_something_is_never_approved() {
    let serve = agreeable();
    let whole = permission("p", "Bash", &json!({"command": "echo"}));
    for name in ["requestId", "tool_name", "input"] {
        let mut request = whole.clone();
        request.as_object_mut().unwrap().remove(name);
        let told = raw(&serve, &request);
        assert!(told.as_ref().is_none_or(|told| told["approved"] == false), "{name}: {told:?}");
        assert_eq!(told.is_some(), name != "requestId", "whoever can be told is told: {name}");
    }
    let mut bridge = Bridge::to(serve.socket());
    for arguments in [json!({}), json!({"tool_name": "Bash"}), json!({"input": {}}), json!([]), json!(null)] {
        let id = bridge.call_with(&arguments);
        let words = bridge.denied(id);
        assert!(words.starts_with("This was not allowed: "), "{arguments}: {words}");
    }
    let id = bridge.request("tools/call", &json!({"name": "approval_prompt"}));
    bridge.denied(id);
}

#[test]
fn f099_an_odd_input_is_denied_or_asked_and_nothing_breaks() {
    let serve = agreeable();
    for input in [json!(null), json!(7), json!("x"), json!([])] {
        let told = raw(&serve, &permission("p", "Bash", &input)).expect("a reply");
        assert_eq!(told["approved"], false, "{told}");
        let mut bridge = Bridge::to(serve.socket());
        let id = bridge.call("Bash", &input);
        assert!(bridge.denied(id).contains("input"), "{}", bridge.denied(id));
    }
    let mut bridge = Bridge::to(serve.socket());
    let odd = json!({"command": 7, "file_path": null});
    let id = bridge.call("Bash", &odd);
    assert_eq!(bridge.decision(id), json!({"behavior": "allow", "updatedInput": odd}), "asked as it is");
}

fn options(count: usize) -> Value {
    let options: Vec<Value> = (0..count).map(|number| json!({"label": format!("o{number}")})).collect();
    json!({"questions": [{"question": "What?", "options": options}]})
}

#[test]
fn f100_questions_that_nobody_could_answer_are_denied_with_a_reason() {
    let serve = Serve::answered_by(r#"echo '{"answers":["o0"]}'"#);
    let odd = [json!({"questions": []}), json!({"questions": 7}), options(0), options(100), json!({})];
    let mut bridge = Bridge::to(serve.socket());
    for input in odd {
        let (mut client, _) = Client::greet(serve.socket(), "bridge", "permissions");
        client.send(&permission("p", "AskUserQuestion", &input));
        let told = client.response("p");
        assert_eq!((&told["approved"], &told["outcome"]), (&json!(false), &json!("refused")), "{told}");
        assert!(told["message"].as_str().is_some_and(|why| !why.is_empty()), "{told}");
        let id = bridge.call("AskUserQuestion", &input);
        assert!(bridge.denied(id).contains("questions"), "{}", bridge.denied(id));
    }
    let id = bridge.call("AskUserQuestion", &options(2));
    assert_eq!(bridge.decision(id)["updatedInput"]["answers"], json!({"What?": "o0"}));
}

#[test]
fn f101_a_rule_that_allows_the_tool_does_not_answer_its_questions() {
    let launch = Launch::tim(["serve", "--allow", "AskUserQuestion", "--answer-command"]);
    let serve = Serve::ready(launch.arg(r#"echo '{"answers":["o1"]}'"#).start());
    let mut bridge = Bridge::to(serve.socket());
    let id = bridge.call("AskUserQuestion", &options(2));
    assert_eq!(bridge.decision(id)["updatedInput"]["answers"], json!({"What?": "o1"}));
    let nobody = Serve::ready(Launch::tim(["serve", "--allow", "AskUserQuestion"]).start());
    let mut bridge = Bridge::to(nobody.socket());
    let id = bridge.call("AskUserQuestion", &options(2));
    bridge.denied(id);
}

#[test]
fn f102_a_yes_that_nobody_said_is_a_no() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    for outcome in ["timed_out", "disconnected", "refused", "cancelled", "declined"] {
        let id = bridge.call("Bash", &json!({"command": "echo"}));
        let asked = desk.prompt();
        decide(&mut desk, &asked, true, &json!({"outcome": outcome, "message": "by default"}));
        bridge.denied(id);
    }
    for wrong in [json!({"approved": "yes"}), json!({"approved": 1}), json!({"approved": null})] {
        let id = bridge.call("Bash", &json!({"command": "echo"}));
        let asked = desk.prompt();
        decide(&mut desk, &asked, true, &wrong);
        bridge.denied(id);
    }
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    let asked = desk.prompt();
    desk.answer(&asked, &json!({"allow": true}));
    bridge.denied(id);
}
