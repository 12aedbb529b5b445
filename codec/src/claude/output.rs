//! What Claude writes to its stdout: one JSON object a line, of a dozen types, more with every release.

use crate::json::{Item, Num, Object, Text, line, record, tagged, words};
use crate::reject::{Asked, Awaits, Reject, split};

use super::content::{Block, Message};
use super::control::{ControlBody, ControlCancel, ControlRequest, ControlResponse, recover};
use super::permission::{Denial, ToolResultMeta};
use super::system::System;

words! {
    /// What became of a message of the person; only new CLIs tell.
    Lifecycle {
        Queued = "queued",
        Started = "started",
        Completed = "completed",
        Cancelled = "cancelled",
    }
}

record! {
    /// One block of what the model says: several lines share a message id.
    struct Assistant {
        message: Message<'a> = "message",
    }
    lenient {
        /// set in a subagent's lines: the `Agent` tool use that started it
        parent_tool_use_id: Text<'a> = "parent_tool_use_id",
        agent_id: Text<'a> = "agent_id",
        session_id: Text<'a> = "session_id",
        uuid: Text<'a> = "uuid",
        /// why Claude Code itself said this
        error: Text<'a> = "error",
    }

    /// A tool's result, an echo of a message, or a note of Claude Code.
    struct UserLine {
        message: Message<'a> = "message",
    }
    lenient {
        parent_tool_use_id: Text<'a> = "parent_tool_use_id",
        agent_id: Text<'a> = "agent_id",
        session_id: Text<'a> = "session_id",
        uuid: Text<'a> = "uuid",
        is_replay: bool = "isReplay",
        is_synthetic: bool = "isSynthetic",
        tool_use_result: crate::json::Json<'a> = "tool_use_result",
        tool_result_meta: Vec<Item<'a, ToolResultMeta<'a>>> = "tool_result_meta",
    }

    /// A piece of what the model is saying.
    struct StreamEvent {
        event: Partial<'a> = "event",
    }
    lenient {
        parent_tool_use_id: Text<'a> = "parent_tool_use_id",
        session_id: Text<'a> = "session_id",
        uuid: Text<'a> = "uuid",
    }

    /// The end of a turn. `subtype` can say success where `is_error` says failure: see [`RunResult::succeeded`].
    struct RunResult {
        subtype: Text<'a> = "subtype",
    }
    lenient {
        is_error: bool = "is_error",
        result: Text<'a> = "result",
        errors: Vec<Text<'a>> = "errors",
        num_turns: Num<'a> = "num_turns",
        duration_ms: Num<'a> = "duration_ms",
        total_cost_usd: Num<'a> = "total_cost_usd",
        session_id: Text<'a> = "session_id",
        /// an odd entry is still a denial
        permission_denials: Vec<Item<'a, Denial<'a>>> = "permission_denials",
        terminal_reason: Text<'a> = "terminal_reason",
        stop_reason: Text<'a> = "stop_reason",
        api_error_status: Num<'a> = "api_error_status",
        usage: Object<'a> = "usage",
        /// set if nobody asked for this turn
        origin: OriginOfTurn<'a> = "origin",
        user_message_uuids: Vec<Text<'a>> = "user_message_uuids",
        uuid: Text<'a> = "uuid",
    }

    /// What started a turn that nobody asked for.
    struct OriginOfTurn {
        kind: Text<'a> = "kind",
    }

    /// What became of a message of the person.
    struct CommandLifecycle {
        command_uuid: Text<'a> = "command_uuid",
        state: Lifecycle = "state",
    }
    lenient {
        session_id: Text<'a> = "session_id",
    }

    /// `/clear`: the conversation begins anew.
    struct ConversationReset {}
    lenient {
        new_conversation_id: Text<'a> = "new_conversation_id",
        trigger: Text<'a> = "trigger",
        session_id: Text<'a> = "session_id",
    }

    /// A message begins.
    struct MessageStart {}

    /// A block begins.
    struct BlockStart {
        index: u64 = "index",
        content_block: Block<'a> = "content_block",
    }

    /// A block goes on.
    struct BlockDelta {
        index: u64 = "index",
        delta: Delta<'a> = "delta",
    }

    /// A block ends.
    struct BlockStop {
        index: u64 = "index",
    }

    /// A message is nearly done.
    struct MessageDelta {}
    lenient {
        usage: Object<'a> = "usage",
    }

    /// A message ends.
    struct MessageStop {}

    /// More text.
    struct TextDelta {
        text: Text<'a> = "text",
    }

    /// More thinking.
    struct ThinkingDelta {
        thinking: Text<'a> = "thinking",
    }

    /// More of a tool's input, cut anywhere.
    struct PartialJson {
        partial_json: Text<'a> = "partial_json",
    }

    /// The end of thinking.
    struct SignatureDelta {
        signature: Text<'a> = "signature",
    }
}

tagged! {
    /// One line of Claude's stdout.
    enum Output by "type" {
        System(System) = "system",
        Assistant(Assistant) = "assistant",
        User(UserLine) = "user",
        Stream(StreamEvent) = "stream_event",
        Result(RunResult) = "result",
        ControlRequest(ControlRequest) = "control_request",
        /// with `--replay-user-messages` also an echo of our own
        ControlResponse(ControlResponse) = "control_response",
        ControlCancel(ControlCancel) = "control_cancel_request",
        Lifecycle(CommandLifecycle) = "command_lifecycle",
        Reset(ConversationReset) = "conversation_reset",
    }

    /// A piece of a message.
    enum Partial by "type" {
        MessageStart(MessageStart) = "message_start",
        BlockStart(BlockStart) = "content_block_start",
        BlockDelta(BlockDelta) = "content_block_delta",
        BlockStop(BlockStop) = "content_block_stop",
        MessageDelta(MessageDelta) = "message_delta",
        MessageStop(MessageStop) = "message_stop",
    }

    /// What is new in a block.
    enum Delta by "type" {
        Text(TextDelta) = "text_delta",
        Thinking(ThinkingDelta) = "thinking_delta",
        Input(PartialJson) = "input_json_delta",
        Signature(SignatureDelta) = "signature_delta",
    }
}

impl<'a> Output<'a> {
    /// Reads one line. Only a line that is no JSON object is turned away; it is shown as plain text.
    pub fn read(line: &'a [u8]) -> Result<Self, Reject> {
        split(line).map(Output::from_object).map_err(|reject| reject.heard_in(line, recover))
    }

    /// The message as a line, without its line end.
    #[must_use]
    pub fn to_line(&self) -> String {
        line(self)
    }

    /// Who waits for an answer to this line although it could not be understood: Claude would wait for ever.
    #[must_use]
    pub fn misunderstood(&self) -> Option<Asked> {
        match self {
            Output::Unknown(_) => recover(self.to_line().as_bytes()),
            Output::ControlRequest(ControlRequest {
                request_id, request: ControlBody::Unknown(_), ..
            }) => Some(Asked { id: request_id.clone(), awaits: Awaits::Control }),
            _ => None,
        }
    }
}

impl RunResult<'_> {
    /// Whether the turn went well. Anything but a clear yes is a no.
    #[must_use]
    pub fn succeeded(&self) -> bool {
        self.is_error == Some(false) && self.subtype.is("success")
    }
}
