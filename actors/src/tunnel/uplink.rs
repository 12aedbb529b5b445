//! The actor of the way up: the parent as a desk.
//!
//! Owns the connection to the parent. Forwards every question at once and decides nothing: what the parent's words mean
//! is in [`Upstream`]. Has no write deadline: a parent that somebody stopped is not a dead one. Questions never wait
//! behind output, which is dropped and counted if the parent does not read. Ends when the parent hangs up; then all that
//! only the parent could have answered ends as disconnected.

use std::rc::Rc;
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use codec::frame::Frame;
use codec::id::Key;
use codec::journal::Direction;
use codec::tunnel::{AnswerSource, UserInput};
use tokio::sync::oneshot;

use crate::desk::{Desk, Place, sit_down};
use crate::end::End;
use crate::messages::{AreYouSeated, DeskMail, NoteLine, Typed};
use crate::router::{DeskInfo, News, Router, Said};

use super::incoming::Incoming;
use super::outgoing::{Ended, Outgoing};
use super::parent::Parent;
use super::relay::Relay;
use super::upstream::{Upstream, Word};

/// How long what the parent said last may take to be heard when it takes nothing any more.
const GRACE: Duration = Duration::from_secs(1);

/// What the wire and the desk are called on record.
const WIRE: &str = "up";

/// The actor of the way up.
pub struct Uplink {
    place: Place,
    parent: Option<Parent>,
    out: Rc<Outgoing>,
    upstream: Upstream,
    /// dropped when the parent is lost
    _alive: oneshot::Sender<()>,
}

/// Let go of the parent: write what is left, and end.
#[derive(Message)]
#[rtype(result = "()")]
pub struct HangUp;

/// What one read brought from the parent.
#[derive(Message)]
#[rtype(result = "()")]
struct FromParent(Vec<Frame>);

/// The way for reports to a parent, before there is anybody who reports. Hand it to [`Uplink::start_with`].
#[must_use]
pub fn relay_to(parent: &Parent) -> Relay {
    Relay { out: Rc::default(), is_plain: parent.is_plain() }
}

impl Uplink {
    /// Seats the parent as a desk. What comes back ends when the parent is lost.
    pub fn start_with(
        parent: Parent,
        relay: &Relay,
        began_unix_ms: u64,
        router: Addr<Router>,
    ) -> (Addr<Self>, oneshot::Receiver<()>) {
        let (alive, lost) = oneshot::channel();
        let uplink = Self {
            place: Place::with(router),
            upstream: Upstream::new(parent.is_plain(), began_unix_ms),
            parent: Some(parent),
            out: Rc::clone(&relay.out),
            _alive: alive,
        };
        (uplink.start(), lost)
    }

    /// What the parent has said by the time that it cannot be written to any more is still heard.
    fn stopped_writing(&mut self, ended: &Ended, ctx: &mut Context<Self>) {
        if *ended == Ended::Flushed {
            return self.end("told to", ctx);
        }
        self.out.give_up();
        ctx.run_later(GRACE, |uplink, ctx| uplink.end("gone", ctx));
    }

    fn end(&mut self, why: &str, ctx: &mut Context<Self>) {
        tracing::info!(why, "the connection to the parent is over");
        self.out.give_up();
        self.place.leave(why);
        ctx.stop();
    }

    /// Asks the parent, on record. Until it is on its way the question can be taken back without a word.
    fn ask(&self, key: &Key, line: String) {
        self.note(Direction::To, Bytes::copy_from_slice(line.as_bytes()), None);
        self.out.ask(key.number, line);
    }

    fn take_back(&mut self, key: &Key, end: &End) {
        let Some(line) = self.upstream.withdrawn(key, end) else { return };
        if let (false, Some(line)) = (self.out.retract(key.number), line) {
            self.out.push(line.as_bytes());
            self.note(Direction::To, Bytes::from(line), None);
        }
    }

    fn note(&self, dir: Direction, line: Bytes, length: Option<usize>) {
        self.place.tell(NoteLine { wire: WIRE, dir, line, length });
    }

    fn heard(&mut self, frame: &Frame) {
        match frame {
            Frame::Line(line) => self.note(Direction::From, line.clone(), None),
            Frame::Oversized(over) => self.note(Direction::From, over.head.clone(), Some(over.length)),
            Frame::Torn { .. } => {}
        }
        match self.upstream.hear(frame) {
            Word::Said(key, said) => self.place.say(key, said),
            Word::Ask(key, line) => self.ask(&key, line),
            Word::Typed(input) => self.typed(&input),
            Word::Goodbye(why) => tracing::warn!(why, "the parent says goodbye"),
            Word::Nothing(None) => {}
            Word::Nothing(Some(why)) => tracing::warn!(why, "a line of the parent was dropped"),
        }
    }

    fn typed(&self, input: &UserInput<'_>) {
        self.place.tell(Typed {
            text: input.content.get().into_owned(),
            to: input.to.as_ref().map(|to| to.0.clone()),
            input_id: input.input_id.as_ref().map(|id| id.0.get().into_owned()),
            ..Typed::default()
        });
    }
}

/// Hands on what comes, read by read, until the parent hangs up.
async fn hand_on(mut incoming: Incoming, early: Vec<Frame>, uplink: Addr<Uplink>) {
    let mut next = Some(early);
    while let Some(frames) = next {
        if uplink.send(FromParent(frames)).await.is_err() {
            return;
        }
        next = incoming.next().await.unwrap_or_default();
    }
}

impl Actor for Uplink {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        sit_down(self, DeskInfo::new(WIRE, AnswerSource::Parent), ctx);
    }
}

impl Desk for Uplink {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    fn begin(&mut self, ctx: &mut Context<Self>) {
        let Some(Parent { write, incoming, early, .. }) = self.parent.take() else { return };
        let reading = hand_on(incoming, early, ctx.address());
        ctx.spawn(reading.into_actor(self).map(|(), uplink, ctx| uplink.end("closed", ctx)));
        let out = Rc::clone(&self.out);
        let writing = async move { out.write_to(&write, None).await };
        ctx.spawn(writing.into_actor(self).map(|ended, uplink, ctx| uplink.stopped_writing(&ended, ctx)));
    }
}

impl Handler<FromParent> for Uplink {
    type Result = ();

    fn handle(&mut self, FromParent(frames): FromParent, _: &mut Self::Context) {
        for frame in &frames {
            self.heard(frame);
        }
    }
}

impl Handler<AreYouSeated> for Uplink {
    type Result = ();

    /// The mailbox is not read before there is a seat.
    fn handle(&mut self, AreYouSeated: AreYouSeated, _: &mut Self::Context) {}
}

impl Handler<DeskMail> for Uplink {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        match mail {
            DeskMail::Offered(offer) => match self.upstream.offered(&offer) {
                Ok(line) => self.ask(&offer.key, line),
                Err(said) => self.place.say(offer.key.clone(), said),
            },
            DeskMail::Withdrawn(key, end) => self.take_back(&key, &end),
            // The parent has ended it: it cannot say it better.
            DeskMail::News(key, News::Unfit(why)) => {
                self.place.say(key, Said::GiveBack(format!("The parent's answer does not fit: {why}")));
            }
            DeskMail::News(_, News::Late) => {}
        }
    }
}

impl Handler<HangUp> for Uplink {
    type Result = ();

    fn handle(&mut self, HangUp: HangUp, _: &mut Self::Context) {
        self.out.close();
    }
}
