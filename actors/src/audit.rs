//! Who decided what: the decisions of a run, from its record.
//!
//! Owns which records belong to one decision: a question with its end, or a use of a tool that the agent decided by
//! itself. A fold and nothing else: records in, decisions out, each as soon as it is known who decided; reads no file and
//! no clock. What is remembered is bounded, however long the record is. It ends with the record: what was open then stays
//! open.

mod decision;
mod made;
mod outline;
#[cfg(test)]
mod tests;
mod uses;
mod why;

use std::collections::{BTreeMap, HashMap};

use codec::Outcome;
use codec::claude::AskUserQuestion;
use codec::journal::{Ask, Behalf, Body, Direction, Ended, Entry, Event, WireLine};
use codec::json::Text;
use codec::tunnel::{AnswerSource, QuestionKind};

pub use decision::{Answered, By, Decision, Name, Own};
pub use outline::{Outline, Over as RunOver};
pub use why::{Happened, Step, Why};

use crate::answer::as_told;
use crate::gate::Gate;
use crate::question::EXIT_PLAN_MODE;
use crate::router::DeskInfo;
use crate::turns::brief;
use uses::{Count, Uses};

/// As many questions may be open: more than a router takes.
const MOST_OPEN: usize = 20_000;
/// As many agents may be there at a time.
const MOST_WIRES: usize = 1_024;

/// The decisions of a record, as far as it was heard.
#[derive(Debug, Default)]
pub struct Audit {
    /// what somebody saw and nobody answered in time was allowed
    allow_on_timeout: bool,
    open: BTreeMap<u64, Open>,
    agents: HashMap<String, Agent>,
    /// how many uses of tools began
    used: u64,
    /// the rules as the run began
    gate: Gate,
    passed_over: PassedOver,
}

/// What is not among the decisions, though it should be.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PassedOver {
    /// questions and uses of tools of which there were too many at a time
    pub too_many: u64,
    /// lines of agents that cannot be read: what is asked for in them nobody knows
    pub unread: u64,
}

/// A question that did not end yet.
#[derive(Debug)]
struct Open {
    decision: Decision,
    is_shown: bool,
    /// it is of those that an agent of ours may have been allowed by time
    may_be_timed: bool,
    /// the desk that said no to it
    declined_at: Option<AnswerSource>,
    /// what an agent asks in its own words: an answer says only which of its options
    asks: Option<AskUserQuestion<'static>>,
}

#[derive(Debug, Default)]
struct Agent {
    path: String,
    uses: Uses,
}

impl Audit {
    /// A record of which nothing was heard yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next record. Says what is decided by it.
    pub fn hear(&mut self, entry: &Entry<'_>) -> Vec<Decision> {
        let now = entry.t;
        match &entry.body {
            Body::Line(line) => return self.line(line, now),
            Body::Event(event) => match event {
                Event::Run(run) => {
                    self.allow_on_timeout = run.allow_on_timeout == Some(true);
                    self.gate = run.rules.as_ref().map(Gate::from_record).unwrap_or_default().0;
                }
                Event::Attach(came) => self.came(&came.wire.get(), came.path.as_ref()),
                Event::Ask(ask) => self.asked(ask, now),
                Event::Shown(shown) => {
                    if let Some(open) = self.open.get_mut(&shown.key.number) {
                        open.is_shown = true;
                    }
                }
                Event::Answer(said) if said.outcome == Some(Outcome::Declined) => {
                    if let Some(open) = self.open.get_mut(&said.key.number) {
                        open.declined_at = DeskInfo::source_of(&said.desk.get());
                    }
                }
                Event::Ended(ended) => return vec![self.ended(ended, now)],
                Event::Detach(left) => return self.left(&left.wire.get()),
                _ => {}
            },
        }
        Vec::new()
    }

    /// How many uses of tools began so far.
    #[must_use]
    pub const fn used(&self) -> u64 {
        self.used
    }

    /// What was passed over so far.
    #[must_use]
    pub fn passed_over(&self) -> PassedOver {
        let of_agents: u64 = self.agents.values().map(|agent| agent.uses.forgotten).sum();
        PassedOver { too_many: self.passed_over.too_many + of_agents, ..self.passed_over }
    }

    /// The record ends here: what was not decided by then.
    #[must_use]
    pub fn end(mut self) -> Vec<Decision> {
        let wires: Vec<String> = self.agents.keys().cloned().collect();
        let mut left: Vec<Decision> = wires.iter().flat_map(|wire| self.left(wire)).collect();
        left.extend(self.open.into_values().map(|open| open.decision));
        left.sort_by_key(|decision| (decision.asked_ms, decision.name));
        left
    }

    fn came(&mut self, wire: &str, path: Option<&Text<'_>>) {
        if speaks(wire).is_none() {
            return;
        }
        if self.agents.len() >= MOST_WIRES {
            self.passed_over.too_many += 1;
        } else {
            let path = path.map_or_else(|| wire.to_owned(), |path| brief::line(&path.get()));
            self.agents.insert(wire.to_owned(), Agent { path, uses: Uses::default() });
        }
    }

    fn line(&mut self, line: &WireLine<'_>, now: u64) -> Vec<Decision> {
        let wire = line.wire.get();
        let (Some(language), Direction::From) = (speaks(&wire), line.dir) else { return Vec::new() };
        let Some(agent) = self.agents.get_mut(wire.as_ref()) else { return Vec::new() };
        let Ok(bytes) = line.bytes() else { return Vec::new() };
        let mut count = Count { used: &mut self.used, gate: &self.gate };
        let over = match language {
            Language::Claude => agent.uses.hear(&bytes, now, &mut count),
            Language::Events => Uses::hear_event(&bytes, now, &mut count),
        };
        // What is no object at all is a text that the agent printed.
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        self.passed_over.unread += u64::from(over.is_none() && is_object);
        over.into_iter().flatten().map(|over| made::by_itself(&agent.path, over)).collect()
    }

    fn left(&mut self, wire: &str) -> Vec<Decision> {
        let Some(mut agent) = self.agents.remove(wire) else { return Vec::new() };
        self.passed_over.too_many += agent.uses.forgotten;
        let (over, open) = agent.uses.end();
        let over = over.into_iter().map(|over| made::by_itself(&agent.path, over));
        over.chain(open.into_iter().map(|used| made::of_use(&agent.path, used, By::Open, None))).collect()
    }

    fn asked(&mut self, ask: &Ask<'_>, now: u64) {
        let wire = ask.wire.as_ref().map(|wire| wire.get().into_owned()).unwrap_or_default();
        let decision = made::asked(ask, &wire, now);
        if let (Some(id), Some(Behalf::Agent)) = (&decision.tool_use_id, ask.behalf) {
            self.asked_about(&wire, &decision.path, id);
        }
        let is_plan = decision.tool.as_deref() == Some(EXIT_PLAN_MODE);
        let is_permission = decision.kind == Some(QuestionKind::Permission) && !is_plan;
        let may_be_timed = is_permission && ask.behalf == Some(Behalf::Agent);
        if self.open.len() < MOST_OPEN {
            let config = ask.config.clone().filter(|_| ask.kind == QuestionKind::Question);
            let asks = config.and_then(|config| AskUserQuestion::read(config.into_owned()).ok());
            let open = Open { decision, is_shown: false, may_be_timed, declined_at: None, asks };
            self.open.insert(ask.key.number, open);
        } else {
            self.passed_over.too_many += 1;
        }
    }

    /// An agent of ours asks on its own wire, or through its bridge, which is called as the agent is.
    fn asked_about(&mut self, wire: &str, path: &str, id: &str) {
        if let Some(agent) = self.agents.get_mut(wire) {
            agent.uses.asked(id);
        } else {
            let own = self.agents.values_mut().filter(|agent| agent.path == path);
            own.for_each(|agent| agent.uses.asked(id));
        }
    }

    fn ended(&mut self, ended: &Ended<'_>, now: u64) -> Decision {
        let Some(open) = self.open.remove(&ended.key.number) else {
            return made::at_the_door(ended, now);
        };
        let declined_at = open.declined_at.unwrap_or(AnswerSource::Terminal);
        let mut by = match ended.outcome {
            Outcome::Declined => By::Declined(declined_at),
            _ => made::by(
                ended,
                open.decision.kind,
                open.is_shown && open.may_be_timed && self.allow_on_timeout,
            ),
        };
        let told =
            open.asks.as_ref().zip(ended.value.as_ref()).and_then(|(asks, value)| as_told(asks, value));
        if let (By::Answered(answered), Some(told)) = (&mut by, told) {
            answered.words = Some(brief::answer(&told));
        }
        Decision { at_ms: now, by, ..open.decision }
    }
}

/// What an agent speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Language {
    Claude,
    Events,
}

fn speaks(wire: &str) -> Option<Language> {
    match wire.split_once(':')?.0 {
        "claude" => Some(Language::Claude),
        "agent" => Some(Language::Events),
        _ => None,
    }
}
