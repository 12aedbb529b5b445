//! What is allowed for the session.

use super::driver::{Run, bash, reads};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    what_was_allowed_for_the_session_is_not_asked_again,
    a_grant_answers_what_waits_behind_the_question,
    what_is_allowed_for_always_is_in_the_file_of_rules,
];

fn what_was_allowed_for_the_session_is_not_asked_again(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch made")))
        .turn(main().held("gate").tool("Bash", bash("touch made")))
        .turn(main().text("Twice."));
    let mut run = Run::start(claude, script, &["go"]);
    run.answers("s session…", "s");
    let rule = run.sees("? Allow for this session");
    assert!(rule.has("rule  Bash(touch:*)") && rule.has("Enter keeps this rule"), "{rule}");
    run.types("\r");
    run.sees("you, session");
    std::fs::remove_file(wait_for(&run, "made")).unwrap();
    run.api.release("gate");
    run.ends_with(0);
    wait_for(&run, "made");
    run.assert_told(&["you, session", "● Bash", "rule", "● Bash", "Twice.", "✓ done"]);
    run.assert_told(&["questions  2 yes (you 1, rules 1)"]);
}

fn wait_for(run: &Run, name: &str) -> std::path::PathBuf {
    let path = run.path(name);
    crate::support::wait::eventually(name, || path.exists().then(|| path.clone()))
}

fn a_grant_answers_what_waits_behind_the_question(claude: &Claude) {
    let script = |folder: &_| reads(folder, &["a", "b", "c"], "Read.");
    let mut run = Run::at(claude, script, &["go"]);
    let open = run.until("three questions", |picture| picture.has("1 of 3") && picture.is_bold("y once"));
    assert!(open.has("this session"), "{open}");
    run.types("s");
    run.ends_with(0);
    assert_eq!(run.asked(2).tool_results().iter().filter(|result| result.contains("in ")).count(), 3);
    run.assert_told(&["you, session", "Read.", "✓ done", "questions  3 yes (you 1, rules 2)"]);
}

fn what_is_allowed_for_always_is_in_the_file_of_rules(claude: &Claude) {
    let script =
        Script::new().turn(main().asked("go").tool("Bash", bash("touch made"))).turn(main().text("Made."));
    let mut run = Run::start(claude, script, &["go"]);
    run.answers("p always…", "p");
    let rule = run.sees("rule  Bash(touch:*)");
    assert!(rule.has("? Allow always") && rule.has("rules.toml"), "{rule}");
    run.types("\r");
    run.ends_with(0);
    run.assert_told(&["you, always", "Made.", "✓ done"]);
    let rules = run.path("../config/tim/rules.toml");
    assert!(
        std::fs::read_to_string(rules).unwrap_or_default().contains("Bash(touch:*)"),
        "{}",
        run.picture()
    );
}
