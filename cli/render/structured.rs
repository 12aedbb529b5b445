//! The structured messages, each as a page. The larger ones have files of their own.

use codec::json::Text;
use codec::tunnel::{
    InputRequired, PlanDiscovery, PromptRequest, Structured as S, TaskCompletion, TodoItem, TodoStatus,
    TodoUpdate, WorkflowProgress, WorkspaceInfo,
};

use super::page::{Line, Page};
use super::prose::Prose;
use super::{Kind, figures, review, session, summary, tool};
use crate::term::style::{Colour, Row, Style};

pub(super) const CYAN: Style = Style::of(Colour::Cyan);
pub(super) const GREEN: Style = Style::of(Colour::Green);
pub(super) const RED: Style = Style::of(Colour::Red);
pub(super) const YELLOW: Style = Style::of(Colour::Yellow);

/// What a message says; an empty page if that is nothing for a person.
pub(super) fn page_of(message: &S<'_>) -> Page {
    match message {
        S::AgentSessionStart(m) => session::start(m),
        S::AgentSessionEnd(m) => session::end(m),
        S::AgentIterationStart(m) => session::iteration(m),
        S::AgentStepStart(m) => session::step_start(m),
        S::AgentStepEnd(m) => session::step_end(m),
        S::LlmThinking(m) => said(&m.text, |text| text.dim().signed(Style::DIM, "  ", "thinks: ")),
        S::LlmResponse(m) if m.is_user_request == Some(true) => typed(&m.text),
        S::LlmResponse(m) => said(&m.text, |text| text),
        S::LlmToolUse(m) => tool::used(m),
        S::LlmToolResult(m) => tool::gave(m),
        S::LlmStatus(m) => session::status(m),
        S::TodoUpdate(m) => todos(m),
        S::FileWrite(m) => tool::write(m),
        S::FileEdit(m) => tool::edit(m),
        S::FileChangeSummary(m) => tool::changes(m),
        S::CommandExec(m) => tool::runs(m),
        S::CommandResult(m) => tool::ran(m),
        S::ReviewStart(m) => review::start(m),
        S::ReviewResult(m) => review::result(m),
        S::WorkflowProgress(m) => progress(m),
        S::FailureReport(m) => summary::failure(m),
        S::TaskCompletion(m) => task_done(m),
        S::ExecutionSummary(m) => summary::execution(&m.summary),
        S::TokenUsage(m) => session::tokens(m),
        S::InputRequired(m) => input_required(m),
        S::UserTerminalInput(m) => typed(&m.content),
        S::PromptAnswered(_) | S::PromptCancelled(_) => Page::nothing(),
        S::PlanDiscovery(m) => plan(m),
        S::WorkspaceInfo(m) => workspace(m),
        S::Unknown(m) => newer(&m.kind()),
    }
}

/// A text, if there is one that says something.
pub(super) fn some<'t>(text: &'t Option<Text<'_>>) -> Option<std::borrow::Cow<'t, str>> {
    text.as_ref().map(Text::get).filter(|text| !text.trim().is_empty())
}

/// A text below a word of ours that says what it is; nothing without a text.
pub(super) fn section(page: Page, indent: usize, label: &'static str, text: Option<impl AsRef<str>>) -> Page {
    match text {
        Some(text) if text.as_ref().contains('\n') => page
            .line(Line::at(indent).own(Style::DIM, label))
            .text(Prose::at(indent + 2, Style::PLAIN, text.as_ref())),
        Some(text) => {
            page.line(Line::at(indent).own(Style::DIM, label).foreign(Style::PLAIN, text.as_ref()).wrapped())
        }
        None => page,
    }
}

/// A message of a kind that this version has no picture of.
pub(super) fn newer(kind: &str) -> Page {
    let line = Line::at(2).own(Style::DIM, "a message of a newer kind:").joined(Style::DIM, " ");
    Page::of(Kind::Note).line(line.joined(Style::DIM, kind))
}

fn said(text: &Text<'_>, look: impl Fn(Prose) -> Prose) -> Page {
    let text = text.get();
    if text.trim().is_empty() {
        return Page::nothing();
    }
    Page::of(Kind::Talk).text(look(Prose::at(2, Style::PLAIN, text)))
}

fn typed(text: &Text<'_>) -> Page {
    Page::of(Kind::Block).text(Prose::at(2, CYAN, text.get()).signed(CYAN, "→ ", "You: "))
}

/// A question, as far as it is told to those who cannot answer it.
pub(super) fn asked(request: &PromptRequest<'_>) -> Page {
    let config = &request.config;
    let line = Line::sign(YELLOW.bold(), "? ").own(YELLOW.bold(), "question");
    let line = line.maybe(Style::BOLD, some(&config.header)).foreign(Style::BOLD, &config.message.get());
    let more = [&config.question, &config.command, &config.validation_hint];
    let line = more.into_iter().fold(line, |line, text| line.maybe(Style::PLAIN, some(text)));
    let names: Vec<_> = config.choices.iter().flatten().map(|choice| choice.name.get()).collect();
    Page::of(Kind::Block).line(line.foreign(Style::DIM, &names.join(" · ")))
}

fn todos(update: &TodoUpdate<'_>) -> Page {
    let done = update.items.iter().filter(|item| item.status == TodoStatus::Completed).count();
    let count = format!("{} of {} done", figures::grouped(done), figures::grouped(update.items.len()));
    let line = Line::sign(GREEN, "● ").own(Style::DIM, "To do").maybe(Style::DIM, some(&update.explanation));
    let line = line.maybe(Style::DIM, some(&update.source));
    Page::of(Kind::Tool).line(line.right(figures::dim(Some(count)))).lines(&update.items, todo)
}

fn todo(item: &TodoItem<'_>) -> Line {
    let (sign, style, text) = match item.status {
        TodoStatus::Completed => ("✓ ", GREEN, Style::DIM),
        TodoStatus::InProgress => ("→ ", CYAN, Style::PLAIN),
        TodoStatus::Blocked => ("! ", RED, Style::PLAIN),
        TodoStatus::Pending => ("• ", Style::DIM, Style::DIM),
        TodoStatus::Unknown => ("· ", Style::DIM, Style::DIM),
    };
    let line = Line::marked(4, style, sign).foreign(text, &item.label.get());
    line.maybe(Style::DIM, some(&item.detail)).wrapped()
}

fn progress(message: &WorkflowProgress<'_>) -> Page {
    let line = Line::at(2).maybe(Style::of(Colour::Blue), some(&message.phase));
    Page::of(Kind::Note).line(line.foreign(Style::DIM, &message.message.get()).wrapped())
}

fn task_done(message: &TaskCompletion<'_>) -> Page {
    let line = Line::sign(GREEN, "✓ ").own(GREEN, "task done").maybe(Style::PLAIN, some(&message.task_title));
    let plan = message.plan_complete.then(|| Row::own(Style::DIM, "the plan is complete"));
    Page::of(Kind::Block).line(line.right(plan).wrapped())
}

fn input_required(message: &InputRequired<'_>) -> Page {
    let line = Line::sign(YELLOW, "! ").own(YELLOW, "waits for input");
    Page::of(Kind::Block).line(line.maybe(Style::PLAIN, some(&message.prompt)).wrapped())
}

fn plan(message: &PlanDiscovery<'_>) -> Page {
    let number = figures::number(&message.plan_id);
    let line = Line::sign(GREEN, "✓ ").own(GREEN, "found a plan that is ready").foreign(Style::DIM, &number);
    Page::of(Kind::Note).line(line.foreign(Style::PLAIN, &message.title.get()).wrapped())
}

fn workspace(message: &WorkspaceInfo<'_>) -> Page {
    let line = Line::at(2).own(Style::DIM, "workspace").foreign(Style::PLAIN, &message.path.get());
    let page = Page::of(Kind::Note)
        .line(line.right(figures::dim(some(&message.workspace_id).map(Into::into))).wrapped());
    section(page, 2, "plan     ", some(&message.plan_file))
}
