//! When a frame is drawn, what goes into it, and what it means that it was written.
//!
//! Owns the pace: what the person did is shown at once, output as often as an eye can follow, and a slow terminal gets small
//! frames so that a question never waits behind much. Ends with [`Screen::step_aside`], after which there is no live region.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use super::super::painter::{Live, Painter};
use super::super::style::{Row, Style};
use super::{Act, Flight, Screen};

/// How much of the backlog goes with the first frame.
pub(super) const FIRST_PORTION: usize = 2 * SMALLEST_PORTION;
const SMALLEST_PORTION: usize = 2 << 10;
pub(super) const LARGEST_PORTION: usize = 16 << 10;
/// A frame that took so long shows that the terminal is slow.
const SLOW: Duration = Duration::from_millis(50);
/// Output is shown as often as that at the most.
pub(super) const PACE: Duration = Duration::from_millis(8);
/// Ages and times that are left change so often.
const SECOND: Duration = Duration::from_secs(1);

impl Screen {
    /// Everything on the screen is to be drawn anew: something else had the terminal.
    pub(crate) fn redraw(&mut self) {
        self.painter.redraw();
        self.is_urgent = true;
    }

    /// The next frame, if there is something to be drawn and the last one was written. `written` must hear when it is.
    pub(crate) fn frame(&mut self, now: Instant) -> Option<String> {
        if self.flight.is_some() || self.due().is_none_or(|due| now < due) {
            return None;
        }
        (self.is_urgent, self.is_changed) = (false, false);
        if let Some(rows) = self.unseen.take(now) {
            self.note(rows);
        }
        let (live, is_armed) = self.live(now);
        let above = self.portion();
        let above_is_empty = above.is_empty();
        self.call.extend(self.setup.attention.title());
        let bytes = std::mem::take(&mut self.call) + &self.painter.frame(&above, &live);
        let shown = self.up.as_ref().filter(|_| !self.is_too_small());
        let question = shown.map(|up| up.offer.key.clone());
        self.flight = Some(Flight { question, is_armed, began: now, above });
        self.last_frame = Some(now);
        if !above_is_empty || !self.stream.is_over() {
            self.last_output = Some(now);
        }
        self.is_changed = !self.backlog.is_empty();
        if bytes.is_empty() {
            self.written(now);
            return None;
        }
        Some(bytes)
    }

    /// The rows of the history that go with the next frame. On a slow terminal a question that nobody has seen yet goes
    /// first.
    pub(super) fn portion(&mut self) -> Vec<Row> {
        let is_unseen = self.up.as_ref().is_some_and(|up| up.when_drawn.is_some());
        match self.portion {
            SMALLEST_PORTION if is_unseen => Vec::new(),
            portion => self.backlog.take(portion),
        }
    }

    /// The frame is on its way to the person's eyes.
    pub(crate) fn written(&mut self, now: Instant) {
        let Some(Flight { question, is_armed, began, .. }) = self.flight.take() else { return };
        let is_slow = now.saturating_duration_since(began) > SLOW;
        self.portion = match is_slow {
            true => (self.portion / 4).max(SMALLEST_PORTION),
            false => (self.portion * 2).min(LARGEST_PORTION),
        };
        let Some(up) = self.up.as_mut().filter(|up| Some(&up.offer.key) == question.as_ref()) else { return };
        up.focus.is_drawn(is_armed, now);
        if let Some(when_drawn) = up.when_drawn.take() {
            when_drawn();
        }
        self.pause_or_resume_line();
    }

    /// When the next frame is to be drawn, if one is.
    pub(super) fn due(&self) -> Option<Instant> {
        // A status that turned by itself a moment ago holds no output up.
        let last = if self.backlog.is_empty() { self.last_frame } else { self.last_output };
        match last {
            _ if self.is_urgent => Some(self.last_byte.min(self.last_frame.unwrap_or(self.last_byte))),
            // More waits than goes into one frame.
            Some(last) if self.backlog.weighs(self.portion) => Some(last),
            Some(last) if self.is_changed => Some(last + PACE),
            None if self.is_changed => Some(self.last_byte),
            _ => None,
        }
    }

    /// When something happens by itself: then [`Screen::tick`] wants to be called.
    /// While a frame is being written no other is drawn: what only a frame could show does not count then.
    pub(crate) fn wakes(&self) -> Option<Instant> {
        let armed = self.up.as_ref().and_then(|up| up.focus.ripens().filter(|_| !up.focus.counts()));
        let second = self.up.as_ref().and(self.last_frame).map(|last| last + SECOND);
        let unseen = self.last_frame.and_then(|last| self.unseen.due(last));
        let rested = self.up.as_ref().and_then(|up| up.rests_until);
        let drawn =
            [self.due(), armed, second, unseen, rested, self.status_changes()].into_iter().flatten().min();
        let drawn = drawn.filter(|_| self.flight.is_none());
        let hint = self.hint.as_ref().and_then(|hint| hint.until);
        [drawn, self.decoder_waits(), hint, self.setup.attention.wake_at()].into_iter().flatten().min()
    }

    /// Time passed.
    pub(crate) fn tick(&mut self, now: Instant) -> Vec<Act> {
        let mut acts = self.tick_keys(now);
        acts.extend(self.call(now));
        if self.hint.as_ref().is_some_and(|hint| hint.until.is_some_and(|until| now >= until)) {
            self.hint = None;
            self.is_urgent = true;
        }
        self.is_changed |= self.unseen.due(now).is_some_and(|due| due <= now);
        self.is_changed |= self.status_changes().is_some_and(|changes| changes <= now);
        // Its age, its time left, and that its keys count now.
        if let Some(up) = &mut self.up {
            self.is_urgent |= up.rests_until.take_if(|until| now >= *until).is_some();
            let is_old = self.last_frame.is_some_and(|last| now >= last + SECOND);
            self.is_urgent |= is_old || up.focus.is_ripe(now) && !up.focus.counts();
        }
        acts
    }

    /// When the status looks different by itself. It stands still while a question is up.
    fn status_changes(&self) -> Option<Instant> {
        let drawn = self.last_frame?;
        let status = self.status.as_ref().filter(|_| self.up.is_none());
        status.and_then(|status| status.changes(drawn)).or(self.crew.changes(drawn))
    }

    /// Calls the person, if it is time.
    pub(super) fn call(&mut self, now: Instant) -> Option<Act> {
        let call = self.setup.attention.look(now)?;
        self.call.push_str(&call.bytes);
        self.is_urgent = true;
        let up = self.up.as_ref().filter(|up| call.runs_hook_for.as_ref() == Some(&up.offer.key));
        up.map(|up| Act::Call(Arc::clone(&up.offer)))
    }

    /// The first bytes, and those after something else had the terminal, go with the next frame.
    pub(crate) fn enter(&mut self) {
        self.call = format!("{}{}{}", Painter::enter(), self.setup.attention.enter(), self.call);
        self.is_urgent = true;
    }

    /// The terminal is ours again, and nobody knows what is on it. Whoever brought it back is there.
    pub(crate) fn resumed(&mut self, now: Instant) {
        if let Some(flight) = self.flight.take() {
            self.backlog.put_back(flight.above);
        }
        // Nobody sees it until it is drawn again.
        if let Some(up) = &mut self.up {
            up.focus.is_hidden();
        }
        self.painter.forget();
        self.setup.attention.key(now);
        self.enter();
    }

    /// More of what waits, at the end: until there is none.
    pub(crate) fn rest(&mut self) -> Option<String> {
        let above = self.backlog.take(LARGEST_PORTION);
        (!above.is_empty()).then(|| self.painter.frame(&above, &Live::default()))
    }

    /// At the end what was typed and not sent is said.
    pub(crate) fn last_words(&mut self) {
        self.finish_stream();
        if let Some(rows) = self.last_frame.and_then(|last| self.unseen.take(last + 2 * SECOND)) {
            self.backlog.own(rows);
        }
        let typed = self.editor.stop();
        if !typed.trim().is_empty() {
            let rows =
                self.folded_note(Row::own(Style::DIM, "! "), Style::DIM, &format!("not sent: {typed}"));
            self.backlog.own(rows);
        }
    }

    /// Something else gets the terminal: what waits, then no live region any more.
    pub(crate) fn step_aside(&mut self) -> String {
        let above = self.backlog.take(LARGEST_PORTION);
        let frame = self.painter.frame(&above, &Live::default());
        self.flight = None;
        frame + &self.painter.leave() + self.setup.attention.leave()
    }
}
