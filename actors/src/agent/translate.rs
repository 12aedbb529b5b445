//! Claude's control lines ↔ questions and their ends, and the words that the agent is told. Pure.
//!
//! Whatever the agent requests gets an answer: it would wait for ever. What is not a clear yes is a no, with a reason
//! that a model can act upon.

use codec::claude::{
    Assistant, Block, CanUseTool, Content, ControlBody, ControlRequest, Decision, Output, System,
    TaskStarted, UserMessage, control_error, control_success,
};
use codec::json::{IntoOwned as _, Json, Object, Text};
use codec::tunnel::{AnswerSource, CancelReason};
use codec::{Asked, Awaits};

use crate::answer::{Given, Verdict};
use crate::dialect::{Heard, ToolUse, turned_away};
use crate::end::{End, Refusal};
use crate::question::{Ask, Asks, EXIT_PLAN_MODE, Question, Tool};

/// What a line of Claude's stdout asks of a person, if anything.
#[must_use]
pub(crate) fn hear(line: &[u8]) -> Heard {
    let output = match Output::read(line) {
        Ok(output) => output,
        // What is no line of its language is still something that it said.
        Err(reject) if reject.asked.is_none() => return Heard::Report,
        Err(reject) => return turned_away(reject),
    };
    if let Some(asked) = output.misunderstood() {
        return Heard::Misask(asked, NOT_UNDERSTOOD.to_owned());
    }
    match output {
        Output::ControlRequest(request) => hear_request(request),
        Output::ControlCancel(cancel) => Heard::Withdraw(cancel.request_id, CancelReason::Cancelled),
        Output::System(System::TaskStarted(started)) => {
            let ids = [Some(&started.task_id), started.tool_use_id.as_ref()];
            let ids = ids.into_iter().flatten().map(|id| id.get().into_owned()).collect();
            name_of(&started).map_or(Heard::Report, |name| Heard::Task(ids, name))
        }
        Output::Assistant(said) => match uses(&said) {
            uses if uses.is_empty() => Heard::Report,
            uses => Heard::Uses(uses),
        },
        Output::Stream(_) => Heard::Piece,
        _ => Heard::Report,
    }
}

/// The tools that it is about to use, where a question about one will leave something out.
fn uses(said: &Assistant<'_>) -> Vec<ToolUse> {
    let within = said.parent_tool_use_id.as_ref().map(|id| id.get().into_owned());
    let Content::Blocks(blocks) = &said.message.content else { return Vec::new() };
    let of = |block: &Block<'_>| match block {
        Block::ToolUse(used) => {
            let plan = used.name.is(EXIT_PLAN_MODE).then(|| plan_in(&used.input)).flatten();
            let id = used.id.get().into_owned();
            (within.is_some() || plan.is_some()).then(|| ToolUse { id, within: within.clone(), plan })
        }
        _ => None,
    };
    blocks.iter().filter_map(of).collect()
}

/// The plan in the input of the tool.
pub(crate) fn plan_in(input: &Json<'_>) -> Option<String> {
    let input = Object::read(input.clone()).ok()?;
    let plan = input.peek("plan")?.as_text()?.get().into_owned();
    Some(plan).filter(|plan| !plan.trim().is_empty())
}

/// What a person calls a task: `Explore "find callers"`.
#[must_use]
pub(crate) fn name_of(started: &TaskStarted<'_>) -> Option<String> {
    let text = |text: &Option<Text<'_>>| {
        text.as_ref().map(|text| text.get().trim().to_owned()).filter(|text| !text.is_empty())
    };
    match (text(&started.subagent_type), text(&started.description)) {
        (Some(kind), Some(about)) => Some(format!("{kind} \"{about}\"")),
        (kind, about) => about.or(kind),
    }
}

/// The line that carries what a person typed, and what goes with it.
#[must_use]
pub(crate) fn typed(text: &str, images: &[Block<'static>], uuid: &str) -> String {
    match images {
        [] => UserMessage::text(text, uuid).to_line(),
        images => UserMessage::blocks(text, images.to_vec(), uuid).to_line(),
    }
}

const NOT_UNDERSTOOD: &str = "tim does not know this request";

fn hear_request(request: ControlRequest<'_>) -> Heard {
    let asked = Asked { id: request.request_id, awaits: Awaits::Control };
    match request.request {
        ControlBody::CanUseTool(wanted) => ask_tool(asked, wanted.into_owned()),
        _ => Heard::Misask(asked, NOT_UNDERSTOOD.to_owned()),
    }
}

fn ask_tool(asked: Asked, wanted: CanUseTool<'static>) -> Heard {
    let tool = Tool {
        suggestions: wanted.permission_suggestions.as_ref().map(Json::written),
        name: wanted.tool_name,
        input: wanted.input,
        tool_use_id: wanted.tool_use_id,
        reason: wanted.decision_reason,
        agent_id: wanted.agent_id,
        agent_name: None,
        plan: None,
    };
    match tool.asks() {
        Ok(asks) => Heard::Ask(Ask::new(asked.id, asked.awaits, asks, None)),
        Err(wrong) => Heard::Misask(asked, wrong.to_string()),
    }
}

/// The line by which Claude hears of the end. It hears nothing of what it took back itself.
#[must_use]
pub(crate) fn reply(asked: &Asked, question: Option<&Question>, end: &End) -> Option<String> {
    let decision = match (end, question) {
        (End::Cancelled { .. }, _) => return None,
        // What was no question has no tool to deny; an error is the reply to any request.
        (End::Refused(Refusal::Invalid(why)), None) => return Some(control_error(&asked.id, why)),
        (_, None) => return Some(control_error(&asked.id, &words(end))),
        (_, Some(question)) => decide(question, end),
    };
    Some(control_success(&asked.id, &decision))
}

/// The line by which Claude may do what it wanted, although nobody said so: the user had allowed that beforehand.
#[must_use]
pub(crate) fn allowed_by_time(asked: &Asked, question: &Question) -> Option<String> {
    let Asks::Permission(tool) = &question.asks else { return None };
    if tool.is_plan() {
        return None;
    }
    Some(control_success(&asked.id, &Decision::allow(tool.input.clone())))
}

/// What becomes of a tool. Only a clear yes to this very question lets it run, with the input that was asked about.
#[must_use]
pub(crate) fn decide(question: &Question, end: &End) -> Decision<'static> {
    let input = match end {
        End::Answered { given: Given::Verdict(Verdict { allow: true, .. }), .. } => {
            question.tool().map(|tool| tool.input.clone())
        }
        End::Answered { given: Given::Answers(answers), .. } => question.answered_input(answers),
        _ => None,
    };
    input.map_or_else(|| Decision::deny(&words(end)), Decision::allow)
}

/// What the model is told when it may not do what it wanted.
#[must_use]
pub(crate) fn words(end: &End) -> String {
    match end {
        End::Answered { given: Given::Verdict(Verdict { reason: Some(reason), .. }), .. }
            if !reason.trim().is_empty() =>
        {
            reason.clone()
        }
        End::Answered { source, .. } => denied_by(*source).to_owned(),
        End::Declined => {
            "The person declined to answer this. Do not ask the same again; go on without it, or say \
            what you would need."
                .to_owned()
        }
        End::TimedOut { after_ms, .. } => {
            format!("Nobody answered within {}, so this was not allowed.", seconds(*after_ms))
        }
        End::Disconnected => {
            "The connection to the person who could answer was lost, so this was not allowed.".to_owned()
        }
        End::Cancelled { .. } => "This was withdrawn.".to_owned(),
        End::Refused(refusal) => refused(refusal),
    }
}

/// A model should not take a rule for somebody who could be asked again.
const fn denied_by(source: AnswerSource) -> &'static str {
    match source {
        AnswerSource::Rule => "A rule forbids this.",
        AnswerSource::Command => "The program that answers for the person said no to this.",
        _ => "The person said no to this.",
    }
}

const HOW_TO_CHANGE: &str =
    "It can be allowed beforehand with a rule (--allow), or answered by a program (--answer-command).";

fn refused(refusal: &Refusal) -> String {
    match refusal {
        Refusal::NoDesk => {
            format!(
                "No one can answer here, so this was not allowed: tim runs without a terminal. {HOW_TO_CHANGE}"
            )
        }
        Refusal::GivenBack(why) => {
            format!("No one could answer this, so it was not allowed: {why}. {HOW_TO_CHANGE}")
        }
        other => format!("This was not allowed: {other}."),
    }
}

fn seconds(ms: u64) -> String {
    if ms.is_multiple_of(1_000) { format!("{} s", ms / 1_000) } else { format!("{ms} ms") }
}

#[cfg(test)]
mod tests;
