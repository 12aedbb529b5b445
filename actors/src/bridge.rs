//! The permission bridge: what a call of the permission tool asks, and what Claude Code is told of the answer. Pure.
//!
//! Both routes, this one and the agent's own pipes, tell the model the same words. What is not a clear yes is a no with a
//! reason, and a yes carries the input that was asked about: what comes back from elsewhere never changes it.

use codec::claude::{ApprovalCall, Decision};
use codec::json::{Field as _, IntoOwned as _, Json};
use codec::tunnel::AnswerSource;

use crate::agent::translate::{decide, words};
use crate::answer;
use crate::ask::NotAnswered;
use crate::end::{End, Refusal};
use crate::question::{Question, Tool};

/// What a call asks, by its arguments. Why not, if they ask nothing that a person could decide.
pub fn question(arguments: Json<'_>) -> Result<Question, String> {
    let call = ApprovalCall::read(arguments).map_err(|wrong| wrong.to_string())?.into_owned();
    let tool = Tool {
        name: call.tool_name,
        input: call.input,
        tool_use_id: call.tool_use_id,
        reason: None,
        agent_id: None,
        agent_name: None,
        suggestions: None,
        plan: None,
    };
    let asks = tool.asks().map_err(|wrong| wrong.to_string())?;
    Ok(Question { asks, timeout_ms: None, claimed: None })
}

/// What Claude Code is told.
#[must_use]
pub fn decision(question: &Question, said: Result<Json<'static>, NotAnswered>) -> Decision<'static> {
    decide(question, &end(question, said))
}

/// A call that asks nothing: denied, and why.
#[must_use]
pub fn misasked(why: String) -> Decision<'static> {
    Decision::deny(&words(&End::Refused(Refusal::Invalid(why))))
}

/// A call that nobody waits for any more.
#[must_use]
pub fn withdrawn() -> Decision<'static> {
    Decision::deny(&words(&End::Cancelled { gone: false }))
}

/// A call that was lost by a failure of our own.
#[must_use]
pub fn lost() -> Decision<'static> {
    Decision::deny(&words(&End::Refused(Refusal::Internal)))
}

fn end(question: &Question, said: Result<Json<'static>, NotAnswered>) -> End {
    match said {
        Ok(value) => match answer::check(question, &value) {
            Ok(given) => End::Answered { value, given, source: AnswerSource::Parent },
            Err(wrong) => End::Refused(Refusal::GivenBack(format!("The answer does not fit: {wrong}"))),
        },
        Err(NotAnswered::TimedOut { after }) => {
            End::TimedOut { after_ms: u64::try_from(after.as_millis()).unwrap_or(u64::MAX), shown: false }
        }
        Err(NotAnswered::Disconnected) => End::Disconnected,
        Err(NotAnswered::Declined) => End::Declined,
        Err(NotAnswered::Refused(why)) if why == Refusal::NoDesk.to_string() => End::Refused(Refusal::NoDesk),
        Err(NotAnswered::Refused(why)) => End::Refused(Refusal::GivenBack(why)),
        Err(NotAnswered::Invalid(why)) => End::Refused(Refusal::Invalid(why)),
    }
}

#[cfg(test)]
mod tests;
