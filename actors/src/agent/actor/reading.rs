//! What an agent prints, on its way to the router: read when there is room for it, heard by its session, handed on.
//!
//! An agent that paused itself by a question is read for a while, so that its end is noticed, and then no further. What it
//! said meanwhile is handed on when the answer is on its way, in portions: each when the one before has been taken.

use std::rc::Rc;

use actix::prelude::*;
use codec::frame::Frame;
use tokio::process::ChildStdout;

use crate::agent::session::{Effect, Taken};
use crate::messages::Frames;
use crate::ports::Clock as _;
use crate::post::post_to;
use crate::tunnel::Incoming;

use super::Agent;

impl Agent {
    /// Takes what the next read brings, when there is room for it.
    pub(super) fn read_on(&mut self, mut incoming: Incoming<ChildStdout>, ctx: &mut Context<Self>) {
        let room = self.host.room();
        let is_held_back = Rc::clone(&self.is_held_back);
        let reading = async move {
            if let Some(room) = room {
                is_held_back.set(true);
                room.await;
                is_held_back.set(false);
            }
            let read = incoming.next().await;
            (incoming, read)
        };
        ctx.spawn(reading.into_actor(self).map(|(incoming, read), agent, ctx| match read {
            Ok(Some(frames)) => agent.heard(frames, incoming, ctx),
            // It closed its stdout, or cannot be understood any more: in the end the same.
            Ok(None) | Err(_) if agent.session.holds_back() => agent.is_said_behind = true,
            Ok(None) | Err(_) => agent.said_all(ctx),
        }));
    }

    fn heard(&mut self, frames: Vec<Frame>, incoming: Incoming<ChildStdout>, ctx: &mut Context<Self>) {
        let Some(asker) = self.asker() else { return };
        let taken = self.session.take_in(frames, self.clock.now());
        let next = self.follow(taken, ctx);
        if next.is_empty() {
            return self.read_or_rest(incoming, ctx);
        }
        let handed_on = self.router.send(Frames { asker, frames: next }).into_actor(self);
        ctx.spawn(handed_on.map(|taken, agent, ctx| match taken {
            Ok(()) => agent.read_or_rest(incoming, ctx),
            Err(_) => ctx.stop(),
        }));
    }

    fn read_or_rest(&mut self, incoming: Incoming<ChildStdout>, ctx: &mut Context<Self>) {
        match self.session.is_full() {
            true => self.resting = Some(incoming),
            false => self.read_on(incoming, ctx),
        }
    }

    /// Does what follows from lines of the agent; the lines are for the router.
    fn follow(&mut self, taken: Vec<Taken>, ctx: &mut Context<Self>) -> Vec<Frame> {
        let Some(asker) = self.asker() else { return Vec::new() };
        let mut next = Vec::with_capacity(taken.len());
        for (effects, frame) in taken {
            self.is_idle_told = false;
            // That a message was read is told where it happened: behind the lines before, in front of this one.
            if !next.is_empty() && effects.iter().any(|effect| matches!(effect, Effect::Read(_))) {
                let _ = post_to(&self.router, Frames { asker, frames: std::mem::take(&mut next) });
            }
            effects.into_iter().for_each(|effect| self.follows(effect));
            next.push(frame);
        }
        self.arm(ctx);
        next
    }

    /// The answer is on its way: what it said meanwhile is handed on, up to its next question.
    pub(super) fn goes_on(&mut self, ctx: &mut Context<Self>) {
        if !self.is_catching_up {
            self.catches_up(ctx);
        }
    }

    fn catches_up(&mut self, ctx: &mut Context<Self>) {
        let taken = self.session.goes_on(self.clock.now());
        let (next, asker) = (self.follow(taken, ctx), self.asker());
        self.is_catching_up = !next.is_empty();
        let (Some(asker), true) = (asker, self.is_catching_up) else { return self.has_caught_up(ctx) };
        let (router, room) = (self.router.clone(), self.host.room());
        let handing_on = async move {
            let taken = router.send(Frames { asker, frames: next }).await;
            if let Some(room) = room {
                room.await;
            }
            taken
        };
        ctx.spawn(handing_on.into_actor(self).map(|taken, agent, ctx| match taken {
            Ok(()) => agent.catches_up(ctx),
            Err(_) => ctx.stop(),
        }));
    }

    /// Nothing waits any more, or there is the next question.
    fn has_caught_up(&mut self, ctx: &mut Context<Self>) {
        if self.is_said_behind && !self.session.holds_back() {
            self.said_all(ctx);
        }
        if let Some(incoming) = self.resting.take() {
            self.read_or_rest(incoming, ctx);
        }
    }

    /// It is gone and nobody waits for the answer any more: what it said behind its question counts no more than that.
    pub(super) fn leaves_question(&mut self) {
        if self.session.is_paused() {
            self.resting = None;
            self.has_said_all = true;
        }
    }

    /// Nothing more can be heard of it, so nothing more can be settled: it has as long to end as if it were done.
    fn said_all(&mut self, ctx: &mut Context<Self>) {
        self.has_said_all = true;
        self.closed_ms.get_or_insert(self.clock.now());
        self.writer.close();
        self.finish_if_over(ctx);
        self.arm(ctx);
    }
}
