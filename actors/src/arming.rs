//! Which lines of a person count for what is on the screen. Pure.
//!
//! A line counts for a question that was really drawn, and has been there for a while; what was entered before was meant
//! for something else. When a question vanishes under somebody's fingers, what they enter is for nobody for as long.

use codec::tunnel::AnswerSource;
use tokio::time::Instant;

use crate::end::End;

/// Since when lines count.
#[derive(Debug)]
pub(crate) struct Arming {
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// a question is to be drawn
    Undrawn,
    /// what there is has not been there for long enough
    Fresh,
    /// lines count that were entered since then
    Counting(Instant),
}

impl Arming {
    /// Nothing is up, and lines count.
    pub(crate) const fn new(now: Instant) -> Self {
        Self { state: State::Counting(now) }
    }

    /// Another question is to be drawn: no line counts.
    pub(crate) const fn shows(&mut self) {
        self.state = State::Undrawn;
    }

    /// It is drawn. Says whether that is news: then it is armed after a while.
    pub(crate) fn is_drawn(&mut self) -> bool {
        let is_news = self.state == State::Undrawn;
        if is_news {
            self.state = State::Fresh;
        }
        is_news
    }

    /// It has been there for long enough.
    pub(crate) const fn arm(&mut self, now: Instant) {
        self.state = State::Counting(now);
    }

    /// The question that was up is over, and no other is shown. Says whether lines must wait until they count again:
    /// not if the person's own line answered it, since then they are at nothing else.
    pub(crate) const fn is_over(&mut self, end: &End, now: Instant) -> bool {
        let by_us = matches!(end, End::Answered { source: AnswerSource::Terminal, .. });
        self.state = if by_us { State::Counting(now) } else { State::Fresh };
        !by_us
    }

    /// Whether a line counts that was entered then.
    pub(crate) fn counts(&self, at: Instant) -> bool {
        matches!(self.state, State::Counting(since) if at >= since)
    }
}
