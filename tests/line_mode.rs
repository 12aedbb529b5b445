//! `tim serve` and `tim ask` at a real terminal, in plain line mode. Waits for text on the screen, never for a time.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "support/temp.rs"]
#[expect(dead_code, reason = "only the folder is used")]
mod temp;

use std::io::{Read as _, Write};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use temp::Temp;

use portable_pty::{Child, CommandBuilder, MasterPty, PtySize, native_pty_system};

const BOUND: Duration = Duration::from_secs(20);

/// The program at a terminal of its own.
struct AtTerminal {
    child: Box<dyn Child + Send + Sync>,
    keys: Box<dyn Write + Send>,
    output: Receiver<Vec<u8>>,
    seen: String,
    _master: Box<dyn MasterPty + Send>,
}

impl AtTerminal {
    fn start(folder: &Temp, arguments: &[&str]) -> Self {
        Self::start_after(folder, arguments, "")
    }

    /// The same, at a terminal where something was typed already.
    fn start_after(folder: &Temp, arguments: &[&str], typed: &str) -> Self {
        let pty = native_pty_system().openpty(PtySize { rows: 24, cols: 80, ..PtySize::default() }).unwrap();
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_tim"));
        command.args(arguments);
        command.env_clear();
        for (name, below) in
            [("HOME", "home"), ("XDG_RUNTIME_DIR", "run"), ("TMPDIR", "tmp"), ("XDG_STATE_HOME", "state")]
        {
            command.env(name, folder.path(below));
        }
        let (mut reader, mut keys) =
            (pty.master.try_clone_reader().unwrap(), pty.master.take_writer().unwrap());
        keys.write_all(typed.as_bytes()).unwrap();
        let child = pty.slave.spawn_command(command).unwrap();
        let (sender, output) = channel();
        std::thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(read @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk.iter().take(read).copied().collect()).is_err() {
                    return;
                }
            }
        });
        Self { child, keys, output, seen: String::new(), _master: pty.master }
    }

    /// Waits until a text is on the screen, behind everything that was waited for before. Gives what came until then.
    fn sees(&mut self, text: &str) -> String {
        let until = Instant::now() + BOUND;
        loop {
            if let Some(at) = self.seen.find(text) {
                let rest = self.seen.split_off(at + text.len());
                return std::mem::replace(&mut self.seen, rest);
            }
            let left = until.saturating_duration_since(Instant::now());
            let more = self.output.recv_timeout(left);
            let more = more.unwrap_or_else(|_| panic!("no {text:?} in time, but: {}", self.seen));
            self.seen.push_str(&String::from_utf8_lossy(&more));
        }
    }

    fn types(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).unwrap();
    }

    fn ends(&mut self) -> u32 {
        let until = Instant::now() + BOUND;
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.exit_code();
            }
            assert!(Instant::now() < until, "it does not end: {}", self.seen);
            std::thread::yield_now();
        }
    }
}

impl Drop for AtTerminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Asks through a socket, without a terminal.
fn ask(socket: &str, arguments: &[&str]) -> std::thread::JoinHandle<Output> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.arg("ask").args(arguments).env_clear().env("TIM_OUTPUT_SOCKET", socket);
    std::thread::spawn(move || command.output().unwrap())
}

fn answer(asked: std::thread::JoinHandle<Output>) -> (String, Option<i32>) {
    let output = asked.join().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

fn serve(folder: &Temp) -> (AtTerminal, String) {
    let mut serve = AtTerminal::start(folder, &["serve"]);
    let socket = serve.sees(".sock").trim().to_owned();
    (serve, socket)
}

#[test]
fn a_service_at_a_terminal_asks_there_one_question_after_another() {
    let folder = Temp::new();
    let (mut serve, socket) = serve(&folder);
    let first = ask(&socket, &["confirm", "Deploy?", "--label", "deploy"]);
    serve.sees("deploy (process");
    serve.sees("[y/n]");
    let second = ask(&socket, &["select", "Which?", "--choice", "main", "--choice", "dev=develop"]);
    serve.types("maybe\n");
    serve.sees("write y or n");
    serve.types("y\n");
    assert_eq!(answer(first), ("yes\n".to_owned(), Some(0)));
    serve.sees("number, or a name");
    serve.types("2\n");
    assert_eq!(answer(second), ("develop\n".to_owned(), Some(0)));
    let third = ask(&socket, &["text", "Why?"]);
    serve.sees("your text");
    serve.types("/decline\n");
    assert_eq!(answer(third), (String::new(), Some(5)));
    serve.types("\x03");
    assert_eq!(serve.ends(), 130);
    assert!(!PathBuf::from(socket).exists());
}

#[test]
fn a_question_that_ends_elsewhere_says_so_at_the_terminal_and_the_next_one_comes() {
    let folder = Temp::new();
    let (mut serve, socket) = serve(&folder);
    let short = ask(&socket, &["confirm", "Quick?", "--timeout", "300ms"]);
    serve.sees("Quick?");
    assert_eq!(answer(short).1, Some(3));
    serve.sees("(over: ");
    let next = ask(&socket, &["confirm", "Next?"]);
    serve.sees("Next?");
    serve.sees("[y/n]");
    serve.types("n\n");
    assert_eq!(answer(next), ("no\n".to_owned(), Some(1)));
}

#[test]
fn a_line_that_was_meant_for_another_question_approves_nothing() {
    let folder = Temp::new();
    let (mut serve, socket) = serve(&folder);
    let harmless = ask(&socket, &["confirm", "Continue?", "--timeout", "3s"]);
    serve.sees("[y/n]");
    let other = ask(&socket, &["confirm", "Delete everything?"]);
    serve.types("y");
    assert_eq!(answer(harmless).1, Some(3));
    serve.sees("Delete everything?");
    // The half line is forgotten, and a whole one comes too early.
    serve.types("\ny\n");
    serve.sees("write it again");
    serve.sees("[y/n]");
    serve.types("n\n");
    assert_eq!(answer(other), ("no\n".to_owned(), Some(1)));
}

#[test]
fn what_a_client_says_reaches_the_terminal_only_made_visible() {
    let folder = Temp::new();
    let (mut serve, socket) = serve(&folder);
    let hostile = ask(&socket, &["confirm", "Go\u{1b}]0;owned\u{7}on\u{1b}[2J?"]);
    let shown = serve.sees("[y/n]");
    assert!(!shown.contains('\u{1b}') && !shown.contains('\u{7}'), "{shown:?}");
    assert!(shown.contains("\\x1b"), "{shown}");
    serve.types("n\n");
    assert_eq!(answer(hostile).1, Some(1));
}

#[test]
fn the_end_of_the_terminals_input_gives_its_questions_back_and_the_service_goes_on() {
    let folder = Temp::new();
    let (mut serve, socket) = serve(&folder);
    let asked = ask(&socket, &["confirm", "Anybody?"]);
    serve.sees("[y/n]");
    serve.types("\x04");
    assert_eq!(answer(asked).1, Some(6));
    assert_eq!(answer(ask(&socket, &["confirm", "And now?"])).1, Some(6), "nobody is there any more");
}

#[test]
fn without_a_tunnel_the_question_is_asked_at_the_terminal() {
    let folder = Temp::new();
    let mut asked =
        AtTerminal::start(&folder, &["ask", "checkbox", "Run?", "--choice", "lint", "--choice", "test"]);
    asked.sees("Run?");
    asked.types("9\n");
    asked.types("1 2\n");
    asked.sees("lint\r\ntest\r\n");
    assert_eq!(asked.ends(), 0);
}

#[test]
fn what_was_typed_before_the_question_is_no_answer_to_it() {
    let folder = Temp::new();
    let mut asked = AtTerminal::start_after(&folder, &["ask", "confirm", "Delete?"], "y\n");
    asked.sees("[y/n]");
    asked.types("n\n");
    asked.sees("no\r\n");
    assert_eq!(asked.ends(), 1);
}

#[test]
fn ctrl_c_at_ones_own_terminal_declines_and_so_does_the_end_of_the_input() {
    for key in ["\x03", "\x04"] {
        let folder = Temp::new();
        let mut asked = AtTerminal::start(&folder, &["ask", "input", "Name?"]);
        asked.sees("Name?");
        asked.types(key);
        assert_eq!(asked.ends(), 5);
    }
}

#[test]
fn the_time_is_up_at_the_terminal_too() {
    let folder = Temp::new();
    let mut asked = AtTerminal::start(&folder, &["ask", "confirm", "Now?", "--timeout", "200ms"]);
    asked.sees("nobody answered within 0.2 s");
    assert_eq!(asked.ends(), 3);
}
