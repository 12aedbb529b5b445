//! Questions for a parent of the original.

use codec::json::{Json, Object};

use crate::answer::check;
use crate::end::End;
use crate::router::{Offer, Said};
use crate::tunnel::upstream::{Upstream, Word};

use super::upstream::{answer, permission, prompt, questions, said};

/// The kind and the config that the parent sees.
fn seen(line: &str) -> (String, String) {
    let envelope = Object::read(Json::parse(line).unwrap()).unwrap();
    let message = Object::read(envelope.peek("message").unwrap().clone()).unwrap();
    assert!(message.peek("path").is_none(), "the original has no such field");
    let text = |name: &str| message.peek(name).unwrap().raw().to_owned();
    (text("promptType"), text("promptConfig"))
}

fn reply(value: &str) -> String {
    format!(r#"{{"type":"prompt_response","requestId":"7f3c.p1","value":{value}}}"#)
}

/// What is asked, and what an answer becomes. It must fit what was asked in the first place.
fn play(offer: &std::sync::Arc<Offer>, value: &str) -> (String, String, Said) {
    let mut upstream = Upstream::new(true, 0);
    let (kind, config) = seen(&upstream.offered(offer).unwrap());
    let said = said(&mut upstream, &reply(value));
    if let Said::Answer(value) = &said {
        check(&offer.question, value).unwrap();
    }
    (kind, config, said)
}

#[test]
fn kinds_that_the_original_knows_go_as_they_are() {
    let config = r#"{"message":"?","choices":[{"name":"a","value":1}]}"#;
    assert_eq!(play(&prompt("select", config), "1"), ("\"select\"".into(), config.into(), answer("1")));
    let config = r#"{"message":"?"}"#;
    assert_eq!(
        play(&prompt("confirm", config), "false"),
        ("\"confirm\"".into(), config.into(), answer("false"))
    );
}

#[test]
fn approval_choice_and_text_become_confirm_select_and_input() {
    let offer = prompt(
        "approval",
        r#"{"message":"Delete?","choices":[{"name":"Yes","value":1},{"name":"No","value":0}]}"#,
    );
    assert_eq!(
        play(&offer, "true"),
        (
            "\"confirm\"".into(),
            r#"{"message":"Delete? (yes: Yes, no: No)","default":false}"#.into(),
            answer("\"approve\"")
        )
    );
    assert_eq!(play(&offer, "false").2, answer("\"reject\""));
    let offer = prompt(
        "choice",
        r#"{"message":"Which?","choices":[{"name":"A","value":"a"},{"name":"B","value":"b"}]}"#,
    );
    let (kind, config, said) = play(&offer, "1");
    assert_eq!((kind.as_str(), said), ("\"select\"", answer(r#"{"index":1,"value":"b"}"#)));
    assert!(config.ends_with(r#"{"name":"None of these","value":"none"}]}"#), "{config}");
    assert_eq!(play(&offer, "\"none\"").2, answer("\"reject\""));
    let offer = prompt("text", r#"{"message":"Why?"}"#);
    assert_eq!(play(&offer, "\"so\"").0, "\"input\"");
    assert_eq!((play(&offer, "\"so\"").2, play(&offer, "\"\"").2), (answer("\"so\""), answer("\"reject\"")));
    assert_eq!(play(&offer, "\"  \"").2, answer("\"reject\""));
}

#[test]
fn a_permission_becomes_a_choice_whose_default_denies() {
    let (kind, config, said) = play(&permission(r#"{"command":"echo"}"#), "\"allow\"");
    assert_eq!((kind.as_str(), said), ("\"select\"", answer(r#"{"allow":true}"#)));
    assert!(
        config.contains(r#"{\"command\":\"echo\"}"#) && config.contains(r#""default":"deny""#),
        "{config}"
    );
    assert!(config.contains("May main/review/leaf use Bash? (no rule)"), "{config}");
    for other in ["\"deny\"", "null", "true", "\"ALLOW\""] {
        assert_eq!(play(&permission("{}"), other).2, answer(r#"{"allow":false}"#), "{other}");
    }
}

#[test]
fn a_permission_that_could_not_be_shown_whole_is_given_back() {
    let large = permission(&format!(r#"{{"command":"{}"}}"#, "x".repeat(70_000)));
    assert!(matches!(Upstream::new(true, 0).offered(&large), Err(Said::GiveBack(_))));
}

#[test]
fn an_agents_questions_are_asked_one_after_another() {
    let mut upstream = Upstream::new(true, 0);
    let (kind, config) = seen(&upstream.offered(&questions()).unwrap());
    assert_eq!(kind, "\"select\"");
    assert!(config.contains("Which?") && config.contains(r#"{"name":"B","value":1}"#), "{config}");
    let frame = codec::frame::Frame::Line(reply("1").into_bytes().into());
    let Word::Ask(_, next) = upstream.hear(&frame) else { panic!("the second question") };
    assert_eq!(seen(&next).0, "\"checkbox\"");
    let twice = codec::frame::Frame::Line(reply("0").into_bytes().into());
    assert!(
        matches!(upstream.hear(&twice), Word::Nothing(None)),
        "the first one again is no answer to the second"
    );
    let second = reply("[0,1]").replace("7f3c.p1", "7f3c.p1.2");
    let said = said(&mut upstream, &second);
    assert_eq!(said, answer(r#"{"answers":[{"options":[1]},{"options":[0,1]}]}"#));
    let Said::Answer(value) = said else { panic!() };
    check(&questions().question, &value).unwrap();
}

#[test]
fn words_of_ones_own_are_asked_for_where_they_were_chosen() {
    let mut upstream = Upstream::new(true, 0);
    let (_, config) = seen(&upstream.offered(&questions()).unwrap());
    assert!(config.contains(r#"{"name":"Something else…","value":2}"#), "{config}");
    let mut asked = |value: &str, id: &str| {
        let frame = codec::frame::Frame::Line(reply(value).replace("7f3c.p1", id).into_bytes().into());
        let Word::Ask(_, next) = upstream.hear(&frame) else { panic!("nothing is asked next") };
        seen(&next).0
    };
    assert_eq!(asked("2", "7f3c.p1"), "\"input\"");
    assert_eq!(asked("\"  \"", "7f3c.p1.2"), "\"select\"", "who says nothing may choose again");
    assert_eq!(asked("2", "7f3c.p1.3"), "\"input\"");
    assert_eq!(asked("\"my \\\"own\\\"\"", "7f3c.p1.4"), "\"checkbox\"");
    assert_eq!(asked("[1,2]", "7f3c.p1.5"), "\"input\"");
    let said = said(&mut upstream, &reply("\"and this\"").replace("7f3c.p1", "7f3c.p1.6"));
    let expected = r#"{"answers":[{"options":[],"text":"my \"own\""},{"options":[1],"text":"and this"}]}"#;
    assert_eq!(said, answer(expected));
    let Said::Answer(value) = said else { panic!() };
    check(&questions().question, &value).unwrap();
}

#[test]
fn a_parent_that_never_says_anything_of_its_own_is_not_asked_without_end() {
    let mut upstream = Upstream::new(true, 0);
    upstream.offered(&questions()).unwrap();
    let mut id = "7f3c.p1".to_owned();
    for step in 2..1_000 {
        let value = if step % 2 == 0 { "2" } else { "\"\"" };
        let frame = codec::frame::Frame::Line(reply(value).replace("7f3c.p1", &id).into_bytes().into());
        match upstream.hear(&frame) {
            Word::Ask(..) => id = format!("7f3c.p1.{step}"),
            Word::Said(_, Said::GiveBack(_)) => return,
            other => panic!("{other:?}"),
        }
    }
    panic!("it was asked a thousand times");
}

#[test]
fn a_plan_is_shown_to_it_with_the_permission() {
    let line = r#"{"type":"permission_request","requestId":"own","tool_name":"ExitPlanMode","input":{},"plan":"do it"}"#;
    let (_, config) = seen(&Upstream::new(true, 0).offered(&super::upstream::offered(line)).unwrap());
    assert!(config.contains("do it"), "{config}");
}

#[test]
fn nothing_is_taken_back_from_a_parent_that_would_not_understand() {
    let mut upstream = Upstream::new(true, 0);
    let offer = prompt("confirm", r#"{"message":"?"}"#);
    upstream.offered(&offer).unwrap();
    assert_eq!(upstream.withdrawn(&offer.key, &End::Cancelled { gone: false }), Some(None));
}
