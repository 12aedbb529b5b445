//! What an agent does, told to a person, whatever language the agent speaks.
//!
//! Owns what those who show a run may ask of a story, and the pieces that it is told in. Decides nothing and shows nothing:
//! each language has a story of its own. A story ends with its agent.

use tokio::time::Instant;

use super::Block;
use super::page::Page;

/// A piece of what is told.
#[derive(Debug)]
pub(crate) enum Piece {
    /// more of a text that is still being written
    Stream(String),
    /// that text is over
    StreamEnds,
    /// something final
    Block(Block),
}

impl From<Page> for Piece {
    fn from(page: Page) -> Self {
        Self::Block(page.into())
    }
}

/// What one agent does, told to a person.
pub(crate) trait Tale {
    /// Takes in one line of stdout: what is to be told of it. Nothing if it is not in the agent's language.
    fn hear(&mut self, line: &[u8], now: Instant) -> Option<Vec<Piece>>;

    /// The same, with a clock: most lines need not know what time it is.
    fn hear_by(&mut self, line: &[u8], clock: fn() -> Instant) -> Option<Vec<Piece>> {
        self.hear(line, clock())
    }

    /// The process ended: what is unfinished is told as unfinished.
    fn ends(&mut self, now: Instant) -> Vec<Piece>;

    /// What it is at, in a few words. They come from outside.
    fn doing(&self) -> String;

    /// Whether it is at nothing: not even at something in the background.
    fn is_idle(&self) -> bool;

    /// Whether the last turn was broken off by the person.
    fn was_interrupted(&self) -> bool;

    /// The tool behind which typed lines wait, if one runs.
    fn tool_at_work(&self) -> Option<&str>;

    /// What it said in the last turn, as it is printed at the end.
    fn final_text(&self) -> Option<&str>;

    /// Somebody is asked about this use of a tool: its time has not begun.
    fn asked(&mut self, _tool_use_id: &str) {}

    /// Somebody decided about this use of a tool: its time begins now, or it will not run. Old CLIs do not tell a no from a
    /// failure.
    fn decided(&mut self, _tool_use_id: &str, _is_allowed: bool, _now: Instant) {}

    /// That this use of a tool was not allowed is told elsewhere: its question has a row of its own.
    fn hush(&mut self, _tool_use_id: &str) {}

    /// It read a line of the person. Nothing if that begins no turn.
    fn spoken_to(&mut self) -> Option<Vec<Piece>> {
        None
    }

    /// A question that the agent itself had asked is over. A no ends its turn.
    fn input_ended(&mut self, _is_rejected: bool, _now: Instant) -> Vec<Piece> {
        Vec::new()
    }

    /// The person wants what goes on to stop.
    fn interrupted(&mut self) {}

    /// It asked what nobody could answer, and why. That ends its turn as a no does.
    fn misasked(&mut self, _why: &str, _now: Instant) -> Vec<Piece> {
        Vec::new()
    }

    /// Whether it asked something and waits: until it goes on, or hears the answer.
    fn is_asking(&self) -> bool {
        false
    }

    /// What it cost so far, in dollars.
    fn cost(&self) -> Option<f64> {
        None
    }

    /// The files that were changed: how many, and how many lines came and went.
    fn files(&self) -> (usize, usize, usize) {
        (0, 0, 0)
    }

    /// The tokens that went in and came out so far, where the agent counts them itself.
    fn tokens(&self) -> Option<(u64, u64)> {
        None
    }
}
