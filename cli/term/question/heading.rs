//! The first row of a question: who asks, for what, since when, and which of several it is.
//!
//! Owns those words. Who asks is never left out; on a narrow screen the row folds and the right side goes.

use std::time::Duration;

use actors::question::{Asks, Question, Tool};
use codec::json::Text;

use super::super::diff;
use super::super::style::{Row, Span, Style};
use super::super::wrap::{Breaks, Margin, fold};
use super::Here;
use super::block::About;
use super::draw::YELLOW;
use super::permission::tool::Wish;
use crate::duration;

/// What is asked for, as the end of a sentence.
#[derive(Debug, Clone)]
pub(super) struct Says {
    text: String,
    /// how many lines come and go
    lines: Option<(usize, usize)>,
}

impl Says {
    /// In words.
    pub(super) fn text(&self) -> &str {
        &self.text
    }
}

/// What each of the questions that are one is for.
pub(super) fn of(question: &Question, here: &Here) -> Vec<Says> {
    let asks = |header: Option<&Text<'_>>| Says { text: about(header), lines: None };
    match &question.asks {
        Asks::Permission(tool) => {
            let wish = Wish::of(tool, &here.place);
            vec![Says { text: wish.says, lines: wish.lines }]
        }
        Asks::Questions(asked, _) => asked.questions.iter().map(|one| asks(one.header.as_ref())).collect(),
        Asks::Prompt(_, config) => vec![asks(config.header.as_ref())],
    }
}

fn about(header: Option<&Text<'_>>) -> String {
    match header.map(|header| cut(&header.get(), WIDEST_HEADER)).filter(|header| !header.trim().is_empty()) {
        Some(header) => format!("asks: {header}"),
        None => "asks".to_owned(),
    }
}

/// The agent below the asker, as it calls itself.
pub(super) fn agent(question: &Question) -> Option<String> {
    let tool: &Tool = question.tool()?;
    let id = || tool.agent_id.as_ref().map(|id| format!("agent {}", id.get()));
    tool.agent_name.as_ref().map(|name| name.get().into_owned()).or_else(id)
}

const WIDEST_HEADER: usize = 40;
const WIDEST_NAME: usize = 30;
/// How many names of a long path are shown at its end; the first always is.
const LAST_NAMES: usize = 3;

/// The row; several where it is narrow.
pub(super) fn rows(
    says: Option<&Says>,
    agent: Option<&str>,
    number: (usize, usize),
    about: &About<'_>,
    columns: usize,
) -> Vec<Row> {
    let style = YELLOW.bold();
    let names: Vec<&str> = about.who.iter().map(String::as_str).chain(agent).collect();
    let mut text = Row::foreign(style, &path(&names));
    let wish = says.map_or("asks", |says| says.text.as_str());
    text = text.and(Span::own(style, " ")).and(Span::foreign(style, wish));
    let sign = Row::own(style, "? ");
    let whole = sign.clone().then(&text);
    if whole.width() <= columns {
        let lines = says.and_then(|says| says.lines).map(diff::counted);
        let right: Vec<Row> = lines.into_iter().chain(right(number, about)).collect();
        return vec![whole.with_right(&right, columns)];
    }
    fold(&text, &Margin::hanging(sign), columns, Breaks::Words)
}

/// The heading of a question of our own: it asks to be looked at.
pub(super) fn own(says: &str, columns: usize) -> Vec<Row> {
    fold(&Row::foreign(YELLOW, says), &Margin::hanging(Row::own(YELLOW, "! ")), columns, Breaks::Words)
}

/// The heading of a step inside a question.
pub(super) fn step(says: &'static str, columns: usize) -> Vec<Row> {
    let style = YELLOW.bold();
    fold(&Row::own(style, says), &Margin::hanging(Row::own(style, "? ")), columns, Breaks::Words)
}

fn path(names: &[&str]) -> String {
    let left_out = names.len().saturating_sub(LAST_NAMES + 1);
    let first = names.iter().take(1).map(|name| cut(name, WIDEST_NAME));
    let dots = (left_out > 0).then(|| "…".to_owned());
    let last = names.iter().skip(1 + left_out).map(|name| cut(name, WIDEST_NAME));
    first.chain(dots).chain(last).collect::<Vec<_>>().join(" › ")
}

fn cut(text: &str, columns: usize) -> String {
    Row::foreign(Style::PLAIN, &text.replace('\n', " ")).fit(columns).text()
}

/// When it came, how long it may still wait, and which it is.
fn right((at, count): (usize, usize), about: &About<'_>) -> Vec<Row> {
    let mut time = Row::foreign(Style::DIM, about.time);
    if about.age >= MINUTE {
        let age = format!("{} ago", duration::written(in_minutes(about.age)));
        time = time.and(Span::own(Style::DIM, ", ")).and(Span::foreign(YELLOW, &age));
    }
    let left = about.left.map(|left| {
        let (shown, style) =
            if left >= MINUTE { (in_minutes(left), Style::DIM) } else { (in_seconds(left), YELLOW) };
        Row::foreign(style, &format!("{} left", duration::written(shown)))
    });
    let one_of = (count > 1).then(|| format!("question {} of {count}", at + 1));
    let waits = (about.waiting > 1).then(|| format!("1 of {}", about.waiting));
    let numbers = one_of.into_iter().chain(waits).map(|text| Row::foreign(Style::DIM, &text));
    let time = Some(time).filter(|time| time.width() > 0);
    time.into_iter().chain(left).chain(numbers).collect()
}

const MINUTE: Duration = Duration::from_secs(60);

fn in_minutes(duration: Duration) -> Duration {
    Duration::from_secs(duration.as_secs() / 60 * 60)
}

fn in_seconds(duration: Duration) -> Duration {
    Duration::from_secs(duration.as_secs())
}
