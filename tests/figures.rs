//! What is promised in milliseconds, measured: one at a time, because `cargo test` runs this file alone. Each is held to
//! ten times its bound, so that a busy machine fails nothing; the figures themselves are printed.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(clippy::print_stdout, reason = "the figures are for people")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use support::client::{Client, assert_answered};
use support::desk::yes;
use support::journal::Journal;
use support::random::Random;
use support::serve::Serve;
use support::wait::now;

const TENTH: Duration = Duration::from_millis(100);

/// No other figure is taken as long as this is held.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Prints a figure and holds it to ten times its bound.
fn hold(what: &str, mut took: Vec<Duration>, bound: Duration) {
    took.sort();
    let p99 = took[took.len() * 99 / 100];
    println!("{what}: p50 {:?}, p99 {p99:?}, at most {:?}", took[took.len() / 2], took[took.len() - 1]);
    assert!(p99 < bound * 10, "{what}: {p99:?} instead of ten times {bound:?}");
}

/// Asks and is answered again and again, until something is done.
fn ask_until(client: &mut Client, mut done: impl FnMut() -> bool) -> Vec<Duration> {
    let mut took = Vec::new();
    loop {
        let start = now();
        assert_answered(&client.round_trip(&format!("q{}", took.len())), &json!(true));
        took.push(start.elapsed());
        if done() {
            return took;
        }
    }
}

#[test]
fn a_question_and_its_answer_are_quick() {
    let _alone = alone();
    let (serve, desk) = Serve::under_test();
    desk.answering(yes);
    let mut rounds = 0;
    let took = ask_until(&mut serve.client(), || {
        rounds += 1;
        rounds == 2000
    });
    hold("a round trip", took, TENTH);
}

#[test]
fn f001_the_question_of_one_who_left_is_soon_withdrawn() {
    let _alone = alone();
    let (serve, mut desk) = Serve::under_test();
    let took = (0..100).map(|_| {
        let mut client = serve.client();
        client.confirm("q");
        let asked = desk.prompt();
        let start = now();
        drop(client);
        desk.withdrawn(&asked);
        start.elapsed()
    });
    hold("a withdrawal", took.collect(), TENTH);
}

/// The texts of the log lines that the parent heard, in order.
fn logged(reports: &[Value]) -> Vec<String> {
    let lines =
        reports.iter().map(|report| if report["type"] == "relayed" { &report["line"] } else { report });
    let logs = lines.filter(|line| line["type"] == "log");
    logs.map(|line| line["args"][0].as_str().unwrap().to_owned()).collect()
}

#[test]
fn f010_a_flood_of_log_lines_keeps_nobody_else_waiting() {
    const LINES: usize = 100_000;
    let _alone = alone();
    let (mut serve, desk) = Serve::under_test();
    let reports = desk.answering(yes);
    let mut flooder = serve.client();
    let flood = std::thread::spawn(move || {
        for number in 0..LINES {
            flooder.send_bytes(format!("{{\"type\":\"log\",\"args\":[\"{number}\"]}}\n").as_bytes());
        }
        flooder.round_trip("last");
        flooder
    });
    let took = ask_until(&mut serve.client(), || flood.is_finished());
    hold("a round trip beside a flood", took, TENTH);
    drop(flood.join().unwrap());
    let on_record: Vec<usize> = numbers(serve.journal().lines("from").into_iter().map(|(_, line)| line));
    assert_eq!(on_record.len(), LINES, "every line is on record");
    assert!(on_record.is_sorted(), "in order");
    serve.finish();
    let heard: Vec<usize> =
        logged(&reports.join().unwrap()).iter().filter_map(|text| text.parse().ok()).collect();
    assert!(heard.is_sorted() && !heard.is_empty(), "the parent hears them in order");
}

fn numbers<'a>(lines: impl Iterator<Item = &'a str>) -> Vec<usize> {
    let logs = lines.filter_map(|line| line.strip_prefix("{\"type\":\"log\",\"args\":[\""));
    logs.map(|rest| rest.trim_end_matches("\"]}").parse().unwrap()).collect()
}

#[test]
fn f007_a_client_that_stops_reading_is_closed_at_its_backlog_and_nobody_notices() {
    let _alone = alone();
    let (serve, desk) = Serve::under_test();
    let long = json!("x".repeat(32 << 10));
    desk.answering(move |asked| Some(if asked.kind == "input" { long.clone() } else { json!(true) }));
    let (mut deaf, mut other) = (serve.client(), serve.client());
    (0..200).for_each(|number| deaf.ask(&format!("t{number}"), "input", &json!({"message": "?"})));
    let took = ask_until(&mut other, || deaf.hung_up(Duration::ZERO));
    hold("a round trip beside one who does not read", took, TENTH);
    let received = deaf.end("closed").len();
    assert!(received < 200, "only what fitted was delivered: {received}");
    assert_answered(&other.round_trip("after"), &json!(true));
}

const CLIENTS: usize = 100;
const EACH: usize = 100;

/// Asks ten thousand questions that end within a second; when each was asked, and for how long.
fn start_timers(clients: &mut [Client]) -> BTreeMap<(usize, String), (Instant, Duration)> {
    let mut random = Random::new(122);
    let mut asked = BTreeMap::new();
    for number in 0..EACH {
        for (at, client) in clients.iter_mut().enumerate() {
            let (id, ms) = (format!("q{number}"), 200 + random.below(1000));
            asked.insert((at, id.clone()), (now(), Duration::from_millis(ms)));
            client.confirm_within(&id, ms);
        }
    }
    asked
}

/// How late each question ended after its deadline, on the server's own watch: that of the test is slower than it.
fn lateness(journal: &Journal) -> Vec<Duration> {
    let number = |record: &Value, name: &str| record[name].as_u64().unwrap();
    let due = |ask: &Value| number(ask, "t") + number(ask, "deadlineMs");
    let due: BTreeMap<&str, u64> =
        journal.records("ask").into_iter().map(|ask| (ask["key"].as_str().unwrap(), due(ask))).collect();
    let late = |end: &Value| number(end, "t").saturating_sub(due[end["key"].as_str().unwrap()]);
    journal.records("outcome").into_iter().map(|end| Duration::from_millis(late(end))).collect()
}

#[test]
fn f122_ten_thousand_timers_fire_in_time_and_never_early() {
    let _alone = alone();
    let (serve, desk) = Serve::under_test();
    desk.answering(|_| None);
    let mut clients: Vec<Client> = (0..CLIENTS).map(|_| serve.client()).collect();
    let asked = start_timers(&mut clients);
    for (at, client) in clients.iter_mut().enumerate() {
        for _ in 0..EACH {
            let answer = client.line().expect("an answer");
            assert_eq!(answer["outcome"], "timed_out", "{answer}");
            let (start, timeout) = asked[&(at, answer["requestId"].as_str().unwrap().to_owned())];
            assert!(start.elapsed() >= timeout, "{:?} instead of {timeout:?}", start.elapsed());
        }
    }
    let late = lateness(&serve.journal());
    assert_eq!(late.len(), CLIENTS * EACH);
    hold("how late one of ten thousand timers is", late, Duration::from_millis(50));
}
