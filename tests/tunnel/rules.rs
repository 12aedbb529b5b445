//! Rules in a service: what the file and the flags say is answered at once, for those that it is meant for.

use serde_json::{Value, json};

use crate::support::client::{Client, permission};
use crate::support::desk::{Asked, Desk, Parent};
use crate::support::launch::Launch;
use crate::support::serve::Serve;

/// Asks whether a command may run.
fn may_run(client: &mut Client, command: &str) -> Value {
    client.send(&permission(command, "Bash", &json!({"command": command})));
    client.response(command)
}

#[test]
fn the_bridge_of_an_agent_is_answered_by_the_rules_of_the_flags() {
    let launch = Launch::tim(["serve", "--allow", "Bash(git status:*)", "--deny", "Bash(rm:*)"]);
    let mut serve = Serve::ready(launch.start());
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    assert_eq!(may_run(&mut bridge, "git status -s")["approved"], true);
    let denied = may_run(&mut bridge, "git status; rm x");
    assert_eq!((&denied["approved"], &denied["outcome"]), (&json!(false), &json!("answered")));
    assert_eq!(denied["message"], "Denied by the rule Bash(rm:*).");
    assert_eq!(may_run(&mut bridge, "touch x")["outcome"], "refused");
    let (mut script, _) = Client::greet(serve.socket(), "script", "x");
    assert_eq!(may_run(&mut script, "git status")["outcome"], "refused");
    let journal = serve.journal();
    let sources: Vec<_> = journal.records("outcome").iter().map(|end| end["source"].clone()).collect();
    assert_eq!(sources, [json!("rule"), json!("rule"), Value::Null, Value::Null]);
    assert_eq!(journal.records("run")[0]["rules"]["allow"], json!(["Bash(git status:*)"]));
    serve.finish();
}

#[test]
fn the_users_file_counts_and_one_that_is_not_understood_counts_for_nothing() {
    for (text, approved) in [("allow = ['Bash(ls:*)']", true), ("allow = ['Bash(ls:*)', 'Bash(:*)']", false)]
    {
        let launch = Launch::tim(["serve"]);
        let folder = launch.folder().folder("config/tim");
        std::fs::write(folder.join("rules.toml"), text).unwrap();
        let mut serve = Serve::ready(launch.start());
        let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
        assert_eq!(may_run(&mut bridge, "ls")["approved"], approved, "{text}");
        serve.finish();
    }
}

#[test]
fn nothing_is_allowed_unasked_while_it_is_not_known_what_is_denied() {
    let launch = Launch::tim(["serve", "--allow", "Bash(git:*)"]);
    let folder = launch.folder().folder("config/tim");
    std::fs::write(folder.join("rules.toml"), "deny = ['Bash(git push:*)']\nalow = []").unwrap();
    let mut serve = Serve::ready(launch.start());
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    assert_eq!(may_run(&mut bridge, "git push")["outcome"], "refused");
    assert_eq!(may_run(&mut bridge, "git status")["outcome"], "refused");
    serve.finish();
}

#[test]
fn without_a_rule_nothing_is_allowed_not_even_a_cd() {
    let mut serve = Serve::alone();
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    assert_eq!(may_run(&mut bridge, "cd sub")["outcome"], "refused");
    serve.finish();
}

#[test]
fn below_another_tim_nothing_is_allowed_unasked_and_what_is_denied_stays_denied() {
    let parent = Parent::open();
    let launch = Launch::tim(["serve", "--allow", "Bash(ls:*)", "--deny", "Bash(rm:*)"]);
    let (serve, mut desk) = Serve::under_parent(&parent, launch);
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    assert_eq!(may_run(&mut bridge, "rm x")["message"], "Denied by the rule Bash(rm:*).");
    bridge.send(&permission("a", "Bash", &json!({"command": "ls"})));
    desk.take("the permission", |line| line["type"] == "permission_request");
}

/// The parent grants rules with its yes.
fn grants(desk: &mut Desk, asked: &Asked, rules: &Value) {
    let grant = json!({"rule": rules[0], "rules": rules, "scope": "session"});
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": true, "outcome": "answered", "grant": grant}));
}

#[test]
fn what_the_person_above_grants_is_kept_by_the_owner_of_the_agent_and_answers_what_waits() {
    let (mut serve, mut desk) = Serve::under_test();
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    let (mut nested, _) = Client::greet(serve.socket(), "tim", "below");
    let ask = |client: &mut Client, command: &str| {
        client.send(&permission(command, "Bash", &json!({"command": command})));
    };
    ask(&mut bridge, "git fetch a && npm test");
    let first = desk.prompt();
    ask(&mut bridge, "git fetch b");
    let second = desk.prompt();
    ask(&mut nested, "npm test");
    let below = desk.prompt();
    grants(&mut desk, &first, &json!(["Bash(git fetch:*)", "Bash(npm test:*)"]));
    assert_eq!(bridge.response("git fetch a && npm test")["approved"], true);
    assert_eq!(bridge.response("git fetch b")["approved"], true);
    assert_eq!(desk.withdrawn(&second), "cancelled");
    assert_eq!(may_run(&mut bridge, "npm test -- x")["approved"], true);
    desk.send(&json!({"type": "permission_response", "requestId": below.id, "approved": false, "outcome": "answered"}));
    assert_eq!(nested.response("npm test")["approved"], false, "whoever is below was not granted anything");
    serve.finish();
    let sources: Vec<_> =
        serve.journal().records("outcome").iter().map(|end| end["source"].clone()).collect();
    assert_eq!(sources, ["parent", "rule", "rule", "parent"]);
    let (code, stdout, stderr) = Launch::tim(["replay", "--check"]).arg(serve.journal_path()).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

#[test]
fn a_grant_that_would_not_allow_what_was_asked_allows_nothing() {
    let (serve, mut desk) = Serve::under_test();
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    for rules in [json!(["Bash(npm test:*)"]), json!(["Bash(git fetch"]), json!([])] {
        bridge.send(&permission("p", "Bash", &json!({"command": "git fetch"})));
        let asked = desk.prompt();
        grants(&mut desk, &asked, &rules);
        let response = bridge.response("p");
        assert_eq!(
            (&response["approved"], &response["outcome"]),
            (&json!(false), &json!("refused")),
            "{rules}"
        );
    }
    bridge.send(&permission("p", "Bash", &json!({"command": "npm test"})));
    desk.prompt();
}

#[test]
fn an_answer_command_can_grant() {
    let answer = r#"{"allow":true,"scope":"session","rule":"Bash(ls:*)"}"#;
    let mut serve = Serve::answered_by(&format!("cat > /dev/null; echo '{answer}'"));
    let (mut bridge, _) = Client::greet(serve.socket(), "bridge", "permissions");
    assert_eq!(may_run(&mut bridge, "ls")["approved"], true);
    assert_eq!(may_run(&mut bridge, "ls -a")["approved"], true);
    assert_eq!(may_run(&mut bridge, "touch x")["outcome"], "refused", "the rule is not for that");
    serve.finish();
    let sources: Vec<_> =
        serve.journal().records("outcome").iter().map(|end| end["source"].clone()).collect();
    assert_eq!(sources, [json!("command"), json!("rule"), Value::Null]);
}

#[test]
fn a_bad_rule_of_a_flag_is_a_usage_error_that_shows_the_place() {
    let (code, _, said) = Launch::tim(["serve", "--allow", "Bash(git status:*"]).start().exit();
    assert_eq!(code, Some(2));
    assert!(said.contains("--allow: the `)` at the end is missing"), "{said}");
}
