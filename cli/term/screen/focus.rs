//! Who has the keys while a question is up: the line, or the question; and since when keys count for the question.
//!
//! Owns both. A question is answered only by keys that were pressed while the screen said that they count: it was there
//! for a while, the line was empty for as long or the person went to the question by Tab. Pure: the time comes with every
//! call. It ends with its question.

use actors::terminal::ARMED_AFTER;
use tokio::time::Instant;

/// Where the keys go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Has {
    Line,
    Question,
}

/// The keys of one question.
#[derive(Debug)]
pub(super) struct Focus {
    keys: Has,
    /// when it was on the screen for the first time
    drawn: Option<Instant>,
    /// when the line became empty under it, or a key was none of its own
    since: Option<Instant>,
    /// the screen says that its keys count
    says_so: bool,
}

impl Focus {
    /// A question opens over a line that is empty or not.
    pub(super) const fn opens(line_is_empty: bool) -> Self {
        let keys = if line_is_empty { Has::Question } else { Has::Line };
        Self { keys, drawn: None, since: None, says_so: false }
    }

    /// It is on the screen, and that says whether keys count.
    pub(super) fn is_drawn(&mut self, says_so: bool, now: Instant) {
        self.drawn.get_or_insert(now);
        self.says_so = says_so && self.is_ripe(now);
    }

    /// There is no room for it on the screen: whoever sees it later sees it for the first time.
    pub(super) const fn is_hidden(&mut self) {
        self.drawn = None;
        self.says_so = false;
    }

    /// The line was sent or emptied: the keys are the question's, but not at once.
    pub(super) const fn line_emptied(&mut self, now: Instant) {
        self.rests(now);
    }

    /// A key was none of its own, and may be the first of something else: the next ones count after a while again.
    pub(super) const fn rests(&mut self, now: Instant) {
        self.go(Has::Question);
        self.since = Some(now);
    }

    /// Something was typed on the line: the keys stay there.
    pub(super) const fn line_typed(&mut self) {
        self.go(Has::Line);
    }

    /// The person went to the question.
    pub(super) const fn goes_to_question(&mut self) {
        if matches!(self.keys, Has::Line) {
            self.go(Has::Question);
            self.since = None;
        }
    }

    /// The person went back to the line.
    pub(super) const fn goes_to_line(&mut self) {
        self.go(Has::Line);
    }

    const fn go(&mut self, keys: Has) {
        self.keys = keys;
        self.says_so = false;
    }

    /// Whether the keys are the question's, be it that they count by now or not.
    pub(super) fn is_on_question(&self) -> bool {
        self.keys == Has::Question
    }

    /// When the screen may say that keys count, if that is still to come.
    pub(super) fn ripens(&self) -> Option<Instant> {
        let since = self.drawn?.max(self.since.unwrap_or(self.drawn?));
        self.is_on_question().then_some(since + ARMED_AFTER)
    }

    /// Whether the screen may say that keys count.
    pub(super) fn is_ripe(&self, now: Instant) -> bool {
        self.ripens().is_some_and(|ripens| now >= ripens)
    }

    /// Whether keys count: the screen says so.
    pub(super) const fn counts(&self) -> bool {
        self.says_so
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const SHORT: Duration = Duration::from_millis(999);

    #[test]
    fn keys_count_when_the_screen_has_said_so_a_second_after_it_was_drawn() {
        let now = Instant::now();
        let mut focus = Focus::opens(true);
        assert!(!focus.is_ripe(now + ARMED_AFTER), "it was never drawn");
        focus.is_drawn(false, now);
        assert!(!focus.is_ripe(now + SHORT) && focus.is_ripe(now + ARMED_AFTER));
        assert!(!focus.counts(), "the screen does not say so yet");
        focus.is_drawn(true, now + ARMED_AFTER);
        assert!(focus.counts());
    }

    #[test]
    fn while_the_line_holds_text_no_time_makes_keys_count() {
        let now = Instant::now();
        let mut focus = Focus::opens(false);
        focus.is_drawn(false, now);
        assert_eq!(focus.ripens(), None);
        focus.is_drawn(true, now + 100 * ARMED_AFTER);
        assert!(!focus.counts());
        focus.goes_to_question();
        assert!(focus.is_ripe(now + ARMED_AFTER), "Tab is a decision: nothing more to wait for");
        assert!(!focus.counts(), "but the screen must say so first");
    }

    #[test]
    fn a_line_that_becomes_empty_gives_the_keys_away_only_after_a_second() {
        let now = Instant::now();
        let mut focus = Focus::opens(false);
        focus.is_drawn(false, now);
        let sent = now + 10 * ARMED_AFTER;
        focus.line_emptied(sent);
        assert!(!focus.is_ripe(sent + SHORT) && focus.is_ripe(sent + ARMED_AFTER));
        focus.goes_to_question();
        assert!(!focus.is_ripe(sent + SHORT), "Tab on a question that has the keys changes nothing");
    }

    #[test]
    fn what_goes_to_the_line_disarms() {
        let now = Instant::now();
        for away in [Focus::goes_to_line, Focus::line_typed] {
            let mut focus = Focus::opens(true);
            focus.is_drawn(false, now);
            focus.is_drawn(true, now + ARMED_AFTER);
            assert!(focus.counts());
            away(&mut focus);
            assert!(!focus.counts() && !focus.is_on_question());
        }
    }
}
