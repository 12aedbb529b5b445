//! What the person does before Claude Code is there: it may take seconds to start.

use std::os::unix::fs::PermissionsExt as _;

use super::driver::Run;
use crate::claude::Claude;
use crate::messages_api::{Script, main};
use crate::pty::Start;
use crate::support::temp::Temp;

with_both_versions![a_line_that_is_typed_while_it_starts_is_read_behind_the_prompt,];

with_the_new_version![
    a_line_that_is_typed_while_it_starts_can_be_taken_back,
    ctrl_d_while_it_starts_ends_a_conversation_that_never_began,
];

/// A Claude Code that says nothing, not even its version, until the file `ready` is there.
const SLOW: &str = "#!/bin/sh\nuntil [ -e ready ]; do sleep 0.02; done\nexec \"$REAL_CLAUDE\" \"$@\"\n";

fn slow(claude: &Claude, script: Script, arguments: &[&str]) -> Run {
    let run = Run::go(claude, |_| script, |folder| start(claude, folder, arguments));
    run.sees("❯");
    run
}

fn start(claude: &Claude, folder: &Temp, arguments: &[&str]) -> Start {
    let program = folder.path("claude");
    std::fs::write(&program, SLOW).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let begin = ["run", "--claude", program.to_str().unwrap()];
    let start = Start::tim(folder, &[&begin, arguments].concat());
    start.env("REAL_CLAUDE", claude.binary.to_str().unwrap())
}

fn is_ready(run: &Run) {
    std::fs::write(run.path("ready"), "").unwrap();
}

fn a_line_that_is_typed_while_it_starts_is_read_behind_the_prompt(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").text("First."))
        .turn(main().asked("and then").mentions("First.").text("Second."));
    let mut run = slow(claude, script, &["go"]);
    run.says("and then");
    run.sees("queued  and then");
    is_ready(&run);
    run.ends_with(0);
    run.assert_told(&["→ You: go", "First.", "→ You: and then", "Second.", "✓ done"]);
}

fn a_line_that_is_typed_while_it_starts_can_be_taken_back(claude: &Claude) {
    let mut run = slow(claude, Script::new().turn(main().asked("go").text("Only this.")), &["go"]);
    run.says("never mind");
    run.sees("queued  never mind");
    run.types("\x1b[A");
    let back = run.sees("❯ never mind");
    assert!(!back.has("queued"), "{back}");
    run.types("\x03");
    run.sees_no("never mind");
    is_ready(&run);
    run.ends_with(0);
    assert_eq!(run.turns(), 1);
}

fn ctrl_d_while_it_starts_ends_a_conversation_that_never_began(claude: &Claude) {
    let mut run = slow(claude, Script::new(), &[]);
    run.types("\x04");
    run.types("?");
    run.sees("Alt-Enter newline");
    is_ready(&run);
    assert_eq!(run.ends(), 0, "{}", run.picture());
    run.assert_alone();
}
