//! Rows about Claude Code itself: how it starts, what troubles it has, what its own rules denied.
//!
//! Owns the words of these rows. Which of them are told, and how often, is decided elsewhere.

use codec::claude::{ApiRetry, HookResponse, Init, PermissionDenied, Status};
use codec::json::{Item, Num, Object, Text};

use super::tasks::said;
use super::{look, words};
use crate::render::page::{Line, Page};
use crate::render::structured::{RED, YELLOW};
use crate::render::{Kind, figures};
use crate::term::style::Style;

fn note(line: Line) -> Page {
    Page::of(Kind::Note).line(line.wrapped())
}

/// Which program this is and which model it uses, and which of its servers are not there.
pub(super) fn greeting(init: &Init<'_>) -> Page {
    let program = init.claude_code_version.as_ref().map(|version| format!("claude {}", version.get()));
    let line = Line::at(2).maybe(Style::DIM, program).maybe(Style::DIM, init.model.as_ref().map(said));
    let servers = init.mcp_servers.iter().flatten().filter_map(Item::known);
    // One that is pending may still come, and one that is disabled somebody wanted so.
    let is_missing =
        |status: &Text<'_>| !["connected", "pending", "disabled"].iter().any(|word| status.is(word));
    let missing = servers.filter_map(|server| {
        let status = server.status.as_ref().filter(|status| is_missing(status))?;
        Some(format!("{} {}", server.name.get(), status.get()))
    });
    let missing: Vec<_> = missing.collect();
    let page = note(line);
    if missing.is_empty() {
        return page;
    }
    let line = Line::sign(YELLOW, "! ").own(YELLOW, "MCP servers that are not there:");
    page.line(line.joined(Style::PLAIN, " ").joined(Style::PLAIN, &missing.join(", ")).wrapped())
}

/// The API did not answer well.
pub(super) fn retry(retry: &ApiRetry<'_>) -> Page {
    let mut words = format!("API {}, {}", trouble(retry), tries(retry));
    if let Some(delay) = figures::time(retry.retry_delay_ms.as_ref()) {
        words += &format!(", again in {delay}");
    }
    note(Line::sign(YELLOW, "! ").foreign(Style::DIM, &words))
}

/// The same for the row that says what goes on.
pub(super) fn waits_for_api(retry: &ApiRetry<'_>) -> String {
    let status = retry.error_status.as_ref().map_or_else(|| trouble(retry), |status| status.raw().to_owned());
    format!("waits for the API: {status}, {}", tries(retry))
}

fn trouble(retry: &ApiRetry<'_>) -> String {
    let status = retry.error_status.as_ref().map(|status| status.raw().to_owned());
    let word =
        retry.error.as_ref().and_then(codec::json::Json::as_text).map(|error| error.get().replace('_', " "));
    let word = word.filter(|word| word != "unknown");
    let words: Vec<_> = status.into_iter().chain(word).collect();
    if words.is_empty() { "does not answer".to_owned() } else { words.join(" ") }
}

fn tries(retry: &ApiRetry<'_>) -> String {
    let number = |number: &Option<Num<'_>>| number.as_ref().map_or_else(|| "?".to_owned(), figures::number);
    format!("try {} of {}", number(&retry.attempt), number(&retry.max_retries))
}

/// A tool that Claude Code denied without asking anybody.
pub(super) fn denied(denied: &PermissionDenied<'_>, what: &str) -> Page {
    let kind = denied.decision_reason_type.as_ref().map(said).unwrap_or_default();
    let by = match kind.as_str() {
        "rule" | "subcommandResults" => "denied by claude's own rules",
        "mode" => "denied by claude's mode",
        "hook" => "denied by a hook",
        _ => "denied, nobody was asked",
    };
    let line = Line::sign(YELLOW, "– ").own(Style::DIM, by).foreign(Style::DIM, what);
    Page::of(Kind::Tool).line(line)
}

/// A hook of the settings that failed.
pub(super) fn hook(hook: &HookResponse<'_>) -> Option<Page> {
    let is_good = hook.outcome.as_ref().is_none_or(|outcome| outcome.is("success"));
    let code = hook.exit_code.as_ref().filter(|code| code.as_u64() != Some(0));
    if is_good && code.is_none() {
        return None;
    }
    let line =
        Line::sign(YELLOW, "! ").own(Style::DIM, "hook").maybe(Style::DIM, hook.hook_name.as_ref().map(said));
    let line = line.foreign(Style::DIM, &hook.outcome.as_ref().map_or_else(|| "failed".to_owned(), said));
    let line = line.maybe(Style::DIM, code.map(|code| format!("exit {}", code.raw())));
    let why = hook.stderr.as_ref().map(|text| words::why(&text.get())).filter(|why| !why.is_empty());
    Some(note(line.maybe(Style::DIM, why)))
}

/// Compacting, if that is what the status is about.
pub(super) fn compacting(status: &Status<'_>) -> Option<Page> {
    if status.status.as_ref().is_some_and(|status| status.is("compacting")) {
        return Some(note(Line::at(2).own(Style::DIM, "compacts the conversation")));
    }
    let failed = look::text(&status.extras, "compact_result").filter(|result| result != "success");
    let why = look::text(&status.extras, "compact_error").unwrap_or_default().replace('_', " ");
    failed.map(|_| {
        note(Line::sign(YELLOW, "! ").own(Style::DIM, "compacting failed").foreign(Style::DIM, &why))
    })
}

/// A limit of the account, if it is near or reached. Also the words by which it is known again.
pub(super) fn limit(line: &Object<'_>) -> Option<(String, Page)> {
    let info = look::object(line.peek("rate_limit_info"))?;
    let status = look::text(&info, "status")?;
    let window = look::text(&info, "rateLimitType").unwrap_or_default().replace('_', " ");
    if status == "allowed" {
        return None;
    }
    let words = if status == "rejected" { "usage limit reached" } else { "usage limit near" };
    let line = Line::sign(YELLOW, "! ").own(YELLOW, words).foreign(Style::DIM, &window);
    let resets = info.peek("resetsAt").and_then(|at| at.raw().parse().ok()).map(Num::new);
    let line = line.maybe(Style::DIM, resets.map(|at| format!("resets {}", figures::moment(&at))));
    Some((format!("{status} {window}"), note(line)))
}

/// What the agent itself says went wrong.
pub(in crate::render) fn error(text: &str) -> Page {
    note(Line::sign(RED, "✗ ").foreign(RED, text))
}

/// A turn that failed although it was not the last one.
pub(in crate::render) fn turn_failed(why: &str) -> Page {
    let line = Line::sign(RED, "✗ ").own(RED, "the turn failed:");
    note(line.joined(Style::DIM, " ").joined(Style::DIM, why))
}

pub(super) fn interrupted() -> Page {
    note(Line::sign(Style::DIM, "– ").own(Style::DIM, "interrupted"))
}

pub(super) fn begins_anew() -> Page {
    Page::of(Kind::Block).line(Line::at(2).own(Style::DIM, "the conversation begins anew"))
}

pub(super) fn compacted() -> Page {
    note(Line::at(2).own(Style::DIM, "the conversation was compacted"))
}

/// A use of a tool whose end nobody will hear.
pub(super) fn unfinished(what: &str, took: Option<String>) -> Page {
    let line = Line::sign(Style::DIM, "– ").foreign(Style::DIM, what).own(Style::DIM, "did not end");
    Page::of(Kind::Tool).line(line.right(figures::dim(took)))
}
