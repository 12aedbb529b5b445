//! Those who answer from outside: they may, but nobody counts on them.

use codec::Outcome;
use codec::journal::Event as Recorded;
use codec::json::Json;
use codec::tunnel::AnswerSource;

use super::scene::{Scene, key};
use super::steered::replays;
use crate::router::{DeskId, News, Ruling, Said};
use crate::simulation::Sabotage;

fn scene() -> Scene {
    Scene::new(Sabotage::None)
}

/// An answer of somebody who hears at once what came of it.
fn rules(scene: &mut Scene, desk: DeskId, number: u64, value: &str) -> Ruling {
    let said = Said::Answer(Json::parse(value).unwrap().into_owned());
    let ruling = scene.routing.rule_on(scene.now, desk, &key(number), said);
    scene.settle();
    ruling
}

#[test]
fn where_only_those_are_who_may_answer_a_question_is_refused_at_once() {
    let mut scene = scene();
    let (asker, control) = (scene.client(), scene.control());
    scene.confirm(asker, "a", None);
    assert_eq!(scene.ends(), [(1, Outcome::Refused)]);
    assert!(scene.heard(asker)[0].contains(r#""reason":"no_desk""#), "{:?}", scene.heard(asker));
    assert_eq!(scene.held(control), [0_u64; 0]);
    scene.line(asker, r#"{"type":"hello","tim":1,"as":"script"}"#);
    assert!(
        scene.heard(asker)[1].contains(r#""desk":false"#),
        "nobody is promised: {:?}",
        scene.heard(asker)
    );
    replays(&scene);
}

#[test]
fn whoever_may_answer_can_be_first_and_the_terminal_is_told() {
    let mut scene = scene();
    let (asker, terminal, control) = (scene.client(), scene.terminal(), scene.control());
    scene.confirm(asker, "a", None);
    assert_eq!((scene.held(terminal), scene.held(control)), (vec![1], vec![1]));
    assert_eq!(rules(&mut scene, control, 1, "true"), Ruling::Counted);
    assert_eq!(scene.held(terminal), [0_u64; 0]);
    scene.answers(terminal, 1, "false");
    assert_eq!(scene.news, [(terminal, key(1), News::Late)]);
    assert!(scene.heard(asker).len() == 1 && scene.heard(asker)[0].contains(r#""value":true"#));
    let sources = scene.records(|event| match event {
        Recorded::Ended(ended) => ended.source,
        _ => None,
    });
    assert_eq!(sources, [AnswerSource::Control]);
    replays(&scene);
}

#[test]
fn when_the_last_who_counts_leaves_or_gives_up_the_question_ends_although_others_hold_it() {
    let mut scene = scene();
    let (asker, terminal, control) = (scene.client(), scene.terminal(), scene.control());
    scene.confirm(asker, "a", None);
    scene.confirm(asker, "b", None);
    scene.said(terminal, 1, Said::GiveBack("cannot".to_owned()));
    assert_eq!(scene.ends(), [(1, Outcome::Refused)]);
    assert_eq!(scene.held(control), [2]);
    scene.desk_leaves(terminal);
    assert_eq!(scene.ends(), [(1, Outcome::Refused), (2, Outcome::Refused)]);
    assert_eq!(scene.held(control), [0_u64; 0]);
    assert_eq!(rules(&mut scene, control, 2, "true"), Ruling::Late);
    replays(&scene);
}

#[test]
fn that_those_leave_who_do_not_count_ends_no_question() {
    let mut scene = scene();
    let (asker, terminal, control) = (scene.client(), scene.terminal(), scene.control());
    scene.confirm(asker, "a", None);
    scene.said(control, 1, Said::GiveBack("cannot".to_owned()));
    scene.desk_leaves(control);
    assert_eq!(scene.held(terminal), [1]);
    scene.answers(terminal, 1, "true");
    assert_eq!(scene.ends(), [(1, Outcome::Answered)]);
    replays(&scene);
}

#[test]
fn what_came_of_an_answer_is_said_at_once() {
    let mut scene = scene();
    let (asker, terminal, control) = (scene.client(), scene.terminal(), scene.control());
    scene.confirm(asker, "a", None);
    assert!(matches!(rules(&mut scene, control, 1, "7"), Ruling::Unfit(_)));
    assert_eq!(scene.held(terminal), [1], "it stays open");
    scene.answers(terminal, 1, "true");
    assert_eq!(rules(&mut scene, control, 1, "false"), Ruling::Late);
    assert_eq!(rules(&mut scene, control, 2, "false"), Ruling::Unknown);
    assert_eq!(rules(&mut scene, DeskId(99), 1, "false"), Ruling::Late, "somebody without a seat");
    let late = scene.records(|event| match event {
        Recorded::Late(late) => Some(late.key.number),
        _ => None,
    });
    assert_eq!(late, [1, 2], "on record");
    assert!(scene.heard(asker).len() == 1 && scene.heard(asker)[0].contains(r#""value":true"#));
    replays(&scene);
}
