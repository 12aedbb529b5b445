//! The listening end of our socket.
//!
//! Owns the accept loop and the number of connections. Looks at a peer's user before a byte is read. When there are no
//! descriptors left it waits, longer each time, instead of turning in circles. Ends when it is closed; then everybody
//! inside is told to end, with what waits for them.

use std::io;
use std::rc::Rc;
use std::time::Duration;

use actix::prelude::*;
use codec::id::{Label, Path};
use codec::json::Text;
use codec::tunnel::{Down, Goodbye};
use tokio::net::{UnixListener, UnixStream};
use tokio::task::JoinHandle;

use crate::agent::{Kin, Whose};
use crate::dialect::Dialect;
use crate::router::{AskerInfo, Router};

use super::connection::Tunnel;
use super::door::Door;
use super::socket_file::SocketFile;

/// What the door is watched for.
#[derive(Debug, Clone)]
pub struct Bounds {
    /// how many connections there may be
    pub connections: usize,
    /// how many bytes a line may have
    pub line: usize,
    /// whose processes may come in
    pub uid: u32,
}

impl Bounds {
    /// The bounds that tim runs with: its own user, and nobody else.
    #[must_use]
    pub fn standard() -> Self {
        let line = codec::limits::Limits::STANDARD.tunnel_line;
        Self { connections: 1_024, line, uid: rustix::process::geteuid().as_raw() }
    }
}

/// Our socket, open for clients.
pub struct Listener {
    file: SocketFile,
    door: Rc<Door>,
    accepting: JoinHandle<()>,
}

impl Listener {
    /// Lets clients in from now on. `path` is what this tim is called, if it has a name; `kin` knows whom its agents started.
    pub fn open(
        (file, listener): (SocketFile, UnixListener),
        path: Option<Path>,
        kin: Kin,
        bounds: Bounds,
        router: Addr<Router>,
    ) -> Self {
        let door = Rc::new(Door::default());
        let reception = Reception { path, kin, bounds, router, door: Rc::clone(&door), last: 0 };
        Self { file, door, accepting: tokio::task::spawn_local(reception.accept(listener)) }
    }

    /// Where clients find us.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        self.file.path()
    }

    /// The actors of those who are inside, in the order in which they came.
    #[cfg(test)]
    pub(super) fn tunnels(&self) -> Vec<Addr<Tunnel>> {
        self.door.tunnels()
    }

    /// Lets nobody in any more, and gives those who are inside so long to take what waits for them.
    pub async fn close(self, patience: Duration) {
        self.accepting.abort();
        drop(self.file);
        if tokio::time::timeout(patience, self.door.empty()).await.is_err() {
            tracing::warn!(left = self.door.count(), "clients that did not take what was sent to them");
        }
    }
}

/// Whoever stands at the door.
struct Reception {
    path: Option<Path>,
    kin: Kin,
    bounds: Bounds,
    router: Addr<Router>,
    door: Rc<Door>,
    last: u64,
}

impl Reception {
    async fn accept(mut self, listener: UnixListener) {
        let mut pause = Pause::default();
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    pause = Pause::default();
                    self.welcome(stream);
                }
                Err(error) if is_of_one_peer(&error) => {}
                Err(error) => pause.wait(&error).await,
            }
        }
    }

    fn welcome(&mut self, stream: UnixStream) {
        let Ok(peer) = stream.peer_cred() else { return };
        if peer.uid() != self.bounds.uid {
            return tracing::warn!(uid = peer.uid(), "a process of another user was turned away");
        }
        if self.door.count() >= self.bounds.connections {
            return turn_away(&stream, self.bounds.connections);
        }
        self.last += 1;
        let slot = self.door.enter(self.last);
        let below = self.below(peer.pid());
        let asker = AskerInfo {
            wire: format!("tunnel:{}", self.last),
            dialect: Dialect::TUNNEL,
            path: Some(self.first_path(below.as_ref()).to_string()),
            pid: peer.pid().and_then(|pid| u64::try_from(pid).ok()),
            below,
        };
        let tunnel = Tunnel::new(stream, asker, self.bounds.line, self.router.clone(), slot);
        self.door.introduce(self.last, tunnel.start());
    }

    /// By whose name a client is called. One that may be an agent's must not look like a person's own.
    fn below(&self, pid: Option<i32>) -> Option<Path> {
        match self.kin.whose(pid.unwrap_or_default()) {
            Whose::Agents(agent) => Some(agent),
            Whose::Nobodys => None,
            Whose::Unknown => Some(self.child("unknown")),
        }
    }

    /// What a client is called that has not said its name.
    fn first_path(&self, below: Option<&Path>) -> Path {
        let name = format!("client-{}", self.last);
        below.map_or_else(|| self.child(&name), |agent| agent.child(Label::from_any(&name)))
    }

    /// Somebody below us.
    fn child(&self, name: &str) -> Path {
        let label = Label::from_any(name);
        self.path.as_ref().map_or_else(|| Path::root(label.clone()), |own| own.child(label.clone()))
    }
}

/// One line that says why, as far as the peer takes it at once.
fn turn_away(stream: &UnixStream, limit: usize) {
    let message = format!("Too many connections: at most {limit} at a time");
    let goodbye =
        Goodbye { message: Some(Text::new(&message)), ..Goodbye::of(Text::new("too_many_connections")) };
    let line = Down::Goodbye(goodbye).to_line() + "\n";
    let said = stream.try_write(line.as_bytes());
    tracing::warn!(limit, told = said.is_ok(), "a connection too many was turned away");
}

/// An error of the connection that was to be accepted, not of the socket.
fn is_of_one_peer(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::Interrupted)
}

/// How long to wait before the next try: longer each time, up to a second.
#[derive(Default)]
struct Pause(Option<Duration>);

impl Pause {
    async fn wait(&mut self, error: &io::Error) {
        if self.0.is_none() {
            tracing::warn!(%error, "no connection can be accepted for now");
        }
        let pause = self.next();
        tokio::time::sleep(pause).await;
    }

    fn next(&mut self) -> Duration {
        let pause = self.0.map_or(Duration::from_millis(10), |pause| (pause * 2).min(Duration::from_secs(1)));
        self.0 = Some(pause);
        pause
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pause_grows_from_ten_milliseconds_to_a_second() {
        let mut pause = Pause::default();
        let pauses: Vec<u128> = (0..10).map(|_| pause.next().as_millis()).collect();
        assert_eq!(pauses, [10, 20, 40, 80, 160, 320, 640, 1_000, 1_000, 1_000]);
    }
}
