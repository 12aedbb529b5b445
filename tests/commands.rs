//! The commands from outside: what they say, where they say it, and how they end.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "commands/documents.rs"]
mod documents;
#[path = "commands/exits.rs"]
mod exits;
#[expect(dead_code, reason = "each test uses a part of it")]
mod support;

use std::path::PathBuf;
use std::sync::Arc;

use support::launch::Launch;
use support::serve::Serve;
use support::temp::{Temp, all_below, mode};

/// The program with these arguments, without a terminal and in a home of its own.
fn tim(arguments: &[&str]) -> Launch {
    tim_in(&Arc::new(Temp::new()), arguments)
}

fn tim_in(folder: &Arc<Temp>, arguments: &[&str]) -> Launch {
    arguments.iter().fold(Launch::tim_in(Arc::clone(folder), []), |launch, argument| launch.arg(*argument))
}

/// Its exit code, and what it said on stdout and stderr.
fn told(launch: Launch) -> (Option<i32>, String, String) {
    launch.start().exit()
}

/// A service in that folder, with these variables.
fn serve(folder: &Arc<Temp>, arguments: &[&str], variables: &[(&str, &str)]) -> Serve {
    let launch =
        variables.iter().fold(tim_in(folder, &["serve"]), |launch, (name, value)| launch.env(name, *value));
    Serve::ready(arguments.iter().fold(launch, |launch, argument| launch.arg(*argument)).start())
}

/// Asks a service. The exit code, and the answer.
fn ask(serve: &Serve, arguments: &[&str]) -> (Option<i32>, String) {
    let (code, answer, _) = told(tim(arguments).under(serve.socket()));
    (code, answer)
}

/// Writes a file that nobody else may write.
fn write(folder: &Temp, name: &str, text: &str) -> PathBuf {
    let path = folder.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::os::unix::fs::PermissionsExt::from_mode(0o644)).unwrap();
    path
}

#[test]
fn every_help_fits_a_screen_of_80_columns_and_teaches_by_example() {
    for command in ["ask", "config", "emit", "replay", "run", "serve"] {
        let (code, help, complaint) = told(tim(&[command, "--help"]));
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{command}");
        assert!(help.contains("Examples:"), "{command}");
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{command}: {widest}");
    }
}

#[test]
fn without_a_tunnel_and_a_terminal_nobody_can_answer_and_that_is_said_at_once() {
    let (code, answer, complaint) = told(tim(&["ask", "confirm", "Go?"]));
    assert_eq!((code, answer.as_str()), (Some(6), ""));
    assert!(complaint.contains("TIM_OUTPUT_SOCKET") && complaint.lines().count() == 1, "{complaint}");
}

#[test]
fn a_question_that_makes_no_sense_is_a_usage_error() {
    for arguments in [
        &["ask", "select", "Which?"][..],
        &["ask", "confirm", "Go?", "--choice", "a"],
        &["ask", "confirm", "Go?", "--default", "maybe"],
        &["ask", "select", "Which?", "--choice", "a", "--default", "b"],
        &["ask", "approval", "Go?", "--choice", "a"],
        &["ask", "text", "Why?", "--default", "so"],
        &["ask", "confirm", "Go?", "--timeout", "30"],
        &["ask", "sing", "Go?"],
        &["emit"],
        &["emit", "--jsonl", "text"],
        &["serve", "--journal", "x", "--no-journal"],
    ] {
        let (code, answer, complaint) = told(tim(arguments));
        assert_eq!((code, answer.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!complaint.is_empty(), "{arguments:?}");
    }
}

#[test]
fn messages_from_stdin_are_checked_one_by_one_and_the_bad_ones_named() {
    let lines = "{\"type\":\"log\",\"args\":[\"one\"]}\nnot json\n\n{\"type\":\"prompt_cancel\",\"requestId\":\"a\",\"reason\":\"cancelled\"}\n{\"type\":\"stdout\",\"data\":\"two\"}";
    let (code, printed, complaint) = told(tim(&["emit", "--jsonl"]).stdin(lines));
    assert_eq!((code, printed.as_str()), (Some(1), "one\ntwo\n"), "{complaint}");
    assert!(complaint.contains("message 2: ") && complaint.contains("message 3: "), "{complaint}");
}

#[test]
fn the_answer_command_comes_from_the_flag_else_the_environment_else_the_file() {
    let folder = Arc::new(Temp::new());
    write(&folder, "config/tim/config.toml", "answer-command = \"echo '\\\"file\\\"'\"\njournal = false\n");
    let answer = |flags: &[&str], variables: &[(&str, &str)]| {
        ask(&serve(&folder, flags, variables), &["ask", "input", "?"]).1
    };
    let variable = ("TIM_ANSWER_COMMAND", "echo '\"environment\"'");
    assert_eq!(answer(&[], &[]), "file\n");
    assert_eq!(answer(&[], &[variable]), "environment\n");
    assert_eq!(answer(&["--answer-command", "echo '\"flag\"'"], &[variable]), "flag\n");
}

#[test]
fn the_answer_command_does_not_see_how_it_was_called_nor_where_to_ask() {
    let folder = Arc::new(Temp::new());
    let look = "env | grep -c -e ^TIM_ANSWER_COMMAND= -e ^TIM_OUTPUT_SOCKET= | sed 's/.*/\"&\"/'";
    let serve = serve(&folder, &["--no-journal"], &[("TIM_ANSWER_COMMAND", look)]);
    assert_eq!(ask(&serve, &["ask", "input", "?"]), (Some(0), "0\n".to_owned()));
}

#[test]
fn below_another_tim_the_answer_command_of_a_service_does_not_count_also_if_nobody_listens_there() {
    let folder = Arc::new(Temp::new());
    let dead = folder.path("dead.sock");
    let variables = [("TIM_OUTPUT_SOCKET", dead.to_str().unwrap())];
    let serve = serve(&folder, &["--no-journal", "--answer-command", "echo '\"yes\"'"], &variables);
    assert_eq!(ask(&serve, &["ask", "input", "?"]), (Some(6), String::new()));
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_line() {
    let folder = Arc::new(Temp::new());
    let path = write(&folder, "config/tim/config.toml", "journal = true\nanswer_command = \"x\"\n");
    let (code, printed, complaint) = told(tim_in(&folder, &["serve"]));
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    let place = format!("{}:2", path.display());
    assert!(complaint.contains(&place) && complaint.contains("answer-command"), "{complaint}");
}

#[test]
fn the_record_is_kept_by_default_for_our_eyes_alone_and_replays_as_it_was() {
    let folder = Arc::new(Temp::new());
    let mut serve = serve(&folder, &["--quiet", "--answer-command", "echo true"], &[]);
    assert_eq!(ask(&serve, &["ask", "confirm", "Go?"]), (Some(0), "yes\n".to_owned()));
    assert_eq!(serve.finish(), Some(143));
    let path = serve.journal_path();
    assert_eq!(mode(&path), 0o600);
    let record = std::fs::read_to_string(&path).unwrap();
    assert!(record.contains("\"rec\":\"signal\",\"name\":\"SIGTERM\""), "{record}");
    let replayed = told(tim(&["replay", "--check", path.to_str().unwrap()]));
    assert_eq!(replayed, (Some(0), "as recorded: 2 lines sent\n".to_owned(), String::new()));
}

#[test]
fn a_record_that_was_asked_for_by_name_must_be_possible_and_is_never_written_over() {
    let folder = Arc::new(Temp::new());
    let path = write(&folder, "run.jsonl", "mine");
    let (code, printed, complaint) = told(tim_in(&folder, &["serve", "--journal", path.to_str().unwrap()]));
    assert_eq!((code, printed.as_str()), (Some(2), ""), "{complaint}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "mine");
    assert!(all_below(&folder.path("run/tim")).is_empty(), "no socket stays");
}

#[test]
fn a_log_is_written_only_if_it_is_asked_for() {
    let folder = Arc::new(Temp::new());
    let log = folder.path("tim.log");
    let mut serve = serve(&folder, &["--no-journal"], &[("TIM_LOG", log.to_str().unwrap())]);
    assert_eq!(ask(&serve, &["ask", "confirm", "Go?"]).0, Some(6));
    serve.finish();
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("a client left"), "{logged}");
    assert_eq!(mode(&log) & 0o077, 0);
}
