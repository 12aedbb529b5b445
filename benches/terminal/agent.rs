//! What `tim run` costs, each figure beside a floor that is measured in the same run.
//!
//! The agent is a shell script that prints what it is told to.
//! - lines: processor time of tim for a line of the agent, through parsing, routing and the painter, beside parsing alone.
//! - soon: from a line on the agent's stdout to the terminal that has it, beside a pipe and a terminal without tim.
//! - start: a run of an agent that is done at once, beside that agent alone.

use std::fs::File;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use codec::claude::Output;
use portable_pty::CommandBuilder;

use crate::pty::{Terminal, percentiles};

const LINES: usize = 300_000;
const ROUNDS: usize = 400;
const STARTS: usize = 30;

const BEGIN: &str = "#!/bin/sh\ncase \"$1\" in --version) echo 2.1.325; exit;; --help) exit;; esac\n";
const INIT: &str = r#"{"type":"system","subtype":"init","session_id":"s","model":"m"}"#;
const DONE: &str = r#"{"type":"result","subtype":"success","is_error":false,"result":"ok","num_turns":1}"#;

struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tim-bench-agent-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn agent(&self, script: &str) -> PathBuf {
        let path = self.0.join("agent");
        std::fs::write(&path, format!("{BEGIN}{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// `tim run` at a terminal.
    fn at_terminal(&self, agent: &Path) -> Terminal {
        let mut command = CommandBuilder::new(tim());
        command.args(["run", "go", "-k", "--no-journal", "--claude", agent.to_str().unwrap()]);
        command.env_clear();
        for (name, value) in
            [("HOME", self.0.to_str().unwrap()), ("TERM", "xterm-256color"), ("PATH", "/usr/bin:/bin")]
        {
            command.env(name, value);
        }
        Terminal::start(command)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

fn tim() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("target/release/tim")
}

/// Lines as an agent prints them while it writes: pieces of a text, and now and then a tool.
fn line(at: usize) -> String {
    match at % 50 {
        48 => format!(
            r#"{{"type":"assistant","message":{{"id":"m{at}","content":[{{"type":"tool_use","id":"t{at}","name":"Read","input":{{"file_path":"src/a{at}.rs"}}}}]}}}}"#
        ),
        49 => format!(
            r#"{{"type":"user","message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t{}","content":"1 line"}}]}}}}"#,
            at - 1
        ),
        _ => format!(
            r#"{{"type":"stream_event","event":{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":"words {at} of a text "}}}},"session_id":"s","parent_tool_use_id":null,"uuid":"u{at}"}}"#
        ),
    }
}

/// The processor time of a process so far.
fn processor(pid: u32) -> Duration {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split_whitespace().skip(11).take(2);
    Duration::from_millis(fields.map(|ticks| ticks.parse::<u64>().unwrap()).sum::<u64>() * 10)
}

fn lines(folder: &Folder) {
    let text: String = (0..LINES).map(|at| line(at) + "\n").collect();
    std::fs::write(folder.0.join("lines"), &text).unwrap();
    let agent = folder.agent(&format!(
        "read -r line; echo '{INIT}'; cat {}/lines; echo '{DONE}'; cat >/dev/null",
        folder.0.display()
    ));
    let mut terminal = folder.at_terminal(&agent);
    terminal.sees("is done");
    let ours = processor(terminal.pid());
    drop(terminal);
    let began = Instant::now();
    let parsed = text.lines().filter(|line| Output::read(line.as_bytes()).is_ok()).count();
    let floor = began.elapsed();
    assert_eq!(parsed, LINES);
    let each = |time: Duration| time.as_secs_f64() * 1e6 / LINES as f64;
    println!("lines: {LINES} lines of an agent, {} bytes each", text.len() / LINES);
    println!("  parsing alone        {:>6.2} µs of processor a line", each(floor));
    println!("  tim run              {:>6.2} µs of processor a line (at most 10)", each(ours));
}

/// From a line in a pipe to the terminal that has it.
fn rounds(mut terminal: Terminal, pipe: &mut File, line: impl Fn(usize) -> String) -> (Duration, Duration) {
    let times = (0..ROUNDS).map(|at| {
        std::thread::sleep(Duration::from_millis(12));
        let said = Instant::now();
        pipe.write_all(line(at).as_bytes()).unwrap();
        terminal.sees(&format!("word{at}x")).saturating_duration_since(said)
    });
    percentiles(times.collect())
}

fn fifo(folder: &Folder) -> PathBuf {
    let path = folder.0.join("fifo");
    let _ = std::fs::remove_file(&path);
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    path
}

fn soon(folder: &Folder) {
    let path = fifo(folder);
    let mut command = CommandBuilder::new("cat");
    command.arg(&path);
    let terminal = Terminal::start(command);
    let mut pipe = File::create(&path).unwrap();
    let floor = rounds(terminal, &mut pipe, |at| format!("word{at}x\n"));
    drop(pipe);
    let path = fifo(folder);
    let agent = folder.agent(&format!("read -r line; echo '{INIT}'; cat {}; cat >/dev/null", path.display()));
    let terminal = folder.at_terminal(&agent);
    let mut pipe = File::create(&path).unwrap();
    let ours = rounds(terminal, &mut pipe, |at| {
        format!(
            "{{\"type\":\"assistant\",\"message\":{{\"id\":\"m{at}\",\"content\":[{{\"type\":\"text\",\"text\":\"word{at}x\"}}]}}}}\n"
        )
    });
    println!("soon: {ROUNDS} lines, from the agent's stdout to the terminal");
    println!("  cat                  p50 {:>8.2?}   p99 {:>8.2?}", floor.0, floor.1);
    println!("  tim run              p50 {:>8.2?}   p99 {:>8.2?} (at most 1 ms more)", ours.0, ours.1);
}

fn timed(command: &mut Command) -> Duration {
    let began = Instant::now();
    assert!(
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status().unwrap().success()
    );
    began.elapsed()
}

fn start(folder: &Folder) {
    let agent = folder.agent(&format!("echo '{INIT}'; echo '{DONE}'"));
    let run = || {
        let mut command = Command::new("setsid");
        command.args(["--wait"]).arg(tim()).args(["run", "go", "--claude"]).arg(&agent);
        command.env_clear().env("HOME", &folder.0).env("PATH", "/usr/bin:/bin");
        timed(&mut command)
    };
    // The first one finds out what the agent is.
    run();
    let (floor, _) =
        percentiles((0..STARTS).map(|_| timed(Command::new("setsid").arg("--wait").arg(&agent))).collect());
    let (ours, _) = percentiles((0..STARTS).map(|_| run()).collect());
    println!("start: an agent that is done at once, {STARTS} times, with a record");
    println!("  the agent alone      p50 {floor:>8.2?}");
    println!("  tim run              p50 {ours:>8.2?} (at most 15 ms more)");
}

pub(crate) fn measure() {
    let folder = Folder::new();
    lines(&folder);
    soon(&folder);
    start(&folder);
}
