//! The languages of those who ask: how their lines are understood, and how they hear of an end. Pure.

use codec::frame::Oversized;
use codec::id::RequestId;
use codec::limits::Limits;
use codec::tunnel::{CancelReason, Peer, UserInputReceipt};
use codec::{Asked, Reject};

use crate::agent::{events, translate as claude};
use crate::end::End;
use crate::question::{Ask, Question};
use crate::router::Repeated;
use crate::tunnel::translate as tunnel;

/// What a line says.
#[derive(Debug, Clone)]
pub(crate) enum Heard {
    /// a question
    Ask(Ask),
    /// something that wants an answer but is no question, and why not
    Misask(Asked, String),
    /// a question is taken back
    Withdraw(RequestId, CancelReason),
    /// the peer speaks more than the original, and says what it is and how it would like to be called
    Hello(Peer, String),
    /// something to show or to pass on
    Report,
    /// the same; it is a piece of a message that follows as a whole
    Piece,
    /// the same; besides, the turn of an agent that speaks stream events is over
    TurnEnds,
    /// the same; besides, the task of each of these ids has this name
    Task(Vec<String>, String),
    /// the same; besides, these tools are about to be used
    Uses(Vec<ToolUse>),
    /// what became of a typed line
    Receipt(UserInputReceipt<'static>),
    /// a line that could not be read and that nobody waits for, and why
    Noise(String),
}

/// The use of a tool, as far as a question about it does not say it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ToolUse {
    /// its id
    pub id: String,
    /// the use of a tool that started the subagent that uses this one
    pub within: Option<String>,
    /// the plan that it is about
    pub plan: Option<String>,
}

/// The language of an asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Dialect {
    /// a client of the tunnel
    Tunnel {
        /// whether it said hello: a client of the original hears nothing that it does not know
        greeted: bool,
    },
    /// Claude Code on its pipes
    Claude,
    /// any other agent of ours on its pipes: stream events
    Events,
}

/// How Claude Code begins a line that is a piece of a message.
const PIECE: &[u8] = br#"{"type":"stream_event","#;

impl Dialect {
    /// A client of the tunnel that has said nothing yet.
    pub const TUNNEL: Self = Dialect::Tunnel { greeted: false };

    /// Whether an agent of our own speaks so, on its pipes.
    #[must_use]
    pub(crate) const fn is_of_agent(self) -> bool {
        matches!(self, Dialect::Claude | Dialect::Events)
    }

    /// What a line says.
    #[must_use]
    pub(crate) fn hear(self, line: &[u8], limits: &Limits) -> Heard {
        match self {
            Dialect::Tunnel { .. } => tunnel::hear(line, limits),
            Dialect::Claude => claude::hear(line),
            Dialect::Events => events::hear(line, limits),
        }
    }

    /// Whether a line looks as if it were only a piece of a message that follows as a whole. A guess, by how such a line
    /// begins where its type comes first: [`Dialect::hear`] knows.
    #[must_use]
    pub(crate) fn may_be_piece(self, line: &[u8]) -> bool {
        self == Dialect::Claude && line.starts_with(PIECE)
    }

    /// What a line over its limit says: whoever asked in it must not wait for ever.
    #[must_use]
    pub(crate) fn hear_oversized(self, line: &Oversized, limits: &Limits) -> Heard {
        let reject = match self {
            Dialect::Tunnel { .. } => Reject::oversized(line, limits.tunnel_line, codec::tunnel::recover),
            Dialect::Claude => Reject::oversized(line, limits.agent_line, codec::claude::recover),
            Dialect::Events => Reject::oversized(line, limits.agent_line, codec::events::recover),
        };
        turned_away(reject)
    }

    /// The line by which the asker hears of an end, if it does.
    #[must_use]
    pub(crate) fn reply(self, asked: &Asked, question: Option<&Question>, end: &End) -> Option<String> {
        match self {
            Dialect::Tunnel { .. } => Some(tunnel::reply(asked, question, end)),
            Dialect::Claude => claude::reply(asked, question, end),
            Dialect::Events => events::reply(asked, end),
        }
    }

    /// The line by which an agent of ours may do what it wanted, although nobody said so.
    #[must_use]
    pub(crate) fn allowed_by_time(self, asked: &Asked, question: &Question) -> Option<String> {
        match self {
            Dialect::Tunnel { .. } => tunnel::allowed_by_time(asked, question),
            Dialect::Claude => claude::allowed_by_time(asked, question),
            // It asks for no permission.
            Dialect::Events => None,
        }
    }

    /// The line by which the asker hears that somebody sees its question, if it wants to.
    #[must_use]
    pub(crate) fn shown(self, asked: &Asked) -> Option<String> {
        match self {
            Dialect::Tunnel { greeted: true } => Some(tunnel::shown(asked)),
            Dialect::Tunnel { greeted: false } | Dialect::Claude | Dialect::Events => None,
        }
    }

    /// What a second use of a live id means: on the pipes of an agent an error would be the end of the first.
    #[must_use]
    pub(crate) const fn repeated(self) -> Repeated {
        match self {
            Dialect::Tunnel { .. } => Repeated::IsAnError,
            Dialect::Claude | Dialect::Events => Repeated::IsIgnored,
        }
    }
}

/// What a line that could not be read means to its asker.
#[must_use]
pub(crate) fn turned_away(reject: Reject) -> Heard {
    match reject.asked {
        Some(asked) => Heard::Misask(asked, reject.reason.to_string()),
        None => Heard::Noise(reject.reason.to_string()),
    }
}
