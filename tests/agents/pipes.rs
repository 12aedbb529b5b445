//! An agent's stdin, stdout and stderr: full, closed, silent, flooded.

use std::sync::Arc;
use std::time::Duration;

use rustix::process::Signal;

use crate::stub::{maybe_record, played, record, run, run_in};
use crate::support::launch::{Launch, Reading};
use crate::support::process::resident;
use crate::support::temp::Temp;
use crate::support::wait::{eventually, spin};

#[test]
fn f071_after_its_result_an_agent_sees_the_end_of_its_stdin() {
    let (code, ..) = played(run("hears; init; result; to_the_end; exit 0"));
    assert_eq!(code, 0);
}

#[test]
fn f072_what_is_asked_after_the_result_is_refused_and_nobody_hangs() {
    let (code, _, stderr) = played(run("hears; init; result; asks late; hears; exit 0"));
    assert_eq!(code, 5, "{stderr}");
}

#[test]
fn f077_reading_and_writing_do_not_wait_for_each_other() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("prompt"), "x".repeat(256 << 10)).unwrap();
    let script = "i=0; while [ $i -lt 3000 ]; do says 'a hundred letters or so, again and again, before anything is read'; \
                  i=$((i+1)); done; hears; init; result ${#line}; to_the_end";
    let launch = run_in(Arc::clone(&folder), script);
    let path = folder.path("agent");
    drop(launch);
    let prompt = folder.path("prompt");
    let launch = Launch::tim_in(folder, ["run", "--claude"]).arg(path).arg("-F").arg(prompt);
    let (code, stdout, stderr) = played(launch);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.trim().parse::<usize>().unwrap() > 256 << 10, "{stdout}");
}

#[test]
fn f078_an_agent_that_closes_its_stdin_runs_on() {
    let (code, stdout, stderr) = played(run("exec 0<&-; init; says fine; result fine"));
    assert_eq!((code, stdout.as_str()), (0, "fine\n"), "{stderr}");
}

#[test]
fn f081_a_long_message_arrives_whole() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("prompt"), "y".repeat(4 << 20)).unwrap();
    drop(run_in(Arc::clone(&folder), "count=$(head -n1 | tr -cd y | wc -c); init; result $count"));
    let (path, prompt) = (folder.path("agent"), folder.path("prompt"));
    let (code, stdout, stderr) =
        played(Launch::tim_in(folder, ["run", "--claude"]).arg(path).arg("-F").arg(prompt));
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.trim().parse::<usize>().unwrap() >= 4 << 20, "{stdout}");
}

#[test]
fn f092_an_agent_that_closes_its_stdout_is_waited_for_and_has_no_result() {
    let (code, _, stderr) = played(run("hears; init; exec 1>&-; to_the_end; exit 0"));
    assert_eq!(code, 1, "{stderr}");
}

#[test]
fn f093_a_flood_holds_up_nobody_and_fills_no_memory() {
    let folder = Arc::new(Temp::new());
    let script =
        r#"hears; init; exec yes '{"type":"of_tomorrow","text":"a line of a flood that goes on and on"}'"#;
    let mut tim = run_in(Arc::clone(&folder), script).arg("--no-journal").start();
    let used = || crate::support::process::processor(tim.pid());
    eventually("a second of work", || (used() > 100).then_some(()));
    let memory = resident(tim.pid());
    assert!(memory < 128 << 10, "{memory} KiB");
    tim.signal(Signal::INT);
    assert_eq!(tim.exit().0, Some(130));
}

#[test]
fn f094_a_lot_on_stderr_is_drained_and_its_end_is_kept() {
    let script = "head -c 200000000 /dev/zero >&2; echo >&2; echo 'the very end' >&2; exit 1";
    let (code, _, stderr) = played(run(script));
    assert_eq!(code, 1);
    assert!(stderr.contains("no result (exit code 1): the very end"), "{stderr}");
    assert!(stderr.len() < 10_000, "{}", stderr.len());
}

#[test]
fn f095_escape_sequences_on_stderr_are_made_visible() {
    let (code, _, stderr) = played(run(r#"printf 'bad \033]0;title\007 \033[2J words\n' >&2; exit 1"#));
    assert_eq!(code, 1);
    assert!(
        stderr.contains("words") && !stderr.contains('\u{1b}') && !stderr.contains('\u{7}'),
        "{stderr:?}"
    );
}

#[test]
fn f050_whoever_closes_our_stdout_ends_the_run() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; init; while :; do says more; sleep 0.01; done"#;
    let launch = run_in(Arc::clone(&folder), script).arg("--output-format").arg("stream-json");
    let mut tim = launch.reading(Reading::FirstLineThenClosed).start();
    assert_eq!(tim.ended().code(), Some(141));
    assert!(record(&folder).contains(r#""rec":"exit""#));
}

/// As much as may wait for a reader, and a little more that fits into the agent's pipe: so the agent can be gone.
#[test]
fn a_reader_that_is_slow_loses_nothing_also_if_the_agent_is_long_gone() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; i=0; line=$(printf '%07900d' 0)
while [ $i -lt 540 ]; do says $line; i=$((i+1)); done; result whole";
    let launch = run_in(Arc::clone(&folder), script).arg("--output-format").arg("stream-json");
    let mut tim = launch.reading(Reading::WhenAsked).start();
    eventually("the end of the agent", || maybe_record(&folder)?.contains(r#""rec":"exit""#).then_some(()));
    // Longer than tim waits for the last lines of an agent that nobody holds back.
    spin(Duration::from_millis(1_500));
    tim.stdout.go_on();
    let (code, stdout, stderr) = tim.exit();
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stdout.lines().filter(|line| line.contains(r#""type":"assistant""#)).count(), 540);
}

#[test]
fn f073_the_time_in_which_a_person_thinks_is_not_the_silence_of_the_agent() {
    let script = "hears; init; asks q; hears; sleep 0.2; result";
    let answer = "sleep 1.2; echo '{\"allow\":true}'";
    let launch = run(script).arg("--idle-timeout").arg("1s").arg("--answer-command").arg(answer);
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 0, "{stderr}");
}
