//! Lines of a tunnel ↔ questions and their ends. Pure.
//!
//! Understands clients of the original as well as ours: what ours get beside it, the original's ignore.

use codec::id::{Path, RequestId};
use codec::json::{IntoOwned as _, Json, NotNull, Object, Text, Written as _};
use codec::limits::Limits;
use codec::tunnel::{
    Down, Grant, Hello, PermissionRequest, PermissionResponse, PromptRequest, PromptResponse, PromptShown,
    Role, Up, UserInput, Welcome,
};
use codec::{Asked, Awaits};

use crate::answer::{Given, Verdict};
use crate::dialect::{Heard, turned_away};
use crate::end::End;
use crate::question::{Ask, Asks, Question, Tool};

/// The version of what is said beyond the original.
pub(crate) const VERSION: u64 = 1;

/// Where a question that is passed on says who asks it.
pub(crate) const PATH: &str = "path";

/// What a line of a client says.
#[must_use]
pub(crate) fn hear(line: &[u8], limits: &Limits) -> Heard {
    match Up::read(line, limits) {
        Ok(Up::Prompt(request, _)) => ask_prompt(request),
        Ok(Up::Permission(request)) => ask_permission(request),
        Ok(Up::Cancel(cancel)) => Heard::Withdraw(cancel.request_id, cancel.reason),
        Ok(Up::Hello(hello)) => hear_hello(&hello),
        Ok(Up::Receipt(receipt)) => Heard::Receipt(receipt.into_owned()),
        Ok(_) => Heard::Report,
        Err(reject) => turned_away(reject),
    }
}

/// Whoever speaks a later version hears in the welcome that we do not.
fn hear_hello(hello: &Hello<'_>) -> Heard {
    if hello.tim < VERSION {
        return Heard::Noise(format!("a greeting of version {}, this program speaks {VERSION}", hello.tim));
    }
    let peer = hello.peer();
    let label = hello.label.as_ref().map(|label| label.get().into_owned());
    Heard::Hello(peer, label.unwrap_or_else(|| peer.word().to_owned()))
}

fn ask_prompt(request: PromptRequest<'_>) -> Heard {
    let (timeout_ms, claimed) = (request.timeout_ms(), claimed(&request.extras));
    let PromptRequest { request_id, prompt_type, config, .. } = request.into_owned();
    let ask = Ask::new(request_id, Awaits::Prompt, Asks::Prompt(prompt_type, config), timeout_ms);
    Heard::Ask(ask.claimed(claimed))
}

/// Who asks further down, if the one who passes it on says so.
fn claimed(beside: &Object<'_>) -> Option<Path> {
    Path::new(&beside.peek(PATH)?.as_text()?.get())
}

fn ask_permission(request: PermissionRequest<'_>) -> Heard {
    let (timeout_ms, claimed) = (request.timeout_ms(), claimed(&request.extras));
    let request = request.into_owned();
    let id = request.request_id;
    let tool = Tool {
        name: request.tool_name,
        input: request.input,
        tool_use_id: request.tool_use_id,
        reason: request.reason,
        agent_id: request.agent_id,
        agent_name: request.agent_name,
        suggestions: request.suggestions,
        plan: request.plan,
    };
    match tool.asks() {
        Ok(asks) => Heard::Ask(Ask::new(id, Awaits::Permission, asks, timeout_ms).claimed(claimed)),
        Err(wrong) => Heard::Misask(Asked { id, awaits: Awaits::Permission }, wrong.to_string()),
    }
}

/// The line by which a client hears of the end of its question.
#[must_use]
pub(crate) fn reply(asked: &Asked, question: Option<&Question>, end: &End) -> String {
    match asked.awaits {
        Awaits::Permission => Down::Permission(permission_response(&asked.id, question, end)).to_line(),
        _ => Down::Response(prompt_response(&asked.id, end)).to_line(),
    }
}

/// The line by which the bridge of an agent of ours hears that the tool may run, although nobody said so: the user had
/// allowed that beforehand.
#[must_use]
pub(crate) fn allowed_by_time(asked: &Asked, question: &Question) -> Option<String> {
    matches!(&question.asks, Asks::Permission(tool) if !tool.is_plan()).then(|| {
        let mut response = PermissionResponse::of(asked.id.clone(), true);
        response.message = Some(Text::new("nobody answered in time, and that was allowed beforehand"));
        Down::Permission(response).to_line()
    })
}

fn prompt_response(id: &RequestId, end: &End) -> PromptResponse<'static> {
    match end {
        End::Answered { value, .. } => PromptResponse::answered(id.clone(), value.clone()),
        _ => PromptResponse {
            reason: end.refusal().map(Text::new),
            ..PromptResponse::unanswered(id.clone(), end.outcome(), &end.told())
        },
    }
}

fn permission_response(
    id: &RequestId,
    question: Option<&Question>,
    end: &End,
) -> PermissionResponse<'static> {
    let decided = match end {
        End::Answered { given: Given::Verdict(verdict), .. } => verdict_response(id, verdict),
        End::Answered { given: Given::Answers(answers), .. } => answers_response(id, question, answers),
        _ => PermissionResponse {
            message: Some(Text::new(&end.told())),
            reason: end.refusal().map(Text::new),
            ..PermissionResponse::of(id.clone(), false)
        },
    };
    PermissionResponse { outcome: Some(end.outcome()), ..decided }
}

fn verdict_response(id: &RequestId, verdict: &Verdict) -> PermissionResponse<'static> {
    PermissionResponse {
        message: verdict.reason.as_deref().map(Text::new),
        grant: grant(verdict),
        ..PermissionResponse::of(id.clone(), verdict.allow)
    }
}

/// What the owner of the agent keeps: the first rule, and all of them where there are several.
fn grant(verdict: &Verdict) -> Option<Grant<'static>> {
    let first = verdict.rules.first().filter(|_| verdict.is_grant())?;
    let all = || verdict.rules.iter().map(|rule| Text::new(rule)).collect();
    Some(Grant { rules: (verdict.rules.len() > 1).then(all), ..Grant::of(Text::new(first), verdict.scope) })
}

fn answers_response(
    id: &RequestId,
    question: Option<&Question>,
    answers: &[codec::claude::Answer],
) -> PermissionResponse<'static> {
    let input = question.and_then(|question| question.answered_input(answers));
    let numbered = input.as_ref().map(|_| by_number(answers));
    PermissionResponse {
        answers: numbered,
        updated_input: input.clone(),
        ..PermissionResponse::of(id.clone(), input.is_some())
    }
}

/// The answers as a tim further down takes them: under their texts two questions may be one.
fn by_number(answers: &[codec::claude::Answer]) -> Json<'static> {
    let each: Vec<Json<'static>> = answers
        .iter()
        .map(|answer| {
            Json::object(|out| {
                out.member("options", |to| Json::of(&answer.options).write(to));
                if let Some(text) = &answer.text {
                    out.member("text", |to| Text::new(text).write(to));
                }
            })
        })
        .collect();
    Json::written(&each)
}

/// The line by which a client hears that somebody sees its question.
#[must_use]
pub(crate) fn shown(asked: &Asked) -> String {
    Down::Shown(PromptShown::of(asked.id.clone())).to_line()
}

/// The line that carries what a person typed.
#[must_use]
pub(crate) fn typed(text: &str, to: Option<&Path>, input_id: Option<&str>) -> String {
    let input_id = input_id.map(|id| NotNull(Text::new(id)));
    let to = to.cloned().map(NotNull);
    Down::UserInput(UserInput { to, input_id, ..UserInput::of(Text::new(text)) }).to_line()
}

/// The line by which a client that said hello hears that it was understood.
#[must_use]
pub(crate) fn welcome(role: Role, path: Path, desk: bool) -> String {
    Down::Welcome(Welcome::of(VERSION, role, path, desk)).to_line()
}
