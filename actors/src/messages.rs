//! What the actors say to each other. Orders are verbs, facts are past participles; fields are public and plain.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use codec::claude::Block;
use codec::frame::Frame;
use codec::id::{Key, Path};
use codec::journal::{self, Direction, Steering};
use codec::tunnel::{ReceiptState, UserInputReceipt};

use crate::end::End;
use crate::journal::Progress;
use crate::router::{
    AskerId, AskerInfo, Attached, DeskId, DeskInfo, Emitted, News, Number, Offer, Picture, Ruling, Said,
    Seated, Who,
};

/// Somebody who asks came. As long as it keeps what it gets back, it is attached.
#[derive(Message)]
#[rtype(result = "Attached")]
pub struct Attach {
    /// who
    pub asker: AskerInfo,
    /// where the lines for it go
    pub lines: Recipient<Lines>,
}

/// Lines for an asker, whose records are on file.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct Lines(pub Vec<Bytes>);

/// What one read from an asker's connection brought.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct Frames {
    /// whose
    pub asker: AskerId,
    /// what
    pub frames: Vec<Frame>,
}

/// Somebody who asks left.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Detached {
    /// who
    pub(crate) asker: AskerId,
    /// why
    pub(crate) reason: String,
}

/// A desk came. As long as it keeps what it gets back, it is seated.
#[derive(Message)]
#[rtype(result = "Seated")]
pub struct Seat {
    /// which
    pub desk: DeskInfo,
    /// where questions for it go
    pub mail: Recipient<DeskMail>,
}

/// A desk left.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct DeskLeft {
    /// which
    pub(crate) desk: DeskId,
    /// why
    pub(crate) reason: String,
}

/// Say when you are seated: the answer comes when the desk can be asked.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct AreYouSeated;

/// What a desk hears about a question.
#[derive(Message, Debug, Clone)]
#[rtype(result = "()")]
pub enum DeskMail {
    /// answer this, if you can
    Offered(Arc<Offer>),
    /// it ended, by whoever: take it off the screen, and say why if it was not your answer
    Withdrawn(Key, Arc<End>),
    /// what the desk said about it did not count
    News(Key, News),
}

/// What a desk says about a question.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct DeskSaid {
    /// which desk
    pub desk: DeskId,
    /// about which question
    pub key: Key,
    /// what
    pub said: Said,
}

/// The same, from a desk that wants to hear at once what came of it.
#[derive(Message, Debug)]
#[rtype(result = "Ruling")]
pub(crate) struct Decide {
    /// which desk
    pub(crate) desk: DeskId,
    /// about which question
    pub(crate) key: Key,
    /// what
    pub(crate) said: Said,
}

/// What goes on?
#[derive(Message, Debug)]
#[rtype(result = "Picture")]
pub(crate) struct Look;

/// The deadline of a question passed.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Expired(pub(crate) Number);

/// The actor of a question is gone although nobody told it to end.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Lost(pub(crate) Number);

/// A desk can no longer be reached.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Unreachable(pub(crate) DeskId);

/// Comes back when all that the router had to say so far was said: what was decided a moment ago waits for its record.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct AllSaid;

/// The journal got further.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Settled;

/// Let the records of everything that was in the mailbox go on file together.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Flush;

/// A person typed a line.
#[derive(Message, Debug, Clone, Default)]
#[rtype(result = "()")]
pub struct Typed {
    /// what
    pub text: String,
    /// for whom, if not for everybody
    pub to: Option<Path>,
    /// the name under which receipts for it are wanted
    pub input_id: Option<String>,
    /// what goes with it, for agents that can look at it
    pub images: Vec<Block<'static>>,
    /// it is what the run was started with, not something that was typed while it ran
    pub is_prompt: bool,
}

/// The same, from somebody who wants to hear to whom it goes.
#[derive(Message, Debug)]
#[rtype(result = "Vec<String>")]
pub(crate) struct Tell(pub(crate) Typed);

/// Steer an agent of ours without words.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Steer {
    /// which
    pub(crate) asker: AskerId,
    /// how
    pub(crate) what: Steering,
    /// which typed line is meant
    pub(crate) input_id: Option<String>,
}

/// What became of a line that was typed for an agent of ours.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct Receipt {
    /// whose agent
    pub(crate) asker: AskerId,
    /// which line
    pub(crate) input_id: String,
    /// what became of it
    pub(crate) state: ReceiptState,
}

/// Put this line on record: of a wire whose owner says what it means.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub(crate) struct NoteLine {
    /// whose
    pub(crate) wire: &'static str,
    /// which way it goes
    pub(crate) dir: Direction,
    /// what, or its beginning
    pub(crate) line: Bytes,
    /// how long it was, if only its beginning is here
    pub(crate) length: Option<usize>,
}

/// Put this on record: a signal, a process.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct Note(pub journal::Event<'static>);

/// End every question: the run is over. Says what became of the record.
#[derive(Message, Debug)]
#[rtype(result = "Progress")]
pub struct ShutDown {
    /// how long the journal may take for what is left
    pub patience: Duration,
    /// what the run exits with, for the record
    pub code: Option<u8>,
}

/// What the run itself has to say: lines of its own, and what its askers report.
#[derive(Debug)]
pub enum Output {
    /// what became of a question of ours
    Own(Box<Emitted>),
    /// somebody typed a line here: the message for programs
    Typed(String),
    /// a line of an asker, as it came
    Report(Arc<Who>, Bytes),
    /// whether somebody hears from now on what a person types
    Hears(Path, bool),
    /// what became of a line that somebody typed
    Receipt(Box<UserInputReceipt<'static>>),
    /// a line of an asker was dropped, and why
    Dropped(Arc<Who>, String),
    /// an agent of ours asked what nobody could answer, and why: its turn is over
    Misasked(Arc<Who>, String),
    /// records are being lost, so many by now, and why if that is known; said once
    Gap(u64, Option<String>),
}
