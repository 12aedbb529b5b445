//! tim beneath tim beneath tim: a question at the leaf is answered at the root, and whoever dies in between is noticed
//! on both sides.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

use rustix::process::Signal;
use serde_json::{Value, json};

use support::client::{Client, assert_answered, assert_refused, assert_unanswered, permission};
use support::desk::Desk;
use support::launch::Launch;
use support::serve::Serve;
use support::wait::eventually;

/// The root, the one beneath it, the leaf.
struct Chain {
    root: Serve,
    middle: Serve,
    leaf: Serve,
}

fn below(serve: &Serve) -> Serve {
    Serve::ready(Launch::tim(["serve"]).under(serve.socket()).start())
}

/// Three in a row beneath the test.
fn chain() -> (Chain, Desk) {
    let (root, desk) = Serve::under_test();
    let middle = below(&root);
    let leaf = below(&middle);
    (Chain { root, middle, leaf }, desk)
}

#[test]
fn f123_a_question_at_the_leaf_is_answered_at_the_root() {
    let (chain, mut desk) = chain();
    let (mut client, mut other) = (chain.leaf.client(), chain.leaf.client());
    client.confirm("a");
    other.confirm("b");
    let (a, b) = (desk.prompt_about("a"), desk.prompt_about("b"));
    desk.answer(&b, &json!(false));
    desk.answer(&a, &json!(true));
    assert_answered(&client.response("a"), &json!(true));
    assert_answered(&other.response("b"), &json!(false));
    for serve in [&chain.root, &chain.middle, &chain.leaf] {
        let journal = serve.journal();
        journal.every_question_ended_once();
        assert_eq!(journal.ends().len(), 2, "shown once, ended once, at every hop");
    }
    assert_eq!(chain.leaf.journal().end_of("a").value, Some(json!(true)));
}

#[test]
fn f123_every_kind_of_end_comes_down_all_hops_unchanged() {
    let (chain, mut desk) = chain();
    let mut client = chain.leaf.client();
    for (outcome, error) in
        [("declined", "Declined by the user"), ("disconnected", "Tunnel connection closed")]
    {
        client.confirm("q");
        let asked = desk.prompt();
        desk.end_with(&asked, outcome, error);
        assert_unanswered(&client.response("q"), outcome, error);
    }
    client.confirm_within("q", 400);
    let asked = desk.prompt();
    assert_eq!(client.response("q")["outcome"], "timed_out");
    assert_eq!(desk.withdrawn(&asked), "timed_out");
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let asked = desk.prompt();
    assert_eq!(asked.kind, "permission", "a permission stays one through every hop");
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": true, "outcome": "answered"}));
    assert_eq!(client.response("p")["approved"], true);
}

#[test]
fn what_is_granted_at_the_root_is_kept_at_the_leaf_by_the_owner_of_the_agent() {
    let (mut chain, mut desk) = chain();
    let (mut bridge, _) = Client::greet(chain.leaf.socket(), "bridge", "permissions");
    let (mut other, _) = Client::greet(chain.middle.socket(), "bridge", "permissions");
    let ask = |client: &mut Client, command: &str| {
        client.send(&permission(command, "Bash", &json!({"command": command})));
    };
    ask(&mut bridge, "git fetch && npm test");
    let asked = desk.prompt();
    let rules = json!(["Bash(git fetch:*)", "Bash(npm test:*)"]);
    let grant = json!({"rule": rules[0], "rules": rules, "scope": "session"});
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": true, "outcome": "answered", "grant": grant}));
    assert_eq!(bridge.response("git fetch && npm test")["approved"], true);
    ask(&mut bridge, "npm test -- x");
    assert_eq!(bridge.response("npm test -- x")["approved"], true, "nobody was asked again");
    ask(&mut other, "npm test");
    let asked = desk.prompt();
    desk.send(&json!({"type": "permission_response", "requestId": asked.id, "approved": false, "outcome": "answered"}));
    assert_eq!(
        other.response("npm test")["approved"],
        false,
        "the agent of another tim was not granted anything"
    );
    for (serve, ends) in [(&mut chain.leaf, 2), (&mut chain.middle, 2), (&mut chain.root, 2)] {
        serve.finish();
        assert_eq!(serve.journal().ends().len(), ends);
        let (code, stdout, stderr) =
            Launch::tim(["replay", "--check"]).arg(serve.journal_path()).start().exit();
        assert_eq!(code, Some(0), "{stdout}{stderr}");
    }
}

#[test]
fn f123_an_answer_command_at_the_root_sees_the_path_of_the_leaf() {
    let launch = Launch::tim(["serve", "--answer-command"]);
    let file = launch.folder().path("asked");
    let command = format!("cat > {0}.new; mv {0}.new {0}; echo true", file.display());
    let root = Serve::ready(launch.arg(command).start());
    let middle = below(&root);
    let leaf = below(&middle);
    let (mut client, welcome) = Client::greet(leaf.socket(), "script", "review");
    assert_eq!(welcome["desk"], true, "somebody can be asked, two hops up");
    assert_eq!(welcome["path"].as_str().unwrap().split('/').count(), 3, "{welcome}");
    assert_answered(&client.round_trip("q"), &json!(true));
    let asked = eventually("what the command was told", || std::fs::read_to_string(&file).ok());
    let asked: Value = serde_json::from_str(&asked).unwrap();
    assert_eq!(asked["pid"], middle.pid(), "the root vouches for its own child");
    let path = asked["path"].as_str().unwrap();
    assert!(welcome["path"].as_str().unwrap().starts_with(path), "{path} is above {welcome}");
}

#[test]
fn reports_arrive_with_every_hop_that_they_took() {
    let (chain, mut desk) = chain();
    let (mut client, _) = Client::greet(chain.leaf.socket(), "script", "deep");
    let line = json!({"type": "of_tomorrow", "x": [1, {"y": null}], "z": "→"});
    client.send(&line);
    let relayed = desk.take("the report", |heard| heard["line"] == line);
    let pids: Vec<&Value> = relayed["via"].as_array().unwrap().iter().map(|hop| &hop["pid"]).collect();
    assert_eq!(pids, [&json!(chain.middle.pid()), &json!(chain.leaf.pid()), &json!(std::process::id())]);
    assert_eq!(relayed["via"][2]["label"], "deep");
}

#[test]
fn f124_when_the_middle_is_killed_the_root_withdraws_and_the_leaf_goes_on() {
    let (mut chain, mut desk) = chain();
    let mut client = chain.leaf.client();
    client.confirm("a");
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let (a, p) = (desk.prompt_about("a"), desk.prompt_about("Bash"));
    chain.middle.signal(Signal::KILL);
    assert_unanswered(&client.response("a"), "disconnected", "Tunnel connection closed");
    let denied = client.response("p");
    assert_eq!((&denied["approved"], &denied["outcome"]), (&json!(false), &json!("disconnected")));
    desk.withdrawn(&a);
    desk.withdrawn(&p);
    assert_refused(&client.round_trip("later"), "no_desk");
    assert!(chain.leaf.lives() && chain.root.lives());
    let mut at_root = chain.root.client();
    at_root.confirm("still");
    let asked = desk.prompt_about("still");
    desk.answer(&asked, &json!(true));
    assert_answered(&at_root.response("still"), &json!(true));
    chain.root.journal().every_question_ended_once();
    chain.leaf.journal().every_question_ended_once();
}

#[test]
fn f124_when_the_root_is_killed_the_leaf_hears_of_it() {
    let (mut chain, mut desk) = chain();
    let mut client = chain.leaf.client();
    client.confirm("a");
    desk.prompt();
    chain.root.signal(Signal::KILL);
    assert_unanswered(&client.response("a"), "disconnected", "Tunnel connection closed");
    assert!(chain.middle.lives() && chain.leaf.lives());
    let later = client.round_trip("later");
    assert_eq!(later["outcome"], "refused", "{later}");
}

#[test]
fn f124_when_the_leaf_is_killed_every_hop_withdraws() {
    let (chain, mut desk) = chain();
    let mut client = chain.leaf.client();
    client.confirm("a");
    let asked = desk.prompt();
    chain.leaf.signal(Signal::KILL);
    desk.withdrawn(&asked);
    assert!(client.end("its server is dead").is_empty());
    let mut at_middle = chain.middle.client();
    at_middle.confirm("still");
    let asked = desk.prompt_about("still");
    desk.answer(&asked, &json!(true));
    assert_answered(&at_middle.response("still"), &json!(true));
    chain.middle.journal().every_question_ended_once();
}

#[test]
fn typed_lines_go_down_to_the_leaf() {
    let (chain, mut desk) = chain();
    let (mut client, welcome) = Client::greet(chain.leaf.socket(), "tim", "agent");
    desk.send(&json!({"type": "user_input", "content": "for the leaf", "to": welcome["path"]}));
    let typed = client.take("a typed line", |line| line["type"] == "user_input");
    assert_eq!(typed["content"], "for the leaf");
}
