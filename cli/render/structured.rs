//! The structured messages, each in a few words. The text is not made visible yet.

use std::fmt::Write as _;

use codec::json::{Json, Num, Text};
use codec::tunnel::{
    AgentSessionEnd, ExecutionSummary, FailureReport, ReviewResult, Structured as S, TodoItem, TodoStatus,
    TodoUpdate, TokenUsage,
};

/// What a message says; empty if that is nothing for a person.
pub(super) fn text_of(message: &S<'_>) -> String {
    match message {
        S::AgentSessionStart(m) => {
            format!("session starts{}{}", with(", ", &m.executor), with(", ", &m.model))
        }
        S::AgentSessionEnd(m) => session_end(m),
        S::AgentIterationStart(m) => {
            format!("iteration {}{}", m.iteration_number.raw(), with(": ", &m.task_title))
        }
        S::AgentStepStart(m) => format!("{} starts{}", m.phase.get(), with(": ", &m.message)),
        S::AgentStepEnd(m) => format!("{} {}{}", m.phase.get(), went(m.success), with(": ", &m.summary)),
        S::LlmThinking(m) => format!("thinks: {}", m.text.get()),
        S::LlmResponse(m) => m.text.get().into_owned(),
        S::LlmToolUse(m) => {
            about(&m.tool_name, " ", m.input_summary.as_ref(), m.input.as_ref().map(|input| &input.0))
        }
        S::LlmToolResult(m) => about(
            &m.tool_name,
            " gave ",
            m.result_summary.as_ref(),
            m.result.as_ref().map(|result| &result.0),
        ),
        S::LlmStatus(m) => format!("{}{}", m.status.get(), with(": ", &m.detail)),
        S::TodoUpdate(m) => todos(m),
        S::FileWrite(m) => format!("write {} ({} lines)", m.path.get(), m.line_count.raw()),
        S::FileEdit(m) => format!("edit {}", m.path.get()),
        S::FileChangeSummary(m) => {
            lines(m.changes.iter().map(|change| format!("{} {}", change.kind.word(), change.path.get())))
        }
        S::CommandExec(m) => format!("$ {}", m.command.get()),
        S::CommandResult(m) => format!("exit {}{}", m.exit_code.raw(), with(": ", &m.command)),
        S::ReviewStart(m) => format!("review starts{}", with(", ", &m.executor)),
        S::ReviewResult(m) => review(m),
        S::WorkflowProgress(m) => match &m.phase {
            Some(phase) => format!("{}: {}", phase.get(), m.message.get()),
            None => m.message.get().into_owned(),
        },
        S::FailureReport(m) => failure(m),
        S::TaskCompletion(m) => {
            format!(
                "task done{}{}",
                with(": ", &m.task_title),
                if m.plan_complete { ", and the plan" } else { "" }
            )
        }
        S::ExecutionSummary(m) => summary(m),
        S::TokenUsage(m) => tokens(m),
        S::InputRequired(m) => format!("waits for input{}", with(": ", &m.prompt)),
        S::UserTerminalInput(m) => format!("> {}", m.content.get()),
        S::PromptAnswered(_) | S::PromptCancelled(_) => String::new(),
        S::PlanDiscovery(m) => format!("plan {}: {}", m.plan_id.raw(), m.title.get()),
        S::WorkspaceInfo(m) => format!("workspace {}", m.path.get()),
        S::Unknown(m) => format!("(a message of a newer kind: {})", m.kind()),
    }
}

/// A text with something in front, if there is a text.
fn with(before: &str, text: &Option<Text<'_>>) -> String {
    let text = text.as_ref().filter(|text| !text.is_empty());
    text.map(|text| format!("{before}{}", text.get())).unwrap_or_default()
}

/// A number with something around it, if there is a number.
fn number(before: &str, number: &Option<Num<'_>>, after: &str) -> String {
    number.as_ref().map(|number| format!("{before}{}{after}", number.raw())).unwrap_or_default()
}

fn lines(each: impl Iterator<Item = String>) -> String {
    each.collect::<Vec<_>>().join("\n")
}

const fn went(success: bool) -> &'static str {
    if success { "done" } else { "failed" }
}

/// A tool, and its summary or else the whole.
fn about(tool: &Text<'_>, between: &str, summary: Option<&Text<'_>>, whole: Option<&Json<'_>>) -> String {
    match (summary, whole) {
        (Some(summary), _) => format!("{}{between}{}", tool.get(), summary.get()),
        (None, Some(whole)) => format!("{}{between}{}", tool.get(), whole.raw()),
        (None, None) => tool.get().into_owned(),
    }
}

fn session_end(end: &AgentSessionEnd<'_>) -> String {
    let turns = number(", ", &end.turns, " turns");
    let cost = number(", $", &end.cost_usd, "");
    format!("session {}{turns}{cost}{}", went(end.success), with(": ", &end.summary))
}

fn todos(update: &TodoUpdate<'_>) -> String {
    let row = |item: &TodoItem<'_>| {
        let mark = match item.status {
            TodoStatus::Completed => 'x',
            TodoStatus::InProgress => '>',
            TodoStatus::Blocked => '!',
            TodoStatus::Pending | TodoStatus::Unknown => ' ',
        };
        format!("[{mark}] {}", item.label.get())
    };
    lines(update.items.iter().map(row))
}

fn review(result: &ReviewResult<'_>) -> String {
    let mut text = format!("review: {}", result.verdict.word());
    for issue in &result.issues {
        let place = format!("{}:{}", issue.file.get(), issue.line.get());
        let (severity, category) = (issue.severity.word(), issue.category.word());
        let written = write!(text, "\n{severity} {category}, {place}: {}", issue.content.get());
        debug_assert!(written.is_ok(), "writing to a String cannot fail");
    }
    text
}

fn failure(report: &FailureReport<'_>) -> String {
    format!("failed: {}{}", report.summary.get(), with("\nproblems: ", &report.problems))
}

fn summary(message: &ExecutionSummary<'_>) -> String {
    let summary = &message.summary;
    let counts = &summary.metadata;
    let (steps, failed) = (counts.total_steps.raw(), counts.failed_steps.raw());
    let head = format!("{}: {steps} steps, {failed} failed", summary.plan_title.get());
    lines(std::iter::once(head).chain(summary.errors.iter().map(|error| format!("error: {}", error.get()))))
}

fn tokens(usage: &TokenUsage<'_>) -> String {
    let parts = [
        number("", &usage.input_tokens, " in"),
        number("", &usage.output_tokens, " out"),
        number("", &usage.total_tokens, " in all"),
    ];
    let said: Vec<_> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    if said.is_empty() { String::new() } else { format!("tokens: {}", said.join(", ")) }
}
