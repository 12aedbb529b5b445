//! What it may not do unasked, and what becomes of each answer.

use serde_json::json;

use super::driver::{Run, bash, command, reads};
use crate::claude::Claude;
use crate::messages_api::{Script, main, sub};

with_both_versions![
    what_is_allowed_once_is_done,
    what_is_denied_is_not_done_and_the_model_is_told,
    a_reason_reaches_the_model_word_for_word,
    ctrl_c_at_a_question_declines_it_and_the_run_goes_on,
    several_questions_at_once_are_asked_one_after_another,
    a_subagent_asks_under_its_own_name,
];

with_the_new_version![esc_steps_back_to_the_line_and_the_question_stays,];

fn what_is_denied_is_not_done_and_the_model_is_told(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Then not."), &["go"]);
    run.answers("n no", "n");
    run.ends_with(0);
    assert!(!run.path("made").exists());
    assert_eq!(run.asked(2).tool_results(), ["The person said no to this."]);
    run.assert_told(&["you said no", "Then not.", "✓ done", "questions  1 no"]);
}

fn ctrl_c_at_a_question_declines_it_and_the_run_goes_on(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Without it, then."), &["go"]);
    run.answers("y once", "\x03");
    run.ends_with(0);
    let told = run.asked(2).tool_results().concat();
    assert!(told.starts_with("The person declined to answer this."), "{told}");
    assert!(!run.path("made").exists());
    run.assert_told(&["you gave no answer", "Without it, then.", "✓ done"]);
}

fn esc_steps_back_to_the_line_and_the_question_stays(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch made")))
        .turn(main().mentions("a word").text("Made."));
    let mut run = Run::start(claude, script, &["go"]);
    run.answers("y once", "\x1b");
    let left = run.sees("Tab answers the question");
    assert!(left.has("? claude wants to run a command") && left.has("❯"), "{left}");
    run.says("a word");
    run.sees("queued  a word");
    // The line is empty again: after a second the keys are the question's.
    run.answers("y once", "y");
    run.ends_with(0);
    assert!(run.path("made").exists());
    run.assert_told(&["you, once", "→ You: a word", "Made.", "✓ done"]);
}

fn what_is_allowed_once_is_done(claude: &Claude) {
    allowed_once(claude, &[]);
}

/// By either way on which it asks.
pub(super) fn allowed_once(claude: &Claude, way: &[&str]) {
    let mut run = Run::start(claude, command("touch made", "Made."), &[way, &["go"]].concat());
    let asked = run.armed("y once");
    assert!(asked.has("? claude wants to run a command") && asked.has("    touch made"), "{asked}");
    assert!(asked.has("s session…") && asked.has("t no, tell it why"), "{asked}");
    assert!(!run.path("made").exists());
    run.types("y");
    run.ends_with(0);
    assert!(run.path("made").exists());
    run.assert_told(&["you, once", "● Bash  touch made", "Made.", "✓ done", "questions  1 yes (you 1)"]);
}

fn a_reason_reaches_the_model_word_for_word(claude: &Claude) {
    denied_with_a_reason(claude, &[]);
}

/// By either way on which it asks.
pub(super) fn denied_with_a_reason(claude: &Claude, way: &[&str]) {
    let mut run = Run::start(claude, command("touch made", "I see."), &[way, &["go"]].concat());
    run.answers("t no, tell it why", "t");
    run.sees("tell it why ❯");
    run.types("not \"before\" the tag: 50% → näh");
    run.sees("näh");
    run.types("\r");
    run.ends_with(0);
    assert_eq!(run.asked(2).tool_results(), ["not \"before\" the tag: 50% → näh"]);
    assert!(!run.path("made").exists());
    run.assert_told(&["you said no", "I see.", "✓ done"]);
}

fn several_questions_at_once_are_asked_one_after_another(claude: &Claude) {
    several_at_once(claude, &[]);
}

/// By either way on which it asks.
pub(super) fn several_at_once(claude: &Claude, way: &[&str]) {
    let script = |folder: &_| reads(folder, &["a", "b", "c"], "Read.");
    let mut run = Run::at(claude, script, &[way, &["go"]].concat());
    let first = run.until("three questions", |picture| picture.has("1 of 3") && picture.is_bold("y once"));
    assert!(first.has("then  ") && first.has("wants to read"), "{first}");
    run.types("y");
    run.until("two questions", |picture| picture.has("1 of 2") && picture.is_bold("y once"));
    run.types("n");
    run.until("one question", |picture| !picture.has(" of ") && picture.is_bold("y once"));
    run.types("y");
    run.ends_with(0);
    let mut told = run.asked(2).tool_results();
    told.sort();
    let read = |name: &str| told.iter().filter(|result| result.contains(&format!("in {name}"))).count();
    assert_eq!((read("a"), read("b"), read("c")), (1, 0, 1), "{told:?}");
    run.assert_told(&["you, once", "you said no", "you, once", "✓ done", "2 yes (you 2)  1 no"]);
}

fn a_subagent_asks_under_its_own_name(claude: &Claude) {
    asked_by_a_subagent(claude, &[]);
}

/// By either way on which it asks.
pub(super) fn asked_by_a_subagent(claude: &Claude, way: &[&str]) {
    let work = json!({"description": "find callers", "prompt": "touch it", "subagent_type": "general-purpose",
        "run_in_background": false});
    let script = Script::new()
        .turn(main().asked("go").tool("Agent", work))
        .turn(sub().asked("touch it").tool("Bash", bash("touch made")))
        .turn(sub().text("Touched."))
        .turn(main().always().text("All done."));
    let mut run = Run::start(claude, script, &[way, &["go"]].concat());
    let asked = run.armed("y once");
    assert!(asked.has("? claude › general-purpose \"find callers\" wants to run a command"), "{asked}");
    run.types("y");
    run.ends_with(0);
    assert!(run.path("made").exists());
    run.assert_told(&["you, once", "All done.", "✓ done"]);
}
