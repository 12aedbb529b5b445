//! What is said in the simulation, and how it is understood.

use codec::Outcome;
use codec::claude::{Decision, Input};
use codec::json::{Json, Object};
use codec::tunnel::{Down, PromptKind};

use crate::question::{Asks, Question};

/// What somebody hears, in a word.
pub(super) const SHOWN: &str = "shown";
pub(super) const TYPED: &str = "typed";
pub(super) const WELCOME: &str = "welcome";

/// An agent only hears whether it may.
pub(super) fn told(outcome: Outcome, is_agent: bool) -> &'static str {
    if is_agent && outcome != Outcome::Answered { Outcome::Refused.word() } else { outcome.word() }
}

pub(super) fn understood(line: &str) -> (String, &'static str) {
    if let Ok(Input::ControlResponse(reply)) = Input::read(line.as_bytes()) {
        let response = reply.response.response.clone().and_then(|json| Object::read(json).ok());
        let allows =
            response.is_some_and(|object| matches!(Decision::from_object(object), Decision::Allow(_)));
        let outcome = if allows { Outcome::Answered } else { Outcome::Refused };
        return (reply.response.request_id.get(), outcome.word());
    }
    if let Ok(Input::User(user)) = Input::read(line.as_bytes()) {
        let codec::claude::Content::Text(text) = user.message.content else { panic!("{line}") };
        return (text.get().into_owned(), TYPED);
    }
    match Down::read(line.as_bytes()).unwrap() {
        Down::Response(response) => (response.request_id.get(), response.ended().word()),
        Down::Permission(response) => (response.request_id.get(), response.outcome.unwrap().word()),
        Down::Shown(shown) => (shown.request_id.get(), SHOWN),
        Down::UserInput(input) => (input.content.get().into_owned(), TYPED),
        Down::Welcome(welcome) => (welcome.path.to_string(), WELCOME),
        other => panic!("not a reply: {other:?}"),
    }
}

/// An agent would like to write a file.
pub(super) fn agent_line(id: &str, file: &str) -> String {
    let request = format!(
        r#"{{"subtype":"can_use_tool","tool_name":"Write","input":{{"file_path":"{file}"}},"tool_use_id":"t"}}"#
    );
    format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#)
}

pub(super) fn client_line(id: &str, timeout: Option<u64>, kind: u64) -> String {
    match kind {
        0 => {
            let timeout = timeout.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
            format!(
                r#"{{"type":"permission_request","requestId":"{id}","tool_name":"Bash","input":{{"command":"echo"}}{timeout}}}"#
            )
        }
        1 => envelope(id, r#""confirm","promptConfig":{"message":"?"}"#, timeout),
        2 => envelope(
            id,
            r#""select","promptConfig":{"message":"?","choices":[{"name":"a","value":1},{"name":"b","value":"b"}]}"#,
            timeout,
        ),
        _ => envelope(id, r#""input","promptConfig":{"message":"?"}"#, timeout),
    }
}

pub(super) fn envelope(id: &str, rest: &str, timeout: Option<u64>) -> String {
    let timeout = timeout.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":{rest}{timeout}}}}}"#
    )
}

/// The file that an agent writes where things are granted: one for each id, so that a grant answers some questions and
/// not others.
pub(super) fn file_of(id: &str) -> String {
    format!("/proj/app/{id}")
}

/// An answer that allows this for the rest of the run, and the id of the questions that it allows if it is kept.
pub(super) fn granting(question: &Question) -> Option<(Json<'static>, String)> {
    let Asks::Permission(tool) = &question.asks else { return None };
    let file = tool.input.raw().split('"').nth(3)?.to_owned();
    let id = file.strip_prefix("/proj/app/").unwrap_or_default().to_owned();
    let rule = if id.is_empty() { "Bash(echo:*)".to_owned() } else { format!("Edit({id})") };
    let answer = format!(r#"{{"allow":true,"scope":"session","rule":"{rule}"}}"#);
    Some((Json::parse(&answer).unwrap().into_owned(), id))
}

pub(super) fn fitting(question: &Question) -> Json<'static> {
    let text = match &question.asks {
        Asks::Permission(_) => r#"{"allow":true}"#,
        Asks::Prompt(PromptKind::Confirm, _) => "false",
        Asks::Prompt(PromptKind::Select, _) => "\"b\"",
        _ => "\"some words\"",
    };
    Json::parse(text).unwrap()
}
