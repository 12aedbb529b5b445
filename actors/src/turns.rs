//! Turns: the record of a run, grouped into what was said to an agent and all that came of it.
//!
//! Owns where a turn begins and ends. A fold and nothing else: records in, finished turns out; reads no file, no clock, and
//! asks nobody. It takes Claude Code and stream agents alike. A turn that a person rejected is kept as it was until then;
//! what the agent still said of it is in no turn. What is remembered of a turn is bounded, however long the record is.

pub(crate) mod brief;
mod claude;
mod file;
mod json;
mod open;
mod step;
mod stream;
#[cfg(test)]
mod tests;
mod turn;

use std::collections::BTreeMap;

use codec::journal::{Ask, Body, Ended, Entry, Event, WireLine};

pub use file::{Exited, Reading, Told};
pub use turn::{LeftOut, Part, Turn, TurnEnd, TurnQuestion, TurnTool};

use open::Open;
use step::{Language, Piece, Step, speaks};

/// Where an agent is.
#[derive(Debug)]
enum State {
    /// in a turn
    Open(Box<Open>),
    /// behind a rejection, until it says that it is done: what was said to it since, and whether it was said something more
    /// before, which it may take up next
    Rejected(Option<Box<Open>>, bool),
    /// the same, and it is done: what it says by itself counts nowhere, until the person says something
    Over,
}

/// How many agents can be in a turn at a time.
const MOST_WIRES: usize = 1_024;

/// The longest name of a wire; no tim ever gave one as long.
const LONGEST_WIRE: usize = 256;

/// The turns of a record, as far as it was heard.
#[derive(Debug, Default)]
pub struct Turns {
    begun: u64,
    agents: BTreeMap<String, State>,
    /// what an agent printed outside of any turn and that is not in its language
    stray: Option<String>,
}

impl Turns {
    /// A record of which nothing was heard yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next record. Says which turn ended with it.
    pub fn hear(&mut self, entry: &Entry<'_>) -> Option<Turn> {
        match &entry.body {
            Body::Line(line) => self.line(line, entry.t),
            Body::Event(Event::Ask(ask)) => {
                self.asked(ask);
                None
            }
            Body::Event(Event::Ended(ended)) => {
                self.question_ended(ended);
                None
            }
            // Behind the exit of its process there may be lines that were still in its pipe.
            Body::Event(Event::Detach(left)) => self.gone(&left.wire.get(), entry.t),
            Body::Event(_) => None,
        }
    }

    /// What the last record brought that is in no turn, and in no language.
    pub(crate) fn stray(&mut self) -> Option<String> {
        self.stray.take()
    }

    /// The record ends here: the turns that still went on.
    #[must_use]
    pub fn end(self) -> Vec<Turn> {
        let open = self.agents.into_values().filter_map(State::into_open);
        let mut turns: Vec<_> = open.map(|open| open.close(TurnEnd::Unfinished, None)).collect();
        turns.sort_by_key(|turn| turn.number);
        turns
    }

    fn line(&mut self, line: &WireLine<'_>, at: u64) -> Option<Turn> {
        let wire = line.wire.get();
        let language = speaks(&wire)?;
        let read = match language {
            Language::Claude => claude::steps,
            Language::Events => stream::steps,
        };
        let steps = read(line.dir, &line.bytes().ok()?);
        let mut finished = None;
        for step in steps {
            let over = self.step(&wire, language, step, at);
            debug_assert!(over.is_none() || finished.is_none(), "a line ends one turn at the most");
            finished = finished.or(over);
        }
        finished
    }

    fn step(&mut self, wire: &str, language: Language, step: Step, at: u64) -> Option<Turn> {
        match self.agents.get(wire) {
            Some(State::Open(_)) => self.in_turn(wire, step, at),
            None | Some(State::Over) if let Step::Noise(line) = step => {
                self.stray = Some(line);
                None
            }
            Some(State::Rejected(..)) => {
                self.behind_rejection(wire, step, at);
                None
            }
            Some(State::Over) if !matches!(step, Step::Said(_)) => None,
            None if self.agents.len() >= MOST_WIRES || wire.len() > LONGEST_WIRE => None,
            // It is about a turn that is over; the agent was told to stop all the same, and will say that it did.
            None if step == Step::Rejected => {
                self.agents.insert(wire.to_owned(), State::Rejected(None, false));
                None
            }
            None if !step.begins(language) => None,
            None | Some(State::Over) => {
                let open = self.begin(wire, at);
                self.agents.insert(wire.to_owned(), State::Open(open));
                self.in_turn(wire, step, at)
            }
        }
    }

    fn begin(&mut self, wire: &str, at: u64) -> Box<Open> {
        self.begun += 1;
        Box::new(Open::new(self.begun, wire, at))
    }

    fn in_turn(&mut self, wire: &str, step: Step, at: u64) -> Option<Turn> {
        let Some(State::Open(open)) = self.agents.get_mut(wire) else { return None };
        let end = match step {
            Step::Over(went) => open.end_of(went),
            Step::Rejected => TurnEnd::Rejected,
            other => {
                open.take(other);
                return None;
            }
        };
        let over = self.agents.remove(wire).and_then(State::into_open)?;
        if end == TurnEnd::Rejected {
            self.agents.insert(wire.to_owned(), State::Rejected(None, over.was_told_more()));
        }
        Some(over.close(end, Some(at)))
    }

    /// What the agent still says of a rejected turn is dropped, its `done` included. What a person says is for the next.
    fn behind_rejection(&mut self, wire: &str, step: Step, at: u64) {
        if !matches!(step, Step::Said(_) | Step::Over(_)) {
            return;
        }
        let Some(State::Rejected(waiting, has_more)) = self.agents.remove(wire) else { return };
        let next = match (step, waiting) {
            (step @ Step::Said(_), waiting) => {
                let mut next = waiting.unwrap_or_else(|| self.begin(wire, at));
                next.take(step);
                State::Rejected(Some(next), has_more)
            }
            (_, Some(next)) => State::Open(next),
            (_, None) if has_more => return,
            (_, None) => State::Over,
        };
        self.agents.insert(wire.to_owned(), next);
    }

    /// The agent is no more. What was said to it behind a rejection is a turn that never came to anything.
    fn gone(&mut self, wire: &str, at: u64) -> Option<Turn> {
        let open = self.agents.remove(wire).and_then(State::into_open)?;
        Some(open.close(TurnEnd::Unfinished, Some(at)))
    }

    /// A question was accepted. One that came by a socket belongs to the turn that goes on, if there is just one: the agent
    /// started who asks.
    fn asked(&mut self, ask: &Ask<'_>) {
        let wire = ask.wire.as_ref().map(|wire| wire.get().into_owned()).unwrap_or_default();
        let is_own = speaks(&wire).is_some();
        let open = if is_own { self.open(&wire) } else { self.only_open() };
        let id = ask.request_id.as_ref().filter(|_| is_own);
        if let Some(open) = open {
            open.accepted(&ask.key, id, brief::question(ask));
        }
    }

    fn question_ended(&mut self, ended: &Ended<'_>) {
        let how = brief::ending(ended);
        let is_known = self.all_open().any(|open| open.ended(&ended.key, &how));
        // What was refused at the door is known by its id alone.
        if let (false, Some(wire), Some(id)) = (is_known, &ended.wire, &ended.request_id)
            && let Some(open) = self.open(&wire.get())
        {
            open.take(Step::Replied(id.clone(), how));
        }
    }

    fn open(&mut self, wire: &str) -> Option<&mut Open> {
        self.agents.get_mut(wire).and_then(State::open)
    }

    fn all_open(&mut self) -> impl Iterator<Item = &mut Open> {
        self.agents.values_mut().filter_map(State::open)
    }

    fn only_open(&mut self) -> Option<&mut Open> {
        let mut open = self.all_open();
        let first = open.next()?;
        open.next().is_none().then_some(first)
    }
}

impl State {
    fn open(&mut self) -> Option<&mut Open> {
        match self {
            State::Open(open) => Some(open),
            State::Rejected(..) | State::Over => None,
        }
    }

    fn into_open(self) -> Option<Box<Open>> {
        match self {
            State::Open(open) => Some(open),
            State::Rejected(next, _) => next,
            State::Over => None,
        }
    }
}
