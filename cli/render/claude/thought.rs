//! Thinking: how long it took. What was thought is there for whoever asks.

use std::time::Duration;

use codec::json::{Num, Object};
use tokio::time::Instant;

use super::Piece;
use crate::render::page::{Line, Page};
use crate::render::prose::Prose;
use crate::render::{Kind, figures};
use crate::term::style::Style;

#[derive(Debug, Default)]
pub(super) struct Thinking {
    /// when the model was given something to think about, or began to
    since: Option<Instant>,
}

impl Thinking {
    /// From now on it is up to the model.
    pub(super) fn may_begin(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// It thinks.
    pub(super) fn begins(&mut self, now: Instant) {
        self.since = Some(now);
    }

    /// It has thought. New CLIs tell how long.
    pub(super) fn ends(&mut self, text: &str, line: &Object<'_>, now: Instant) -> Option<Piece> {
        let told = line.peek("thinking_duration_ms").and_then(|time| time.raw().parse().ok()).map(Num::new);
        let since = self.since.replace(now).map(|since| now.saturating_duration_since(since));
        let took = match told {
            Some(told) => figures::time(Some(&told)),
            None => figures::lasted(since.unwrap_or(Duration::ZERO)),
        };
        let line = Line::at(2).foreign(Style::DIM, &format!("thought for {}", took?));
        Some(Page::of(Kind::Tool).line(line).more(Prose::at(4, Style::DIM, text).hidden()).into())
    }
}
