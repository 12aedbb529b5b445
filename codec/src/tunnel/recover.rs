//! Who waits for an answer to a line that could not be kept or read.

use crate::reject::{Asked, Awaits};
use crate::skim::{FoundId, skim};

/// Finds who asked, in a line from a child or the beginning of one that was too long to keep.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    let (mut is_structured, mut is_prompt, mut is_permission) = (false, false, false);
    let (mut own, mut inner) = (FoundId::None, FoundId::None);
    skim(head, |found| match (found.outer, found.name) {
        (None, "type") => {
            is_structured |= found.text.is("structured");
            is_permission |= found.text.is("permission_request");
        }
        (None, "requestId") => own.add(&found.text),
        (Some("message"), "type") => is_prompt |= found.text.is("prompt_request"),
        (Some("message"), "requestId") => inner.add(&found.text),
        _ => {}
    });
    match (is_permission, is_structured && is_prompt) {
        (true, false) => Some(Asked { id: own.one()?, awaits: Awaits::Permission }),
        (false, true) => Some(Asked { id: inner.one()?, awaits: Awaits::Prompt }),
        _ => None,
    }
}

/// Finds whose question was answered, in a line from a parent or the beginning of one that was too long to keep.
#[must_use]
pub fn recover_answer(head: &[u8]) -> Option<Asked> {
    let (mut is_prompt, mut is_permission, mut id) = (false, false, FoundId::None);
    skim(head, |found| match (found.outer, found.name) {
        (None, "type") => {
            is_prompt |= found.text.is("prompt_response");
            is_permission |= found.text.is("permission_response");
        }
        (None, "requestId") => id.add(&found.text),
        _ => {}
    });
    match (is_prompt, is_permission) {
        (true, false) => Some(Asked { id: id.one()?, awaits: Awaits::Prompt }),
        (false, true) => Some(Asked { id: id.one()?, awaits: Awaits::Permission }),
        _ => None,
    }
}
