//! The tunnel: whom a rejection must reach, what an end means, what a message must be.

use crate::support::{asked, complaint, is_accepted, prompt, read_up, same_json};
use codec::frame::Oversized;
use codec::id::RequestId;
use codec::json::{IntoOwned as _, Json, Num};
use codec::limits::Limits;
use codec::tunnel::{
    Down, Peer, PromptKind, PromptResponse, QuestionKind, Structured, Up, recover, recover_answer,
};
use codec::{Awaits, Outcome, Reason, Reject, told};

#[test]
fn a_message_that_stands_twice_keeps_its_order() {
    for line in [
        r#"{"type":"x","message":{"a":1},"message":2}"#,
        r#"{"message":{"a":1},"type":"log","args":[],"message":{"b":2}}"#,
        r#"{"a":0,"message":1,"b":0,"message":{"b":2},"type":"x","c":0}"#,
    ] {
        assert!(same_json(&read_up(line).unwrap().to_line(), line), "{line}");
    }
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
        assert_eq!(read_up(&line).unwrap_err().asked, Some(asked("q", Awaits::Prompt)), "{line}");
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
        assert_eq!(read_up(line).unwrap_err().asked, None, "{line}");
    }
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
    let infinite = r#"{"message":"m","choices":[{"name":"a","value":1e400}]}"#;
    assert!(
        !is_accepted(&of(PromptKind::Select, infinite)),
        "an answer must be a value that can be sent back"
    );
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
        assert!(matches!(read_up(&of(bad)).unwrap_err().reason, Reason::Field(_)), "{bad}");
    }
    let note = r#""type":"review_result","verdict":"UNKNOWN","recommendations":[],"actionItems":[],"issues":[{"severity":"note","category":"other","content":"c","file":"f","line":"1","suggestion":"s"}]"#;
    assert!(matches!(read_up(&of(note)), Ok(Up::Structured(Structured::ReviewResult(_), _))));
}

#[test]
fn there_are_thirty_structured_types() {
    assert_eq!(Structured::KINDS.len(), 30);
}

#[test]
fn a_lone_surrogate_or_a_number_out_of_range_does_not_lose_a_question() {
    let line = prompt("a\\ud83d", "confirm", r#"{"message":"cut \ud83d","note":1e400}"#, "");
    let Ok(Up::Prompt(request, _)) = read_up(&line) else { panic!("lost") };
    assert_eq!(request.config.message.get(), "cut \u{fffd}");
    assert_eq!(request.request_id.raw(), r#""a\ud83d""#, "the id goes back as it came");
    let broken = prompt("a\\ud83d", "editor", "{}", "");
    assert_eq!(read_up(&broken).unwrap_err().asked.unwrap().id, request.request_id, "also with an error");
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
    let oversized = Oversized { head: head.to_vec().into(), length: huge.len() };
    let reject = Reject::oversized(&oversized, 99_999, recover);
    assert_eq!(reject.asked, Some(asked("big", Awaits::Prompt)));
    assert_eq!(reject.to_string(), format!("a line of {} bytes, over the limit of 99999", huge.len()));
    let permission =
        br#"{"requestId":"p","type":"permission_request","input":{"requestId":"no","content":"xxxx"#;
    assert_eq!(recover(permission), Some(asked("p", Awaits::Permission)));
    assert_eq!(recover(br#"{"type":"log","requestId":"x","args":["yyyy"#), None);
    assert_eq!(
        recover(br#"{"type":"structured","type":"permission_request","requestId":"x","y":"yyyy"#),
        None
    );
    let type_behind_the_cut =
        br#"{"message":{"requestId":"q","type":"prompt_request","promptConfig":{"message":"xxx"#;
    assert_eq!(recover(type_behind_the_cut), Some(asked("q", Awaits::Prompt)));
    assert_eq!(
        recover(br#"{"type":"structured","message":{"type":"llm_response","requestId":"x","text":"yy"#),
        None
    );
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
fn a_grant_names_its_first_rule_and_all_of_them_where_there_are_several() {
    let grant = |rest: &str| {
        let line =
            format!(r#"{{"type":"permission_response","requestId":"p","approved":true,"grant":{rest}}}"#);
        let Ok(Down::Permission(response)) = Down::read(line.as_bytes()) else { return None };
        assert_eq!(Down::Permission(response.clone()).to_line(), line);
        response.into_owned().grant
    };
    let one = grant(r#"{"rule":"Bash(a)","scope":"session"}"#).unwrap();
    assert!(one.rule.is("Bash(a)") && one.rules.is_none());
    let several = grant(r#"{"rule":"Bash(a)","scope":"always","rules":["Bash(a)","Bash(b)"]}"#).unwrap();
    assert_eq!(several.rules.map(|rules| rules.len()), Some(2));
    for wrong in [
        r#"{"rules":["Bash(a)"],"scope":"session"}"#,
        r#"{"rule":"Bash(a)","scope":"session","rules":"Bash(b)"}"#,
    ] {
        assert!(grant(wrong).is_none(), "{wrong}");
    }
}

#[test]
fn a_client_that_says_something_newer_than_we_know_is_a_script() {
    let peer = |kind: &str| {
        let line = format!(r#"{{"type":"hello","tim":2,"as":"{kind}"}}"#);
        let Ok(Up::Hello(hello)) = read_up(&line) else { panic!("{kind}") };
        hello.peer()
    };
    assert_eq!([peer("tim"), peer("bridge"), peer("browser")], [Peer::Tim, Peer::Bridge, Peer::Script]);
}

#[test]
fn a_member_that_was_set_stands_in_front_of_what_the_peer_had_said() {
    let line = prompt("a", "confirm", r#"{"message":"m"}"#, r#","timeoutMs":null"#);
    let Ok(Up::Prompt(mut request, beside)) = read_up(&line) else { panic!() };
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
        let Ok(Up::Prompt(request, _)) = read_up(&line) else { panic!("{size}") };
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
        assert!(matches!(read_up(&of(body)), Ok(Up::Process(_))), "{body}");
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
        assert!(read_up(&of(body)).is_err(), "{body}");
    }
    let long = |units: usize| {
        of(&format!(
            r#""process_register","processId":"a","kind":"tim","label":"x","command":"{}""#,
            "😀".repeat(units / 2)
        ))
    };
    assert!(read_up(&long(65_536)).is_ok());
    assert!(read_up(&long(65_538)).is_err());
}
