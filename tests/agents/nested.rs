//! Below another tim an agent may have chosen the flags: nothing may be asked less than there.

use std::sync::Arc;

use crate::stub::{played, run, run_in};
use crate::support::temp::Temp;

/// As if started in the shell of an agent; nobody listens.
const NOWHERE: &str = "/nowhere/output.sock";

#[test]
fn flags_that_loosen_are_refused_where_nobody_can_agree_to_them() {
    for flags in [
        &["--allow", "Edit(**)"][..],
        &["--allow", "Edit(**)", "--unattended"],
        &["--settings", "{}"],
        &["--permission-mode", "bypassPermissions"],
        &["--allowed-tools", "Bash"],
        &["--add-dir", "/"],
        &["--permission-timeout", "1s", "--dangerously-allow-on-timeout"],
        &["--answer-command", "true"],
        &["--", "--dangerously-skip-permissions"],
    ] {
        let launch = flags.iter().fold(run("hears; init; result"), |launch, flag| launch.arg(*flag));
        let (code, _, stderr) = played(launch.env("TIM_OUTPUT_SOCKET", NOWHERE));
        assert_eq!(code, 2, "{flags:?}: {stderr}");
        assert!(stderr.contains("needs a yes at the root, and nobody could be asked there"), "{stderr}");
    }
}

#[test]
fn a_configured_answer_command_does_not_count_there_also_if_nobody_is_asked() {
    let folder = Arc::new(Temp::new());
    let script = "hears; init; asks q; hears; allowed && touch allowed; touch heard; result";
    let home = folder.path("home");
    let launch = run_in(Arc::clone(&folder), script).arg("--unattended").within(home.clone());
    let launch =
        launch.env("TIM_OUTPUT_SOCKET", NOWHERE).env("TIM_ANSWER_COMMAND", "echo '{\"allow\":true}'");
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("the answer command of TIM_ANSWER_COMMAND is not used"), "{stderr}");
    assert!(home.join("heard").exists() && !home.join("allowed").exists());
}
