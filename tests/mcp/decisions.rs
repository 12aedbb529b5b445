//! What is decided, and what Claude Code is told of it.

use serde_json::{Value, json};

use crate::driver::{Bridge, decide};
use crate::support::launch::Launch;
use crate::support::serve::Serve;

fn allowed(input: &Value) -> Value {
    json!({"behavior": "allow", "updatedInput": input})
}

#[test]
fn a_yes_carries_the_input_and_a_no_the_reason() {
    let command =
        r#"grep -q 'rm x' && echo '{"allow":false,"reason":"Not on a Monday."}' || echo '{"allow":true}'"#;
    let serve = Serve::answered_by(command);
    let mut bridge = Bridge::to(serve.socket());
    let input = json!({"command": "echo", "description": "Say it"});
    let yes = bridge.call("Bash", &input);
    assert_eq!(bridge.decision(yes), allowed(&input));
    let no = bridge.call("Bash", &json!({"command": "rm x"}));
    assert_eq!(bridge.denied(no), "Not on a Monday.");
    assert_eq!(bridge.finish().len(), 3);
}

#[test]
fn the_person_sees_who_asks_and_what() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    bridge.call("Write", &json!({"file_path": "a", "content": "ü\u{1b}[2J"}));
    let asked = desk.prompt();
    assert_eq!((asked.kind.as_str(), asked.text.as_str()), ("permission", "Write"));
    assert_eq!(asked.message["input"], json!({"file_path": "a", "content": "ü\u{1b}[2J"}));
    assert_eq!(asked.message["tool_use_id"], "toolu_1");
    assert!(asked.message.get("timeoutMs").is_none(), "a person may take hours: {}", asked.message);
}

#[test]
fn nothing_that_comes_back_changes_what_runs() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let input = json!({"command": "echo"});
    for more in [
        json!({"updatedInput": {"command": "rm -rf x"}}),
        json!({"updatedInput": null, "message": "fine"}),
        json!({"updatedInput": [], "grant": {"rule": "Bash(echo:*)", "scope": "session"}}),
        json!({"updatedPermissions": [{"type": "setMode", "mode": "bypassPermissions"}]}),
    ] {
        let id = bridge.call("Bash", &input);
        let asked = desk.prompt();
        decide(&mut desk, &asked, true, &more);
        assert_eq!(bridge.decision(id), allowed(&input), "{more}");
    }
}

#[test]
fn the_input_comes_back_to_the_last_byte() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::to(serve.socket());
    let input = r#"{"z":1.50,"a":1e400,"half":"\ud83d","n":12345678901234567890123,"é":"\u00e9"}"#;
    let line = format!(
        r#"{{"method":"tools/call","params":{{"name":"approval_prompt","arguments":{{"tool_name":"Odd","input":{input}}}}},"jsonrpc":"2.0","id":77}}"#
    );
    bridge.send_bytes(format!("{line}\n").as_bytes());
    let reply = bridge.reply(77);
    let text = reply["result"]["content"][0]["text"].as_str().unwrap();
    assert_eq!(text, format!(r#"{{"behavior":"allow","updatedInput":{input}}}"#));
}

#[test]
fn the_rules_of_the_tim_decide_as_for_any_agent_of_its() {
    let launch = Launch::tim(["serve", "--allow", "Bash(git status:*)", "--deny", "Bash(rm:*)"]);
    let serve = Serve::ready(launch.start());
    let mut bridge = Bridge::to(serve.socket());
    let yes = bridge.call("Bash", &json!({"command": "git status -s"}));
    assert_eq!(bridge.decision(yes)["behavior"], "allow");
    let no = bridge.call("Bash", &json!({"command": "rm x"}));
    assert_eq!(bridge.denied(no), "Denied by the rule Bash(rm:*).");
    let nobody = bridge.call("Bash", &json!({"command": "touch x"}));
    assert!(bridge.denied(nobody).contains("No one can answer here"), "{}", bridge.denied(nobody));
}

#[test]
fn an_input_that_is_too_large_is_denied_with_the_reason() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::to(serve.socket());
    let large = bridge.call("Write", &json!({"content": "x".repeat(9 << 20)}));
    assert!(bridge.denied(large).contains("8 MiB"), "{}", bridge.denied(large));
    let small = bridge.call("Write", &json!({"content": "x"}));
    assert_eq!(bridge.decision(small)["behavior"], "allow");
}

#[test]
fn a_no_without_a_reason_has_words_all_the_same() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    let asked = desk.prompt();
    decide(&mut desk, &asked, false, &json!({}));
    assert_eq!(bridge.denied(id), "The person said no to this.");
}

#[test]
fn several_calls_are_asked_at_once_and_answered_in_any_order() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let first = bridge.call("Read", &json!({"file_path": "1"}));
    let second = bridge.call("Read", &json!({"file_path": "2"}));
    let (one, two) = (desk.prompt(), desk.prompt());
    assert_ne!(one.id, two.id);
    decide(&mut desk, &two, true, &json!({}));
    assert_eq!(bridge.decision(second)["updatedInput"]["file_path"], "2");
    assert!(!bridge.said().iter().any(|line| line["id"] == first), "the first is still open");
    decide(&mut desk, &one, false, &json!({"message": "no"}));
    assert_eq!(bridge.denied(first), "no");
    assert_eq!(bridge.finish().len(), 3);
}
