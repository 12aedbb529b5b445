//! Everything that the record says about one decision, for whoever asks why.
//!
//! A fold over the whole record: the rules in force at that moment are those of the first record and those that were granted
//! since. The gate of today judges again: where it would judge otherwise than the one of then, what is on record stands.

use codec::claude::{Block, Content, Output};
use codec::events::Event as StreamEvent;
use codec::journal::{Answer, Behalf, Body, Direction, Ended, Entry, Event, GiveBack, WireLine};
use codec::json::{Json, Object, Text, Written as _};

use super::{Audit, By, Decision, Name, PassedOver};
use crate::answer::Verdict;
use crate::gate::{Decision as Ruling, Gate, Judgement};

/// What happened to a question, one thing after the other.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// when, in milliseconds since the run began
    pub at_ms: u64,
    /// where: a desk
    pub desk: String,
    /// what
    pub what: Happened,
}

/// What happened at a desk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Happened {
    /// it was offered there
    Offered,
    /// somebody could see it
    Shown,
    /// it was answered there, or said how else it ended
    Said(String),
    /// it was given back, and why
    GaveBack(String),
    /// an answer came when it was over
    Late,
}

/// All about one decision.
#[derive(Debug)]
pub struct Why {
    /// which one is meant
    name: Name,
    audit: Audit,
    gate: Gate,
    /// the decision itself, once it is known
    pub decision: Option<Decision>,
    /// the tool with all of its input, as it was asked about
    pub tool: Option<Json<'static>>,
    /// what was asked, if it was not about a tool
    pub config: Option<Json<'static>>,
    /// how long it might have waited
    pub deadline_ms: Option<u64>,
    /// what the rules in force say about it
    pub judged: Option<Judgement>,
    /// what happened to it
    pub steps: Vec<Step>,
    /// what whoever asked was told
    pub told: Option<String>,
    /// where the answer goes to: the wire and the id of whoever asked
    asker: Option<(String, String)>,
}

/// As many steps are told of one question.
const MOST_STEPS: usize = 1_000;

impl Why {
    /// A record of which nothing was heard yet.
    #[must_use]
    pub fn of(name: Name) -> Self {
        Self {
            name,
            audit: Audit::new(),
            gate: Gate::default(),
            decision: None,
            tool: None,
            config: None,
            deadline_ms: None,
            judged: None,
            steps: Vec::new(),
            told: None,
            asker: None,
        }
    }

    /// Takes the next record.
    pub fn hear(&mut self, entry: &Entry<'_>) {
        let before = self.audit.used();
        let decided = self.audit.hear(entry);
        if let (Name::Use(number), Body::Line(line)) = (self.name, &entry.body)
            && (before + 1..=self.audit.used()).contains(&number)
        {
            self.used(line, number - before - 1);
        }
        for decision in decided {
            self.decided(decision);
        }
        match &entry.body {
            Body::Line(line) => self.line(line),
            Body::Event(event) => self.event(event, entry.t),
        }
    }

    /// What was passed over so far.
    #[must_use]
    pub fn passed_over(&self) -> PassedOver {
        self.audit.passed_over()
    }

    /// The record ends here.
    pub fn end(&mut self) {
        for decision in std::mem::take(&mut self.audit).end() {
            self.decided(decision);
        }
    }

    fn decided(&mut self, decision: Decision) {
        if decision.name == self.name && self.decision.is_none() {
            self.decision = Some(decision);
        } else if let By::Answered(answered) = &decision.by
            && self.decision.is_none()
            && answered.allowed == Some(true)
            && decision.is_ours
        {
            // What was granted before holds for this one too.
            let verdict = Verdict {
                allow: true,
                scope: answered.scope,
                rules: answered.rules.clone(),
                saved: crate::answer::Saved::Tim,
                reason: None,
            };
            self.gate = self.gate.with(&verdict.granted());
        }
    }

    fn event(&mut self, event: &Event<'_>, now: u64) {
        let number = match self.name {
            Name::Question(number) => Some(number),
            Name::Use(_) => None,
        };
        let mine = |key: &codec::id::Key| Some(key.number) == number;
        match event {
            Event::Run(run) => self.gate = run.rules.as_ref().map(Gate::from_record).unwrap_or_default().0,
            Event::Ask(ask) if mine(&ask.key) => self.asked(ask),
            Event::Offer(offer) if mine(&offer.key) => self.step(now, &offer.desk.get(), Happened::Offered),
            Event::Shown(shown) if mine(&shown.key) => self.step(now, &shown.desk.get(), Happened::Shown),
            Event::Answer(answer) if mine(&answer.key) => {
                self.step(now, &answer.desk.get(), Happened::Said(said(answer)));
            }
            Event::GiveBack(back) if mine(&back.key) => {
                self.step(now, &back.desk.get(), Happened::GaveBack(given_back(back)));
            }
            Event::Late(late) if mine(&late.key) => self.step(now, &late.desk.get(), Happened::Late),
            Event::Ended(ended) if mine(&ended.key) => self.at_the_door(ended),
            _ => {}
        }
    }

    /// The use of a tool that begins in this line, the how many-th of it.
    fn used(&mut self, line: &WireLine<'_>, place: u64) {
        let Ok(bytes) = line.bytes() else { return };
        let tool = uses_in(&bytes).into_iter().zip(0..).find(|(_, at)| *at == place);
        if let Some(((name, input), _)) = tool {
            self.judged = Some(self.gate.judge(&name, &input));
            self.tool = Some(Json::object(|out| {
                out.member("name", |to| Text::new(&name).write(to));
                out.raw_member("\"input\"", input.raw());
            }));
        }
    }

    fn asked(&mut self, ask: &codec::journal::Ask<'_>) {
        self.tool = ask.tool.clone().map(Json::into_owned);
        self.config = ask.config.clone().map(Json::into_owned);
        self.deadline_ms = ask.deadline_ms;
        let tool = self.tool.as_ref().and_then(|tool| Object::read(tool.clone()).ok());
        let named = tool.as_ref().and_then(|tool| Some((tool.peek("name")?.as_text()?, tool.peek("input")?)));
        let judged = named.map(|(name, input)| self.gate.judge(&name.get(), input));
        self.judged = judged.map(|judged| for_whom(judged, ask.behalf));
        let wire = ask.wire.as_ref().map(|wire| wire.get().into_owned());
        self.asker = wire.zip(ask.request_id.as_ref().map(|id| id.raw().to_owned()));
    }

    /// What was refused at once says who asked only now.
    fn at_the_door(&mut self, ended: &Ended<'_>) {
        if self.asker.is_none() {
            let wire = ended.wire.as_ref().map(|wire| wire.get().into_owned());
            self.asker = wire.zip(ended.request_id.as_ref().map(|id| id.raw().to_owned()));
        }
    }

    fn step(&mut self, at_ms: u64, desk: &str, what: Happened) {
        if self.steps.len() < MOST_STEPS {
            self.steps.push(Step { at_ms, desk: desk.to_owned(), what });
        }
    }

    /// The first line to the asker behind the end that names its question is the reply.
    fn line(&mut self, line: &WireLine<'_>) {
        let (Some((wire, id)), true) = (&self.asker, self.told.is_none() && self.decision.is_some()) else {
            return;
        };
        if line.dir == Direction::To
            && line.wire.is(wire)
            && let Ok(bytes) = line.bytes()
        {
            let text = String::from_utf8_lossy(&bytes);
            self.told = text.contains(id.as_str()).then(|| text.into_owned());
        }
    }
}

/// What that judgement means for whoever asks: what is allowed here is allowed to nobody else's agent.
fn for_whom(judged: Judgement, behalf: Option<Behalf>) -> Judgement {
    match (judged.decision, behalf) {
        (Ruling::Allow, None) => {
            let why = "what is allowed here is for agents of this run alone".to_owned();
            Judgement { decision: Ruling::Ask, rule: None, why, ..judged }
        }
        _ => judged,
    }
}

/// All uses of tools that begin in a line of an agent, in order: their names and inputs.
fn uses_in(line: &[u8]) -> Vec<(String, Json<'static>)> {
    let own = |name: &Text<'_>, input: Json<'_>| (name.get().into_owned(), input.into_owned());
    if let Ok(Output::Assistant(said)) = Output::read(line)
        && let Content::Blocks(blocks) = said.message.content
    {
        let uses = blocks.into_iter().filter_map(|block| match block {
            Block::ToolUse(used) => Some(own(&used.name, used.input)),
            _ => None,
        });
        return uses.collect();
    }
    match StreamEvent::read(line) {
        Ok(StreamEvent::ToolUseStart(used)) => vec![own(&used.name, used.input.unwrap_or_else(Json::null))],
        _ => Vec::new(),
    }
}

fn said(answer: &Answer<'_>) -> String {
    match (&answer.value, answer.outcome) {
        (Some(value), _) => value.raw().to_owned(),
        (None, Some(outcome)) => outcome.word().replace('_', " "),
        (None, None) => "no answer".to_owned(),
    }
}

fn given_back(back: &GiveBack<'_>) -> String {
    let reason = back.reason.as_ref().map(|reason| reason.get().into_owned());
    reason.or_else(|| back.word.as_ref().map(|word| word.get().into_owned())).unwrap_or_default()
}
