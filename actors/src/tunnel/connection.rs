//! The actor of one client of our socket.
//!
//! Owns the stream, its place with the router, and what is unsent. It hands on what one read brought and takes no more
//! before the router has it; it understands no line. Ends when the client closes (also only its writing end), when it
//! does not take what it was sent, or when it is told to, and then writes what is left. With it go its place, and by that
//! its questions.

use std::io;
use std::rc::Rc;
use std::time::Duration;

use actix::prelude::*;
use tokio::net::UnixStream;

use crate::messages::{Attach, Frames, Lines};
use crate::router::{AskerId, AskerInfo, Attached, Router};

use super::door::Slot;
use super::incoming::Incoming;
use super::outgoing::{Ended, Outgoing};

/// How long a client may take nothing of what waits for it.
const PATIENCE: Duration = Duration::from_secs(10);

/// The actor of one client.
pub(super) struct Tunnel {
    router: Addr<Router>,
    /// until the router knows the client
    stream: Option<UnixStream>,
    line_limit: usize,
    out: Rc<Outgoing>,
    asker: AskerInfo,
    attached: Option<Attached>,
    /// its place among the connections: given back when the actor is gone, however it went
    slot: Slot,
}

/// Write what is left, and end.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Close;

impl Tunnel {
    pub(super) fn new(
        stream: UnixStream,
        asker: AskerInfo,
        line_limit: usize,
        router: Addr<Router>,
        slot: Slot,
    ) -> Self {
        Self { router, stream: Some(stream), line_limit, out: Rc::default(), asker, attached: None, slot }
    }

    /// The router knows the client: what it says is heard from now on.
    fn begin(&mut self, attached: Attached, ctx: &mut Context<Self>) {
        let Some(stream) = self.stream.take() else { return };
        let (read, write) = stream.into_split();
        let incoming = Incoming::new(read, self.line_limit, self.slot.pool());
        let reading = hand_on(incoming, self.router.clone(), attached.id());
        ctx.spawn(reading.into_actor(self).map(|why, tunnel, ctx| tunnel.end(&why, ctx)));
        let out = Rc::clone(&self.out);
        let writing = async move { out.write_to(&write, Some(PATIENCE)).await };
        ctx.spawn(writing.into_actor(self).map(|ended, tunnel, ctx| tunnel.stopped_writing(&ended, ctx)));
        let AskerInfo { wire, path, pid, .. } = &self.asker;
        tracing::info!(wire, path, client_pid = pid, "a client came");
        self.attached = Some(attached);
    }

    /// What a client said before it went is still heard.
    fn stopped_writing(&mut self, ended: &Ended, ctx: &mut Context<Self>) {
        match ended {
            Ended::Flushed => self.end("told to", ctx),
            Ended::TooSlow => self.end(SLOW, ctx),
            Ended::Gone => {
                self.out.give_up();
                ctx.run_later(PATIENCE, |tunnel, ctx| tunnel.end("gone", ctx));
            }
        }
    }

    fn end(&mut self, why: &str, ctx: &mut Context<Self>) {
        if let Some(attached) = self.attached.take() {
            tracing::info!(wire = self.asker.wire, why, "a client left");
            attached.leave(why);
        }
        ctx.stop();
    }
}

/// Why a client that does not read is closed.
const SLOW: &str = "slow_consumer";

/// Hands on what comes, read by read, until the stream ends; says why it did.
async fn hand_on(mut incoming: Incoming, router: Addr<Router>, asker: AskerId) -> String {
    loop {
        match incoming.next().await {
            Ok(Some(frames)) => {
                if router.send(Frames { asker, frames }).await.is_err() {
                    return "the router is gone".to_owned();
                }
            }
            Ok(None) => return "closed".to_owned(),
            Err(error) if error.kind() == io::ErrorKind::ConnectionReset => return "closed".to_owned(),
            Err(error) => return error.to_string(),
        }
    }
}

impl Actor for Tunnel {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        let attach = Attach { asker: self.asker.clone(), lines: ctx.address().recipient() };
        let attached = self.router.send(attach).into_actor(self);
        // Nothing to do before: no person is waited for here, only the router's mailbox.
        ctx.wait(attached.map(|attached, tunnel, ctx| match attached {
            Ok(attached) => tunnel.begin(attached, ctx),
            Err(_) => ctx.stop(),
        }));
    }
}

impl Handler<Lines> for Tunnel {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, ctx: &mut Self::Context) {
        if self.out.is_too_slow() {
            return self.end(SLOW, ctx);
        }
        for line in &lines {
            self.out.push(line);
        }
    }
}

impl Handler<Close> for Tunnel {
    type Result = ();

    fn handle(&mut self, Close: Close, _: &mut Self::Context) {
        self.out.close();
    }
}
