//! The program as a process: started without a terminal and with nobody's home but its own, ended with the test.

use std::ffi::OsString;
use std::io::{Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Condvar, Mutex};

use rustix::process::{Pid, Signal};

use super::temp::Temp;
use super::wait::{PATIENCE, eventually, now};

/// How to start it.
pub(crate) struct Launch {
    folder: Arc<Temp>,
    wrapped: Vec<OsString>,
    arguments: Vec<OsString>,
    environment: Vec<(OsString, OsString)>,
    removed: Vec<&'static str>,
    stdin: Option<Vec<u8>>,
    reading: Reading,
    within: Option<PathBuf>,
}

/// How much of what it says on stdout is read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    All,
    /// all, but nothing before `Collected::go_on`
    WhenAsked,
    /// nothing: there is nobody to write to
    Nothing,
    /// the first line; what follows stays in the pipe
    FirstLine,
    /// the first line; then there is nobody to write to
    FirstLineThenClosed,
}

impl Launch {
    /// `tim` with its first arguments, in a folder of its own.
    pub(crate) fn tim<const N: usize>(arguments: [&str; N]) -> Self {
        Self::tim_in(Arc::new(Temp::new()), arguments)
    }

    /// The same, in a folder that is there already.
    pub(crate) fn tim_in<const N: usize>(folder: Arc<Temp>, arguments: [&str; N]) -> Self {
        Self {
            folder,
            wrapped: ["setsid", "setpriv", "--pdeathsig=KILL"].map(OsString::from).to_vec(),
            arguments: arguments.map(OsString::from).to_vec(),
            environment: Vec::new(),
            removed: Vec::new(),
            stdin: None,
            reading: Reading::All,
            within: None,
        }
    }

    /// In that folder.
    pub(crate) fn within(mut self, folder: PathBuf) -> Self {
        self.within = Some(folder);
        self
    }

    pub(crate) fn reading(mut self, reading: Reading) -> Self {
        self.reading = reading;
        self
    }

    pub(crate) fn arg(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }

    pub(crate) fn env(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Without a variable that is set otherwise.
    pub(crate) fn without(mut self, name: &'static str) -> Self {
        self.removed.push(name);
        self
    }

    /// As a child of whoever listens there.
    pub(crate) fn under(self, socket: &Path) -> Self {
        self.env("TIM_OUTPUT_SOCKET", socket)
    }

    /// With limits, in the words of `prlimit`.
    pub(crate) fn limited(mut self, limit: &str) -> Self {
        self.wrapped.extend(["prlimit".into(), limit.into()]);
        self
    }

    /// By a program that becomes this one, given by its words.
    pub(crate) fn inside(mut self, words: &[String]) -> Self {
        self.wrapped.extend(words.iter().map(OsString::from));
        self
    }

    pub(crate) fn stdin(mut self, text: &str) -> Self {
        self.stdin = Some(text.as_bytes().to_vec());
        self
    }

    pub(crate) fn folder(&self) -> &Arc<Temp> {
        &self.folder
    }

    pub(crate) fn start(mut self) -> Process {
        let text = self.stdin.take();
        let (process, stdin) = self.with(text.is_some());
        if let (Some(text), Some(mut stdin)) = (text, stdin) {
            // It may end before it has read all: then there is nobody to write to.
            std::thread::spawn(move || stdin.write_all(&text).ok());
        }
        process
    }

    /// The same, with a stdin that ends when it is dropped, if it shall have one.
    pub(crate) fn with(self, has_stdin: bool) -> (Process, Option<ChildStdin>) {
        let mut child = self.command(has_stdin).spawn().expect("the program can be started");
        let stdin = child.stdin.take();
        let stdout = Collected::of(child.stdout.take().unwrap(), self.reading);
        let stderr = Collected::of(child.stderr.take().unwrap(), Reading::All);
        (Process { child, stdout, stderr, folder: self.folder }, stdin)
    }

    /// `setsid`, `setpriv` and `prlimit` become the program: it has their process id, no terminal, and does not outlive
    /// the thread of its test, however that ends.
    fn command(&self, has_stdin: bool) -> Command {
        let mut command = Command::new(&self.wrapped[0]);
        command.args(&self.wrapped[1..]).arg(env!("CARGO_BIN_EXE_tim")).args(&self.arguments);
        command.env_clear().env("PATH", "/usr/bin:/bin");
        for (name, folder) in HOMES {
            command.env(name, self.folder.path(folder));
        }
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        for name in &self.removed {
            command.env_remove(name);
        }
        if let Some(folder) = &self.within {
            command.current_dir(folder);
        }
        let stdin = if has_stdin { Stdio::piped() } else { Stdio::null() };
        command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

pub(crate) const HOMES: [(&str, &str); 7] = [
    ("HOME", "home"),
    ("XDG_RUNTIME_DIR", "run"),
    ("XDG_STATE_HOME", "state"),
    ("XDG_CONFIG_HOME", "config"),
    ("XDG_CACHE_HOME", "cache"),
    ("XDG_DATA_HOME", "data"),
    ("TMPDIR", "tmp"),
];

/// A started program.
pub(crate) struct Process {
    child: Child,
    pub(crate) stdout: Collected,
    pub(crate) stderr: Collected,
    folder: Arc<Temp>,
}

impl Process {
    pub(crate) fn pid(&self) -> u32 {
        self.child.id()
    }

    pub(crate) fn folder(&self) -> &Arc<Temp> {
        &self.folder
    }

    /// Sends a signal; it may have ended already.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        rustix::process::kill_process(pid, signal).ok();
    }

    /// Waits for its end.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        let (child, stderr) = (&mut self.child, &self.stderr);
        let what = format!("the end of {}; stderr: {}", child.id(), stderr.text());
        eventually(&what, || child.try_wait().unwrap())
    }

    /// Waits for its end and gives its exit code, and all that it said.
    pub(crate) fn exit(&mut self) -> (Option<i32>, String, String) {
        let code = self.ended().code();
        (code, self.stdout.whole(), self.stderr.whole())
    }

    /// Whether it still runs.
    pub(crate) fn lives(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.child.kill().ok();
        self.child.wait().ok();
    }
}

/// What a process says, read as it comes.
#[derive(Clone)]
pub(crate) struct Collected(Arc<(Mutex<Said>, Condvar)>);

#[derive(Default)]
struct Said {
    bytes: Vec<u8>,
    ended: bool,
    is_wanted: bool,
    /// the pipe that is no longer read, but must stay open
    kept: Option<Box<dyn Read + Send>>,
}

impl Collected {
    fn of(mut pipe: impl Read + Send + 'static, reading: Reading) -> Self {
        let collected = Self(Arc::default());
        let shared = collected.clone();
        std::thread::spawn(move || {
            if reading == Reading::WhenAsked {
                shared.until_wanted();
            }
            if reading == Reading::Nothing {
                drop(pipe);
                return shared.add(&[]);
            }
            let mut piece = [0; 4096];
            loop {
                let length = pipe.read(&mut piece).unwrap_or(0);
                shared.add(&piece[..length]);
                match reading {
                    _ if length == 0 => return,
                    Reading::FirstLine if piece[..length].contains(&b'\n') => {
                        shared.0.0.lock().unwrap().kept = Some(Box::new(pipe));
                        return;
                    }
                    Reading::FirstLineThenClosed if piece[..length].contains(&b'\n') => {
                        drop(pipe);
                        return shared.add(&[]);
                    }
                    _ => {}
                }
            }
        });
        collected
    }

    /// From now on it is read.
    pub(crate) fn go_on(&self) {
        self.0.0.lock().unwrap().is_wanted = true;
        self.0.1.notify_all();
    }

    fn until_wanted(&self) {
        let said = self.0.0.lock().unwrap();
        drop(self.0.1.wait_timeout_while(said, 3 * PATIENCE, |said| !said.is_wanted).unwrap());
    }

    fn add(&self, piece: &[u8]) {
        let mut said = self.0.0.lock().unwrap();
        said.bytes.extend_from_slice(piece);
        said.ended = piece.is_empty();
        self.0.1.notify_all();
    }

    /// What was said so far.
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.0.lock().unwrap().bytes).into_owned()
    }

    /// What was said in all, when the other side has closed.
    pub(crate) fn whole(&self) -> String {
        self.wait("its end", |_, ended| ended.then_some(()));
        self.text()
    }

    /// Waits until something can be seen in what was said; nothing if it ended without.
    pub(crate) fn wait<T>(&self, what: &str, seen: impl Fn(&str, bool) -> Option<T>) -> Option<T> {
        let until = now() + PATIENCE;
        let mut said = self.0.0.lock().unwrap();
        loop {
            let found = seen(&String::from_utf8_lossy(&said.bytes), said.ended);
            if found.is_some() || said.ended {
                return found;
            }
            let left = until.saturating_duration_since(now());
            assert!(!left.is_zero(), "waited {PATIENCE:?} in vain for {what}");
            said = self.0.1.wait_timeout(said, left).unwrap().0;
        }
    }
}
