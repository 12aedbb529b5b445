//! Stream events: what an agent in any language prints and reads, one flat JSON object a line.

use crate::id::RequestId;
use crate::json::{Json, Num, Text, line, record, tagged, words};
use crate::outcome::Outcome;
use crate::reject::{Asked, Awaits, Reject, split};
use crate::skim::id_of;

words! {
    /// How an agent wants to be answered.
    InputMode {
        /// `"approve"` or `"reject"`
        Approval = "approval",
        /// `{"index","value"}` or `"reject"`
        Choice = "choice",
        /// a text or `"reject"`
        Text = "text",
    }
}

record! {
    /// More text.
    struct TextDelta {
        text: Text<'a> = "text",
    }

    /// A tool begins.
    struct ToolUseStart {
        name: Text<'a> = "name",
    }
    lenient {
        id: Text<'a> = "id",
        input: Json<'a> = "input",
    }

    /// A tool ended.
    struct ToolResult {}
    lenient {
        id: Text<'a> = "id",
        output: Json<'a> = "output",
        is_error: bool = "is_error",
    }

    /// Tokens used.
    struct Usage {}
    lenient {
        input_tokens: Num<'a> = "input_tokens",
        output_tokens: Num<'a> = "output_tokens",
    }

    /// Something went wrong.
    struct Error {
        message: Text<'a> = "message",
    }

    /// The agent pauses and asks.
    struct InputRequest {
        request_id: RequestId = "requestId",
    }
    lenient {
        prompt: Text<'a> = "prompt",
        /// any text: see [`InputRequest::mode`]
        input_type: Text<'a> = "input_type",
        choices: Vec<Text<'a>> = "choices",
    }

    /// The turn ends. An agent that ends without it has failed.
    struct Done {}
    lenient {
        ok: bool = "ok",
    }

    /// The person said something.
    struct User {
        id: Text<'a> = "id",
        text: Text<'a> = "text",
    }

    /// The answer to an input request.
    struct InputResponse {
        request_id: RequestId = "requestId",
        response: Json<'a> = "response",
        outcome: Outcome = "outcome",
    }

    /// The turn is over; stop.
    struct Cancel {}
}

tagged! {
    /// One line that an agent prints.
    enum Event by "type" {
        TextDelta(TextDelta) = "text_delta",
        ToolUseStart(ToolUseStart) = "tool_use_start",
        ToolResult(ToolResult) = "tool_result",
        Usage(Usage) = "usage",
        Error(Error) = "error",
        InputRequest(InputRequest) = "input_request",
        Done(Done) = "done",
    }

    /// One line that an agent reads.
    enum Said by "type" {
        User(User) = "user",
        InputResponse(InputResponse) = "input_response",
        Cancel(Cancel) = "cancel",
    }
}

impl InputRequest<'_> {
    /// How to answer; approval if the agent does not say. Nothing if it says something that is none of the three, `null`
    /// included: what is asked must not be guessed.
    #[must_use]
    pub fn mode(&self) -> Option<InputMode> {
        match &self.input_type {
            Some(mode) => InputMode::from_word(&mode.get()),
            None if self.extras.has("input_type") => None,
            None => Some(InputMode::Approval),
        }
    }
}

impl<'a> Event<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Event::from_object).map_err(|reject| reject.heard_in(line, recover))
    }

    /// Who waits for an answer to this line although it could not be understood: the agent would wait for ever.
    #[must_use]
    pub fn misunderstood(&self) -> Option<Asked> {
        match self {
            Event::Unknown(_) => recover(self.to_line().as_bytes()),
            _ => None,
        }
    }

    /// The event as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }
}

impl<'a> Said<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Said::from_object)
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }
}

/// Finds the request in a line that could not be read, or in the beginning of one that was too long to keep.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    id_of(head, "input_request", "requestId").map(|id| Asked { id, awaits: Awaits::Input })
}
