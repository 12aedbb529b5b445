//! The way up: finds the parent's socket, greets, and says what is at the other end.
//!
//! Owns the connection until somebody takes it over. Never waits longer for a greeting than it is told. Whatever lies at
//! the path, one error says what is the matter, so that the caller can warn once and work on alone.

use std::io;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use codec::frame::Frame;
use codec::json::{IntoOwned as _, Text};
use codec::limits::Limits;
use codec::tunnel::{Down, Hello, Peer, Up, Welcome};
use thiserror::Error;
use tokio::io::AsyncWriteExt as _;
use tokio::net::UnixStream;
use tokio::net::unix::OwnedWriteHalf;
use tokio::time::{Instant, sleep, timeout_at};

use super::incoming::Incoming;
use super::translate::VERSION;
use crate::system::says;

/// How we greet.
#[derive(Debug, Clone)]
pub struct Greeting {
    /// what we are
    pub peer: Peer,
    /// how we would like to be called
    pub label: Option<String>,
    /// how long the parent may take to answer
    pub patience: Duration,
    /// whether the parent may be one of the original, which knows no greeting
    pub plain: Plain,
}

impl Greeting {
    /// How a script greets.
    #[must_use]
    pub fn script(label: &str) -> Self {
        Self { peer: Peer::Script, label: Some(label.to_owned()), patience: PATIENCE, plain: Plain::Never }
    }
}

/// How long a parent may take to answer a greeting.
pub const PATIENCE: Duration = Duration::from_secs(2);

/// Whether to speak as the original does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Plain {
    /// never: who does not answer the greeting is no parent
    Never,
    /// if the greeting is not answered
    IfSilent,
    /// at once, without a greeting
    Always,
}

/// Why there is no parent.
#[derive(Debug, Error)]
pub enum NoParent {
    /// nobody listens
    #[error("nobody listens there ({})", says(.0))]
    Dead(#[source] io::Error),
    /// a process of another user listens
    #[error("it belongs to somebody else (uid {0})")]
    Foreign(u32),
    /// it took the greeting and said nothing
    #[error("no tim answered within {} s", .0.as_secs_f32())]
    Silent(Duration),
    /// it hung up, and said why if it is one of ours
    #[error("it closed the connection{}", .0.as_ref().map(|why| format!(": {why}")).unwrap_or_default())]
    Closed(Option<String>),
}

/// A connection to a parent.
pub struct Parent {
    pub(crate) write: OwnedWriteHalf,
    pub(crate) incoming: Incoming,
    /// what came behind the welcome in the same read
    pub(crate) early: Vec<Frame>,
    /// what the parent said of itself; one of the original says nothing
    pub welcome: Option<Welcome<'static>>,
}

impl Parent {
    /// Finds the parent and greets it.
    pub async fn dial(path: &Path, greeting: &Greeting) -> Result<Self, NoParent> {
        let until = Instant::now() + greeting.patience;
        let stream = connect(path, until).await.map_err(NoParent::Dead)?;
        check_peer(&stream)?;
        let (read, write) = stream.into_split();
        let incoming = Incoming::new(read, Limits::STANDARD.tunnel_line, Rc::default());
        let mut parent = Self { write, incoming, early: Vec::new(), welcome: None };
        if greeting.plain == Plain::Always {
            return Ok(parent);
        }
        match timeout_at(until, parent.greet(greeting)).await {
            Ok(greeted) => greeted.map(|()| parent),
            Err(_) if greeting.plain == Plain::IfSilent => Ok(parent),
            Err(_) => Err(NoParent::Silent(greeting.patience)),
        }
    }

    async fn greet(&mut self, greeting: &Greeting) -> Result<(), NoParent> {
        let hello = Hello {
            label: greeting.label.as_deref().map(Text::new),
            ..Hello::of(VERSION, Text::new(greeting.peer.word()))
        };
        let line = Up::Hello(hello).to_line() + "\n";
        // One that hangs up may have said why before: that is read in any case.
        let _ = self.write.write_all(line.as_bytes()).await;
        while let Some(frames) = self.incoming.next().await.map_err(|_| NoParent::Closed(None))? {
            for frame in frames {
                self.look_for_welcome(frame)?;
            }
            if self.welcome.is_some() {
                return Ok(());
            }
        }
        Err(NoParent::Closed(None))
    }

    /// What comes before the welcome or behind it is kept for later.
    fn look_for_welcome(&mut self, frame: Frame) -> Result<(), NoParent> {
        let said = match &frame {
            Frame::Line(line) => Down::read(line).ok().map(codec::json::IntoOwned::into_owned),
            _ => None,
        };
        match said {
            Some(Down::Welcome(welcome)) if self.welcome.is_none() => {
                self.welcome = Some(welcome.into_owned())
            }
            Some(Down::Goodbye(goodbye)) => {
                let why = goodbye.message.as_ref().unwrap_or(&goodbye.reason);
                return Err(NoParent::Closed(Some(why.get().into_owned())));
            }
            _ => self.early.push(frame),
        }
        Ok(())
    }

    /// Whether the parent is one of the original.
    #[must_use]
    pub const fn is_plain(&self) -> bool {
        self.welcome.is_none()
    }
}

/// How long to wait before another try, if so many wait at the socket that it takes no more.
const BUSY: Duration = Duration::from_millis(10);

async fn connect(path: &Path, until: Instant) -> io::Result<UnixStream> {
    loop {
        match UnixStream::connect(path).await {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock && Instant::now() < until => {
                sleep(BUSY).await;
            }
            connected => return connected,
        }
    }
}

/// What we would ask is not for everybody's eyes.
fn check_peer(stream: &UnixStream) -> Result<(), NoParent> {
    let uid = stream.peer_cred().map_err(NoParent::Dead)?.uid();
    if uid == rustix::process::geteuid().as_raw() { Ok(()) } else { Err(NoParent::Foreign(uid)) }
}
