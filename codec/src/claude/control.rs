//! Control lines: requests that either side makes of the other, with ids that their maker chose.

use crate::id::RequestId;
use crate::json::{Item, Json, Object, ObjectWriter, Text, Written, object_of, record, tagged};
use crate::reject::{Asked, Awaits};
use crate::skim::{Place, id_of, skim};

use super::permission::PermissionUpdate;

record! {
    /// A request.
    struct ControlRequest {
        request_id: RequestId = "request_id",
        request: ControlBody<'a> = "request",
    }

    /// Claude asks whether a tool may run.
    struct CanUseTool {
        tool_name: Text<'a> = "tool_name",
        /// what the tool would be given; goes back untouched
        input: Json<'a> = "input",
    }
    lenient {
        tool_use_id: Text<'a> = "tool_use_id",
        display_name: Text<'a> = "display_name",
        description: Text<'a> = "description",
        permission_suggestions: Vec<Item<'a, PermissionUpdate<'a>>> = "permission_suggestions",
        blocked_path: Text<'a> = "blocked_path",
        decision_reason: Text<'a> = "decision_reason",
        decision_reason_type: Text<'a> = "decision_reason_type",
        requires_user_interaction: bool = "requires_user_interaction",
        /// the subagent that asks; the id of its `task_started`
        agent_id: Text<'a> = "agent_id",
    }

    /// Claude runs a hook of the host.
    struct HookCallback {
        callback_id: Text<'a> = "callback_id",
    }
    lenient {
        input: Json<'a> = "input",
        tool_use_id: Text<'a> = "tool_use_id",
    }

    /// A line for an MCP server inside the host.
    struct McpMessage {
        server_name: Text<'a> = "server_name",
        message: Json<'a> = "message",
    }

    /// The host ends the turn.
    struct Interrupt {}
    lenient {
        cancel_queued: bool = "cancel_queued",
    }

    /// The host takes a queued message back.
    struct CancelAsyncMessage {
        message_uuid: Text<'a> = "message_uuid",
    }

    /// The host introduces itself.
    struct Initialize {}
    lenient {
        hooks: Object<'a> = "hooks",
    }

    /// The host changes the permission mode.
    struct SetPermissionMode {
        mode: Text<'a> = "mode",
    }

    /// The reply to a request.
    struct ControlResponse {
        response: ControlReply<'a> = "response",
    }

    /// What the reply says: `success` with a response, or `error` with a text.
    struct ControlReply {
        subtype: Text<'a> = "subtype",
        request_id: RequestId = "request_id",
    }
    lenient {
        response: Json<'a> = "response",
        error: Text<'a> = "error",
    }

    /// The maker of a request takes it back.
    struct ControlCancel {
        request_id: RequestId = "request_id",
    }
}

tagged! {
    /// What is requested. Anything that has no variant can be read and written through `Unknown`.
    enum ControlBody by "subtype" {
        CanUseTool(CanUseTool) = "can_use_tool",
        HookCallback(HookCallback) = "hook_callback",
        McpMessage(McpMessage) = "mcp_message",
        Interrupt(Interrupt) = "interrupt",
        CancelAsyncMessage(CancelAsyncMessage) = "cancel_async_message",
        Initialize(Initialize) = "initialize",
        SetPermissionMode(SetPermissionMode) = "set_permission_mode",
    }
}

/// A request of any subtype, with the members that it needs: the way to those that have no type of their own.
#[must_use]
pub fn control_request(request_id: &RequestId, subtype: &str, members: &Object<'_>) -> String {
    line("control_request", |out| {
        out.member("request_id", |text| request_id.write(text));
        out.member("request", |text| {
            ObjectWriter::object(text, |request| {
                request.member("subtype", |text| Text::new(subtype).write(text));
                members.write(request);
            });
        });
    })
}

/// End the turn; queued messages run right after.
#[must_use]
pub fn interrupt(request_id: &RequestId) -> String {
    control_request(request_id, "interrupt", &Object::default())
}

/// Take back a message that has not been read yet.
#[must_use]
pub fn cancel_async_message(request_id: &RequestId, message_uuid: &str) -> String {
    let mut members = Object::default();
    members.push("message_uuid", Text::new(message_uuid).into_json());
    control_request(request_id, "cancel_async_message", &members)
}

/// The reply to a request that went well. For a permission the response is a [`super::Decision`].
#[must_use]
pub fn control_success(request_id: &RequestId, response: &impl Written) -> String {
    reply(request_id, "success", |out| out.member("response", |text| response.write(text)))
}

/// The reply to a request that failed. To a permission this means no, with this text.
#[must_use]
pub fn control_error(request_id: &RequestId, error: &str) -> String {
    reply(request_id, "error", |out| out.member("error", |text| Text::new(error).write(text)))
}

fn reply(request_id: &RequestId, subtype: &str, rest: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    line("control_response", |out| {
        out.member("response", |text| {
            ObjectWriter::object(text, |response| {
                response.member("subtype", |text| Text::new(subtype).write(text));
                response.member("request_id", |text| request_id.write(text));
                rest(response);
            });
        });
    })
}

fn line(kind: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) -> String {
    object_of(|out| {
        out.member("type", |text| Text::new(kind).write(text));
        members(out);
    })
}

/// Finds the request in a line that could not be read, or in the beginning of one that was too long to keep. Members
/// have no fixed order, so the id may lie behind the cut: then the turn must be interrupted.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    id_of(head, "control_request", "request_id").map(|id| Asked { id, awaits: Awaits::Control })
}

/// Whether a line of which only the beginning was kept may hold a request: unless it says to be of another type.
#[must_use]
pub fn may_ask(head: &[u8]) -> bool {
    let mut kind = None;
    skim(head, |found| {
        if matches!(found.place, Place::Outer) && found.name == "type" {
            kind = Some(found.text.is("control_request"));
        }
    });
    kind.unwrap_or(true)
}

impl ControlReply<'_> {
    /// Whether the request went well.
    #[must_use]
    pub fn is_success(&self) -> bool {
        self.subtype.is("success")
    }
}
