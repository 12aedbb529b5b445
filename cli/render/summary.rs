//! What an execution came to, and what a failure is about.

use codec::json::Text;
use codec::tunnel::{FailureDetails, FailureReport, StepOutput, Summary, SummaryStep};

use super::page::{Line, Page};
use super::prose::Prose;
use super::review::listed;
use super::session::went_in_words;
use super::structured::{GREEN, RED, section, some};
use super::{Kind, figures};
use crate::term::style::Style;

pub(super) fn failure(message: &FailureReport<'_>) -> Page {
    let line = went_in_words(false, "", "failed").foreign(RED, &message.summary.get()).wrapped();
    let page = Page::of(Kind::Block).line(line);
    let about = [&message.requirements, &message.problems, &message.solutions, &message.source_agent];
    failed_about(page, 2, about)
}

/// What was wanted, what went wrong, what could help and who says so.
fn failed_about(page: Page, indent: usize, texts: [&Option<Text<'_>>; 4]) -> Page {
    const LABELS: [&str; 4] = ["wanted  ", "problem ", "solution", "said by "];
    let each = LABELS.into_iter().zip(texts);
    each.fold(page, |page, (label, text)| section(page, indent, label, some(text)))
}

pub(super) fn execution(summary: &Summary<'_>) -> Page {
    let page = heading(summary);
    let page = facts(page, summary);
    let page = summary.steps.iter().fold(page, step);
    let page = files(page, "created", summary.created_files.as_ref());
    let page = files(page, "deleted", summary.deleted_files.as_ref());
    let page = files(page, "changed", Some(&summary.changed_files));
    if summary.errors.is_empty() {
        return page;
    }
    let page = page.line(Line::at(2).own(RED, "errors"));
    page.lines(&summary.errors, |error| {
        Line::marked(4, RED, "✗ ").foreign(Style::PLAIN, &error.get()).wrapped()
    })
}

/// How it went, in a row.
fn heading(summary: &Summary<'_>) -> Page {
    let counts = &summary.metadata;
    let success = counts.failed_steps.as_f64() == 0.0 && summary.errors.is_empty();
    let line = went_in_words(success, "executed", "execution failed");
    let line = line.foreign(Style::BOLD, &summary.plan_title.get());
    let steps = figures::counted(Some(&counts.total_steps), "step", "steps");
    let failed = format!("{} failed", figures::number(&counts.failed_steps));
    let line = line.right(figures::dim(steps)).right(figures::dim(Some(failed)));
    Page::of(Kind::Block)
        .line(line.right(figures::dim(figures::time(summary.duration_ms.as_ref()))).wrapped())
}

fn facts(page: Page, summary: &Summary<'_>) -> Page {
    let line = Line::at(2).own(Style::DIM, "plan").foreign(Style::DIM, &summary.plan_id.get());
    let line =
        line.foreign(Style::DIM, &summary.plan_file_path.get()).foreign(Style::DIM, summary.mode.word());
    let rounds = figures::counted(summary.metadata.batch_iterations.as_ref(), "iteration", "iterations");
    let page = page.line(line.maybe(Style::DIM, rounds).wrapped());
    let line = Line::at(2).own(Style::DIM, "from").foreign(Style::DIM, &summary.started_at.get());
    let until = some(&summary.ended_at).map(|end| format!("until {end}"));
    page.line(line.maybe(Style::DIM, until).wrapped())
}

fn step(page: Page, step: &SummaryStep<'_>) -> Page {
    let sign = if step.success { (GREEN, "✓ ") } else { (RED, "✗ ") };
    let line = Line::marked(2, sign.0, sign.1).foreign(Style::PLAIN, &step.title.get());
    let line = line.foreign(Style::DIM, &step.executor.get()).maybe(Style::DIM, some(&step.executor_phase));
    let round = step.iteration.as_ref().map(|number| format!("#{}", figures::number(number)));
    let line = line.right(figures::dim(round)).right(figures::dim(figures::time(step.duration_ms.as_ref())));
    let page = section(page.line(line.wrapped()), 4, "error   ", some(&step.error_message));
    match &step.output {
        Some(output) => step_output(page, output),
        None => page,
    }
}

fn step_output(page: Page, output: &StepOutput<'_>) -> Page {
    let page = match &output.failure_details {
        Some(FailureDetails { source_agent, requirements, problems, solutions, .. }) => {
            failed_about(page, 4, [requirements, problems, solutions, source_agent])
        }
        None => page,
    };
    let page = page.more(Prose::output(Style::DIM, output.content.get()));
    output.steps.iter().flatten().fold(page, |page, part| {
        let page = page.line(Line::at(4).foreign(Style::BOLD, &part.title.get()).wrapped());
        let mut body = Prose::output(Style::DIM, part.body.get());
        body.indent = 6;
        page.more(body)
    })
}

fn files(page: Page, label: &'static str, files: Option<&Vec<Text<'_>>>) -> Page {
    listed(page, label, files.into_iter().flatten().map(Text::get))
}
