//! What is known of a run while it goes on, for those who show it: the agent's story, its questions, lines on their way.
//!
//! Owns what the status row says, and which rows are printed where there is no screen. Decides nothing.

use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use actors::agent::events::is_rejection;
use actors::router::{Emitted, Stage};
use codec::text::visible;
use tokio::time::Instant;

use super::decisions::Decisions;
use crate::args::OutputFormat;
use crate::keeping::Keeping;
use crate::printer::Place as Printed;
use crate::render::tale::{Piece, Tale};
use crate::render::whole::Whole;
use crate::render::{Block, Kind};
use crate::term::screen::Screen;
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
    /// there is a parent, which tells the person: whoever started this reads the final text
    pub(super) is_told_above: bool,
}

/// A line that went to somebody further down.
#[derive(Debug)]
pub(super) struct Elsewhere {
    pub(super) id: String,
    pub(super) to: String,
    pub(super) text: String,
}

/// So many are remembered.
const MOST_ELSEWHERE: usize = 100;

/// What is known of a run.
pub(super) struct Scene {
    pub(super) wanted: Wanted,
    pub(super) story: Box<dyn Tale>,
    /// the text that is being written, where there is no screen
    pub(super) whole: Whole,
    pub(super) decisions: Decisions,
    pub(super) keeping: Rc<Keeping>,
    /// lines that wait to be read: by their names, as the screen numbers them
    pub(super) lines: HashMap<String, u64>,
    /// lines for those further down, of which nothing was heard
    pub(super) elsewhere: VecDeque<Elsewhere>,
    pub(super) began: Instant,
    /// when the last question of the agent ended
    pub(super) settled: Option<Instant>,
    /// nothing was said to it yet
    pub(super) is_awaited: bool,
    /// what the agent is called
    pub(super) who: String,
}

impl Scene {
    /// A line of the agent: what is to be told of it. Nothing if it is not in the agent's language.
    pub(super) fn hear(&mut self, line: &[u8]) -> Option<Vec<Piece>> {
        let pieces = self.story.hear_by(line, Instant::now)?;
        self.is_awaited = false;
        Some(pieces)
    }

    /// A line goes to somebody further down.
    pub(super) fn goes_elsewhere(&mut self, line: Elsewhere) {
        self.elsewhere.push_back(line);
        if self.elsewhere.len() > MOST_ELSEWHERE {
            self.elsewhere.pop_front();
        }
    }

    /// Something was heard of a line that went to somebody further down.
    pub(super) fn heard_of(&mut self, id: &str) -> Option<Elsewhere> {
        let at = self.elsewhere.iter().position(|line| line.id == id)?;
        self.elsewhere.remove(at)
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
            screen.with(|screen| screen.set_status(None));
        }
    }

    /// Shows it on the screen, or prints it as rows.
    pub(super) fn tell(&mut self, pieces: Vec<Piece>, voice: &Voice) {
        if let Some(screen) = voice.terminal() {
            return screen.with(|screen| self.tell_on_screen(pieces, screen));
        }
        if !self.has_rows() {
            return;
        }
        for block in self.whole.take(pieces) {
            let is_talk = block.kind() == Kind::Talk;
            if self.wanted.tells_on_stdout || !is_talk {
                let rows = is_talk.then(String::new).into_iter().chain(block.plain());
                self.rows(voice, &rows.collect::<Vec<_>>(), None);
            }
        }
    }

    fn tell_on_screen(&self, pieces: Vec<Piece>, screen: &mut Screen) {
        // What is printed at the end need not be read twice.
        let is_wanted = |piece: &Piece| match piece {
            Piece::Block(block) => !self.wanted.print || block.kind() != Kind::Talk,
            Piece::Stream(_) | Piece::StreamEnds => !self.wanted.print,
        };
        screen.tell(pieces.into_iter().filter(is_wanted).collect());
        screen.lines_wait_behind(self.story.tool_at_work());
        screen.set_status(Some(self.status()));
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

    /// Whether anything is told in rows: programs that read JSON get none, nor does whoever started a run below another.
    fn has_rows(&self) -> bool {
        self.wanted.format == OutputFormat::Text && !self.wanted.is_told_above
    }

    /// Rows where there is no screen.
    pub(super) fn rows(&self, voice: &Voice, rows: &[String], who: Option<&str>) {
        if !self.has_rows() {
            return;
        }
        let place = if self.wanted.tells_on_stdout { Printed::Stdout } else { Printed::Stderr };
        for row in rows {
            let row = match who {
                Some(who) => format!("{}  {row}\n", visible(who)),
                None => format!("{row}\n"),
            };
            voice.printer().print(place, row);
        }
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
        self.keeping.hear(emitted, voice);
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
        let refused =
            self.decisions.hear(emitted).map(|refused| format!("– refused  {}", visible(&refused.what)));
        let has_row = voice.terminal().is_some() || refused.is_some();
        if let (Stage::Ended(_), Some(id), true) = (&emitted.what, &tool_use, has_row) {
            self.story.hush(id);
        }
        if let (Some(row), None) = (refused, voice.terminal()) {
            self.rows(voice, &[row], None);
        }
        // One that is at nothing any more, or gone, has nothing to end: and its status row stays as it is.
        if let (Stage::Ended(end), true, false) = (&emitted.what, is_input, self.story.is_idle()) {
            let pieces = self.story.input_ended(is_rejection(end), now);
            self.tell(pieces, voice);
        }
    }
}
