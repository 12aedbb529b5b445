//! Lines that are typed while it works, and when it does not.

use super::driver::{Run, WAITING, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    a_line_that_is_typed_while_text_streams_is_queued_and_read_in_the_next_turn,
    a_line_that_is_typed_while_a_tool_runs_is_read_when_that_ends_in_the_same_turn,
    a_run_that_is_kept_open_hears_lines_when_it_is_done,
    a_run_does_not_end_under_a_line_with_text_in_it,
    three_lines_at_once_are_all_read_and_each_is_shown_once,
    a_queued_line_is_taken_back_and_the_model_never_hears_of_it,
];

with_the_new_version![that_a_slash_goes_to_claude_as_a_command_is_said_once,];

/// A first turn that stands still in the middle of its text.
fn held() -> Script {
    Script::new().turn(main().asked("go").opens("First words").held("gate").more(" and last."))
}

fn a_line_that_is_typed_while_text_streams_is_queued_and_read_in_the_next_turn(claude: &Claude) {
    let mut run = Run::start(claude, held().turn(main().asked("and then").text("Second.")), &["go"]);
    run.sees("  First words");
    run.says("and then");
    let queued = run.sees("queued  and then");
    assert!(queued.has("↑ takes it back") && !queued.has("You: and then"), "{queued}");
    assert!(!queued.has("(read when"), "no tool runs: {queued}");
    run.api.release("gate");
    run.ends_with(0);
    run.assert_told(&["→ You: go", "First words and last.", "→ You: and then", "Second.", "✓ done"]);
    assert_eq!(run.turns(), 2);
}

fn a_line_that_is_typed_while_a_tool_runs_is_read_when_that_ends_in_the_same_turn(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash(WAITING)))
        .turn(main().told("went").mentions("also this").text("Both."));
    let mut run = Run::start(claude, script, &["--allowed-tools", "Bash", "go"]);
    run.sees("Bash for i in");
    run.says("also this");
    run.sees("queued  also this  (read when Bash ends)");
    std::fs::write(run.path("go"), "").unwrap();
    run.ends_with(0);
    run.assert_told(&["→ You: go", "● Bash", "went", "→ You: also this", "Both.", "✓ done"]);
    assert_eq!(run.turns(), 2);
}

fn a_run_that_is_kept_open_hears_lines_when_it_is_done(claude: &Claude) {
    let script = Script::new().turn(main().asked("go").text("One.")).turn(main().asked("more").text("Two."));
    let mut run = Run::start(claude, script, &["-k", "go"]);
    let idle = run.sees("✓ claude is done");
    assert!(idle.has("One.") && idle.has("Ctrl-D ends") && !idle.has("Esc interrupts"), "{idle}");
    run.says("more");
    run.until("the second end", |picture| picture.has("Two.") && picture.has("✓ claude is done"));
    run.types("\x04");
    run.ends_with(0);
    run.assert_told(&["One.", "→ You: more", "Two.", "✓ done"]);
}

fn a_run_does_not_end_under_a_line_with_text_in_it(claude: &Claude) {
    let mut run = Run::start(claude, held().turn(main().asked("half a line").text("Second.")), &["go"]);
    run.sees("  First words");
    run.types("half a line");
    run.sees("❯ half a line");
    run.api.release("gate");
    let done = run.sees("✓ claude is done");
    assert!(done.has("❯ half a line") && done.has("and last."), "{done}");
    run.types("\r");
    run.ends_with(0);
    run.assert_told(&["and last.", "→ You: half a line", "Second.", "✓ done"]);
}

fn three_lines_at_once_are_all_read_and_each_is_shown_once(claude: &Claude) {
    let mut run = Run::start(claude, held().turn(main().always().text("Heard.")), &["go"]);
    run.sees("  First words");
    for line in ["number one", "number two", "number three"] {
        run.says(line);
        run.sees(&format!("queued  {line}"));
    }
    let queued = run.picture();
    assert!(queued.has("queued  number one") && queued.has("queued  number two"), "{queued}");
    run.api.release("gate");
    run.ends_with(0);
    let lines = ["You: number one", "You: number two", "You: number three"];
    run.assert_told(&lines);
    assert!(lines.iter().all(|line| run.picture().times(line) == 1), "{}", run.picture());
    let last = run.asked(run.turns());
    assert!(
        lines.iter().all(|line| last.mentions(line.trim_start_matches("You: "))),
        "{:?}",
        last.body["messages"]
    );
}

fn a_queued_line_is_taken_back_and_the_model_never_hears_of_it(claude: &Claude) {
    let mut run = Run::start(claude, held().turn(main().always().text("Heard.")), &["go"]);
    run.sees("  First words");
    run.says("never mind");
    run.sees("queued  never mind");
    run.types("\x1b[A");
    let back = run.sees("❯ never mind");
    assert!(!back.has("queued"), "{back}");
    // It is a line like any other: changed, sent again, or cleared.
    run.types("\x03");
    run.sees_no("never mind");
    run.api.release("gate");
    run.ends_with(0);
    assert!(!run.api.requests().iter().any(|request| request.mentions("never mind")));
    assert_eq!((run.turns(), run.picture().times("never mind")), (1, 0), "{}", run.picture());
}

fn that_a_slash_goes_to_claude_as_a_command_is_said_once(claude: &Claude) {
    let script = Script::new().turn(main().asked("go").text("One.")).turn(main().asked("more").text("Two."));
    let mut run = Run::start(claude, script, &["-k", "go"]);
    run.sees("✓ claude is done");
    run.says("/clear");
    run.sees("the conversation begins anew");
    run.sees("✓ claude is done");
    run.says("/clear");
    run.until("the second", |picture| picture.times("begins anew") == 2);
    assert_eq!(run.picture().times("command of Claude Code"), 1, "{}", run.picture());
    run.says("more");
    run.until("the second end", |picture| picture.has("Two.") && picture.has("✓ claude is done"));
    assert!(!run.asked(2).mentions("One."), "it begins anew");
    run.types("\x04");
    run.ends_with(0);
}
