//! The commands from outside: what they say, where they say it, and how they end. No terminal, no tunnel but their own.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "the program under test is a child of the test")]

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

/// A folder that is gone when the test is over.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tim-x{}-{name}", std::process::id()));
        std::fs::create_dir_all(path.join("run")).unwrap();
        for folder in [path.clone(), path.join("run")] {
            std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o700)).unwrap();
        }
        Self(path)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The program in an environment that knows nothing but the folder, and without a terminal: a session of its own.
fn tim(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new("setsid");
    command.arg("--wait").arg(env!("CARGO_BIN_EXE_tim")).args(arguments).env_clear();
    command.env("PATH", "/usr/local/bin:/usr/bin:/bin");
    command
        .env("HOME", &folder.0)
        .env("XDG_RUNTIME_DIR", folder.0.join("run"))
        .env("TMPDIR", folder.0.join("run"));
    command.stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// Its exit code, stdout and stderr.
fn told(output: &Output) -> (Option<i32>, &str, &str) {
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A running service. Its pid is that of `tim` itself: `setsid` would hide it.
struct Serve {
    child: Child,
    socket: String,
}

impl Serve {
    fn start(folder: &Folder, arguments: &[&str], variables: &[(&str, &str)]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
        command.arg("serve").args(arguments).env_clear().env("PATH", "/usr/local/bin:/usr/bin:/bin");
        command.env("HOME", &folder.0).env("XDG_RUNTIME_DIR", folder.0.join("run"));
        command.envs(variables.iter().copied());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut socket = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut socket).unwrap();
        Self { child, socket: socket.trim_end().to_owned() }
    }

    fn ask(&self, folder: &Folder, arguments: &[&str]) -> Output {
        tim(folder, arguments).env("TIM_OUTPUT_SOCKET", &self.socket).output().unwrap()
    }

    /// Ends it as a person would, and gives its exit code and what it said on stderr.
    fn end(mut self) -> (Option<i32>, String) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        (self.child.wait().unwrap().code(), said)
    }
}

impl Drop for Serve {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn every_help_fits_a_screen_of_80_columns_and_teaches_by_example() {
    let folder = Folder::new("help");
    for command in ["ask", "emit", "serve", "replay"] {
        let output = tim(&folder, &[command, "--help"]).output().unwrap();
        let (code, help, complaint) = told(&output);
        assert_eq!((code, complaint), (Some(0), ""), "{command}");
        assert!(help.contains("Examples:"), "{command}");
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{command}: {widest}");
    }
}

#[test]
fn without_a_tunnel_and_a_terminal_nobody_can_answer_and_that_is_said_at_once() {
    let folder = Folder::new("nobody");
    let output = tim(&folder, &["ask", "confirm", "Go?"]).output().unwrap();
    let (code, answer, complaint) = told(&output);
    assert_eq!((code, answer), (Some(6), ""));
    assert!(complaint.contains("TIM_OUTPUT_SOCKET") && complaint.lines().count() == 1, "{complaint}");
}

#[test]
fn a_question_that_makes_no_sense_is_a_usage_error() {
    let folder = Folder::new("usage");
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
        let output = tim(&folder, arguments).output().unwrap();
        let (code, answer, complaint) = told(&output);
        assert_eq!((code, answer), (Some(2), ""), "{arguments:?}");
        assert!(!complaint.is_empty(), "{arguments:?}");
    }
}

#[test]
fn without_a_tunnel_a_report_is_simply_printed() {
    let folder = Folder::new("print");
    let output = tim(&folder, &["emit", "three", "files\u{1b}[2J"]).output().unwrap();
    assert_eq!(told(&output), (Some(0), "three files\\x1b[2J\n", ""));
    let output = tim(&folder, &["emit", "--level", "warn", "full"]).output().unwrap();
    assert_eq!(told(&output), (Some(0), "", "full\n"));
}

#[test]
fn messages_from_stdin_are_checked_one_by_one_and_the_bad_ones_named() {
    let folder = Folder::new("jsonl");
    let mut emit = tim(&folder, &["emit", "--jsonl"]);
    let mut child = emit.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = "{\"type\":\"log\",\"args\":[\"one\"]}\nnot json\n\n{\"type\":\"prompt_cancel\",\"requestId\":\"a\",\"reason\":\"cancelled\"}\n{\"type\":\"stdout\",\"data\":\"two\"}";
    child.stdin.take().unwrap().write_all(lines.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let (code, printed, complaint) = told(&output);
    assert_eq!((code, printed), (Some(1), "one\ntwo\n"), "{complaint}");
    assert!(complaint.contains("message 2: ") && complaint.contains("message 3: "), "{complaint}");
}

#[test]
fn a_tunnel_that_is_none_is_warned_of_once_and_done_without() {
    let folder = Folder::new("none");
    let mut emit = tim(&folder, &["emit", "anyway"]);
    let output = emit.env("TIM_OUTPUT_SOCKET", folder.0.join("nothing.sock")).output().unwrap();
    let (code, printed, complaint) = told(&output);
    assert_eq!((code, printed, complaint.lines().count()), (Some(0), "anyway\n", 1), "{complaint}");
    assert!(complaint.contains("going on without it"), "{complaint}");
}

#[test]
fn the_answer_command_comes_from_the_flag_else_the_environment_else_the_file() {
    let folder = Folder::new("layers");
    folder.write(".config/tim/config.toml", "answer-command = \"echo '\\\"file\\\"'\"\njournal = false\n");
    let answer = |flags: &[&str], variables: &[(&str, &str)]| {
        let serve = Serve::start(&folder, flags, variables);
        text(&serve.ask(&folder, &["ask", "input", "?"]).stdout).trim().to_owned()
    };
    let variable = ("TIM_ANSWER_COMMAND", "echo '\"environment\"'");
    assert_eq!(answer(&[], &[]), "file");
    assert_eq!(answer(&[], &[variable]), "environment");
    assert_eq!(answer(&["--answer-command", "echo '\"flag\"'"], &[variable]), "flag");
}

#[test]
fn the_answer_command_does_not_see_how_it_was_called_nor_where_to_ask() {
    let folder = Folder::new("stripped");
    let look = "env | grep -c -e ^TIM_ANSWER_COMMAND= -e ^TIM_OUTPUT_SOCKET= | sed 's/.*/\"&\"/'";
    let dead = folder.0.join("dead.sock");
    let variables = [("TIM_ANSWER_COMMAND", look), ("TIM_OUTPUT_SOCKET", dead.to_str().unwrap())];
    let serve = Serve::start(&folder, &["--no-journal"], &variables);
    assert_eq!(text(&serve.ask(&folder, &["ask", "input", "?"]).stdout), "0\n");
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_line() {
    let folder = Folder::new("config");
    let path = folder.write(".config/tim/config.toml", "journal = true\nanswer_command = \"x\"\n");
    let output = tim(&folder, &["serve"]).output().unwrap();
    let (code, printed, complaint) = told(&output);
    assert_eq!((code, printed), (Some(2), ""));
    let place = format!("{}:2", path.display());
    assert!(complaint.contains(&place) && complaint.contains("answer-command"), "{complaint}");
}

/// The only file below a folder.
fn only_file(folder: &Path) -> PathBuf {
    let files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    files.into_iter().next().unwrap()
}

#[test]
fn the_record_is_kept_by_default_for_our_eyes_alone_and_replays_as_it_was() {
    let folder = Folder::new("journal");
    let serve = Serve::start(&folder, &["--quiet", "--answer-command", "echo true"], &[]);
    assert_eq!(serve.ask(&folder, &["ask", "confirm", "Go?"]).status.code(), Some(0));
    assert_eq!(serve.end(), (Some(143), String::new()));
    let path = only_file(&folder.0.join(".local/state/tim/runs"));
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o7777, 0o600);
    let record = std::fs::read_to_string(&path).unwrap();
    assert!(record.contains("\"rec\":\"signal\",\"name\":\"SIGTERM\""), "{record}");
    let output = tim(&folder, &["replay", "--check", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(told(&output), (Some(0), "as recorded: 2 lines sent\n", ""));
}

#[test]
fn a_record_that_was_asked_for_by_name_must_be_possible_and_is_never_written_over() {
    let folder = Folder::new("named");
    let path = folder.write("run.jsonl", "mine");
    let output = tim(&folder, &["serve", "--journal", path.to_str().unwrap()]).output().unwrap();
    let (code, printed, complaint) = told(&output);
    assert_eq!((code, printed), (Some(2), ""), "{complaint}");
    assert_eq!(std::fs::read_to_string(path).unwrap(), "mine");
    assert!(
        std::fs::read_dir(folder.0.join("run/tim")).map_or(true, |mut left| left.next().is_none()),
        "no socket stays"
    );
}

#[test]
fn no_journal_keeps_none() {
    let folder = Folder::new("off");
    let serve = Serve::start(&folder, &["--no-journal", "--answer-command", "echo true"], &[]);
    assert_eq!(serve.ask(&folder, &["ask", "confirm", "Go?"]).status.code(), Some(0));
    assert_eq!(serve.end().0, Some(143));
    assert!(!folder.0.join(".local").exists());
}

#[test]
fn a_log_is_written_only_if_it_is_asked_for() {
    let folder = Folder::new("log");
    let log = folder.0.join("tim.log");
    let serve = Serve::start(&folder, &["--no-journal"], &[("TIM_LOG", log.to_str().unwrap())]);
    assert_eq!(serve.ask(&folder, &["ask", "confirm", "Go?"]).status.code(), Some(6));
    serve.end();
    let logged = std::fs::read_to_string(&log).unwrap();
    assert!(logged.contains("a client left"), "{logged}");
    assert_eq!(std::fs::metadata(&log).unwrap().permissions().mode() & 0o077, 0);
}
