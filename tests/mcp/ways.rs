//! Calls that are taken back, connections that are lost or never were, and how the bridge ends.

use rustix::process::Signal;
use serde_json::json;

use crate::driver::{Bridge, decide, greet};
use crate::support::desk::Parent;
use crate::support::launch::{Launch, Reading};
use crate::support::serve::Serve;
use crate::support::temp::Temp;

#[test]
fn a_cancelled_call_takes_its_question_back_and_is_not_answered() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    let asked = desk.prompt();
    bridge.cancel(id);
    assert_eq!(desk.withdrawn(&asked), "cancelled");
    // An answer that was on its way finds nobody.
    decide(&mut desk, &asked, true, &json!({}));
    let next = bridge.call("Bash", &json!({"command": "echo again"}));
    let asked = desk.prompt();
    decide(&mut desk, &asked, true, &json!({}));
    assert_eq!(bridge.decision(next)["behavior"], "allow");
    let said = bridge.finish();
    assert!(!said.iter().any(|line| line["id"] == id), "{said:?}");
}

#[test]
fn a_lost_connection_denies_and_the_next_call_finds_a_new_one() {
    let (mut bridge, mut desk, parent) = Bridge::to_test();
    let lost = bridge.call("Bash", &json!({"command": "echo"}));
    desk.prompt();
    drop(desk);
    assert!(bridge.denied(lost).contains("connection to the person"), "{}", bridge.denied(lost));
    let next = bridge.call("Bash", &json!({"command": "echo"}));
    let mut desk = greet(&parent);
    let asked = desk.prompt();
    decide(&mut desk, &asked, true, &json!({}));
    assert_eq!(bridge.decision(next)["behavior"], "allow");
}

#[test]
fn where_nobody_listens_the_model_is_told_what_to_do_and_a_tim_that_comes_later_is_asked() {
    let folder = Temp::new();
    let path = folder.path("later.sock");
    let mut bridge = Bridge::to(&path);
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    let start = format!("`tim serve --socket {}`", path.display());
    assert!(bridge.denied(id).contains(&start), "{}", bridge.denied(id));
    let launch = Launch::tim(["serve", "--answer-command", r#"echo '{"allow":true}'"#, "--socket"]);
    let _serve = Serve::ready(launch.arg(&path).start());
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    assert_eq!(bridge.decision(id)["behavior"], "allow");
    bridge.finish();
}

#[test]
fn a_tim_that_says_nothing_is_a_no_after_its_time() {
    let parent = Parent::open();
    let mut bridge = Bridge::to(parent.path());
    let _silent = parent.accept();
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    assert!(bridge.denied(id).contains("no tim answered within 2 s"), "{}", bridge.denied(id));
}

#[test]
fn end_of_file_ends_it_well_and_takes_back_what_is_open() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let id = bridge.call("Bash", &json!({"command": "echo"}));
    desk.prompt();
    let said = bridge.finish();
    assert_eq!(
        crate::driver::decision_in(said.iter().find(|line| line["id"] == id).unwrap())["behavior"],
        "deny"
    );
    desk.end("the bridge is gone");
}

#[test]
fn a_client_that_writes_all_and_closes_is_answered_before_the_end() {
    let parent = Parent::open();
    let mut bridge = Bridge::silent(parent.path());
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    bridge.request("initialize", &params);
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    bridge.request("tools/list", &json!({}));
    assert_eq!(bridge.finish().len(), 2);
}

#[test]
fn a_signal_ends_it_well_and_takes_back_what_is_open() {
    for signal in [Signal::TERM, Signal::INT] {
        let (mut bridge, mut desk, _parent) = Bridge::to_test();
        let id = bridge.call("Bash", &json!({"command": "echo"}));
        desk.prompt();
        bridge.signal(signal);
        assert_eq!(bridge.ended().code(), Some(0), "{signal:?}: {}", bridge.stderr.text());
        assert!(bridge.denied(id).contains("withdrawn"));
        desk.end("the bridge is gone");
    }
}

#[test]
fn a_signal_ends_it_also_if_nobody_reads_what_it_says() {
    let parent = Parent::open();
    let launch = Launch::tim(["mcp", "serve", "--socket"]).arg(parent.path()).reading(Reading::FirstLine);
    let mut bridge = Bridge::start(launch);
    bridge.begin("2025-11-25");
    // More than both pipes hold: when all is sent, it is at work, and nobody reads.
    for id in 1_000..6_000 {
        let unknown = json!({"jsonrpc": "2.0", "id": id, "method": "tools/list", "params": {}});
        bridge.send(&unknown);
    }
    bridge.signal(Signal::TERM);
    assert_eq!(bridge.ended().code(), Some(0));
}

#[test]
fn it_ends_when_nobody_can_hear_it_any_more() {
    let parent = Parent::open();
    let launch = Launch::tim(["mcp", "serve", "--socket"]).arg(parent.path()).reading(Reading::Nothing);
    let mut bridge = Bridge::start(launch);
    bridge.stdout.whole();
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1, "method": "ping"}));
    assert_eq!(bridge.ended().code(), Some(0));
}
