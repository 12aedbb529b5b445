//! What became of the questions of our own agent: who decided, and what nobody decided. Pure.
//!
//! Owns the counts of the end, the tools that somebody decided about, and for what was refused the words that would have
//! allowed it.

use std::collections::HashMap;
use std::sync::Arc;

use actors::agent::events::is_rejection;
use actors::agent::verdict::Account;
use actors::answer::{Given, Verdict};
use actors::end::End;
use actors::gate::Place;
use actors::question::{Asks, Question, Tool};
use actors::router::{Emitted, Stage};
use codec::id::Key;
use codec::tunnel::{AnswerSource, PromptKind};

use super::remedy;
use crate::quote::quoted;
use crate::render::ending::{Questions, Refused};
use crate::term::question::summary;

/// The questions of one agent.
#[derive(Debug)]
pub(crate) struct Decisions {
    /// what the agent is called
    path: String,
    place: Place,
    /// what nobody answers in time is allowed if somebody saw it
    allow_on_timeout: bool,
    open: HashMap<Key, Arc<Question>>,
    /// the uses of tools that were asked here, however that ended
    settled: Vec<String>,
    questions: Questions,
    refused: Vec<Refused>,
}

impl Decisions {
    /// Whether somebody of that name was started by the agent of this run.
    pub(crate) fn is_above(&self, path: &str) -> bool {
        path.strip_prefix(self.path.as_str()).is_some_and(|rest| rest.starts_with('/'))
    }

    pub(crate) fn new(path: &str, place: Place, allow_on_timeout: bool) -> Self {
        Self {
            path: path.to_owned(),
            place,
            allow_on_timeout,
            open: HashMap::new(),
            settled: Vec::new(),
            questions: Questions::default(),
            refused: Vec::new(),
        }
    }

    /// Takes in what the router tells. Says what was refused, if something was.
    pub(crate) fn hear(&mut self, emitted: &Emitted) -> Option<&Refused> {
        match &emitted.what {
            Stage::Asked { path, question, .. } if *path == self.path => {
                self.open.insert(emitted.key.clone(), Arc::clone(question));
                None
            }
            Stage::Asked { .. } => None,
            Stage::Ended(end) => {
                let question = self.open.remove(&emitted.key)?;
                self.ended(&question, end)
            }
        }
    }

    /// Whether the agent waits for an answer.
    pub(crate) fn is_waiting(&self) -> bool {
        !self.open.is_empty()
    }

    /// Whether the agent may go on with what it asked.
    pub(crate) fn allows(&self, key: &Key, end: &End) -> bool {
        match end {
            End::Answered { given: Given::Verdict(Verdict { allow, .. }), .. } => *allow,
            End::Answered { .. } => true,
            _ => self.open.get(key).is_some_and(|question| self.is_allowed_by_time(question, end)),
        }
    }

    /// What the user had decided beforehand: what somebody saw, and nobody answered, may run.
    fn is_allowed_by_time(&self, question: &Question, end: &End) -> bool {
        let is_permission = matches!(&question.asks, Asks::Permission(tool) if !tool.is_plan());
        self.allow_on_timeout && is_permission && matches!(end, End::TimedOut { shown: true, .. })
    }

    /// Which use of a tool this is about.
    pub(crate) fn tool_use(&self, emitted: &Emitted) -> Option<String> {
        let id = self.of(emitted)?.tool()?.tool_use_id.as_ref()?;
        Some(id.get().into_owned())
    }

    /// Whether this is about something that the agent itself asks and waits for: a no ends its turn.
    pub(crate) fn is_input(&self, emitted: &Emitted) -> bool {
        self.of(emitted).is_some_and(is_input)
    }

    /// Whether the agent waits for such an answer.
    pub(crate) fn awaits_input(&self) -> bool {
        self.open.values().any(|question| is_input(question))
    }

    /// The question, if it is one of our own agent.
    fn of<'q>(&'q self, emitted: &'q Emitted) -> Option<&'q Question> {
        match &emitted.what {
            Stage::Asked { path, question, .. } => Some(question).filter(|_| *path == self.path),
            Stage::Ended(_) => self.open.get(&emitted.key),
        }
        .map(Arc::as_ref)
    }

    fn ended(&mut self, question: &Question, end: &End) -> Option<&Refused> {
        let tool_use = question.tool().and_then(|tool| tool.tool_use_id.as_ref());
        self.settled.extend(tool_use.map(|id| id.get().into_owned()));
        if self.count(question, end) {
            return None;
        }
        self.questions.undecided += 1;
        let what = summary::of(question, &self.place);
        self.refused.push(Refused { what, remedy: self.remedy(question, end) });
        self.refused.last()
    }

    /// Whether somebody decided it.
    fn count(&mut self, question: &Question, end: &End) -> bool {
        let is_allowed_by_time = self.is_allowed_by_time(question, end);
        let counts = &mut self.questions;
        match end {
            End::Answered { given: Given::Verdict(Verdict { allow: false, .. }), .. } | End::Declined => {
                counts.no += 1;
            }
            End::Answered { .. } if is_input(question) && is_rejection(end) => counts.no += 1,
            End::Answered {
                source: AnswerSource::Terminal | AnswerSource::Parent | AnswerSource::Control,
                ..
            } => counts.you_yes += 1,
            End::Answered { source: AnswerSource::Rule, .. } => counts.rules_yes += 1,
            End::Answered { .. } => counts.other_yes += 1,
            End::TimedOut { .. } if is_allowed_by_time => counts.other_yes += 1,
            // Taken back by whoever asked: nothing was left to decide.
            End::Cancelled { .. } => {}
            End::TimedOut { .. } | End::Disconnected | End::Refused(_) => return false,
        }
        true
    }

    fn remedy(&self, question: &Question, end: &End) -> String {
        match (&question.asks, end) {
            (Asks::Questions(..) | Asks::Prompt(..), End::TimedOut { .. }) => {
                "a longer --question-timeout".to_owned()
            }
            (_, End::TimedOut { .. }) => "a longer --permission-timeout".to_owned(),
            (Asks::Permission(tool), _) => self.rule_for(tool),
            _ => "run at a terminal, or --answer-command".to_owned(),
        }
    }

    fn rule_for(&self, tool: &Tool) -> String {
        match remedy::rules(tool, &self.place) {
            rules if rules.is_empty() => "run at a terminal, or --answer-command".to_owned(),
            rules => {
                let flag = |rule: &String| format!("--allow {}", quoted(rule));
                rules.iter().map(flag).collect::<Vec<_>>().join(" ")
            }
        }
    }

    /// What was asked here is known better here: the agent's own account is left with what it denied unasked.
    pub(crate) fn settle(&self, account: &mut Account) {
        self.settled.iter().for_each(|tool_use| account.decided(tool_use));
    }

    pub(crate) fn questions(&self) -> Questions {
        self.questions
    }

    /// What nobody decided, each once.
    pub(crate) fn refused(&self) -> Vec<Refused> {
        let mut each: Vec<Refused> = Vec::new();
        for one in &self.refused {
            if !each.contains(one) {
                each.push(one.clone());
            }
        }
        each
    }
}

/// Whether it is one of the three kinds by which a stream agent asks.
fn is_input(question: &Question) -> bool {
    matches!(&question.asks, Asks::Prompt(PromptKind::Approval | PromptKind::Choice | PromptKind::Text, _))
}
