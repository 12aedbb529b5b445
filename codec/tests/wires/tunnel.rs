//! The tunnel: limits at their edges, whom a rejection must reach, what an end means, and relaying without a copy.

use crate::support::same_json;
use bytes::{Bytes, BytesMut};
use codec::frame::{Frame, Lines, Tail};
use codec::id::{Label, RequestId};
use codec::json::{Json, NotAnObject, Num};
use codec::limits::Limits;
use codec::tunnel::{
    Down, Peer, PromptKind, PromptResponse, QuestionKind, Segment, Structured, Up, recover, recover_answer,
    relay,
};
use codec::{Asked, Awaits, Outcome, Reason, told};
use tokio_util::codec::Decoder;

fn prompt(id: &str, kind: &str, config: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"{kind}","promptConfig":{config}{rest}}}}}"#
    )
}

fn asked(id: &str, awaits: Awaits) -> Asked {
    Asked { id: RequestId::new(id), awaits }
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
    assert_eq!(reject.asked.unwrap().awaits, Awaits::Prompt, "{line}");
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
fn every_text_that_a_question_shows_has_the_same_limit() {
    let of = |name: &str, length: usize| {
        let text = "x".repeat(length);
        let config = match name {
            "name" | "description" | "value" => {
                let rest = if name == "description" { r#""name":"n","value":1,"# } else { "" };
                let other = match name {
                    "name" => r#","value":1"#,
                    "value" => r#","name":"n""#,
                    _ => "",
                };
                format!(r#"{{"message":"m","choices":[{{{rest}"{name}":"{text}"{other}}}]}}"#)
            }
            _ => format!(r#"{{"message":"m","choices":[{{"name":"n","value":1}}],"{name}":"{text}"}}"#),
        };
        prompt("a", "select", &config, "")
    };
    for name in ["header", "question", "validationHint", "command", "default", "name", "description", "value"]
    {
        assert!(is_accepted(&of(name, 65_536)), "{name}");
        let place = if ["name", "description", "value"].contains(&name) { "choices[0]." } else { "" };
        let expected = format!("message.promptConfig.{place}{name} is longer than 65536 bytes");
        assert_eq!(complaint(&of(name, 65_537)), expected);
    }
}

#[test]
fn a_permission_has_the_limits_of_a_question() {
    let of = |id: &str, rest: &str| {
        format!(r#"{{"type":"permission_request","requestId":"{id}","tool_name":"T","input":{{}}{rest}}}"#)
    };
    let complaint = |line: &str| {
        let reject = read(line).unwrap_err();
        assert_eq!(reject.asked.unwrap().awaits, Awaits::Permission);
        reject.reason.to_string()
    };
    assert!(read(&of(&"x".repeat(256), "")).is_ok());
    assert_eq!(complaint(&of(&"x".repeat(257), "")), "requestId is longer than 256 characters");
    assert!(read(&of("p", r#","timeoutMs":2592000000"#)).is_ok());
    assert_eq!(complaint(&of("p", r#","timeoutMs":2592000001"#)), "timeoutMs must be from 1 to 2592000000");
    for name in ["reason", "agent_name"] {
        let text = |length: usize| of("p", &format!(r#","{name}":"{}""#, "x".repeat(length)));
        assert!(read(&text(65_536)).is_ok(), "{name}");
        assert_eq!(complaint(&text(65_537)), format!("{name} is longer than 65536 bytes"));
    }
    let named = |length: usize| {
        format!(
            r#"{{"type":"permission_request","requestId":"p","tool_name":"{}","input":{{}}}}"#,
            "x".repeat(length)
        )
    };
    assert!(read(&named(65_536)).is_ok());
    assert_eq!(complaint(&named(65_537)), "tool_name is longer than 65536 bytes");
    assert_eq!(complaint(&named(0)), "tool_name must be a text that says something");
    let Ok(Up::Permission(request)) = Up::read(
        br#"{"type":"permission_request","requestId":"p","tool_name":"T","input":{},"timeoutMs":2.5}"#,
        &Limits::STANDARD,
    ) else {
        panic!()
    };
    assert_eq!(request.timeout_ms(), Some(3));
}

#[test]
fn a_report_may_have_come_through_64_tims_and_not_one_more() {
    let of = |hops: usize| {
        let via = vec![r#"{"label":"a"}"#; hops].join(",");
        format!(r#"{{"type":"relayed","via":[{via}],"line":{{"type":"log","args":[]}}}}"#)
    };
    assert!(read(&of(64)).is_ok());
    assert_eq!(read(&of(65)).unwrap_err().reason.to_string(), "via holds more than 64");
    let me = || Segment::of(Label::new("me").unwrap());
    let relayed = |hops| {
        let line = Bytes::from(of(hops));
        relay(me(), &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD)
    };
    assert!(relayed(63).is_some());
    assert_eq!(relayed(64), None, "the next tim would not take it");
}

#[test]
fn what_one_tim_takes_the_next_one_takes_too() {
    let deep = |levels: usize| {
        let x = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"type":"structured","message":{{"type":"of_tomorrow","timestamp":"t","x":{x}}}}}"#)
    };
    let wide = |members: usize| {
        let members: String = (0..members).map(|number| format!(r#","x{number}":0"#)).collect();
        format!(r#"{{"type":"of_tomorrow","message":{{}}{members}}}"#)
    };
    let lines = [
        deep(122),
        deep(123),
        deep(124),
        deep(125),
        deep(126),
        wide(9_996),
        wide(9_997),
        wide(9_998),
        wide(9_999),
    ];
    let mut taken = 0;
    for line in lines {
        let line = Bytes::from(line);
        let Ok(up) = Up::read(&line, &Limits::STANDARD) else { continue };
        taken += 1;
        let relayed =
            relay(Segment::of(Label::new("me").unwrap()), &line, &up, &Limits::STANDARD).unwrap().concat();
        assert!(Up::read(&relayed, &Limits::STANDARD).is_ok(), "{}", String::from_utf8_lossy(&line[..60]));
    }
    assert_eq!(taken, 4, "and it is not refused for nothing");
}

#[test]
fn a_message_that_stands_twice_keeps_its_order() {
    for line in [
        r#"{"type":"x","message":{"a":1},"message":2}"#,
        r#"{"message":{"a":1},"type":"log","args":[],"message":{"b":2}}"#,
        r#"{"a":0,"message":1,"b":0,"message":{"b":2},"type":"x","c":0}"#,
    ] {
        assert!(same_json(&read(line).unwrap().to_line(), line), "{line}");
    }
}

#[test]
fn a_report_that_would_not_fit_the_next_line_is_not_relayed() {
    let line = Bytes::from(format!(r#"{{"type":"stdout","data":"{}"}}"#, "x".repeat((8 << 20) - 40)));
    let up = Up::read(&line, &Limits::STANDARD).unwrap();
    assert_eq!(relay(Segment::of(Label::new("me").unwrap()), &line, &up, &Limits::STANDARD), None);
}

#[test]
fn reports_inside_reports_are_refused_before_they_are_read() {
    let mut line = r#"{"type":"log"}"#.to_owned();
    for _ in 0..100 {
        line = format!(r#"{{"type":"relayed","via":[{{"label":"a"}}],"line":{line}}}"#);
    }
    assert_eq!(read(&line).unwrap_err().reason, Reason::NotRelayable("relayed".to_owned()));
}

#[test]
fn whatever_is_the_matter_with_a_question_its_asker_hears_of_it() {
    let inner = r#""timestamp":"t","requestId":"q","promptType":"confirm","promptConfig":{"message":"m"}"#;
    let prompts = [
        format!(
            r#"{{"type":"structured","type":"structured","message":{{"type":"prompt_request",{inner}}}}}"#
        ),
        format!(
            r#"{{"type":"structured","message":{{"type":"prompt_request","type":"prompt_request",{inner}}}}}"#
        ),
        format!(
            r#"{{"type":"structured","message":{{"type":"prompt_request",{inner},"promptType":"input"}}}}"#
        ),
        format!(r#"{{"type":"structured","message":{{"type":"prompt_request",{inner},"x":NaN}}}}"#),
        format!(
            "{{\"type\":\"structured\",\"message\":{{\"type\":\"prompt_request\",{inner},\"x\":\"a\tb\"}}}}"
        ),
        format!("\u{feff}{{\"type\":\"structured\",\"message\":{{\"type\":\"prompt_request\",{inner}}}}}"),
        format!(
            r#"{{"type":"structured","message":{{"type":"prompt_request",{inner},"x":{}1{}}}}}"#,
            "[".repeat(200),
            "]".repeat(200)
        ),
    ];
    for line in prompts {
        assert_eq!(read(&line).unwrap_err().asked, Some(asked("q", Awaits::Prompt)), "{line}");
    }
    let nobody = [
        r#"{"type":"structured","message":{"type":"llm_thinking","requestId":"q","text":5}}"#,
        r#"{"type":"log","requestId":"q"}"#,
        r#"{"type":"prompt_response","requestId":"q","value":1}"#,
        r#"{"type":"structured","message.type":"prompt_request","message.requestId":"q","message":5}"#,
        r#"{"type":"structured","message":{"type":"prompt_request","requestId":"a","requestId":"b"}}"#,
        r#"{"type":"structured","message":{"type":"llm_thinking","requestId":"q"},"message":{"type":"prompt_request"}}"#,
        r#"log: {"type":"permission_request","requestId":"q","tool_name":"T"}"#,
    ];
    for line in nobody {
        assert_eq!(read(line).unwrap_err().asked, None, "{line}");
    }
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
    assert!(read(&of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(122), "]".repeat(122)))).is_ok());
    let deep = of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(123), "]".repeat(123)));
    let reject = read(&deep).unwrap_err();
    assert_eq!(reject.reason, Reason::NotAnObject(NotAnObject::TooLarge));
    assert_eq!(reject.asked, Some(asked("p", Awaits::Permission)), "nobody waits for ever");
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
    let broken = prompt("a\\ud83d", "editor", "{}", "");
    assert_eq!(read(&broken).unwrap_err().asked.unwrap().id, request.request_id, "also with an error");
}

#[test]
fn bytes_that_are_no_text_are_not_repaired_but_their_asker_hears_of_it() {
    let mut line = prompt("u8", "confirm", r#"{"message":"Pro?eed"}"#, "").into_bytes();
    let at = line.iter().position(|byte| *byte == b'?').unwrap();
    line[at] = 0xff;
    let reject = Up::read(&line, &Limits::STANDARD).unwrap_err();
    assert_eq!(reject.reason, Reason::NotUtf8);
    assert_eq!(reject.asked, Some(asked("u8", Awaits::Prompt)));
}

#[test]
fn a_line_of_a_million_members_or_items_is_turned_away_before_it_fills_the_memory() {
    let members = r#""":0,"#.repeat(1 << 20);
    let reject =
        read(&prompt("a", "confirm", r#"{"message":"m"}"#, &format!(r#",{members}"x":0"#))).unwrap_err();
    assert_eq!(reject.asked, Some(asked("a", Awaits::Prompt)));
    let items = r#""","#.repeat(1 << 20);
    let log = format!(r#"{{"type":"log","args":[{items}""]}}"#);
    assert_eq!(read(&log).unwrap_err().reason.to_string(), "args holds more than 10000");
}

#[test]
fn an_id_that_stands_twice_in_a_broken_line_is_nobodys() {
    assert_eq!(recover(br#"{"type":"permission_request","requestId":"a","requestId":"b","x":"cut"#), None);
    assert_eq!(
        recover(br#"{"type":"permission_request","requestId":"a","requestId":"\u0061","x":"cut"#),
        Some(asked("a", Awaits::Permission)),
        "the same id twice is one id"
    );
}

#[test]
fn the_asker_in_a_line_that_was_too_long_is_found_in_its_head() {
    let huge = prompt("big", "confirm", &format!(r#"{{"message":"{}"#, "x".repeat(99_999)), "");
    let head = &huge.as_bytes()[..codec::frame::HEAD];
    assert_eq!(recover(head), Some(asked("big", Awaits::Prompt)));
    let permission =
        br#"{"requestId":"p","type":"permission_request","input":{"requestId":"no","content":"xxxx"#;
    assert_eq!(recover(permission), Some(asked("p", Awaits::Permission)));
    assert_eq!(recover(br#"{"type":"log","requestId":"x","args":["yyyy"#), None);
    let type_behind_the_cut =
        br#"{"message":{"requestId":"q","type":"prompt_request","promptConfig":{"message":"xxx"#;
    assert_eq!(recover(type_behind_the_cut), Some(asked("q", Awaits::Prompt)));
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
    let me = |name: &str, pid| Segment { pid: Some(pid), ..Segment::of(Label::new(name).unwrap()) };
    let line = Bytes::from_static(br#"{"type":"stdout","data":"x","of_tomorrow":[1, 2]}"#);
    let parts =
        relay(me("leaf", 9), &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD).unwrap();
    assert_eq!(parts[1].as_ptr(), line.as_ptr());

    let once = Bytes::from(parts.concat());
    let parts =
        relay(me("mid", 8), &once, &Up::read(&once, &Limits::STANDARD).unwrap(), &Limits::STANDARD).unwrap();
    assert!(once.as_ptr_range().contains(&parts[1].as_ptr()), "shared with the line it came in");
    let twice = String::from_utf8(parts.concat()).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid","pid":8},{"label":"leaf","pid":9}],"line":{"type":"stdout","data":"x","of_tomorrow":[1, 2]}}"#;
    assert_eq!(twice, expected);
    assert!(read(&twice).is_ok());
}

#[test]
fn what_a_newer_tim_wrote_beside_a_relayed_report_stays() {
    let me = Segment::of(Label::new("mid").unwrap());
    let line = Bytes::from_static(
        br#"{"type":"relayed","via":[{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#,
    );
    let parts = relay(me, &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid"},{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#;
    assert!(same_json(std::str::from_utf8(&parts.concat()).unwrap(), expected));
}

#[test]
fn a_question_is_never_relayed() {
    let me = Segment::of(Label::new("leaf").unwrap());
    let line = Bytes::from(prompt("a", "confirm", r#"{"message":"m"}"#, ""));
    assert_eq!(relay(me, &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD), None);
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
    assert_eq!(
        ended(r#","error":"x","outcome":"answered""#),
        Outcome::Refused,
        "an answer with an error is none"
    );
}

#[test]
fn an_end_is_written_so_that_both_kinds_of_client_understand_it() {
    let line = |response| Down::Response(response).to_line();
    let answered = PromptResponse::answered(RequestId::new("a"), Json::of(&true));
    let expected = r#"{"type":"prompt_response","requestId":"a","value":true,"outcome":"answered"}"#;
    assert_eq!(line(answered), expected);
    let words = told::timed_out(300);
    let late = PromptResponse::unanswered(RequestId::new("a"), Outcome::TimedOut, &words);
    let expected = r#"{"type":"prompt_response","requestId":"a","error":"Prompt request timed out after 300ms","outcome":"timed_out"}"#;
    assert_eq!(line(late), expected);
    let ends = [
        (Outcome::Declined, told::DECLINED),
        (Outcome::Disconnected, told::DISCONNECTED),
        (Outcome::Cancelled, told::CANCELLED),
        (Outcome::TimedOut, words.as_str()),
    ];
    for (outcome, words) in ends {
        let plain = PromptResponse {
            outcome: None,
            ..PromptResponse::unanswered(RequestId::new("a"), outcome, words)
        };
        assert_eq!(plain.ended(), outcome, "the words alone say it");
    }
}

#[test]
fn a_permission_is_granted_only_by_a_yes_that_somebody_said() {
    let granted = |rest: &str| {
        let line = format!(r#"{{"type":"permission_response","requestId":"p",{rest}}}"#);
        let Ok(Down::Permission(response)) = Down::read(line.as_bytes()) else { panic!("{rest}") };
        response.granted()
    };
    assert!(granted(r#""approved":true"#));
    assert!(granted(r#""approved":true,"outcome":"answered""#));
    for no in ["declined", "disconnected", "cancelled", "refused"] {
        assert!(!granted(&format!(r#""approved":true,"outcome":"{no}""#)), "{no}");
    }
    assert!(!granted(r#""approved":false,"outcome":"answered""#));
}

#[test]
fn what_goes_up_does_not_come_down() {
    for kind in [
        "log",
        "stdout",
        "structured",
        "hello",
        "relayed",
        "user_input_receipt",
        "process_exit",
        "prompt_cancel",
    ] {
        let line = format!(r#"{{"type":"{kind}"}}"#);
        let reason = Down::read(line.as_bytes()).unwrap_err().reason;
        assert_eq!(reason, Reason::WrongDirection(kind.to_owned()));
    }
}

#[test]
fn a_client_that_says_something_newer_than_we_know_is_a_script() {
    let peer = |kind: &str| {
        let line = format!(r#"{{"type":"hello","tim":2,"as":"{kind}"}}"#);
        let Ok(Up::Hello(hello)) = read(&line) else { panic!("{kind}") };
        hello.peer()
    };
    assert_eq!([peer("tim"), peer("bridge"), peer("browser")], [Peer::Tim, Peer::Bridge, Peer::Script]);
}

#[test]
fn a_member_that_was_set_stands_in_front_of_what_the_peer_had_said() {
    let line = prompt("a", "confirm", r#"{"message":"m"}"#, r#","timeoutMs":null"#);
    let Ok(Up::Prompt(mut request, beside)) = read(&line) else { panic!() };
    assert_eq!(request.timeout_ms(), None);
    request.timeout = Some(Num::new(5));
    let expected = prompt("a", "confirm", r#"{"message":"m"}"#, r#","timeoutMs":5"#);
    assert!(same_json(&Up::Prompt(request, beside).to_line(), &expected));
    let twice = prompt("a", "confirm", r#"{"message":"m"}"#, r#","timeoutMs":null,"timeoutMs":5"#);
    assert_eq!(complaint(&twice), "message.timeoutMs is given twice");
}

#[test]
fn how_many_rows_are_shown_is_a_wish() {
    let rows = |size: &str| {
        let config = format!(r#"{{"message":"m","choices":[{{"name":"a","value":1}}],"pageSize":{size}}}"#);
        let line = prompt("a", "select", &config, "");
        let Ok(Up::Prompt(request, _)) = read(&line) else { panic!("{size}") };
        request.config.rows()
    };
    assert_eq!(
        ["7", "0", "-3", "2.5", "1e400", "null"].map(rows),
        [Some(7), Some(1), Some(1), Some(2), Some(1000), None]
    );
}

#[test]
fn an_answer_that_cannot_be_read_is_still_heard_by_whoever_waits() {
    let line = br#"{"type":"permission_response","requestId":"p","approved":"yes"}"#;
    let reject = Down::read(line).unwrap_err();
    assert_eq!(reject.asked, Some(asked("p", Awaits::Permission)));
    let cut = br#"{"type":"prompt_response","requestId":"q","value":"xxxxxx"#;
    assert_eq!(recover_answer(cut), Some(asked("q", Awaits::Prompt)));
    assert_eq!(Down::read(cut).unwrap_err().asked, Some(asked("q", Awaits::Prompt)));
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
        r#""terminate_executor_result","executorId":"e","requestId":" ","result":"ended""#,
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
