//! What the lines of a stream agent mean for its turns.
//!
//! Lines in, steps out; remembers nothing. A line that nobody understands is kept as what was
//! printed, unless it asks.

use codec::events::{Event, InputRequest, InputResponse, Said, ToolResult, ToolUseStart, Usage};
use codec::journal::Direction;
use codec::json::{Num, Text};
use codec::{Asked, Outcome};

use super::{Piece, Step, brief};

pub(super) fn steps(dir: Direction, line: &[u8]) -> Vec<Step> {
    match dir {
        Direction::From => match Event::read(line) {
            Ok(event) => heard(&event),
            Err(reject) if reject.asked.is_none() => vec![Step::Noise(brief::printed(line))],
            Err(reject) => misunderstood(reject.asked),
        },
        Direction::To => Said::read(line).map(|said| told(&said)).unwrap_or_default(),
    }
}

/// What the agent printed.
fn heard(event: &Event<'_>) -> Vec<Step> {
    let step = match event {
        Event::TextDelta(delta) => Step::Text(delta.text.get().into_owned(), Piece::More),
        Event::ToolUseStart(tool) => begun(tool),
        Event::ToolResult(result) => ended(result),
        Event::Usage(usage) => used(usage),
        Event::Error(error) => Step::Trouble(brief::line(&error.message.get())),
        Event::InputRequest(request) => asked(request),
        Event::Done(done) => Step::Over(if done.is_ok() { Ok(()) } else { Err(None) }),
        other => return misunderstood(other.misunderstood()),
    };
    vec![step]
}

/// A line that nobody understands, and that all the same asks: the agent waits for the response to it.
fn misunderstood(asked: Option<Asked>) -> Vec<Step> {
    let step = |asked: Asked| Step::Asked(asked.id, "(a question that could not be understood)".to_owned());
    asked.map(step).into_iter().collect()
}

fn begun(tool: &ToolUseStart<'_>) -> Step {
    let input = tool.input.as_ref().map(brief::input).unwrap_or_default();
    Step::Tool(id(tool.id.as_ref()), brief::line(&tool.name.get()), input)
}

fn ended(result: &ToolResult<'_>) -> Step {
    Step::ToolEnded(id(result.id.as_ref()), result.has_failed())
}

fn used(usage: &Usage<'_>) -> Step {
    let count = |number: &Option<Num<'_>>| number.as_ref().and_then(Num::as_u64).unwrap_or_default();
    Step::Usage(count(&usage.input_tokens), count(&usage.output_tokens))
}

fn asked(request: &InputRequest<'_>) -> Step {
    let words = request.prompt.as_ref().map(|prompt| brief::line(&prompt.get())).unwrap_or_default();
    Step::Asked(request.request_id.clone(), brief::or_nothing_said(words))
}

fn id(text: Option<&Text<'_>>) -> Option<String> {
    text.map(|text| text.get().into_owned())
}

/// What the agent was told.
fn told(said: &Said<'_>) -> Vec<Step> {
    match said {
        Said::User(user) => vec![Step::Said(user.text.get().into_owned())],
        Said::InputResponse(reply) if reply.is_reject() => {
            vec![Step::Replied(reply.request_id.clone(), replied(reply)), Step::Rejected]
        }
        Said::InputResponse(reply) => vec![Step::Replied(reply.request_id.clone(), replied(reply))],
        Said::Cancel(_) => vec![Step::Stopped],
        _ => Vec::new(),
    }
}

fn replied(reply: &InputResponse<'_>) -> String {
    match reply.outcome {
        Outcome::Answered if reply.is_reject() => "rejected".to_owned(),
        Outcome::Answered => format!("answered: {}", brief::answer(&reply.response)),
        other => brief::outcome(other),
    }
}
