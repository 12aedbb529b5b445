//! Stream events: what an agent in any language prints and reads, one flat JSON object a line.

use crate::json::{Json, Num, Record, Text, Written, record, tagged, words};
use crate::outcome::Outcome;
use crate::reject::{Reject, split};

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
        request_id: Text<'a> = "requestId",
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
        request_id: Text<'a> = "requestId",
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
    /// How to answer; approval if the agent does not say. Nothing if it says something that is none of the three.
    #[must_use]
    pub fn mode(&self) -> Option<InputMode> {
        match (&self.input_type, self.extras.peek("input_type")) {
            (Some(mode), _) => InputMode::from_word(&mode.get()),
            (None, None) => Some(InputMode::Approval),
            (None, Some(_)) => None,
        }
    }
}

impl<'a> Event<'a> {
    /// Reads one line.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Event::from_object)
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

fn line<'a>(message: &(impl Record<'a> + Written)) -> String {
    let mut line = String::new();
    message.write(&mut line);
    line
}
