//! The agent of the demo without its pipes: lines, answers and times in, what is to be done out. Pure.
//!
//! Owns turns, messages and what is waited for, as Claude Code keeps them: a message that comes while a tool runs is read
//! when that ends, one that comes later begins a turn of its own, an interrupt ends the turn, the end of stdin denies what
//! is asked. What is told stands in `story`. Ends when stdin is closed and nothing is left to do.

mod requests;
mod speech;
mod tools;

use std::collections::VecDeque;

use codec::claude::Input;
use codec::id::RequestId;

use super::inbox::Inbox;
use super::story::Step;
use super::wire::{self, Gave, Task, Turn, Use};
use crate::args::Speed;

/// What is to be done.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Do {
    /// write this line to stdout
    Line(String),
    /// run the script that asks a person
    Ask,
    /// end that script
    StopAsking,
    /// exit
    End {
        /// the last turn went well
        is_good: bool,
    },
}

/// What happens next, when its time has come.
#[derive(Debug)]
pub(super) enum Beat {
    /// more of what is being said
    Piece(String),
    /// all of it was said
    Said(String),
    /// a tool is used
    Use(Use),
    /// may it run?
    Ask(&'static str),
    /// it runs until the person typed something, or did not for a while
    Linger,
    /// its script asks a person
    Script,
    /// it ends
    Gave(Gave),
    /// it goes on in the background
    GoesOn(Task),
    /// the turn ends
    EndTurn,
    /// what comes then is decided then
    Step(Step),
}

/// For what it waits.
#[derive(Debug, PartialEq, Eq)]
enum Wait {
    Nothing,
    Permission(RequestId),
    Script,
    Line { until: u64 },
}

/// The agent.
#[derive(Debug)]
pub(super) struct Demo {
    speed: Speed,
    is_live: bool,
    now: u64,
    /// when the last beat was
    since: u64,
    beats: VecDeque<(u64, Beat)>,
    waits: Wait,
    /// the text that is being said, as far as it was
    saying: Option<String>,
    tool: Option<Use>,
    turn: Option<(Turn, u64)>,
    pub(super) inbox: Inbox,
    /// what runs in the background, and until when
    background: Option<(Task, u64)>,
    pub(super) has_begun: bool,
    pub(super) is_interrupted: bool,
    is_closed: bool,
    is_good: bool,
    /// how many names were given
    named: u64,
    out: Vec<Do>,
}

/// How long a tool runs on when a line was typed: long enough to see that it waits.
const SEEN: u64 = 900;

impl Demo {
    /// One that has heard nothing yet. `is_live`: texts are told in pieces.
    pub(super) fn new(speed: Speed, is_live: bool) -> Self {
        Self {
            speed,
            is_live,
            now: 0,
            since: 0,
            beats: VecDeque::new(),
            waits: Wait::Nothing,
            saying: None,
            tool: None,
            turn: None,
            inbox: Inbox::default(),
            background: None,
            has_begun: false,
            is_interrupted: false,
            is_closed: false,
            is_good: true,
            named: 0,
            out: Vec::new(),
        }
    }

    /// A line came on stdin.
    pub(super) fn hear(&mut self, line: &[u8], now: u64) -> Vec<Do> {
        self.now = self.now.max(now);
        match Input::read(line) {
            Ok(Input::User(user)) => {
                let uuid = user.uuid.as_ref().map(|uuid| uuid.get().into_owned());
                self.message(uuid, user.message.content.text());
            }
            Ok(Input::ControlRequest(request)) => self.request(&request),
            Ok(Input::ControlResponse(reply)) => self.replied(&reply.response),
            Ok(_) => {}
            // As Claude Code does.
            Err(_) => self.out.push(Do::End { is_good: false }),
        }
        self.go_on()
    }

    /// Stdin was closed: nobody can answer any more.
    pub(super) fn hear_the_end(&mut self, now: u64) -> Vec<Do> {
        self.now = self.now.max(now);
        self.is_closed = true;
        if matches!(self.waits, Wait::Permission(_)) {
            self.decided(Err(CLOSED.to_owned()));
        }
        self.go_on()
    }

    /// The script that asked a person ended so.
    pub(super) fn asked(&mut self, code: Option<i32>, now: u64) -> Vec<Do> {
        self.now = self.now.max(now);
        if self.waits == Wait::Script {
            self.goes_on_now();
            self.script_ended(code);
        }
        self.go_on()
    }

    /// Time passed.
    pub(super) fn tick(&mut self, now: u64) -> Vec<Do> {
        self.now = self.now.max(now);
        self.go_on()
    }

    /// When time alone changes something.
    pub(super) fn wake_at(&self) -> Option<u64> {
        match (&self.waits, self.beats.front(), &self.turn) {
            (Wait::Permission(_) | Wait::Script, ..) => None,
            (Wait::Line { until }, ..) => Some(*until),
            (Wait::Nothing, Some((pause, _)), _) => Some(self.since.saturating_add(*pause)),
            (Wait::Nothing, None, Some(_)) => None,
            (Wait::Nothing, None, None) => self.background.as_ref().map(|(_, until)| *until),
        }
    }

    fn go_on(&mut self) -> Vec<Do> {
        while self.is_at_work() {}
        std::mem::take(&mut self.out)
    }

    /// Does what is due; whether there may be more.
    fn is_at_work(&mut self) -> bool {
        match self.waits {
            Wait::Line { until } if self.now < until && !self.is_closed => return false,
            Wait::Line { .. } => self.goes_on_now(),
            Wait::Permission(_) | Wait::Script => return false,
            Wait::Nothing => {}
        }
        match self.beats.pop_front() {
            Some((pause, beat)) if self.since.saturating_add(pause) > self.now => {
                self.beats.push_front((pause, beat));
                false
            }
            Some((pause, beat)) => {
                self.since = self.since.saturating_add(pause);
                self.perform(beat);
                true
            }
            None => self.turn.is_none() && self.begins_another(),
        }
    }

    fn perform(&mut self, beat: Beat) {
        match beat {
            Beat::Piece(piece) => self.piece(&piece),
            Beat::Said(text) => self.said(text),
            Beat::Use(tool) => self.tool_begins(tool),
            Beat::Ask(why) => self.ask(why),
            Beat::Linger => self.linger(),
            Beat::Script => {
                self.waits = Wait::Script;
                self.out.push(Do::Ask);
            }
            Beat::Gave(gave) => self.tool_ends(&gave, None),
            Beat::GoesOn(task) => self.task_begins(task),
            Beat::EndTurn => self.end_turn(None),
            Beat::Step(step) => self.step(step),
        }
    }

    /// Nothing goes on: the next turn begins, if there is reason for one.
    fn begins_another(&mut self) -> bool {
        let is_due = self.background.as_ref().is_some_and(|(_, until)| *until <= self.now);
        if !self.inbox.is_empty() {
            self.begin_turn(false);
            self.turn_asked();
            return true;
        }
        if let Some((task, _)) = self.background.take_if(|_| is_due) {
            self.lines(wire::task_ends(&task));
            self.begin_turn(true);
            self.turn_unasked();
            return true;
        }
        if self.is_closed && self.background.is_none() {
            self.out.push(Do::End { is_good: self.is_good });
        }
        false
    }

    fn begin_turn(&mut self, is_unasked: bool) {
        self.since = self.now;
        self.turn = Some((Turn { is_unasked, ..Turn::default() }, self.now));
        self.reads();
        self.line(wire::init());
    }

    /// What waits is read now.
    fn reads(&mut self) {
        for uuid in self.inbox.reads() {
            self.line(wire::lifecycle(&uuid, "started"));
            if let Some((turn, _)) = &mut self.turn {
                turn.read.push(uuid);
            }
        }
    }

    fn end_turn(&mut self, aborted: Option<&str>) {
        let Some((turn, began)) = self.turn.take() else { return };
        self.is_good = aborted.is_none();
        for uuid in &turn.read {
            self.line(wire::lifecycle(uuid, "completed"));
        }
        self.line(wire::result(&turn, self.now.saturating_sub(began), aborted));
    }

    fn message(&mut self, uuid: Option<String>, text: String) {
        // One that comes a second time is dropped silently.
        if self.inbox.knows(uuid.as_deref()) {
            return;
        }
        if let Some(uuid) = &uuid {
            self.line(wire::lifecycle(uuid, "queued"));
        }
        self.inbox.push(uuid, text, self.has_begun);
        if let Wait::Line { until } = self.waits {
            self.waits = Wait::Line { until: until.min(self.now.saturating_add(self.paced(SEEN))) };
        }
    }

    /// What was waited for has come: pauses count from now.
    fn goes_on_now(&mut self) {
        (self.waits, self.since) = (Wait::Nothing, self.now);
    }
}

/// What the agent hears when nobody can answer any more.
const CLOSED: &str = "Stream closed";
