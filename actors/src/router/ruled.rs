//! What the written rules decide about a question, before any desk sees it.
//!
//! Deny rules are for everybody who asks through here; allow rules only for an agent of our own. Only permissions are
//! judged: no rule answers a question that an agent has for the person.

use codec::json::{Json, Text};
use codec::tunnel::Scope;

use crate::answer::{Given, Verdict};
use crate::gate::{Decision, Judgement};
use crate::question::{Asks, Question};

use super::AskerId;
use super::event::Ruled;
use super::routing::Routing;

impl Routing {
    /// What a rule says about a question, if one does.
    pub(super) fn ruled(&self, asker: AskerId, question: &Question) -> Option<Ruled> {
        let Asks::Permission(tool) = &question.asks else { return None };
        let known = self.askers.get(&asker)?;
        let is_ours = known.is_for_our_agent() && question.claimed.is_none();
        let Judgement { decision, rule, .. } = self.run.gate.judge(&tool.name.get(), &tool.input);
        match decision {
            Decision::Allow if is_ours => Some(ruled(true, rule)),
            Decision::Deny => Some(ruled(false, rule)),
            Decision::Allow | Decision::Ask => None,
        }
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
    Ruled { value, given: Given::Verdict(Verdict { allow, scope: Scope::Once, rule, reason }) }
}
