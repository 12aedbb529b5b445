//! How a conversation begins, and what the server says of itself.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::driver::{Bridge, greet};
use crate::support::desk::Parent;
use crate::support::launch::Launch;
use crate::support::serve::Serve;

#[test]
fn every_revision_of_the_handshake_is_answered_in_kind() {
    for version in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        let serve = Serve::alone();
        let mut bridge = Bridge::silent(serve.socket());
        let result = bridge.begin(version)["result"].clone();
        assert_eq!(result["protocolVersion"], version, "{result}");
        assert_eq!(result["serverInfo"]["name"], "permissions", "{result}");
        assert!(result["capabilities"]["tools"].is_object(), "{result}");
        bridge.finish();
    }
}

#[test]
fn an_unknown_revision_is_answered_with_one_that_is_known() {
    let mut bridge = Bridge::silent(Parent::open().path());
    let reply = bridge.begin("2031-01-01");
    assert_eq!(reply["result"]["protocolVersion"], "2025-11-25", "{reply}");
}

#[test]
fn there_is_one_tool() {
    let mut bridge = Bridge::to(Parent::open().path());
    let id = bridge.request("tools/list", &json!({}));
    assert_snapshot!("tools", serde_json::to_string_pretty(&bridge.reply(id)["result"]).unwrap());
}

#[test]
fn the_handshake_waits_for_nobody() {
    let parent = Parent::open();
    let mut bridge = Bridge::to(parent.path());
    let id = bridge.request("ping", &json!({}));
    assert_eq!(bridge.reply(id)["result"], json!({}));
    let _there_all_along = parent.accept();
}

fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn a_client_without_a_handshake_finds_out_what_there_is_and_calls() {
    let serve = Serve::answered_by(r#"echo '{"allow":true}'"#);
    let mut bridge = Bridge::silent(serve.socket());
    let id = bridge.request("server/discover", &json!({"_meta": meta()}));
    let found = bridge.reply(id)["result"].clone();
    let versions = found["supportedVersions"].as_array().unwrap_or_else(|| panic!("{found}"));
    assert!(versions.contains(&json!("2026-07-28")) && versions.contains(&json!("2025-11-25")), "{found}");
    let arguments = json!({"tool_name": "Bash", "input": {"command": "echo"}});
    let id = bridge
        .request("tools/call", &json!({"name": "approval_prompt", "arguments": arguments, "_meta": meta()}));
    assert_eq!(bridge.decision(id), json!({"behavior": "allow", "updatedInput": {"command": "echo"}}));
    bridge.finish();
}

#[test]
fn a_client_without_a_handshake_takes_a_call_back() {
    let parent = Parent::open();
    let mut bridge = Bridge::silent(parent.path());
    let arguments = json!({"tool_name": "Bash", "input": {"command": "echo"}});
    let params = json!({"name": "approval_prompt", "arguments": arguments, "_meta": meta()});
    let id = bridge.request("tools/call", &params);
    let mut desk = greet(&parent);
    let asked = desk.prompt();
    bridge.cancel(id);
    assert_eq!(desk.withdrawn(&asked), "cancelled");
    assert_eq!(bridge.finish().len(), 0);
}

#[test]
fn a_probe_before_the_handshake_is_answered_and_the_handshake_follows() {
    let mut bridge = Bridge::silent(Parent::open().path());
    bridge.send(&json!({"jsonrpc": "2.0", "id": "probe", "method": "server/discover", "params": {}}));
    assert!(bridge.reply("probe")["error"]["code"].is_i64(), "{}", bridge.reply("probe"));
    assert_eq!(bridge.begin("2025-11-25")["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn what_comes_before_the_handshake_does_not_end_it() {
    let mut bridge = Bridge::silent(Parent::open().path());
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
    bridge.send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 9}}));
    bridge.send(&json!({"jsonrpc": "2.0", "id": 4, "result": {}}));
    bridge.send(&json!({"jsonrpc": "2.0", "id": "early", "method": "tools/list"}));
    assert!(bridge.reply("early")["error"].is_object());
    assert_eq!(bridge.begin("2025-06-18")["result"]["protocolVersion"], "2025-06-18");
}

#[test]
fn without_anybody_to_ask_it_says_what_to_do_and_does_not_start() {
    let (code, out, err) = Launch::tim(["mcp", "serve"]).start().exit();
    assert_eq!((code, out.as_str()), (Some(2), ""));
    assert!(err.contains("--socket PATH") && err.contains("TIM_OUTPUT_SOCKET"), "{err}");
}

#[test]
fn the_socket_of_the_environment_is_asked_under_the_given_name() {
    let parent = Parent::open();
    let mut bridge = Bridge::start(Launch::tim(["mcp", "serve", "--label", "review"]).under(parent.path()));
    bridge.begin("2025-11-25");
    let hello = parent.accept().take("a hello", |line| line["type"] == "hello");
    assert_eq!((&hello["as"], &hello["label"]), (&json!("bridge"), &json!("review")));
}
