//! What the router's decisions ask of the actors around it. Plain values.

use std::sync::Arc;

use bytes::Bytes;
use codec::id::{Key, Path};
use codec::tunnel::UserInputReceipt;
use tokio::sync::mpsc;

use crate::end::End;
use crate::question::Question;

use super::info::Who;
use super::{AskerId, DeskId, Number};

/// A question as a desk sees it.
#[derive(Debug, Clone)]
pub struct Offer {
    /// its name: an answer carries it
    pub key: Key,
    /// who asks, for queues that are fair between askers
    pub asker: AskerId,
    /// who asks, in words
    pub path: String,
    /// the process that asks, as the socket knows it
    pub pid: Option<u64>,
    /// what is asked
    pub question: Arc<Question>,
    /// when it came, in milliseconds since the run began
    pub since: u64,
    /// how long it may still wait
    pub left_ms: Option<u64>,
    /// who keeps what is granted with an answer
    pub keeper: Keeper,
}

/// Who keeps the rules that are granted with an answer: the owner of the agent that asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Keeper {
    /// we do: it is an agent of our own, which works in our folder
    Here,
    /// we do, for an agent that somebody else started and that asks through us: it may work anywhere
    ForGuest,
    /// a tim further down
    Below,
    /// nobody does: it is no agent, or nobody knows whose it is
    #[default]
    Nobody,
}

/// Something that a desk must know about a question besides that it is offered or withdrawn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// what the desk said came too late, or was never asked
    Late,
    /// the answer does not fit; the question is still open
    Unfit(String),
}

/// What tim says of one of its questions in its own output.
#[derive(Debug, Clone, PartialEq)]
pub struct Emitted {
    /// which question
    pub key: Key,
    /// what became of it
    pub what: Stage,
    /// the message for programs
    pub line: String,
}

/// Where a question is.
#[derive(Debug, Clone, PartialEq)]
pub enum Stage {
    /// it was accepted
    Asked {
        /// who asks
        path: String,
        /// what is asked
        question: Arc<Question>,
        /// who keeps what is granted with an answer
        keeper: Keeper,
    },
    /// it ended
    Ended(Arc<End>),
}

/// Something to do.
#[derive(Debug, Clone)]
pub(crate) enum Order {
    /// keep a question: its deadline, and its offers to these desks
    Keep(Number, Arc<Offer>, Arc<[DeskId]>),
    /// offer it to one more desk
    OfferTo(Number, Arc<Offer>, DeskId),
    /// a desk needs no word of it any more
    Release(Number, DeskId),
    /// it ended: withdraw it from all desks that hold it
    Close(Number, Arc<End>),
    /// a desk must hear something
    Tell(DeskId, Key, News),
    /// a line for an asker, whose record is on file
    Send(AskerId, Bytes),
    /// something for our own output
    Publish(Box<Emitted>),
    /// somebody typed a line: the message for programs
    PublishTyped(String),
    /// a line of an asker that is to be shown or passed on
    Report(Arc<Who>, Bytes),
    /// whether somebody hears from now on what a person types
    Hears(Path, bool),
    /// what became of a typed line
    Receipt(Box<UserInputReceipt<'static>>),
    /// a line that was dropped, and why
    Noise(Arc<Who>, String),
    /// an agent asked what nobody could answer, and why: its turn is over
    Misasked(Arc<Who>, String),
    /// all that was ordered before was carried out: whoever waits for that has the other end
    Reached(mpsc::Sender<()>),
    /// records are being lost, so many by now, and why if that is known; said once
    Gap(u64, Option<String>),
}
