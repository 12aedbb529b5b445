//! Reviews: what was found, the worst first.

use codec::tunnel::{Issue, ReviewResult, ReviewStart, Severity, Verdict};

use super::page::{Line, Page};
use super::prose::Prose;
use super::session::went_in_words;
use super::structured::{CYAN, GREEN, RED, YELLOW, section, some};
use super::{Kind, figures};
use crate::term::style::{Row, Style};

pub(super) fn start(message: &ReviewStart<'_>) -> Page {
    let line = Line::sign(GREEN, "● ").own(Style::PLAIN, "Review").maybe(Style::DIM, some(&message.executor));
    let plan = message.plan_id.as_ref().map(|number| format!("plan {}", figures::number(number)));
    Page::of(Kind::Tool).line(line.right(figures::dim(plan)))
}

pub(super) fn result(message: &ReviewResult<'_>) -> Page {
    let line = match message.verdict {
        Verdict::Acceptable => went_in_words(true, "review: acceptable", ""),
        Verdict::NeedsFixes => went_in_words(false, "", "review: needs fixes"),
        Verdict::Unknown => Line::sign(Style::BOLD, "– ").own(Style::BOLD, "review: no verdict"),
    };
    let count = figures::how_many(message.issues.len(), "issue", "issues");
    let page = Page::of(Kind::Block).line(line.right(figures::dim(Some(count))));
    let page = GROUPS.iter().fold(page, |page, group| self::group(page, message, *group));
    let page = listed(page, "recommended", message.recommendations.iter().map(codec::json::Text::get));
    let page = listed(page, "to do", message.action_items.iter().map(codec::json::Text::get));
    section(page, 2, "how to fix it", some(&message.fix_instructions))
}

/// A word of ours, and below it a row for each text.
pub(super) fn listed(page: Page, label: &'static str, texts: impl Iterator<Item = impl AsRef<str>>) -> Page {
    let mut texts = texts.peekable();
    if texts.peek().is_none() {
        return page;
    }
    let page = page.line(Line::at(2).own(Style::DIM, label));
    page.lines(texts, |text| Line::marked(4, Style::DIM, "• ").foreign(Style::PLAIN, text.as_ref()).wrapped())
}

/// A kind of issue, and how it looks.
type Group = (Severity, &'static str, Style);

/// The worst first.
const GROUPS: [Group; 5] = [
    (Severity::Critical, "critical", RED.bold()),
    (Severity::Major, "major", RED),
    (Severity::Minor, "minor", YELLOW),
    (Severity::Info, "info", CYAN),
    (Severity::Note, "note", Style::DIM),
];

fn group(page: Page, message: &ReviewResult<'_>, (severity, label, style): Group) -> Page {
    let issues: Vec<_> = message.issues.iter().filter(|issue| issue.severity == severity).collect();
    if issues.is_empty() {
        return page;
    }
    let heading = Line::at(2).own(style, label).foreign(Style::DIM, &figures::grouped(issues.len()));
    issues.into_iter().fold(page.line(heading), issue)
}

fn issue(page: Page, issue: &Issue<'_>) -> Page {
    let place = match (issue.file.get(), issue.line.get()) {
        (file, line) if line.is_empty() => file.into_owned(),
        (file, line) => format!("{file}:{line}"),
    };
    let source = some(&issue.source).map(|source| Row::foreign(Style::DIM, &source));
    let line = Line::marked(4, Style::DIM, "• ").foreign(Style::BOLD, &place);
    let line = line.foreign(Style::DIM, issue.category.word()).right(source).wrapped();
    let page = page.line(line).more(Prose::at(6, Style::PLAIN, issue.content.get()));
    let suggestion = issue.suggestion.get();
    section(page, 6, "suggestion", Some(suggestion).filter(|text| !text.trim().is_empty()))
}
