//! What is allowed for the session, and for always.

use super::driver::{Run, bash, command, reads};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    what_was_allowed_for_the_session_is_not_asked_again,
    a_grant_answers_what_waits_behind_the_question,
    what_is_allowed_for_always_is_in_the_file_of_rules_and_tim_answers_by_it_in_the_next_run,
    a_command_that_is_saved_for_claude_is_not_asked_in_the_next_run_by_claude_itself,
    a_folder_that_is_saved_for_claude_is_not_asked_in_the_next_run_by_claude_itself,
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

fn what_is_allowed_for_always_is_in_the_file_of_rules_and_tim_answers_by_it_in_the_next_run(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Made."), &["go"]);
    run.answers("p always…", "p");
    let rule = run.sees("rule  Bash(touch:*)");
    assert!(rule.has("? Allow always") && rule.has("rules.toml") && rule.has("Tab:"), "{rule}");
    run.types("\r");
    run.ends_with(0);
    run.assert_told(&["you, always", "Made.", "✓ done"]);
    let rules = run.path("../config/tim/rules.toml");
    assert!(
        std::fs::read_to_string(rules).unwrap_or_default().contains("Bash(touch:*)"),
        "{}",
        run.picture()
    );
    assert!(!run.path(".claude").exists(), "Claude was not told");
    std::fs::remove_file(run.path("made")).unwrap();
    let mut next = run.again(|_| command("touch made", "Again."), &["go"]);
    next.ends_with(0);
    assert!(next.path("made").exists());
    next.assert_told(&["rule", "Again.", "✓ done", "questions  1 yes (rules 1)"]);
}

/// The folder of the work is a repository from now on, as it mostly is. In another folder the older version takes no allow
/// rules from its settings before somebody has said there that it is trusted.
fn make_repository(run: &Run) {
    for folder in ["objects", "refs"] {
        std::fs::create_dir_all(run.path(".git").join(folder)).unwrap();
    }
    std::fs::write(run.path(".git/HEAD"), "ref: refs/heads/main\n").unwrap();
}

/// Says yes for always, where Claude itself keeps it.
fn allows_for_claude(run: &mut Run, rule: &str) {
    run.answers("p always…", "p");
    run.sees(&format!("rule  {rule}"));
    run.types("\t");
    run.sees("Claude's own matching applies there");
    run.types("\r");
    run.ends_with(0);
    let settings = std::fs::read_to_string(run.path(".claude/settings.local.json")).unwrap();
    let settings: serde_json::Value = serde_json::from_str(&settings).unwrap();
    assert_eq!(settings, serde_json::json!({"permissions": {"allow": [rule]}}));
    assert!(!run.path("../config/tim/rules.toml").exists(), "not in tim's file too");
}

fn assert_not_asked(run: &Run) {
    let rows = run.picture().history().join("\n");
    assert!(!rows.contains("questions") && !rows.contains("rule"), "tim was asked:\n{rows}");
}

fn a_command_that_is_saved_for_claude_is_not_asked_in_the_next_run_by_claude_itself(claude: &Claude) {
    let mut run = Run::start(claude, command("touch made", "Made."), &["go"]);
    make_repository(&run);
    allows_for_claude(&mut run, "Bash(touch:*)");
    std::fs::remove_file(run.path("made")).unwrap();
    let mut next = run.again(|_| command("touch made", "Again."), &["go"]);
    next.sees("Again.");
    next.ends_with(0);
    assert!(next.path("made").exists());
    next.assert_told(&["Again.", "✓ done"]);
    assert_not_asked(&next);
}

fn a_folder_that_is_saved_for_claude_is_not_asked_in_the_next_run_by_claude_itself(claude: &Claude) {
    let mut rule = String::new();
    let script = |folder: &crate::support::temp::Temp| {
        rule = format!("Read(/{}/**)", folder.path("data").display());
        reads(folder, &["a"], "Read.")
    };
    let mut run = Run::at(claude, script, &["go"]);
    make_repository(&run);
    allows_for_claude(&mut run, &rule);
    let mut next = run.again(|folder| reads(folder, &["b"], "Read again."), &["go"]);
    next.ends_with(0);
    assert!(next.asked(2).tool_results().iter().any(|result| result.contains("in b")));
    assert_not_asked(&next);
}
