//! Peers that do not read: the bounds of what waits for them, and that nobody else notices.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered};
use crate::support::desk::Asked;
use crate::support::process::resident;
use crate::support::serve::Serve;
use crate::support::wait::now;

/// Answers texts with a text of a size, all else with yes.
fn long_answers(size: usize) -> impl FnMut(&Asked) -> Option<Value> + Send + 'static {
    let text = "x".repeat(size);
    move |asked| Some(if asked.kind == "input" { json!(text) } else { json!(true) })
}

fn ask_texts(client: &mut Client, count: usize) {
    for number in 0..count {
        client.ask(&format!("t{number}"), "input", &json!({"message": "?"}));
    }
}

#[test]
fn f007_a_client_that_stops_reading_is_closed_after_ten_seconds_without_progress() {
    let (serve, desk) = Serve::under_test();
    desk.answering(long_answers(16 << 10));
    let (mut deaf, mut other) = (serve.client(), serve.client());
    ask_texts(&mut deaf, 50);
    let start = now();
    while !deaf.hung_up(Duration::from_millis(200)) {
        assert_answered(&other.round_trip("q"), &json!(true));
        assert!(start.elapsed() < Duration::from_secs(100), "ten times 10 s");
    }
    assert!(start.elapsed() > Duration::from_secs(5), "{:?} is too early", start.elapsed());
    assert_answered(&other.round_trip("after"), &json!(true));
}

#[test]
fn f008_a_client_that_reads_late_gets_all_answers_in_order() {
    let (serve, desk) = Serve::under_test();
    desk.answering(long_answers(2 << 10));
    let (mut late, mut other) = (serve.client(), serve.client());
    ask_texts(&mut late, 200);
    for number in 0..50 {
        assert_answered(&other.round_trip(&format!("q{number}")), &json!(true));
    }
    for number in 0..200 {
        let response = late.line().expect("an answer");
        assert_eq!(response["requestId"], format!("t{number}"));
    }
    assert_answered(&late.round_trip("last"), &json!(true));
    late.heard_nothing_else();
}

#[test]
fn f110_a_burst_beneath_a_parent_that_does_not_read_loses_no_question_and_takes_no_memory() {
    const LINES: usize = 100_000;
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.log("warm");
    let before = resident(serve.pid());
    let burst = std::thread::spawn(move || {
        let text = "y".repeat(400);
        for number in 0..LINES {
            client.log(&text);
            if number % 500 == 0 {
                client.confirm(&format!("q{number}"));
            }
        }
        client
    });
    let mut client = burst.join().expect("a parent that does not read stops nobody");
    let grown = resident(serve.pid()).saturating_sub(before);
    assert!(grown < 64 << 10, "{LINES} lines, 45 MB, took {grown} KiB");
    for number in (0..LINES).step_by(500) {
        let asked = desk.prompt_about(&format!("q{number}"));
        desk.answer(&asked, &json!(true));
    }
    for number in (0..LINES).step_by(500) {
        assert_answered(&client.response(&format!("q{number}")), &json!(true));
    }
}
