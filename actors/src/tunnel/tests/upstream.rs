//! What is said to a parent, and what its words mean.

use std::sync::Arc;

use bytes::Bytes;
use codec::frame::{Frame, Oversized};
use codec::id::Key;
use codec::json::Json;
use codec::limits::Limits;

use crate::dialect::Heard;
use crate::end::{End, Refusal};
use crate::router::{AskerId, Keeper, Offer, Said};
use crate::tunnel::translate::hear;
use crate::tunnel::upstream::{Upstream, Word};

/// A question of a client, offered under the key `7f3c.p1`.
pub(super) fn offered(line: &str) -> Arc<Offer> {
    let Heard::Ask(ask) = hear(line.as_bytes(), &Limits::STANDARD) else { panic!("no question: {line}") };
    Arc::new(Offer {
        key: Key::new("7f3c.p1").unwrap(),
        asker: AskerId(1),
        path: "main/review/leaf".to_owned(),
        pid: Some(9),
        left_ms: ask.question.timeout_ms,
        question: ask.question,
        since: 1_000,
        keeper: Keeper::Below,
    })
}

pub(super) fn prompt(kind: &str, config: &str) -> Arc<Offer> {
    offered(&format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"own","promptType":"{kind}","promptConfig":{config},"timeoutMs":5000}}}}"#
    ))
}

pub(super) fn permission(input: &str) -> Arc<Offer> {
    offered(&format!(
        r#"{{"type":"permission_request","requestId":"own","tool_name":"Bash","input":{input},"reason":"no rule"}}"#
    ))
}

pub(super) fn questions() -> Arc<Offer> {
    let asked = r#"[{"question":"Which?","header":"H","options":[{"label":"A"},{"label":"B"}]},{"question":"What else?","header":"W","multiSelect":true,"options":[{"label":"x"},{"label":"y"}]}]"#;
    offered(&format!(
        r#"{{"type":"permission_request","requestId":"own","tool_name":"AskUserQuestion","input":{{"questions":{asked}}}}}"#
    ))
}

fn line(text: &str) -> Frame {
    Frame::Line(Bytes::copy_from_slice(text.as_bytes()))
}

/// What a reply of the parent to `7f3c.p1` means.
pub(super) fn said(upstream: &mut Upstream, reply: &str) -> Said {
    match upstream.hear(&line(reply)) {
        Word::Said(key, said) => {
            assert_eq!(key.to_string(), "7f3c.p1");
            said
        }
        other => panic!("{other:?}"),
    }
}

fn after(offer: &Arc<Offer>, reply: &str) -> Said {
    let mut upstream = Upstream::new(false, 0);
    upstream.offered(offer).unwrap();
    said(&mut upstream, reply)
}

pub(super) fn answer(json: &str) -> Said {
    Said::Answer(Json::parse(json).unwrap().into_owned())
}

#[test]
fn a_prompt_is_asked_anew_under_its_key_with_what_is_left_of_its_time_and_who_asks() {
    let offer = prompt("confirm", r#"{"message":"Go on?","later":1}"#);
    assert_eq!(
        Upstream::new(false, 0).offered(&offer).unwrap(),
        r#"{"type":"structured","message":{"type":"prompt_request","timestamp":"1970-01-01T00:00:01.000Z","requestId":"7f3c.p1","promptType":"confirm","promptConfig":{"message":"Go on?","later":1},"timeoutMs":5000,"path":"main/review/leaf"}}"#
    );
}

#[test]
fn a_permission_is_asked_as_a_permission() {
    assert_eq!(
        Upstream::new(false, 0).offered(&permission(r#"{"command":"echo"}"#)).unwrap(),
        r#"{"type":"permission_request","requestId":"7f3c.p1","tool_name":"Bash","input":{"command":"echo"},"reason":"no rule","path":"main/review/leaf"}"#
    );
}

#[test]
fn every_end_of_a_prompt_at_the_parent_is_that_end_here() {
    let cases = [
        (r#""value":true"#, answer("true")),
        (r#""value":true,"outcome":"answered""#, answer("true")),
        (r#""error":"Declined by the user","outcome":"declined""#, Said::Decline),
        (
            r#""error":"Prompt request timed out after 5000ms","outcome":"timed_out""#,
            Said::TimedOut(Some(5000)),
        ),
        (r#""error":"Prompt request timed out after 5000ms""#, Said::TimedOut(Some(5000))),
        (r#""error":"too late","outcome":"timed_out""#, Said::TimedOut(None)),
        (r#""error":"Tunnel connection closed","outcome":"disconnected""#, Said::Lost),
        (r#""error":"Tunnel connection closed""#, Said::Lost),
        (
            r#""error":"No one can answer here","outcome":"refused""#,
            Said::GiveBack("No one can answer here".into()),
        ),
        (r#""error":"Prompt was aborted""#, Said::GiveBack("Prompt was aborted".into())),
    ];
    for (reply, expected) in cases {
        let reply = format!(r#"{{"type":"prompt_response","requestId":"7f3c.p1",{reply}}}"#);
        assert_eq!(after(&prompt("confirm", r#"{"message":"?"}"#), &reply), expected, "{reply}");
    }
}

#[test]
fn every_end_of_a_permission_at_the_parent_is_that_end_here() {
    let cases = [
        (r#""approved":true,"outcome":"answered""#, answer(r#"{"allow":true}"#)),
        (
            r#""approved":false,"outcome":"answered","message":"use git mv""#,
            answer(r#"{"allow":false,"reason":"use git mv"}"#),
        ),
        (
            r#""approved":true,"outcome":"answered","grant":{"rule":"Bash(ls:*)","scope":"session"}"#,
            answer(r#"{"allow":true,"scope":"session","rule":"Bash(ls:*)"}"#),
        ),
        (
            r#""approved":true,"outcome":"answered","grant":{"rule":"Bash(a)","rules":["Bash(a)","Bash(b)"],"scope":"session"}"#,
            answer(r#"{"allow":true,"scope":"session","rules":["Bash(a)","Bash(b)"]}"#),
        ),
        (
            r#""approved":false,"outcome":"answered","grant":{"rule":"Bash(a)","rules":["Bash(a)","Bash(b)"],"scope":"session"}"#,
            answer(r#"{"allow":false}"#),
        ),
        (r#""approved":false,"outcome":"declined""#, Said::Decline),
        (r#""approved":false,"outcome":"timed_out""#, Said::TimedOut(None)),
        (r#""approved":false,"outcome":"disconnected""#, Said::Lost),
        (r#""approved":false,"outcome":"refused","message":"No one""#, Said::GiveBack("No one".into())),
        (r#""approved":true,"outcome":"refused","message":"odd""#, Said::GiveBack("odd".into())),
        (
            r#""approved":false,"outcome":"refused","message":"No one","reason":"no_desk""#,
            Said::Refused("no_desk", "No one".into()),
        ),
        // A yes that a clock said is nobody's, and brings no rule along.
        (
            r#""approved":true,"outcome":"timed_out","grant":{"rule":"Bash(*)","scope":"always"}"#,
            Said::TimedOut(None),
        ),
    ];
    for (reply, expected) in cases {
        let reply = format!(r#"{{"type":"permission_response","requestId":"7f3c.p1",{reply}}}"#);
        assert_eq!(after(&permission("{}"), &reply), expected, "{reply}");
    }
}

#[test]
fn the_answers_to_an_agents_questions_come_back_as_answers_and_a_bare_yes_is_none() {
    let reply = |rest: &str| format!(r#"{{"type":"permission_response","requestId":"7f3c.p1",{rest}}}"#);
    let answered = reply(
        r#""approved":true,"updatedInput":{"questions":[],"answers":{"Which?":"A","What else?":"x, y"}}"#,
    );
    let expected = answer(r#"{"answers":{"Which?":"A","What else?":"x, y"}}"#);
    assert_eq!(after(&questions(), &answered), expected);
    assert!(matches!(after(&questions(), &reply(r#""approved":true"#)), Said::GiveBack(_)));
    assert_eq!(after(&questions(), &reply(r#""approved":false"#)), Said::Decline);
}

#[test]
fn a_reply_counts_once_and_only_for_a_question_that_the_parent_has() {
    let mut upstream = Upstream::new(false, 0);
    let reply = r#"{"type":"prompt_response","requestId":"7f3c.p1","value":true}"#;
    assert!(
        matches!(upstream.hear(&line(reply)), Word::Said(..)),
        "the router will say that it was not asked"
    );
    let foreign = reply.replace("7f3c.p1", "not a key");
    assert!(matches!(upstream.hear(&line(&foreign)), Word::Nothing(None)), "that is nobody's");
    upstream.offered(&prompt("confirm", r#"{"message":"?"}"#)).unwrap();
    assert_eq!(said(&mut upstream, r#"{"type":"prompt_shown","requestId":"7f3c.p1"}"#), Said::Shown);
    assert_eq!(said(&mut upstream, reply), answer("true"));
    assert!(matches!(upstream.hear(&line(reply)), Word::Nothing(None)), "the router has just heard it");
    assert_eq!(
        upstream.withdrawn(&Key::new("7f3c.p1").unwrap(), &End::Cancelled { gone: false }),
        None,
        "nothing to take back"
    );
    assert!(matches!(upstream.hear(&line(reply)), Word::Said(..)), "the router will say that it is too late");
}

#[test]
fn a_question_that_ends_here_first_is_taken_back_with_the_reason() {
    let refused = End::Refused(Refusal::NoDesk);
    for (end, reason) in [
        (End::TimedOut { after_ms: 1, shown: false }, "timed_out"),
        (End::Disconnected, "asker_gone"),
        (End::Cancelled { gone: false }, "cancelled"),
        (End::Cancelled { gone: true }, "asker_gone"),
        (refused, "cancelled"),
    ] {
        let mut upstream = Upstream::new(false, 0);
        upstream.offered(&prompt("confirm", r#"{"message":"?"}"#)).unwrap();
        let line = upstream.withdrawn(&Key::new("7f3c.p1").unwrap(), &end).unwrap().unwrap();
        assert_eq!(line, format!(r#"{{"type":"prompt_cancel","requestId":"7f3c.p1","reason":"{reason}"}}"#));
    }
}

#[test]
fn an_answer_that_cannot_be_read_or_is_too_long_still_ends_its_question() {
    let broken = r#"{"type":"prompt_response","requestId":"7f3c.p1","value":"#;
    let mut upstream = Upstream::new(false, 0);
    upstream.offered(&prompt("confirm", r#"{"message":"?"}"#)).unwrap();
    assert!(matches!(said(&mut upstream, broken), Said::GiveBack(_)));
    upstream.offered(&prompt("confirm", r#"{"message":"?"}"#)).unwrap();
    let over = Oversized { head: Bytes::from_static(broken.as_bytes()), length: 9 << 20 };
    let Word::Said(_, Said::GiveBack(why)) = upstream.hear(&Frame::Oversized(over)) else { panic!() };
    assert!(why.contains("8388608"), "{why}");
}

#[test]
fn what_is_too_large_for_the_way_up_is_given_back_and_not_sent() {
    let large = format!(r#"{{"command":"{}"}}"#, "x".repeat(9 << 20));
    let Heard::Ask(ask) = hear(
        format!(r#"{{"type":"permission_request","requestId":"own","tool_name":"Bash","input":{large}}}"#)
            .as_bytes(),
        &Limits::STANDARD,
    ) else {
        panic!()
    };
    let offer = Arc::new(Offer { question: ask.question, ..Offer::clone(&permission("{}")) });
    let mut upstream = Upstream::new(false, 0);
    assert!(matches!(upstream.offered(&offer), Err(Said::Refused("too_large", _))));
    assert_eq!(upstream.withdrawn(&offer.key, &End::Cancelled { gone: false }), None);
}

#[test]
fn a_typed_line_and_a_goodbye_are_heard() {
    let mut upstream = Upstream::new(false, 0);
    let typed = r#"{"type":"user_input","content":"also add tests","inputId":"i1","to":"main/review"}"#;
    let Word::Typed(input) = upstream.hear(&line(typed)) else { panic!() };
    assert!(input.content.is("also add tests"));
    let goodbye = r#"{"type":"goodbye","reason":"too_many_connections","message":"Too many"}"#;
    assert!(matches!(upstream.hear(&line(goodbye)), Word::Goodbye(why) if why == "Too many"));
}

#[test]
fn a_reply_in_the_form_of_another_kind_of_question_decides_nothing() {
    let prompt_response = r#"{"type":"prompt_response","requestId":"7f3c.p1","value":{"allow":true}}"#;
    assert!(matches!(after(&permission("{}"), prompt_response), Said::GiveBack(_)));
    let permission_response = r#"{"type":"permission_response","requestId":"7f3c.p1","approved":true}"#;
    assert!(matches!(
        after(&prompt("confirm", r#"{"message":"?"}"#), permission_response),
        Said::GiveBack(_)
    ));
}

#[test]
fn questions_are_not_answered_by_a_clock() {
    let reply = r#"{"type":"permission_response","requestId":"7f3c.p1","approved":true,"outcome":"timed_out","updatedInput":{"answers":{"Which?":"A","What else?":"x"}}}"#;
    assert_eq!(after(&questions(), reply), Said::TimedOut(None));
}

#[test]
fn answers_by_number_count_before_those_under_their_texts() {
    let by_text = r#""updatedInput":{"answers":{"Which?":"A","What else?":"x, y"}}"#;
    let approved =
        format!(r#"{{"type":"permission_response","requestId":"7f3c.p1","approved":true,{by_text}"#);
    let numbered = r#"[{"options":[0]},{"options":[0,1]}]"#;
    let said = after(&questions(), &format!(r#"{approved},"answers":{numbered}}}"#));
    assert_eq!(said, answer(&format!(r#"{{"answers":{numbered}}}"#)));
    let said = after(&questions(), &format!("{approved}}}"));
    assert_eq!(said, answer(r#"{"answers":{"Which?":"A","What else?":"x, y"}}"#));
}

#[test]
fn a_plan_goes_along_to_the_parent() {
    let offer = offered(
        r#"{"type":"permission_request","requestId":"own","tool_name":"ExitPlanMode","input":{},"plan":"do it"}"#,
    );
    let line = Upstream::new(false, 0).offered(&offer).unwrap();
    assert!(line.contains(r#""plan":"do it""#), "{line}");
}
