//! When time alone changes something for an agent: its stdin, the end of its silence, its patience with us.

use std::time::Duration;

use actix::prelude::*;

use crate::agent::stdin::Event;
use crate::ports::Clock as _;

use super::{Agent, News};

/// After its stdin was closed an agent that says nothing and works at nothing is not waited for longer.
const DRAIN: Duration = Duration::from_secs(10);

impl Agent {
    /// Wakes up when time alone changes something. A timer that fires too early only looks again.
    pub(super) fn arm(&mut self, ctx: &mut Context<Self>) {
        let wakes = [self.session.wake_at(), self.drained_at(), self.idle_at()];
        let Some(at) = wakes.into_iter().flatten().min() else { return };
        if self.timer.as_ref().is_some_and(|(armed, _)| *armed <= at) {
            return;
        }
        if let Some((_, timer)) = self.timer.take() {
            ctx.cancel_future(timer);
        }
        let wait = Duration::from_millis(at.saturating_sub(self.clock.now()).max(1));
        self.timer = Some((at, ctx.run_later(wait, |agent, ctx| agent.wake(ctx))));
    }

    fn wake(&mut self, ctx: &mut Context<Self>) {
        self.timer = None;
        let now = self.clock.now();
        if self.drained_at().is_some_and(|at| now >= at) {
            self.stop();
        }
        if self.idle_at().is_some_and(|at| now >= at) {
            self.is_idle_told = true;
            self.host.tell(News::Idle);
        }
        self.happened(Event::TimePassed, ctx);
    }

    /// When it has been silent for long enough after its stdin was closed.
    fn drained_at(&self) -> Option<u64> {
        let closed = self.closed_ms?;
        let is_over = self.is_stopped || self.has_exited;
        let is_at_work = self.session.is_in_turn() && !self.has_said_all;
        (!is_over && !is_at_work).then(|| closed.max(self.session.heard_ms()).saturating_add(ms(DRAIN)))
    }

    /// When it has said nothing for as long as it may.
    fn idle_at(&self) -> Option<u64> {
        let idle = self.plan.idle.filter(|_| !self.is_idle_told && self.session.is_due())?;
        Some(self.session.heard_ms().saturating_add(ms(idle)))
    }
}

/// In milliseconds.
pub(super) fn ms(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
