//! A prompt from the command line, or none; and the end.

use super::driver::{Run, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    what_it_says_and_does_is_shown_as_it_happens_and_the_end_says_what_came_of_it,
    without_a_prompt_the_first_line_begins_and_ctrl_d_ends,
    a_conversation_in_which_nobody_said_anything_is_no_failure,
];

fn what_it_says_and_does_is_shown_as_it_happens_and_the_end_says_what_came_of_it(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("look around").text("I look first.").tool("Bash", bash("echo here")))
        .turn(main().told("here").opens("It is ").held("in the middle").more("quiet here."));
    let mut run = Run::start(claude, script, &["look around"]);
    run.api.reached("in the middle");
    let midway = run.sees("  It is");
    assert!(midway.has("→ You: look around") && midway.has("● Bash  echo here"), "{midway}");
    assert!(midway.has("    here") && midway.has("writing") && midway.has("❯"), "{midway}");
    run.api.release("in the middle");
    run.ends_with(0);
    let told = ["→ You: look around", "I look first.", "● Bash", "    here", "It is quiet here.", "✓ done"];
    run.assert_told(&told);
    assert!(told.iter().all(|text| run.picture().times(text) == 1), "{}", run.picture());
}

fn without_a_prompt_the_first_line_begins_and_ctrl_d_ends(claude: &Claude) {
    let mut run = Run::start(claude, Script::new().turn(main().asked("hello").text("Hi.")), &[]);
    run.sees("❯");
    run.says("hello");
    run.until("the end of the turn", |picture| picture.has("Hi.") && picture.has("✓ claude is done"));
    run.types("\x04");
    run.ends_with(0);
    run.assert_told(&["→ You: hello", "Hi.", "✓ done"]);
}

fn a_conversation_in_which_nobody_said_anything_is_no_failure(claude: &Claude) {
    let mut run = Run::start(claude, Script::new(), &[]);
    run.sees("❯");
    run.claude_pid();
    run.types("\x04");
    run.ends_with(0);
    assert_eq!((run.turns(), run.picture().times("failed")), (0, 0), "{}", run.picture());
}
