//! What a line of Claude's stdout means for the child's stdin. Pure, without state of its own.
//!
//! Background tasks are not told here (`background.rs`), nor who answered a question: the agent's actor knows that.
//! A line that is none of these still shows that the process lives.

use codec::claude::{CommandLifecycle, Lifecycle, Output, RunResult, System, UserLine};
use codec::json::Text;

use super::stdin::Event;

/// What the line tells.
pub(crate) fn sign(line: &Output<'_>) -> Event {
    match line {
        Output::System(System::Init(_)) => Event::TurnBegan,
        // A subagent in the background talks between turns: that is no turn of the conversation.
        Output::Assistant(said) if said.parent_tool_use_id.is_none() => Event::TurnBegan,
        Output::Stream(piece) if piece.parent_tool_use_id.is_none() => Event::TurnBegan,
        Output::User(user) => echo(user),
        Output::Result(result) => turn_ended(result),
        // A result in a shape that we do not know ends its turn all the same.
        Output::Unknown(line) if line.kind() == "result" => {
            Event::TurnEnded { unasked: false, read: Vec::new() }
        }
        Output::Lifecycle(lifecycle) => message(lifecycle),
        Output::ControlRequest(request) => Event::QuestionOpened { id: request.request_id.clone() },
        Output::ControlCancel(cancel) => Event::QuestionClosed { id: cancel.request_id.clone() },
        _ => Event::Heard,
    }
}

/// Old CLIs acknowledge a message by its echo, and by nothing else.
fn echo(user: &UserLine<'_>) -> Event {
    match &user.uuid {
        Some(uuid) if user.is_replay == Some(true) => Event::MessageEchoed { uuid: said(uuid) },
        _ => Event::Heard,
    }
}

fn turn_ended(result: &RunResult<'_>) -> Event {
    let unasked = result.origin.as_ref().is_some_and(|origin| origin.kind.is("task-notification"));
    let read = result.user_message_uuids.iter().flatten().map(said).collect();
    Event::TurnEnded { unasked, read }
}

fn message(lifecycle: &CommandLifecycle<'_>) -> Event {
    let uuid = said(&lifecycle.command_uuid);
    match lifecycle.state {
        Lifecycle::Queued => Event::Heard,
        Lifecycle::Started => Event::MessageStarted { uuid },
        Lifecycle::Completed => Event::MessageCompleted { uuid },
        Lifecycle::Cancelled => Event::MessageDropped { uuid },
    }
}

fn said(text: &Text<'_>) -> String {
    text.get().into_owned()
}
