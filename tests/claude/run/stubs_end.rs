//! Programs in Claude Code's place that end oddly, or not at all.

use std::time::Duration;

use rustix::process::{Signal, kill_process};

use super::driver::Run;
use super::place::Place;
use super::stubs::stub;
use crate::support::launch::Reading;

#[test]
fn f064_an_agent_without_a_result_has_failed() {
    let done = stub("read p; init; text Hm; exit 0").args(&["go"]).done();
    done.exits(1).complains("no result");
    assert_eq!(done.stdout, "");
    done.replays().place.nothing_is_left();
}

#[test]
fn an_agent_that_ends_at_once_has_failed_in_its_last_words() {
    let done = stub("echo 'out of luck' >&2; exit 7").args(&["go"]).done();
    done.exits(1).complains("out of luck").complains("exit code 7");
    assert_eq!(done.journal().records("exit")[0]["code"], 7);
    done.replays().place.nothing_is_left();
}

#[test]
fn f065_an_agent_that_fails_after_its_result_has_failed() {
    let done = stub("read p; init; result Done.; until_end; exit 3").args(&["go"]).done();
    done.exits(1).complains("exit code 3");
}

#[test]
fn an_agent_that_ends_in_the_middle_of_a_turn_has_failed() {
    let done = stub("read p; init; result Done.; init; exit 0").args(&["go"]).done();
    done.exits(1).complains("in the middle of a turn");
}

#[test]
fn an_error_without_words_is_a_failure() {
    let error = r#"say '{"type":"result","subtype":"error_during_execution","is_error":true}'"#;
    let done = stub(&format!("read p; init; {error}; until_end; exit 1")).args(&["go"]).done();
    done.exits(1).complains("the last result is an error without words");
}

/// For programs too: why it failed, and that nothing came of it.
#[test]
fn as_json_a_failure_and_a_stop_have_their_object_too() {
    let json = ["--output-format", "json", "go"];
    let done = stub("read p; init; exit 3").args(&json).done();
    let end = done.exits(1).lines().remove(0);
    assert_eq!((&end["outcome"], &end["exit_code"]), (&"failed".into(), &1.into()));
    assert!(end["reason"].as_str().unwrap().contains("exit code 3") && end.get("result").is_none(), "{end}");
    let going = stub("read p; init; touch begun; sleep 1000").args(&json).start();
    going.made("begun");
    going.signal(Signal::TERM);
    let end = going.done().exits(143).lines().remove(0);
    assert_eq!((&end["outcome"], &end["reason"]), (&"stopped".into(), &"SIGTERM".into()));
    assert_eq!(end["session_id"], "s-1");
}

#[test]
fn f069_what_an_agent_left_behind_with_its_stdout_does_not_hold_up_the_end() {
    let done = stub("read p; init; result Done.; (sleep 1000) & until_end; exit 0").args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
    done.place.nothing_is_left();
}

/// Its stdin was closed, and it stays: after 10 s it is asked to end, and after 5 s more it is made to.
#[test]
fn an_agent_that_stays_after_its_work_is_ended_and_its_work_counts() {
    let stays = "trap '' TERM; read p; init; result Done.; while :; do sleep 1000; done";
    let done = stub(stays).args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
    done.place.nothing_is_left();
}

#[test]
fn f068_an_agent_that_ignores_sigterm_is_killed() {
    let ignores = "trap '' TERM INT HUP; read p; init; touch begun; while :; do sleep 1000; done";
    let going = stub(ignores).args(&["go"]).start();
    going.made("begun");
    going.signal(Signal::TERM);
    going.done().exits(143).replays().place.nothing_is_left();
}

#[test]
fn a_second_signal_does_not_wait_for_the_grace() {
    let notes = "trap 'touch asked' TERM; read p; init; touch begun; while :; do sleep 0.05; done";
    let going = stub(notes).args(&["go"]).start();
    going.made("begun");
    going.signal(Signal::TERM);
    going.made("asked");
    going.signal(Signal::TERM);
    going.done().exits(143).place.nothing_is_left();
}

/// It is asked for its version for longer than anybody wants to wait; by then tim is gone.
#[test]
fn a_signal_is_heard_while_the_version_is_asked_for() {
    let going = Run::stub("#!/bin/sh\ntouch begun; sleep 8; touch waited\n").args(&["go"]).start();
    going.made("begun");
    going.signal(Signal::TERM);
    let done = going.done();
    done.exits(143).place.nothing_is_left();
    assert!(!done.place.path("waited").exists());
    assert_eq!(done.journal().records("signal")[0]["name"], "SIGTERM");
}

/// More than any pipe holds, and nobody reads it.
#[test]
fn f077_an_agent_that_never_reads_its_prompt_is_heard_all_the_same() {
    let bursts = r"head -c 300000 /dev/zero | tr '\0' '\n'; init; result Done.; exit 0";
    let done = stub(bursts).stdin(&"x".repeat(300_000)).args(&["-"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
    done.place.nothing_is_left();
}

#[test]
fn f078_an_agent_that_closes_its_stdin_runs_on() {
    let done = stub("exec 0<&-; init; result Done.; exit 0").args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
}

#[test]
fn f092_an_agent_that_closes_its_stdout_is_waited_for() {
    let closes = "read p; init; result Done.; exec 1>&-; touch closed";
    let going = stub(&format!("{closes}; until [ -e go ]; do sleep 0.02; done; exit 0"));
    let going = going.args(&["go"]).start();
    going.made("closed");
    std::fs::write(going.place.path("go"), "").unwrap();
    assert_eq!(going.done().exits(0).stdout, "Done.\n");
}

#[test]
fn f094_what_an_agent_complains_of_at_length_does_not_hold_it_up() {
    let done = stub("read p; init; exes 50000000 >&2; result Done.; until_end").args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Done.\n");
}

#[test]
fn a_limit_of_time_ends_an_agent_that_never_began() {
    let done = stub("sleep 1000").args(&["--timeout", "1s", "go"]).done();
    done.exits(3).replays().place.nothing_is_left();
}

#[test]
fn a_limit_of_time_ends_what_is_asked() {
    let run = stub("read p; init; asks q-1 'touch x'; read a; result Done.; until_end");
    let done = run.args(&["--timeout", "1s", "--answer-command", "sleep 1000", "go"]).done();
    done.exits(3).journal().every_question_ended_once();
    done.replays().place.nothing_is_left();
}

/// Whoever floods is not read faster than it is printed, and a signal is heard all the same.
#[test]
fn f093_a_flood_that_nobody_reads_is_ended_by_a_signal() {
    let run = stub(r#"read p; init; touch begun; yes '{"type":"novelty"}'"#).reading(Reading::FirstLine);
    let going = run.args(&["--no-journal", "--output-format", "stream-json", "go"]).start();
    going.made("begun");
    going.signal(Signal::TERM);
    let (code, place) = going.left();
    assert_eq!(code, Some(143));
    place.nothing_is_left();
}

/// It has far more to say than may wait anywhere.
#[test]
fn a_reader_that_stops_holds_the_agent_up_and_misses_nothing() {
    let line = r#"printf '{"type":"novelty","n":'$n',"x":"'; exes 1000000; say '"}'"#;
    let talks = format!("for n in $(seq 40); do {line}; done; touch said; result Done.; until_end");
    let run = stub(&format!("read p; init; touch begun; {talks}")).reading(Reading::WhenAsked);
    let going = run.args(&["--no-journal", "--output-format", "stream-json", "go"]).start();
    going.made("begun");
    assert!(!going.makes_within("said", Duration::from_secs(3)), "all of it waits somewhere");
    going.process.stdout.go_on();
    let lines = going.done().exits(0).lines();
    let novelties = lines.iter().filter(|line| line["type"] == "novelty").map(|line| line["n"].as_u64());
    assert!(novelties.eq((1..=40).map(Some)));
}

#[test]
fn an_agent_whose_guard_was_killed_does_not_go_on_unguarded() {
    let going = stub("read p; init; touch begun; sleep 1000").args(&["go"]).start();
    going.made("begun");
    let is_guard = |(_, command): &(u32, String)| command.contains(" __guard ");
    let (guard, _) = going.place.processes().into_iter().find(is_guard).expect("a guard");
    let guard = rustix::process::Pid::from_raw(guard.cast_signed()).unwrap();
    kill_process(guard, Signal::KILL).unwrap();
    let done = going.done();
    done.exits(1).place.nothing_is_left();
}

#[test]
fn several_runs_in_the_same_place_do_not_disturb_each_other() {
    let place = Place::new();
    let script = super::stubs::ready("read p; init; result Done.; until_end");
    let program = place.program("stub", &script);
    let start = |_| {
        let run = Run::bare(&place, "http://127.0.0.1:9").env("TIM_CLAUDE", &program);
        run.args(&["go"]).start()
    };
    let all: Vec<_> = (0..6).map(start).collect();
    for going in all {
        assert_eq!(going.done().exits(0).stdout, "Done.\n");
    }
    assert_eq!(place.records().len(), 6);
    place.nothing_is_left();
}
