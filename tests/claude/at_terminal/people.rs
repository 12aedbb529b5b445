//! Who is asked, for how long, and how: limits of time, no line, no terminal at all, a terminal that can do nothing.

use super::driver::{Run, command};
use crate::claude::Claude;

with_both_versions![
    a_question_that_nobody_answers_in_time_is_denied_and_the_run_is_undecided,
    what_somebody_saw_and_did_not_answer_is_allowed_if_that_was_wished,
    without_lines_questions_are_answered_all_the_same,
    where_no_terminal_is_wanted_nobody_is_asked,
    a_dumb_terminal_asks_in_plain_lines,
];

with_the_new_version![the_environment_can_say_that_nobody_is_there,];

fn a_question_that_nobody_answers_in_time_is_denied_and_the_run_is_undecided(claude: &Claude) {
    let script = command("touch made", "Then not.");
    let mut run = Run::start(claude, script, &["--permission-timeout", "2s", "go"]);
    run.sees("? claude wants to run a command");
    let gone = run.sees("nobody for 2s");
    assert!(!gone.has("? claude wants"), "{gone}");
    run.ends_with(5);
    assert!(!run.path("made").exists());
    assert_eq!(run.asked(2).tool_results(), ["Nobody answered within 2 s, so this was not allowed."]);
    run.assert_told(&["nobody for 2s", "Then not.", "✗ undecided (exit 5)", "--permission-timeout"]);
}

fn what_somebody_saw_and_did_not_answer_is_allowed_if_that_was_wished(claude: &Claude) {
    let script = command("touch made", "Made.");
    let flags = ["--permission-timeout", "2s", "--dangerously-allow-on-timeout", "go"];
    let mut run = Run::start(claude, script, &flags);
    run.sees("? claude wants to run a command");
    run.ends_with(0);
    assert!(run.path("made").exists());
    run.assert_told(&["nobody for 2s", "● Bash  touch made", "Made.", "✓ done"]);
}

fn without_lines_questions_are_answered_all_the_same(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Made."), &["--no-terminal-input", "go"]);
    let asked = run.armed("y once");
    assert!(!asked.has("❯"), "{asked}");
    run.types("y");
    run.ends_with(0);
    assert!(run.path("made").exists());
    assert_eq!(run.picture().times("❯"), 0);
}

fn assert_nobody_was_asked(run: &mut Run) {
    run.ends_with(5);
    assert!(!run.path("made").exists());
    let raw = run.raw();
    assert!(!raw.contains(&0x1b), "{:?}", String::from_utf8_lossy(&raw));
    run.assert_told(&["nobody can answer here", "refused  Bash touch made", "undecided (exit 5)"]);
    let told = run.asked(2).tool_results().concat();
    assert!(told.starts_with("No one can answer here"), "{told}");
}

fn where_no_terminal_is_wanted_nobody_is_asked(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Then not."), &["--non-interactive", "go"]);
    assert_nobody_was_asked(&mut run);
}

fn the_environment_can_say_that_nobody_is_there(claude: &Claude) {
    let script = command("touch made", "Then not.");
    let mut run = Run::with(claude, script, &["go"], |start| start.env("TIM_NONINTERACTIVE", "1"));
    assert_nobody_was_asked(&mut run);
}

fn a_dumb_terminal_asks_in_plain_lines(claude: &Claude) {
    let script = command("touch made", "Made.");
    let mut run = Run::with(claude, script, &["go"], |start| start.env("TERM", "dumb"));
    run.sees("touch made");
    run.sees("y once, n no");
    run.types("y\n");
    run.ends_with(0);
    assert!(run.path("made").exists());
    let raw = run.raw();
    assert!(!raw.contains(&0x1b), "{:?}", String::from_utf8_lossy(&raw));
    run.assert_told(&["touch made", "Made.", "done"]);
}
