//! Messages of the model and lines in the person's name: which of them are told.

use codec::claude::{
    Assistant, Block as Content, Content as Contents, Delta, Partial, StreamEvent, UserLine,
};
use tokio::time::Instant;

use super::{Piece, State, Story, look, notes, tasks, words};
use crate::render::Kind;
use crate::render::flow::talk;
use crate::render::page::{Line, Page};
use crate::render::prose::Prose;
use crate::term::style::Style;

impl Story {
    /// A piece of a message. Those of subagents come again as a whole.
    pub(super) fn partial(&mut self, line: &StreamEvent<'_>, now: Instant) -> Vec<Piece> {
        if line.parent_tool_use_id.is_some() {
            return Vec::new();
        }
        self.retry = None;
        match &line.event {
            Partial::MessageStart(start) => {
                self.state = State::Thinking;
                self.thinking.may_begin(now);
                let message = look::object(start.extras.peek("message"));
                self.saying.begins(message.and_then(|message| look::text(&message, "id")))
            }
            Partial::BlockStart(start) => self.block_starts(start.index, &start.content_block, now),
            Partial::BlockDelta(delta) => self.block_goes_on(delta.index, &delta.delta),
            Partial::BlockStop(stop) => self.saying.is_over(stop.index),
            Partial::MessageDelta(_) | Partial::MessageStop(_) | Partial::Unknown(_) => Vec::new(),
        }
    }

    fn block_starts(&mut self, index: u64, block: &Content<'_>, now: Instant) -> Vec<Piece> {
        match block {
            Content::Text(text) => {
                self.state = State::Writing;
                return self.saying.goes_on(index, &text.text.get());
            }
            Content::Thinking(_) => self.thinking.begins(now),
            _ => self.state = State::Writing,
        }
        Vec::new()
    }

    fn block_goes_on(&mut self, index: u64, delta: &Delta<'_>) -> Vec<Piece> {
        match delta {
            Delta::Text(more) => {
                self.state = State::Writing;
                self.saying.goes_on(index, &more.text.get())
            }
            Delta::Thinking(_) => {
                self.state = State::Thinking;
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    pub(super) fn assistant(&mut self, line: &Assistant<'_>, now: Instant) -> Vec<Piece> {
        self.retry = None;
        let parent = line.parent_tool_use_id.as_ref().map(tasks::said);
        let is_synthetic = line.message.model.as_ref().is_some_and(|model| model.is("<synthetic>"));
        let id = line.message.id.as_ref().map(tasks::said);
        let mut pieces = Vec::new();
        for block in blocks(&line.message.content) {
            match block {
                Content::Text(text) if is_synthetic => pieces.extend(self.synthetic(line, &text.text.get())),
                Content::Text(text) => {
                    pieces.extend(self.text(parent.as_deref(), id.as_deref(), &text.text.get()));
                }
                Content::Thinking(thinking) if parent.is_none() => {
                    pieces.extend(self.thinking.ends(&thinking.thinking.get(), &line.extras, now));
                }
                Content::ToolUse(tool) => self.tool_begins(tool, parent.clone(), now),
                _ => {}
            }
        }
        if let Contents::Text(text) = &line.message.content {
            pieces.extend(self.text(parent.as_deref(), id.as_deref(), &text.get()));
        }
        pieces
    }

    fn text(&mut self, parent: Option<&str>, message: Option<&str>, text: &str) -> Vec<Piece> {
        let Some(parent) = parent else {
            self.state = State::Writing;
            return self.saying.whole(message, text);
        };
        let line = Line::at(2).foreign(Style::DIM, self.tasks.name_of(parent)).joined(Style::DIM, " ›");
        let page = match text.trim() {
            "" => return Vec::new(),
            text if text.contains('\n') => {
                Page::of(Kind::Tool).line(line).text(Prose::at(4, Style::DIM, text))
            }
            text => {
                Page::of(Kind::Tool).line(line.joined(Style::DIM, " ").joined(Style::DIM, text).wrapped())
            }
        };
        vec![page.into()]
    }

    /// What Claude Code says in the name of the model.
    fn synthetic(&mut self, line: &Assistant<'_>, text: &str) -> Vec<Piece> {
        if line.error.is_some() {
            self.turn.error_is_told(text);
            return vec![notes::error(text).into()];
        }
        // What stands there where nothing was to be said.
        let is_nothing = ["No response requested.", "(no content)"].contains(&text.trim());
        if is_nothing { Vec::new() } else { talk(text).map(Piece::Block).into_iter().collect() }
    }

    pub(super) fn user(&mut self, line: &UserLine<'_>, now: Instant) -> Vec<Piece> {
        let mut pieces = Vec::new();
        for block in blocks(&line.message.content) {
            match block {
                Content::ToolResult(result) => pieces.extend(self.tool_ends(result, line, now)),
                Content::Text(text) => pieces.extend(self.noted(line, &text.text.get())),
                _ => {}
            }
        }
        if let Contents::Text(text) = &line.message.content {
            pieces.extend(self.noted(line, &text.get()));
        }
        pieces
    }

    /// A text that stands in a line of the person: most are theirs, or for the model.
    fn noted(&mut self, line: &UserLine<'_>, text: &str) -> Option<Piece> {
        if line.parent_tool_use_id.is_some() {
            return None;
        }
        if words::is_interruption(text) {
            return self.turn.is_interrupted().then(|| notes::interrupted().into());
        }
        let frames = ["local-command-stdout", "local-command-stderr"];
        let said = frames.iter().find_map(|frame| words::within(text, frame)).map(str::trim);
        let said = said.filter(|said| !said.is_empty())?;
        Some(Page::of(Kind::Tool).text(Prose::output(Style::DIM, said)).into())
    }
}

fn blocks<'m, 'a>(content: &'m Contents<'a>) -> &'m [Content<'a>] {
    match content {
        Contents::Blocks(blocks) => blocks,
        Contents::Text(_) => &[],
    }
}
