//! Permissions travel as permissions, so that the root can show them whole and without an affirmative default.

use crate::id::RequestId;
use crate::json::{Fault, Json, Kind, Num, Text, Wrong, record, words};
use crate::limits::Limits;
use crate::outcome::Outcome;

use super::prompt::{check_id, check_text, check_timeout, whole_ms};

words! {
    /// How long a permission holds.
    Scope {
        Once = "once",
        Session = "session",
        Always = "always",
    }
}

record! {
    /// child → parent: may this tool run?
    struct PermissionRequest {
        request_id: RequestId = "requestId",
        tool_name: Text<'a> = "tool_name",
        /// what the tool would be given, untouched
        input: Json<'a> = "input",
    }
    optional {
        tool_use_id: Text<'a> = "tool_use_id",
        agent_id: Text<'a> = "agent_id",
        agent_name: Text<'a> = "agent_name",
        reason: Text<'a> = "reason",
        suggestions: Json<'a> = "suggestions",
        /// the plan that it is about, where the input itself does not hold it
        plan: Text<'a> = "plan",
        timeout: Num<'a> = "timeoutMs",
    }

    /// parent → child: what was decided.
    struct PermissionResponse {
        request_id: RequestId = "requestId",
        approved: bool = "approved",
    }
    optional {
        /// only with the answers of a question; the owner of a request puts its own input back
        updated_input: Json<'a> = "updatedInput",
        /// the same answers by number, one for each question: two questions may have the same text
        answers: Json<'a> = "answers",
        outcome: Outcome = "outcome",
        message: Text<'a> = "message",
        /// why it was refused, in one word
        reason: Text<'a> = "reason",
        grant: Grant<'a> = "grant",
    }

    /// Rules that go with a permission; they are kept by the agent's owner.
    struct Grant {
        /// the rule; of several the first
        rule: Text<'a> = "rule",
        scope: Scope = "scope",
    }
    optional {
        /// all of them, where there are several: each part of a command needs one
        rules: Vec<Text<'a>> = "rules",
    }
}

impl PermissionResponse<'_> {
    /// Whether the tool may run. A response that says yes and also that nobody decided says no.
    #[must_use]
    pub const fn granted(&self) -> bool {
        self.approved && matches!(self.outcome, None | Some(Outcome::Answered))
    }
}

impl PermissionRequest<'_> {
    /// How long the request may wait, if it says so. Checked to be in range.
    #[must_use]
    pub fn timeout_ms(&self) -> Option<u64> {
        self.timeout.as_ref().map(whole_ms)
    }

    /// Whether the request can be shown and decided.
    pub(crate) fn check(&self, limits: &Limits) -> Result<(), Wrong> {
        check_id(&self.request_id, limits)?;
        check_timeout(self.timeout.as_ref(), limits)?;
        if self.request_id.is_empty() || self.tool_name.is_empty() {
            let name = if self.tool_name.is_empty() { "tool_name" } else { "requestId" };
            return Err(Wrong::new(name, Fault::NotA { expected: "a text that says something" }));
        }
        check_text("tool_name", Some(&self.tool_name), limits)?;
        check_text("agent_name", self.agent_name.as_ref(), limits)?;
        check_text("reason", self.reason.as_ref(), limits)?;
        check_text("plan", self.plan.as_ref(), limits)?;
        match self.input.kind() {
            Kind::Object => Ok(()),
            _ => Err(Wrong::new("input", Fault::NotA { expected: "an object" })),
        }
    }
}
