//! The program from outside.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "the program under test is a child of the test")]

use std::process::{Command, Output, Stdio};

fn tim(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_tim")).args(arguments).env_clear().output().unwrap()
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

#[test]
fn the_version_is_printed_alone_on_stdout() {
    let output = tim(&["--version"]);
    assert_eq!(text(&output.stdout), format!("tim {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn help_says_what_the_program_is_for_and_how_it_is_called() {
    let output = tim(&["--help"]);
    assert!(text(&output.stdout).starts_with("Carries every question of a coding agent to you"));
    assert!(text(&output.stdout).contains("Usage: tim"));
    let widest = text(&output.stdout).lines().map(str::len).max();
    assert!(widest <= Some(80), "a screen has 80 columns, the help {widest:?}");
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(0)));
}

#[test]
fn without_arguments_the_help_goes_to_stderr_and_the_exit_code_is_2() {
    let output = tim(&[]);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    assert!(text(&output.stderr).contains("Usage: tim"));
}

#[test]
fn an_unknown_argument_is_named_on_stderr_and_the_exit_code_is_2() {
    let output = tim(&["--no-such-flag"]);
    assert_eq!((text(&output.stdout), output.status.code()), ("", Some(2)));
    assert!(text(&output.stderr).contains("--no-such-flag"), "{}", text(&output.stderr));
}

#[test]
fn a_full_disk_is_said_and_is_a_failure() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    let child = command.arg("--help").stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(
        text(&output.stderr).starts_with("tim: stdout cannot be written: no space left"),
        "{}",
        text(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(74));
}

#[test]
fn a_usage_error_is_one_also_where_nobody_can_read_it() {
    let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
    let status = Command::new(env!("CARGO_BIN_EXE_tim")).arg("--no-such-flag").stderr(full).status().unwrap();
    assert_eq!(status.code(), Some(2));
}

#[test]
fn a_reader_that_is_gone_ends_the_program_with_141_and_without_a_panic() {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    let child = command.arg("--help").stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((text(&output.stderr), output.status.code()), ("", Some(141)));
}

#[test]
fn no_advice_puts_a_mistyped_word_behind_two_dashes() {
    for arguments in [&["run", "--dangerously-skip-permissions", "go"][..], &["run", "-dash"]] {
        let output = std::process::Command::new(env!("CARGO_BIN_EXE_tim")).args(arguments).output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("unexpected argument") && !stderr.contains("'-- "), "{stderr}");
    }
}
