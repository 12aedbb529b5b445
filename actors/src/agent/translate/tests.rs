//! What Claude asks, and what it is told.

use codec::id::RequestId;
use codec::tunnel::AnswerSource;

use super::*;
use crate::answer::check;
use crate::dialect::Dialect;
use crate::question::Asks;

const WRITE: &str = r#"{"type":"control_request","request_id":"r1","request":{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"a","n":1.0},"tool_use_id":"t1","decision_reason":"outside","agent_id":"a1","permission_suggestions":[{"type":"setMode","mode":"acceptEdits"}]}}"#;

fn asked(line: &str) -> Ask {
    match hear(line.as_bytes()) {
        Heard::Ask(ask) => ask,
        other => panic!("{other:?}"),
    }
}

fn answered(ask: &Ask, value: &str) -> End {
    let value = Json::parse(value).unwrap().into_owned();
    let given = check(&ask.question, &value).unwrap();
    End::Answered { value, given, source: AnswerSource::Terminal }
}

fn told(ask: &Ask, end: &End) -> Option<String> {
    reply(&ask.asked, Some(&ask.question), end)
}

#[test]
fn a_tool_is_asked_for_with_all_that_is_known_of_it() {
    let ask = asked(WRITE);
    assert_eq!(ask.asked, Asked { id: RequestId::new("r1"), awaits: Awaits::Control });
    let Asks::Permission(tool) = &ask.question.asks else { panic!() };
    assert!(tool.name.is("Write"));
    assert_eq!(tool.input.raw(), r#"{"file_path":"a","n":1.0}"#);
    assert!(tool.reason.as_ref().unwrap().is("outside") && tool.agent_id.as_ref().unwrap().is("a1"));
    assert!(tool.suggestions.as_ref().unwrap().raw().contains("acceptEdits"));
    assert_eq!(ask.question.timeout_ms, None, "Claude waits as long as it takes");
}

#[test]
fn a_yes_carries_the_input_as_it_came() {
    let ask = asked(WRITE);
    let line = told(&ask, &answered(&ask, r#"{"allow":true}"#)).unwrap();
    assert_eq!(
        line,
        r#"{"type":"control_response","response":{"subtype":"success","request_id":"r1","response":{"behavior":"allow","updatedInput":{"file_path":"a","n":1.0}}}}"#
    );
}

#[test]
fn each_end_has_its_own_words() {
    let ask = asked(WRITE);
    let no = |end: End| {
        let line = told(&ask, &end).unwrap();
        assert!(line.contains(r#""behavior":"deny""#), "{line}");
        words(&end)
    };
    assert_eq!(no(answered(&ask, r#"{"allow":false}"#)), "The person said no to this.");
    assert_eq!(no(answered(&ask, r#"{"allow":false,"reason":"use rg"}"#)), "use rg");
    let End::Answered { value, given, .. } = answered(&ask, r#"{"allow":false}"#) else { panic!() };
    assert_eq!(no(End::Answered { value, given, source: AnswerSource::Rule }), "A rule forbids this.");
    assert!(no(End::Refused(Refusal::GivenBack("exit 7".to_owned()))).contains("exit 7. It can be allowed"));
    assert!(no(End::Declined).starts_with("The person declined"));
    assert!(no(End::TimedOut { after_ms: 60_000, shown: true }).contains("within 60 s"));
    assert!(no(End::TimedOut { after_ms: 1_500, shown: true }).contains("within 1500 ms"));
    assert!(no(End::Disconnected).contains("connection"));
    let nobody = no(End::Refused(Refusal::NoDesk));
    assert!(
        nobody.contains("No one can answer here") && nobody.contains("--answer-command"),
        "and how to change that"
    );
    assert!(no(End::Refused(Refusal::Internal)).contains("Internal failure"));
}

#[test]
fn what_claude_took_back_is_not_answered() {
    let ask = asked(WRITE);
    assert_eq!(told(&ask, &End::Cancelled { gone: false }), None);
    let heard = hear(br#"{"type":"control_cancel_request","request_id":"r1"}"#);
    assert!(matches!(heard, Heard::Withdraw(id, CancelReason::Cancelled) if id == RequestId::new("r1")));
}

#[test]
fn no_request_waits_for_ever() {
    for line in [
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"of_tomorrow"}}"#,
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":5,"input":{}}}"#,
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"hook_callback","callback_id":"x"}}"#,
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[]}}}"#,
        r#"{"type":"control_request","request_id":"r","request":null}"#,
        r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","input":{"#,
    ] {
        let Heard::Misask(asked, why) = hear(line.as_bytes()) else { panic!("{line}") };
        assert_eq!(asked.id, RequestId::new("r"), "{line}");
        let line = reply(&asked, None, &End::Refused(Refusal::Invalid(why))).unwrap();
        assert!(line.contains(r#""subtype":"error","request_id":"r","error":""#), "{line}");
    }
}

#[test]
fn everything_else_is_a_report_also_what_is_not_in_its_language() {
    assert!(matches!(hear(br#"{"type":"assistant","message":{"content":[]}}"#), Heard::Report));
    assert!(matches!(hear(br#"{"type":"of_tomorrow"}"#), Heard::Report));
    assert!(matches!(hear(b"Segmentation fault"), Heard::Report), "also what is not in its language");
}

#[test]
fn only_what_certainly_is_a_piece_of_a_message_is_heard_as_one() {
    let piece = br#"{"type":"stream_event","event":{"type":"message_stop"}}"#;
    assert!(matches!(hear(piece), Heard::Piece));
    assert!(Dialect::Claude.may_be_piece(piece) && !Dialect::Events.may_be_piece(piece));
    // Another order is only not guessed.
    let turned = br#"{"event":{"type":"message_stop"},"type":"stream_event"}"#;
    assert!(matches!(hear(turned), Heard::Piece) && !Dialect::Claude.may_be_piece(turned));
    for line in [
        &br#"{"type":"stream_event","event":{"type":"message_stop"}"#[..],
        br#"{"type":"stream_event","request_id":"r1","type":"control_request","request":{"subtype":"x"}}"#,
        br#"{"type":"stream_event","event":3}"#,
    ] {
        assert!(Dialect::Claude.may_be_piece(line));
        assert!(!matches!(hear(line), Heard::Piece), "{}", String::from_utf8_lossy(line));
    }
}
