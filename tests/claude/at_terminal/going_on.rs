//! After a failure, and after the work: what the person is offered, and what still goes on.

use super::driver::{Run, WAITING, bash};
use crate::claude::Claude;
use crate::messages_api::{Script, main};
use serde_json::json;

with_both_versions![
    a_run_that_failed_goes_on_in_the_same_conversation_if_the_person_wants,
    a_run_that_failed_ends_if_the_person_does_not_want_to_go_on,
    background_work_is_waited_for_and_what_it_brings_is_shown,
];

with_the_new_version![when_the_api_fails_for_good_the_person_is_told_why_and_asked,];

/// It may take one turn, and its first one calls for another.
fn cut_short() -> Script {
    Script::new().turn(main().asked("go").text("I begin.").tool("Bash", bash("echo begun")))
}

fn a_run_that_failed_goes_on_in_the_same_conversation_if_the_person_wants(claude: &Claude) {
    let script = cut_short().turn(main().asked("Continue.").mentions("I begin.").text("And end."));
    let mut run = Run::start(claude, script, &["--max-turns", "1", "go"]);
    let asked = run.armed("y yes");
    assert!(asked.has("Go on with its conversation?") && asked.has("✗ failed (exit 1)"), "{asked}");
    run.types("y");
    run.ends_with(0);
    run.assert_told(&["✗ failed (exit 1)", "→ You: Continue.", "And end.", "✓ done"]);
    assert_eq!(run.picture().times("maximum"), 1, "why it failed is told once: {}", run.picture());
}

fn a_run_that_failed_ends_if_the_person_does_not_want_to_go_on(claude: &Claude) {
    let mut run = Run::start(claude, cut_short(), &["--max-turns", "1", "go"]);
    run.answers("y yes", "n");
    run.ends_with(1);
    run.assert_told(&["I begin.", "✗ failed (exit 1)", "go on      tim run -r"]);
}

fn when_the_api_fails_for_good_the_person_is_told_why_and_asked(claude: &Claude) {
    let script = Script::new().turn(main().always().fails(500));
    let mut run = Run::start(claude, script, &["go"]);
    run.sees("! API 500");
    run.answers("y yes", "n");
    run.ends_with(1);
    run.assert_told(&["! API 500", "✗ failed (exit 1)", "go on      tim run -r"]);
}

fn background_work_is_waited_for_and_what_it_brings_is_shown(claude: &Claude) {
    let input = json!({"command": WAITING, "description": "Wait", "run_in_background": true});
    let script = Script::new()
        .turn(main().asked("begin").tool("Bash", input))
        .turn(main().told("background").text("Begun."))
        .turn(main().text("It went."));
    let mut run = Run::start(claude, script, &["--allowed-tools", "Bash", "begin"]);
    run.sees("Begun.");
    let waits = run.until("what runs", |picture| picture.times("background") > 1);
    assert!(waits.has("background: "), "the status says so: {waits}");
    std::fs::write(run.path("go"), "").unwrap();
    run.ends_with(0);
    run.assert_told(&["  background  for i in", "Begun.", "  completed", "It went.", "✓ done"]);
}
