//! Why a line was not taken, and who waits for an answer to it.

use crate::frame::Oversized;
use crate::id::RequestId;
use crate::json::{Envelope, Names, NotAnObject, Object, Wrong};

/// Why a line was not taken.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Reason {
    /// bytes that are no text: a repaired version is never shown as if it had been said
    #[error("not UTF-8")]
    NotUtf8,
    /// text that is no JSON object, or a larger one than any message
    #[error("{0}")]
    NotAnObject(#[from] NotAnObject),
    /// a message type that only the other side may send
    #[error("\"{0}\" goes the other way")]
    WrongDirection(String),
    /// something that nobody can ask for
    #[error("\"{0}\" is no request")]
    UnknownRequest(String),
    /// a kind of message that must not be passed on inside a report
    #[error("\"{0}\" cannot be relayed, it must be asked anew")]
    NotRelayable(String),
    /// a member that is missing or not what it must be
    #[error("{0}")]
    Field(#[from] Wrong),
    /// a line over its limit
    #[error("a line of {length} bytes, over the limit of {limit}")]
    Oversized {
        /// its bytes
        length: usize,
        /// the limit
        limit: usize,
    },
}

/// What kind of reply somebody waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Awaits {
    /// `prompt_response`
    Prompt,
    /// `permission_response`
    Permission,
    /// `control_response`
    Control,
    /// `input_response`
    Input,
}

/// Somebody who asked and waits. Whether their id is that of a question that still lives, only the router knows: then
/// this is a second use of it, and on an agent's control wire an error in reply would deny the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// the id that they chose
    pub id: RequestId,
    /// the reply that they wait for
    pub awaits: Awaits,
}

/// A line that was not taken. If it asked something under an id that can be read, that asker must hear of it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{reason}")]
pub struct Reject {
    /// why
    pub reason: Reason,
    /// who waits for an answer
    pub asked: Option<Asked>,
}

impl From<Reason> for Reject {
    fn from(reason: Reason) -> Self {
        Self { reason, asked: None }
    }
}

impl From<Wrong> for Reject {
    fn from(wrong: Wrong) -> Self {
        Reason::Field(wrong).into()
    }
}

impl Reject {
    /// A line over the limit is a rejection like any other. `recover` is that of its wire.
    #[must_use]
    pub fn oversized(line: &Oversized, limit: usize, recover: fn(&[u8]) -> Option<Asked>) -> Self {
        Self::from(Reason::Oversized { length: line.length, limit }).heard_in(&line.head, recover)
    }

    /// The same rejection, heard by whoever `recover` finds to have asked in the line. Whatever is the matter with it,
    /// nobody waits for ever if their id can be read; if two ids disagree, it cannot.
    pub(crate) fn heard_in(self, line: &[u8], recover: fn(&[u8]) -> Option<Asked>) -> Self {
        Self { asked: recover(line), ..self }
    }
}

/// The members of a line that must be one JSON object.
pub(crate) fn split(line: &[u8]) -> Result<Object<'_>, Reject> {
    Ok(Object::parse(text(line)?).map_err(Reason::from)?)
}

/// The same, and in one pass with it the members of the message inside it.
pub(crate) fn split_with<'a>(line: &'a [u8], names: Names<'_>) -> Result<Envelope<'a>, Reject> {
    Ok(Envelope::parse(text(line)?, names).map_err(Reason::from)?)
}

fn text(line: &[u8]) -> Result<&str, Reject> {
    simdutf8::basic::from_utf8(line).map_err(|_| Reason::NotUtf8.into())
}
