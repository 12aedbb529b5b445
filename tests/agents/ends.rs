//! How an agent can start and end.

use std::sync::Arc;

use rustix::process::Signal;

use crate::stub::{played, record, run, run_in};
use crate::support::launch::Launch;
use crate::support::process::runs;
use crate::support::temp::Temp;
use crate::support::times;
use crate::support::wait::eventually;

#[test]
fn f061_an_agent_that_is_not_there_is_named_and_the_exit_is_127() {
    let (code, stdout, stderr) = played(Launch::tim(["run", "go", "--claude", "/nowhere/claude"]));
    assert_eq!((code, stdout.as_str()), (127, ""), "{stderr}");
    assert!(stderr.contains("`/nowhere/claude` is not found: install Claude Code"), "{stderr}");
}

#[test]
fn f062_an_agent_that_is_no_program_is_named_and_the_exit_is_126() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("text"), "no program").unwrap();
    let path = folder.path("text");
    let (code, _, stderr) = played(Launch::tim_in(folder, ["run", "go", "--claude"]).arg(path));
    assert_eq!(code, 126, "{stderr}");
    assert!(stderr.contains("may not be executed"), "{stderr}");
}

#[test]
fn f063_a_good_result_and_exit_0_are_a_success() {
    let (code, stdout, stderr) = played(run("hears; init; says done; result done; to_the_end"));
    assert_eq!((code, stdout.as_str()), (0, "done\n"), "{stderr}");
}

#[test]
fn f064_an_agent_that_ends_without_a_result_has_failed() {
    let (code, stdout, stderr) = played(run("hears; init; exit 0"));
    assert_eq!((code, stdout.as_str()), (1, ""), "{stderr}");
    assert!(stderr.contains("no result (exit code 0)"), "{stderr}");
}

#[test]
fn f065_an_agent_that_exits_with_3_has_failed_and_its_last_words_are_told() {
    let (code, _, stderr) = played(run("hears; echo 'out of luck' >&2; exit 3"));
    assert_eq!(code, 1);
    assert!(stderr.contains("no result (exit code 3): out of luck"), "{stderr}");
}

#[test]
fn f065_a_good_result_and_a_crash_after_it_are_a_failure() {
    let (code, _, stderr) = played(run("hears; init; result; exit 3"));
    assert_eq!(code, 1);
    assert!(stderr.contains("failed after its last result (exit code 3)"), "{stderr}");
}

#[test]
fn f066_an_agent_that_is_killed_has_failed() {
    let (code, _, stderr) = played(run("hears; init; kill -9 $$"));
    assert_eq!(code, 1);
    assert!(stderr.contains("signal 9"), "{stderr}");
}

#[test]
fn f067_a_question_ends_with_the_agent_that_asked_it() {
    let folder = Arc::new(Temp::new());
    // It dies as soon as somebody was told of its question.
    let seen = folder.path("seen");
    let script = format!("hears; init; asks q; until [ -e {} ]; do sleep 0.01; done; exit 0", seen.display());
    let answer = format!("touch {}; exec tail -f /dev/null", seen.display());
    let (code, ..) = played(run_in(Arc::clone(&folder), &script).arg("--answer-command").arg(answer));
    assert_eq!(code, 1);
    assert!(record(&folder).contains(r#""rec":"outcome","key":""#));
    assert!(record(&folder).contains(r#""outcome":"cancelled""#), "{}", record(&folder));
}

#[test]
fn f068_an_agent_that_ignores_sigterm_is_killed() {
    let folder = Arc::new(Temp::new());
    let pid = folder.path("pid");
    let script = format!(
        "trap '' TERM; echo $$ > {0}.new; mv {0}.new {0}; while :; do sleep 0.1; done",
        pid.display()
    );
    let mut tim = run_in(Arc::clone(&folder), &script).start();
    let agent: u32 =
        eventually("the agent's pid", || std::fs::read_to_string(&pid).ok()?.trim().parse().ok());
    tim.signal(Signal::TERM);
    assert_eq!(tim.exit().0, Some(143));
    assert!(!runs(agent));
    assert!(record(&folder).contains(r#""rec":"signal","name":"SIGTERM""#));
}

#[test]
fn f069_f070_what_an_agent_leaves_behind_ends_with_it_also_in_a_session_of_its_own() {
    let folder = Arc::new(Temp::new());
    let (one, two) = (folder.path("one"), folder.path("two"));
    let script = format!(
        "tail -f /dev/null & echo $! > {}\nsetsid sh -c 'echo $$ > {}.new; mv {}.new {}; exec tail -f /dev/null' &\n\
         until [ -e {} ]; do sleep 0.01; done; hears; init; result",
        one.display(),
        two.display(),
        two.display(),
        two.display(),
        two.display()
    );
    let (code, stdout, stderr) = played(run_in(Arc::clone(&folder), &script));
    assert_eq!((code, stdout.as_str()), (0, "ok\n"), "{stderr}");
    for path in [one, two] {
        let pid: u32 = std::fs::read_to_string(path).unwrap().trim().parse().unwrap();
        assert!(!runs(pid));
    }
}

#[test]
fn f073_an_agent_that_says_nothing_is_ended_only_if_that_was_asked_for() {
    let (code, _, stderr) = played(run("exec tail -f /dev/null").arg("--idle-timeout").arg("300ms"));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("nothing heard for 300ms"), "{stderr}");
    let (code, _, stderr) = played(run("exec tail -f /dev/null").arg("--timeout").arg("300ms"));
    assert_eq!(code, 3, "{stderr}");
}

/// `TIM_TEST_STARTS=1000` starts as many as the matrix says.
#[test]
fn f074_many_starts_leave_nothing_behind() {
    for _ in 0..times("TIM_TEST_STARTS", 5) {
        let (code, ..) = played(run("hears; init; result"));
        assert_eq!(code, 0);
    }
}
