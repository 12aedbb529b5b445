//! One side under measurement, as a process with pipes.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use super::floor;

/// Which one.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Floor,
    Tim,
}

impl Side {
    pub(super) const BOTH: [Self; 2] = [Side::Floor, Side::Tim];

    fn command(self, socket: &Path) -> Command {
        match self {
            Side::Floor => {
                let mut command = Command::new(std::env::current_exe().unwrap());
                command.arg(floor::NAME);
                command
            }
            Side::Tim => {
                let mut command = Command::new(binary());
                command.args(["mcp", "serve", "--socket"]).arg(socket);
                command
            }
        }
    }
}

/// The release binary, beside the folder that benches are built into.
fn binary() -> PathBuf {
    let own = std::env::current_exe().unwrap();
    own.parent().and_then(Path::parent).unwrap().join("tim")
}

/// A process that runs. It ends when it is dropped.
pub(super) struct Process {
    began: Instant,
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: BufReader<ChildStdout>,
    last: u64,
    line: String,
}

impl Process {
    pub(super) fn start(side: Side, socket: &Path) -> Self {
        let mut command = side.command(socket);
        command.env_clear().stdin(Stdio::piped()).stdout(Stdio::piped());
        let began = Instant::now();
        let mut child = command.spawn().unwrap();
        let (stdin, stdout) = (child.stdin.take(), BufReader::new(child.stdout.take().unwrap()));
        Self { began, child, stdin, stdout, last: 0, line: String::new() }
    }

    /// How long it took from its start to its reply to `initialize`.
    pub(super) fn first_reply(&mut self) -> Duration {
        let client =
            r#"{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"b","version":"1"}}"#;
        self.trip("initialize", client);
        self.began.elapsed()
    }

    /// How long a call takes.
    pub(super) fn call(&mut self) -> Duration {
        let began = Instant::now();
        let params =
            r#"{"name":"approval_prompt","arguments":{"tool_name":"Bash","input":{"command":"echo"}}}"#;
        self.trip("tools/call", params);
        assert!(self.line.contains("allow"), "{}", self.line);
        began.elapsed()
    }

    fn trip(&mut self, method: &str, params: &str) {
        self.last += 1;
        let line = format!(r#"{{"method":"{method}","params":{params},"jsonrpc":"2.0","id":{}}}"#, self.last);
        self.stdin.as_mut().unwrap().write_all((line + "\n").as_bytes()).unwrap();
        self.line.clear();
        self.stdout.read_line(&mut self.line).unwrap();
        assert!(self.line.contains("result"), "{}", self.line);
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.stdin = None;
        assert!(self.child.wait().unwrap().success());
    }
}
