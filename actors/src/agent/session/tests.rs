use codec::claude::{Input, Output};

use super::*;

const ONE: &str = "7f3c0a1b-0000-4000-8000-000000000001";
const TWO: &str = "7f3c0a1b-0000-4000-8000-000000000002";

fn out(session: &mut Session, line: &str, now: u64) -> Vec<Effect> {
    session.hear(&Output::read(line.as_bytes()).unwrap(), now)
}

fn sent(session: &mut Session, line: &str, now: u64) -> Vec<Effect> {
    let input = Input::read(line.as_bytes()).unwrap();
    let mut effects = session.goes_out(&input, now);
    effects.extend(session.went_out(&input, now));
    effects
}

fn message(uuid: &str, text: &str) -> String {
    codec::claude::UserMessage::text(text, uuid).to_line()
}

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok"}"#;

fn begun() -> Session {
    let mut session = Session::new(Some(ONE.to_owned()), false);
    assert!(sent(&mut session, &message(ONE, "go"), 1).is_empty());
    assert!(out(&mut session, INIT, 2).is_empty());
    session
}

#[test]
fn after_the_result_of_the_prompt_stdin_is_closed() {
    let mut session = begun();
    assert_eq!(out(&mut session, DONE, 3), [Effect::Close]);
    assert!(!session.is_open());
}

#[test]
fn a_message_that_is_on_its_way_keeps_it_open_until_it_is_read() {
    let mut session = begun();
    assert!(session.coming(TWO, "and tests", 3).is_empty());
    assert!(session.happened(Event::Line { has_text: false }, 3).is_empty());
    assert!(out(&mut session, DONE, 4).is_empty(), "it comes any moment");
    assert!(sent(&mut session, &message(TWO, "and tests"), 5).is_empty());
    let started = format!(r#"{{"type":"command_lifecycle","command_uuid":"{TWO}","state":"started"}}"#);
    assert_eq!(out(&mut session, &started, 6), [Effect::Read(TWO.to_owned())]);
    out(&mut session, INIT, 7);
    assert_eq!(out(&mut session, DONE, 8), [Effect::Close]);
}

#[test]
fn a_message_that_the_agent_gives_back_waits_no_more_and_is_not_missed_at_the_end() {
    let mut session = begun();
    sent(&mut session, &message(TWO, "no"), 3);
    let cancel = codec::claude::cancel_async_message(&RequestId::new("c1"), TWO);
    sent(&mut session, &cancel, 4);
    let reply = |cancelled: bool| {
        format!(
            r#"{{"type":"control_response","response":{{"subtype":"success","request_id":"c1","response":{{"cancelled":{cancelled}}}}}}}"#
        )
    };
    assert_eq!(out(&mut session, &reply(true), 5), [Effect::TakenBack(TWO.to_owned())]);
    assert!(out(&mut session, &reply(true), 6).is_empty(), "said once");
    assert_eq!(out(&mut session, DONE, 7), [Effect::Close]);
    assert!(session.end().1.is_empty());
}

#[test]
fn a_message_that_was_asked_back_too_late_stays_where_it_is() {
    let mut session = begun();
    sent(&mut session, &message(TWO, "yes"), 3);
    sent(&mut session, &codec::claude::cancel_async_message(&RequestId::new("c1"), TWO), 4);
    let reply = r#"{"type":"control_response","response":{"subtype":"success","request_id":"c1","response":{"cancelled":false}}}"#;
    assert_eq!(out(&mut session, reply, 5), [Effect::NotTakenBack(TWO.to_owned())]);
    assert_eq!(session.end().1, ["yes"]);
}

#[test]
fn an_answer_counts_when_it_is_written_and_not_before() {
    let mut session = begun();
    let asked = r#"{"type":"control_request","request_id":"q","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{}}}"#;
    out(&mut session, asked, 3);
    assert!(session.waits_for_a_person());
    let reply = r#"{"type":"control_response","response":{"subtype":"success","request_id":"q","response":{"behavior":"allow","updatedInput":{}}}}"#;
    let input = Input::read(reply.as_bytes()).unwrap();
    session.goes_out(&input, 4);
    assert!(session.waits_for_a_person());
    session.went_out(&input, 5);
    assert!(!session.waits_for_a_person());
}

#[test]
fn what_nobody_read_is_known_at_the_end() {
    let mut session = begun();
    session.coming(TWO, "too late", 3);
    session.happened(Event::ChildExited, 4);
    assert_eq!(session.end().1, ["too late"]);
}

const INTERRUPTED: &str = r#"{"type":"result","subtype":"error_during_execution","is_error":true,"terminal_reason":"aborted_tools"}"#;

#[test]
fn after_an_interruption_the_person_is_waited_for() {
    let mut session = begun();
    assert!(session.interrupted(true, 3));
    assert!(out(&mut session, INTERRUPTED, 4).is_empty(), "they have something else to say");
    assert!(!session.interrupted(true, 5), "nothing goes on any more");
    assert!(sent(&mut session, &message(TWO, "rather this"), 6).is_empty());
    out(&mut session, INIT, 7);
    assert!(out(&mut session, DONE, 8).contains(&Effect::Close));
}

#[test]
fn after_an_interruption_the_person_can_end_it() {
    let mut session = begun();
    session.interrupted(true, 3);
    out(&mut session, INTERRUPTED, 4);
    assert_eq!(session.happened(Event::EndSaid, 5), [Effect::Close]);
}

#[test]
fn without_a_line_nobody_is_waited_for_after_an_interruption() {
    let mut session = begun();
    session.interrupted(false, 3);
    assert_eq!(out(&mut session, INTERRUPTED, 4), [Effect::Close]);
}

fn init_with(status: Option<&str>) -> String {
    let server = status.map(|status| format!(r#"{{"name":"permissions","status":"{status}"}}"#));
    let servers = [Some(r#"{"name":"other","status":"failed"}"#.to_owned()), server];
    let servers: Vec<String> = servers.into_iter().flatten().collect();
    format!(r#"{{"type":"system","subtype":"init","session_id":"s","mcp_servers":[{}]}}"#, servers.join(","))
}

#[test]
fn an_agent_that_begins_without_the_server_by_which_it_asks_is_mute() {
    let begins = |line: &str| {
        let mut session = Session::new(Some(ONE.to_owned()), false).asking_by(Some("permissions"));
        out(&mut session, line, 1)
    };
    for (status, told) in [(Some("failed"), "failed"), (Some("pending"), "pending"), (None, "missing")] {
        assert_eq!(begins(&init_with(status)), [Effect::Mute(told.to_owned())]);
    }
    assert_eq!(begins(INIT), [Effect::Mute("missing".to_owned())]);
    assert!(begins(&init_with(Some("connected"))).is_empty());
}

#[test]
fn only_its_beginning_counts_and_only_for_one_that_asks_by_a_server() {
    let mut session = Session::new(None, true).asking_by(Some("permissions"));
    assert!(out(&mut session, &init_with(Some("connected")), 1).is_empty());
    assert!(out(&mut session, &init_with(Some("failed")), 2).is_empty());
    assert!(out(&mut begun(), &init_with(Some("failed")), 3).is_empty());
}

#[test]
fn the_time_in_which_a_person_was_asked_by_another_way_is_no_silence() {
    let mut session = begun();
    session.was_asked(50);
    assert_eq!(session.heard_ms(), 50);
    session.was_asked(10);
    assert_eq!(session.heard_ms(), 50, "what was heard since counts as well");
}

#[test]
fn a_result_that_is_too_deep_to_be_read_ends_its_turn() {
    let mut session = begun();
    assert!(session.hear_unreadable(b"Warning: something", 3).is_empty());
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let line = format!(r#"{{"permission_denials":[{{"tool_input":{deep}}}],"type":"result"}}"#);
    assert!(Output::read(line.as_bytes()).is_err());
    assert_eq!(session.hear_unreadable(line.as_bytes(), 4), [Effect::Close]);
}
