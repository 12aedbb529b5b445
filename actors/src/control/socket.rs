//! The listening end of the control socket, and its connections.
//!
//! Owns the accept loop and one task for each connection, which reads a line, has it carried out, writes the reply, and
//! only then reads on. Looks at who a peer is before a byte is read. Ends when it is closed; a connection also when its
//! peer closes it or does not take its reply.

use std::rc::Rc;
use std::time::Duration;

use actix::{Actor as _, Addr};
use codec::control::{LONGEST, Reply};
use codec::tunnel::Peer;
use tokio::io::AsyncWriteExt as _;
use tokio::net::{UnixListener, UnixStream};
use tokio::task::{JoinHandle, JoinSet};

use crate::agent::guard::processes;
use crate::messages::{AreYouSeated, Look};
use crate::ports::Agents;
use crate::router::Router;
use crate::tunnel::{Incoming, Pool, SocketFile};

use super::ancestry::{Refused, guests, judge, look};
use super::desk::ControlDesk;
use super::requests::Run;
use super::status::Identity;

/// How many connections there may be.
const MOST: usize = 64;

/// How long a peer may take for its reply.
const PATIENCE: Duration = Duration::from_secs(10);

/// How long to wait when no connection can be accepted: there are no descriptors left.
const PAUSE: Duration = Duration::from_millis(200);

/// The control socket, open.
pub struct Control {
    file: SocketFile,
    accepting: JoinHandle<()>,
}

impl Control {
    /// Lets those in from now on who may control the run. With `counts`, questions wait for them where nobody else can
    /// answer. Comes back when the desk can be asked.
    pub async fn open(
        (file, listener): (SocketFile, UnixListener),
        identity: Identity,
        router: Addr<Router>,
        agents: Rc<dyn Agents>,
        counts: bool,
    ) -> Self {
        let desk = ControlDesk::new(router.clone(), counts).start();
        // One that is gone by then will never be seated.
        let _ = desk.send(AreYouSeated).await;
        let run = Run { identity: Rc::new(identity), router, desk, agents };
        Self { file, accepting: tokio::task::spawn_local(accept(listener, run)) }
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &std::path::Path {
        self.file.path()
    }
}

impl Drop for Control {
    /// Nobody is let in any more, and whoever is inside is closed; the desk goes with its last address.
    fn drop(&mut self) {
        self.accepting.abort();
    }
}

async fn accept(listener: UnixListener, run: Run) {
    let (mut inside, pool) = (JoinSet::new(), Rc::<Pool>::default());
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = inside.join_next() => continue,
        };
        match accepted {
            Ok((stream, _)) => match is_welcome(&stream, &guests_of(&run).await, inside.len()) {
                Ok(()) => drop(inside.spawn_local(serve(stream, run.clone(), Rc::clone(&pool)))),
                Err(why) => turn_away(&stream, &why),
            },
            Err(error) => {
                tracing::warn!(%error, "no control connection can be accepted for now");
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
}

/// The agents that somebody started by hand and that ask here, by their bridges.
async fn guests_of(run: &Run) -> Vec<i32> {
    let picture = run.router.send(Look).await;
    let askers = picture.map(|picture| picture.askers).unwrap_or_default();
    let bridges = askers.into_iter().filter(|asker| asker.what == Peer::Bridge.word());
    let mut guests = guests(bridges.filter_map(|bridge| i32::try_from(bridge.pid?).ok()), look);
    // Whoever adopted a bridge that lost its parent may be above everybody.
    guests.retain(|guest| !processes::is_above(*guest, std::process::id().cast_signed()));
    guests
}

/// Whether somebody may come in; if not, what they are told.
fn is_welcome(stream: &UnixStream, guests: &[i32], inside: usize) -> Result<(), Reply<'static>> {
    let refused = |why: Refused| Reply::failure("refused", &why.to_string());
    let peer = stream.peer_cred().map_err(|_| refused(Refused::Unknown))?;
    let own = i32::try_from(std::process::id()).map_err(|_| refused(Refused::Unknown))?;
    let own_uid = rustix::process::geteuid().as_raw();
    judge((peer.uid(), peer.pid()), (own_uid, own), guests, look).map_err(refused)?;
    match inside {
        0..MOST => Ok(()),
        _ => Err(Reply::failure("busy", &format!("too many connections: at most {MOST} at a time"))),
    }
}

/// One line that says why, as far as the peer takes it at once.
fn turn_away(stream: &UnixStream, why: &Reply<'static>) {
    let line = why.to_line() + "\n";
    let said = stream.try_write(line.as_bytes());
    tracing::warn!(%line, told = said.is_ok(), "somebody at the control socket was turned away");
}

/// One connection, until its peer has enough.
async fn serve(stream: UnixStream, run: Run, pool: Rc<Pool>) {
    let pid = stream.peer_cred().ok().and_then(|peer| peer.pid());
    tracing::info!(client_pid = pid, "somebody came to the control socket");
    let (read, mut write) = stream.into_split();
    let mut incoming = Incoming::new(read, LONGEST, pool);
    while let Ok(Some(frames)) = incoming.next().await {
        for frame in &frames {
            let line = run.reply(frame).await.to_line() + "\n";
            let written = tokio::time::timeout(PATIENCE, write.write_all(line.as_bytes())).await;
            if !matches!(written, Ok(Ok(()))) {
                return;
            }
        }
    }
}
