//! Names, typed lines and what became of them, at a router that has children.

use codec::id::Path;
use codec::json::Text;
use codec::tunnel::{Down, ReceiptState};

use crate::dialect::Dialect;
use crate::invariants::scene::Scene;
use crate::router::{AskerId, AskerInfo, Stage};
use crate::simulation::Sabotage;

fn hello(scene: &mut Scene, peer: &str, label: &str) -> AskerId {
    let asker = scene.client();
    scene.line(asker, &format!(r#"{{"type":"hello","tim":1,"as":"{peer}","label":"{label}"}}"#));
    asker
}

/// A tim that an agent started.
fn hello_below(scene: &mut Scene, agent: &str, label: &str) -> AskerId {
    let asker = scene.client_of(agent);
    scene.line(asker, &format!(r#"{{"type":"hello","tim":1,"as":"tim","label":"{label}"}}"#));
    asker
}

/// The path that a client was given.
fn path(scene: &Scene, asker: AskerId) -> String {
    let Ok(Down::Welcome(welcome)) = Down::read(scene.heard(asker)[0].as_bytes()) else {
        panic!("no welcome")
    };
    welcome.path.to_string()
}

fn typed(scene: &mut Scene, to: Option<&str>, id: Option<&str>) {
    let to = to.and_then(Path::new);
    scene.typed("also add tests", to.as_ref(), id);
    scene.settle();
}

/// Path and state of every receipt so far.
fn receipts(scene: &Scene) -> Vec<(String, ReceiptState)> {
    scene.receipts.iter().map(|receipt| (receipt.path.to_string(), receipt.state)).collect()
}

#[test]
fn of_two_children_with_the_same_wish_the_second_gets_a_number_and_a_free_name_is_used_again() {
    let mut scene = Scene::new(Sabotage::None);
    let first = hello(&mut scene, "tim", "Review!");
    let (second, third) = (hello(&mut scene, "tim", "review"), hello(&mut scene, "script", "review"));
    assert_eq!(
        [first, second, third].map(|asker| path(&scene, asker)),
        ["review", "review-2", "review-3"].map(str::to_owned)
    );
    scene.leaves(second);
    let fourth = hello(&mut scene, "tim", "review");
    assert_eq!(path(&scene, fourth), "review-2");
}

#[test]
fn whoever_an_agent_started_is_called_by_its_name_also_in_a_replay() {
    let mut scene = Scene::new(Sabotage::None);
    scene.terminal();
    let _claude = scene.agent_called("claude");
    let mute = scene.client_of("claude");
    scene.confirm(mute, "a", None);
    let Stage::Asked { path: shown, .. } = &scene.emitted[0].what else { panic!() };
    assert_eq!(shown, "claude/client-2");
    let (first, second) =
        (hello_below(&mut scene, "claude", "review"), hello_below(&mut scene, "claude", "review"));
    assert_eq!(path(&scene, first), "claude/review");
    assert_eq!(path(&scene, second), "claude/review-2");
    let other = hello(&mut scene, "tim", "review");
    assert_eq!(path(&scene, other), "review", "nobody's");
    super::steered::replays(&scene);
}

#[test]
fn a_line_for_an_agent_is_not_for_the_tim_below_it_nor_the_other_way_round() {
    let mut scene = Scene::new(Sabotage::None);
    let claude = scene.agent_called("claude");
    let review = hello_below(&mut scene, "claude", "review");
    let heard = |scene: &Scene| (scene.heard(claude).len(), scene.heard(review).len() - 1);
    typed(&mut scene, Some("claude"), Some("i1"));
    assert_eq!(heard(&scene), (1, 0));
    typed(&mut scene, Some("claude/review"), Some("i2"));
    assert_eq!(heard(&scene), (1, 1));
    typed(&mut scene, Some("claude/review/claude"), Some("i3"));
    assert_eq!(heard(&scene), (1, 2));
    typed(&mut scene, None, Some("i4"));
    assert_eq!(heard(&scene), (2, 3), "in a chain all of them hear it");
}

#[test]
fn a_line_that_was_only_written_by_the_time_a_child_leaves_was_not_delivered() {
    let mut scene = Scene::new(Sabotage::None);
    let review = hello(&mut scene, "tim", "review");
    for (id, state) in [("i1", "written"), ("i2", "seen")] {
        typed(&mut scene, Some("review"), Some(id));
        let receipt =
            r#"{"type":"user_input_receipt","inputId":"ID","path":"review/claude","state":"STATE"}"#;
        scene.line(review, &receipt.replace("ID", id).replace("STATE", state));
    }
    scene.leaves(review);
    let states: Vec<ReceiptState> = receipts(&scene).into_iter().map(|(_, state)| state).collect();
    assert_eq!(states, [ReceiptState::Written, ReceiptState::Seen, ReceiptState::NotDelivered]);
}

#[test]
fn a_second_hello_changes_nothing() {
    let mut scene = Scene::new(Sabotage::None);
    let asker = hello(&mut scene, "script", "one");
    scene.line(asker, r#"{"type":"hello","tim":1,"as":"tim","label":"two"}"#);
    assert_eq!(scene.heard(asker).len(), 1);
    typed(&mut scene, None, None);
    assert_eq!(scene.heard(asker).len(), 1, "it is still a script, to which nobody types");
}

#[test]
fn a_question_that_is_passed_on_shows_who_asks_below_but_nobody_speaks_for_others() {
    for (claimed, shown) in [
        ("review/leaf", "review/leaf"),
        ("review", "review"),
        ("main/boss", "review"),
        ("review2/leaf", "review"),
        ("not a path", "review"),
    ] {
        let mut scene = Scene::new(Sabotage::None);
        scene.terminal();
        let asker = hello(&mut scene, "tim", "review");
        let message = format!(
            r#"{{"type":"prompt_request","timestamp":"t","requestId":"a","promptType":"confirm","promptConfig":{{"message":"?"}},"path":"{claimed}"}}"#
        );
        scene.line(asker, &format!(r#"{{"type":"structured","message":{message}}}"#));
        let Stage::Asked { path, .. } = &scene.emitted[0].what else { panic!() };
        assert_eq!(path, shown, "{claimed}");
    }
}

#[test]
fn a_receipt_goes_up_from_whoever_may_speak_for_that_path() {
    let mut scene = Scene::new(Sabotage::None);
    let (review, _deploy) = (hello(&mut scene, "tim", "review"), hello(&mut scene, "tim", "deploy"));
    typed(&mut scene, Some("review/leaf"), Some("i1"));
    for (id, path, counts) in [
        ("i1", "review/leaf", true),
        ("i1", "review", true),
        ("i1", "deploy", false),
        ("i2", "review", false),
    ] {
        let before = scene.receipts.len();
        scene.line(
            review,
            &format!(r#"{{"type":"user_input_receipt","inputId":"{id}","path":"{path}","state":"written"}}"#),
        );
        assert_eq!(scene.receipts.len() > before, counts, "{id} {path}");
    }
}

#[test]
fn a_name_that_a_later_connection_would_have_is_given_to_one_of_them_only() {
    let mut scene = Scene::new(Sabotage::None);
    scene.terminal();
    let thief = hello(&mut scene, "script", "client-2");
    let info = AskerInfo {
        wire: "tunnel:2".to_owned(),
        dialect: Dialect::TUNNEL,
        path: Some("client-2".to_owned()),
        pid: None,
        below: None,
    };
    let later = scene.routing.attach(scene.now, info);
    scene.confirm(later, "a", None);
    let Stage::Asked { path: shown, .. } = &scene.emitted[0].what else { panic!() };
    assert_eq!((path(&scene, thief), shown.as_str()), ("client-2".to_owned(), "client-2-2"));
}

#[test]
fn of_many_typed_lines_the_oldest_is_forgotten_first() {
    let mut scene = Scene::new(Sabotage::None);
    let review = hello(&mut scene, "tim", "review");
    for number in 0..1_000 {
        typed(&mut scene, None, Some(&format!("b{number}")));
    }
    typed(&mut scene, None, Some("a"));
    for (id, counts) in [("a", 1), ("b0", 0), ("b1", 1)] {
        let before = scene.receipts.len();
        scene.line(
            review,
            &format!(r#"{{"type":"user_input_receipt","inputId":"{id}","path":"review","state":"seen"}}"#),
        );
        assert_eq!(scene.receipts.len() - before, counts, "{id}");
    }
}

#[test]
fn a_line_for_a_child_that_left_or_for_nobody_was_not_delivered() {
    let mut scene = Scene::new(Sabotage::None);
    let review = hello(&mut scene, "tim", "review");
    typed(&mut scene, Some("review"), Some("i1"));
    typed(&mut scene, Some("review"), Some("i2"));
    scene.line(review, r#"{"type":"user_input_receipt","inputId":"i1","path":"review","state":"seen"}"#);
    scene.leaves(review);
    let expected =
        [("review".to_owned(), ReceiptState::Seen), ("review".to_owned(), ReceiptState::NotDelivered)];
    assert_eq!(receipts(&scene), expected);
    assert_eq!(scene.receipts[1].input_id, Text::new("i2"));
    typed(&mut scene, Some("review"), Some("i3"));
    assert_eq!(receipts(&scene)[2], ("review".to_owned(), ReceiptState::NotDelivered));
    typed(&mut scene, Some("review"), None);
    assert_eq!(scene.receipts.len(), 3, "nobody asked for a receipt");
}
