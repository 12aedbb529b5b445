//! How an agent's work goes: sessions, turns and steps, the state of the model and what it used up.

use codec::json::{Json, Num, Object, Text};
use codec::tunnel::{
    AgentIterationStart, AgentSessionEnd, AgentSessionStart, AgentStepEnd, AgentStepStart, LlmStatus,
    RateLimitInfo, TokenUsage,
};

use super::page::{Line, Page};
use super::prose::Prose;
use super::structured::{GREEN, RED, YELLOW, section, some};
use super::{Kind, figures};
use crate::term::style::{Colour, Style};

/// The sign and the colour of something that went well or did not.
pub(super) fn went(success: bool) -> Line {
    if success { Line::sign(GREEN.bold(), "✓ ") } else { Line::sign(RED.bold(), "✗ ") }
}

/// The same in a word.
pub(super) fn went_in_words(success: bool, yes: &'static str, no: &'static str) -> Line {
    if success { went(true).own(GREEN.bold(), yes) } else { went(false).own(RED.bold(), no) }
}

fn list(texts: Option<&Vec<Text<'_>>>) -> Option<String> {
    let texts: Vec<_> = texts?.iter().map(Text::get).collect();
    (!texts.is_empty()).then(|| texts.join(", "))
}

fn plan_number(number: Option<&Num<'_>>) -> Option<String> {
    number.map(|number| format!("plan {}", figures::number(number)))
}

pub(super) fn start(message: &AgentSessionStart<'_>) -> Page {
    let line = Line::at(2).own(Style::BOLD, "session starts");
    let who = [&message.executor, &message.model, &message.mode];
    let line = who.into_iter().fold(line, |line, text| line.maybe(Style::PLAIN, some(text)));
    let page =
        Page::of(Kind::Block).line(line.maybe(Style::DIM, plan_number(message.plan_id.as_ref())).wrapped());
    let has = [("tools  ", list(message.tools.as_ref())), ("servers", list(message.mcp_servers.as_ref()))];
    // One row each: they can be many, and are of interest only if something is missing.
    let has = has.into_iter().filter_map(|(label, text)| Some((label, text?)));
    let page = page.lines(has, |(label, text)| Line::at(2).own(Style::DIM, label).foreign(Style::DIM, &text));
    ids(page, &message.session_id, &message.thread_id)
}

/// By which names a session can be found again.
fn ids(page: Page, session: &Option<Text<'_>>, thread: &Option<Text<'_>>) -> Page {
    let session = some(session).map(|id| format!("session {id}"));
    let thread = some(thread).map(|id| format!("thread {id}"));
    if session.is_none() && thread.is_none() {
        return page;
    }
    page.line(Line::at(2).maybe(Style::DIM, session).maybe(Style::DIM, thread).wrapped())
}

pub(super) fn end(message: &AgentSessionEnd<'_>) -> Page {
    let style = if message.success { GREEN } else { RED }.bold();
    let line = went_in_words(message.success, "done", "failed");
    let figures = [
        figures::time(message.duration_ms.as_ref()),
        figures::counted(message.turns.as_ref(), "turn", "turns"),
        figures::cost(message.cost_usd.as_ref()),
    ];
    let line = figures.into_iter().fold(line, |line, figure| line.maybe(style, figure));
    let page = section(Page::of(Kind::Block).line(line.wrapped()), 2, "summary", some(&message.summary));
    ids(page, &message.session_id, &message.thread_id)
}

pub(super) fn iteration(message: &AgentIterationStart<'_>) -> Page {
    let line = Line::at(2)
        .own(Style::BOLD, "iteration")
        .foreign(Style::BOLD, &figures::number(&message.iteration_number));
    let page = Page::of(Kind::Block).line(line.maybe(Style::BOLD, some(&message.task_title)).wrapped());
    match some(&message.task_description) {
        Some(text) => page.text(Prose::at(2, Style::PLAIN, text)),
        None => page,
    }
}

pub(super) fn step_start(message: &AgentStepStart<'_>) -> Page {
    let line = Line::at(2).foreign(Style::of(Colour::Blue), &message.phase.get()).own(Style::DIM, "starts");
    let number = message.step_number.as_ref().map(|number| format!("step {}", figures::number(number)));
    let attempt = message.attempt.as_ref().map(|number| format!("attempt {}", figures::number(number)));
    let line = line.right(figures::dim(number)).right(figures::dim(attempt));
    let line = line.right(figures::dim(some(&message.executor).map(Into::into)));
    Page::of(Kind::Note).line(line.maybe(Style::PLAIN, some(&message.message)).wrapped())
}

pub(super) fn step_end(message: &AgentStepEnd<'_>) -> Page {
    let style = if message.success { GREEN } else { RED };
    let line = went(message.success).foreign(style, &message.phase.get());
    let line = line.own(style, if message.success { "done" } else { "failed" });
    Page::of(Kind::Note).line(line.maybe(Style::PLAIN, some(&message.summary)).wrapped())
}

pub(super) fn status(message: &LlmStatus<'_>) -> Page {
    // A limit that comes near is what a person can do something about.
    let is_limit = message.rate_limit_info.is_some();
    let line = if is_limit { Line::sign(YELLOW, "! ") } else { Line::at(2) };
    let line = line.foreign(Style::DIM, &message.status.get()).maybe(Style::DIM, some(&message.detail));
    let line = line.right(figures::dim(some(&message.source).map(Into::into))).wrapped();
    let page = Page::of(Kind::Note).line(line);
    match &message.rate_limit_info {
        Some(info) => page.line(limit(info)),
        None => page,
    }
}

fn limit(info: &RateLimitInfo<'_>) -> Line {
    let line = Line::at(2).own(Style::DIM, "limit").maybe(Style::DIM, some(&info.rate_limit_type));
    let share =
        |number: &Num<'_>, word: &str| format!("{} {word}", figures::percent(number.as_f64() * 100.0));
    let line = line.maybe(Style::DIM, info.utilization.as_ref().map(|number| share(number, "used")));
    let line =
        line.maybe(Style::DIM, info.surpassed_threshold.as_ref().map(|number| share(number, "passed")));
    let line = line.maybe(
        Style::DIM,
        info.resets_at.as_ref().map(|number| format!("resets {}", figures::moment(number))),
    );
    if info.is_using_overage == Some(true) { line.own(YELLOW, "beyond the limit") } else { line }.wrapped()
}

pub(super) fn tokens(usage: &TokenUsage<'_>) -> Page {
    let counts = [
        (&usage.input_tokens, "in"),
        (&usage.cached_input_tokens, "cached"),
        (&usage.output_tokens, "out"),
        (&usage.reasoning_tokens, "reasoning"),
        (&usage.total_tokens, "in all"),
    ];
    let counts = counts.into_iter().filter_map(|(count, word)| Some((count.as_ref()?, word)));
    let counts = counts.map(|(count, word)| format!("{} {word}", figures::number(count)));
    let limits = usage.rate_limits.iter().flat_map(Object::iter).map(|(name, limit)| used(&name, limit));
    let page = row_of(Page::of(Kind::Note), "tokens", &counts.collect::<Vec<_>>());
    row_of(page, "limits", &limits.collect::<Vec<_>>())
}

/// A row of what there is of a kind; none if there is nothing.
fn row_of(page: Page, label: &'static str, said: &[String]) -> Page {
    if said.is_empty() {
        return page;
    }
    let line = Line::at(2).own(Style::DIM, label);
    page.line(said.iter().fold(line, |line, said| line.foreign(Style::DIM, said)).wrapped())
}

/// A limit by its name, with how much of each window is used up; whole if it is of another shape.
fn used(name: &str, limit: &Json<'_>) -> String {
    let Ok(object) = Object::read(limit.clone()) else { return format!("{name}: {}", limit.raw()) };
    let label = first_of(&object, &["limitName", "limit_name"]).and_then(Json::as_text);
    let name = label.map_or_else(|| name.to_owned(), |label| label.get().into_owned());
    let windows: Vec<_> =
        ["primary", "secondary"].iter().filter_map(|which| window(&object, which)).collect();
    if windows.is_empty() {
        format!("{name}: {}", limit.raw())
    } else {
        format!("{name}: {}", windows.join(", "))
    }
}

fn window(limit: &Object<'_>, which: &str) -> Option<String> {
    let window = Object::read(limit.peek(which)?.clone()).ok()?;
    let share: f64 = first_of(&window, &["usedPercent", "used_percent"])?.raw().parse().ok()?;
    let minutes = first_of(&window, &["windowDurationMins", "window_minutes"]).map(Json::raw);
    let of = minutes.map(|minutes| format!(" of {}", figures::minutes(minutes))).unwrap_or_default();
    Some(format!("{which} {}{of}", figures::percent(share)))
}

fn first_of<'o, 'j>(object: &'o Object<'j>, names: &[&str]) -> Option<&'o Json<'j>> {
    names.iter().find_map(|name| object.peek(name))
}
