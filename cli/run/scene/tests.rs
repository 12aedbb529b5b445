//! What the status row says while an agent asks, and what becomes of its turn.

use std::sync::Arc;

use actors::answer::Given;
use actors::end::{End, Refusal};
use actors::gate::Place;
use actors::question::{Asks, Question};
use actors::router::Keeper;
use codec::id::Key;
use codec::json::{Json, Text};
use codec::tunnel::{AnswerSource, PromptConfig, PromptKind};

use super::*;
use crate::printer::Printer;
use crate::render::events::Story;

const ASKS: &[u8] =
    br#"{"type":"input_request","requestId":"r1","prompt":"Proceed?","choices":["Yes","No"]}"#;

fn voice() -> Voice {
    Voice::new(Printer::start(None).unwrap(), None)
}

fn scene() -> Scene {
    let place = Place { root: "/tmp/demo".to_owned(), home: None };
    Scene {
        // So that nothing is printed.
        wanted: Wanted {
            print: false,
            format: OutputFormat::Json,
            tells_on_stdout: false,
            on_screen: false,
            is_told_above: false,
        },
        story: Box::new(Story::default()),
        whole: Whole::default(),
        decisions: Decisions::new("reviewer", place, false),
        began: Instant::now(),
        settled: None,
        is_awaited: false,
        asked: None,
        who: "reviewer".to_owned(),
        badge: None,
        reports: None,
    }
}

fn key(number: u8) -> Key {
    Key::new(&format!("7f3c.p{number}")).unwrap()
}

fn asked(path: &str, kind: PromptKind, number: u8) -> Emitted {
    let config = Box::new(PromptConfig::of(Text::new("Proceed?")));
    let question = Question { asks: Asks::Prompt(kind, config), timeout_ms: None, claimed: None };
    let what = Stage::Asked { path: path.to_owned(), question: Arc::new(question), keeper: Keeper::Here };
    Emitted { key: key(number), what, line: String::new() }
}

fn ended(end: End, number: u8) -> Emitted {
    Emitted { key: key(number), what: Stage::Ended(Arc::new(end)), line: String::new() }
}

fn answered(value: &str) -> End {
    let (value, source) = (Json::parse(value).unwrap().into_owned(), AnswerSource::Terminal);
    End::Answered { value, given: Given::Value, source }
}

/// An agent that asked something, and the question.
fn asking(kind: PromptKind) -> (Scene, Voice) {
    let (mut scene, voice, now) = (scene(), voice(), Instant::now());
    scene.hear(ASKS).unwrap();
    scene.question(&asked("reviewer", kind, 1), &voice, now);
    (scene, voice)
}

fn row(scene: &Scene) -> String {
    match scene.status() {
        Status::Says(row) => row.text(),
        Status::Works { at, .. } => format!("works: {at}"),
    }
}

#[test]
fn while_an_agent_asks_nothing_turns() {
    let (mut scene, voice) = asking(PromptKind::Approval);
    assert_eq!(row(&scene), "? reviewer asks");
    scene.question(&ended(answered("\"approve\""), 1), &voice, Instant::now());
    assert_eq!(row(&scene), "works: thinking");
    assert_eq!((scene.decisions.questions().you_yes, scene.decisions.questions().no), (1, 0));
}

#[test]
fn a_question_that_is_open_still_is_said_whatever_the_agent_goes_on_with() {
    let (mut scene, voice) = asking(PromptKind::Text);
    let now = Instant::now();
    scene.hear(br#"{"type":"text_delta","text":"meanwhile"}"#).unwrap();
    assert_eq!(row(&scene), "? reviewer asks");
    scene.question(&ended(answered("\"why\""), 1), &voice, now);
    assert_eq!(row(&scene), "works: writing");
}

#[test]
fn whatever_is_no_answer_ends_the_turn() {
    for kind in [PromptKind::Approval, PromptKind::Choice, PromptKind::Text] {
        for end in [
            answered("\"reject\""),
            End::Declined,
            End::TimedOut { after_ms: 5, shown: true },
            End::Disconnected,
            End::Cancelled { gone: false },
            End::Refused(Refusal::NoDesk),
        ] {
            let (mut scene, voice) = asking(kind);
            scene.question(&ended(end.clone(), 1), &voice, Instant::now());
            assert!(scene.story.is_idle() && scene.story.was_interrupted(), "{end:?}");
            assert!(row(&scene).starts_with("– reviewer was interrupted"), "{end:?}");
        }
    }
}

#[test]
fn a_choice_is_counted_as_a_yes_and_a_no_as_a_no() {
    let (mut scene, voice) = asking(PromptKind::Choice);
    scene.question(&ended(answered(r#"{"index":1,"value":"reject"}"#), 1), &voice, Instant::now());
    assert_eq!((scene.decisions.questions().you_yes, scene.decisions.questions().no), (1, 0));
    let (mut scene, voice) = asking(PromptKind::Choice);
    scene.question(&ended(answered("\"reject\""), 1), &voice, Instant::now());
    assert_eq!((scene.decisions.questions().you_yes, scene.decisions.questions().no), (0, 1));
}

#[test]
fn what_nobody_decided_says_what_would_have_helped() {
    let remedy = |end| {
        let (mut scene, voice) = asking(PromptKind::Approval);
        scene.question(&ended(end, 1), &voice, Instant::now());
        scene.decisions.refused().first().map(|refused| (refused.what.clone(), refused.remedy.clone()))
    };
    let told = |remedy: &str| Some(("Proceed?".to_owned(), remedy.to_owned()));
    let late = End::TimedOut { after_ms: 5, shown: true };
    assert_eq!(remedy(late), told("a longer --question-timeout"));
    assert_eq!(remedy(End::Refused(Refusal::NoDesk)), told("run at a terminal, or --answer-command"));
    assert_eq!(remedy(answered("\"reject\"")), None);
}

#[test]
fn questions_of_others_change_nothing() {
    let (mut scene, voice) = asking(PromptKind::Approval);
    let now = Instant::now();
    scene.question(&asked("reviewer/other", PromptKind::Approval, 2), &voice, now);
    scene.question(&ended(answered("\"reject\""), 2), &voice, now);
    assert_eq!(row(&scene), "? reviewer asks");
}

#[test]
fn an_agent_that_is_gone_is_not_brought_back_by_its_question() {
    let (mut scene, voice) = asking(PromptKind::Approval);
    let now = Instant::now();
    scene.ends(&voice, now);
    scene.question(&ended(End::Cancelled { gone: true }, 1), &voice, now);
    assert!(scene.story.is_idle() && !scene.story.was_interrupted());
}
