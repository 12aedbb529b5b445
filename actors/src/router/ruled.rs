//! What the rules in force decide about a question: those that were written, and those that were granted since.
//!
//! Deny rules are for everybody who asks through here; allow rules only for an agent of our own. Only permissions are
//! judged: no rule answers a question that an agent has for the person.

use codec::journal::Behalf;
use codec::json::{Json, Text};
use codec::tunnel::Scope;

use crate::answer::{Given, Saved, Verdict};
use crate::gate::{Decision, Judgement};
use crate::question::{Asks, Question};

use super::AskerId;
use super::event::Ruled;
use super::info::Asker;
use super::routing::Routing;

impl Routing {
    /// What a rule says about a question, if one does.
    pub(super) fn ruled(&self, asker: AskerId, question: &Question) -> Option<Ruled> {
        let Asks::Permission(tool) = &question.asks else { return None };
        self.askers.get(&asker)?;
        let Judgement { decision, rule, .. } = self.gate.judge(&tool.name.get(), &tool.input);
        // It goes on record, and to whoever asked.
        let rule = rule.map(|rule| (self.mask)(&rule));
        match decision {
            Decision::Allow if self.is_ours(asker, question) => Some(ruled(true, rule)),
            Decision::Deny => Some(ruled(false, rule)),
            Decision::Allow | Decision::Ask => None,
        }
    }

    /// Whether an agent of our own asks, and not somebody below it: our allow rules, and what is granted here, are for
    /// nobody else.
    pub(super) fn is_ours(&self, asker: AskerId, question: &Question) -> bool {
        question.claimed.is_none() && self.askers.get(&asker).is_some_and(Asker::is_for_our_agent)
    }

    /// The same for the record, and for whom.
    pub(super) fn behalf(&self, asker: AskerId, question: &Question) -> Option<Behalf> {
        let is_agents = self.agent_of(asker).is_some();
        self.is_ours(asker, question).then_some(if is_agents { Behalf::Agent } else { Behalf::Guest })
    }
}

/// The answer that a rule gives.
fn ruled(allow: bool, rule: Option<String>) -> Ruled {
    let reason = rule.as_ref().filter(|_| !allow).map(|rule| format!("Denied by the rule {rule}."));
    let value = Json::object(|out| {
        out.raw_member("\"allow\"", if allow { "true" } else { "false" });
        for (name, text) in [("\"rule\"", &rule), ("\"reason\"", &reason)] {
            if let Some(text) = text {
                out.raw_member(name, Text::new(text).raw());
            }
        }
    });
    let rules = rule.into_iter().collect();
    let verdict = Verdict { allow, scope: Scope::Once, rules, saved: Saved::Tim, reason };
    Ruled { value, given: Given::Verdict(verdict) }
}
