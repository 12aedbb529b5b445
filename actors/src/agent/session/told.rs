//! What a line for an agent says, as far as its session must know. Plain values.

use codec::Outcome;
use codec::claude::{ControlBody, Input};
use codec::events::Said;
use codec::id::RequestId;

/// What an agent is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// what the person said, under its name
    Message { id: String, text: String },
    /// the answer to a question
    Answer(Answer),
    /// the message of that name is wanted back
    GiveBack { request: RequestId, id: String },
    /// anything else
    Other,
}

/// The answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Answer {
    pub(crate) id: RequestId,
    /// it ends the turn
    pub(crate) is_reject: bool,
    /// what became of the question, where the line says it
    pub(crate) outcome: Option<Outcome>,
}

impl Answer {
    /// Whether somebody decided so, and not that nobody could.
    pub(crate) const fn is_decided(&self) -> bool {
        matches!(self.outcome, Some(Outcome::Answered | Outcome::Declined))
    }
}

impl Told {
    /// A line for Claude Code.
    pub(crate) fn claude(line: &[u8]) -> Option<Self> {
        Some(match Input::read(line).ok()? {
            Input::User(user) => Told::Message {
                id: user.uuid.as_ref().map(|uuid| uuid.get().into_owned()).unwrap_or_default(),
                text: user.message.content.text(),
            },
            Input::ControlResponse(reply) => {
                let id = reply.response.request_id.clone();
                Told::Answer(Answer { id, is_reject: false, outcome: None })
            }
            Input::ControlRequest(request) => match &request.request {
                ControlBody::CancelAsyncMessage(cancel) => Told::GiveBack {
                    request: request.request_id.clone(),
                    id: cancel.message_uuid.get().into_owned(),
                },
                _ => Told::Other,
            },
            _ => Told::Other,
        })
    }

    /// A line for an agent that speaks stream events.
    pub(crate) fn event(line: &[u8]) -> Option<Self> {
        Some(match Said::read(line).ok()? {
            Said::User(user) => {
                Told::Message { id: user.id.get().into_owned(), text: user.text.get().into_owned() }
            }
            Said::InputResponse(response) => {
                let (is_reject, outcome) = (response.is_reject(), Some(response.outcome));
                Told::Answer(Answer { id: response.request_id, is_reject, outcome })
            }
            Said::Cancel(_) | Said::Unknown(_) => Told::Other,
        })
    }
}
