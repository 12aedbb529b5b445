//! A folder that brings a hook: Claude Code runs it unasked, so tim asks first.

use super::driver::Run;
use crate::claude::Claude;
use crate::messages_api::{Script, main};
use crate::pty::Start;

with_both_versions![a_hook_of_a_folder_runs_only_when_the_folder_is_trusted_and_that_is_asked_once,];

const SETTINGS: &str = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"touch \"$CLAUDE_PROJECT_DIR/hooked\""}]}]}}"#;

fn a_hook_of_a_folder_runs_only_when_the_folder_is_trusted_and_that_is_asked_once(claude: &Claude) {
    let script = Script::new().turn(main().asked("go").text("Done.")).turn(main().asked("go").text("Again."));
    let arguments = ["run", "--claude", claude.binary.to_str().unwrap(), "go"];
    let mut run = Run::go(
        claude,
        |_| script,
        |folder| {
            let settings = folder.path("work").join(".claude");
            std::fs::create_dir(&settings).unwrap();
            std::fs::write(settings.join("settings.json"), SETTINGS).unwrap();
            Start::tim(folder, &arguments)
        },
    );
    let asked = run.armed("y trust it and go on");
    assert!(asked.has("This folder brings: 1 hook (.claude/settings.json)."), "{asked}");
    run.types("n");
    run.ends_with(2);
    assert_eq!((run.path("hooked").exists(), run.turns()), (false, 0));
    run.once_more(&arguments);
    run.answers("y trust it and go on", "y");
    run.ends_with(0);
    run.assert_told(&["you answered", "→ You: go", "Done."]);
    assert!(std::fs::remove_file(run.path("hooked")).is_ok(), "the hook did not run");
    run.once_more(&arguments);
    run.ends_with(0);
    run.assert_told(&["→ You: go", "Again."]);
    assert!(run.path("hooked").exists() && !run.picture().has("First run"), "{}", run.picture());
}
