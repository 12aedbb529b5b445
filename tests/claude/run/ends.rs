//! What ends a run before its time: signals, limits, and the end of Claude Code itself.

use rustix::process::{Signal, kill_process};

use super::driver::{Going, Run};
use super::{bash, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Script, main};

with_both_versions![
    sigterm_ends_all_of_it,
    a_tim_that_was_killed_leaves_nothing_behind,
    f066_a_claude_that_was_killed_is_a_failure_that_names_the_signal,
];

with_the_new_version![
    sigint_ends_all_of_it,
    sighup_ends_all_of_it,
    a_run_that_takes_too_long_is_ended,
    f073_an_agent_that_says_nothing_is_ended_if_that_was_wanted,
    a_signal_while_a_question_is_open_ends_the_question_too,
];

/// A run in the middle of a command that lasts.
fn in_a_command(claude: &Claude, more: &[&str]) -> (Going, Api) {
    let api = Api::start(uses("Bash", bash("touch begun; sleep 1000")));
    let going = Run::of(claude, &api).args(&["--allowed-tools", "Bash"]).args(more).args(&["go"]).start();
    (going, api)
}

fn ended_by(claude: &Claude, signal: Signal, code: i32, name: &str) {
    let (going, _api) = in_a_command(claude, &[]);
    going.made("begun");
    going.signal(signal);
    let done = going.done();
    done.exits(code).replays();
    assert!(done.stdout.is_empty(), "{}", done.stdout);
    assert!(done.journal().records("signal").iter().any(|record| record["name"] == name), "{name}");
    done.place.nothing_is_left();
}

fn sigterm_ends_all_of_it(claude: &Claude) {
    ended_by(claude, Signal::TERM, 143, "SIGTERM");
}

fn sigint_ends_all_of_it(claude: &Claude) {
    ended_by(claude, Signal::INT, 130, "SIGINT");
}

fn sighup_ends_all_of_it(claude: &Claude) {
    ended_by(claude, Signal::HUP, 129, "SIGHUP");
}

/// Sockets may stay: nobody was left to remove them.
fn a_tim_that_was_killed_leaves_nothing_behind(claude: &Claude) {
    let (going, _api) = in_a_command(claude, &[]);
    going.made("begun");
    going.signal(Signal::KILL);
    let done = going.done();
    assert_eq!(done.code, None);
    done.place.no_process_is_left();
}

fn f066_a_claude_that_was_killed_is_a_failure_that_names_the_signal(claude: &Claude) {
    let (going, _api) = in_a_command(claude, &[]);
    going.made("begun");
    kill_process(going.agent(), Signal::KILL).unwrap();
    let done = going.done();
    done.exits(1).replays().complains("signal 9");
    assert_eq!(done.journal().records("exit")[0]["signal"], 9);
    done.place.nothing_is_left();
}

fn a_run_that_takes_too_long_is_ended(claude: &Claude) {
    let (going, _api) = in_a_command(claude, &["--timeout", "4s"]);
    let done = going.done();
    done.exits(3).replays().complains("--timeout 4s");
    done.place.nothing_is_left();
}

fn f073_an_agent_that_says_nothing_is_ended_if_that_was_wanted(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().held("never").text("Never.")));
    let done = Run::of(claude, &api).args(&["--idle-timeout", "3s", "go"]).done();
    done.exits(3).replays().complains("nothing heard for 3s");
    done.place.nothing_is_left();
}

fn a_signal_while_a_question_is_open_ends_the_question_too(claude: &Claude) {
    let api = Api::start(uses("Bash", bash("touch made")));
    let waits = "touch asked; sleep 1000";
    let going = Run::of(claude, &api).args(&["--answer-command", waits, "go"]).start();
    going.made("asked");
    going.signal(Signal::TERM);
    let done = going.done();
    done.exits(143).replays();
    assert!(!done.place.path("made").exists());
    done.journal().every_question_ended_once();
    done.place.nothing_is_left();
}
