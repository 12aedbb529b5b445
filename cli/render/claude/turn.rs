//! Turns: how the last one ended, and what all of them cost.
//!
//! Owns which trouble was told already. The end of the last turn is told by whoever tells the end of the run.

use codec::claude::RunResult;
use codec::json::{Num, Text};
use tokio::time::Instant;

use super::{Piece, State, Story, notes};

/// The turn that goes on, and what the others left.
#[derive(Debug, Default)]
pub(super) struct Turn {
    text: Option<String>,
    cost: Option<f64>,
    /// of conversations that were cleared: the cost begins anew with each
    cost_before: f64,
    /// why the last turn failed, unless that is told
    trouble: Option<String>,
    /// the error of this turn that was told
    told: Option<String>,
    is_interrupted: bool,
}

impl Turn {
    /// The next one begins: why the last one failed, if nobody was told.
    pub(super) fn begins(&mut self) -> Option<String> {
        (self.told, self.is_interrupted) = (None, false);
        self.trouble.take()
    }

    /// All are over: why the last one failed is told by whoever tells the end.
    pub(super) fn all_are_over(&mut self) {
        self.trouble = None;
    }

    pub(super) fn error_is_told(&mut self, text: &str) {
        self.told = Some(text.to_owned());
    }

    /// It was interrupted. Whether that is new.
    pub(super) fn is_interrupted(&mut self) -> bool {
        !std::mem::replace(&mut self.is_interrupted, true)
    }

    pub(super) const fn was_interrupted(&self) -> bool {
        self.is_interrupted
    }

    pub(super) fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }

    pub(super) const fn cost(&self) -> Option<f64> {
        self.cost
    }

    fn ends(&mut self, result: &RunResult<'_>) {
        self.add_up(result);
        self.text = result.result.as_ref().map(|text| text.get().into_owned());
        let is_known = self.is_interrupted || self.told.is_some();
        self.trouble = (!result.succeeded() && !is_known).then(|| why(result));
    }

    fn add_up(&mut self, result: &RunResult<'_>) {
        let cost = result.total_cost_usd.as_ref().map(Num::as_f64).filter(|cost| cost.is_finite());
        let Some(cost) = cost else { return };
        let so_far = self.cost.unwrap_or_default();
        // What a result tells is the sum so far, until the conversation is cleared.
        if self.cost_before + cost < so_far {
            self.cost_before = so_far;
        }
        self.cost = Some(self.cost_before + cost);
    }
}

fn why(result: &RunResult<'_>) -> String {
    let errors = result.errors.iter().flatten().map(Text::get);
    let mut errors = errors.filter(|error| !error.starts_with("[ede_diagnostic]")).map(String::from);
    let said = result.result.as_ref().map(|text| text.get().into_owned());
    let said = errors.next().or(said).filter(|text| !text.trim().is_empty());
    said.unwrap_or_else(|| result.subtype.get().replace('_', " "))
}

impl Story {
    pub(super) fn result(&mut self, result: &RunResult<'_>, now: Instant) -> Vec<Piece> {
        self.state = State::Idle;
        self.retry = None;
        let mut pieces = self.saying.ends();
        pieces.extend(self.abandon(false, now));
        let is_aborted = result.terminal_reason.as_ref().is_some_and(|why| why.get().starts_with("aborted"));
        if is_aborted && !result.succeeded() && self.turn.is_interrupted() {
            pieces.push(notes::interrupted().into());
        }
        self.turn.ends(result);
        pieces
    }
}
