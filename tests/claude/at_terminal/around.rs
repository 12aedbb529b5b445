//! What is around a run: a shell, a window of another size, files instead of the screen, scripts that ask themselves.

use super::driver::{Run, WAITING, bash, command};
use crate::claude::Claude;
use crate::messages_api::{Script, main};

with_both_versions![
    a_script_that_claude_runs_asks_at_the_same_terminal,
    what_is_redirected_to_a_file_is_the_final_text_alone,
];

with_the_new_version![
    the_final_text_is_printed_alone_after_the_screen,
    a_window_that_changes_its_size_shows_the_run_as_before,
    f053_ctrl_z_gives_the_shell_its_terminal_and_fg_takes_it_back,
];

fn a_script_that_claude_runs_asks_at_the_same_terminal(claude: &Claude) {
    let ask = concat!("\"", env!("CARGO_BIN_EXE_tim"), "\" ask confirm 'Ship it?' && echo shipped");
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash(ask)))
        .turn(main().told("shipped").text("It is out."));
    let mut run = Run::start(claude, script, &["--allowed-tools", "Bash", "go"]);
    let asked = run.armed("y yes");
    assert!(asked.has("Ship it?") && asked.has("? claude › script asks"), "{asked}");
    run.types("y");
    run.ends_with(0);
    run.assert_told(&["you answered", "● Bash", "It is out.", "✓ done"]);
}

fn what_is_redirected_to_a_file_is_the_final_text_alone(claude: &Claude) {
    let script = command("touch made", "Two\nlines.");
    let mut run = Run::in_shell(claude, script, &["-c", "\"$TIM\" run go > out"]);
    run.answers("y once", "y");
    run.ends_with(0);
    run.assert_told(&["→ You: go", "● Bash  touch made", "Two", "lines.", "✓ done"]);
    assert_eq!(std::fs::read_to_string(run.path("out")).unwrap(), "Two\nlines.\n");
}

fn the_final_text_is_printed_alone_after_the_screen(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").text("Not this.").tool("Bash", bash("touch made")))
        .turn(main().text("The final words."));
    let mut run = Run::start(claude, script, &["-p", "go"]);
    run.answers("y once", "y");
    run.ends_with(0);
    run.assert_told(&["● Bash  touch made", "✓ done", "The final words."]);
    let picture = run.picture();
    assert_eq!((picture.times("Not this."), picture.times("The final words.")), (0, 1), "{picture}");
}

fn a_window_that_changes_its_size_shows_the_run_as_before(claude: &Claude) {
    let script = Script::new()
        .turn(
            main()
                .asked("go")
                .opens("First words")
                .held("small")
                .more(" of many")
                .held("large")
                .more(" end."),
        )
        .turn(main().text("Never."));
    let mut run = Run::start(claude, script, &["go"]);
    run.sees("  First words");
    run.types("half a line");
    run.sees("❯ half a line");
    run.resize(40, 12);
    run.api.release("small");
    let small = run.until("the small one", |picture| picture.has("of many") && picture.has("❯ half a line"));
    assert!(small.rows().iter().all(|row| row.chars().count() <= 40) && small.has("writing"), "{small}");
    run.resize(200, 50);
    run.api.release("large");
    run.until("the large one", |picture| picture.has(" end.") && picture.has("✓ claude is done"));
    assert_eq!(run.picture().times("❯"), 1, "{}", run.picture());
    run.types("\x03");
    run.ends_with(0);
    assert_eq!(run.picture().times("✓ done"), 1);
}

fn f053_ctrl_z_gives_the_shell_its_terminal_and_fg_takes_it_back(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash(WAITING)))
        .turn(main().told("went").text("All well."));
    let mut run = Run::in_shell(claude, script, &["-i"]);
    run.sees("shell>");
    run.types("bind 'set enable-bracketed-paste off'; \"$TIM\" run --allowed-tools Bash go; echo code-$?\r");
    run.sees("Bash for i in");
    run.types("half");
    run.sees("❯ half");
    run.types("\x1a");
    let stopped = run.sees("Stopped");
    assert!(!stopped.has("❯"), "{stopped}");
    run.types("echo one-$((1 + 1)); touch go\r");
    run.sees("one-2");
    run.types("fg\r");
    run.sees("❯ half");
    let back = run.sees("✓ claude is done");
    assert!(back.has("All well.") && back.has("one-2"), "{back}");
    run.types("\x03");
    run.until("the shell", |picture| {
        picture.rows().iter().any(|row| row.starts_with("shell>") && row.len() < 8)
    });
    run.types("echo last-$((1 + 1)); exit 7\r");
    run.ends_with(7);
}
