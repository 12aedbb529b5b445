//! Turns and troubles: what is told of them, and how often.

use super::*;

#[test]
fn the_api_is_told_of_once_and_then_in_the_status_row() {
    let retry = |attempt: u8| {
        format!(
            r#"{{"type":"system","subtype":"api_retry","attempt":{attempt},"max_retries":10,"retry_delay_ms":5000.5,"error_status":529,"error":"overloaded"}}"#
        )
    };
    let mut listener = Listener::new();
    assert_eq!(listener.hears(&retry(1)).told(), "! API 529 overloaded, try 1 of 10, again in 5s");
    assert_eq!(listener.hears(&retry(2)).hears(&retry(3)).told(), "");
    assert_eq!(listener.story.doing(), "waits for the API: 529, try 3 of 10");
    listener.hears(&says("m", "Hi."));
    assert_eq!(listener.story.doing(), "writing");
}

#[test]
fn the_first_turn_says_which_program_it_is_and_which_servers_are_missing() {
    let servers = r#","mcp_servers":[{"name":"a","status":"connected"},{"name":"b","status":"failed"},{"name":"c","status":"needs-auth"}]}"#;
    let mut listener = Listener::new();
    assert_eq!(listener.story.doing(), "starting");
    listener.hears(&INIT.replace('}', servers)).hears(INIT);
    assert_eq!(
        listener.told(),
        "  claude 2.1.325  claude-sonnet-5\n! MCP servers that are not there: b failed, c needs-auth"
    );
}

#[test]
fn a_turn_that_failed_is_told_when_the_next_one_begins() {
    let failed = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (2)"]}"#;
    let mut listener = Listener::new();
    listener.hears(INIT).told();
    assert_eq!(listener.hears(failed).told(), "");
    assert_eq!(listener.hears(INIT).told(), "✗ the turn failed: Reached maximum number of turns (2)");
    assert_eq!(listener.hears(&result("")).hears(INIT).told(), "");
}

#[test]
fn what_claude_code_itself_says_went_wrong_is_told_once() {
    let error = r#"{"type":"assistant","error":"server_error","message":{"model":"<synthetic>","content":[{"type":"text","text":"API Error: 500"}]}}"#;
    let failed = r#"{"type":"result","subtype":"success","is_error":true,"result":"API Error: 500"}"#;
    let mut listener = Listener::new();
    listener.hears(INIT).told();
    assert_eq!(listener.hears(error).hears(failed).hears(INIT).told(), "✗ API Error: 500");
}

#[test]
fn limits_hooks_and_compacting_have_a_row() {
    let limit = r#"{"type":"rate_limit_event","rate_limit_info":{"status":"allowed_warning","resetsAt":1794786000,"rateLimitType":"five_hour"}}"#;
    let mut listener = Listener::new();
    assert_eq!(listener.hears(limit).told(), "! usage limit near  five hour  resets 2026-11-15 23:40 UTC");
    assert_eq!(listener.hears(limit).hears(&limit.replace("allowed_warning", "allowed")).told(), "");
    let hook = r#"{"type":"system","subtype":"hook_response","hook_name":"PreToolUse:Bash","outcome":"error","exit_code":2,"stderr":"no\nway"}"#;
    assert_eq!(listener.hears(hook).told(), "! hook  PreToolUse:Bash  error  exit 2  no");
    let compacts = r#"{"type":"system","subtype":"status","status":"compacting"}"#;
    assert_eq!(listener.hears(compacts).hears(compacts).told(), "  compacts the conversation");
    assert_eq!(listener.story.doing(), "compacting");
    let boundary = r#"{"type":"system","subtype":"compact_boundary"}"#;
    assert_eq!(listener.hears(boundary).told(), "  the conversation was compacted");
    assert_eq!(listener.hears(r#"{"type":"newer","a":1}"#).told(), "");
}

#[test]
fn after_a_cleared_conversation_the_cost_goes_on_adding() {
    let mut listener = Listener::new();
    for (cost, sum) in [(0.2, 0.2), (0.5, 0.5), (0.1, 0.6), (0.25, 0.75)] {
        listener.hears(&result(&format!(r#","total_cost_usd":{cost},"result":"r{cost}""#)));
        assert!((listener.story.cost().unwrap() - sum).abs() < 1e-9);
    }
    assert_eq!(listener.story.final_text(), Some("r0.25"));
}

#[test]
fn what_the_person_and_claude_code_tell_the_model_is_not_told() {
    let user = |more: &str, text: &str| {
        format!(r#"{{"type":"user","message":{{"role":"user","content":{}}}{more}}}"#, json(text))
    };
    let mut listener = Listener::new();
    listener.hears(&user(r#","isReplay":true"#, "do it")).hears(&user(r#","isSynthetic":true"#, "go on"));
    assert_eq!(listener.told(), "");
    listener
        .hears(&user("", "[Request interrupted by user]"))
        .hears(&user("", "[Request interrupted by user]"));
    assert_eq!(listener.told(), "– interrupted");
    listener
        .hears(&user(r#","isReplay":true"#, "<local-command-stdout>Set model to x</local-command-stdout>"));
    assert_eq!(listener.told(), "    Set model to x");
}

#[test]
fn several_tools_at_a_time_are_counted_in_the_status_row() {
    let mut listener = Listener::new();
    for id in ["t1", "t2", "t3"] {
        listener.hears(&uses(id, "Bash", &format!(r#"{{"command":"run {id}"}}"#), None));
    }
    assert_eq!(listener.story.doing(), "Bash run t3 and 2 more");
    listener.passes(2.0).ends();
    assert_eq!(
        listener.told(),
        "– Bash  run t1  did not end  2s\n– Bash  run t2  did not end  2s\n– Bash  run t3  did not end  2s"
    );
}
