//! What a hundred agents under one router cost: the memory of tim, and how long an answer from another shell takes.
//!
//! `cargo bench --bench many`. The agents are this very program: each asks one thing after another in the language of Claude
//! Code and reads the answers. They are answered over the control socket, one `answer` at a time; the floor is a server on a
//! socket of its own that replies at once, called in turns with it. What an agent waits from its question to its answer is
//! told too: that is mostly the person's own pace, who looks (`ps`) and answers all that is open in turn.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "a bench looks at the clock and starts what it measures")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const AGENTS: usize = 100;
const EACH: usize = 40;
/// The word by which this program is an agent.
const AGENT: &str = "--verbose";

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments.iter().any(|word| word == AGENT) {
        return agent();
    }
    if arguments.iter().any(|word| word == "--version" || word == "--help") {
        return println!("2.1.325 (Claude Code)");
    }
    let folder = Folder::new();
    let mut tim = start(&folder.0);
    let mut person = Person::at(&control(&folder.0));
    let mut floor = Floor::start(&folder.0);
    let measured = answer_all(&mut person, &mut floor, &tim);
    assert!(tim.wait().unwrap().success());
    measured.print(&folder.0);
}

/// Asks, waits for the answer, and asks again; at the end it writes down how long each took.
fn agent() {
    let stdin = std::io::stdin();
    let (mut lines, mut out) = (stdin.lock().lines(), std::io::stdout());
    let _prompt = lines.next().unwrap().unwrap();
    writeln!(out, r#"{{"type":"system","subtype":"init","session_id":"s"}}"#).unwrap();
    let mut waited = String::new();
    for number in 0..EACH {
        let request = json!({"type": "control_request", "request_id": format!("q{number}"), "request": {
            "subtype": "can_use_tool", "tool_name": "Bash", "input": {"command": format!("echo {number}")},
            "tool_use_id": format!("t{number}")}});
        writeln!(out, "{request}").unwrap();
        out.flush().unwrap();
        let asked = Instant::now();
        let told: Value = serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap();
        waited += &format!("{}\n", asked.elapsed().as_micros());
        assert_eq!(told["response"]["request_id"], format!("q{number}"));
    }
    std::fs::write(format!("waited-{}", std::process::id()), waited).unwrap();
    writeln!(out, r#"{{"type":"result","subtype":"success","is_error":false,"result":"ok","num_turns":1,"session_id":"s"}}"#).unwrap();
    out.flush().unwrap();
    lines.for_each(drop);
}

/// A folder that goes with the bench.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("tim-many-{}", std::process::id()));
        std::fs::create_dir(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// `tim run` of all of them, without a terminal: what they ask waits.
fn start(folder: &Path) -> Child {
    let mut command = Command::new("setsid");
    command.arg(env!("CARGO_BIN_EXE_tim")).args(["run", "--wait", "--output-format", "json", "--claude"]);
    command.arg(std::env::current_exe().unwrap()).args(["-j", &AGENTS.to_string()]);
    for number in 0..AGENTS {
        command.args(["--task", &format!("agent number {number}")]);
    }
    command.env_clear().env("PATH", "/usr/bin:/bin");
    for name in ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"] {
        command.env(name, folder);
    }
    command.current_dir(folder).stdin(Stdio::null()).stdout(Stdio::null()).spawn().unwrap()
}

/// Where it is controlled.
fn control(folder: &Path) -> PathBuf {
    loop {
        let runs = std::fs::read_dir(folder.join("tim")).into_iter().flatten().flatten();
        if let Some(socket) = runs.map(|run| run.path().join("control.sock")).find(|path| path.exists()) {
            return socket;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// One line there, one line back.
struct Line {
    write: UnixStream,
    read: BufReader<UnixStream>,
}

impl Line {
    fn at(socket: &Path) -> Self {
        let write = UnixStream::connect(socket).unwrap();
        Self { read: BufReader::new(write.try_clone().unwrap()), write }
    }

    fn request(&mut self, request: &str) -> String {
        self.write.write_all(request.as_bytes()).unwrap();
        let mut reply = String::new();
        self.read.read_line(&mut reply).unwrap();
        reply
    }
}

type Person = Line;

/// A server that replies at once.
struct Floor(Line);

impl Floor {
    fn start(folder: &Path) -> Self {
        let path = folder.join("floor.sock");
        let listener = UnixListener::bind(&path).unwrap();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut read = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            while read.read_line(&mut line).unwrap_or(0) > 0 {
                let _: Value = serde_json::from_str(&line).unwrap();
                stream.write_all(b"{\"type\":\"ok\"}\n").unwrap();
                line.clear();
            }
        });
        Self(Line::at(&path))
    }
}

#[derive(Default)]
struct Measured {
    answers: Vec<Duration>,
    floor: Vec<Duration>,
    looks: Vec<Duration>,
    /// of tim, in MB
    memory: f64,
}

fn answer_all(person: &mut Person, floor: &mut Floor, tim: &Child) -> Measured {
    let mut measured = Measured::default();
    while measured.answers.len() < AGENTS * EACH {
        let began = Instant::now();
        let ps: Value = serde_json::from_str(&person.request("{\"type\":\"ps\"}\n")).unwrap();
        measured.looks.push(began.elapsed());
        for question in ps["questions"].as_array().unwrap() {
            let key = &question["key"];
            let request = format!("{}\n", json!({"type": "answer", "key": key, "value": {"allow": true}}));
            let began = Instant::now();
            let reply = person.request(&request);
            measured.answers.push(began.elapsed());
            assert!(reply.contains("\"ok\""), "{reply}");
            let began = Instant::now();
            floor.0.request(&request);
            measured.floor.push(began.elapsed());
        }
        if measured.answers.len() > AGENTS * EACH / 2 && measured.memory == 0.0 {
            measured.memory = memory(tim);
        }
    }
    measured
}

fn memory(tim: &Child) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", tim.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse::<f64>().unwrap() / 1_000.0
}

impl Measured {
    fn print(mut self, folder: &Path) {
        let count = self.answers.len();
        println!("{AGENTS} agents, {count} questions, answered one at a time over the control socket");
        println!("memory of tim with all of them at work: {:.1} MB (bound 60)", self.memory);
        row("an answer, from the request to its reply (p99 bound 25 ms)", &mut self.answers);
        row("a server that replies at once", &mut self.floor);
        row("a look at all that is open", &mut self.looks);
        let mut waited: Vec<Duration> = std::fs::read_dir(folder)
            .unwrap()
            .flatten()
            .filter(|entry| entry.file_name().to_string_lossy().starts_with("waited-"))
            .flat_map(|entry| {
                std::fs::read_to_string(entry.path())
                    .unwrap()
                    .lines()
                    .map(|line| Duration::from_micros(line.parse().unwrap()))
                    .collect::<Vec<_>>()
            })
            .collect();
        assert_eq!(waited.len(), count);
        row("an agent, from its question to the answer", &mut waited);
        assert!(self.memory < 60.0, "more than 60 MB");
        assert!(percentile(&self.answers, 99) < Duration::from_millis(25), "p99 over 25 ms");
    }
}

fn row(what: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let ms = |percent| percentile(times, percent).as_secs_f64() * 1_000.0;
    println!("{what}: p50 {:.3} ms, p99 {:.3} ms", ms(50), ms(99));
}

/// Of sorted times.
fn percentile(times: &[Duration], percent: usize) -> Duration {
    times[(times.len() - 1) * percent / 100]
}
