//! A guard: the process between tim and one agent that ends with the agent and all that it started, however tim ends.
//!
//! Owns every descendant: whoever loses its parent becomes its child, so nobody is left when it has no child. Never reads
//! or writes what agent and tim say to each other. Ends when nobody is left: after the agent's own end, an order, a
//! signal, or the end of tim, which closes the connection also when it is killed.

pub(crate) mod channel;
pub(crate) mod ending;
pub(crate) mod processes;
pub(crate) mod tree;
pub(crate) mod wire;

use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io;
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::time::Duration;

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, WaitOptions, WaitStatus, getpgid, getpid, getppid, kill_process, pidfd_open,
    set_child_subreaper, setpgid, setsid, wait,
};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use tokio::net::UnixStream;
use tokio::signal::unix::{SignalKind, signal};
use tokio::time::Instant;

use ending::{Act, Ending, Order};
use tree::{Asked, descendants};
use wire::{Ended, Said};

/// How often the own children are killed before others get the processor: whoever forks and ends in turn is outrun only so.
const ROUNDS: usize = 50;

/// How long to wait where nothing but an event matters.
const LONG: Duration = Duration::from_hours(1);

/// What a guard is called on its command line, behind the program's own name.
pub(crate) const NAME: &str = "__guard";

/// The word behind a program's own name, of the words with which it was started.
pub(crate) fn second_word(words: &[u8]) -> Option<&[u8]> {
    words.split(|byte| *byte == 0).nth(1)
}

/// Whether these are the words of a guard.
pub(crate) fn is_guard(words: &[u8]) -> bool {
    second_word(words) == Some(NAME.as_bytes())
}

/// Whether a guard could do its work here, by doing what it does first to this very process, which it harms not: to be the
/// one to whom orphans go, and to find a process. Whether one can be held by a handle is told; without it works too.
///
/// # Errors
/// Says what the system refuses.
pub fn can_work() -> io::Result<bool> {
    set_child_subreaper(Some(getpid()))?;
    let own = processes::one(getpid().as_raw_nonzero().get());
    own.ok_or_else(|| io::Error::other("/proc does not show processes"))?;
    Ok(pidfd_open(getpid(), PidfdFlags::empty()).is_ok())
}

/// Guards a program until nobody of it is left. `signalled` ends when somebody signals the guard to end. The exit code is
/// that of the program, as a shell shows it.
///
/// # Errors
/// If this process was not started by tim, or the system refuses what a guard needs. Then nothing was started.
pub async fn run(
    program: &OsStr,
    arguments: &[OsString],
    signalled: impl Future<Output = ()>,
) -> io::Result<u8> {
    let (connection, stdin) = channel::receive()?;
    let connection = UnixStream::from_std(connection)?;
    let mut children = signal(SignalKind::child())?;
    stand_alone()?;
    match start(program, arguments, stdin) {
        Ok(agent) => {
            let mut guard = Guard::of(agent, connection);
            guard.watch(signalled, &mut children).await;
            Ok(guard.ended.unwrap_or(Ended::Unknown).shell_code())
        }
        Err(error) => {
            let number = error.raw_os_error().unwrap_or_default();
            channel::say(&connection, Said::Failed(number).line().as_bytes());
            Ok(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 })
        }
    }
}

/// Out of reach of the terminal's keys, and the one to whom orphans go.
fn stand_alone() -> io::Result<()> {
    set_child_subreaper(Some(getpid()))?;
    // tim starts us as the leader of a group, and a leader cannot open a session: it steps back for a moment. In a group
    // alone we are out of reach as well, but could be stopped by an agent that reads the terminal.
    if let Ok(theirs) = getpgid(getppid()) {
        let _ = setpgid(None, Some(theirs));
    }
    if setsid().is_err() {
        let _ = setpgid(None, None);
    }
    Ok(())
}

/// Starts the program, and lets go of what is its own: as long as we hold it, nobody sees its end.
fn start(program: &OsStr, arguments: &[OsString], stdin: OwnedFd) -> io::Result<Pid> {
    let nothing = OpenOptions::new().read(true).write(true).open("/dev/null")?;
    #[expect(clippy::disallowed_methods, reason = "this is the guard")]
    let mut command = Command::new(program);
    let child = command.args(arguments).stdin(Stdio::from(stdin)).spawn()?;
    drop(command);
    // From here on it runs, and must be guarded whatever else fails.
    let _ = (dup2_stdin(&nothing), dup2_stdout(&nothing), dup2_stderr(&nothing));
    i32::try_from(child.id()).ok().and_then(Pid::from_raw).ok_or_else(|| io::ErrorKind::Other.into())
}

/// What a guard keeps in mind.
struct Guard {
    agent: Pid,
    connection: UnixStream,
    /// tim is there
    is_held: bool,
    ended: Option<Ended>,
    ending: Ending,
    asked: Asked,
    began: Instant,
}

impl Guard {
    fn of(agent: Pid, connection: UnixStream) -> Self {
        let pid = agent.as_raw_nonzero().get();
        // Not reaped yet, so it is there, even if it has ended.
        let start = processes::one(pid).map_or(0, |process| process.start);
        channel::say(&connection, Said::Started { pid, start }.line().as_bytes());
        Self {
            agent,
            connection,
            is_held: true,
            ended: None,
            ending: Ending::new(),
            asked: Asked::default(),
            began: Instant::now(),
        }
    }

    /// Until nobody is left.
    async fn watch(
        &mut self,
        signalled: impl Future<Output = ()>,
        children: &mut tokio::signal::unix::Signal,
    ) {
        tokio::pin!(signalled);
        let mut is_signalled = false;
        while !self.reap() {
            let (act, again) = self.ending.step(self.began.elapsed());
            if self.carry_out(act) {
                return;
            }
            tokio::select! {
                _ = children.recv() => {}
                order = next_order(&self.connection), if self.is_held => self.hear(order),
                () = &mut signalled, if !is_signalled => {
                    is_signalled = true;
                    self.order(Order::Terminate);
                }
                () = tokio::time::sleep(again.unwrap_or(LONG)) => {}
            }
        }
    }

    fn order(&mut self, order: Order) {
        self.ending.order(order, self.began.elapsed());
    }

    /// What tim wants; none if it is gone.
    fn hear(&mut self, order: Option<Order>) {
        self.is_held = order.is_some();
        self.order(order.unwrap_or(Order::Terminate));
    }

    /// Takes in all who have ended. Whether nobody is left.
    fn reap(&mut self) -> bool {
        loop {
            match wait(WaitOptions::NOHANG) {
                Ok(Some((pid, status))) if pid == self.agent => self.agent_ended(status),
                Ok(Some(_)) | Err(Errno::INTR) => {}
                Ok(None) => return false,
                Err(_) => return true,
            }
        }
    }

    /// tim hears at once how; what the agent leaves behind has to go too.
    fn agent_ended(&mut self, status: WaitStatus) {
        let ended = match (status.exit_status(), status.terminating_signal()) {
            (Some(code), _) => Ended::Code(code),
            (_, Some(signal)) => Ended::Signal(signal),
            _ => Ended::Unknown,
        };
        self.ended = Some(ended);
        channel::say(&self.connection, Said::Ended(ended).line().as_bytes());
        self.order(Order::Terminate);
    }

    /// Whether there is nothing more to do.
    fn carry_out(&mut self, act: Act) -> bool {
        match act {
            Act::Nothing => false,
            Act::Terminate => {
                self.terminate();
                false
            }
            Act::Kill => self.kill(),
            Act::GiveUp => true,
        }
    }

    fn terminate(&mut self) {
        for process in self.asked.fresh(below()) {
            processes::signal(process, Signal::TERM);
            // Whoever is stopped would not hear it.
            processes::signal(process, Signal::CONT);
        }
    }

    /// Kills everybody whom a look finds; then the own children, to whom all others are added as their parents end. Whether
    /// nobody is left.
    fn kill(&mut self) -> bool {
        for process in below() {
            processes::signal(process, Signal::KILL);
        }
        (0..ROUNDS).any(|_| {
            for child in processes::own() {
                // It keeps its number until we take it in.
                let _ = kill_process(child, Signal::KILL);
            }
            self.reap()
        })
    }
}

/// All who descend from this process.
fn below() -> Vec<tree::Process> {
    descendants(getpid().as_raw_nonzero().get(), &processes::all())
}

/// The next order, or none if nobody is there to give one.
async fn next_order(connection: &UnixStream) -> Option<Order> {
    loop {
        connection.readable().await.ok()?;
        let mut byte = [0];
        match connection.try_read(&mut byte) {
            Ok(1..) => return Some(Order::of(byte[0])),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_guard;

    #[test]
    fn a_guard_is_known_by_its_second_word_alone() {
        assert!(is_guard(b"/usr/bin/tim\0__guard\0--\0claude\0"));
        assert!(is_guard(b"renamed\0__guard"));
        for other in
            [&b""[..], b"tim\0run\0", b"tim\0run\0__guard\0", b"sh\0-c\0tim __guard\0", b"__guard\0x"]
        {
            assert!(!is_guard(other), "{}", String::from_utf8_lossy(other));
        }
    }
}
