//! A service with a person at its terminal, and whoever asks there.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::process::{Command, Output};
use std::thread::JoinHandle;

use serde_json::{Value, json};

use crate::pty::{Pty, Start};
use crate::support::client::Client;
use crate::support::temp::Temp;
use crate::support::wire::is;

/// `tim serve` at a terminal.
pub(crate) struct Seat {
    pty: Pty,
    socket: PathBuf,
    folder: Temp,
}

impl Seat {
    /// A service that is ready.
    pub(crate) fn new() -> Self {
        Self::with(&[], |start| start)
    }

    /// The same, with more arguments and another terminal.
    pub(crate) fn with(arguments: &[&str], how: impl FnOnce(Start) -> Start) -> Self {
        let seat = Self::unseen(arguments, how);
        seat.saw("Type a mess");
        seat
    }

    /// The same, at a terminal that does not show whether it is ready.
    pub(crate) fn unseen(arguments: &[&str], how: impl FnOnce(Start) -> Start) -> Self {
        let folder = Temp::new();
        let socket = folder.path("s");
        let begin = ["serve", "--socket", socket.to_str().unwrap()];
        let pty = how(Start::tim(&folder, &[&begin, arguments].concat())).go();
        Self { pty, socket, folder }
    }

    pub(crate) fn folder(&self) -> &Temp {
        &self.folder
    }

    pub(crate) fn socket(&self) -> &std::path::Path {
        &self.socket
    }

    /// A program that asks and hears no lines.
    pub(crate) fn script(&self, label: &str) -> Client {
        Client::greet(&self.socket, "script", label).0
    }

    /// An agent that hears lines.
    pub(crate) fn agent(&self, label: &str) -> Client {
        let agent = Client::greet(&self.socket, "tim", label).0;
        self.until("an agent that listens", |picture| picture.has("listen"));
        agent
    }

    /// `tim ask`, somewhere below.
    pub(crate) fn ask(&self, arguments: &[&str]) -> JoinHandle<Output> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
        command.arg("ask").args(arguments).args(["--label", "deploy"]);
        command.env_clear().env("TIM_OUTPUT_SOCKET", &self.socket);
        std::thread::spawn(move || command.output().unwrap())
    }

    /// Types when the keys of the question count.
    pub(crate) fn answers(&mut self, armed: &str, keys: &str) {
        self.pty.armed(armed);
        self.pty.types(keys);
    }

    /// Ends it as a person does.
    pub(crate) fn leaves(&mut self) -> u32 {
        self.types("\x03");
        self.sees("again within 2 s");
        self.types("\x03");
        self.ends()
    }
}

impl Deref for Seat {
    type Target = Pty;

    fn deref(&self) -> &Pty {
        &self.pty
    }
}

impl DerefMut for Seat {
    fn deref_mut(&mut self) -> &mut Pty {
        &mut self.pty
    }
}

/// What `tim ask` printed, and how it ended.
pub(crate) fn answer(asked: JoinHandle<Output>) -> (String, Option<i32>) {
    let output = asked.join().unwrap();
    (String::from_utf8(output.stdout).unwrap(), output.status.code())
}

/// Waits until a person sees the question.
pub(crate) fn shown(client: &mut Client, id: &str) {
    client.take(&format!("that {id:?} is shown"), |line| is(line, "prompt_shown") && line["requestId"] == id);
}

/// The next line that was typed, as an agent hears it.
pub(crate) fn hears(client: &mut Client) -> String {
    let line: Value = client.take("a line that was typed", |line| is(line, "user_input"));
    line["content"].as_str().unwrap().to_owned()
}

/// A question of a person, as Claude's tool asks it.
pub(crate) fn choice_of(names: &[&str]) -> Value {
    let choices: Vec<Value> = names.iter().map(|name| json!({"name": name, "value": name})).collect();
    json!({"message": "Which one?", "choices": choices})
}
