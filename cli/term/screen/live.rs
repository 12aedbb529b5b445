//! What the live region looks like: the question, what goes on, the line, and a word to the person.
//!
//! Owns the order of its parts and what gives way on a low screen: blank row and status first, never the keys of a question
//! and never the line that is typed.

use std::time::Duration;

use actors::question::Asks;
use actors::router::Keeper;
use tokio::time::Instant;

use super::super::painter::Live;
use super::super::question::{About, Drawn, Screen as Room};
use super::super::style::{Colour, Row, Span, Style};
use super::Screen;

/// The smallest screen on which a question can be answered.
const NARROWEST: usize = 20;
const LOWEST: usize = 5;

impl Screen {
    /// The live region, and whether it says that a question's keys count.
    pub(super) fn live(&mut self, now: Instant) -> (Live, bool) {
        let line = self.line_rows();
        let below = self.below();
        let room = self.height.saturating_sub(1 + line.rows.len() + below.len());
        let (question, is_armed) = self.question_rows(room, now);
        let above = self.above(room.saturating_sub(question.rows.len()), !question.rows.is_empty());
        let mut live = Live::default();
        push(&mut live, above.into());
        push(&mut live, question);
        let status = self.status_rows(room, live.rows.len(), now);
        push(&mut live, status.into());
        push(&mut live, line);
        let cursor = live.cursor;
        push(&mut live, below.into());
        live.cursor = cursor;
        (live, is_armed)
    }

    /// The row of text that still grows, and a blank one.
    fn above(&self, room: usize, has_question: bool) -> Vec<Row> {
        let growing = self.stream.rest(self.width()).filter(|row| !row.text().trim().is_empty());
        let has_more = has_question || self.status.is_some() || !self.crew.is_empty();
        let blank = (has_more && room > 2).then(Row::default);
        growing.into_iter().chain(blank).take(room).collect()
    }

    /// What goes on, unless a question waits: then that does. Of several agents each has its row all the same, as far as
    /// there is room. And the lines that wait to be read.
    fn status_rows(&self, room: usize, used: usize, now: Instant) -> Vec<Row> {
        let left = room.saturating_sub(used);
        let status = self.status.as_ref().filter(|_| self.up.is_none());
        let status = status.map(|status| status.row(self.width(), now));
        let queued = self.queued.rows(self.width());
        let asks = self.up.as_ref().map(|up| up.offer.path.as_str());
        let room = left.saturating_sub(queued.len() + usize::from(status.is_some()));
        let crew = self.crew.rows(self.width(), room, asks, now);
        let blank = (!crew.is_empty() && self.up.is_some() && room > crew.len()).then(Row::default);
        let rows = status.into_iter().chain(blank).chain(crew).chain(queued);
        rows.take(left).collect()
    }

    /// Whether no question can be shown here.
    pub(super) const fn is_too_small(&self) -> bool {
        self.columns < NARROWEST || self.height < LOWEST
    }

    fn question_rows(&mut self, room: usize, now: Instant) -> (Drawn, bool) {
        let (columns, then) = (self.width(), self.then());
        let is_small = self.is_too_small();
        let Some(up) = &mut self.up else { return (Drawn::default(), false) };
        if is_small {
            up.focus.is_hidden();
            return (Drawn::from(vec![too_small(columns)]), false);
        }
        fail_if_told(self.setup.fails_on.as_deref(), &up.offer.question.summary());
        let is_armed = up.focus.is_ripe(now);
        let waited = now.saturating_duration_since(up.since);
        let left = up.offer.left_ms.map(|left| Duration::from_millis(left).saturating_sub(waited));
        let is_permission = matches!(up.offer.question.asks, Asks::Permission(_));
        let about = About {
            who: &up.who,
            time: &up.time,
            age: waited,
            left,
            waiting: self.behind.count + 1,
            // Whoever is not ours may be anywhere.
            folder: self.setup.folder.as_deref().filter(|_| is_permission && up.offer.keeper == Keeper::Here),
            then: &then,
        };
        let mut is_armed = is_armed;
        let rests = up.rests_until.is_some_and(|until| now < until);
        let look = Room { columns, height: room, is_armed: is_armed && !rests };
        let mut drawn = up.block.draw(&about, look);
        if up.block.shows_more() && is_armed {
            // What had no room before is seen for the first time.
            up.focus.is_hidden();
            is_armed = false;
            drawn = up.block.draw(&about, Room { is_armed, ..look });
        }
        let on_question = up.focus.is_on_question();
        (Drawn { cursor: drawn.cursor.filter(|_| on_question), ..drawn }, is_armed)
    }

    /// The line; where a question has the keys and nothing is typed there is none.
    fn line_rows(&self) -> Drawn {
        let on_question = self.up.as_ref().is_some_and(|up| up.focus.is_on_question());
        if !self.setup.has_line || on_question && self.editor.is_empty() {
            return Drawn::default();
        }
        let mut rendered = self.editor.render(&self.line_sign(), self.width(), (self.height / 3).max(1));
        let hint = self.up.as_ref().filter(|_| !on_question).map(|_| "Tab answers the question");
        if let (Some(hint), Some(first)) = (hint, rendered.rows.first_mut()) {
            let hint = Row::own(Style::of(Colour::Yellow), hint);
            *first = first.with_right(&[hint], self.columns.saturating_sub(1).max(1));
        }
        Drawn { rows: rendered.rows, cursor: (!on_question).then_some(rendered.cursor) }
    }

    fn line_sign(&self) -> Row {
        let sign = Span::own(Style::PLAIN, "❯ ");
        match self.targets.name() {
            Some(name) => {
                let colour = self.crew.colour(&name).unwrap_or(Colour::Cyan);
                Row::foreign(Style::of(colour), &name).and(Span::own(Style::PLAIN, " ")).and(sign)
            }
            None => Row::default().and(sign),
        }
    }

    fn below(&self) -> Vec<Row> {
        let most = self.height.saturating_sub(2);
        self.hint.iter().flat_map(|hint| hint.rows.iter().cloned()).take(most).collect()
    }
}

fn too_small(columns: usize) -> Row {
    Row::own(Style::of(Colour::Yellow), "? too small a window for this question").fit(columns)
}

/// Nothing here should ever fail; that nobody else suffers if it does can only be seen if it does.
#[expect(clippy::panic, reason = "that is what it is for")]
pub(super) fn fail_if_told(on: Option<&str>, said: &str) {
    if on.is_some_and(|text| said.contains(text)) {
        panic!("told to fail on this");
    }
}

/// Adds a part below. The cursor is in the last part that has one, else behind the last row.
fn push(live: &mut Live, part: Drawn) {
    let above = live.rows.len();
    if let Some(last) = part.rows.last() {
        let end = (above + part.rows.len() - 1, last.width());
        live.cursor = part.cursor.map_or(end, |(row, column)| (above + row, column));
    }
    live.rows.extend(part.rows);
}
