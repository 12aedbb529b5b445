//! Terminals that read slowly or not at all: questions come first, and nothing else waits for them.

use std::time::Duration;

use serde_json::json;

use crate::pty::Reads;
use crate::seat::{Seat, shown};
use crate::support::client::{Client, assert_answered};
use crate::support::process::resident;
use crate::support::wait::now;

/// So much is said that no terminal shows all of it.
fn floods(client: &mut Client, megabytes: usize) {
    let row = "x".repeat(900);
    let many: String = (0..1_000).map(|_| format!("{}\n", json!({"type": "log", "args": [row]}))).collect();
    for _ in 0..megabytes {
        client.send_bytes(many.as_bytes());
    }
}

#[test]
fn f048_on_a_slow_terminal_a_question_comes_first_and_what_is_left_out_is_said() {
    let seat = Seat::new();
    let before = resident(seat.pid());
    seat.reads(Reads::Slowly(1_000, 10));
    let (mut loud, mut quiet) = (seat.script("loud"), seat.script("quiet"));
    floods(&mut loud, 12);
    let asked = now();
    quiet.confirm("Sure?");
    shown(&mut quiet, "Sure?");
    assert!(asked.elapsed() < Duration::from_secs(10), "ten times a second: {:?}", asked.elapsed());
    seat.reads(Reads::All);
    seat.sees("Sure?");
    seat.saw("rows of output left out");
    assert!(resident(seat.pid()) < before + (64 << 10), "64 MiB more at the most");
}

#[test]
fn f049_at_a_terminal_that_nobody_reads_time_passes_and_other_desks_answer() {
    let command = "if grep -q Other; then echo true; else sleep 100; fi";
    let mut seat = Seat::with(&["--answer-command", command], |start| start);
    seat.reads(Reads::Nothing);
    let mut client = seat.script("loud");
    floods(&mut client, 2);
    client.confirm_within("Quick?", 500);
    assert_eq!(client.response("Quick?")["outcome"], "timed_out");
    client.confirm("Other?");
    assert_answered(&client.response("Other?"), &json!(true));
    seat.types("\x03\x03");
    assert_eq!(seat.ends(), 130);
    seat.reads(Reads::All);
}
