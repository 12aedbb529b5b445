//! Questions on the screen: a key goes in, what it came to comes out.
//!
//! Owns how each kind of question is asked and answered by keys. A [`Block`] is one open question with everything around it;
//! an ended one becomes a row of [`history`]. Every answer made here fits its question. Reads nothing, writes nothing,
//! knows no clock and waits for nothing, so a question can be taken away at any moment: it is dropped, and that is all.

mod approval;
mod block;
mod checkbox;
mod confirm;
mod cut;
mod draw;
mod field;
mod heading;
pub(crate) mod history;
mod input;
pub(crate) mod keys_help;
mod list;
mod permission;
mod prefix;
mod questions;
mod reader;
mod select;
pub(crate) mod summary;
#[cfg(test)]
pub(crate) mod tests;
mod trust;
mod widget;

use actors::gate::Place;
use codec::json::Json;

pub(crate) use block::{About, Block, Screen};
pub(crate) use draw::Drawn;

/// What a key or a paste came to.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Effect {
    /// nothing at all
    Nothing,
    /// the question looks different now
    Redraw,
    /// it fits nothing here; this says what does. It is shown below the question.
    Hint(String),
    /// the question is answered so
    Answer(Json<'static>),
    /// the person gives no answer
    Decline,
    /// the keys go back to the line; the question stays open
    ToLine,
    /// show which keys there are
    Keys,
}

impl Effect {
    fn hint(text: &str) -> Self {
        Self::Hint(text.to_owned())
    }
}

/// Where the question is asked.
#[derive(Debug, Clone, Default)]
pub(crate) struct Here {
    /// where commands run
    pub(crate) place: Place,
    /// the file that keeps rules for always, as people know it; none where nothing is kept for always
    pub(crate) rules_file: String,
    /// Claude's own settings of the folder, which could keep them instead; none where the folder is not known
    pub(crate) claude_file: String,
    /// whether somebody here keeps a rule that is made from a question
    pub(crate) keeps_rules: bool,
    /// whether there is no line to go back to
    pub(crate) is_alone: bool,
    /// our own process, as the socket knows it
    pub(crate) pid: Option<u64>,
    /// whether the question is our own, and no agent's
    pub(crate) asks_itself: bool,
}
