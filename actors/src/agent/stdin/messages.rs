//! What became of each message that was written for the agent: read, or not. Pure.
//!
//! Messages are known by their uuid; the CLI drops a second one with the same uuid silently [k1], so it
//! counts once. Nothing is ever removed but what the person took back: at the end it says what was not read.

/// The messages of one run, oldest first.
#[derive(Debug, Default)]
pub(super) struct Messages(Vec<Message>);

#[derive(Debug)]
struct Message {
    uuid: String,
    state: State,
    /// by its place in the queue the turn that runs is about it, although nothing names it
    began_turn: bool,
    /// and nothing else could have begun that turn: an old CLI echoes it only behind the first words of the answer
    is_sure: bool,
}

/// Later ones never go back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// written, and nothing heard of it
    Waiting,
    /// waited for long enough: the CLI swallowed it, or will read it without us
    Overdue,
    /// the CLI threw it away
    Dropped,
    /// in front of the model
    Read,
    /// the turn that it was in is over
    Done,
}

impl Messages {
    pub(super) fn written(&mut self, uuid: String) {
        if self.0.iter().all(|message| message.uuid != uuid) {
            self.0.push(Message { uuid, state: State::Waiting, began_turn: false, is_sure: false });
        }
    }

    /// Whether this was news: a message whose turn is over does not begin another.
    pub(super) fn started(&mut self, uuid: &str) -> bool {
        self.advance(uuid, State::Read)
    }

    pub(super) fn read(&mut self, uuid: &str) {
        self.advance(uuid, State::Read);
    }

    pub(super) fn done(&mut self, uuid: &str) {
        self.advance(uuid, State::Done);
    }

    pub(super) fn dropped(&mut self, uuid: &str) {
        self.advance(uuid, State::Dropped);
    }

    pub(super) fn taken_back(&mut self, uuid: &str) {
        self.0.retain(|message| message.uuid != uuid || message.state >= State::Read);
    }

    /// A turn began between turns: the oldest message that waits runs first, and alone [a3b]. `is_sure`: nothing
    /// else could have begun it.
    pub(super) fn turn_began(&mut self, is_sure: bool) {
        if let Some(oldest) = self.0.iter_mut().find(|message| message.state == State::Waiting) {
            (oldest.began_turn, oldest.is_sure) = (true, is_sure);
        }
    }

    /// An asked turn read the message that began it, named or not; an unasked one read nothing by itself.
    pub(super) fn turn_ended(&mut self, unasked: bool) {
        for message in &mut self.0 {
            if message.began_turn && !unasked && message.state < State::Read {
                message.state = State::Done;
            }
            (message.began_turn, message.is_sure) = (false, false);
        }
    }

    pub(super) fn give_up_waiting(&mut self) {
        for message in self.0.iter_mut().filter(|message| message.state == State::Waiting) {
            message.state = State::Overdue;
        }
    }

    pub(super) fn waiting(&self) -> usize {
        self.0.iter().filter(|message| message.state == State::Waiting).count()
    }

    pub(super) fn not_read(&self) -> Vec<String> {
        let is_read = |message: &Message| message.is_sure && message.state == State::Waiting;
        let unread = self.0.iter().filter(|message| message.state < State::Read && !is_read(message));
        unread.map(|message| message.uuid.clone()).collect()
    }

    fn advance(&mut self, uuid: &str, to: State) -> bool {
        let behind = |message: &&mut Message| message.uuid == uuid && message.state < to;
        let Some(message) = self.0.iter_mut().find(behind) else { return false };
        message.state = to;
        true
    }
}
