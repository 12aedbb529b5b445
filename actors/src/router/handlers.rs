//! The router's mailbox: every message lets something happen in [`super::Routing`], and nothing else.

use actix::prelude::*;
use codec::journal::{Event, Over};
use tokio::sync::mpsc;

use crate::journal::Progress;
use crate::messages::{
    AllSaid, Attach, Decide, DeskLeft, DeskSaid, Detached, Expired, Flush, Frames, Look, Lost, Note,
    NoteLine, Receipt, Seat, Settled, ShutDown, Steer, Tell, Typed, Unreachable,
};

use super::{Attached, Router, Seated};

impl Handler<Attach> for Router {
    type Result = MessageResult<Attach>;

    fn handle(&mut self, Attach { asker, lines }: Attach, ctx: &mut Self::Context) -> Self::Result {
        let id = self.let_happen(ctx, |routing, now| routing.attach(now, asker));
        self.askers.insert(id, lines);
        MessageResult(Attached::new(id, ctx.address()))
    }
}

impl Handler<Seat> for Router {
    type Result = MessageResult<Seat>;

    fn handle(&mut self, Seat { desk, mail }: Seat, ctx: &mut Self::Context) -> Self::Result {
        let id = self.routing.seat(self.clock.now(), desk);
        // Before the orders are carried out: they offer it what is open.
        self.desks.insert(id, mail);
        self.follow_up(ctx);
        MessageResult(Seated::new(id, ctx.address()))
    }
}

impl Handler<AllSaid> for Router {
    type Result = ResponseFuture<()>;

    fn handle(&mut self, AllSaid: AllSaid, ctx: &mut Self::Context) -> Self::Result {
        let (reached, mut waits) = mpsc::channel(1);
        self.let_happen(ctx, |routing, _| routing.reaches(reached));
        // It ends when the other end is dropped, also if the router is gone.
        Box::pin(async move { _ = waits.recv().await })
    }
}

impl Handler<Detached> for Router {
    type Result = ();

    fn handle(&mut self, Detached { asker, reason }: Detached, ctx: &mut Self::Context) {
        self.askers.remove(&asker);
        self.let_happen(ctx, |routing, now| routing.detach(now, asker, &reason));
    }
}

impl Handler<DeskLeft> for Router {
    type Result = ();

    fn handle(&mut self, DeskLeft { desk, reason }: DeskLeft, ctx: &mut Self::Context) {
        self.desks.remove(&desk);
        self.let_happen(ctx, |routing, now| routing.leave(now, desk, &reason));
    }
}

impl Handler<Unreachable> for Router {
    type Result = ();

    fn handle(&mut self, Unreachable(desk): Unreachable, ctx: &mut Self::Context) {
        self.desks.remove(&desk);
        self.let_happen(ctx, |routing, now| routing.leave(now, desk, "unreachable"));
    }
}

impl Handler<Frames> for Router {
    type Result = ();

    fn handle(&mut self, Frames { asker, frames }: Frames, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| {
            for frame in frames {
                routing.frame(now, asker, frame);
            }
        });
    }
}

impl Handler<DeskSaid> for Router {
    type Result = ();

    fn handle(&mut self, DeskSaid { desk, key, said }: DeskSaid, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| routing.said(now, desk, &key, said));
    }
}

impl Handler<Expired> for Router {
    type Result = ();

    fn handle(&mut self, Expired(number): Expired, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| routing.expired(now, number));
    }
}

impl Handler<Lost> for Router {
    type Result = ();

    fn handle(&mut self, Lost(number): Lost, ctx: &mut Self::Context) {
        self.prompts.remove(&number);
        self.let_happen(ctx, |routing, now| routing.lost(now, number));
    }
}

impl Handler<Settled> for Router {
    type Result = ();

    fn handle(&mut self, Settled: Settled, ctx: &mut Self::Context) {
        self.follow_up(ctx);
    }
}

impl Handler<Flush> for Router {
    type Result = ();

    fn handle(&mut self, Flush: Flush, _: &mut Self::Context) {
        self.flushing = false;
        self.routing.flush();
    }
}

impl Handler<Typed> for Router {
    type Result = ();

    fn handle(&mut self, typed: Typed, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| drop(routing.typed(now, &typed)));
    }
}

impl Handler<Tell> for Router {
    type Result = Vec<String>;

    fn handle(&mut self, Tell(typed): Tell, ctx: &mut Self::Context) -> Self::Result {
        self.let_happen(ctx, |routing, now| routing.typed(now, &typed))
    }
}

impl Handler<Decide> for Router {
    type Result = MessageResult<Decide>;

    fn handle(&mut self, Decide { desk, key, said }: Decide, ctx: &mut Self::Context) -> Self::Result {
        MessageResult(self.let_happen(ctx, |routing, now| routing.rule_on(now, desk, &key, said)))
    }
}

impl Handler<Look> for Router {
    type Result = MessageResult<Look>;

    fn handle(&mut self, Look: Look, _: &mut Self::Context) -> Self::Result {
        MessageResult(self.routing.picture(self.clock.now()))
    }
}

impl Handler<Steer> for Router {
    type Result = ();

    fn handle(&mut self, Steer { asker, what, input_id }: Steer, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| routing.steer(now, asker, what, input_id.as_deref()));
    }
}

impl Handler<Receipt> for Router {
    type Result = ();

    fn handle(&mut self, Receipt { asker, input_id, state }: Receipt, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, _| routing.receipt_of_agent(asker, &input_id, state));
    }
}

impl Handler<NoteLine> for Router {
    type Result = ();

    fn handle(&mut self, NoteLine { wire, dir, line, length }: NoteLine, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| routing.note_line(now, wire, dir, &line, length));
    }
}

impl Handler<Note> for Router {
    type Result = ();

    fn handle(&mut self, Note(event): Note, ctx: &mut Self::Context) {
        self.let_happen(ctx, |routing, now| routing.note(now, event));
    }
}

impl Handler<ShutDown> for Router {
    type Result = MessageResult<ShutDown>;

    fn handle(&mut self, ShutDown { patience, code }: ShutDown, ctx: &mut Self::Context) -> Self::Result {
        self.let_happen(ctx, super::Routing::shut_down);
        if let Some(code) = code {
            let over = Event::Over(Over::of(code.into()));
            self.let_happen(ctx, |routing, now| routing.note(now, over));
        }
        let progress: Progress = self.let_happen(ctx, |routing, _| routing.finish_record(patience));
        // Without an address of its own the router ends with the last who knows it.
        self.me = None;
        MessageResult(progress)
    }
}
