//! An agent that asks through its bridge: its questions look as they would on its own pipes.

use codec::Outcome;
use codec::json::Json;
use codec::tunnel::{Down, PermissionResponse};

use super::scene::Scene;
use super::steered::replays;
use crate::question::Question;
use crate::router::{AskerId, Keeper, RunInfo, Said, Stage};
use crate::simulation::Sabotage;

/// A run whose agent asks through a bridge.
fn bridged(run: RunInfo) -> Scene {
    Scene::of(Sabotage::None, RunInfo { is_bridged: true, ..run })
}

fn greets(scene: &mut Scene, peer: &str, label: &str) -> AskerId {
    let client = scene.client();
    scene.line(client, &format!(r#"{{"type":"hello","tim":1,"as":"{peer}","label":"{label}"}}"#));
    client
}

fn asks(scene: &mut Scene, bridge: AskerId, id: &str, tool: &str, input: &str, more: &str) {
    let line = format!(
        r#"{{"type":"permission_request","requestId":"{id}","tool_name":"{tool}","input":{input}{more}}}"#
    );
    scene.line(bridge, &line);
}

const LS: &str = r#"{"command":"touch a"}"#;

/// The question of that number, and who asks it.
fn asked(scene: &Scene, number: usize) -> (String, Question) {
    let asked = scene.emitted.iter().filter_map(|emitted| match &emitted.what {
        Stage::Asked { path, question, .. } => Some((path.clone(), (**question).clone())),
        Stage::Ended(_) => None,
    });
    asked.collect::<Vec<_>>().swap_remove(number - 1)
}

fn responses(scene: &Scene, bridge: AskerId) -> Vec<PermissionResponse<'static>> {
    let read = |line: &String| match Down::read(line.as_bytes()).map(codec::json::IntoOwned::into_owned) {
        Ok(Down::Permission(response)) => Some(response),
        _ => None,
    };
    scene.heard(bridge).iter().filter_map(read).collect()
}

#[test]
fn the_bridge_of_an_agent_asks_in_its_name() {
    let mut scene = bridged(RunInfo::of_a_test("scene"));
    scene.agent_called("main/claude");
    let bridge = greets(&mut scene, "bridge", "claude");
    scene.terminal();
    asks(&mut scene, bridge, "a", "Bash", LS, "");
    assert_eq!(asked(&scene, 1).0, "main/claude");
    assert_eq!(scene.keepers[&1], Keeper::Here);
    assert!(scene.heard(bridge)[0].contains(r#""path":"main/claude/bridge""#), "{:?}", scene.heard(bridge));
    replays(&scene);
}

#[test]
fn a_bridge_that_belongs_to_no_agent_here_asks_in_its_own_name() {
    let mut scene = bridged(RunInfo::of_a_test("scene"));
    scene.agent_called("claude");
    let (bridge, script) = (greets(&mut scene, "bridge", "other"), greets(&mut scene, "script", "claude"));
    for asker in [bridge, script] {
        asks(&mut scene, asker, "a", "Bash", LS, "");
    }
    assert_eq!((asked(&scene, 1).0, asked(&scene, 2).0), ("other".to_owned(), "claude-2".to_owned()));
}

#[test]
fn where_the_agent_asks_on_its_own_pipes_nobody_speaks_for_it() {
    let mut scene = Scene::with_rules(&[], &[]);
    scene.agent_called("claude");
    let bridge = greets(&mut scene, "bridge", "claude");
    asks(&mut scene, bridge, "a", "Bash", LS, "");
    assert_eq!(asked(&scene, 1).0, "claude-2");
}

#[test]
fn a_bridge_that_died_is_followed_by_another_in_the_same_name() {
    let mut scene = bridged(RunInfo::of_a_test("scene"));
    scene.agent_called("claude");
    let desk = scene.terminal();
    let first = greets(&mut scene, "bridge", "claude");
    asks(&mut scene, first, "a", "Bash", LS, "");
    scene.leaves(first);
    assert_eq!(scene.ends(), [(1, Outcome::Cancelled)]);
    let second = greets(&mut scene, "bridge", "claude");
    asks(&mut scene, second, "a", "Bash", LS, "");
    scene.answers(desk, 2, r#"{"allow":true}"#);
    assert_eq!(asked(&scene, 2).0, "claude");
    assert!(responses(&scene, second)[0].granted());
    replays(&scene);
}

#[test]
fn what_a_subagent_is_called_is_known_from_the_tool_that_started_it() {
    let mut scene = bridged(RunInfo::of_a_test("scene"));
    let agent = scene.agent_called("claude");
    let bridge = greets(&mut scene, "bridge", "claude");
    let started = r#"{"type":"system","subtype":"task_started","task_id":"t1","tool_use_id":"toolu_a","description":"find callers","subagent_type":"Explore"}"#;
    let used = r#"{"type":"assistant","parent_tool_use_id":"toolu_a","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_b","name":"Read","input":{}}]}}"#;
    scene.line(agent, started);
    scene.line(agent, used);
    asks(&mut scene, bridge, "a", "Read", "{}", r#","tool_use_id":"toolu_b""#);
    asks(&mut scene, bridge, "b", "Read", "{}", r#","tool_use_id":"toolu_c","agent_name":"somebody""#);
    let name = |number| asked(&scene, number).1.tool().unwrap().agent_name.clone();
    assert_eq!(name(1).unwrap().get(), "Explore \"find callers\"");
    assert_eq!(name(2), None, "nobody says of itself what it is called");
    replays(&scene);
}

/// The plan stands in the line in which the agent says what it will do; the question about it may leave it out.
#[test]
fn a_plan_that_the_question_leaves_out_is_taken_from_what_the_agent_said() {
    for is_bridged in [false, true] {
        let mut scene = bridged(RunInfo::of_a_test("scene"));
        let agent = scene.agent_called("claude");
        let bridge = greets(&mut scene, "bridge", "claude");
        let said = r##"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_p","name":"ExitPlanMode","input":{"plan":"# Plan\n1. do it"}}]}}"##;
        scene.line(agent, said);
        let id = r#","tool_use_id":"toolu_p""#;
        if is_bridged {
            asks(&mut scene, bridge, "a", "ExitPlanMode", "{}", id);
        } else {
            let request =
                format!(r#"{{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{{}}{id}}}"#);
            scene.line(
                agent,
                &format!(r#"{{"type":"control_request","request_id":"a","request":{request}}}"#),
            );
        }
        let (_, question) = asked(&scene, 1);
        let tool = question.tool().unwrap();
        assert_eq!(tool.plan.as_ref().unwrap().get(), "# Plan\n1. do it", "bridged: {is_bridged}");
        assert_eq!(tool.input.raw(), "{}", "what goes back to the agent is what it sent");
        replays(&scene);
    }
}

#[test]
fn a_plan_in_the_question_itself_is_the_one_that_counts() {
    let mut scene = bridged(RunInfo::of_a_test("scene"));
    let agent = scene.agent_called("claude");
    let said = r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"toolu_p","name":"ExitPlanMode","input":{"plan":"old"}}]}}"#;
    scene.line(agent, said);
    let request = r#"{"subtype":"can_use_tool","tool_name":"ExitPlanMode","input":{"plan":"new"},"tool_use_id":"toolu_p"}"#;
    scene.line(agent, &format!(r#"{{"type":"control_request","request_id":"a","request":{request}}}"#));
    assert_eq!(asked(&scene, 1).1.tool().unwrap().plan, None);
}

fn with_limits(allow_on_timeout: bool) -> Scene {
    let run = RunInfo {
        permission_timeout_ms: Some(50),
        question_timeout_ms: Some(200),
        allow_on_timeout,
        ..RunInfo::of_a_test("scene")
    };
    bridged(run)
}

const QUESTIONS: &str = r#"{"questions":[{"question":"Which?","header":"H","options":[{"label":"A"},{"label":"B"}],"multiSelect":false}]}"#;

#[test]
fn a_question_waits_as_long_as_questions_may_and_is_then_denied_never_answered() {
    let mut scene = with_limits(true);
    scene.agent_called("claude");
    let (bridge, desk) = (greets(&mut scene, "bridge", "claude"), scene.terminal());
    asks(&mut scene, bridge, "q", "AskUserQuestion", QUESTIONS, "");
    scene.said(desk, 1, Said::Shown);
    scene.wait(100);
    assert!(responses(&scene, bridge).is_empty(), "the time of permissions is not that of questions");
    scene.wait(150);
    let response = responses(&scene, bridge).remove(0);
    assert!(!response.granted() && response.updated_input.is_none(), "{response:?}");
    assert_eq!(response.outcome, Some(Outcome::TimedOut));
    replays(&scene);
}

#[test]
fn a_seen_permission_of_a_bridge_is_allowed_by_time_where_the_user_said_so_and_of_nobody_else() {
    let mut scene = with_limits(true);
    scene.agent_called("claude");
    let bridge = greets(&mut scene, "bridge", "claude");
    let (below, stranger) = (greets(&mut scene, "tim", "claude"), greets(&mut scene, "bridge", "stranger"));
    let desk = scene.terminal();
    asks(&mut scene, bridge, "a", "Bash", LS, "");
    asks(&mut scene, below, "a", "Bash", LS, r#","timeoutMs":50"#);
    asks(&mut scene, stranger, "a", "Bash", LS, r#","timeoutMs":50"#);
    asks(&mut scene, bridge, "b", "Bash", LS, r#","timeoutMs":50,"path":"claude/bridge/below""#);
    asks(&mut scene, bridge, "plan", "ExitPlanMode", "{}", r#","timeoutMs":1"#);
    (1..=5).for_each(|number| scene.said(desk, number, Said::Shown));
    scene.wait(60);
    let granted =
        |asker| responses(&scene, asker).iter().map(PermissionResponse::granted).collect::<Vec<_>>();
    assert_eq!(granted(bridge), [true, false, false], "nor a plan");
    assert_eq!((granted(below), granted(stranger)), (vec![false], vec![false]));
    replays(&scene);
}

/// Two questions with the same text share one answer on the agent's wire; between tims each keeps its own.
#[test]
fn questions_with_the_same_text_keep_their_answers_on_the_way_up_and_down() {
    let mut above = bridged(RunInfo::of_a_test("scene"));
    let (below, desk) = (greets(&mut above, "tim", "run"), above.terminal());
    let one = r#"{"question":"Which?","options":[{"label":"A"},{"label":"B, C"}],"multiSelect":true}"#;
    asks(&mut above, below, "q", "AskUserQuestion", &format!(r#"{{"questions":[{one},{one}]}}"#), "");
    above.answers(desk, 1, r#"{"answers":[{"options":[1],"text":"own"},{"options":[0]}]}"#);
    let response = responses(&above, below).remove(0);
    let input = response.updated_input.unwrap();
    assert!(input.raw().contains(r#""answers":{"Which?":"B, C, own, A"}"#), "{}", input.raw());
    let expected = Json::parse(r#"[{"options":[1],"text":"own"},{"options":[0]}]"#).unwrap();
    assert!(response.answers.unwrap().means(&expected));
}
