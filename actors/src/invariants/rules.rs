//! What the rules answer, and for whom (invariants 7 and 14).

use codec::Outcome;
use codec::journal::Event as Recorded;
use codec::tunnel::AnswerSource;

use super::scene::Scene;
use crate::ports::Started;
use crate::replay::{Happening, Replay};
use crate::router::AskerId;
use crate::simulation::Sabotage;

/// May this tool be used?
pub(super) fn ask(scene: &mut Scene, asker: AskerId, id: &str, tool: &str, input: &str) {
    let rest = format!(r#""requestId":"{id}","tool_name":"{tool}","input":{input}"#);
    scene.line(asker, &format!(r#"{{"type":"permission_request",{rest}}}"#));
}

pub(super) fn bash(scene: &mut Scene, asker: AskerId, command: &str) {
    ask(scene, asker, command, "Bash", &format!(r#"{{"command":"{command}"}}"#));
}

/// A client that said what it is.
pub(super) fn greeted(scene: &mut Scene, peer: &str) -> AskerId {
    let client = scene.client();
    scene.line(client, &format!(r#"{{"type":"hello","tim":1,"as":"{peer}"}}"#));
    client
}

/// How the questions ended, and by whom, in the order in which they did.
pub(super) fn ends(scene: &Scene) -> Vec<(Outcome, Option<AnswerSource>)> {
    scene.records(|event| match event {
        Recorded::Ended(ended) => Some((ended.outcome, ended.source)),
        _ => None,
    })
}

pub(super) const BY_RULE: (Outcome, Option<AnswerSource>) = (Outcome::Answered, Some(AnswerSource::Rule));

#[test]
fn a_rule_answers_the_bridge_of_our_agent_before_any_desk_sees_the_question() {
    let mut scene = Scene::with_rules(&["Bash(git status:*)"], &["Bash(rm:*)"]);
    let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.terminal());
    bash(&mut scene, bridge, "git status -s");
    bash(&mut scene, bridge, "git status && rm x");
    assert_eq!(scene.held(desk).len(), 0);
    bash(&mut scene, bridge, "git push");
    assert_eq!(scene.held(desk).len(), 1);
    let heard = scene.heard(bridge).to_vec();
    assert!(
        heard.iter().any(|line| line.contains(r#""approved":true"#) && !line.contains("grant")),
        "{heard:?}"
    );
    assert!(heard.iter().any(|line| line.contains("Denied by the rule Bash(rm:*).")), "{heard:?}");
    assert_eq!(ends(&scene), [BY_RULE, BY_RULE]);
}

#[test]
fn a_rule_that_decides_carries_no_secret_onto_the_record() {
    let mask = Box::new(|text: &str| text.replace("s3cret", "[TOKEN]"));
    let started = Started { mask, ..Started::default() };
    let run = Scene::ruled(&[], &["Bash(touch s3cret:*)"]);
    let mut scene = Scene::started(started, Sabotage::None, run);
    let bridge = greeted(&mut scene, "bridge");
    bash(&mut scene, bridge, "touch s3cret");
    assert_eq!(ends(&scene), [BY_RULE]);
    let of_rules = scene.tape().into_iter().filter(|record| record.contains("Bash(touch "));
    let of_rules: Vec<String> = of_rules.collect();
    assert_eq!(of_rules.len(), 3, "the run, the end, the reply: {of_rules:?}");
    for record in of_rules {
        assert!(
            record.contains("Bash(touch [TOKEN]:*)") && !record.contains("Bash(touch s3cret"),
            "{record}"
        );
    }
}

#[test]
fn a_rule_answers_also_where_nobody_can() {
    let mut scene = Scene::with_rules(&["Bash(ls:*)"], &[]);
    let bridge = greeted(&mut scene, "bridge");
    bash(&mut scene, bridge, "ls");
    bash(&mut scene, bridge, "touch x");
    assert_eq!(ends(&scene), [BY_RULE, (Outcome::Refused, None)]);
}

#[test]
fn allow_rules_are_for_our_own_agent_and_deny_rules_for_everybody() {
    for peer in ["tim", "script", ""] {
        let mut scene = Scene::with_rules(&["Bash", "Write"], &["Bash(rm:*)"]);
        let client = if peer.is_empty() { scene.client() } else { greeted(&mut scene, peer) };
        let desk = scene.terminal();
        bash(&mut scene, client, "ls");
        assert_eq!(scene.held(desk).len(), 1, "{peer} is no agent of ours");
        bash(&mut scene, client, "rm x");
        assert_eq!(ends(&scene), [BY_RULE], "{peer}");
    }
    let mut scene = Scene::with_rules(&["Write"], &[]);
    let agent = scene.agent();
    scene.tool(agent, "a");
    assert_eq!(ends(&scene), [BY_RULE]);
}

#[test]
fn what_a_bridge_asks_for_somebody_further_down_is_not_for_our_rules() {
    let mut scene = Scene::with_rules(&["Bash"], &[]);
    let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.terminal());
    let rest = r#""tool_name":"Bash","input":{"command":"ls"},"path":"bridge/below""#;
    scene.line(bridge, &format!(r#"{{"type":"permission_request","requestId":"a",{rest}}}"#));
    assert_eq!(scene.held(desk).len(), 1);
}

#[test]
fn no_rule_answers_the_questions_of_an_agent() {
    let mut scene = Scene::with_rules(&["AskUserQuestion"], &[]);
    let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.terminal());
    let input = r#"{"questions":[{"question":"Which?","header":"X","multiSelect":false,"options":[{"label":"a","description":""},{"label":"b","description":""}]}]}"#;
    ask(&mut scene, bridge, "a", "AskUserQuestion", input);
    assert_eq!((scene.held(desk).len(), ends(&scene).len()), (1, 0));
}

/// The fixture of a run with rules. After a change of what is recorded:
/// `TIM_RULES_TAPE=../fixtures/runs/by-rules.jsonl cargo test -p actors --lib a_run_with_rules`
#[test]
fn a_run_with_rules_replays_with_the_rules_that_it_had() {
    let mut scene = Scene::with_rules(&["Bash(git status:*)"], &["Bash(rm:*)"]);
    let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.terminal());
    for command in ["git status -s", "git status; rm x", "git push"] {
        bash(&mut scene, bridge, command);
    }
    scene.answers(desk, 3, r#"{"allow":true}"#);
    let tape = scene.tape().join("\n") + "\n";
    #[expect(clippy::disallowed_methods, reason = "where a person would like to have it")]
    if let Ok(path) = std::env::var("TIM_RULES_TAPE") {
        std::fs::write(path, &tape).unwrap();
    }
    let mut replay = Replay::new();
    for line in tape.lines() {
        let mut told = replay.line(line.as_bytes()).unwrap();
        let differs = told.find(|(_, happening)| matches!(happening, Happening::Differs(_)));
        assert!(differs.is_none(), "{differs:?}");
    }
    let fixture = include_str!("../../../fixtures/runs/by-rules.jsonl");
    assert_eq!(tape, fixture, "write it anew, and read the difference");
}
