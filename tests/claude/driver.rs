//! A CLI on its stream-json pipes, driven by hand: one object a line in, one object a line out.

use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use rustix::process::{Pid, Signal};
use serde_json::{Value, json};

use crate::claude::{Claude, Slot, environment};
use crate::messages_api::Api;
use crate::support::temp::Temp;
use crate::support::wait::{eventually, now};

/// For a line of the CLI: it may have to start first, beside whatever else this machine does.
const PATIENCE: Duration = Duration::from_secs(40);

const ARGUMENTS: [&str; 8] = [
    "-p",
    "--verbose",
    "--input-format",
    "stream-json",
    "--output-format",
    "stream-json",
    "--permission-prompt-tool",
    "stdio",
];

/// A running CLI. It ends with the test.
pub(crate) struct Session {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Value>,
    seen: Vec<Value>,
    stderr: Option<JoinHandle<String>>,
    folder: Temp,
    _slot: Slot,
}

impl Session {
    /// Starts it in a folder of its own, with a few arguments more than all have.
    pub(crate) fn start(claude: &Claude, api: &Api, arguments: &[&str]) -> Self {
        let slot = Slot::take();
        let folder = Temp::new();
        let mut command = Command::new("setpriv");
        command.arg("--pdeathsig=KILL").arg(&claude.binary).args(ARGUMENTS).args(arguments);
        command.env_clear().envs(environment(&folder, &api.url())).current_dir(folder.folder("work"));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the CLI can be started");
        let lines = parsed(child.stdout.take().unwrap());
        let mut stderr = child.stderr.take().unwrap();
        let stderr = std::thread::spawn(move || {
            let mut text = Vec::new();
            stderr.read_to_end(&mut text).ok();
            String::from_utf8_lossy(&text).into_owned()
        });
        let stdin = child.stdin.take();
        Self { child, stdin, lines, seen: Vec::new(), stderr: Some(stderr), folder, _slot: slot }
    }

    /// A path in the folder in which it runs.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path("work").join(name)
    }

    pub(crate) fn send(&mut self, line: &Value) {
        writeln!(self.stdin.as_mut().expect("stdin is open"), "{line}").expect("the CLI reads");
    }

    /// Says something as the person; gives the message's uuid.
    pub(crate) fn say(&mut self, text: &str) -> String {
        let uuid = uuid::Uuid::new_v4().to_string();
        self.send(&json!({"type": "user", "uuid": uuid, "message": {"role": "user", "content": text}}));
        uuid
    }

    /// Waits for the next line that is as wanted.
    pub(crate) fn wait(&mut self, what: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let until = now() + PATIENCE;
        loop {
            let line = self.lines.recv_timeout(until.saturating_duration_since(now()));
            let Ok(line) = line else { panic!("waited in vain for {what}, after:\n{}", self.transcript()) };
            self.seen.push(line.clone());
            if wanted(&line) {
                return line;
            }
        }
    }

    fn transcript(&self) -> String {
        self.seen.iter().fold(String::new(), |mut text, line| {
            let line: String = line.to_string().chars().take(600).collect();
            writeln!(text, "{line}").unwrap();
            text
        })
    }

    /// The next line of a type.
    pub(crate) fn next(&mut self, kind: &str) -> Value {
        self.wait(kind, |line| line["type"] == kind)
    }

    /// The next system line of a subtype.
    pub(crate) fn system(&mut self, subtype: &str) -> Value {
        self.wait(subtype, |line| line["type"] == "system" && line["subtype"] == subtype)
    }

    /// The next result.
    pub(crate) fn result(&mut self) -> Value {
        self.next("result")
    }

    /// All lines so far.
    pub(crate) fn seen(&self) -> &[Value] {
        &self.seen
    }

    /// How many lines of a type came so far.
    pub(crate) fn count(&self, kind: &str) -> usize {
        self.seen.iter().filter(|line| line["type"] == kind).count()
    }

    /// The next question whether a tool may be used.
    pub(crate) fn question(&mut self) -> Value {
        self.wait("can_use_tool", |line| {
            line["type"] == "control_request" && line["request"]["subtype"] == "can_use_tool"
        })
    }

    pub(crate) fn allow(&mut self, question: &Value) {
        let input = &question["request"]["input"];
        self.reply(question, &json!({"behavior": "allow", "updatedInput": input}));
    }

    pub(crate) fn deny(&mut self, question: &Value, message: &str) {
        self.reply(question, &json!({"behavior": "deny", "message": message}));
    }

    pub(crate) fn reply(&mut self, question: &Value, reply: &Value) {
        let response = json!({"subtype": "success", "request_id": question["request_id"], "response": reply});
        self.send(&json!({"type": "control_response", "response": response}));
    }

    /// Sends the interrupt and waits for its receipt.
    pub(crate) fn interrupt(&mut self) -> Value {
        self.send(
            &json!({"type": "control_request", "request_id": "i1", "request": {"subtype": "interrupt"}}),
        );
        self.wait("the receipt of the interrupt", |line| {
            line["type"] == "control_response" && line["response"]["request_id"] == "i1"
        })
    }

    /// Asks it to end, as a supervisor does.
    pub(crate) fn terminate(&self) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        rustix::process::kill_process(pid, Signal::TERM).unwrap();
    }

    /// Whether it still runs.
    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    /// End of file on its stdin.
    pub(crate) fn close(&mut self) {
        self.stdin = None;
    }

    /// Closes stdin, reads the rest and waits for the exit code.
    pub(crate) fn ended(&mut self) -> Option<i32> {
        self.close();
        let until = now() + PATIENCE;
        while let Ok(line) = self.lines.recv_timeout(until.saturating_duration_since(now())) {
            self.seen.push(line);
        }
        let child = &mut self.child;
        eventually("the end of the CLI", || child.try_wait().unwrap()).code()
    }

    /// What it said on stderr, when it has ended.
    pub(crate) fn stderr(&mut self) -> String {
        self.stderr.take().expect("asked once").join().unwrap()
    }
}

impl Drop for Session {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// Every line of stdout is one JSON object (section 3).
fn parsed(stdout: impl Read + Send + 'static) -> Receiver<Value> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(stdout).lines().map_while(Result::ok) {
            let parsed =
                serde_json::from_str(&line).unwrap_or_else(|_| json!({"type": "NO JSON", "line": line}));
            if sender.send(parsed).is_err() {
                return;
            }
        }
    });
    receiver
}
