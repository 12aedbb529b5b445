//! The lines of the demo's agent, as Claude Code 2.1.325 writes them to its stdout. Pure.
//!
//! Owns their form and nothing of what they say. No line has a session: there is no conversation to go on with.

use codec::id::RequestId;
use codec::json::{Json, Text};

/// A text as JSON.
fn quoted(text: &str) -> String {
    Text::new(text).raw().to_owned()
}

fn list(texts: &[String]) -> String {
    format!("[{}]", texts.iter().map(|text| quoted(text)).collect::<Vec<_>>().join(","))
}

/// A turn begins.
pub(super) fn init() -> String {
    r#"{"type":"system","subtype":"init","model":"demo: a script, no model","tools":["Bash","Read"],"mcp_servers":[],"permissionMode":"default","apiKeySource":"none","output_style":"default"}"#.to_owned()
}

/// What became of a message of the person.
pub(super) fn lifecycle(uuid: &str, state: &str) -> String {
    let (uuid, state) = (quoted(uuid), quoted(state));
    format!(r#"{{"type":"command_lifecycle","command_uuid":{uuid},"state":{state}}}"#)
}

/// A message of the model begins, and its one block of text.
pub(super) fn text_begins(message: &str) -> [String; 2] {
    let message = quoted(message);
    [
        event(&format!(
            r#"{{"type":"message_start","message":{{"id":{message},"type":"message","role":"assistant","content":[]}}}}"#
        )),
        event(r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#),
    ]
}

/// A piece of that text.
pub(super) fn text_goes_on(piece: &str) -> String {
    let piece = quoted(piece);
    event(&format!(
        r#"{{"type":"content_block_delta","index":0,"delta":{{"type":"text_delta","text":{piece}}}}}"#
    ))
}

/// The text is over, and its message.
pub(super) fn text_ends() -> [String; 2] {
    [event(r#"{"type":"content_block_stop","index":0}"#), event(r#"{"type":"message_stop"}"#)]
}

fn event(event: &str) -> String {
    format!(r#"{{"type":"stream_event","event":{event},"parent_tool_use_id":null}}"#)
}

/// The whole of a text.
pub(super) fn said(message: &str, text: &str) -> String {
    let text = quoted(text);
    assistant(message, &format!(r#"{{"type":"text","text":{text}}}"#))
}

fn assistant(message: &str, block: &str) -> String {
    let message = quoted(message);
    format!(
        r#"{{"type":"assistant","message":{{"id":{message},"type":"message","role":"assistant","model":"demo","content":[{block}],"stop_reason":null}},"parent_tool_use_id":null}}"#
    )
}

/// A use of a tool.
#[derive(Debug, Clone)]
pub(super) struct Use {
    pub(super) id: String,
    pub(super) name: &'static str,
    /// what it is given
    pub(super) input: Json<'static>,
}

impl Use {
    /// A command of the shell.
    pub(super) fn bash(id: String, command: &str, is_background: bool) -> Self {
        let input = Json::object(|out| {
            out.raw_member("\"command\"", &quoted(command));
            if is_background {
                out.raw_member("\"run_in_background\"", "true");
            }
        });
        Self { id, name: "Bash", input }
    }

    /// A file that is read.
    pub(super) fn read(id: String, file: &str) -> Self {
        let input = Json::object(|out| out.raw_member("\"file_path\"", &quoted(file)));
        Self { id, name: "Read", input }
    }
}

/// The model uses a tool.
pub(super) fn uses(message: &str, tool: &Use) -> String {
    let (id, name, input) = (quoted(&tool.id), quoted(tool.name), tool.input.raw());
    assistant(message, &format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#))
}

/// May it run?
pub(super) fn asks(request: &RequestId, tool: &Use, why: &str) -> String {
    let (id, name, input, why) = (quoted(&tool.id), quoted(tool.name), tool.input.raw(), quoted(why));
    let request = Json::written(request);
    format!(
        r#"{{"type":"control_request","request_id":{},"request":{{"subtype":"can_use_tool","tool_name":{name},"display_name":{name},"input":{input},"decision_reason":{why},"decision_reason_type":"other","tool_use_id":{id}}}}}"#,
        request.raw()
    )
}

/// That is asked no more.
pub(super) fn takes_back(request: &RequestId) -> String {
    format!(r#"{{"type":"control_cancel_request","request_id":{}}}"#, Json::written(request).raw())
}

/// What came of a tool.
#[derive(Debug, Clone)]
pub(super) struct Gave {
    pub(super) text: String,
    pub(super) how: How,
}

/// How a tool ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    /// nobody had to be asked
    Unasked,
    Allowed,
    Denied,
    Failed,
    Interrupted,
}

/// A tool ended, or goes on in the background under that name.
pub(super) fn gave(tool: &Use, gave: &Gave, task: Option<&str>) -> String {
    let (id, text) = (quoted(&tool.id), quoted(&gave.text));
    let is_error = matches!(gave.how, How::Denied | How::Failed | How::Interrupted);
    let detail = match task {
        Some(task) => {
            format!(r#"{{"stdout":"","stderr":"","interrupted":false,"backgroundTaskId":{}}}"#, quoted(task))
        }
        None => text.clone(),
    };
    let meta = match gave.how {
        How::Unasked | How::Failed => {
            r#""permission_decision":{"decision":"accept","source":"config","reason_type":"rule"}"#
        }
        How::Allowed => r#""permission_decision":{"decision":"accept","source":"user_temporary"}"#,
        How::Denied => {
            r#""non_execution_kind":"user-rejected","permission_decision":{"decision":"reject","source":"user_reject"}"#
        }
        How::Interrupted => r#""non_execution_kind":"user-rejected""#,
    };
    user(
        &format!(r#"{{"tool_use_id":{id},"type":"tool_result","content":{text},"is_error":{is_error}}}"#),
        &format!(r#","tool_use_result":{detail},"tool_result_meta":[{{"id":{id},{meta}}}]"#),
    )
}

fn user(block: &str, more: &str) -> String {
    format!(
        r#"{{"type":"user","message":{{"role":"user","content":[{block}]}},"parent_tool_use_id":null{more}}}"#
    )
}

/// The turn was interrupted.
pub(super) fn interrupted() -> String {
    user(r#"{"type":"text","text":"[Request interrupted by user]"}"#, "")
}

/// Something in the background.
#[derive(Debug, Clone)]
pub(super) struct Task {
    pub(super) id: &'static str,
    pub(super) what: &'static str,
    pub(super) tool_use_id: Option<String>,
}

/// It begins.
pub(super) fn task_begins(task: &Task) -> [String; 2] {
    let (id, what) = (quoted(task.id), quoted(task.what));
    let tool = task.tool_use_id.as_ref().map(|id| format!(r#","tool_use_id":{}"#, quoted(id)));
    let tool = tool.unwrap_or_default();
    let listed = format!(r#"{{"task_id":{id},"task_type":"local_bash","description":{what}}}"#);
    [
        format!(r#"{{"type":"system","subtype":"background_tasks_changed","tasks":[{listed}]}}"#),
        format!(
            r#"{{"type":"system","subtype":"task_started","task_id":{id}{tool},"description":{what},"is_backgrounded":true,"task_type":"local_bash"}}"#
        ),
    ]
}

/// It ended.
pub(super) fn task_ends(task: &Task) -> [String; 3] {
    let id = quoted(task.id);
    [
        format!(
            r#"{{"type":"system","subtype":"task_updated","task_id":{id},"patch":{{"status":"completed"}}}}"#
        ),
        format!(
            r#"{{"type":"system","subtype":"task_notification","task_id":{id},"status":"completed","output_file":"","summary":"completed"}}"#
        ),
        r#"{"type":"system","subtype":"background_tasks_changed","tasks":[]}"#.to_owned(),
    ]
}

/// A turn, as its result tells it.
#[derive(Debug, Default)]
pub(super) struct Turn {
    /// the message that began it, and those that were read in it
    pub(super) read: Vec<String>,
    /// it is about something in the background
    pub(super) is_unasked: bool,
    /// how often the model spoke
    pub(super) rounds: u64,
    /// what it said last
    pub(super) text: String,
    /// the uses of tools that were not allowed
    pub(super) denied: Vec<Use>,
}

/// The turn is over; `aborted` says in what it was interrupted.
pub(super) fn result(turn: &Turn, took_ms: u64, aborted: Option<&str>) -> String {
    let (subtype, is_error) =
        if aborted.is_some() { ("error_during_execution", true) } else { ("success", false) };
    let reason = quoted(aborted.unwrap_or("completed"));
    let text = if is_error { String::new() } else { format!(r#","result":{}"#, quoted(&turn.text)) };
    let origin = if turn.is_unasked { r#","origin":{"kind":"task-notification"}"# } else { "" };
    let (rounds, read) = (turn.rounds, list(&turn.read));
    let denial = |tool: &Use| {
        let (name, id, input) = (quoted(tool.name), quoted(&tool.id), tool.input.raw());
        format!(r#"{{"tool_name":{name},"tool_use_id":{id},"tool_input":{input}}}"#)
    };
    let denied: Vec<_> = turn.denied.iter().map(denial).collect();
    format!(
        r#"{{"type":"result","subtype":"{subtype}","is_error":{is_error},"duration_ms":{took_ms},"num_turns":{rounds},"total_cost_usd":0,"terminal_reason":{reason},"permission_denials":[{}],"user_message_uuids":{read}{origin}{text}}}"#,
        denied.join(",")
    )
}

/// What is said about a request: which messages still wait, or whether one was taken back.
pub(super) fn still_queued(uuids: &[String]) -> Json<'static> {
    Json::object(|out| out.raw_member("\"still_queued\"", &list(uuids)))
}

/// Whether a message was taken back.
pub(super) fn cancelled(is_so: bool) -> Json<'static> {
    Json::object(|out| out.raw_member("\"cancelled\"", if is_so { "true" } else { "false" }))
}
