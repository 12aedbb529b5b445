//! What was allowed for longer than once: rules for the rest of the run, beside the written ones.
//!
//! Owns that a grant is for our own agents alone, that it does what whoever gave it expects, and that it answers at once
//! what waits. Deny rules win over it as over every allow rule. Saves nothing, and tells no agent of it: its own matching
//! may be wider than what the person saw.

use std::sync::Arc;

use codec::tunnel::Peer;

use crate::answer::Verdict;
use crate::gate::rules::Rule;
use crate::gate::{Decision, Judgement};
use crate::question::{Asks, Question};

use super::event::{Event, Said};
use super::order::Keeper;
use super::routing::Routing;
use super::{AskerId, Number};

/// How many rules may be granted in one run. No person gives so many; a program might.
const MOST_GRANTED: usize = 1_000;

impl Routing {
    /// Why an answer cannot stand, if it grants what would not even allow what was asked. A rule that does something else
    /// than the person expects is not kept.
    pub(super) fn misgranted(&self, number: Number, said: &Said) -> Option<String> {
        let Said::Answer(value) = said else { return None };
        let (asker, question, _) = self.ledger.look(number)?;
        let Asks::Permission(tool) = &question.asks else { return None };
        if !self.is_ours(asker, question) {
            return None;
        }
        // What is no verdict at all the ledger says.
        let rules = Verdict::read(value).ok()?.granted();
        if rules.is_empty() {
            return None;
        }
        let grown = self.gate.with(&rules);
        if grown.allowing() > self.run.gate.allowing().saturating_add(MOST_GRANTED) {
            return Some(format!("at most {MOST_GRANTED} rules can be granted in one run"));
        }
        let Judgement { decision, why, .. } = grown.judge(&tool.name.get(), &tool.input);
        (decision != Decision::Allow).then(|| format!("the rule would not allow this: {why}"))
    }

    /// Who keeps what is granted with an answer to this question.
    pub(super) fn keeper(&self, asker: AskerId, question: &Question) -> Keeper {
        let peer = self.askers.get(&asker).and_then(|known| known.peer);
        match (self.is_ours(asker, question), peer) {
            (true, Some(Peer::Bridge)) if self.agent_of(asker).is_none() => Keeper::ForGuest,
            (true, _) => Keeper::Here,
            (false, Some(Peer::Tim)) => Keeper::Below,
            (false, _) => Keeper::Nobody,
        }
    }

    /// Something is allowed from now on. What an agent further down was granted is kept by its owner.
    pub(super) fn granted(&mut self, now: u64, asker: AskerId, question: &Question, rules: &[Rule]) {
        if !self.is_ours(asker, question) {
            return;
        }
        self.gate = Arc::new(self.gate.with(rules));
        for number in self.ledger.numbers() {
            let open = self.ledger.look(number);
            let ruled = open.and_then(|(asker, question, _)| self.ruled(asker, question));
            if let Some(ruled) = ruled {
                self.step(now, Event::Ruled(number, ruled));
            }
        }
    }
}
