//! Who decided what: the decisions of a run, from its record.
//!
//! Owns which records belong to one decision: a question with its end, or a use of a tool that the agent decided by
//! itself. A fold and nothing else: records in, decisions out, each as soon as it is known who decided; reads no file and
//! no clock. What is remembered is bounded, however long the record is. It ends with the record: what was open then stays
//! open.

mod decision;
mod outline;
#[cfg(test)]
mod tests;
mod uses;
mod why;

use std::collections::{BTreeMap, HashMap};

use codec::Outcome;
use codec::id::RequestId;
use codec::journal::{Ask, Body, Direction, Ended, Entry, Event, WireLine};
use codec::json::{Json, Object, Text};
use codec::tunnel::{AnswerSource, QuestionKind, Scope};

pub use decision::{Answered, By, Decision, Name, Own};
pub use outline::{Outline, Over as RunOver};
pub use why::{Happened, Step, Why};

use crate::answer::Verdict;
use crate::gate::Gate;
use crate::question::EXIT_PLAN_MODE;
use crate::turns::brief;
use uses::{Count, Over, Use, Uses};

/// As many questions may be open: more than a router takes.
const MOST_OPEN: usize = 20_000;
/// As many agents may be there at a time.
const MOST_WIRES: usize = 1_024;

/// The decisions of a record, as far as it was heard.
#[derive(Debug, Default)]
pub struct Audit {
    /// what somebody saw and nobody answered in time was allowed
    allow_on_timeout: bool,
    /// our agent asked through a bridge
    is_bridged: bool,
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
    /// an agent of ours may have been allowed it by time
    is_ours: bool,
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
                    self.is_bridged = run.bridged == Some(true);
                    self.gate = run.rules.as_ref().map(Gate::from_record).unwrap_or_default().0;
                }
                Event::Attach(came) => self.came(&came.wire.get(), came.path.as_ref()),
                Event::Ask(ask) => self.asked(ask, now),
                Event::Shown(shown) => {
                    if let Some(open) = self.open.get_mut(&shown.key.number) {
                        open.is_shown = true;
                    }
                }
                Event::Ended(ended) => return self.ended(ended, now).into_iter().collect(),
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
        // What is no object at all is a text that the agent printed.
        let is_object = bytes.trim_ascii_start().starts_with(b"{");
        self.passed_over.unread += u64::from(is_object && !can_be_read(&bytes));
        let mut count = Count { used: &mut self.used, gate: &self.gate };
        let over = match language {
            Language::Claude => agent.uses.hear(&bytes, now, &mut count),
            Language::Events => Uses::hear_event(&bytes, now, &mut count),
        };
        over.into_iter().map(|over| by_itself(&agent.path, over)).collect()
    }

    fn left(&mut self, wire: &str) -> Vec<Decision> {
        let Some(mut agent) = self.agents.remove(wire) else { return Vec::new() };
        self.passed_over.too_many += agent.uses.forgotten;
        let (over, open) = agent.uses.end();
        let over = over.into_iter().map(|over| by_itself(&agent.path, over));
        over.chain(open.into_iter().map(|used| of_use(&agent.path, used, By::Open, None))).collect()
    }

    fn asked(&mut self, ask: &Ask<'_>, now: u64) {
        let wire = ask.wire.as_ref().map(|wire| wire.get().into_owned()).unwrap_or_default();
        let is_own_wire = speaks(&wire) == Some(Language::Claude) || self.is_bridged;
        let decision = Decision { is_ours: is_own_wire, ..asked(ask, &wire, now) };
        if let Some(id) = &decision.tool_use_id {
            self.asked_about(&wire, &decision.path, id);
        }
        let is_plan = decision.tool.as_deref() == Some(EXIT_PLAN_MODE);
        let is_ours = is_own_wire && decision.kind == Some(QuestionKind::Permission) && !is_plan;
        if self.open.len() < MOST_OPEN {
            self.open.insert(ask.key.number, Open { decision, is_shown: false, is_ours });
        } else {
            self.passed_over.too_many += 1;
        }
    }

    /// An agent asks on its own wire, or through its bridge, which is called as the agent is. Nobody else can speak for it.
    fn asked_about(&mut self, wire: &str, path: &str, id: &str) {
        if let Some(agent) = self.agents.get_mut(wire) {
            agent.uses.asked(id);
        } else if self.is_bridged {
            let own = self.agents.values_mut().filter(|agent| agent.path == path);
            own.for_each(|agent| agent.uses.asked(id));
        }
    }

    fn ended(&mut self, ended: &Ended<'_>, now: u64) -> Option<Decision> {
        let open = self.open.remove(&ended.key.number);
        let allowed =
            open.as_ref().is_some_and(|open| open.is_shown && open.is_ours) && self.allow_on_timeout;
        let decision = open.map_or_else(|| at_the_door(ended, now), |open| open.decision);
        let by = by(ended, decision.kind, allowed);
        Some(Decision { at_ms: now, by, ..decision })
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

fn by_itself(path: &str, Over { used, at_ms, allowed, how }: Over) -> Decision {
    let by = match (allowed, &used.denied_by) {
        // The agent has the deny rules of the run, and says of none whose it is.
        (Some(false), Some(rule)) if matches!(how, Own::Rule | Own::Parts | Own::Unsaid) => {
            By::Answered(Answered {
                source: AnswerSource::Rule,
                allowed,
                scope: Scope::Once,
                rules: vec![rule.clone()],
                words: None,
            })
        }
        _ => By::Agent { allowed, how },
    };
    of_use(path, used, by, Some(at_ms))
}

fn can_be_read(line: &[u8]) -> bool {
    std::str::from_utf8(line).is_ok_and(|text| Object::parse(text).is_ok())
}

fn of_use(path: &str, used: Use, by: By, at_ms: Option<u64>) -> Decision {
    Decision {
        name: Name::Use(used.number),
        asked_ms: used.began_ms,
        at_ms: at_ms.unwrap_or(used.began_ms),
        path: path.to_owned(),
        agent: used.agent,
        kind: None,
        tool: Some(used.tool),
        what: used.what,
        reason: None,
        tool_use_id: Some(used.id).filter(|id| !id.is_empty()),
        request_id: None,
        is_ours: true,
        by,
    }
}

fn asked(ask: &Ask<'_>, wire: &str, now: u64) -> Decision {
    let tool = ask.tool.as_ref().and_then(|tool| Object::read(tool.clone()).ok()).unwrap_or_default();
    let text = |name: &str| Some(tool.peek(name)?.as_text()?.get().into_owned());
    let what = match tool.peek("input") {
        Some(input) if ask.kind == QuestionKind::Permission => brief::input(input),
        _ => brief::question(ask),
    };
    Decision {
        name: Name::Question(ask.key.number),
        asked_ms: now,
        at_ms: now,
        path: ask.path.as_ref().map_or_else(|| wire.to_owned(), |path| brief::line(&path.get())),
        agent: text("agent_name").map(|name| brief::line(&name)),
        kind: Some(ask.kind),
        tool: text("name").map(|name| brief::line(&name)),
        what,
        reason: text("reason").map(|reason| brief::line(&reason)),
        tool_use_id: text("tool_use_id"),
        request_id: ask.request_id.as_ref().map(RequestId::get),
        is_ours: false,
        by: By::Open,
    }
}

/// What was refused before it was accepted: only who asked is on record.
fn at_the_door(ended: &Ended<'_>, now: u64) -> Decision {
    Decision {
        name: Name::Question(ended.key.number),
        asked_ms: now,
        at_ms: now,
        path: ended.wire.as_ref().map(|wire| brief::line(&wire.get())).unwrap_or_default(),
        agent: None,
        kind: None,
        tool: None,
        what: brief::or_nothing_said(String::new()),
        reason: None,
        tool_use_id: None,
        request_id: ended.request_id.as_ref().map(RequestId::get),
        is_ours: false,
        by: By::Open,
    }
}

fn by(ended: &Ended<'_>, kind: Option<QuestionKind>, allowed_by_time: bool) -> By {
    match (ended.outcome, &ended.value) {
        (Outcome::Answered, value) => {
            let source = ended.source.unwrap_or(AnswerSource::Terminal);
            By::Answered(answered(source, kind, value.as_ref()))
        }
        (Outcome::Declined, _) => By::Declined,
        (outcome, _) => By::Nobody {
            outcome,
            reason: ended.reason.as_ref().map(|reason| brief::line(&reason.get())),
            allowed: allowed_by_time && outcome == Outcome::TimedOut,
        },
    }
}

fn answered(source: AnswerSource, kind: Option<QuestionKind>, value: Option<&Json<'_>>) -> Answered {
    let plain = |allowed, words| Answered { source, allowed, scope: Scope::Once, rules: Vec::new(), words };
    let Some(value) = value else { return plain(None, None) };
    if kind == Some(QuestionKind::Permission)
        && let Ok(Verdict { allow, scope, rules, reason, .. }) = Verdict::read(value)
    {
        return Answered { source, allowed: Some(allow), scope, rules, words: reason };
    }
    let rejected = value.as_text().is_some_and(|text| text.is(codec::events::REJECT));
    match (kind, value.as_flag()) {
        (_, Some(flag)) => plain(Some(flag), None),
        (Some(QuestionKind::Approval), None) => plain(Some(!rejected), None),
        (Some(QuestionKind::Choice | QuestionKind::Text), None) if rejected => plain(Some(false), None),
        _ => plain(None, Some(brief::answer(value))),
    }
}
