//! What is known of a run while it goes on, for those who show it: the agent's story, its questions, lines on their way.
//!
//! Owns what the status row says, and which rows are printed where there is no screen. Decides nothing.

use std::time::Duration;

use actors::agent::events::is_rejection;
use actors::router::{Emitted, Stage};
use codec::text::visible;
use tokio::time::Instant;

use super::decisions::Decisions;
use super::reported::Reports;
use crate::args::OutputFormat;
use crate::printer::Place as Printed;
use crate::render::tale::{Piece, Tale};
use crate::render::whole::Whole;
use crate::render::{Badge, Block, Kind};
use crate::term::screen::Screen;
use crate::term::screen::crew::{Member, State};
use crate::term::screen::status::Status;
use crate::term::style::{Colour, Row, Span, Style};
use crate::voice::Voice;

#[cfg(test)]
mod tests;

/// What is wanted on stdout.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wanted {
    /// the final text alone, also at a terminal
    pub(super) print: bool,
    pub(super) format: OutputFormat,
    /// stdout is a terminal without a screen: everything is told there, one row after the other
    pub(super) tells_on_stdout: bool,
    /// a person sees it on a screen
    pub(super) on_screen: bool,
    /// there is a parent, which tells the person: whoever started this reads the final text
    pub(super) is_told_above: bool,
}

impl Wanted {
    /// Whether anything is told in rows: programs that read JSON get none, nor does whoever started a run below another.
    fn has_rows(self) -> bool {
        self.format == OutputFormat::Text && !self.is_told_above
    }

    /// Rows where there is no screen, with a name before each if it is to be told who.
    pub(super) fn rows(self, voice: &Voice, rows: &[String], who: Option<&str>) {
        if !self.has_rows() {
            return;
        }
        let place = if self.tells_on_stdout { Printed::Stdout } else { Printed::Stderr };
        for row in rows {
            let row = match who {
                Some(who) => format!("{}  {row}\n", visible(who)),
                None => format!("{row}\n"),
            };
            voice.printer().print(place, row);
        }
    }
}

/// What is known of a run.
pub(super) struct Scene {
    pub(super) wanted: Wanted,
    pub(super) story: Box<dyn Tale>,
    /// the text that is being written, where there is no screen
    pub(super) whole: Whole,
    pub(super) decisions: Decisions,
    pub(super) began: Instant,
    /// when the last question of the agent ended
    pub(super) settled: Option<Instant>,
    /// nothing was said to it yet
    pub(super) is_awaited: bool,
    /// since when the person is asked for it
    pub(super) asked: Option<Instant>,
    /// what the agent is called
    pub(super) who: String,
    /// how it is told from others, if there are several at once
    pub(super) badge: Option<Badge>,
    /// what it does, for the parent
    pub(super) reports: Option<Reports>,
}

impl Scene {
    /// A line of the agent: what is to be told of it. Nothing if it is not in the agent's language.
    pub(super) fn hear(&mut self, line: &[u8]) -> Option<Vec<Piece>> {
        let pieces = self.story.hear_by(line, Instant::now)?;
        self.is_awaited = false;
        Some(pieces)
    }

    /// The agent read a line of the person: it may be at work by that, before it says anything.
    pub(super) fn was_read(&mut self, voice: &Voice) {
        if let Some(pieces) = self.story.spoken_to() {
            self.tell(pieces, voice);
        }
    }

    /// Something that the agent printed and that is not in its language.
    pub(super) fn noise(&mut self, text: &str, voice: &Voice) {
        self.tell(vec![Piece::Block(Block::output(text))], voice);
    }

    /// The agent asked what nobody could answer: that is taken for a no.
    pub(super) fn misasked(&mut self, why: &str, voice: &Voice, now: Instant) {
        let pieces = self.story.misasked(why, now);
        self.tell(pieces, voice);
    }

    /// The agent is gone.
    pub(super) fn ends(&mut self, voice: &Voice, now: Instant) {
        let pieces = self.story.ends(now);
        self.tell(pieces, voice);
        if let Some(screen) = voice.terminal() {
            screen.with(|screen| match &self.badge {
                Some(badge) => screen.member_left(&badge.name),
                None => screen.set_status(None),
            });
        }
    }

    /// Shows it on the screen, or prints it as rows.
    pub(super) fn tell(&mut self, pieces: Vec<Piece>, voice: &Voice) {
        if let Some(screen) = voice.terminal() {
            return screen.with(|screen| match self.badge.clone() {
                None => self.tell_on_screen(pieces, screen),
                Some(badge) => self.tell_beside_others(pieces, &badge, screen),
            });
        }
        if !self.wanted.has_rows() {
            return;
        }
        for block in self.whole.take(pieces) {
            let is_talk = block.kind() == Kind::Talk;
            if self.wanted.tells_on_stdout || !is_talk {
                let rows = is_talk.then(String::new).into_iter().chain(block.plain());
                self.rows(voice, &rows.collect::<Vec<_>>());
            }
        }
    }

    fn tell_on_screen(&self, pieces: Vec<Piece>, screen: &mut Screen) {
        let is_wanted = |piece: &Piece| match piece {
            Piece::Block(block) => self.is_wanted(block),
            Piece::Stream(_) | Piece::StreamEnds => !self.wanted.print,
        };
        screen.tell(pieces.into_iter().filter(is_wanted).collect());
        screen.lines_wait_behind(None, self.story.tool_at_work());
        screen.set_status(Some(self.status()));
    }

    /// What is printed at the end need not be read twice.
    fn is_wanted(&self, block: &Block) -> bool {
        !self.wanted.print || block.kind() != Kind::Talk
    }

    /// Where several agents speak at once each says whole things, behind its name.
    fn tell_beside_others(&mut self, pieces: Vec<Piece>, badge: &Badge, screen: &mut Screen) {
        for block in self.whole.take(pieces) {
            if self.is_wanted(&block) {
                screen.tell_of(badge, &block);
            }
        }
        screen.lines_wait_behind(Some(&badge.name), self.story.tool_at_work());
        screen.member_is(self.member(badge));
    }

    /// What one of several is at.
    fn member(&self, badge: &Badge) -> Member {
        let state = match (self.asked, self.story.is_idle(), self.story.was_interrupted()) {
            (Some(since), ..) if self.decisions.is_waiting() => State::Asks(since),
            (_, true, true) => State::Rests("was interrupted: say what instead"),
            (_, true, false) => State::Rests("is done"),
            _ => State::Works(self.story.doing()),
        };
        let cost = self.story.cost().map(|cost| format!("${cost:.2}"));
        Member { badge: badge.clone(), state, since: self.began, cost }
    }

    /// Shows what it is at, if it is one of several.
    pub(super) fn show_member(&self, voice: &Voice) {
        if let (Some(screen), Some(badge)) = (voice.terminal(), &self.badge) {
            screen.with(|screen| screen.member_is(self.member(badge)));
        }
    }

    /// What goes on.
    pub(super) fn status(&self) -> Status {
        if self.story.is_asking() || !self.story.is_idle() && self.decisions.awaits_input() {
            let row = Row::own(Style::of(Colour::Yellow), "? ").and(Span::foreign(Style::PLAIN, &self.who));
            return Status::Says(row.and(Span::own(Style::PLAIN, " asks")));
        }
        match (self.is_awaited, self.story.is_idle(), self.story.was_interrupted()) {
            (true, ..) => return self.rests(Style::PLAIN, "  ", " waits for your words"),
            (_, true, true) => {
                return self.rests(Style::of(Colour::Yellow), "– ", " was interrupted: say what instead");
            }
            (_, true, false) => return self.rests(Style::of(Colour::Green), "✓ ", " is done"),
            _ => {}
        }
        Status::Works {
            who: self.who.clone(),
            since: self.began,
            cost: self.story.cost().map(|cost| format!("${cost:.2}")),
            at: self.story.doing(),
        }
    }

    /// It does nothing before the person does something.
    fn rests(&self, style: Style, sign: &'static str, why: &'static str) -> Status {
        let row = Row::own(style, sign)
            .and(Span::foreign(Style::PLAIN, &self.who))
            .and(Span::own(Style::PLAIN, why));
        Status::Says(row.and(Span::own(Style::DIM, "   Enter sends   Ctrl-D ends")))
    }

    /// Rows where there is no screen.
    pub(super) fn rows(&self, voice: &Voice, rows: &[String]) {
        self.wanted.rows(voice, rows, self.badge.as_ref().map(|badge| badge.name.as_str()));
    }

    /// How long ago the person was asked for the agent the last time; if it waits for them now, not at all.
    pub(super) fn asked_ago(&self, now: Instant) -> Option<Duration> {
        let settled = || self.settled.map(|settled| now.duration_since(settled));
        if self.decisions.is_waiting() { Some(Duration::ZERO) } else { settled() }
    }

    /// What became of a question.
    pub(super) fn question(&mut self, emitted: &Emitted, voice: &Voice, now: Instant) {
        let tool_use = self.decisions.tool_use(emitted);
        let is_input = self.decisions.is_input(emitted);
        match (&emitted.what, &tool_use) {
            (Stage::Asked { .. }, Some(id)) => self.story.asked(id),
            (Stage::Ended(end), Some(id)) => {
                self.story.decided(id, self.decisions.allows(&emitted.key, end), now);
            }
            _ => {}
        }
        if matches!(emitted.what, Stage::Ended(_)) && self.decisions.is_waiting() {
            self.settled = Some(now);
        }
        let was_waiting = self.decisions.is_waiting();
        let refused =
            self.decisions.hear(emitted).map(|refused| format!("– refused  {}", visible(&refused.what)));
        let has_row = voice.terminal().is_some() || refused.is_some();
        if let (Stage::Ended(_), Some(id), true) = (&emitted.what, &tool_use, has_row) {
            self.story.hush(id);
        }
        if let (Some(row), None) = (refused, voice.terminal()) {
            self.rows(voice, &[row]);
        }
        // One that is at nothing any more, or gone, has nothing to end: and its status row stays as it is.
        if let (Stage::Ended(end), true, false) = (&emitted.what, is_input, self.story.is_idle()) {
            let pieces = self.story.input_ended(is_rejection(end), now);
            self.tell(pieces, voice);
        }
        self.asked = match (was_waiting, self.decisions.is_waiting()) {
            (_, false) => None,
            (true, true) => self.asked,
            (false, true) => Some(now),
        };
        self.show_member(voice);
    }
}
