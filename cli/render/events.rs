//! What a program that prints stream events does, told to a person, line by line of its stdout.
//!
//! Owns what goes on, for the status row, and which rows tell of it. A tool is told when it ended, in one block with what it
//! gave; a text while it is written. Questions are none of it: they are asked elsewhere, and whoever asks them says how they
//! ended. Nothing is known of the program, so nothing that it says is too odd: what cannot be understood is told as that.
//! Asks nobody, decides nothing, reads no clock; what it keeps is bounded, however long the agent runs.

mod kept;
#[cfg(test)]
mod tests;
mod turn;

use codec::events::{Event, ToolResult, ToolUseStart, Usage};
use codec::json::{Num, Text};
use tokio::time::Instant;

use super::claude::call::{Call, Calls};
use super::claude::{gave, notes, tools, words};
use super::flow::Flow;
use super::page::{Line, Page};
use super::tale::{Piece, Tale};
use super::{Kind, tool};
use crate::term::style::Style;
use turn::Turn;

/// What one stream agent does, told to a person.
#[derive(Debug, Default)]
pub(crate) struct Story {
    state: State,
    flow: Flow,
    turn: Turn,
    calls: Calls,
    tokens: Option<(u64, u64)>,
    /// nobody is there who would be told: only what is asked at the end is kept
    is_untold: bool,
}

/// What the agent is at when no tool runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Starting,
    Thinking,
    Writing,
    Asking,
    Idle,
}

/// By more of an id no tool is known.
const LONGEST_ID: usize = 256;

/// What a tool is called of which only the end was heard.
const SOME_TOOL: &str = "a tool";

impl Tale for Story {
    fn hear(&mut self, line: &[u8], now: Instant) -> Option<Vec<Piece>> {
        Some(self.event(&Event::read(line).ok()?, || now))
    }

    fn hear_by(&mut self, line: &[u8], clock: fn() -> Instant) -> Option<Vec<Piece>> {
        Some(self.event(&Event::read(line).ok()?, clock))
    }

    fn spoken_to(&mut self) -> Option<Vec<Piece>> {
        self.is_idle().then(|| {
            let mut pieces = self.falls_silent();
            pieces.extend(self.works(State::Thinking));
            pieces
        })
    }

    fn input_ended(&mut self, is_rejected: bool, now: Instant) -> Vec<Piece> {
        if is_rejected {
            let pieces = self.breaks_off(now);
            // A turn that is over as it is was not ended by this.
            if !self.is_idle() {
                self.turn.is_rejected();
                self.state = State::Idle;
            }
            return pieces;
        }
        if self.is_asking() {
            self.state = State::Thinking;
        }
        Vec::new()
    }

    fn interrupted(&mut self) {
        if !self.is_idle() {
            self.turn.is_broken_off();
        }
    }

    fn misasked(&mut self, why: &str, now: Instant) -> Vec<Piece> {
        let mut pieces = self.input_ended(true, now);
        let words = format!("it asks what nobody can answer, which is taken for a no: {why}");
        pieces.push(notes::error(&words).into());
        pieces
    }

    fn is_asking(&self) -> bool {
        self.state == State::Asking
    }

    fn ends(&mut self, now: Instant) -> Vec<Piece> {
        let pieces = self.breaks_off(now);
        if !matches!(self.state, State::Starting | State::Idle) || self.turn.has_text() {
            // Why it failed is told by whoever tells the end.
            self.turn.ends(true);
        }
        self.state = State::Idle;
        pieces
    }

    fn doing(&self) -> String {
        match (self.state, self.calls.all()) {
            (State::Idle, _) => "idle".to_owned(),
            (State::Asking, _) => "asking".to_owned(),
            (_, [one]) => one.in_short(),
            (_, [more @ .., last]) => format!("{} and {} more", last.in_short(), more.len()),
            (State::Starting, []) => "starting".to_owned(),
            (State::Thinking, []) => "thinking".to_owned(),
            (State::Writing, []) => "writing".to_owned(),
        }
    }

    fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    fn was_interrupted(&self) -> bool {
        self.turn.was_rejected()
    }

    fn tool_at_work(&self) -> Option<&str> {
        self.calls.first().map(|call| call.shown.as_str())
    }

    fn final_text(&self) -> Option<&str> {
        self.turn.last()
    }

    fn tokens(&self) -> Option<(u64, u64)> {
        self.tokens
    }
}

impl Story {
    /// One that nobody is told piece by piece.
    pub(crate) fn untold() -> Self {
        Self { is_untold: true, ..Self::default() }
    }

    fn event(&mut self, event: &Event<'_>, now: impl FnOnce() -> Instant) -> Vec<Piece> {
        match event {
            Event::TextDelta(more) => self.says(&more.text.get()),
            Event::ToolUseStart(tool) => self.tool_begins(tool, now()),
            Event::ToolResult(result) => self.tool_ends(result, now()),
            Event::Usage(usage) => {
                self.count(usage);
                Vec::new()
            }
            Event::Error(error) => self.error(&error.message.get()),
            Event::InputRequest(_) => self.asks(),
            Event::Done(done) => self.done(done.is_ok(), now()),
            Event::Unknown(line) if let Some(wrong) = &line.wrong => {
                self.odd(&format!("{}: {wrong}", line.kind()))
            }
            Event::UserRead(_) => self.spoken_to().unwrap_or_default(),
            // Newer programs may say more than is known here.
            _ => Vec::new(),
        }
    }

    /// It does something. If nothing was going on a turn begins by that.
    fn works(&mut self, state: State) -> Vec<Piece> {
        let trouble = if self.is_idle() { self.turn.begins() } else { None };
        self.state = state;
        trouble.map(|why| notes::turn_failed(why).into()).into_iter().collect()
    }

    fn says(&mut self, text: &str) -> Vec<Piece> {
        if text.is_empty() {
            return Vec::new();
        }
        let mut pieces = self.works(State::Writing);
        self.turn.says(text);
        if !self.is_untold {
            pieces.extend(self.flow.more(text).map(Piece::Stream));
        }
        pieces
    }

    /// What it was saying is over: something else is told.
    fn falls_silent(&mut self) -> Vec<Piece> {
        self.turn.falls_silent();
        self.flow.ends().then_some(Piece::StreamEnds).into_iter().collect()
    }

    /// The same, and what it was doing will not end.
    fn breaks_off(&mut self, now: Instant) -> Vec<Piece> {
        let mut pieces = self.falls_silent();
        pieces.extend(self.calls.abandon(true).iter().map(|call| Piece::from(tools::unfinished(call, now))));
        pieces
    }

    fn tool_begins(&mut self, tool: &ToolUseStart<'_>, now: Instant) -> Vec<Piece> {
        let mut pieces = self.works(State::Thinking);
        pieces.extend(self.falls_silent());
        let id = known_by(tool.id.as_ref());
        // Whatever ends by that id from now on is this one.
        let before = self.calls.end(&id);
        pieces.extend(before.map(|call| tools::unfinished(&call, now).into()));
        self.calls.push(Call::plain(id, &tool.name.get(), tool.input.as_ref(), now));
        pieces
    }

    fn tool_ends(&mut self, result: &ToolResult<'_>, now: Instant) -> Vec<Piece> {
        if !self.is_idle() {
            self.state = State::Thinking;
        }
        let mut pieces = self.falls_silent();
        let id = known_by(result.id.as_ref());
        let call = self.calls.end(&id);
        if !self.is_untold {
            let call = call.unwrap_or_else(|| Call::plain(id, SOME_TOOL, None, now));
            let text = result.output.as_ref().map(tool::given).unwrap_or_default();
            pieces.push(gave::plain(&call, &text, result.has_failed(), now).into());
        }
        pieces
    }

    fn count(&mut self, usage: &Usage<'_>) {
        let number = |number: &Option<Num<'_>>| number.as_ref().and_then(Num::as_u64);
        let (more_in, more_out) = (number(&usage.input_tokens), number(&usage.output_tokens));
        if more_in.or(more_out).is_some() {
            let (so_far_in, so_far_out) = self.tokens.unwrap_or_default();
            let add = |so_far: u64, more: Option<u64>| so_far.saturating_add(more.unwrap_or_default());
            self.tokens = Some((add(so_far_in, more_in), add(so_far_out, more_out)));
        }
    }

    fn error(&mut self, message: &str) -> Vec<Piece> {
        self.turn.error_is_told();
        let mut pieces = self.falls_silent();
        let message = if message.trim().is_empty() { "something went wrong" } else { message };
        pieces.push(notes::error(message).into());
        pieces
    }

    /// What it asks a person is shown by whoever asks them.
    fn asks(&mut self) -> Vec<Piece> {
        let mut pieces = self.works(State::Asking);
        pieces.extend(self.falls_silent());
        pieces
    }

    fn done(&mut self, is_ok: bool, now: Instant) -> Vec<Piece> {
        let pieces = self.breaks_off(now);
        if !self.is_idle() {
            self.turn.ends(is_ok);
        }
        self.state = State::Idle;
        pieces
    }

    /// A line that says what it is and then is not that: whoever wrote the agent will want to know.
    fn odd(&mut self, why: &str) -> Vec<Piece> {
        let mut pieces = self.falls_silent();
        let line = Line::at(2).own(Style::DIM, "not understood").foreign(Style::DIM, why);
        pieces.push(Page::of(Kind::Note).line(line.wrapped()).into());
        pieces
    }
}

/// By what a tool is known until it ends; all that have no id are the same one.
fn known_by(id: Option<&Text<'_>>) -> String {
    id.map(|id| words::short(&id.get(), LONGEST_ID)).unwrap_or_default()
}
