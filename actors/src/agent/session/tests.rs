use codec::id::RequestId;
use codec::json::Text;

use super::*;
use crate::agent::verdict::{Exit, Verdict};

const ONE: &str = "7f3c0a1b-0000-4000-8000-000000000001";
const TWO: &str = "7f3c0a1b-0000-4000-8000-000000000002";

fn out(session: &mut Session, line: &str, now: u64) -> Vec<Effect> {
    session.hear(&Frame::Line(line.to_owned().into()), now)
}

fn sent(session: &mut Session, line: &str, now: u64) -> Vec<Effect> {
    let told = session.understand(line.as_bytes()).unwrap();
    let mut effects = session.goes_out(&told, now);
    effects.extend(session.went_out(&told, now));
    effects
}

fn message(uuid: &str, text: &str) -> String {
    codec::claude::UserMessage::text(text, uuid).to_line()
}

const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s"}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok"}"#;

fn begun() -> Session {
    let mut session = Session::new(Language::Claude { asks_by: None }, Some(ONE.to_owned()), false);
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
    let input = session.understand(reply.as_bytes()).unwrap();
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

const BY_SERVER: Language = Language::Claude { asks_by: Some("permissions") };

fn init_with(status: Option<&str>) -> String {
    let server = status.map(|status| format!(r#"{{"name":"permissions","status":"{status}"}}"#));
    let servers = [Some(r#"{"name":"other","status":"failed"}"#.to_owned()), server];
    let servers: Vec<String> = servers.into_iter().flatten().collect();
    format!(r#"{{"type":"system","subtype":"init","session_id":"s","mcp_servers":[{}]}}"#, servers.join(","))
}

#[test]
fn an_agent_that_begins_without_the_server_by_which_it_asks_is_mute() {
    let begins = |line: &str| {
        let mut session = Session::new(BY_SERVER, Some(ONE.to_owned()), false);
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
    let mut session = Session::new(BY_SERVER, None, true);
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
    assert!(out(&mut session, "Warning: something", 3).is_empty());
    let deep = format!("{}{}", "[".repeat(200), "]".repeat(200));
    let line = format!(r#"{{"permission_denials":[{{"tool_input":{deep}}}],"type":"result"}}"#);
    assert!(codec::claude::Output::read(line.as_bytes()).is_err());
    assert_eq!(out(&mut session, &line, 4), [Effect::Close]);
}

const ASKS: &str =
    r#"{"type":"input_request","requestId":"q","prompt":"?","input_type":"approval","choices":["y","n"]}"#;
const TEXT: &str = r#"{"type":"text_delta","text":"x"}"#;
const ENDS: &str = r#"{"type":"done","ok":true}"#;

fn response(value: &str) -> String {
    format!(r#"{{"type":"input_response","requestId":"q","response":"{value}","outcome":"answered"}}"#)
}

fn user(id: &str, text: &str) -> String {
    crate::agent::events::typed(text, id)
}

fn streaming() -> Session {
    let mut session = Session::new(Language::Events, Some(ONE.to_owned()), false);
    assert!(sent(&mut session, &user(ONE, "go"), 1).is_empty());
    session
}

#[test]
fn an_agent_that_asks_is_paused_until_the_answer_is_on_its_way() {
    let mut session = streaming();
    assert!(out(&mut session, TEXT, 2).is_empty() && !session.is_paused());
    assert!(out(&mut session, ASKS, 3).is_empty() && session.is_paused());
    let told = session.understand(response("approve").as_bytes()).unwrap();
    session.goes_out(&told, 4);
    assert!(!session.is_paused() && session.waits_for_a_person());
    session.went_out(&told, 5);
    assert!(!session.waits_for_a_person(), "its stdin may close now");
    assert_eq!(out(&mut session, ENDS, 6), [Effect::Close]);
}

#[test]
fn what_was_said_behind_a_question_is_taken_in_portions_and_what_comes_meanwhile_behind_it() {
    let frames = |count: usize, text: &str| {
        let line = format!(r#"{{"type":"text_delta","text":"{text}{}"}}"#, "x".repeat(10_000));
        vec![Frame::Line(line.into()); count]
    };
    let mut session = streaming();
    out(&mut session, ASKS, 2);
    assert!(session.take_in(frames(20, "a"), 3).is_empty() && session.holds_back());
    sent(&mut session, &response("approve"), 4);
    let first = session.goes_on(5);
    assert!(first.len() < 10, "some of it");
    assert!(session.take_in(frames(3, "b"), 6).is_empty(), "that is behind the rest");
    let mut rest = Vec::new();
    while session.holds_back() {
        rest.extend(session.goes_on(7));
    }
    assert_eq!(first.len() + rest.len(), 23);
    let is_last = |frame: &Frame| matches!(frame, Frame::Line(line) if line.starts_with(br#"{"type":"text_delta","text":"b"#));
    assert!(rest.iter().rev().take(3).all(|(_, frame)| is_last(frame)));
}

#[test]
fn an_answer_that_cannot_reach_an_agent_lets_it_go_on_for_a_few_seconds() {
    for value in ["approve", "reject"] {
        let mut session = streaming();
        out(&mut session, ASKS, 2);
        assert_eq!(session.happened(Event::WriteFailed, 3), [Effect::Close]);
        sent(&mut session, &response(value), 4);
        assert!(!session.is_paused() && !session.waits_for_a_person());
        assert_eq!(session.wake_at(), Some(5_004), "{value}");
        assert_eq!(session.happened(Event::TimePassed, 5_004), [Effect::Stop]);
    }
}

#[test]
fn what_comes_behind_the_end_of_a_turn_begins_none() {
    let mut session = Session::new(Language::Events, Some(ONE.to_owned()), true);
    sent(&mut session, &user(ONE, "go"), 1);
    out(&mut session, ENDS, 2);
    for late in [
        r#"{"type":"usage","input_tokens":1}"#,
        r#"{"type":"tool_result","id":"t"}"#,
        r#"{"type":"error","message":"late"}"#,
        ENDS,
    ] {
        out(&mut session, late, 3);
        assert!(!session.is_in_turn(), "{late}");
    }
    assert_eq!(session.happened(Event::EndSaid, 4), [Effect::Close]);
    assert_eq!(session.end().0.verdict(Exit::Code(0), "", false), Verdict::Success);
}

#[test]
fn whatever_gets_a_response_pauses_and_nothing_else_does() {
    for (line, pauses) in [
        (r#"{"type":"input_request","requestId":"q","input_type":"password"}"#, true),
        (r#"{"type":"input_request","requestId":"q","prompt":NaN}"#, true),
        (r#"{"type":"input_request","type":"input_request","requestId":"q"}"#, true),
        (r#"{"type":"input_request","prompt":"no id"}"#, false),
        (r#"{"type":"of_tomorrow","requestId":"q"}"#, false),
        (TEXT, false),
        ("no JSON", false),
    ] {
        let mut session = streaming();
        out(&mut session, line, 2);
        assert_eq!(session.is_paused(), pauses, "{line}");
    }
}

#[test]
fn a_turn_that_was_rejected_is_over_and_has_a_few_seconds_to_say_so() {
    let mut session = streaming();
    out(&mut session, ASKS, 2);
    sent(&mut session, &response("reject"), 1_000);
    assert_eq!(session.wake_at(), Some(6_000));
    assert!(out(&mut session, TEXT, 5_999).is_empty());
    assert_eq!(session.happened(Event::TimePassed, 6_000), [Effect::Stop]);
    assert!(session.happened(Event::TimePassed, 7_000).is_empty(), "said once");
    let (account, _) = session.end();
    assert_eq!(account.verdict(Exit::StoppedByTim, "", false), Verdict::Rejected { is_decided: true });
}

#[test]
fn one_that_says_so_is_not_stopped_and_goes_on_with_what_is_said_next() {
    let mut session = Session::new(Language::Events, Some(ONE.to_owned()), true);
    sent(&mut session, &user(ONE, "go"), 1);
    out(&mut session, ASKS, 2);
    sent(&mut session, &response("reject"), 3);
    out(&mut session, ENDS, 4);
    assert_eq!(session.wake_at(), None);
    assert!(!session.is_in_turn() && session.is_open());
    sent(&mut session, &user(TWO, "then this"), 5);
    out(&mut session, TEXT, 6);
    out(&mut session, ENDS, 7);
    assert_eq!(session.end().0.verdict(Exit::Code(0), "", false), Verdict::Success);
}

#[test]
fn a_line_that_an_agent_says_it_has_read_is_waited_for_no_longer() {
    let mut session = streaming();
    out(&mut session, TEXT, 2);
    assert!(sent(&mut session, &user(TWO, "and this"), 3).is_empty());
    let read = format!(r#"{{"type":"user_read","id":"{TWO}"}}"#);
    assert_eq!(out(&mut session, &read, 4), [Effect::Read(TWO.to_owned())]);
    assert_eq!(out(&mut session, ENDS, 5), [Effect::Close]);
}

#[test]
fn a_line_that_no_agent_mentions_is_waited_for_until_its_turn_or_for_a_while() {
    let mut session = streaming();
    out(&mut session, TEXT, 2);
    sent(&mut session, &user(TWO, "and this"), 3);
    assert!(out(&mut session, ENDS, 5).is_empty(), "it may be about to begin");
    assert_eq!(out(&mut session, TEXT, 6), [Effect::Read(TWO.to_owned())], "what else could begin a turn");
    assert_eq!(out(&mut session, ENDS, 7), [Effect::Close]);
    let mut silent = streaming();
    sent(&mut silent, &user(TWO, "and this"), 3);
    out(&mut silent, ENDS, 5);
    assert_eq!(silent.wake_at(), Some(30_005));
    assert_eq!(silent.happened(Event::TimePassed, 30_005), [Effect::Close]);
    assert!(silent.end().1.is_empty(), "nobody knows that it was not read");
}

#[test]
fn by_the_persons_word_nothing_is_waited_for_that_an_agent_does_not_mention() {
    let mut session = streaming();
    sent(&mut session, &user(TWO, "and this"), 2);
    assert!(session.ends_it(3).is_empty(), "its turn is");
    assert_eq!(out(&mut session, ENDS, 4), [Effect::Close]);
    let mut session = streaming();
    sent(&mut session, &user(TWO, "and this"), 2);
    out(&mut session, ENDS, 3);
    assert_eq!(session.ends_it(4), [Effect::Close]);
}

#[test]
fn only_what_never_reached_an_agent_is_told_as_not_read() {
    let mut session = streaming();
    sent(&mut session, &user(TWO, "on its way"), 2);
    session.coming("3", "too much", 3);
    session.happened(Event::MessageDropped { uuid: "3".to_owned() }, 4);
    assert_eq!(session.end().1, ["too much"]);
}

#[test]
fn what_a_stream_agent_tells_in_its_turn_is_heard_as_if_it_were_read() {
    let said = |id: &str| {
        codec::events::Said::User(codec::events::User::of(Text::new(id), Text::new("go"))).to_line()
    };
    let lines = [
        r#"{"type":"text_delta","text":"a"}"#,
        r#"{"type":"tool_result","id":"t1"}"#,
        r#"{"type":"of_tomorrow"}"#,
        "no JSON",
        r#"{"type":"error","message":"broken"}"#,
        r#"{"type":"done","ok":false}"#,
    ];
    let mut session = Session::new(Language::Events, Some(ONE.to_owned()), false);
    assert!(sent(&mut session, &said(ONE), 1).is_empty());
    for (now, line) in (2..).zip(lines) {
        let effects = out(&mut session, line, now);
        assert_eq!(effects.contains(&Effect::Close), line.contains("done"), "{line}");
        assert_eq!(session.heard_ms(), now, "{line}");
    }
    let (account, _) = session.end();
    assert_eq!(account.verdict(Exit::Code(0), "", false), Verdict::Failed("broken".to_owned()));
}

#[test]
fn an_agent_that_does_not_read_may_be_done_before_its_prompt_is_written() {
    let mut session = Session::new(Language::Events, Some(ONE.to_owned()), false);
    out(&mut session, ENDS, 1);
    sent(&mut session, &user(ONE, "go"), 2);
    session.happened(Event::ChildExited, 3);
    assert_eq!(session.end().0.verdict(Exit::Code(0), "", false), Verdict::Success);
}
