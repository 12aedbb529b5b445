//! Whose question was in a line that could not be kept or read.

use crate::reject::{Asked, Awaits};
use crate::skim::{said_once, skim};

/// Finds who waits for an answer, from the beginning of a line that was too long to keep or is not text throughout.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    let found = skim(head);
    let (id, awaits) = match said_once(&found, "type")? {
        "permission_request" => ("requestId", Awaits::Permission),
        "structured" => {
            said_once(&found, "message.type").filter(|kind| *kind == "prompt_request")?;
            ("message.requestId", Awaits::Prompt)
        }
        _ => return None,
    };
    Some(Asked { id: said_once(&found, id)?.to_owned(), awaits })
}
