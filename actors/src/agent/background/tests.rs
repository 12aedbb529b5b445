//! Which lines open and close background work: by hand, and by the recordings.

use super::*;
use crate::agent::recorded::{Driven, file};

fn hear(background: &mut Background, line: &str) -> Vec<TaskChange> {
    background.hear(&Output::read(line.as_bytes()).unwrap())
}

fn started(flag: &str) -> String {
    format!(
        r#"{{"type":"system","subtype":"task_started","task_id":"t","tool_use_id":"u","description":"cargo watch"{flag}}}"#
    )
}

fn opened(sureness: Sureness) -> Vec<TaskChange> {
    vec![TaskChange::Opened { id: "t".to_owned(), name: "cargo watch".to_owned(), sureness }]
}

fn closed() -> Vec<TaskChange> {
    vec![TaskChange::Closed { id: "t".to_owned() }]
}

const TOLD: &str = r#","is_backgrounded":true"#;
const DONE: &str = r#"{"type":"system","subtype":"task_notification","task_id":"t","status":"completed"}"#;
const RESULT: &str = r#"{"type":"result","subtype":"success","is_error":false}"#;
const NONE: &str = r#"{"type":"system","subtype":"background_tasks_changed","tasks":[]}"#;
const LISTED: &str = r#"{"type":"system","subtype":"background_tasks_changed","tasks":[{"task_id":"t","description":"cargo watch"}]}"#;

fn tool_result(result: &str, is_error: bool) -> String {
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"u","is_error":{is_error}}}]}},"tool_use_result":{result}}}"#
    )
}

#[test]
fn new_a_task_that_is_told_to_be_in_the_background_is_open_until_its_notification() {
    let mut background = Background::default();
    assert_eq!(hear(&mut background, &started(TOLD)), opened(Sureness::Told));
    assert_eq!(hear(&mut background, RESULT), []);
    assert_eq!(background.open().collect::<Vec<_>>(), [("t", "cargo watch")]);
    assert_eq!(hear(&mut background, DONE), closed());
    assert_eq!(hear(&mut background, DONE), [], "ends once");
}

#[test]
fn a4_f8_a_task_of_the_turn_is_no_background_work() {
    for flag in ["", r#","is_backgrounded":false"#] {
        let mut background = Background::default();
        assert_eq!(hear(&mut background, &started(flag)), []);
        assert_eq!(hear(&mut background, DONE), []);
        assert_eq!(hear(&mut background, &tool_result(r#"{"stdout":"x"}"#, false)), []);
        assert_eq!(background.open().count(), 0);
    }
}

#[test]
fn e3_old_the_result_of_the_tool_tells_that_its_command_goes_on() {
    let mut background = Background::default();
    assert_eq!(hear(&mut background, &started("")), []);
    let mark = tool_result(r#"{"backgroundTaskId":"t"}"#, false);
    assert_eq!(hear(&mut background, &mark), opened(Sureness::Told));
    let killed = r#"{"type":"system","subtype":"task_updated","task_id":"t","patch":{"status":"killed"}}"#;
    assert_eq!(hear(&mut background, killed), closed());
    assert_eq!(hear(&mut background, DONE), []);
}

#[test]
fn h5_a_launched_agent_is_background_work() {
    let mut background = Background::default();
    hear(&mut background, &started(""));
    let launched = tool_result(r#"{"status":"async_launched","agentId":"t"}"#, false);
    assert_eq!(hear(&mut background, &launched), opened(Sureness::Told));
}

#[test]
fn a_task_that_outlives_its_tool_without_a_word_is_a_guess_and_a_failed_tool_leaves_nothing() {
    let mut background = Background::default();
    hear(&mut background, &started(""));
    assert_eq!(hear(&mut background, &tool_result(r#""what""#, false)), opened(Sureness::Guessed));
    assert_eq!(hear(&mut background, &started(TOLD)), opened(Sureness::Told), "more is known of it");

    let mut background = Background::default();
    hear(&mut background, &started(""));
    assert_eq!(hear(&mut background, &tool_result(r#""interrupted""#, true)), []);
    assert_eq!(background.open().count(), 0);
}

#[test]
fn a_short_command_that_ended_before_its_tool_is_not_opened_by_the_late_result() {
    let mut background = Background::default();
    assert_eq!(hear(&mut background, &started(TOLD)), opened(Sureness::Told));
    assert_eq!(hear(&mut background, DONE), closed());
    assert_eq!(hear(&mut background, &tool_result(r#"{"backgroundTaskId":"t"}"#, false)), []);
    assert_eq!(hear(&mut background, &started(TOLD)), opened(Sureness::Told), "a new start is a new task");
}

#[test]
fn f4b_a_command_that_is_moved_to_the_background_is_open_from_then_on() {
    let mut background = Background::default();
    hear(&mut background, &started(r#","is_backgrounded":false"#));
    let moved =
        r#"{"type":"system","subtype":"task_updated","task_id":"t","patch":{"is_backgrounded":true}}"#;
    assert_eq!(hear(&mut background, moved), opened(Sureness::Told));
}

#[test]
fn a_list_opens_what_it_names_and_closes_only_what_it_once_named() {
    let mut background = Background::default();
    assert_eq!(hear(&mut background, LISTED), opened(Sureness::Told));
    assert_eq!(hear(&mut background, &started(TOLD)), []);
    assert_eq!(hear(&mut background, NONE), closed());

    let mut background = Background::default();
    assert_eq!(hear(&mut background, &started(TOLD)), opened(Sureness::Told));
    assert_eq!(hear(&mut background, NONE), [], "lists may be of commands only");
}

#[test]
fn a_notification_that_says_still_at_it_does_not_close() {
    let mut background = Background::default();
    hear(&mut background, &started(TOLD));
    let running = DONE.replace("completed", "running");
    assert_eq!(hear(&mut background, &running), []);
    let unheard_of = DONE.replace("completed", "evaporated");
    assert_eq!(hear(&mut background, &unheard_of), closed());
}

#[test]
fn the_recorded_tasks_are_open_at_the_results_that_came_before_their_end() {
    for (name, open_at_results) in [
        ("e3_background_bash_then_result_stdin_open.2.1.325", vec![vec!["Background sleep"], vec![]]),
        ("e3_background_bash_then_result_stdin_open.2.1.197", vec![vec!["Background sleep"], vec![]]),
        ("f4_bash_timeout_explicit_3s.2.1.197", vec![vec!["Run"]]),
        ("f4b_bash_default_timeout_env_4s.2.1.325", vec![vec!["Run"], vec![]]),
        ("f4c_bash_timeout_over_max.2.1.325", vec![vec![]]),
        ("f8_bash_sleep_blocked_foreground.2.1.325", vec![vec![]]),
        ("e2_subagent_foreground.2.1.197", vec![vec![]]),
        ("e2_subagent_foreground.2.1.325", vec![vec![]]),
        ("a5b_message_priority_now_mid_tool.2.1.197", vec![vec![], vec![]]),
    ] {
        assert_eq!(Driven::by(&file(name)).open_at_results, open_at_results, "{name}");
    }
}
