//! One process of the real bash, and how long it may take.
//!
//! Owns the process with its environment, its folders and its end: it starts in an empty environment, with nothing to read
//! and nowhere to write but its own folder and one pipe. It never waits longer than `PATIENCE` for the next text. It ends
//! when it is dropped: the process group that was started here is killed, and no other.

use std::io::Read as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal};

use crate::support::temp::{Temp, all_below};
use crate::support::wait::now;

/// How long one text may take.
const PATIENCE: Duration = Duration::from_secs(8);

/// What is to become of the texts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Purpose {
    Run,
    Parse,
}

/// A bash that works on some texts.
pub(crate) struct Leash {
    child: Child,
    temp: Temp,
    chunks: Receiver<Vec<u8>>,
    unread: Vec<u8>,
    until: Instant,
}

impl Leash {
    /// Starts it. Each text has a folder with two files in it, so that a glob has something to find.
    pub(crate) fn start(texts: &[String], purpose: Purpose) -> Self {
        let temp = Temp::new();
        let mut joined = texts.join("\0").into_bytes();
        joined.push(0);
        std::fs::write(temp.path("texts"), joined).unwrap();
        let folders = temp.folder("folders");
        for index in 0..if purpose == Purpose::Run { texts.len() } else { 0 } {
            let folder = folders.join(index.to_string());
            std::fs::create_dir(&folder).unwrap();
            for name in FILES {
                std::fs::write(folder.join(name), CONTENT).unwrap();
            }
        }
        let mut child = command(&temp, purpose).spawn().expect("bash can be started");
        let chunks = chunks_of(child.stdout.take().unwrap());
        Self { child, temp, chunks, unread: Vec::new(), until: now() + PATIENCE }
    }

    /// The next thing that the driver says; nothing if it has ended or takes too long.
    pub(crate) fn field(&mut self) -> Option<String> {
        loop {
            if let Some(end) = self.unread.iter().position(|byte| *byte == 0) {
                let rest = self.unread.split_off(end + 1);
                let field = std::mem::replace(&mut self.unread, rest);
                return Some(String::from_utf8_lossy(&field[..end]).replace('\x01', "\n"));
            }
            match self.chunks.recv_timeout(self.until.saturating_duration_since(now())) {
                Ok(chunk) => self.unread.extend(chunk),
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => return None,
            }
        }
    }

    /// A new text has begun: it has its own time.
    pub(crate) fn begin_text(&mut self) {
        self.until = now() + PATIENCE;
    }

    /// Whether the folder of a text is no longer as it was.
    pub(crate) fn wrote(&self, index: usize) -> bool {
        let files = all_below(&self.temp.path("folders").join(index.to_string()));
        let is_kept = |file: &PathBuf| std::fs::read(file).is_ok_and(|content| content == CONTENT.as_bytes());
        files.len() != FILES.len() || !files.iter().all(is_kept)
    }
}

impl Drop for Leash {
    fn drop(&mut self) {
        // It leads the group, and is not yet reaped: the number is still its own.
        let group = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        rustix::process::kill_process_group(group, Signal::KILL).ok();
        self.child.wait().ok();
    }
}

const FILES: [&str; 2] = ["x", "zz"];
const CONTENT: &str = "kept\n";

fn command(temp: &Temp, purpose: Purpose) -> Command {
    let what = if purpose == Purpose::Run { "run" } else { "parse" };
    let mut command = Command::new(bash());
    command.args(["--norc", "--noprofile", "-c", include_str!("driver.sh"), "bash"]);
    command.arg(temp.path("texts")).arg(temp.path("folders")).arg(what);
    command.env_clear().env("PATH", "/nonexistent").env("HOME", temp.path("home")).env("LC_ALL", "C.UTF-8");
    command.current_dir(temp.path("folders")).process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command
}

fn bash() -> &'static Path {
    let found = ["/bin/bash", "/usr/bin/bash"].into_iter().map(Path::new).find(|path| path.exists());
    found.expect("bash is needed to see what bash does")
}

/// What comes from a pipe, until its end or until nobody wants it.
fn chunks_of(mut pipe: std::process::ChildStdout) -> Receiver<Vec<u8>> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let mut piece = [0; 8192];
        while let Ok(length @ 1..) = pipe.read(&mut piece) {
            if sender.send(piece[..length].to_vec()).is_err() {
                return;
            }
        }
    });
    receiver
}
