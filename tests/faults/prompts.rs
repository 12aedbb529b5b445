//! What can happen to an open question: deadlines, late and wrong answers, two of the same id, nobody at hand.

use std::time::Duration;

use serde_json::json;

use crate::support::client::{assert_answered, assert_refused, assert_unanswered, permission, prompt};
use crate::support::desk::Parent;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::wait::now;

#[test]
fn f028_a_deadline_that_passes_is_a_timeout_and_withdraws_the_question() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let start = now();
    client.confirm_within("a", 300);
    let asked = desk.prompt();
    assert!(asked.message["timeoutMs"].as_u64().is_some_and(|left| left <= 300), "{}", asked.message);
    assert_unanswered(&client.response("a"), "timed_out", "Prompt request timed out after 300ms");
    let waited = start.elapsed();
    assert!(waited >= Duration::from_millis(300), "{waited:?} is too early");
    assert!(waited < Duration::from_secs(3), "ten times 300 ms: {waited:?}");
    assert_eq!(desk.withdrawn(&asked), "timed_out");
    assert_eq!(serve.journal().end_of("a").outcome, "timed_out");
}

#[test]
fn f030_an_answer_after_the_timeout_answers_nothing() {
    let (serve, mut desk) = Serve::under_test();
    let (mut first, mut second) = (serve.client(), serve.client());
    first.confirm_within("a", 100);
    let a = desk.prompt_about("a");
    second.confirm("b");
    let b = desk.prompt_about("b");
    assert_eq!(first.response("a")["outcome"], "timed_out");
    desk.answer(&a, &json!(true));
    desk.answer(&b, &json!(false));
    assert_answered(&second.response("b"), &json!(false));
    let journal = serve.journal();
    assert_eq!(journal.records("late").len(), 1);
    assert_eq!(journal.end_of("a").outcome, "timed_out");
    first.heard_nothing_else();
}

#[test]
fn f031_of_two_answers_the_first_counts() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("a");
    let asked = desk.prompt();
    let both = format!("{}\n{}\n", asked.answer(&json!(true)), asked.answer(&json!(false)));
    desk.send_bytes(both.as_bytes());
    assert_answered(&client.response("a"), &json!(true));
    client.confirm("b");
    let next = desk.prompt();
    desk.answer(&next, &json!(false));
    assert_answered(&client.response("b"), &json!(false));
    client.heard_nothing_else();
}

#[test]
fn f031_beneath_a_parent_the_answer_command_is_not_asked_as_well() {
    let launch = Launch::tim(["serve", "--answer-command"]);
    let trace = launch.folder().path("ran");
    let command = format!("touch {}; echo false", trace.display());
    let (serve, mut desk) = Serve::under_parent(&Parent::open(), launch.arg(command));
    let mut client = serve.client();
    client.confirm("a");
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("a"), &json!(true));
    assert!(!trace.exists(), "a nested tim cannot loosen");
    let warned = serve.stderr.wait("a warning", |said, _| said.contains("answer command").then_some(()));
    assert!(warned.is_some(), "{}", serve.stderr.text());
}

#[test]
fn f032_the_second_use_of_a_live_id_is_refused_and_the_first_lives() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("a");
    let asked = desk.prompt();
    client.confirm("a");
    assert_refused(&client.response("a"), "duplicate");
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("a"), &json!(true));
    client.confirm("a");
    let anew = desk.prompt();
    desk.answer(&anew, &json!(false));
    assert_answered(&client.response("a"), &json!(false));
}

#[test]
fn f033_the_same_id_on_two_connections_is_two_questions() {
    let (serve, mut desk) = Serve::under_test();
    let (mut first, mut second) = (serve.client(), serve.client());
    first.confirm("a");
    let of_first = desk.prompt();
    second.confirm("a");
    let of_second = desk.prompt();
    desk.answer(&of_second, &json!(false));
    desk.answer(&of_first, &json!(true));
    assert_answered(&first.response("a"), &json!(true));
    assert_answered(&second.response("a"), &json!(false));
    let ends = serve.journal().ends();
    assert_eq!(ends.len(), 2);
    assert_ne!(ends[0].wire, ends[1].wire);
}

#[test]
fn f037_without_a_desk_every_question_is_refused_at_once() {
    let serve = Serve::alone();
    let mut client = serve.client();
    let choices = json!({"message": "?", "choices": [{"name": "a", "value": 1}]});
    let start = now();
    client.send(&prompt("confirm", "confirm", &json!({"message": "?"}), Some(60_000)));
    client.ask("select", "select", &choices);
    client.ask("checkbox", "checkbox", &choices);
    client.ask("input", "input", &json!({"message": "?"}));
    for id in ["confirm", "select", "checkbox", "input"] {
        assert_refused(&client.response(id), "no_desk");
    }
    client.send(&permission("p", "Bash", &json!({"command": "echo"})));
    let response = client.response("p");
    assert_eq!((&response["approved"], &response["outcome"]), (&json!(false), &json!("refused")));
    assert!(start.elapsed() < Duration::from_secs(1), "ten times 100 ms: {:?}", start.elapsed());
}

#[test]
fn f042_an_answer_that_does_not_fit_reaches_nobody() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let choices = json!([{"name": "one", "value": 1}, {"name": "two", "value": 2}]);
    client.ask("a", "select", &json!({"message": "a", "choices": choices}));
    let asked = desk.prompt();
    desk.answer(&asked, &json!(99));
    desk.answer(&asked, &json!(2));
    let response = client.response("a");
    if response["outcome"] == "answered" {
        assert_answered(&response, &json!(2));
    } else {
        assert_eq!(response["outcome"], "refused", "{response}");
    }
}

#[test]
fn f042_a_command_whose_answer_does_not_fit_gives_the_question_back() {
    let serve = Serve::answered_by("cat > /dev/null; echo 99");
    let mut client = serve.client();
    client.ask("a", "select", &json!({"message": "?", "choices": [{"name": "one", "value": 1}]}));
    assert_refused(&client.response("a"), "given_back");
}

#[test]
fn f044_a_question_without_a_deadline_stops_no_timer_behind_it() {
    let (serve, mut desk) = Serve::under_test();
    let (mut first, mut second) = (serve.client(), serve.client());
    first.confirm("a");
    let a = desk.prompt();
    desk.shown(&a);
    let start = now();
    second.confirm_within("b", 300);
    assert_unanswered(&second.response("b"), "timed_out", "Prompt request timed out after 300ms");
    assert!(start.elapsed() < Duration::from_secs(3), "{:?}", start.elapsed());
    desk.answer(&a, &json!(true));
    assert_answered(&first.response("a"), &json!(true));
}
