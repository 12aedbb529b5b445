//! What a line means for a turn, the same for all agents; and which wires have an agent at their end.

use codec::id::RequestId;

/// What one line means for a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    /// a turn goes on, if not yet then from here
    Begins,
    /// somebody said this to the agent
    Said(String),
    /// the agent said this; a paragraph of its own, or more of what it is saying
    Text(String, Piece),
    /// a tool begins: its id, its name, and its input in short
    Tool(Option<String>, String, String),
    /// a tool ended, and whether it failed
    ToolEnded(Option<String>, bool),
    /// the agent asks
    Asked(RequestId, String),
    /// its question ended, in words
    Replied(RequestId, String),
    /// tokens, on top of what was told before
    Usage(u64, u64),
    /// the agent printed what is not in its language
    Noise(String),
    /// something went wrong; the turn goes on
    Trouble(String),
    /// the agent was told to stop
    Stopped,
    /// the turn is over, and what the agent still says of it counts for nothing
    Rejected,
    /// the turn is over; whether it went well, and the agent's words for it
    Over(Result<(), Option<String>>),
}

/// How a text joins the one before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Piece {
    Whole,
    More,
}

impl Step {
    /// Whether a turn begins with it where none goes on. What only answers or ends something does not begin one, but a
    /// result of Claude Code has a turn, whatever came before.
    pub(super) const fn begins(&self, language: Language) -> bool {
        match language {
            Language::Claude => !matches!(
                self,
                Step::ToolEnded(..)
                    | Step::Replied(..)
                    | Step::Noise(_)
                    | Step::Trouble(_)
                    | Step::Stopped
                    | Step::Rejected
            ),
            Language::Events => {
                matches!(self, Step::Said(_) | Step::Text(..) | Step::Tool(..) | Step::Asked(..))
            }
        }
    }
}

/// What an agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Language {
    Claude,
    Events,
}

/// What is spoken on a wire, if an agent is at its end.
pub(super) fn speaks(wire: &str) -> Option<Language> {
    match wire.split_once(':') {
        Some(("claude", _)) => Some(Language::Claude),
        Some(("agent", _)) => Some(Language::Events),
        _ => None,
    }
}
