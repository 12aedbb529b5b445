//! What the host writes to Claude's stdin. A line that is no JSON would end the CLI at once.

use crate::json::{Text, line, line_of, record, tagged};
use crate::reject::{Reject, split};

use super::content::{Block, Content, Message, TextBlock};
use super::control::{ControlCancel, ControlRequest, ControlResponse};

record! {
    /// A message of the person.
    struct UserMessage {
        message: Message<'a> = "message",
    }
    lenient {
        /// new CLIs tell by it what became of the message; a second message with the same one is dropped silently
        uuid: Text<'a> = "uuid",
        priority: Text<'a> = "priority",
        should_query: bool = "shouldQuery",
        client_composed: bool = "client_composed",
        parent_tool_use_id: Text<'a> = "parent_tool_use_id",
        session_id: Text<'a> = "session_id",
    }

    /// Ignored by Claude.
    struct KeepAlive {}
}

tagged! {
    /// One line for Claude's stdin.
    enum Input by "type" {
        User(UserMessage) = "user",
        ControlRequest(ControlRequest) = "control_request",
        ControlResponse(ControlResponse) = "control_response",
        ControlCancel(ControlCancel) = "control_cancel_request",
        KeepAlive(KeepAlive) = "keep_alive",
    }
}

impl<'a> Input<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Input::from_object)
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl UserMessage<'static> {
    /// A typed line.
    #[must_use]
    pub fn text(text: &str, uuid: &str) -> Self {
        Self::with_content(Content::Text(Text::new(text)), uuid)
    }

    /// Text and what goes with it, images above all.
    #[must_use]
    pub fn blocks(text: &str, blocks: Vec<Block<'static>>, uuid: &str) -> Self {
        let text = Block::Text(TextBlock::of(Text::new(text)));
        Self::with_content(Content::Blocks(std::iter::once(text).chain(blocks).collect()), uuid)
    }

    fn with_content(content: Content<'static>, uuid: &str) -> Self {
        let message = Message { role: Some(Text::new("user")), ..Message::of(content) };
        Self { uuid: Some(Text::new(uuid)), ..Self::of(message) }
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line_of("user", self)
    }
}
