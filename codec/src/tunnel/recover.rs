//! Whose question was in a line over the limit.

use crate::reject::{Asked, Awaits};
use crate::skim::skim;

/// Finds who waits for an answer, from the beginning of a line that was too long to keep.
#[must_use]
pub fn recover(head: &[u8]) -> Option<Asked> {
    let found = skim(head);
    let at = |path: &str| found.iter().find(|(place, _)| place == path).map(|(_, text)| text.as_str());
    match (at("type")?, at("message.type")) {
        ("permission_request", _) => {
            at("requestId").map(|id| Asked { id: id.to_owned(), awaits: Awaits::Permission })
        }
        ("structured", Some("prompt_request")) => {
            at("message.requestId").map(|id| Asked { id: id.to_owned(), awaits: Awaits::Prompt })
        }
        _ => None,
    }
}
