//! What is known of one run of an agent, from the lines that go either way. Pure.
//!
//! Owns the state of its stdin and the messages that it was sent; says when stdin is to be closed, and what became of each
//! message. What its lines mean is the business of its language: `claude` and `stream`. Writes nothing, reads no clock and
//! answers nothing. It ends with the process; what is left tells what the run came to.

mod claude;
mod held;
mod stream;
mod told;

use codec::frame::Frame;

use crate::dialect::Dialect;

use super::stdin::{Close, Event, Stdin};
use super::verdict::Account;
use claude::Claude;
pub(crate) use claude::may_be_result;
use held::Held;
use stream::Stream;
pub(crate) use told::Told;

/// What follows from something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Effect {
    /// stdin is to be closed: nothing will be written any more
    Close,
    /// the agent read the message of that name
    Read(String),
    /// the message of that name will not be read: the person has it back
    TakenBack(String),
    /// it was asked back too late
    NotTakenBack(String),
    /// it begins without the server by which it asks: so says its status
    Mute(String),
    /// what it asked could never be answered, as nobody knows its name: it must be interrupted
    Interrupt,
    /// its turn was rejected and it does not end it: it is to be ended
    Stop,
}

/// The language of an agent, and what it needs to be understood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// Claude Code
    Claude {
        /// the MCP server by which it asks, if not on its own pipes
        asks_by: Option<&'static str>,
    },
    /// stream events
    Events,
}

impl Language {
    /// As the router knows it.
    pub(crate) const fn dialect(self) -> Dialect {
        match self {
            Language::Claude { .. } => Dialect::Claude,
            Language::Events => Dialect::Events,
        }
    }
}

/// One run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    stdin: Stdin,
    mind: Mind,
    /// messages of which nobody was told that they were read: name and text
    waiting: Vec<(String, String)>,
    /// the name of the message that the run begins with
    prompt: Option<String>,
    is_kept_open: bool,
    heard_ms: u64,
    /// what it said behind a question by which it paused itself
    held: Held,
    /// messages that could not be given to it
    lost: Vec<String>,
}

/// So much of what waited is taken at once.
const PORTION: usize = 64 << 10;

/// A line of the agent, and what follows from it.
pub(crate) type Taken = (Vec<Effect>, Frame);

/// What is known by its own lines.
#[derive(Debug)]
enum Mind {
    Claude(Box<Claude>),
    Stream(Stream),
}

impl Default for Mind {
    fn default() -> Self {
        Mind::Claude(Box::default())
    }
}

impl Session {
    /// One that begins with the message of that name, and goes on until the person says that it was all if they wish.
    pub(crate) fn new(language: Language, prompt: Option<String>, is_kept_open: bool) -> Self {
        let mind = match language {
            Language::Claude { asks_by } => Mind::Claude(Box::new(Claude::asking_by(asks_by))),
            // One that does not read may be done before its prompt is written.
            Language::Events => Mind::Stream(Stream::beginning(prompt.is_some())),
        };
        let mut session = Self { mind, prompt, is_kept_open, ..Self::default() };
        // Nothing can follow: nothing was written yet.
        let _ = session.stdin.on(Event::KeepOpen(is_kept_open), 0);
        session
    }

    /// Takes what the agent said, up to a question by which it pauses itself: what is behind that waits for the answer.
    pub(crate) fn take_in(&mut self, frames: Vec<Frame>, now_ms: u64) -> Vec<Taken> {
        let mut taken = Vec::with_capacity(frames.len());
        for frame in frames {
            if self.is_paused() || !self.held.is_empty() {
                self.held.push(frame);
            } else {
                taken.push((self.hear(&frame, now_ms), frame));
            }
        }
        taken
    }

    /// Takes some of what it said behind a question, if the answer to that is there; up to its next one.
    pub(crate) fn goes_on(&mut self, now_ms: u64) -> Vec<Taken> {
        let (mut taken, mut bytes) = (Vec::new(), 0);
        while !self.is_paused() && bytes < PORTION {
            let Some(frame) = self.held.pop() else { break };
            bytes += held::size(&frame);
            taken.push((self.hear(&frame, now_ms), frame));
        }
        taken
    }

    /// Whether something that it said has not been taken.
    pub(crate) fn holds_back(&self) -> bool {
        self.is_paused() || !self.held.is_empty()
    }

    /// Whether it said so much behind a question that no more is read.
    pub(crate) const fn is_full(&self) -> bool {
        self.held.is_full()
    }

    fn hear(&mut self, frame: &Frame, now_ms: u64) -> Vec<Effect> {
        if matches!(frame, Frame::Torn { .. }) {
            return Vec::new();
        }
        self.heard_ms = now_ms;
        let (mut effects, events) = match &mut self.mind {
            Mind::Claude(claude) => claude.hear(frame),
            Mind::Stream(stream) if self.stdin.is_in_turn() && stream.only_goes_on(frame) => {
                return self.happened(Event::Heard, now_ms);
            }
            Mind::Stream(stream) => (Vec::new(), stream.hear(frame, self.stdin.is_in_turn())),
        };
        for event in events {
            effects.extend(self.happened(event, now_ms));
        }
        self.settle_asked_back(&mut effects, now_ms);
        effects
    }

    /// What the agent gave back waits no more.
    fn settle_asked_back(&mut self, effects: &mut Vec<Effect>, now_ms: u64) {
        for at in 0..effects.len() {
            if let Some(Effect::TakenBack(uuid)) = effects.get(at).cloned() {
                self.waiting.retain(|(known, _)| *known != uuid);
                effects.extend(self.happened(Event::MessageTakenBack { uuid }, now_ms));
            }
        }
    }

    /// Whether it has paused itself by a question: what it says behind that waits.
    pub(crate) const fn is_paused(&self) -> bool {
        matches!(&self.mind, Mind::Stream(stream) if stream.is_paused())
    }

    /// Whether what it was told can be taken back.
    pub(crate) const fn gives_back(&self) -> bool {
        matches!(self.mind, Mind::Claude(_))
    }

    /// The person was asked until so long ago, by a way that the session does not see: its silence was no silence.
    pub(crate) fn was_asked(&mut self, until_ms: u64) {
        self.heard_ms = self.heard_ms.max(until_ms);
    }

    /// A message is on its way to the agent: from now on stdin must not close under it.
    pub(crate) fn coming(&mut self, uuid: &str, text: &str, now_ms: u64) -> Vec<Effect> {
        if self.waiting.iter().all(|(known, _)| known != uuid) {
            self.waiting.push((uuid.to_owned(), text.to_owned()));
        }
        let mut effects = self.happened(Event::MessageWritten { uuid: uuid.to_owned() }, now_ms);
        // What was waited for after an interruption has come.
        effects.extend(self.happened(Event::KeepOpen(self.is_kept_open), now_ms));
        effects
    }

    /// The person wants what goes on to stop. Whoever does that mostly has something else to say: it is waited for, if
    /// there is a line to say it on. Says whether anything goes on.
    pub(crate) fn interrupted(&mut self, has_line: bool, now_ms: u64) -> bool {
        let goes_on = self.stdin.is_open() && self.stdin.is_in_turn();
        if goes_on && has_line {
            // Nothing can be settled by that.
            let _ = self.stdin.on(Event::KeepOpen(true), now_ms);
        }
        goes_on
    }

    /// What a line for the agent says.
    pub(crate) fn understand(&self, line: &[u8]) -> Option<Told> {
        match self.mind {
            Mind::Claude(_) => Told::claude(line),
            Mind::Stream(_) => Told::event(line),
        }
    }

    /// A line for the agent is about to be written, or can never be: one that paused itself goes on.
    pub(crate) fn goes_out(&mut self, told: &Told, now_ms: u64) -> Vec<Effect> {
        let is_open = self.stdin.is_open();
        match (told, &mut self.mind) {
            (Told::Message { id, text }, mind) => {
                if self.prompt.take_if(|prompt| prompt == id).is_some() {
                    return self.happened(Event::PromptWritten, now_ms);
                }
                if let Mind::Stream(stream) = mind {
                    stream.spoken_to();
                }
                self.coming(id, text, now_ms)
            }
            (Told::GiveBack { request, id }, Mind::Claude(claude)) => {
                claude.is_asked_back(request.clone(), id.clone());
                Vec::new()
            }
            (Told::Answer(answer), Mind::Stream(stream)) => {
                stream.answered(answer, is_open, now_ms);
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// A line for the agent was written, or can never be: the answer to a question is with it now, or with nobody.
    pub(crate) fn went_out(&mut self, told: &Told, now_ms: u64) -> Vec<Effect> {
        // It has something to do again: its silence begins anew.
        self.heard_ms = now_ms;
        match told {
            Told::Answer(answer) => self.happened(Event::QuestionClosed { id: answer.id.clone() }, now_ms),
            _ => Vec::new(),
        }
    }

    /// Something else happened.
    pub(crate) fn happened(&mut self, event: Event, now_ms: u64) -> Vec<Effect> {
        self.is_lost(&event);
        let close = self.stdin.on(event, now_ms);
        let mut effects = self.newly_read();
        effects.extend(close.map(|_: Close| Effect::Close));
        if let Mind::Stream(stream) = &mut self.mind {
            effects.extend(stream.is_overdue(now_ms).then_some(Effect::Stop));
        }
        effects
    }

    /// Of what an agent that speaks stream events was told nobody knows whether it read it; only what never reached it.
    fn is_lost(&mut self, event: &Event) {
        if let (Event::MessageDropped { uuid }, Mind::Stream(_)) = (event, &self.mind) {
            let lost = self.waiting.iter().filter(|(known, _)| known == uuid).map(|(_, text)| text.clone());
            self.lost.extend(lost);
        }
    }

    /// The person says that this was all. What an agent that does not say what it read has not taken up by then, it is not
    /// waited for.
    pub(crate) fn ends_it(&mut self, now_ms: u64) -> Vec<Effect> {
        let mut effects = self.happened(Event::EndSaid, now_ms);
        if matches!(self.mind, Mind::Stream(_)) {
            effects.extend(self.happened(Event::NotWaitedFor, now_ms));
        }
        effects
    }

    /// Asked for every line: where nothing waits it costs nothing.
    fn newly_read(&mut self) -> Vec<Effect> {
        if self.waiting.is_empty() {
            return Vec::new();
        }
        let unread = self.stdin.not_read();
        let (still, read): (Vec<_>, Vec<_>) =
            std::mem::take(&mut self.waiting).into_iter().partition(|(uuid, _)| unread.contains(uuid));
        self.waiting = still;
        read.into_iter().map(|(uuid, _)| Effect::Read(uuid)).collect()
    }

    /// Whether something may still be written.
    pub(crate) fn is_open(&self) -> bool {
        self.stdin.is_open()
    }

    /// When time alone changes something.
    pub(crate) fn wake_at(&self) -> Option<u64> {
        let overdue = match &self.mind {
            Mind::Claude(_) => None,
            Mind::Stream(stream) => stream.overdue_at(),
        };
        [self.stdin.wake_at(), overdue].into_iter().flatten().min()
    }

    /// When the agent was last heard of.
    pub(crate) const fn heard_ms(&self) -> u64 {
        self.heard_ms
    }

    /// Whether it is at work, also after stdin was closed.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.stdin.is_in_turn()
    }

    /// Whether it waits for a person and not the other way round.
    #[cfg(test)]
    pub(crate) fn waits_for_a_person(&self) -> bool {
        self.stdin.waits_for_a_person()
    }

    /// Whether it is its turn to say something: it was asked, or works in the background, and no person is waited for.
    pub(crate) fn is_due(&self) -> bool {
        self.stdin.is_at_work() && !self.stdin.waits_for_a_person()
    }

    /// What came of it: its own account, and the texts of the messages that nobody read.
    pub(crate) fn end(self) -> (Account, Vec<String>) {
        let unread = self.waiting.into_iter().map(|(_, text)| text).collect();
        match self.mind {
            Mind::Claude(claude) => (Account::Claude(Box::new(claude.end())), unread),
            Mind::Stream(stream) => (Account::Events(stream.end()), self.lost),
        }
    }
}

#[cfg(test)]
mod tests;
