//! What the lines of Claude Code mean for its turns.
//!
//! Lines in, steps out; remembers nothing. Subagents are the business of the tool that started them: their lines mean
//! nothing here, nor do pieces of messages, which come again whole.

use codec::claude::{
    Block, CanUseTool, Content, ControlBody, ControlReply, Decision, Input, Output, RunResult, System,
    answers_in,
};
use codec::journal::Direction;
use codec::json::{Field as _, Num, Object, Text};

use super::open::INTERRUPTED;
use super::{Piece, Step, brief};
use crate::agent::session::may_be_result;
use crate::agent::verdict;

const UNREADABLE: &str = "its result could not be understood";

pub(super) fn steps(dir: Direction, line: &[u8]) -> Vec<Step> {
    match dir {
        Direction::From => match Output::read(line) {
            Ok(output) => heard(&output),
            // It may be too deep to be read, and the turn is over all the same.
            Err(_) if may_be_result(line) => vec![unreadable()],
            Err(_) => vec![Step::Noise(brief::printed(line))],
        },
        Direction::To => Input::read(line).map(|input| told(&input)).unwrap_or_default(),
    }
}

fn unreadable() -> Step {
    Step::Over(Err(Some(UNREADABLE.to_owned())))
}

/// What Claude Code printed.
fn heard(output: &Output<'_>) -> Vec<Step> {
    match output {
        Output::System(System::Init(_)) => vec![Step::Begins],
        Output::Assistant(line) if line.parent_tool_use_id.is_none() => {
            // What went wrong stands there as words of the model.
            let trouble = line.error.as_ref().map(|error| Step::Trouble(brief::line(&error.get())));
            said(&line.message.content).into_iter().chain(trouble).collect()
        }
        Output::User(line) if line.parent_tool_use_id.is_none() => gave(&line.message.content),
        Output::ControlRequest(request) => match &request.request {
            ControlBody::CanUseTool(tool) => vec![Step::Asked(request.request_id.clone(), asked(tool))],
            _ => Vec::new(),
        },
        Output::ControlCancel(cancel) => {
            vec![Step::Replied(cancel.request_id.clone(), brief::outcome(codec::Outcome::Cancelled))]
        }
        Output::Result(result) => vec![used(result), Some(over(result))].into_iter().flatten().collect(),
        Output::Unknown(line) if line.kind() == "result" => vec![unreadable()],
        _ => Vec::new(),
    }
}

fn said(content: &Content<'_>) -> Vec<Step> {
    let whole = |text: &Text<'_>| Step::Text(text.get().into_owned(), Piece::Whole);
    let blocks = match content {
        Content::Text(text) => return vec![whole(text)],
        Content::Blocks(blocks) => blocks.iter(),
    };
    let steps = blocks.filter_map(|block| match block {
        Block::Text(block) => Some(whole(&block.text)),
        Block::ToolUse(tool) => {
            let (id, name) = (tool.id.get().into_owned(), brief::line(&tool.name.get()));
            Some(Step::Tool(Some(id), name, brief::input(&tool.input)))
        }
        _ => None,
    });
    std::iter::once(Step::Begins).chain(steps).collect()
}

fn gave(content: &Content<'_>) -> Vec<Step> {
    let Content::Blocks(blocks) = content else { return Vec::new() };
    let results = blocks.iter().filter_map(|block| match block {
        Block::ToolResult(result) => {
            Some(Step::ToolEnded(Some(result.tool_use_id.get().into_owned()), result.is_error == Some(true)))
        }
        _ => None,
    });
    results.collect()
}

fn asked(tool: &CanUseTool<'_>) -> String {
    brief::permission(&tool.tool_name.get(), &tool.input)
}

fn used(result: &RunResult<'_>) -> Option<Step> {
    let count = |usage: &Object<'_>, name: &str| {
        let number = usage.peek(name).cloned().and_then(|json| Num::read(json).ok());
        number.and_then(|number| number.as_u64())
    };
    let usage = result.usage.as_ref()?;
    let (input, output) = (count(usage, "input_tokens"), count(usage, "output_tokens"));
    (input.is_some() || output.is_some())
        .then(|| Step::Usage(input.unwrap_or_default(), output.unwrap_or_default()))
}

fn over(result: &RunResult<'_>) -> Step {
    if result.succeeded() {
        return Step::Over(Ok(()));
    }
    let words = verdict::trouble(result);
    let words = if words == verdict::INTERRUPTED { INTERRUPTED.to_owned() } else { brief::line(&words) };
    Step::Over(Err(Some(words)))
}

/// What Claude Code was told.
fn told(input: &Input<'_>) -> Vec<Step> {
    match input {
        Input::User(user) => vec![Step::Said(user.message.content.text())],
        Input::ControlResponse(reply) => {
            vec![Step::Replied(reply.response.request_id.clone(), decided(&reply.response))]
        }
        _ => Vec::new(),
    }
}

fn decided(reply: &ControlReply<'_>) -> String {
    let response = reply.response.clone().filter(|_| reply.is_success());
    let decision = response.and_then(|json| Object::read(json).ok()).map(Decision::from_object);
    match decision {
        Some(Decision::Allow(allow)) => {
            // A question is allowed with its answers in it.
            let answered = allow.updated_input.filter(|input| !answers_in(input).is_empty());
            answered
                .map_or_else(|| "allowed".to_owned(), |input| format!("answered: {}", brief::answer(&input)))
        }
        Some(Decision::Deny(_)) => "denied".to_owned(),
        _ => "refused".to_owned(),
    }
}
