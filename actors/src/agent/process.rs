//! The process of an agent, behind its guard: started, waited for, ended.
//!
//! Owns the connection to the guard and nothing of what the agent says. Dropping it closes the connection, upon which the
//! guard ends the agent and all that it started; so does whatever ends tim.

mod failure;

use std::ffi::OsString;
use std::io;
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::Stdio;

use rustix::fs::{Access, access};
use rustix::io::Errno;
use tokio::net::UnixStream;
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};

use super::guard::channel;
use super::guard::ending::Order;
use super::guard::processes::kill_tree;
use super::guard::tree::Process;
pub use super::guard::wire::Ended;
use super::guard::wire::Said;
pub use failure::StartFailure;
use failure::shown;

/// What to start, and how.
#[derive(Debug, Clone)]
pub struct Spawn {
    /// our own program, by its full path: it is the guard
    pub guard_program: PathBuf,
    /// the agent
    pub program: OsString,
    /// its arguments
    pub arguments: Vec<OsString>,
    /// the folder that it runs in
    pub folder: PathBuf,
    /// variables that are set for it, or removed
    pub environment: Vec<(OsString, Option<OsString>)>,
}

/// An agent that runs, and the three ways to talk to it.
#[derive(Debug)]
pub struct Running {
    /// what it reads; its end is seen when this is dropped
    pub stdin: ChildStdin,
    /// what it says
    pub stdout: ChildStdout,
    /// what it complains about
    pub stderr: ChildStderr,
    /// the process itself
    pub process: Guarded,
}

impl Spawn {
    /// Starts it. Dropping the future ends what was started.
    ///
    /// # Errors
    /// Says why it cannot be started, and what to do.
    pub async fn start(&self) -> Result<Running, StartFailure> {
        self.start_known(|_| ()).await
    }

    /// The same; the guard's number is told before the agent runs.
    ///
    /// # Errors
    /// Says why it cannot be started, and what to do.
    pub async fn start_known(&self, knows: impl FnOnce(u32)) -> Result<Running, StartFailure> {
        self.enter()?;
        let of_guard = |error: io::Error| StartFailure::of_guard(&error, &self.program);
        let (read, write) = io::pipe().map_err(of_guard)?;
        let stdin = ChildStdin::from_std(OwnedFd::from(write).into()).map_err(of_guard)?;
        let (ours, guards) = channel::pair(&read.into()).map_err(of_guard)?;
        let mut child = self.guard(guards.into()).map_err(of_guard)?;
        if let Some(guard) = child.id() {
            knows(guard);
        }
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let (Some(stdout), Some(stderr)) = (stdout, stderr) else { return Err(of_guard(lost())) };
        let mut voice =
            Voice { connection: UnixStream::from_std(ours).map_err(of_guard)?, heard: Vec::new() };
        let agent = match voice.next().await {
            Some(Said::Started { pid, start }) => Process { pid, parent: 0, start },
            Some(Said::Failed(error)) => return Err(self.failed(error)),
            Some(Said::Ended(_)) | None => return Err(of_guard(lost())),
        };
        Ok(Running { stdin, stdout, stderr, process: Guarded { voice, child, agent, ended: None } })
    }

    /// The system's error for a missing folder is that for a missing program: looked at before.
    fn enter(&self) -> Result<(), StartFailure> {
        let failed = |why: &str| Err(StartFailure::folder(&self.folder, why));
        match access(&self.folder, Access::EXEC_OK) {
            Err(Errno::NOENT) => failed("there is no such folder"),
            Err(error) => failed(&error.to_string()),
            Ok(()) if !self.folder.is_dir() => failed("it is no folder"),
            Ok(()) => Ok(()),
        }
    }

    fn guard(&self, connection: OwnedFd) -> io::Result<Child> {
        let mut command = Command::new(&self.guard_program);
        command.arg(super::guard::NAME).arg("--").arg(&self.program).args(&self.arguments);
        command.current_dir(&self.folder).stdin(Stdio::from(connection));
        // A group of its own from the very start: no key of the terminal reaches it.
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
        for (name, value) in &self.environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.spawn()
    }

    fn failed(&self, error: i32) -> StartFailure {
        let is_path = self.program.as_encoded_bytes().contains(&b'/');
        let exists = is_path && self.folder.join(&self.program).exists();
        match error {
            0 => {
                StartFailure::Other(shown(&self.program), "an argument or a variable holds a zero".to_owned())
            }
            error => StartFailure::of(Errno::from_raw_os_error(error), &self.program, exists),
        }
    }
}

fn lost() -> io::Error {
    io::Error::other("it ended before the agent was started")
}

/// The process of an agent.
#[derive(Debug)]
pub struct Guarded {
    voice: Voice,
    child: Child,
    agent: Process,
    ended: Option<Ended>,
}

impl Guarded {
    /// The number of the agent's process.
    #[must_use]
    pub fn agent_pid(&self) -> u32 {
        self.agent.pid.unsigned_abs()
    }

    /// The number of its guard's, as long as that is there.
    #[must_use]
    pub fn guard_pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Waits for the agent's end, which is known at once: what it left behind may take longer. May be dropped and called
    /// again.
    pub async fn wait(&mut self) -> Ended {
        if let Some(ended) = self.ended {
            return ended;
        }
        let ended = match self.voice.next().await {
            Some(Said::Ended(ended)) => ended,
            // Nobody guards it any more. It must not go on unguarded.
            _ => {
                kill_tree(self.agent);
                Ended::Unknown
            }
        };
        self.ended = Some(ended);
        ended
    }

    /// Waits until also all that the agent started is gone. May be dropped and called again.
    pub async fn gone(&mut self) -> Ended {
        let ended = self.wait().await;
        // It has ended, or its end cannot be seen: there is nobody to tell.
        let _ = self.child.wait().await;
        ended
    }

    /// Asks the agent and all that it started to end; whoever has not after 5 s is killed.
    pub fn terminate(&self) {
        self.order(Order::Terminate);
    }

    /// Kills the agent and all that it started.
    pub fn kill(&self) {
        self.order(Order::Kill);
    }

    fn order(&self, order: Order) {
        channel::say(&self.voice.connection, &[order.byte()]);
    }
}

/// What the guard says.
#[derive(Debug)]
struct Voice {
    connection: UnixStream,
    heard: Vec<u8>,
}

impl Voice {
    /// The next thing that it says; none when it has ended, or cannot be understood. Nothing is lost if this is dropped.
    async fn next(&mut self) -> Option<Said> {
        loop {
            if let Some(end) = self.heard.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = self.heard.drain(..=end).collect();
                return Said::read(std::str::from_utf8(&line).ok()?.trim_end());
            }
            self.connection.readable().await.ok()?;
            let mut bytes = [0; 256];
            match self.connection.try_read(&mut bytes) {
                Ok(read @ 1..) => self.heard.extend_from_slice(bytes.get(..read)?),
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                _ => return None,
            }
        }
    }
}
