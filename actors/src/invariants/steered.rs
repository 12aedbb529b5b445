//! What a person says to an agent of ours unasked, and how long its permissions wait.

use codec::claude::{Block, ControlBody, Image, Input};
use codec::id::Path;
use codec::journal::{Event as Recorded, Steering};
use codec::tunnel::ReceiptState;

use super::scene::Scene;
use crate::messages::Typed;
use crate::replay::{Happening, Replay};
use crate::router::{AskerId, RunInfo, Said};
use crate::simulation::Sabotage;

const UUID: &str = "7f3c0a1b-0000-4000-8000-000000000001";

/// The names of the messages that went to an agent, and what they say.
fn messages(scene: &Scene, agent: AskerId) -> Vec<(String, String)> {
    let heard = scene.heard(agent).iter();
    let message = |line: &String| match Input::read(line.as_bytes()).unwrap() {
        Input::User(user) => {
            let text = line.split("\"content\":").nth(1).unwrap().split('"').nth(1).unwrap().to_owned();
            Some((user.uuid.unwrap().get().into_owned(), text))
        }
        _ => None,
    };
    heard.filter_map(message).collect()
}

/// A replay of what is on record says the same.
pub(super) fn replays(scene: &Scene) {
    let mut replay = Replay::new();
    for line in scene.tape() {
        for (_, happening) in replay.line(line.as_bytes()).unwrap() {
            assert!(!matches!(happening, Happening::Differs(_)), "{happening:?}");
        }
    }
}

#[test]
fn what_is_typed_reaches_our_agent_under_the_name_that_it_was_given() {
    let mut scene = Scene::new(Sabotage::None);
    let agent = scene.agent_called("claude");
    scene.typed("also add tests", None, Some(UUID));
    scene.settle();
    assert_eq!(messages(&scene, agent), [(UUID.to_owned(), "also add tests".to_owned())]);
    assert!(scene.typed[0].contains("user_terminal_input"), "{:?}", scene.typed);
    replays(&scene);
}

#[test]
fn a_line_without_a_name_that_an_agent_knows_gets_one_and_never_twice_the_same() {
    let mut scene = Scene::new(Sabotage::None);
    let agent = scene.agent_called("claude");
    for id in [None, Some("x"), None] {
        scene.typed("go on", None, id);
    }
    scene.settle();
    let names: Vec<String> = messages(&scene, agent).into_iter().map(|(name, _)| name).collect();
    assert!(names.len() == 3 && names[0] != names[1] && names[1] != names[2], "{names:?}");
    replays(&scene);
}

#[test]
fn a_line_for_somebody_below_an_agent_is_not_for_the_agent() {
    let mut scene = Scene::new(Sabotage::None);
    let agent = scene.agent_called("claude");
    scene.typed("hello", Path::new("claude/review").as_ref(), Some("a"));
    scene.typed("hello", Path::new("claude").as_ref(), Some(UUID));
    scene.settle();
    assert_eq!(messages(&scene, agent).len(), 1);
    assert_eq!(scene.receipts[0].state, ReceiptState::NotDelivered);
}

#[test]
fn images_go_with_the_prompt_and_are_there_again_in_a_replay() {
    let mut scene = Scene::new(Sabotage::None);
    let agent = scene.agent_called("claude");
    let image: Block<'static> = Image::from_bytes(b"GIF89a....").unwrap().block();
    let prompt = Typed { text: "look".to_owned(), images: vec![image], is_prompt: true, ..Typed::default() };
    scene.routing.typed(scene.now, &prompt);
    scene.settle();
    assert!(scene.heard(agent)[0].contains("image/gif"), "{:?}", scene.heard(agent));
    assert!(scene.typed.is_empty(), "a prompt was not typed while it ran");
    replays(&scene);
}

#[test]
fn an_interruption_and_a_line_taken_back_are_requests_with_names_of_their_own() {
    let mut scene = Scene::new(Sabotage::None);
    let (agent, client) = (scene.agent_called("claude"), scene.client());
    scene.routing.steer(scene.now, agent, Steering::Interrupt, None);
    scene.routing.steer(scene.now, agent, Steering::TakeBack, Some(UUID));
    scene.routing.steer(scene.now, client, Steering::Interrupt, None);
    scene.settle();
    let requests = scene.heard(agent).iter().map(|line| match Input::read(line.as_bytes()).unwrap() {
        Input::ControlRequest(request) => (request.request_id.get(), request.request),
        other => panic!("{other:?}"),
    });
    let requests: Vec<_> = requests.collect();
    assert!(matches!(&requests[0], (id, ControlBody::Interrupt(_)) if id == "7f3c.c1"), "{requests:?}");
    assert!(
        matches!(&requests[1], (id, ControlBody::CancelAsyncMessage(one)) if id == "7f3c.c2" && one.message_uuid.is(UUID)),
        "{requests:?}"
    );
    assert!(scene.heard(client).is_empty(), "a client cannot be steered so");
    assert_eq!(scene.records(|event| matches!(event, Recorded::Steer(_)).then_some(())).len(), 2);
    replays(&scene);
}

#[test]
fn the_subagent_that_asks_is_called_as_its_task_was() {
    let mut scene = Scene::new(Sabotage::None);
    let agent = scene.agent_called("claude");
    scene.terminal();
    scene.line(
        agent,
        r#"{"type":"system","subtype":"task_started","task_id":"t1","description":"find callers","subagent_type":"Explore"}"#,
    );
    scene.line(
        agent,
        r#"{"type":"control_request","request_id":"a","request":{"subtype":"can_use_tool","tool_name":"Read","input":{},"agent_id":"t1"}}"#,
    );
    let question = scene.routing.ledger().look(crate::router::Number(1)).unwrap().1.clone();
    let name = question.tool().unwrap().agent_name.clone().unwrap();
    assert_eq!(name.get(), "Explore \"find callers\"");
}

fn with_timeout(allow_on_timeout: bool) -> Scene {
    let run = RunInfo::of_a_test("scene");
    Scene::of(Sabotage::None, RunInfo { permission_timeout_ms: Some(50), allow_on_timeout, ..run })
}

#[test]
fn a_permission_that_nobody_answers_in_time_is_denied_in_its_own_words() {
    let mut scene = with_timeout(false);
    let (agent, desk) = (scene.agent_called("claude"), scene.terminal());
    scene.tool(agent, "a");
    scene.said(desk, 1, Said::Shown);
    scene.wait(60);
    let told = scene.heard(agent);
    assert!(told[0].contains("\"deny\"") && told[0].contains("Nobody answered within 50 ms"), "{told:?}");
    replays(&scene);
}

#[test]
fn only_a_permission_that_somebody_saw_is_allowed_by_time_and_only_where_the_user_said_so() {
    let mut scene = with_timeout(true);
    let (agent, desk) = (scene.agent_called("claude"), scene.terminal());
    scene.tool(agent, "unseen");
    scene.tool(agent, "seen");
    scene.said(desk, 2, Said::Shown);
    scene.wait(60);
    let told = scene.heard(agent);
    assert!(told[0].contains("unseen") && told[0].contains("\"deny\""), "{told:?}");
    assert!(told[1].contains("\"seen\"") && told[1].contains("\"allow\""), "{told:?}");
    replays(&scene);
}

#[test]
fn a_question_to_the_person_is_never_answered_by_time() {
    let mut scene = with_timeout(true);
    let (agent, desk) = (scene.agent_called("claude"), scene.terminal());
    let question = r#"{"question":"Which?","header":"H","options":[{"label":"A","description":"a"},{"label":"B","description":"b"}],"multiSelect":false}"#;
    scene.line(
        agent,
        &format!(r#"{{"type":"control_request","request_id":"q","request":{{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{{"questions":[{question}]}}}}}}"#),
    );
    scene.said(desk, 1, Said::Shown);
    scene.wait(1_000_000);
    assert!(scene.heard(agent).is_empty(), "{:?}", scene.heard(agent));
}
