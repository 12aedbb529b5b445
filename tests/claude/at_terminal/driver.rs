//! A run at a terminal, and all that is around it: the scripted API, the folder, the processes that it starts.

use std::ops::{Deref, DerefMut};
use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::claude::{Claude, Slot, environment};
use crate::messages_api::{Api, Kind, Request, Script, Turn, main};
use crate::pty::{Pty, Start};
use crate::support::process::runs;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

/// `tim run` at a terminal. It ends with the test.
pub(crate) struct Run {
    pty: Pty,
    pub(crate) api: Api,
    folder: Temp,
    claude: Claude,
    _slot: Slot,
}

impl Run {
    /// `tim run` with these arguments.
    pub(crate) fn start(claude: &Claude, script: Script, arguments: &[&str]) -> Self {
        Self::with(claude, script, arguments, |start| start)
    }

    /// The same at another terminal.
    pub(crate) fn with(
        claude: &Claude,
        script: Script,
        arguments: &[&str],
        how: impl FnOnce(Start) -> Start,
    ) -> Self {
        let begin = ["run", "--claude", claude.binary.to_str().unwrap()];
        Self::go(claude, |_| script, |folder| how(Start::tim(folder, &[&begin, arguments].concat())))
    }

    /// The same, with a script that knows where it happens.
    pub(crate) fn at(claude: &Claude, script: impl FnOnce(&Temp) -> Script, arguments: &[&str]) -> Self {
        let begin = ["run", "--claude", claude.binary.to_str().unwrap()];
        Self::go(claude, script, |folder| Start::tim(folder, &[&begin, arguments].concat()))
    }

    /// The same on a screen of that size.
    pub(crate) fn at_size(
        claude: &Claude,
        script: impl FnOnce(&Temp) -> Script,
        arguments: &[&str],
        (columns, rows): (u16, u16),
    ) -> Self {
        let begin = ["run", "--claude", claude.binary.to_str().unwrap()];
        let start = |folder: &Temp| Start::tim(folder, &[&begin, arguments].concat()).size(columns, rows);
        Self::go(claude, script, start)
    }

    /// A shell with these arguments, in which `$TIM` is the program, and the Claude Code that it starts is this one.
    pub(crate) fn in_shell(claude: &Claude, script: Script, arguments: &[&str]) -> Self {
        Self::go(
            claude,
            |_| script,
            |folder| {
                let start = Start::program(folder, "bash", &[&["--norc", "--noprofile"], arguments].concat());
                let start = start.env("TIM", env!("CARGO_BIN_EXE_tim")).env("PS1", "shell> ");
                start.env("TIM_CLAUDE", claude.binary.to_str().unwrap())
            },
        )
    }

    /// Starts what is given, in a folder where everything is ready for it.
    pub(crate) fn go(
        claude: &Claude,
        script: impl FnOnce(&Temp) -> Script,
        start: impl FnOnce(&Temp) -> Start,
    ) -> Self {
        let (slot, folder) = (Slot::take(), Temp::new());
        let api = Api::start(script(&folder));
        folder.folder("work");
        let start = start(&folder);
        Self::begin(claude.clone(), slot, folder, api, start)
    }

    fn begin(claude: Claude, slot: Slot, folder: Temp, api: Api, start: Start) -> Self {
        known(&claude, &folder);
        Self { pty: started(start, &folder, &api), api, folder, claude, _slot: slot }
    }

    /// The next run in the same folder, with a script that knows where it happens.
    pub(crate) fn again(self, script: impl FnOnce(&Temp) -> Script, arguments: &[&str]) -> Self {
        let Self { pty, api, folder, claude, _slot: slot } = self;
        drop((pty, api));
        let api = Api::start(script(&folder));
        let begin = ["run", "--claude", claude.binary.to_str().unwrap()];
        let start = Start::tim(&folder, &[&begin, arguments].concat());
        Self::begin(claude, slot, folder, api, start)
    }

    /// The program once more, in the same folder and with what is left of the script.
    pub(crate) fn once_more(&mut self, arguments: &[&str]) {
        self.pty = started(Start::tim(&self.folder, arguments), &self.folder, &self.api);
    }

    /// A path in the folder in which it works.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path("work").join(name)
    }

    /// Its end: the exit code, the terminal as it was, and nobody left.
    pub(crate) fn ends_with(&mut self, code: u32) {
        assert_eq!(self.pty.ends(), code, "the screen:\n{}", self.pty.picture());
        self.assert_restored();
        self.assert_alone();
        assert!(self.api.unscripted().is_empty(), "{:?}", self.api.unscripted());
        keep(&self.claude, &self.folder);
    }

    /// Nobody is left of what it started.
    pub(crate) fn assert_alone(&self) {
        eventually("the end of all that it started", || self.processes().is_empty().then_some(()));
    }

    /// What runs in its folders, beside it.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let mark = format!("\0TMPDIR={}\0", self.folder.path("tmp").display());
        let is_ours = |pid: &u32| {
            let environment = std::fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            let environment = [b"\0", environment.as_slice()].concat();
            runs(*pid) && environment.windows(mark.len()).any(|part| part == mark.as_bytes())
        };
        let pids = std::fs::read_dir("/proc").unwrap().flatten();
        pids.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).filter(is_ours).collect()
    }

    /// The process of Claude Code.
    pub(crate) fn claude_pid(&self) -> u32 {
        eventually("the process of claude", || {
            let is_it = |pid: &u32| {
                let line = std::fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
                let words: Vec<&[u8]> = line.split(|byte| *byte == 0).collect();
                words.contains(&b"--input-format".as_slice()) && !words.contains(&b"__guard".as_slice())
            };
            self.processes().into_iter().find(is_it)
        })
    }

    /// The request number `number` of the main agent, from 1.
    pub(crate) fn asked(&self, number: usize) -> Request {
        self.api.requests_of(Kind::Main, number).swap_remove(number - 1)
    }

    /// How often the main agent was asked so far.
    pub(crate) fn turns(&self) -> usize {
        self.api.requests().iter().filter(|request| request.kind == Kind::Main).count()
    }

    /// Answers a question whose keys count.
    pub(crate) fn answers(&mut self, keys: &str, key: &str) {
        self.armed(keys);
        self.types(key);
    }

    /// Types a line and sends it.
    pub(crate) fn says(&mut self, line: &str) {
        self.types(line);
        self.sees(&format!("❯ {line}"));
        self.types("\r");
    }

    /// Asserts that texts stand in the history in this order, each once.
    pub(crate) fn assert_told(&self, texts: &[&str]) {
        let rows = self.picture().history();
        let mut from = 0;
        for text in texts {
            let at = rows[from..].iter().position(|row| row.contains(text));
            let at = at.unwrap_or_else(|| panic!("no {text:?} from row {from} on in:\n{}", rows.join("\n")));
            from += at + 1;
        }
    }
}

/// Starts it where everything is ready for it.
fn started(start: Start, folder: &Temp, api: &Api) -> Pty {
    let variables = environment(folder, &api.url()).into_iter();
    let start = start.within(&folder.path("work"));
    variables.fold(start, |start, (name, value)| start.env(name, value.to_str().unwrap())).go()
}

impl Deref for Run {
    type Target = Pty;

    fn deref(&self) -> &Pty {
        &self.pty
    }
}

impl DerefMut for Run {
    fn deref_mut(&mut self) -> &mut Pty {
        &mut self.pty
    }
}

/// What tim found out about each version: the first run of each asks for it, the others need not.
static KNOWN: Mutex<[Option<Vec<u8>>; 2]> = Mutex::new([None, None]);

fn cached(folder: &Temp) -> PathBuf {
    folder.path("cache").join("tim").join("claude")
}

fn known(claude: &Claude, folder: &Temp) {
    if let Some(known) = &KNOWN.lock().unwrap()[claude.version as usize] {
        let file = cached(folder);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(file, known).unwrap();
    }
}

fn keep(claude: &Claude, folder: &Temp) {
    if let Ok(known) = std::fs::read(cached(folder)) {
        KNOWN.lock().unwrap()[claude.version as usize] = Some(known);
    }
}

/// The input of a command.
pub(crate) fn bash(command: &str) -> Value {
    json!({"command": command, "description": "A test"})
}

/// The model wants to run a command, and then says something.
pub(crate) fn command(command: &str, then: &str) -> Script {
    Script::new().turn(main().asked("go").tool("Bash", bash(command))).turn(main().text(then))
}

/// Waits for the test to make the file `go`, and not for ever.
pub(crate) const WAITING: &str = "for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; echo went";

/// The model reads files that lie outside of its folder, all at once; then it says something.
pub(crate) fn reads(folder: &Temp, names: &[&str], then: &str) -> Script {
    let read = |turn: Turn, name: &&str| {
        let file = folder.path("data").join(name);
        std::fs::write(&file, format!("in {name}")).unwrap();
        turn.tool("Read", json!({"file_path": file}))
    };
    Script::new().turn(names.iter().fold(main().asked("go"), read)).turn(main().text(then))
}
