//! A person at the terminal of an agent that is only a script.

use std::sync::Arc;

use rustix::process::Signal;

use crate::pty::{Pty, Start};
use crate::stub::written;
use crate::support::temp::Temp;

/// `tim run` with such an agent, at a terminal.
pub(crate) fn at_terminal(folder: &Arc<Temp>, script: &str, flags: &[&str]) -> Pty {
    let path = written(folder, script);
    let arguments: Vec<&str> =
        ["run", "go", "--claude", path.to_str().unwrap()].iter().chain(flags).copied().collect();
    Start::tim(folder, &arguments).go()
}

#[test]
fn the_final_text_does_nothing_to_a_terminal() {
    let folder = Arc::new(Temp::new());
    let mut tim =
        at_terminal(&folder, r"hears; init; result 'one\u001b]0;evil\u0007two'; to_the_end", &["-p"]);
    assert_eq!(tim.ends(), 0);
    tim.sees("evil");
    assert!(!tim.raw().windows(8).any(|bytes| bytes == b"\x1b]0;evil"), "as it came");
}

#[test]
fn a_signal_ends_the_run_also_under_a_line_with_text() {
    let folder = Arc::new(Temp::new());
    let mut tim = at_terminal(&folder, "hears; init; says working; to_the_end", &[]);
    tim.sees("working");
    tim.types("half a line");
    tim.sees("❯ half a line");
    tim.signal(Signal::TERM);
    assert_eq!(tim.ends(), 143);
    tim.assert_modes_restored();
}

#[test]
fn with_stdout_elsewhere_a_typed_line_is_read_and_shown_as_read() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; init; says ready; hears
uuid=$(echo "$line" | sed 's/.*"uuid":"\([^"]*\)".*/\1/')
echo '{"type":"command_lifecycle","command_uuid":"'$uuid'","state":"started"}'; says heard; result; to_the_end"#;
    let path = written(&folder, script);
    let line = format!(
        "exec {} run go --claude {} > {}",
        env!("CARGO_BIN_EXE_tim"),
        path.display(),
        folder.path("out").display()
    );
    let mut tim = Start::program(&folder, "/bin/sh", &["-c", &line]).go();
    tim.sees("ready");
    tim.types("more\r");
    tim.sees("→ You: more");
    assert_eq!(tim.ends(), 0);
    assert_eq!(tim.picture().times("queued"), 0, "{}", tim.picture());
    assert_eq!(std::fs::read_to_string(folder.path("out")).unwrap(), "ok\n");
}

#[test]
fn a_conversation_in_plain_lines_goes_on_until_ctrl_d() {
    let folder = Arc::new(Temp::new());
    let script = "while hears && [ -n \"$line\" ]; do init; says again; result; done";
    let path = written(&folder, script);
    let start = Start::tim(&folder, &["run", "--claude", path.to_str().unwrap()]).env("TERM", "dumb");
    let mut tim = start.go();
    tim.sees("say what to do");
    for count in 1..=2 {
        tim.types("hello\r");
        tim.until("an answer", |picture| picture.times("  again") == count);
    }
    tim.types("\x04");
    assert_eq!(tim.ends(), 0);
}
