//! How a question ended: one row, for good.
//!
//! Owns the words for each end. A row is cut at the edge of the screen; its sign and who decided always fit.

use std::time::Duration;

use actors::answer::{Given, Verdict};
use actors::end::End;
use actors::gate::Place;
use actors::question::{Asks, Question};
use codec::claude::{Answer, Question as AgentQuestion};
use codec::events::is_reject;
use codec::json::Json;
use codec::tunnel::{AnswerSource, PromptKind, Scope};

use super::super::measure::width;
use super::super::style::{Colour, Row, Span, Style};
use super::summary::{self, spoken};
use crate::duration;

/// An end, as it is told.
struct Told {
    sign: &'static str,
    colour: Colour,
    who: String,
    what: String,
}

/// The row of a question that ended at that time, and whose it was where that must be said. `note` is what else there is to
/// say of it, such as who was told.
pub(crate) fn row(
    question: &Question,
    end: &End,
    place: &Place,
    (time, whose): (&str, Option<&str>),
    note: Option<&str>,
    columns: usize,
) -> Row {
    let mut told = tell(question, end, place);
    if let Some(whose) = whose {
        told.what = format!("{whose}: {}", told.what);
    }
    if let Some(note) = note {
        told.what = format!("{} · {note}", told.what);
    }
    let style = if told.colour == Colour::Default { Style::DIM } else { Style::of(told.colour) };
    let row = Row::own(style, told.sign);
    let row = if columns < NARROWEST { row } else { row.and(Span::foreign(Style::DIM, &format!("{time} "))) };
    let row = row.and(Span::foreign(Style::DIM, &told.who));
    let padding = WHO_WIDTH.saturating_sub(width(&told.who)).max(2);
    let padding = if columns < NARROW { 2 } else { padding };
    let what = Span::foreign(Style::DIM, &told.what.replace('\n', " "));
    row.then(&Row::blanks(padding)).and(what).fit(columns)
}

const SECOND: Duration = Duration::from_secs(1);
const WHO_WIDTH: usize = 20;
/// Where the screen is narrower nothing is aligned.
const NARROW: usize = 60;
/// And here who decided matters more than when.
const NARROWEST: usize = 40;

fn tell(question: &Question, end: &End, place: &Place) -> Told {
    let what = summary::of(question, place);
    let ended = |colour, who: &str| Told { sign: "– ", colour, who: who.to_owned(), what: what.clone() };
    match end {
        End::Answered { value, given, source } => answered(question, value, given, *source, what),
        End::Declined => {
            Told { sign: "✗ ", colour: Colour::Red, who: "you gave no answer".to_owned(), what }
        }
        End::TimedOut { after_ms, .. } => {
            let after = Duration::from_millis(*after_ms);
            let whole = Duration::from_secs((after + Duration::from_millis(500)).as_secs());
            let after = duration::written(if after < SECOND { after } else { whole });
            ended(Colour::Yellow, &format!("nobody for {after}"))
        }
        End::Disconnected => ended(Colour::Default, "connection lost"),
        End::Cancelled { gone: true } => ended(Colour::Default, "agent gone"),
        End::Cancelled { gone: false } => ended(Colour::Default, "withdrawn"),
        End::Refused(why) => Told { what: format!("{what} · {why}"), ..ended(Colour::Yellow, "refused") },
    }
}

fn answered(
    question: &Question,
    value: &Json<'_>,
    given: &Given,
    source: AnswerSource,
    what: String,
) -> Told {
    match given {
        Given::Verdict(verdict) => decided(verdict, source, what),
        Given::Answers(answers) => said(source, chosen(question, answers)),
        Given::Value if is_rejection(question, value) => rejected(source, what),
        Given::Value => said(source, format!("{what} {}", value_in_words(question, value))),
    }
}

/// Whether it says no to all that is offered, which ends what the agent is at.
fn is_rejection(question: &Question, value: &Json<'_>) -> bool {
    let can_be = matches!(
        question.asks,
        Asks::Prompt(PromptKind::Approval | PromptKind::Choice | PromptKind::Text, _)
    );
    can_be && is_reject(value)
}

fn rejected(source: AnswerSource, what: String) -> Told {
    let (sign, colour) = if is_here(source) { ("✗ ", Colour::Red) } else { ("– ", Colour::Default) };
    Told { sign, colour, who: by(source, "no").to_owned(), what }
}

fn said(source: AnswerSource, what: String) -> Told {
    let (sign, colour) = if is_here(source) { ("✓ ", Colour::Green) } else { ("– ", Colour::Default) };
    Told { sign, colour, who: by(source, "answered").to_owned(), what }
}

/// Whether it was decided at this terminal, or by what this person set up here.
const fn is_here(source: AnswerSource) -> bool {
    matches!(source, AnswerSource::Terminal | AnswerSource::Rule | AnswerSource::Command)
}

fn by(source: AnswerSource, what: &'static str) -> &'static str {
    match (source, what) {
        (AnswerSource::Terminal, "no") => "you said no",
        (AnswerSource::Terminal, _) => "you answered",
        (AnswerSource::Rule, "no") => "rule said no",
        (AnswerSource::Rule, _) => "rule",
        (AnswerSource::Command, "no") => "command said no",
        (AnswerSource::Command, _) => "answer command",
        _ => "answered elsewhere",
    }
}

fn decided(verdict: &Verdict, source: AnswerSource, what: String) -> Told {
    let (sign, colour) = match (is_here(source), verdict.allow) {
        (false, _) => ("– ", Colour::Default),
        (true, true) => ("✓ ", Colour::Green),
        (true, false) => ("✗ ", Colour::Red),
    };
    let who = match (source, verdict.allow) {
        (AnswerSource::Terminal, true) => format!("you, {}", verdict.scope.word()),
        (source, true) => by(source, "yes").to_owned(),
        (source, false) => by(source, "no").to_owned(),
    };
    Told { sign, colour, who, what: decided_about(verdict, source, what) }
}

/// What it was decided about, and what more was said of it.
fn decided_about(verdict: &Verdict, source: AnswerSource, what: String) -> String {
    let rules = verdict.rules.join(" · ");
    let what = match source {
        AnswerSource::Terminal if verdict.is_grant() => rules,
        AnswerSource::Rule if !rules.is_empty() => format!("{what} · {rules}"),
        AnswerSource::Command if verdict.is_grant() => format!("{what} · {rules}"),
        AnswerSource::Terminal | AnswerSource::Rule | AnswerSource::Command => what,
        _ if verdict.is_grant() => format!("{what} · {} {rules}", allowed_for(verdict.scope)),
        _ if verdict.allow => format!("{what} · {}", allowed_for(verdict.scope)),
        _ => format!("{what} · not allowed"),
    };
    match verdict.reason.as_ref().filter(|_| source != AnswerSource::Rule) {
        Some(reason) => format!("{what} · \"{reason}\""),
        None => what,
    }
}

const fn allowed_for(scope: Scope) -> &'static str {
    match scope {
        Scope::Once => "allowed once",
        Scope::Session => "allowed this session:",
        Scope::Always => "allowed always:",
    }
}

/// What was chosen, question by question.
fn chosen(question: &Question, answers: &[Answer]) -> String {
    let Asks::Questions(asked, _) = &question.asks else { return String::new() };
    let one = |(question, answer): (&AgentQuestion<'_>, &Answer)| {
        let name = question.header.as_ref().unwrap_or(&question.question).get().into_owned();
        let labels = answer.options.iter().filter_map(|at| question.options.get(*at));
        let labels = labels.map(|option| option.label.get().into_owned()).chain(answer.text.clone());
        format!("{}: {}", name.trim_end_matches('?'), labels.collect::<Vec<_>>().join(", "))
    };
    asked.questions.iter().zip(answers).map(one).collect::<Vec<_>>().join(" · ")
}

/// A client's answer by the name that the person saw.
fn value_in_words(question: &Question, value: &Json<'_>) -> String {
    let Asks::Prompt(kind, config) = &question.asks else { return spoken(value) };
    let choices = config.choices.as_deref().unwrap_or_default();
    if let (PromptKind::Approval, Some(yes)) = (kind, choices.first()) {
        return yes.name.get().into_owned();
    }
    let name = |value: &Json<'_>| {
        let choice = choices.iter().find(|choice| Json::written(&choice.value).means(value));
        choice.map_or_else(|| spoken(value), |choice| choice.name.get().into_owned())
    };
    let member = |member: &str| {
        let object = codec::json::Object::read(value.clone()).ok()?;
        object.peek(member).map(|value| name(&value.clone().into_owned()))
    };
    match value.as_list() {
        Some(list) if list.is_empty() => "none".to_owned(),
        Some(list) => list.iter().map(name).collect::<Vec<_>>().join(", "),
        None => member("value").or_else(|| member("command")).unwrap_or_else(|| name(value)),
    }
}
