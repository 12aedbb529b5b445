//! Signals: it ends at once and cleanly, whatever is open, and whenever they come.

use std::os::unix::process::ExitStatusExt as _;
use std::time::Duration;

use rustix::process::Signal;
use serde_json::json;

use crate::support::client::{assert_answered, assert_unanswered};
use crate::support::desk::Parent;
use crate::support::launch::{Launch, Reading};
use crate::support::random::Random;
use crate::support::serve::Serve;
use crate::support::temp::all_below;
use crate::support::wait::{now, spin};

/// Ends a server by a signal with a question open: the asker hears of it, the record is whole, the socket is gone.
fn ends_cleanly(signals: &[Signal], code: i32) {
    let (mut serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    client.confirm("a");
    let asked = desk.prompt();
    desk.shown(&asked);
    let start = now();
    signals.iter().for_each(|signal| serve.signal(*signal));
    assert_unanswered(&client.response("a"), "disconnected", "Tunnel connection closed");
    assert!(client.end("the server ends").is_empty());
    assert_eq!(serve.ended().code(), Some(code), "{}", serve.stderr.text());
    assert!(start.elapsed() < Duration::from_secs(20), "ten times 2 s: {:?}", start.elapsed());
    let journal = serve.journal();
    journal.every_question_ended_once();
    assert_eq!((journal.torn, journal.end_of("a").outcome.as_str()), (0, "disconnected"));
    assert!(all_below(&serve.folder().path("run/tim")).is_empty(), "nothing is left");
}

#[test]
fn f129_sigint_ends_it_with_130() {
    ends_cleanly(&[Signal::INT], 130);
}

#[test]
fn f130_sigterm_ends_it_with_143() {
    ends_cleanly(&[Signal::TERM], 143);
}

#[test]
fn f131_sighup_ends_it_with_129() {
    ends_cleanly(&[Signal::HUP], 129);
}

#[test]
fn f134_sigterm_three_times_ends_it_as_once() {
    ends_cleanly(&[Signal::TERM; 3], 143);
}

#[test]
fn f130_a_client_that_does_not_read_does_not_delay_the_end() {
    let (mut serve, desk) = Serve::under_test();
    let text = json!("x".repeat(4 << 10));
    desk.answering(move |asked| (asked.kind == "input").then(|| text.clone()));
    let (mut deaf, mut other) = (serve.client(), serve.client());
    (0..150).for_each(|number| deaf.ask(&format!("t{number}"), "input", &json!({"message": "?"})));
    other.ask("q", "input", &json!({"message": "?"}));
    other.response("q");
    let start = now();
    assert_eq!(serve.finish(), Some(143));
    assert!(start.elapsed() < Duration::from_secs(20), "ten times 2 s: {:?}", start.elapsed());
}

#[test]
fn f132_sigpipe_and_closed_peers_end_nothing() {
    let (mut serve, mut desk) = Serve::under_test();
    serve.signal(Signal::PIPE);
    let mut client = serve.client();
    client.confirm("a");
    let asked = desk.prompt();
    drop(client);
    desk.answer(&asked, &json!(true));
    let mut other = serve.client();
    other.confirm("b");
    let asked = desk.prompt_about("b");
    desk.answer(&asked, &json!(true));
    assert_answered(&other.response("b"), &json!(true));
    assert!(serve.lives());
}

/// Reports that are to be printed, more than a pipe holds, and a question.
fn prints_and_answers(reading: Reading) {
    let launch = Launch::tim(["serve", "--answer-command", "cat > /dev/null; echo true"]);
    let mut serve = Serve::ready(launch.reading(reading).start());
    let mut client = serve.client();
    let text = "y".repeat(1000);
    (0..2000).for_each(|_| client.log(&text));
    assert_answered(&client.round_trip("q"), &json!(true));
    let start = now();
    assert_eq!(serve.finish(), Some(143), "{}", serve.stderr.text());
    assert!(start.elapsed() < Duration::from_secs(20), "ten times 2 s: {:?}", start.elapsed());
}

#[test]
fn f132_a_reader_of_its_output_that_goes_away_ends_nothing() {
    prints_and_answers(Reading::FirstLineThenClosed);
}

#[test]
fn f132_a_reader_of_its_output_that_stops_reading_delays_nothing() {
    prints_and_answers(Reading::FirstLine);
}

#[test]
fn f133_sigterm_while_the_parent_is_silent_ends_it_at_once() {
    let parent = Parent::open();
    let mut process = Launch::tim(["serve"]).under(parent.path()).start();
    let mut desk = parent.accept();
    desk.take("a hello", |line| line["type"] == "hello");
    process.signal(Signal::TERM);
    assert_eq!(process.ended().code(), Some(143));
    assert!(all_below(&process.folder().path("run/tim")).is_empty());
}

#[test]
fn f133_sigterm_during_the_start_leaves_nothing() {
    let mut random = Random::new(133);
    for _ in 0..50 {
        let mut process = Launch::tim(["serve"]).start();
        spin(Duration::from_micros(random.below(25_000)));
        process.signal(Signal::TERM);
        let status = process.ended();
        let by_signal = status.signal() == Some(15);
        assert!(by_signal || status.code() == Some(143), "{status}: {}", process.stderr.text());
        let left = all_below(&process.folder().path("run/tim"));
        assert!(left.is_empty(), "{left:?}");
    }
}
