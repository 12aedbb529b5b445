//! What is allowed for longer than once: for whom it holds, what it answers, and what it never does (invariants 7 and 14).

use codec::Outcome;
use codec::tunnel::AnswerSource;

use super::rules::{BY_RULE, ask, bash, ends, greeted};
use super::scene::Scene;
use crate::replay::{Happening, Replay};
use crate::router::{AskerId, DeskId, Keeper, News};

const BY_A_PERSON: (Outcome, Option<AnswerSource>) = (Outcome::Answered, Some(AnswerSource::Terminal));

/// A scene with rules, an agent of ours and a terminal.
fn scene(allow: &[&str], deny: &[&str]) -> (Scene, AskerId, DeskId) {
    let mut scene = Scene::with_rules(allow, deny);
    let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.terminal());
    (scene, bridge, desk)
}

fn session(rules: &[&str]) -> String {
    let rules: Vec<_> = rules.iter().map(|rule| format!("\"{rule}\"")).collect();
    format!(r#"{{"allow":true,"scope":"session","rules":[{}]}}"#, rules.join(","))
}

#[test]
fn what_was_granted_is_not_asked_again() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    bash(&mut scene, bridge, "git fetch origin");
    scene.answers(desk, 1, r#"{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}"#);
    bash(&mut scene, bridge, "git fetch --all");
    bash(&mut scene, bridge, "git push");
    assert_eq!(ends(&scene), [BY_A_PERSON, BY_RULE]);
    assert_eq!(scene.held(desk), [3]);
}

#[test]
fn every_desk_can_grant_and_always_holds_at_least_for_the_run() {
    for source in [AnswerSource::Terminal, AnswerSource::Parent, AnswerSource::Command, AnswerSource::Control]
    {
        let mut scene = Scene::with_rules(&[], &[]);
        let (bridge, desk) = (greeted(&mut scene, "bridge"), scene.desk(source));
        bash(&mut scene, bridge, "ls");
        scene.answers(desk, 1, r#"{"allow":true,"scope":"always","rule":"Bash(ls:*)"}"#);
        bash(&mut scene, bridge, "ls -l");
        assert_eq!(ends(&scene), [(Outcome::Answered, Some(source)), BY_RULE], "{source:?}");
    }
}

#[test]
fn what_is_allowed_once_or_refused_grants_nothing() {
    for answer in [
        r#"{"allow":true,"rule":"Bash(ls:*)"}"#,
        r#"{"allow":true,"scope":"once","rule":"Bash(ls:*)"}"#,
        r#"{"allow":false,"scope":"session","rule":"Bash(ls:*)"}"#,
    ] {
        let (mut scene, bridge, desk) = scene(&[], &[]);
        bash(&mut scene, bridge, "ls");
        scene.answers(desk, 1, answer);
        bash(&mut scene, bridge, "ls -l");
        assert_eq!(scene.held(desk), [2], "{answer}");
    }
}

#[test]
fn a_grant_answers_what_waits_in_the_order_in_which_it_came() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    let other = greeted(&mut scene, "bridge");
    for command in ["git fetch a", "git push", "git fetch b"] {
        bash(&mut scene, bridge, command);
    }
    bash(&mut scene, other, "git fetch c");
    bash(&mut scene, bridge, "git fetch d");
    scene.answers(desk, 3, &session(&["Bash(git fetch:*)"]));
    assert_eq!(scene.ends().iter().map(|(number, _)| *number).collect::<Vec<_>>(), [3, 1, 4, 5]);
    assert_eq!(ends(&scene), [BY_A_PERSON, BY_RULE, BY_RULE, BY_RULE]);
    assert_eq!(scene.held(desk), [2], "what was answered is on no desk");
    let heard = |asker: AskerId| -> Vec<String> {
        let lines = scene.heard(asker).iter().filter(|line| line.contains("permission_response"));
        lines.map(|line| line.split('"').nth(7).unwrap().to_owned()).collect()
    };
    assert_eq!(heard(bridge), ["git fetch b", "git fetch a", "git fetch d"]);
    assert_eq!(heard(other), ["git fetch c"]);
}

#[test]
fn each_part_of_a_command_may_need_a_rule_of_its_own() {
    let (mut scene, bridge, desk) = scene(&["Bash(git status:*)"], &[]);
    bash(&mut scene, bridge, "git status && npm test | tail -5");
    scene.answers(desk, 1, &session(&["Bash(npm test:*)"]));
    assert_eq!(scene.held(desk), [1], "`tail` has no rule yet");
    scene.answers(desk, 1, &session(&["Bash(npm test:*)", "Bash(tail:*)"]));
    bash(&mut scene, bridge, "npm test -- x | tail");
    assert_eq!(ends(&scene), [BY_A_PERSON, BY_RULE]);
    let heard = scene.heard(bridge).join("\n");
    let grant = r#""grant":{"rule":"Bash(npm test:*)","scope":"session","rules":["Bash(npm test:*)","Bash(tail:*)"]}"#;
    assert!(heard.contains(grant), "{heard}");
}

#[test]
fn a_grant_that_would_not_allow_what_was_asked_leaves_it_open_and_keeps_nothing() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    bash(&mut scene, bridge, "npm test && git push");
    for rules in
        [&["Bash(npm test:*)"][..], &["Bash(ls:*)"], &["Read"], &["Bash(git push:*)", "Bash(npm ci)"]]
    {
        scene.answers(desk, 1, &session(rules));
    }
    assert_eq!((scene.held(desk), ends(&scene).len()), (vec![1], 0));
    let objects = |(at, _, news): &(DeskId, _, News)| *at == desk && matches!(news, News::Unfit(_));
    assert_eq!(scene.news.iter().filter(|news| objects(news)).count(), 4, "{:?}", scene.news);
    bash(&mut scene, bridge, "npm test");
    assert_eq!(scene.held(desk), [1, 2], "nothing of it was kept");
}

#[test]
fn a_grant_for_a_question_that_has_ended_is_late_and_keeps_nothing() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    bash(&mut scene, bridge, "ls");
    scene.answers(desk, 1, r#"{"allow":false}"#);
    scene.answers(desk, 1, &session(&["Bash(ls:*)"]));
    scene.answers(desk, 1, &session(&["Bash(git:*)"]));
    assert!(scene.news.iter().all(|(.., news)| *news == News::Late) && scene.news.len() == 2);
    bash(&mut scene, bridge, "ls");
    assert_eq!(scene.held(desk), [2]);
}

#[test]
fn a_grant_for_our_agent_is_for_no_nested_tim_and_no_script() {
    for peer in ["tim", "script", ""] {
        let (mut scene, bridge, desk) = scene(&[], &[]);
        let other = if peer.is_empty() { scene.client() } else { greeted(&mut scene, peer) };
        bash(&mut scene, other, "ls -a");
        bash(&mut scene, bridge, "ls");
        scene.answers(desk, 2, &session(&["Bash(ls:*)"]));
        bash(&mut scene, other, "ls -b");
        assert_eq!(scene.held(desk), [1, 3], "{peer} is no agent of ours");
    }
}

#[test]
fn a_grant_for_somebody_else_is_theirs_to_keep() {
    for peer in ["tim", "script", ""] {
        let (mut scene, bridge, desk) = scene(&[], &[]);
        let other = if peer.is_empty() { scene.client() } else { greeted(&mut scene, peer) };
        bash(&mut scene, bridge, "ls");
        bash(&mut scene, other, "ls");
        scene.answers(desk, 2, &session(&["Bash(ls:*)"]));
        assert_eq!(scene.held(desk), [1], "{peer}");
        assert!(scene.heard(other).iter().any(|line| line.contains(r#""grant":{"rule":"Bash(ls:*)""#)));
    }
    let (mut scene, bridge, desk) = scene(&[], &[]);
    let rest = r#""tool_name":"Bash","input":{"command":"ls"},"path":"bridge/below""#;
    scene.line(bridge, &format!(r#"{{"type":"permission_request","requestId":"a",{rest}}}"#));
    scene.answers(desk, 1, &session(&["Bash(ls:*)"]));
    bash(&mut scene, bridge, "ls");
    assert_eq!(scene.held(desk), [2], "what is asked for somebody further down is not for our rules");
}

#[test]
fn a_desk_knows_who_would_keep_a_grant() {
    use Keeper::{Below, ForGuest, Here, Nobody};
    let (mut scene, bridge, _) = scene(&[], &[]);
    let agent = scene.agent();
    scene.tool(agent, "a");
    bash(&mut scene, bridge, "ls");
    let rest = r#""tool_name":"Bash","input":{"command":"ls"},"path":"bridge/below""#;
    scene.line(bridge, &format!(r#"{{"type":"permission_request","requestId":"b",{rest}}}"#));
    for peer in ["tim", "script"] {
        let other = greeted(&mut scene, peer);
        bash(&mut scene, other, "ls");
    }
    let unknown = scene.client();
    bash(&mut scene, unknown, "ls");
    let keepers: Vec<_> = scene.keepers.values().copied().collect();
    assert_eq!(keepers, [Here, ForGuest, Nobody, Below, Nobody, Nobody]);
}

#[test]
fn a_grant_never_loosens_a_deny_rule() {
    let (mut scene, bridge, desk) = scene(&[], &["Bash(rm:*)", "Edit(secret/**)"]);
    bash(&mut scene, bridge, "ls");
    for rules in [&["Bash"][..], &["Bash(ls:*)", "Bash(rm:*)", "Bash(rm x)", "Edit"]] {
        scene.answers(desk, 1, &session(rules));
    }
    bash(&mut scene, bridge, "rm x");
    bash(&mut scene, bridge, "ls && rm x");
    ask(&mut scene, bridge, "e", "Edit", r#"{"file_path":"/proj/app/secret/a"}"#);
    let denied = scene.heard(bridge).iter().filter(|line| line.contains("Denied by the rule")).count();
    assert_eq!(denied, 3, "{:?}", scene.heard(bridge));
}

const QUESTION: &str = r#"{"questions":[{"question":"Which?","header":"X","multiSelect":false,"options":[{"label":"a","description":""},{"label":"b","description":""}]}]}"#;

#[test]
fn no_grant_answers_the_questions_of_an_agent() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    ask(&mut scene, bridge, "q1", "AskUserQuestion", QUESTION);
    ask(&mut scene, bridge, "plan", "ExitPlanMode", r#"{"plan":"x"}"#);
    bash(&mut scene, bridge, "ls");
    scene.answers(desk, 2, &session(&["ExitPlanMode"]));
    scene.answers(desk, 3, &session(&["Bash(ls:*)", "AskUserQuestion", "ExitPlanMode"]));
    ask(&mut scene, bridge, "q2", "AskUserQuestion", QUESTION);
    assert_eq!(scene.held(desk), [1, 2, 4]);
    scene.answers(desk, 1, &session(&["AskUserQuestion"]));
    assert_eq!(scene.held(desk), [1, 2, 4], "a verdict is no answer to a question");
}

#[test]
fn a_grant_of_one_desk_takes_what_waits_off_all_desks() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    let parent = scene.desk(AnswerSource::Parent);
    bash(&mut scene, bridge, "ls a");
    bash(&mut scene, bridge, "ls b");
    scene.answers(parent, 2, &session(&["Bash(ls:*)"]));
    assert_eq!((scene.held(desk).len(), scene.held(parent).len()), (0, 0));
    scene.answers(desk, 1, r#"{"allow":false}"#);
    assert_eq!(scene.news.len(), 1, "too late, and told so");
}

#[test]
fn the_rules_that_one_run_can_be_granted_are_bounded() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    for number in 1..=1_001 {
        bash(&mut scene, bridge, &format!("x{number}"));
        scene.answers(desk, number, &session(&[&format!("Bash(x{number})")]));
    }
    assert_eq!(scene.held(desk), [1_001]);
    scene.answers(desk, 1_001, r#"{"allow":true}"#);
    assert_eq!(scene.held(desk).len(), 0);
}

/// The fixture of a run with a grant. After a change of what is recorded:
/// `TIM_GRANT_TAPE=../fixtures/runs/grant.jsonl cargo test -p actors --lib a_run_with_a_grant`
#[test]
fn a_run_with_a_grant_replays_with_all_that_it_answered() {
    let (mut scene, bridge, desk) = scene(&[], &["Bash(rm:*)"]);
    for command in ["git fetch a && npm test", "git fetch b", "git push", "npm test -- x"] {
        bash(&mut scene, bridge, command);
    }
    scene.wait(1_500);
    scene.answers(desk, 1, &session(&["Bash(git fetch:*)"]));
    scene.wait(500);
    scene.answers(desk, 1, &session(&["Bash(git fetch:*)", "Bash(npm test:*)"]));
    bash(&mut scene, bridge, "npm test -- y");
    bash(&mut scene, bridge, "npm test; rm x");
    scene.answers(desk, 3, r#"{"allow":false,"reason":"not yet"}"#);
    assert_eq!(ends(&scene).iter().filter(|end| **end == BY_RULE).count(), 4);
    let tape = scene.tape().join("\n") + "\n";
    #[expect(clippy::disallowed_methods, reason = "where a person would like to have it")]
    if let Ok(path) = std::env::var("TIM_GRANT_TAPE") {
        std::fs::write(path, &tape).unwrap();
    }
    assert_replays(&tape);
    let fixture = include_str!("../../../fixtures/runs/grant.jsonl");
    assert_eq!(tape, fixture, "write it anew, and read the difference");
}

#[test]
fn a_run_without_written_rules_replays_its_grants_too() {
    let (mut scene, bridge, desk) = scene(&[], &[]);
    ask(&mut scene, bridge, "a", "Read", r#"{"file_path":"/proj/app/a"}"#);
    ask(&mut scene, bridge, "b", "Read", r#"{"file_path":"/proj/app/b"}"#);
    scene.answers(desk, 1, &session(&["Read(**)"]));
    assert_eq!(ends(&scene), [BY_A_PERSON, BY_RULE]);
    assert_replays(&(scene.tape().join("\n") + "\n"));
}

#[track_caller]
fn assert_replays(tape: &str) {
    let mut replay = Replay::new();
    let is_odd = |happening: &Happening| matches!(happening, Happening::Differs(_) | Happening::Unused(_));
    for line in tape.lines() {
        let mut told = replay.line(line.as_bytes()).unwrap();
        let odd = told.find(|(_, happening)| is_odd(happening));
        assert!(odd.is_none(), "{odd:?}");
    }
    assert_eq!(replay.finish().unwrap().count(), 0);
}
