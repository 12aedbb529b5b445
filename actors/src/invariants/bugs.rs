//! Bugs that the original had, or still has, and that concern who is answered, by whom and when. Ours by name.

use codec::Outcome;
use codec::tunnel::AnswerSource;

use crate::invariants::scene::{Scene, key};
use crate::router::{News, Said, Stage};
use crate::simulation::Sabotage;

fn scene() -> Scene {
    Scene::new(Sabotage::None)
}

#[test]
fn b2_a_lost_connection_with_a_default_of_yes_denies() {
    let mut scene = scene();
    let (client, up) = (scene.client(), scene.desk(AnswerSource::Parent));
    scene.prompt(client, "a", "confirm", r#"{"message":"?","default":true}"#, Some(60_000));
    scene.permission(client, "b", Some(60_000));
    scene.desk_leaves(up);
    assert_eq!(scene.ends(), [(1, Outcome::Disconnected), (2, Outcome::Disconnected)]);
    assert!(
        scene.heard(client)[0].contains("Tunnel connection closed")
            && !scene.heard(client)[0].contains("value")
    );
    assert!(scene.heard(client)[1].contains(r#""approved":false"#));
}

#[test]
fn b3_a_question_after_the_close_is_refused_at_once() {
    let mut scene = scene();
    let (client, up) = (scene.client(), scene.desk(AnswerSource::Parent));
    scene.desk_leaves(up);
    scene.confirm(client, "a", None);
    assert_eq!(scene.ends(), [(1, Outcome::Refused)]);
    scene.shut_down();
    scene.confirm(client, "b", None);
    assert_eq!(scene.ends()[1..], [(2, Outcome::Disconnected)]);
    assert_eq!(scene.heard(client).len(), 2);
}

#[test]
fn b4_a_failure_on_our_side_is_an_error_answer() {
    let mut scene = scene();
    let (client, desk) = (scene.client(), scene.terminal());
    scene.confirm(client, "a", None);
    scene.routing.lost(scene.now, crate::router::Number(1));
    scene.settle();
    assert!(scene.heard(client)[0].contains(r#""outcome":"refused","reason":"internal""#));
    assert!(scene.held(desk).is_empty());
}

#[test]
fn b18_a_question_without_a_deadline_waits_for_ever() {
    let mut scene = scene();
    let (agent, desk) = (scene.agent(), scene.terminal());
    let input = r#"{"questions":[{"question":"Which?","options":[{"label":"A"},{"label":"B"}]}]}"#;
    let request = format!(r#"{{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{input}}}"#);
    scene.line(agent, &format!(r#"{{"type":"control_request","request_id":"q","request":{request}}}"#));
    scene.wait(24 * 60 * 60 * 1_000);
    scene.routing.expired(scene.now, crate::router::Number(1));
    scene.settle();
    assert_eq!(scene.held(desk), [1], "also if somebody says that its time is up");
    scene.answers(desk, 1, r#"{"answers":{"Which?":"B"}}"#);
    assert!(scene.heard(agent)[0].contains(r#""answers":{"Which?":"B"}"#));
}

#[test]
fn b17_questions_that_nobody_could_answer_are_denied() {
    let mut scene = scene();
    let (agent, _) = (scene.agent(), scene.terminal());
    let request = r#"{"subtype":"can_use_tool","tool_name":"AskUserQuestion","input":{"questions":[]}}"#;
    scene.line(agent, &format!(r#"{{"type":"control_request","request_id":"q","request":{request}}}"#));
    assert_eq!(scene.heard(agent).len(), 1);
    assert!(scene.heard(agent)[0].contains(r#""subtype":"error""#), "{:?}", scene.heard(agent));
}

#[test]
fn b19_of_two_timers_one_ends_the_question() {
    let mut scene = scene();
    let (client, up) = (scene.client(), scene.desk(AnswerSource::Parent));
    scene.confirm(client, "a", Some(200));
    scene.wait(199);
    scene.said(up, 1, Said::TimedOut(None));
    scene.wait(10);
    assert_eq!(scene.ends(), [(1, Outcome::TimedOut)]);
    assert_eq!(scene.heard(client).len(), 1);
}

#[test]
fn b20_whoever_answers_first_answers_also_behind_a_tunnel() {
    let mut scene = scene();
    let client = scene.client();
    let (terminal, control) = (scene.terminal(), scene.desk(AnswerSource::Control));
    scene.confirm(client, "a", None);
    scene.answers(control, 1, "true");
    scene.answers(terminal, 1, "false");
    assert!(scene.heard(client)[0].contains(r#""value":true"#));
    assert_eq!(scene.heard(client).len(), 1);
    assert_eq!(scene.news, [(terminal, key(1), News::Late)]);
}

#[test]
fn b21_every_question_is_told_to_end_once_in_our_own_output() {
    let mut scene = scene();
    let (client, gone, desk) = (scene.client(), scene.client(), scene.terminal());
    scene.confirm(client, "answered", None);
    scene.confirm(client, "timed out", Some(50));
    scene.confirm(client, "declined", None);
    scene.confirm(gone, "cancelled", None);
    scene.confirm(client, "disconnected", None);
    scene.answers(desk, 1, "true");
    scene.wait(50);
    scene.said(desk, 3, Said::Decline);
    scene.leaves(gone);
    scene.shut_down();
    let told = |number: u64, ended: bool| {
        let is_told = |what: &Stage| matches!(what, Stage::Ended(_)) == ended;
        scene.emitted.iter().filter(|emitted| emitted.key == key(number) && is_told(&emitted.what)).count()
    };
    for number in 1..=5 {
        assert_eq!((told(number, false), told(number, true)), (1, 1), "p{number}");
    }
    let answered = scene.emitted.iter().filter(|emitted| emitted.line.contains("prompt_answered")).count();
    let cancelled = scene.emitted.iter().filter(|emitted| emitted.line.contains("prompt_cancelled")).count();
    assert_eq!((answered, cancelled), (1, 4));
}

#[test]
fn b22_the_end_of_a_run_ends_open_questions_and_is_no_timeout() {
    let mut scene = scene();
    let (client, agent, desk) = (scene.client(), scene.agent(), scene.terminal());
    scene.permission(client, "a", Some(60_000));
    scene.tool(agent, "b");
    scene.shut_down();
    assert_eq!(scene.ends(), [(1, Outcome::Disconnected), (2, Outcome::Disconnected)]);
    assert!(scene.heard(client)[0].contains(r#""approved":false,"outcome":"disconnected""#));
    assert!(scene.heard(agent)[0].contains(r#""behavior":"deny""#));
    assert!(scene.held(desk).is_empty());
}

#[test]
fn open_bug_3_a_desk_that_fails_does_not_stop_the_deadline() {
    let mut scene = scene();
    let client = scene.client();
    let (terminal, control) = (scene.terminal(), scene.desk(AnswerSource::Control));
    scene.confirm(client, "a", Some(100));
    scene.answers(control, 1, "\"not yes, not no\"");
    scene.said(control, 1, Said::GiveBack("it broke".to_owned()));
    assert_eq!(scene.held(terminal), [1], "the terminal stays usable");
    scene.wait(100);
    assert_eq!(scene.ends(), [(1, Outcome::TimedOut)]);
}

#[test]
fn open_bug_4_the_end_of_a_session_never_approves() {
    let mut scene = scene();
    let (client, _) = (scene.client(), scene.terminal());
    scene.prompt(client, "a", "confirm", r#"{"message":"?","default":true}"#, Some(100));
    scene.shut_down();
    scene.wait(200);
    assert_eq!(scene.ends(), [(1, Outcome::Disconnected)]);
    assert!(!scene.heard(client)[0].contains("timed out"), "{:?}", scene.heard(client));
}

#[test]
fn open_bug_5_the_questions_of_a_client_that_left_leave_the_screen() {
    let mut scene = scene();
    let (client, other, desk) = (scene.client(), scene.client(), scene.terminal());
    scene.confirm(client, "a", None);
    scene.confirm(other, "b", None);
    scene.confirm(client, "c", None);
    scene.leaves(client);
    assert_eq!(scene.held(desk), [2]);
    scene.answers(desk, 1, "true");
    assert_eq!(scene.news, [(desk, key(1), News::Late)]);
    assert_eq!(scene.held(desk), [2], "the key that was typed for it goes nowhere");
}

#[test]
fn open_bug_6_a_second_use_of_an_id_leaves_the_first_question_alone() {
    let mut scene = scene();
    let (client, desk) = (scene.client(), scene.terminal());
    scene.confirm(client, "a", Some(2_000));
    scene.confirm(client, "a", None);
    scene.wait(2_000);
    assert_eq!(scene.heard(client).len(), 2);
    assert!(scene.heard(client)[0].contains("still open"));
    assert!(scene.heard(client)[1].contains("timed out after 2000ms"));
    scene.confirm(client, "a", None);
    assert_eq!(scene.held(desk), [3], "an id whose question ended may be used again");
}

#[test]
fn an_answer_after_the_timeout_does_not_answer_the_next_question() {
    let mut scene = scene();
    let (one, two, desk) = (scene.client(), scene.client(), scene.terminal());
    scene.confirm(one, "a", Some(200));
    scene.confirm(two, "b", Some(5_000));
    scene.wait(205);
    scene.answers(desk, 1, "true");
    assert!(scene.heard(two).is_empty());
    assert_eq!(scene.held(desk), [2]);
}

#[test]
fn a_cancel_that_crosses_the_answer_changes_nothing() {
    let mut scene = scene();
    let (client, desk) = (scene.client(), scene.terminal());
    scene.confirm(client, "a", None);
    scene.answers(desk, 1, "true");
    scene.line(client, r#"{"type":"prompt_cancel","requestId":"a","reason":"cancelled"}"#);
    assert_eq!(scene.heard(client).len(), 1);
    scene.confirm(client, "b", None);
    scene.line(client, r#"{"type":"prompt_cancel","requestId":"b","reason":"timed_out"}"#);
    scene.answers(desk, 2, "true");
    assert_eq!(
        scene.ends(),
        [(1, Outcome::Answered), (2, Outcome::TimedOut)],
        "the client's timer is a timer"
    );
    assert_eq!(scene.heard(client).len(), 2);
}
