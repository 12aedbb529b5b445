//! What is known of one run of Claude Code, from the lines that go either way. Pure.
//!
//! Owns the state of its stdin, its background work, its results and the messages that it was sent; says when stdin is to
//! be closed, and what became of each message. Writes nothing, reads no clock and answers nothing. It ends with the
//! process; what is left tells what the run came to.

use codec::claude::{ControlBody, ControlResponse, Input, Output, System};
use codec::id::RequestId;
use codec::json::{Item, Json, Object};

use super::background::Background;
use super::signs::sign;
use super::stdin::{Close, Event, Stdin};
use super::verdict::Tally;

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
}

/// One run.
#[derive(Debug, Default)]
pub(crate) struct Session {
    stdin: Stdin,
    background: Background,
    tally: Tally,
    /// messages of which nobody was told that they were read: name and text
    waiting: Vec<(String, String)>,
    /// messages that are asked back, by the name of that request
    asked_back: Vec<(RequestId, String)>,
    /// the name of the message that the run begins with
    prompt: Option<String>,
    is_kept_open: bool,
    /// the server without which it could ask nobody
    needs: Option<&'static str>,
    heard_ms: u64,
}

/// What every result says.
const RESULT: &[u8] = b"\"type\":\"result\"";

impl Session {
    /// One that begins with the message of that name, and goes on until the person says that it was all if they wish.
    pub(crate) fn new(prompt: Option<String>, is_kept_open: bool) -> Self {
        let mut session = Self { prompt, is_kept_open, ..Self::default() };
        // Nothing can follow: nothing was written yet.
        let _ = session.stdin.on(Event::KeepOpen(is_kept_open), 0);
        session
    }

    /// The same; it asks by the server of that name.
    pub(crate) fn asking_by(self, needs: Option<&'static str>) -> Self {
        Self { needs, ..self }
    }

    /// A line of the agent.
    pub(crate) fn hear(&mut self, line: &Output<'_>, now_ms: u64) -> Vec<Effect> {
        self.heard_ms = now_ms;
        self.tally.hear(line);
        let mut effects: Vec<Effect> = self.is_mute(line).into_iter().collect();
        for change in self.background.hear(line) {
            effects.extend(self.happened(Event::Task(change), now_ms));
        }
        effects.extend(self.happened(sign(line), now_ms));
        if let Output::ControlResponse(reply) = line {
            effects.extend(self.replied(reply, now_ms));
        }
        effects
    }

    /// Whether it begins without the server by which it asks: its first question would end it, without a result.
    /// Later ones do not count: a server that went since comes again with the next question.
    fn is_mute(&mut self, line: &Output<'_>) -> Option<Effect> {
        let Output::System(System::Init(init)) = line else { return None };
        let needs = self.needs.take()?;
        let servers = init.mcp_servers.iter().flatten().filter_map(Item::known);
        let status = servers.filter(|server| server.name.is(needs)).find_map(|server| server.status.as_ref());
        let status = status.map_or_else(|| "missing".to_owned(), |status| status.get().into_owned());
        (status != "connected").then_some(Effect::Mute(status))
    }

    /// The person was asked until so long ago, by a way that the session does not see: its silence was no silence.
    pub(crate) fn was_asked(&mut self, until_ms: u64) {
        self.heard_ms = self.heard_ms.max(until_ms);
    }

    /// A line that nobody can read. A result may be among them, because it repeats the input of tools that were denied, and
    /// that may be deeper than anybody reads: the turn is over all the same, and the run would wait for ever.
    pub(crate) fn hear_unreadable(&mut self, line: &[u8], now_ms: u64) -> Vec<Effect> {
        if !line.windows(RESULT.len()).any(|part| part == RESULT) {
            return self.hear_noise(now_ms);
        }
        self.heard_ms = now_ms;
        self.happened(Event::TurnEnded { unasked: false, read: Vec::new() }, now_ms)
    }

    /// Something of the agent that is no line of its language.
    pub(crate) fn hear_noise(&mut self, now_ms: u64) -> Vec<Effect> {
        self.heard_ms = now_ms;
        self.happened(Event::Heard, now_ms)
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

    /// A line for the agent is about to be written.
    pub(crate) fn goes_out(&mut self, line: &Input<'_>, now_ms: u64) -> Vec<Effect> {
        match line {
            Input::User(user) => {
                let uuid = user.uuid.as_ref().map(|uuid| uuid.get().into_owned());
                match (uuid, self.prompt.take()) {
                    (uuid, prompt @ Some(_)) if uuid == prompt => self.happened(Event::PromptWritten, now_ms),
                    (uuid, prompt) => {
                        self.prompt = prompt;
                        self.coming(&uuid.unwrap_or_default(), &user.message.content.text(), now_ms)
                    }
                }
            }
            Input::ControlRequest(request) => {
                if let ControlBody::CancelAsyncMessage(cancel) = &request.request {
                    let uuid = cancel.message_uuid.get().into_owned();
                    self.asked_back.push((request.request_id.clone(), uuid));
                }
                Vec::new()
            }
            _ => Vec::new(),
        }
    }

    /// A line for the agent was written, or can never be: the answer to a question is with it now, or with nobody.
    pub(crate) fn went_out(&mut self, line: &Input<'_>, now_ms: u64) -> Vec<Effect> {
        // It has something to do again: its silence begins anew.
        self.heard_ms = now_ms;
        match line {
            Input::ControlResponse(reply) => {
                self.happened(Event::QuestionClosed { id: reply.response.request_id.clone() }, now_ms)
            }
            _ => Vec::new(),
        }
    }

    /// Something else happened.
    pub(crate) fn happened(&mut self, event: Event, now_ms: u64) -> Vec<Effect> {
        let close = self.stdin.on(event, now_ms);
        let mut effects = self.newly_read();
        effects.extend(close.map(|_: Close| Effect::Close));
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

    /// The reply to a request of ours.
    fn replied(&mut self, reply: &ControlResponse<'_>, now_ms: u64) -> Vec<Effect> {
        let at = self.asked_back.iter().position(|(id, _)| *id == reply.response.request_id);
        let Some((_, uuid)) = at.map(|at| self.asked_back.remove(at)) else { return Vec::new() };
        let response = reply.response.response.clone().and_then(|json| Object::read(json).ok());
        let is_so =
            response.is_some_and(|response| response.peek("cancelled").and_then(Json::as_flag) == Some(true));
        if !is_so {
            return vec![Effect::NotTakenBack(uuid)];
        }
        self.waiting.retain(|(known, _)| *known != uuid);
        let mut effects = vec![Effect::TakenBack(uuid.clone())];
        effects.extend(self.happened(Event::MessageTakenBack { uuid }, now_ms));
        effects
    }

    /// Whether something may still be written.
    pub(crate) fn is_open(&self) -> bool {
        self.stdin.is_open()
    }

    /// When time alone changes something.
    pub(crate) fn wake_at(&self) -> Option<u64> {
        self.stdin.wake_at()
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

    /// What came of it: the results, and the texts of the messages that nobody read.
    pub(crate) fn end(self) -> (Tally, Vec<String>) {
        let unread = self.waiting.into_iter().map(|(_, text)| text).collect();
        (self.tally, unread)
    }
}

#[cfg(test)]
mod tests;
