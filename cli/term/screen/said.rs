//! What goes into the history, and what stands beside it for a moment.
//!
//! Owns how tim's own words look there, and that a text which still grows is final before anything else is said. Whether
//! and when it is drawn is not decided here.

use std::time::Duration;

use actors::end::End;
use actors::question::Question;
use codec::tunnel::Up as Report;
use tokio::time::Instant;

use super::super::question::history;
use super::super::style::{Colour, Row, Span, Style};
use super::super::wrap::{Breaks, Margin, fold};
use super::crew::Member;
use super::status::Status;
use super::{Hint, Screen};
use crate::render::tale::Piece;
use crate::render::{self, Badge, Block, Kind, Rendered};

/// How many folded outputs are kept.
const MOST_FOLDED: usize = 24;
/// With as many rows in all.
const MOST_FOLDED_ROWS: usize = 20_000;
/// As many rows of a line that was sent are shown.
const MOST_SENT: usize = 20;

impl Screen {
    /// Shows what somebody reports, behind their name.
    pub(crate) fn report(&mut self, who: &str, message: &Report<'_>) {
        if let Report::Relayed(relayed) = message {
            self.targets.speaks(&render::path_of(Some(who), relayed));
        }
        let rendered = render::report(Some(who), message, self.width());
        self.output_of(who, rendered);
    }

    /// Shows what one of several agents does, behind its name.
    pub(crate) fn tell_of(&mut self, badge: &Badge, block: &Block) {
        let rendered = block.behind(badge, self.width());
        self.output_of(&badge.name, rendered);
    }

    fn output_of(&mut self, who: &str, Rendered { mut rows, folded, kind }: Rendered) {
        if rows.is_empty() {
            return;
        }
        let before = self.last.replace((kind, who.to_owned()));
        let is_apart = before.is_some_and(|(last, by)| by != who || render::gap_between(last, kind));
        if is_apart {
            rows.insert(0, Row::default());
        }
        self.output(rows, folded);
    }

    /// Shows what the agent of this run does.
    pub(crate) fn tell(&mut self, pieces: Vec<Piece>) {
        for piece in pieces {
            match piece {
                Piece::Stream(text) => {
                    if self.stream.is_over() && self.is_apart(Kind::Talk) {
                        self.backlog.output(vec![Row::default()]);
                    }
                    self.stream(&text);
                }
                Piece::StreamEnds => self.finish_stream(),
                Piece::Block(block) => self.tell_block(&block),
            }
        }
    }

    fn tell_block(&mut self, block: &Block) {
        let Rendered { mut rows, folded, kind } = block.rendered(self.width());
        if rows.is_empty() {
            return;
        }
        if self.is_apart(kind) {
            rows.insert(0, Row::default());
        }
        self.output(rows, folded);
    }

    /// Whether a blank row belongs before something of that kind that the agent of this run does. It has no name: there is
    /// no other whose words it could be.
    fn is_apart(&mut self, kind: Kind) -> bool {
        let before = self.last.replace((kind, String::new()));
        before.is_some_and(|(last, by)| !by.is_empty() || render::gap_between(last, kind))
    }

    /// Shows what an agent or a client says.
    pub(crate) fn output(&mut self, rows: Vec<Row>, folded: Option<Vec<Row>>) {
        self.finish_stream();
        if let Some(folded) = folded {
            self.folded.push_front(folded);
            self.folded.truncate(MOST_FOLDED);
            // The last one is kept however long it is.
            while self.folded.len() > 1 && self.folded.iter().map(Vec::len).sum::<usize>() > MOST_FOLDED_ROWS
            {
                self.folded.pop_back();
            }
        }
        self.backlog.output(rows);
        self.is_changed = true;
    }

    /// Shows more of a text that comes in pieces.
    pub(crate) fn stream(&mut self, text: &str) {
        let rows = self.stream.push(text, self.width());
        self.backlog.output(rows);
        self.is_changed = true;
    }

    /// A text that came in pieces is over, or something else must be shown.
    pub(crate) fn finish_stream(&mut self) {
        let rows = self.stream.finish(self.width());
        if !rows.is_empty() {
            self.backlog.output(rows);
        }
    }

    /// Whether more output can be taken without dropping any.
    pub(crate) const fn has_room(&self) -> bool {
        self.backlog.has_room()
    }

    /// Shows something that tim itself says, for good.
    pub(crate) fn note(&mut self, rows: Vec<Row>) {
        self.finish_stream();
        self.backlog.own(rows);
        self.is_changed = true;
    }

    /// Shows a warning, for good.
    pub(crate) fn warn(&mut self, what: &str) {
        let yellow = Style::of(Colour::Yellow);
        let rows = self.folded_note(Row::own(yellow, "! "), yellow, what);
        self.note(rows);
    }

    pub(super) fn folded_note(&self, sign: Row, style: Style, text: &str) -> Vec<Row> {
        let margin = Margin { rest: Row::blanks(2), first: sign };
        let rest = Margin::blank(2);
        let lines = text.split('\n').enumerate();
        let margin_of = |at| if at == 0 { &margin } else { &rest };
        lines
            .flat_map(|(at, line)| {
                fold(&Row::foreign(style, line), margin_of(at), self.width(), Breaks::Words)
            })
            .collect()
    }

    /// The row above the line: what goes on. None takes it away.
    pub(crate) fn set_status(&mut self, status: Option<Status>) {
        self.is_changed |= self.status != status;
        self.status = status;
    }

    /// What one of several agents is at.
    pub(crate) fn member_is(&mut self, member: Member) {
        self.is_changed |= self.crew.is_at(member);
    }

    /// One of several agents has ended.
    pub(crate) fn member_left(&mut self, name: &str) {
        self.crew.left(name);
        self.is_changed = true;
    }

    /// The row of a question that ended.
    pub(crate) fn ended(&mut self, path: &str, question: &Question, end: &End) {
        let row = self.row_of_end(path, question, end);
        self.note(vec![row]);
    }

    /// The same for one that nobody saw. There may be thousands.
    pub(super) fn ended_unseen(&mut self, path: &str, question: &Question, end: &End) {
        let row = self.row_of_end(path, question, end);
        self.unseen.add(row, matches!(end, End::Answered { .. }));
        self.is_changed = true;
    }

    /// Of several agents it says whose question it was.
    fn row_of_end(&self, path: &str, question: &Question, end: &End) -> Row {
        let time = (self.setup.time)(Duration::ZERO);
        let whose = Some(path).filter(|_| !self.crew.is_empty());
        history::row(question, end, &self.setup.here.place, (&time, whose), None, self.width())
    }

    /// The line of that number was read: there it stands in the history.
    pub(crate) fn was_read(&mut self, number: u64) {
        if let Some(line) = self.queued.take(number) {
            self.you_said(&line.text, line.to.as_deref());
        }
    }

    /// What the agent of this run was started with stands above all that it does.
    pub(crate) fn began_with(&mut self, text: &str, to: Option<&str>) {
        self.you_said(text, to);
    }

    fn you_said(&mut self, text: &str, to: Option<&str>) {
        let mut rows = self.sent_row(text, to);
        if self.is_apart(Kind::Block) {
            rows.insert(0, Row::default());
        }
        self.note(rows);
        self.is_urgent = true;
    }

    /// The line of that number will not be read: it is on the line again.
    pub(crate) fn was_taken_back(&mut self, number: u64) {
        if let Some(line) = self.queued.take(number) {
            self.editor.resume();
            self.editor.put_back(&line.text);
            if let Some(up) = &mut self.up {
                up.focus.line_typed();
            }
            self.is_urgent = true;
        }
    }

    /// Whoever was to read that line is gone.
    pub(crate) fn forget_line(&mut self, number: u64) {
        let _ = self.queued.take(number);
        self.is_changed = true;
    }

    /// What is on the line belongs to what is over: it is not carried on, but `↑` brings it back.
    pub(crate) fn drop_line(&mut self) {
        if let Some(text) = self.editor.begin_anew() {
            self.line_is_for = None;
            self.was_line_dropped = true;
            self.warn(&format!("not sent: {text}"));
            self.is_urgent = true;
        }
    }

    /// What the lines for one agent, or for the only one, are waiting for.
    pub(crate) fn lines_wait_behind(&mut self, who: Option<&str>, what: Option<&str>) {
        self.is_changed |= self.queued.wait_behind(who, what);
    }

    /// Says something below all else until the next key, or until then.
    pub(super) fn hint(&mut self, text: &str, until: Option<Instant>) {
        let yellow = Style::of(Colour::Yellow);
        let rows = fold(&Row::foreign(yellow, text), &Margin::blank(2), self.width(), Breaks::Words);
        self.hint = Some(Hint { rows, until });
        self.is_urgent = true;
    }

    pub(super) fn sent_row(&self, text: &str, to: Option<&str>) -> Vec<Row> {
        let cyan = Style::of(Colour::Cyan);
        let you = Row::own(cyan, "→ ").and(Span::own(cyan, "You"));
        let you = to.map_or(you.clone(), |to| you.and(Span::foreign(cyan, &format!(" to {to}"))));
        let mut rows = self.folded_note(you.and(Span::own(cyan, ": ")), cyan, text);
        let more = rows.len().saturating_sub(MOST_SENT);
        if more > 0 {
            rows.truncate(MOST_SENT);
            rows.push(Row::foreign(Style::DIM, &format!("  … {more} more rows")));
        }
        rows
    }
}
