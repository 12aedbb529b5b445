//! What ends a turn or the run before its time: the person, the window, a kill.

use rustix::process::{Pid, Signal, kill_process};

use super::driver::{Run, WAITING, bash, command};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    esc_interrupts_a_tool_and_the_next_line_goes_on,
    whoever_interrupted_it_ends_it_with_ctrl_d_and_is_not_asked_to_go_on,
    esc_interrupts_in_the_middle_of_a_text,
    an_interruption_withdraws_the_question_that_is_open,
    ctrl_c_twice_ends_the_run_and_all_that_it_started,
    a_window_that_is_closed_ends_the_run_and_all_that_it_started,
    a_line_outlives_the_agent_that_it_was_meant_for,
];

/// A command that does not end by itself, allowed beforehand.
fn busy(claude: &Claude, script: Script) -> Run {
    let script = Script::new().turn(main().asked("go").tool("Bash", bash(WAITING))).turns(script);
    let run = Run::start(claude, script, &["--allowed-tools", "Bash", "go"]);
    run.sees("Bash for i in");
    run
}

fn esc_interrupts_a_tool_and_the_next_line_goes_on(claude: &Claude) {
    let mut run = busy(claude, Script::new().turn(main().asked("something else").text("As you wish.")));
    run.types("\x1b");
    run.sees("– interrupted");
    let waits = run.sees("claude was interrupted: say what instead");
    assert!(waits.has("❯") && !waits.has("failed"), "{waits}");
    run.says("something else");
    run.ends_with(0);
    run.assert_told(&["– interrupted", "→ You: something else", "As you wish.", "✓ done"]);
}

fn whoever_interrupted_it_ends_it_with_ctrl_d_and_is_not_asked_to_go_on(claude: &Claude) {
    let mut run = busy(claude, Script::new());
    run.types("\x1b");
    run.sees("– interrupted");
    run.types("\x04");
    run.ends_with(1);
    assert_eq!(run.picture().times("Go on with"), 0, "{}", run.picture());
    run.assert_told(&["– interrupted", "✗ failed (exit 1)"]);
}

fn esc_interrupts_in_the_middle_of_a_text(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").opens("It was a dark and stormy night").held("never"))
        .turn(main().asked("shorter").text("Night."));
    let mut run = Run::start(claude, script, &["go"]);
    run.sees("stormy night");
    run.types("\x1b");
    run.sees("– interrupted");
    run.says("shorter");
    run.ends_with(0);
    run.assert_told(&["stormy night", "– interrupted", "→ You: shorter", "  Night.", "✓ done"]);
    assert_eq!(run.picture().times("stormy night"), 1);
}

fn ctrl_c_twice_ends_the_run_and_all_that_it_started(claude: &Claude) {
    let mut run = busy(claude, Script::new());
    run.claude_pid();
    run.types("\x03");
    run.sees("Ctrl-C again within 2 s ends the run");
    run.types("\x03");
    run.ends_with(130);
    run.assert_told(&["– interrupted (exit 130)"]);
}

fn a_window_that_is_closed_ends_the_run_and_all_that_it_started(claude: &Claude) {
    let mut run = busy(claude, Script::new());
    run.hang_up();
    assert_eq!(run.ends(), 129);
    run.assert_alone();
}

fn a_line_outlives_the_agent_that_it_was_meant_for(claude: &Claude) {
    let mut run = busy(claude, Script::new());
    run.types("half a line");
    run.sees("❯ half a line");
    let pid = Pid::from_raw(run.claude_pid().cast_signed()).unwrap();
    kill_process(pid, Signal::KILL).unwrap();
    let done = run.sees("the agent is done");
    assert!(done.has("❯ half a line") && done.has("✗ failed (exit 1)"), "{done}");
    run.types("\r");
    run.sees("Nobody is there who reads lines");
    assert!(run.picture().has("❯ half a line"), "{}", run.picture());
    run.types("\x03");
    run.ends_with(1);
}

fn an_interruption_withdraws_the_question_that_is_open(claude: &Claude) {
    interrupted_at_a_question(claude, &[]);
}

/// Esc goes to the line, and there Ctrl-C interrupts; at the question itself it would only decline.
pub(super) fn interrupted_at_a_question(claude: &Claude, way: &[&str]) {
    let script = command("touch made", "As you wish.");
    let mut run = Run::start(claude, script, &[way, &["go"]].concat());
    run.answers("y once", "\x1b");
    run.sees("Tab answers the question");
    run.types("\x03");
    let gone = run.sees("withdrawn");
    assert!(!gone.has("? claude wants"), "{gone}");
    run.sees("– interrupted");
    run.says("something else");
    run.ends_with(0);
    assert!(!run.path("made").exists());
    run.assert_told(&["withdrawn", "→ You: something else", "As you wish.", "✓ done"]);
}
