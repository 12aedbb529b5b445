//! Small programs that tim runs for the person: each in a process group of its own, so that it goes with all it started.
//!
//! Owns the child until it has ended. Dropping the future that runs it kills the group.

#[cfg(test)]
pub(crate) mod testing;

use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;

use codec::text::visible;
use rustix::process::{Pid, Signal, kill_process_group};
use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::process::{Child, Command};

/// What a program said, and how it ended.
#[derive(Debug)]
pub(crate) struct Finished {
    /// its exit code or signal
    pub(crate) status: ExitStatus,
    /// what it printed
    pub(crate) stdout: Vec<u8>,
    /// what it complained about
    pub(crate) stderr: Vec<u8>,
}

impl Finished {
    /// How it failed, in one line with its last words.
    pub(crate) fn failure(&self) -> String {
        let how = match self.status.code() {
            Some(code) => format!("exit {code}"),
            None => format!("signal {}", self.status.signal().unwrap_or_default()),
        };
        format!("{how}: {}", tail(&self.stderr))
    }
}

/// The last words of a program.
pub(crate) fn tail(output: &[u8]) -> String {
    let text = String::from_utf8_lossy(output);
    let words: Vec<char> = text.trim().chars().rev().take(TAIL).collect();
    let words: String = words.into_iter().rev().collect();
    if words.is_empty() { "(nothing)".to_owned() } else { visible(&words).into_owned() }
}

/// How many characters of them are shown.
const TAIL: usize = 200;

/// How much of a program's output is kept. More is read and forgotten, so that the program does not hang.
const KEPT: usize = 1 << 20;

/// How long the output of a program that has ended may still come: something it started may hold it open.
const DRAIN: Duration = Duration::from_secs(1);

/// Runs a command line of the person's with some input, and without the variables that are not for it. Dropping the
/// future kills the program and all that it started in its group.
pub(crate) async fn run_shell(line: &str, input: &[u8], without: &[&str]) -> io::Result<Finished> {
    let mut command = Command::new("sh");
    command.arg("-c").arg(line).process_group(0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in without {
        command.env_remove(name);
    }
    let mut group = Group::of(command.spawn()?);
    let Child { stdin, stdout, stderr, .. } = &mut group.child;
    let (stdin, stdout, stderr) = (stdin.take(), stdout.take(), stderr.take());
    let (mut printed, mut complained) = (Vec::new(), Vec::new());
    let talk = async {
        tokio::join!(feed(stdin, input), keep(stdout, &mut printed), keep(stderr, &mut complained));
    };
    let status = {
        tokio::pin!(talk);
        tokio::select! {
            () = &mut talk => group.child.wait().await,
            status = group.child.wait() => {
                // What is not there by then is left out.
                let _ = tokio::time::timeout(DRAIN, talk).await;
                status
            }
        }
    }?;
    Ok(Finished { status, stdout: printed, stderr: complained })
}

/// A program that does not read its input may still know the answer.
async fn feed(stdin: Option<tokio::process::ChildStdin>, input: &[u8]) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(input).await;
    }
}

async fn keep(pipe: Option<impl AsyncRead + Unpin>, kept: &mut Vec<u8>) {
    let Some(mut pipe) = pipe else { return };
    let mut chunk = [0; 8 << 10];
    while let Ok(read @ 1..) = pipe.read(&mut chunk).await {
        let room = KEPT.saturating_sub(kept.len());
        kept.extend_from_slice(chunk.get(..read.min(room)).unwrap_or_default());
    }
}

/// A child and its process group.
struct Group {
    child: Child,
    pid: Option<Pid>,
}

impl Group {
    fn of(child: Child) -> Self {
        let pid = child.id().and_then(|id| i32::try_from(id).ok()).and_then(Pid::from_raw);
        Self { child, pid }
    }
}

impl Drop for Group {
    /// Only a child that was not waited for: until then its number is its own and nobody else's.
    fn drop(&mut self) {
        if let (Some(_), Some(group)) = (self.child.id(), self.pid) {
            // A group that is empty by now is no error worth telling.
            let _ = kill_process_group(group, Signal::KILL);
        }
    }
}
