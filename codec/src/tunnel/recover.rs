//! Who waits for an answer to a line that could not be kept or read.

use crate::reject::{Asked, Awaits};
use crate::skim::{FoundId, Place, id_of, skim};

/// Finds who asked, in a line from a child or the beginning of one that was too long to keep.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    let (mut other_type, mut is_structured, mut is_permission) = (false, false, false);
    let (mut own, mut message) = (FoundId::None, Message::default());
    skim(head, |found| match (found.place, found.name) {
        (Place::Outer, "type") => match found.text.get().as_ref() {
            "structured" => is_structured = true,
            "permission_request" => is_permission = true,
            _ => other_type = true,
        },
        (Place::Outer, "requestId") => own.add(&found.text),
        (Place::Inner { outer: "message", number }, "type") => {
            message.of(number).is_prompt |= found.text.is("prompt_request");
        }
        (Place::Inner { outer: "message", number }, "requestId") => message.of(number).id.add(&found.text),
        _ => {}
    });
    // The type of the line may lie behind the cut. Nothing but an envelope holds a prompt as its message.
    match (is_permission, is_structured || !other_type) {
        (true, _) if is_structured => None,
        (true, _) => Some(Asked { id: own.one()?, awaits: Awaits::Permission }),
        (false, true) if message.is_prompt => Some(Asked { id: message.id.one()?, awaits: Awaits::Prompt }),
        _ => None,
    }
}

/// What was found in the last `message` of a line: of several the last one counts.
#[derive(Default)]
struct Message {
    number: usize,
    is_prompt: bool,
    id: FoundId,
}

impl Message {
    fn of(&mut self, number: usize) -> &mut Self {
        if self.number != number {
            *self = Message { number, ..Message::default() };
        }
        self
    }
}

/// Finds whose question was answered, in a line from a parent or the beginning of one that was too long to keep.
#[must_use]
pub fn recover_answer(head: &[u8]) -> Option<Asked> {
    let prompt = id_of(head, "prompt_response", "requestId").map(|id| Asked { id, awaits: Awaits::Prompt });
    let permission = id_of(head, "permission_response", "requestId");
    match (prompt, permission) {
        (Some(_), Some(_)) => None,
        (prompt, None) => prompt,
        (None, Some(id)) => Some(Asked { id, awaits: Awaits::Permission }),
    }
}
