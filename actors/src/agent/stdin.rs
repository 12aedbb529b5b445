//! How long the child's stdin stays open. Pure: events and times in, at most one `Close` out.
//!
//! Owns what is unsettled between tim and one agent; never writes, never reads a clock, never decides an answer. What is
//! said here of CLIs is how Claude Code behaves; other agents are taken alike. Closing too early is not harmless: every later permission would be denied unasked [d9 d10 k2], and
//! an old CLI kills its background work [e3c]. Closing never would keep the process alive for ever
//! [a2]. So stdin closes as soon as the work is settled:
//!
//! - no turn is open. A turn is open from the prompt, or from its first line, to its result, be it good or bad; results
//!   and messages are not one to one, so nothing is counted.
//! - no message waits. New CLIs tell (`command_lifecycle`), old ones echo. A queued message begins its turn within
//!   moments of the result [a5]; of one that stays unmentioned although the CLI is silent between turns, nothing more is
//!   expected after `OVERDUE_MS`. Should it run after all, it does so with stdin closed [a5c].
//! - no question waits for its answer, no background task runs (a guessed one: until `GUESS_MS` of silence).
//! - no turn about a background task that ended is due: it begins up to 0.1 s later, unasked [e3 h11]. Not every ended
//!   task has one [f4c], so it is waited for no longer than `NOTICE_MS`.
//! - the person has no text on the line and does not wish to go on. Their "end" overrides these two, not the work.
//!
//! It ends with `Close`; events after that only tell which messages were read after all.

mod event;
mod messages;

use std::collections::BTreeMap;

use codec::id::RequestId;

use super::background::{Sureness, TaskChange};
pub(crate) use event::{Close, Event};
use messages::Messages;

/// How long a turn about an ended background task may take to begin: twenty times what was seen.
const NOTICE_MS: u64 = 2_000;
/// How long a message may stay unmentioned while the CLI is silent between turns.
const OVERDUE_MS: u64 = 30_000;
/// How long a task that only seems to run holds stdin open while nothing at all is heard.
const GUESS_MS: u64 = 120_000;

/// The child's stdin.
#[derive(Debug, Default)]
pub(crate) struct Stdin {
    closed: bool,
    began: bool,
    turn: Turn,
    messages: Messages,
    questions: Vec<RequestId>,
    tasks: BTreeMap<String, (String, Sureness)>,
    /// ended tasks that Claude has not had a turn about
    notices: u32,
    line_has_text: bool,
    keep_open: bool,
    end_said: bool,
    now_ms: u64,
    /// when the child was last heard of, or last given something to do
    stirred_ms: u64,
}

#[derive(Debug, Default, PartialEq, Eq)]
enum Turn {
    #[default]
    None,
    /// a message is said to have started; the turn's own lines have not come
    Announced(String),
    Open,
}

impl Stdin {
    /// Takes in what happened at `now_ms`; a clock that jumps back stands still.
    #[must_use]
    pub(crate) fn on(&mut self, event: Event, now_ms: u64) -> Option<Close> {
        self.now_ms = self.now_ms.max(now_ms);
        self.drop_overdue();
        if event.is_a_stir() {
            self.stirred_ms = self.now_ms;
        }
        let broken = self.take_in(event);
        if self.closed {
            return None;
        }
        let close = broken.or_else(|| self.is_settled().then_some(Close::Settled));
        self.closed = close.is_some();
        close
    }

    /// Whether anything may still be written.
    pub(crate) fn is_open(&self) -> bool {
        !self.closed
    }

    /// When to tell that time has passed, if nothing else happens before.
    pub(crate) fn wake_at(&self) -> Option<u64> {
        if self.closed || self.turn == Turn::Open {
            return None;
        }
        let announced = self.turn != Turn::None;
        let waits = [
            (self.notices > 0 && !announced).then_some(NOTICE_MS),
            (self.messages.waiting() > 0 || announced).then_some(OVERDUE_MS),
            self.guesses().then_some(GUESS_MS),
        ];
        waits.into_iter().flatten().min().map(|wait| self.stirred_ms.saturating_add(wait))
    }

    /// What keeps it open, in words; nothing once it is closed.
    #[cfg(test)]
    pub(crate) fn why_open(&self) -> Vec<String> {
        if self.closed {
            return Vec::new();
        }
        let mut why = Vec::new();
        let mut because = |holds: bool, words: String| {
            if holds {
                why.push(words)
            }
        };
        because(!self.began && !self.end_said, "no prompt yet".to_owned());
        because(self.turn != Turn::None, "a turn".to_owned());
        let waiting = self.messages.waiting();
        because(waiting > 0, counted(waiting, "message not read yet", "messages not read yet"));
        let asked = self.questions.len();
        because(asked > 0, counted(asked, "question open", "questions open"));
        for (name, _) in self.tasks.values() {
            because(true, format!("background: {name}"));
        }
        because(self.notices > 0, "background work ended just now".to_owned());
        because(self.line_has_text && !self.end_said, "text on the line".to_owned());
        because(self.keep_open && !self.end_said, "kept open".to_owned());
        why
    }

    /// Whether a turn goes on, also after stdin was closed.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.turn != Turn::None
    }

    /// Whether it has something to do: a turn, a message, a task.
    pub(crate) fn is_at_work(&self) -> bool {
        self.is_in_turn() || self.messages.waiting() > 0 || !self.tasks.is_empty()
    }

    /// Whether a person is waited for.
    pub(crate) fn waits_for_a_person(&self) -> bool {
        !self.questions.is_empty()
    }

    /// The messages that nobody read, oldest first.
    pub(crate) fn not_read(&self) -> Vec<String> {
        self.messages.not_read()
    }

    /// Asked for every line.
    fn is_settled(&self) -> bool {
        let is_wanted = !self.began || self.line_has_text || self.keep_open;
        let is_over = !self.is_at_work() && self.questions.is_empty() && self.notices == 0;
        is_over && (self.end_said || !is_wanted)
    }

    fn take_in(&mut self, event: Event) -> Option<Close> {
        match event {
            Event::PromptWritten => self.prompt_written(),
            Event::MessageWritten { uuid } => self.message_written(uuid),
            Event::MessageStarted { uuid } => self.message_started(uuid),
            Event::MessageCompleted { uuid } => self.message_completed(&uuid),
            Event::MessageEchoed { uuid } => self.messages.read(&uuid),
            Event::MessageDropped { uuid } => self.messages.dropped(&uuid),
            Event::MessageTakenBack { uuid } => self.messages.taken_back(&uuid),
            Event::TurnBegan => self.turn_began(),
            Event::TurnEnded { unasked, read } => self.turn_ended(unasked, &read),
            Event::QuestionOpened { id } => self.question_opened(id),
            Event::QuestionClosed { id } => self.questions.retain(|open| *open != id),
            Event::Task(change) => self.task(change),
            Event::Line { has_text } => self.line_has_text = has_text,
            Event::KeepOpen(wished) => self.keep_open = wished,
            Event::EndSaid => self.end_said = true,
            Event::NotWaitedFor => self.messages.give_up_waiting(),
            Event::Heard | Event::TimePassed => {}
            Event::WriteFailed => return Some(Close::WriteFailed),
            Event::ChildExited => return Some(Close::ChildExited),
        }
        None
    }

    fn prompt_written(&mut self) {
        if !self.closed {
            self.began = true;
            self.turn = Turn::Open;
        }
    }

    fn message_written(&mut self, uuid: String) {
        self.began = true;
        self.messages.written(uuid);
    }

    fn message_started(&mut self, uuid: String) {
        if self.messages.started(&uuid) && self.turn == Turn::None {
            self.turn = Turn::Announced(uuid);
        }
    }

    /// A message that was done with before its turn said anything had none: a command of the CLI's own, perhaps.
    fn message_completed(&mut self, uuid: &str) {
        self.messages.done(uuid);
        if self.turn == Turn::Announced(uuid.to_owned()) {
            self.turn = Turn::None;
        }
    }

    fn turn_began(&mut self) {
        if self.turn == Turn::None {
            self.messages.turn_began(self.tasks.is_empty() && self.notices == 0);
        }
        self.turn = Turn::Open;
    }

    fn turn_ended(&mut self, unasked: bool, read: &[String]) {
        self.turn = Turn::None;
        for uuid in read {
            self.messages.done(uuid);
        }
        self.messages.turn_ended(unasked);
        if unasked {
            self.notices = self.notices.saturating_sub(1);
        }
    }

    fn question_opened(&mut self, id: RequestId) {
        if !self.questions.contains(&id) {
            self.questions.push(id);
        }
    }

    fn task(&mut self, change: TaskChange) {
        match change {
            TaskChange::Opened { id, name, sureness } => {
                self.tasks.insert(id, (name, sureness));
            }
            TaskChange::Closed { id } => {
                self.tasks.remove(&id);
                self.notices = self.notices.saturating_add(1);
            }
        }
    }

    /// Between turns, silence has a meaning; within one the model may think as long as it likes.
    fn drop_overdue(&mut self) {
        if self.turn == Turn::Open {
            return;
        }
        let silence = self.now_ms.saturating_sub(self.stirred_ms);
        if silence >= OVERDUE_MS {
            self.turn = Turn::None;
            self.messages.give_up_waiting();
        }
        if silence >= NOTICE_MS && self.turn == Turn::None {
            self.notices = 0;
        }
        if silence >= GUESS_MS {
            self.tasks.retain(|_, (_, sureness)| *sureness == Sureness::Told);
        }
    }

    fn guesses(&self) -> bool {
        self.tasks.values().any(|(_, sureness)| *sureness == Sureness::Guessed)
    }
}

#[cfg(test)]
fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

#[cfg(test)]
mod tests;
