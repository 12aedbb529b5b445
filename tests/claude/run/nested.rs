//! A run below another: it asks there, and ends with it.

use rustix::process::Signal;

use super::driver::Going;
use super::place::Place;
use super::stubs::{ready, stub};
use crate::support::temp::all_below;
use crate::support::wait::eventually;

/// An agent that asks for a permission and keeps what it was told.
const ASKS: &str = "read p; init; asks q-1 'touch x'; read a; say \"$a\" > told; result Inner.; until_end";

/// An agent that starts a run of its own.
fn outer() -> String {
    let tim = env!("CARGO_BIN_EXE_tim");
    format!("read p; init; {tim} run --claude ../inner go > out 2> err; result \"Outer $?.\"; until_end")
}

#[test]
fn a_run_below_another_asks_there() {
    let run = stub(&outer());
    run.place().program("inner", &ready(ASKS));
    let answers = r#"cat > asked; echo '{"allow":true}'"#;
    let done = run.args(&["--answer-command", answers, "go"]).done();
    let read = |name: &str| std::fs::read_to_string(done.place.path(name)).unwrap_or_default();
    assert_eq!(done.exits(0).stdout, "Outer 0.\n", "{}", read("err"));
    assert_eq!(read("out"), "Inner.\n");
    assert!(read("told").contains(r#""behavior":"allow""#), "{}", read("told"));
    let asked: serde_json::Value = serde_json::from_str(&read("asked")).unwrap();
    assert_eq!(asked["kind"], "permission", "{asked}");
    assert!(asked["path"].as_str().unwrap().ends_with("/claude"), "{asked}");
    done.journal().every_question_ended_once();
    done.replays().place.nothing_is_left();
}

#[test]
fn where_nobody_is_there_above_nobody_is_there_below() {
    let run = stub(&outer());
    run.place().program("inner", &ready(ASKS));
    let done = run.args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Outer 5.\n");
    done.replays().place.nothing_is_left();
}

/// A rule given below another tim would loosen what was decided there.
#[test]
fn a_rule_that_allows_needs_a_yes_above_and_without_one_nothing_starts() {
    let outer = outer().replace("run --claude", "run --allow Bash --claude");
    let run = stub(&outer);
    run.place().program("inner", &ready(ASKS));
    let done = run.args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Outer 2.\n");
    let why = std::fs::read_to_string(done.place.path("err")).unwrap();
    assert!(why.contains("--allow Bash: below another tim this needs a yes at the root"), "{why}");
    assert!(!done.place.path("told").exists(), "nothing was started");
}

/// The socket of a run that goes on.
fn socket(going: &Going) -> std::path::PathBuf {
    let folder = going.place.outside("run/tim");
    let is_socket = |path: &std::path::PathBuf| path.file_name().is_some_and(|name| name == "output.sock");
    eventually("its socket", || all_below(&folder).into_iter().find(is_socket))
}

#[test]
fn a_run_below_another_ends_when_that_one_was_killed() {
    let above = stub("read p; init; until_end").args(&["go"]).start();
    let below = stub("read p; init; touch begun; sleep 1000");
    let below = below.env("TIM_OUTPUT_SOCKET", socket(&above)).args(&["go"]).start();
    below.made("begun");
    above.signal(Signal::KILL);
    let done = below.done();
    done.exits(4).complains("the run that this belongs to is gone");
    done.place.nothing_is_left();
    let place: Place = above.done().place;
    place.no_process_is_left();
}
