//! The tunnel: limits at their edges, whom a rejection must reach, what an end means, and relaying without a copy.

use crate::support::same_json;
use bytes::{Bytes, BytesMut};
use codec::frame::{Frame, Lines, Tail};
use codec::id::Label;
use codec::json::{NotAnObject, Object};
use codec::limits::Limits;
use codec::tunnel::{Down, PromptKind, QuestionKind, Segment, Structured, Up, recover, relay};
use codec::{Asked, Awaits, Outcome, Reason};
use tokio_util::codec::Decoder;

fn prompt(id: &str, kind: &str, config: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"{kind}","promptConfig":{config}{rest}}}}}"#
    )
}

fn read(line: &str) -> Result<Up<'_>, codec::Reject> {
    Up::read(line.as_bytes(), &Limits::STANDARD)
}

fn is_accepted(line: &str) -> bool {
    matches!(read(line), Ok(Up::Prompt(..)))
}

/// The complaint about a prompt, which must reach its asker.
fn complaint(line: &str) -> String {
    let reject = read(line).unwrap_err();
    assert_eq!(reject.asked.unwrap().awaits, Awaits::Prompt);
    reject.reason.to_string()
}

#[test]
fn a_question_text_may_have_64_kib_and_not_a_byte_more() {
    let of =
        |length: usize| prompt("a", "confirm", &format!(r#"{{"message":"{}"}}"#, "x".repeat(length)), "");
    assert!(is_accepted(&of(65_536)));
    assert_eq!(complaint(&of(65_537)), "message.promptConfig.message is longer than 65536 bytes");
    let escaped = r"\u0041".repeat(65_536);
    assert!(is_accepted(&prompt("a", "confirm", &format!(r#"{{"message":"{escaped}"}}"#), "")));
}

#[test]
fn an_id_may_have_256_characters_and_not_one_more() {
    let of = |length: usize| prompt(&"ü".repeat(length), "confirm", r#"{"message":"m"}"#, "");
    assert!(is_accepted(&of(256)));
    assert_eq!(complaint(&of(257)), "message.requestId is longer than 256 characters");
}

#[test]
fn a_question_may_have_1000_choices_and_not_one_more() {
    let choices = |count: usize| vec![r#"{"name":"n","value":1}"#; count].join(",");
    let of =
        |count| prompt("a", "select", &format!(r#"{{"message":"m","choices":[{}]}}"#, choices(count)), "");
    assert!(is_accepted(&of(1_000)));
    assert_eq!(complaint(&of(1_001)), "message.promptConfig.choices holds more than 1000");
}

#[test]
fn a_timeout_may_be_from_1_ms_to_30_days() {
    let of =
        |timeout: &str| prompt("a", "confirm", r#"{"message":"m"}"#, &format!(r#","timeoutMs":{timeout}"#));
    for good in ["1", "1.0", "300.5", "3e2", "2147483648", "2592000000", "null"] {
        assert!(is_accepted(&of(good)), "{good}");
    }
    for bad in ["0", "0.5", "-1", "2592000001", "9223372036854775807", "1e400", "-9223372036854775808"] {
        assert_eq!(complaint(&of(bad)), "message.timeoutMs must be from 1 to 2592000000", "{bad}");
    }
    assert_eq!(complaint(&of("true")), "message.timeoutMs must be a number");
    let line = of("300.5");
    let Ok(Up::Prompt(request, _)) = read(&line) else { panic!() };
    assert_eq!(request.timeout_ms(), Some(301));
}

#[test]
fn a_tunnel_line_may_have_8_mib_and_not_a_byte_more() {
    let of = |length: usize| {
        let mut buffer = BytesMut::from(&vec![b'x'; length][..]);
        buffer.extend_from_slice(b"\n");
        Lines::new(Limits::STANDARD.tunnel_line, Tail::Drop).decode(&mut buffer).unwrap().unwrap()
    };
    assert!(matches!(of(8 << 20), Frame::Line(_)));
    assert!(matches!(of((8 << 20) + 1), Frame::Oversized(_)));
}

#[test]
fn the_input_of_a_tool_may_be_as_large_as_the_line_but_not_nest_without_end() {
    let of = |input: &str| {
        format!(r#"{{"type":"permission_request","requestId":"p","tool_name":"Write","input":{input}}}"#)
    };
    assert!(read(&of(&format!(r#"{{"content":"{}"}}"#, "x".repeat(1 << 20)))).is_ok());
    assert!(read(&of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(125), "]".repeat(125)))).is_ok());
    let deep = of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(126), "]".repeat(126)));
    let reject = read(&deep).unwrap_err();
    assert_eq!(reject.reason, Reason::NotAnObject(NotAnObject::TooLarge));
    assert_eq!(
        reject.asked,
        Some(Asked { id: "p".to_owned(), awaits: Awaits::Permission }),
        "nobody waits for ever"
    );
}

#[test]
fn every_kind_of_question_needs_what_it_is_answered_with() {
    let of = |kind: PromptKind, config: &str| prompt("a", kind.word(), config, "");
    let bare = |kind| of(kind, r#"{"message":"m"}"#);
    let chosen =
        |kind| of(kind, r#"{"message":"m","choices":[{"name":"a","value":"a"},{"name":"b","value":2}]}"#);
    for kind in PromptKind::ALL {
        let needs_choices = matches!(kind, PromptKind::Select | PromptKind::Checkbox | PromptKind::Choice);
        let needs_command = *kind == PromptKind::PrefixSelect;
        assert_eq!(is_accepted(&bare(*kind)), !needs_choices && !needs_command, "{kind:?}");
        assert_eq!(is_accepted(&chosen(*kind)), !needs_command, "{kind:?}");
        assert_eq!(QuestionKind::from(*kind).word(), kind.word());
    }
    assert!(is_accepted(&of(PromptKind::PrefixSelect, r#"{"message":"m","command":"git fetch"}"#)));
    assert!(!is_accepted(&of(PromptKind::Approval, r#"{"message":"m","choices":[{"name":"a","value":1}]}"#)));
    assert!(!is_accepted(&of(PromptKind::Confirm, r#"{"message":"m","default":"yes"}"#)));
}

#[test]
fn what_the_original_let_pass_and_could_not_render_is_turned_away_or_typed() {
    let of = |body: &str| format!(r#"{{"type":"structured","message":{{"timestamp":"t",{body}}}}}"#);
    for bad in [
        r#""type":"agent_session_end","success":true,"costUsd":"1""#,
        r#""type":"llm_tool_result","toolName":"x","resultSummary":5"#,
        r#""type":"command_result","exitCode":0,"stdout":5"#,
        r#""type":"agent_session_start","tools":"Bash""#,
        r#""type":"llm_status","status":"s","rateLimitInfo":{"resetsAt":"soon"}"#,
    ] {
        assert!(matches!(read(&of(bad)).unwrap_err().reason, Reason::Field(_)), "{bad}");
    }
    let note = r#""type":"review_result","verdict":"UNKNOWN","recommendations":[],"actionItems":[],"issues":[{"severity":"note","category":"other","content":"c","file":"f","line":"1","suggestion":"s"}]"#;
    assert!(matches!(read(&of(note)), Ok(Up::Structured(Structured::ReviewResult(_), _))));
}

#[test]
fn there_are_thirty_structured_types() {
    assert_eq!(Structured::KINDS.len(), 30);
}

#[test]
fn a_lone_surrogate_or_a_number_out_of_range_does_not_lose_a_question() {
    let line = prompt("a\\ud83d", "confirm", r#"{"message":"cut \ud83d","note":1e400}"#, "");
    let Ok(Up::Prompt(request, _)) = read(&line) else { panic!("lost") };
    assert_eq!(request.config.message.get(), "cut \u{fffd}");
    assert_eq!(request.request_id.raw(), r#""a\ud83d""#, "the id goes back as it came");
}

#[test]
fn bytes_that_are_no_text_are_not_repaired_but_their_asker_hears_of_it() {
    let mut line = prompt("u8", "confirm", r#"{"message":"Pro?eed"}"#, "").into_bytes();
    let at = line.iter().position(|byte| *byte == b'?').unwrap();
    line[at] = 0xff;
    let reject = Up::read(&line, &Limits::STANDARD).unwrap_err();
    assert_eq!(reject.reason, Reason::NotUtf8);
    assert_eq!(reject.asked, Some(Asked { id: "u8".to_owned(), awaits: Awaits::Prompt }));
}

#[test]
fn a_line_of_a_million_members_or_items_is_turned_away_before_it_fills_the_memory() {
    let members = r#""":0,"#.repeat(1 << 20);
    let reject =
        read(&prompt("a", "confirm", r#"{"message":"m"}"#, &format!(r#",{members}"x":0"#))).unwrap_err();
    assert_eq!(reject.asked, Some(Asked { id: "a".to_owned(), awaits: Awaits::Prompt }));
    let items = r#""","#.repeat(1 << 20);
    let log = format!(r#"{{"type":"log","args":[{items}""]}}"#);
    assert_eq!(read(&log).unwrap_err().reason.to_string(), "args holds more than 10000");
}

#[test]
fn an_id_that_stands_twice_in_a_broken_line_is_nobodys() {
    assert_eq!(recover(br#"{"type":"permission_request","requestId":"a","requestId":"b","x":"cut"#), None);
    assert_eq!(recover(br#"{"type":"log","type":"permission_request","requestId":"a","x":"cut"#), None);
}

#[test]
fn the_asker_in_a_line_that_was_too_long_is_found_in_its_head() {
    let huge = prompt("big", "confirm", &format!(r#"{{"message":"{}"#, "x".repeat(99_999)), "");
    let head = &huge.as_bytes()[..codec::frame::HEAD];
    assert_eq!(recover(head), Some(Asked { id: "big".to_owned(), awaits: Awaits::Prompt }));
    let permission =
        br#"{"requestId":"p","type":"permission_request","input":{"requestId":"no","content":"xxxx"#;
    assert_eq!(recover(permission), Some(Asked { id: "p".to_owned(), awaits: Awaits::Permission }));
    assert_eq!(recover(br#"{"type":"log","requestId":"x","args":["yyyy"#), None);
    assert_eq!(
        recover(br#"{"type":"structured","message":{"type":"llm_response","requestId":"x","text":"yy"#),
        None
    );
}

#[test]
fn nothing_that_answers_or_asks_can_hide_in_a_relayed_report() {
    let of = |line: &str| format!(r#"{{"type":"relayed","via":[{{"label":"x","pid":9}}],"line":{line}}}"#);
    assert!(read(&of(r#"{"type":"log","args":["a"]}"#)).is_ok());
    let asks = [
        prompt("a", "confirm", r#"{"message":"m"}"#, ""),
        r#"{"type":"permission_request","requestId":"p","tool_name":"T","input":{}}"#.to_owned(),
        r#"{"type":"prompt_cancel","requestId":"p","reason":"cancelled"}"#.to_owned(),
        r#"{"type":"hello","tim":1,"as":"tim"}"#.to_owned(),
        of(r#"{"type":"log","args":["a"]}"#),
        r#"{"type":"prompt_response","requestId":"p","value":true}"#.to_owned(),
    ];
    for line in asks {
        let reject = read(&of(&line)).map(|up| format!("{up:?}")).unwrap_err();
        assert_eq!(reject.asked, None, "{line}");
    }
    let badly_named = r#"{"type":"relayed","via":[{"label":"a/b"}],"line":{"type":"log","args":[]}}"#;
    assert!(read(badly_named).is_err());
}

#[test]
fn a_report_is_relayed_without_being_copied_and_each_hop_is_named_in_front() {
    let me = |name: &str, pid| Segment {
        label: Label::new(name).unwrap(),
        pid: Some(pid),
        extras: Object::default(),
    };
    let line = Bytes::from_static(br#"{"type":"stdout","data":"x","of_tomorrow":[1, 2]}"#);
    let parts = relay(me("leaf", 9), &line, &Up::read(&line, &Limits::STANDARD).unwrap()).unwrap();
    assert_eq!(parts[1].as_ptr(), line.as_ptr());

    let once = Bytes::from(parts.concat());
    let parts = relay(me("mid", 8), &once, &Up::read(&once, &Limits::STANDARD).unwrap()).unwrap();
    assert!(once.as_ptr_range().contains(&parts[1].as_ptr()), "shared with the line it came in");
    let twice = String::from_utf8(parts.concat()).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid","pid":8},{"label":"leaf","pid":9}],"line":{"type":"stdout","data":"x","of_tomorrow":[1, 2]}}"#;
    assert_eq!(twice, expected);
    assert!(read(&twice).is_ok());
}

#[test]
fn what_a_newer_tim_wrote_beside_a_relayed_report_stays() {
    let me = Segment { label: Label::new("mid").unwrap(), pid: None, extras: Object::default() };
    let line = Bytes::from_static(
        br#"{"type":"relayed","via":[{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#,
    );
    let parts = relay(me, &line, &Up::read(&line, &Limits::STANDARD).unwrap()).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid"},{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#;
    assert!(same_json(std::str::from_utf8(&parts.concat()).unwrap(), expected));
}

#[test]
fn a_question_is_never_relayed() {
    let me = Segment { label: Label::new("leaf").unwrap(), pid: None, extras: Object::default() };
    let line = Bytes::from(prompt("a", "confirm", r#"{"message":"m"}"#, ""));
    assert_eq!(relay(me, &line, &Up::read(&line, &Limits::STANDARD).unwrap()), None);
}

#[test]
fn how_a_question_ended_is_told_by_outcome_or_else_by_the_words_of_the_original() {
    let ended = |rest: &str| {
        let line = format!(r#"{{"type":"prompt_response","requestId":"a"{rest}}}"#);
        let Down::Response(response) = Down::read(line.as_bytes()).unwrap() else { panic!() };
        response.ended()
    };
    assert_eq!(ended(""), Outcome::Answered);
    assert_eq!(ended(r#","value":null"#), Outcome::Answered);
    assert_eq!(ended(r#","value":1,"error":"""#), Outcome::Answered);
    assert_eq!(ended(r#","value":1,"error":null"#), Outcome::Answered);
    assert_eq!(ended(r#","value":1,"error":"no""#), Outcome::Refused);
    assert_eq!(ended(r#","error":5"#), Outcome::Refused);
    assert_eq!(ended(r#","error":"Prompt request timed out after 300ms""#), Outcome::TimedOut);
    assert_eq!(ended(r#","error":"Tunnel connection closed""#), Outcome::Disconnected);
    assert_eq!(ended(r#","error":"User force closed the prompt with SIGINT""#), Outcome::Declined);
    assert_eq!(
        ended(r#","error":"Prompt was aborted""#),
        Outcome::Cancelled,
        "never a timeout: that could approve"
    );
    assert_eq!(ended(r#","error":"x","outcome":"timed_out""#), Outcome::TimedOut);
}

#[test]
fn an_answer_that_cannot_be_read_is_still_heard_by_whoever_waits() {
    let line = br#"{"type":"permission_response","requestId":"p","approved":"yes"}"#;
    let reject = Down::read(line).unwrap_err();
    assert_eq!(reject.asked, Some(Asked { id: "p".to_owned(), awaits: Awaits::Permission }));
}

#[test]
fn process_messages_are_checked_as_the_original_checks_them() {
    let of = |body: &str| format!(r#"{{"type":{body}}}"#);
    let good = [
        r#""process_register","processId":"a.b:c-1","kind":"tim","label":"x""#,
        r#""process_update","processId":"a","pid":null"#,
        r#""process_exit","processId":"a","exitCode":null"#,
        r#""process_exit","processId":"a","exitCode":-1"#,
        r#""terminate_executor_result","executorId":"e","requestId":"r","result":"ended""#,
    ];
    for body in good {
        assert!(matches!(read(&of(body)), Ok(Up::Process(_))), "{body}");
    }
    let bad = [
        r#""process_register","processId":"-a","kind":"tim","label":"x""#,
        r#""process_register","processId":"a","kind":"tim","label":"  ""#,
        r#""process_register","processId":"a","kind":"tim","label":"x","pid":0"#,
        r#""process_register","processId":"a","kind":"tim","label":"x","pid":null"#,
        r#""process_register","processId":"a","kind":"tim","label":"x","state":"exited""#,
        r#""process_update","processId":"a""#,
        r#""process_exit","processId":"a","exitCode":1.5"#,
        r#""terminate_executor_result","executorId":"e","requestId":"","result":"ended""#,
        r#""terminate_executor","executorId":"e""#,
    ];
    for body in bad {
        assert!(read(&of(body)).is_err(), "{body}");
    }
    let long = |units: usize| {
        of(&format!(
            r#""process_register","processId":"a","kind":"tim","label":"x","command":"{}""#,
            "😀".repeat(units / 2)
        ))
    };
    assert!(read(&long(65_536)).is_ok());
    assert!(read(&long(65_538)).is_err());
}
