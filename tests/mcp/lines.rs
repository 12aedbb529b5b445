//! What comes over the pipe, however it is cut, and what is no message at all.

use serde_json::json;

use crate::driver::{Bridge, decide};
use crate::support::desk::Parent;
use crate::support::serve::Serve;

fn call(id: i64) -> String {
    let arguments = json!({"tool_name": "Bash", "input": {"command": "echo ü"}});
    let params = json!({"name": "approval_prompt", "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params}).to_string()
}

#[test]
fn lines_that_come_in_pieces_or_together_are_the_same_lines() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::to(serve.socket());
    for byte in format!("{}\n", call(100)).as_bytes() {
        bridge.send_bytes(&[*byte]);
    }
    bridge.send_bytes(format!("{}\r\n\n  \n{}\n{}\n", call(101), call(102), call(103)).as_bytes());
    for id in 100..=103 {
        assert_eq!(bridge.decision(id)["updatedInput"]["command"], "echo ü");
    }
    bridge.finish();
}

#[test]
fn garbage_is_let_go_and_the_next_line_counts() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::to(serve.socket());
    for garbage in
        [&b"hello"[..], b"\xff\xfe", b"{", b"[]", b"null", b"{}", b"{\"id\":1}", b"\0", b"[{\"id\":7}]"]
    {
        bridge.send_bytes(garbage);
        bridge.send_bytes(b"\n");
    }
    bridge.send_bytes(format!("{}\n", call(100)).as_bytes());
    assert_eq!(bridge.decision(100)["behavior"], "allow");
    assert_eq!(bridge.finish().len(), 2);
}

#[test]
fn what_it_does_not_know_is_an_error_and_no_silence() {
    let mut bridge = Bridge::to(Parent::open().path());
    for method in
        ["prompts/list", "resources/list", "resources/read", "foo/bar", "tasks/get", "completion/complete"]
    {
        let id = bridge.request(method, &json!({}));
        let reply = bridge.reply(id);
        assert!(reply["error"].is_object() || reply["result"].is_object(), "{method}: {reply}");
    }
    let id = bridge.request("tools/call", &json!({"name": "other", "arguments": {}}));
    assert_eq!(bridge.reply(id)["error"]["code"], -32602, "{}", bridge.reply(id));
    let id = bridge.request("tools/call", &json!({"name": 7}));
    assert!(bridge.reply(id)["error"].is_object(), "{}", bridge.reply(id));
    bridge.send(&json!({"jsonrpc": "2.0", "id": 1.5, "method": "tools/list"}));
    assert_eq!(bridge.reply(1.5)["error"]["code"], -32600);
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/unknown"}));
    bridge.finish();
}

#[test]
fn more_arguments_than_are_known_do_no_harm() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::to(serve.socket());
    let id = bridge.call_with(&json!({"tool_name": "Bash", "input": {}, "more": [1], "tool_use_id": 7}));
    assert_eq!(bridge.decision(id), json!({"behavior": "allow", "updatedInput": {}}));
}

#[test]
fn the_second_use_of_an_open_id_does_not_get_the_first_ones_answer() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    bridge.send_bytes(format!("{}\n", call(100)).as_bytes());
    let asked = desk.prompt();
    bridge.send_bytes(format!("{}\n", call(100).replace("echo", "touch")).as_bytes());
    let marker = bridge.request("ping", &json!({}));
    bridge.reply(marker);
    decide(&mut desk, &asked, true, &json!({}));
    assert_eq!(bridge.decision(100)["updatedInput"]["command"], "echo ü");
    assert!(desk.unclaimed().is_empty(), "{:?}", desk.unclaimed());
    assert_eq!(bridge.finish().len(), 3);
}

#[test]
fn a_line_beyond_all_limits_ends_the_conversation_and_approves_nothing() {
    let (mut bridge, mut desk, _parent) = Bridge::to_test();
    let open = bridge.call("Bash", &json!({"command": "echo"}));
    desk.prompt();
    let line = format!("{{\"x\":\"{}\"}}\n", "x".repeat(33 << 20));
    bridge.send_bytes(line.as_bytes());
    assert_eq!(bridge.ended().code(), Some(0));
    bridge.denied(open);
}
