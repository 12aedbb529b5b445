//! What is looked back at, for programs: JSON without a character that a terminal would act upon. Pure.

use actors::audit::{By, Decision, Name, Outline};
use actors::router::timestamp;
use codec::json::{Json, ObjectWriter, Text, Written as _};
use codec::text::escape_hidden;

use super::words;

/// The run that a decision belongs to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Of<'a> {
    pub(super) run: &'a str,
    pub(super) started_unix_ms: u64,
}

/// On one line.
pub(super) fn line(json: &Json<'_>) -> String {
    escape_hidden(json.raw()).unwrap_or_else(|| json.raw().to_owned())
}

/// Several, as a list.
pub(super) fn list(all: &[Json<'static>]) -> String {
    format!("[{}]", all.iter().map(Json::raw).collect::<Vec<_>>().join(","))
}

pub(super) fn text(out: &mut ObjectWriter<'_>, name: &str, value: Option<&str>) {
    let json = value.map_or_else(Json::null, |value| Text::new(value).into_json());
    out.member(name, |to| json.write(to));
}

/// A decision with all that is known of it.
pub(super) fn decision(of: Of<'_>, decision: &Decision) -> Json<'static> {
    let at = |ms: u64| timestamp(of.started_unix_ms.saturating_add(ms));
    Json::object(|out| {
        text(out, "key", Some(&format!("{}.{}", of.run, decision.name)));
        text(out, "run", Some(of.run));
        text(out, "at", Some(&at(decision.at_ms)));
        text(out, "asked", Some(&at(decision.asked_ms)));
        text(out, "who", Some(&decision.path));
        text(out, "agent", decision.agent.as_deref());
        let kind = match (decision.kind, decision.name) {
            (Some(kind), _) => kind.word(),
            (None, Name::Use(_)) => "tool",
            (None, Name::Question(_)) => "unknown",
        };
        text(out, "kind", Some(kind));
        text(out, "tool", decision.tool.as_deref());
        text(out, "what", Some(&decision.what));
        text(out, "reason", decision.reason.as_deref());
        text(out, "toolUseId", decision.tool_use_id.as_deref());
        text(out, "requestId", decision.request_id.as_deref());
        let allowed = decision.by.allowed().map_or_else(Json::null, |allowed| Json::of(&allowed));
        out.member("allowed", |to| allowed.write(to));
        by(out, &decision.by);
        text(out, "decidedBy", Some(&words::decided_by(decision)));
    })
}

fn by(out: &mut ObjectWriter<'_>, by: &By) {
    text(out, "by", Some(words::kind_of(by).map_or("open", words::name_of)));
    match by {
        By::Answered(answered) => {
            text(out, "source", Some(answered.source.word()));
            text(out, "scope", Some(answered.scope.word()));
            out.raw_member("\"rules\"", Json::of(&answered.rules).raw());
            text(out, "words", answered.words.as_deref());
        }
        By::Agent { how, .. } => text(out, "how", Some(how.word())),
        By::Nobody { outcome, reason, .. } => {
            text(out, "outcome", Some(outcome.word()));
            text(out, "because", reason.as_deref());
        }
        By::Declined(source) => {
            text(out, "source", Some(source.word()));
            text(out, "outcome", Some("declined"));
        }
        By::Open => {}
    }
}

/// A run with all that is known of it.
pub(super) fn run(outline: &Outline, path: &str, is_alive: bool) -> Json<'static> {
    Json::object(|out| {
        text(out, "run", Some(&outline.id));
        text(out, "file", Some(path));
        text(out, "started", Some(&timestamp(outline.started_unix_ms)));
        out.member("lastedMs", |to| outline.lasted_ms.write(to));
        text(out, "role", outline.role.map(|role| role.word()));
        text(out, "path", outline.path.as_deref());
        text(out, "folder", outline.folder.as_deref());
        text(out, "prompt", outline.prompt.as_deref());
        out.raw_member("\"agents\"", Json::of(&outline.agents).raw());
        let sessions: Vec<&str> = outline.sessions().collect();
        out.raw_member("\"sessions\"", Json::of(&sessions).raw());
        out.raw_member("\"costUsd\"", Json::of(&outline.cost()).raw());
        out.member("turns", |to| outline.turns().write(to));
        for (name, count) in [("yes", outline.yes), ("no", outline.no), ("undecided", outline.undecided)] {
            out.member(name, |to| count.write(to));
        }
        out.member("lost", |to| outline.lost.write(to));
        out.raw_member("\"exit\"", Json::of(&outline.over.map(|over| over.code)).raw());
        text(out, "signal", outline.signal.as_deref());
        out.member("running", |to| is_alive.write(to));
    })
}
