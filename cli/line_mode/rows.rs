//! The text of a question, in rows.
//!
//! Shows everything that the answer decides about: a tool's input is shown whole. All text from outside goes through
//! [`Rows`], which makes it visible and keeps it out of our two columns.

use std::time::Duration;

use actors::question::{Asks, Tool};
use actors::router::Offer;
use codec::claude::{AskUserQuestion, Question as AgentQuestion};
use codec::json::{Json, Object, Text};
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};

use super::read::{is_default, words_of};
use crate::fold::Rows;
use crate::{duration, pretty};

/// The rows of a question; `at` is the place of the one that is asked now, if an agent asks several. How long it may
/// wait and how many others do is said with the first.
pub(super) fn of(offer: &Offer, at: usize, waiting: Option<usize>, columns: usize) -> Vec<String> {
    let mut rows = Rows::new(columns);
    rows.row("?", &head(offer, at));
    let to_type = match &offer.question.asks {
        Asks::Prompt(kind, config) => prompt(&mut rows, *kind, config),
        Asks::Permission(tool) => permission(&mut rows, tool),
        Asks::Questions(asked, tool) => {
            agent(&mut rows, tool);
            asked.questions.get(at).map(|question| one_of_several(&mut rows, question)).unwrap_or_default()
        }
    };
    if let Some(time) = waiting.and_then(|waiting| time_and_queue(offer.left_ms, waiting)) {
        rows.row("", &time);
    }
    rows.row("", &format!("{to_type}; {} gives no answer", super::DECLINE));
    rows.into_rows()
}

/// Who asks, and for what.
fn head(offer: &Offer, at: usize) -> String {
    let who = match offer.pid {
        Some(pid) => format!("{} (process {pid})", offer.path),
        None => offer.path.clone(),
    };
    let what = match &offer.question.asks {
        Asks::Prompt(kind, _) => wish(*kind).to_owned(),
        Asks::Permission(tool) => format!("wants to use {}", tool.name.get()),
        Asks::Questions(asked, _) => number_of(asked, at),
    };
    format!("{who} {what}")
}

const fn wish(kind: PromptKind) -> &'static str {
    match kind {
        PromptKind::Confirm => "asks yes or no",
        PromptKind::Input => "asks for an input",
        PromptKind::Select => "asks you to select one",
        PromptKind::Checkbox => "asks you to check any",
        PromptKind::PrefixSelect => "asks how much of a command counts",
        PromptKind::Approval => "asks for approval",
        PromptKind::Choice => "asks for your choice",
        PromptKind::Text => "asks for a text",
    }
}

fn number_of(asked: &AskUserQuestion<'_>, at: usize) -> String {
    match asked.questions.len() {
        0 | 1 => "asks".to_owned(),
        count => format!("asks, question {} of {count}", at + 1),
    }
}

fn time_and_queue(left_ms: Option<u64>, waiting: usize) -> Option<String> {
    let time = left_ms.map(|ms| format!("{} left", duration::written(Duration::from_millis(ms))));
    let queue = match waiting {
        0 => None,
        1 => Some("1 more question waits".to_owned()),
        many => Some(format!("{many} more questions wait")),
    };
    let both: Vec<_> = time.into_iter().chain(queue).collect();
    (!both.is_empty()).then(|| both.join(", "))
}

/// What a client's prompt says and offers, and what to type.
fn prompt(rows: &mut Rows, kind: PromptKind, config: &PromptConfig<'_>) -> String {
    let message = Some(&config.message).filter(|message| config.question.as_ref() != Some(message));
    for text in [config.header.as_ref(), message, config.question.as_ref()].into_iter().flatten() {
        said(rows, text);
    }
    let choices = config.choices.as_deref().unwrap_or_default();
    for (place, choice) in choices.iter().enumerate() {
        let (mark, number) = mark(kind, config, choice, place);
        option(rows, &format!("{mark}{number:>3}"), &choice.name, choice.description.as_ref());
    }
    if let Some(details) = config.details.as_ref().filter(|_| kind == PromptKind::Confirm) {
        rows.text("| ", details.get().trim_end_matches('\n'));
    }
    match kind {
        PromptKind::Input => default(rows, config),
        PromptKind::PrefixSelect => command(rows, config),
        _ => {}
    }
    if let Some(hint) = &config.validation_hint {
        rows.text("hint  ", &hint.get());
    }
    to_type(kind, config, choices)
}

/// A text that says nothing takes no row.
fn said(rows: &mut Rows, text: &Text<'_>) {
    if !text.is_empty() {
        rows.text("", &text.get());
    }
}

/// What stands in front of a choice: whether an empty line takes it, and what to type for it.
fn mark(
    kind: PromptKind,
    config: &PromptConfig<'_>,
    choice: &Choice<'_>,
    place: usize,
) -> (&'static str, String) {
    let number = (place + 1).to_string();
    match kind {
        PromptKind::Approval => ("  ", if place == 0 { "a" } else { "r" }.to_owned()),
        PromptKind::Checkbox if choice.checked == Some(true) => ("[x]", number),
        PromptKind::Checkbox => ("[ ]", number),
        PromptKind::Select if is_default(choice, config) => ("* ", number),
        _ => ("  ", number),
    }
}

fn option(rows: &mut Rows, number: &str, name: &Text<'_>, description: Option<&Text<'_>>) {
    rows.row("", &format!("{number}  {}", name.get()));
    if let Some(description) = description {
        rows.text("       ", &description.get());
    }
}

fn default(rows: &mut Rows, config: &PromptConfig<'_>) {
    if let Some(default) = &config.default {
        rows.row("", &format!("default  {}", words_of(default)));
    }
}

/// The command, and its words by number.
fn command(rows: &mut Rows, config: &PromptConfig<'_>) {
    let command = config.command.as_ref().map(Text::get).unwrap_or_default();
    rows.text("| ", &command);
    for (place, word) in command.split_whitespace().enumerate() {
        rows.row("", &format!("  {:>3}  {word}", place + 1));
    }
}

fn to_type(kind: PromptKind, config: &PromptConfig<'_>, choices: &[Choice<'_>]) -> String {
    let enter = |does: bool, otherwise: &str, what: &str| match does {
        true => format!("{otherwise}, Enter {what}"),
        false => otherwise.to_owned(),
    };
    match kind {
        PromptKind::Confirm if config.details.is_some() => "y to go on, n to stop".to_owned(),
        PromptKind::Confirm => match &config.default {
            Some(Scalar::Flag(true)) => "[Y/n]".to_owned(),
            Some(Scalar::Flag(false)) => "[y/N]".to_owned(),
            _ => "[y/n]".to_owned(),
        },
        PromptKind::Select => {
            let has_default = choices.iter().any(|choice| is_default(choice, config));
            enter(has_default, "number, or a name", "takes *")
        }
        PromptKind::Checkbox => {
            let is_checked = choices.iter().any(|choice| choice.checked == Some(true));
            enter(true, "numbers, - for none", if is_checked { "takes [x]" } else { "for none" })
        }
        PromptKind::Input => enter(config.default.is_some(), "your text", "takes the default"),
        PromptKind::PrefixSelect => "number of words to keep, e the exact command".to_owned(),
        PromptKind::Approval => "a approves, r rejects".to_owned(),
        PromptKind::Choice => "number, r rejects".to_owned(),
        PromptKind::Text => "your text, /reject rejects".to_owned(),
    }
}

/// What a tool would be given, whole, and what to type.
fn permission(rows: &mut Rows, tool: &Tool) -> String {
    agent(rows, tool);
    match Object::read(tool.input.clone()) {
        Ok(input) if !input.is_empty() => {
            for (name, value) in input.iter() {
                member(rows, &name, value);
            }
        }
        _ => json(rows, &tool.input),
    }
    if let Some(plan) = &tool.plan {
        member(rows, "plan", &plan.clone().into_json());
    }
    if let Some(reason) = &tool.reason {
        rows.text("why  ", &reason.get());
    }
    "y once, n no, n and words: no and tell it why".to_owned()
}

/// The agent below the asker, as it calls itself.
fn agent(rows: &mut Rows, tool: &Tool) {
    if let Some(name) = tool.agent_name.as_ref().or(tool.agent_id.as_ref()) {
        rows.row("", &format!("for its agent {}", name.get()));
    }
}

/// A text as it is, a longer one in rows of its own. One that has no exact text is shown as it stood on the wire.
fn member(rows: &mut Rows, name: &str, value: &Json<'_>) {
    let text = value.as_text();
    match text.as_ref().map(Text::get).filter(|text| !text.contains('\u{fffd}')) {
        Some(text) if text.contains('\n') => {
            rows.row("", &format!("{name}:"));
            rows.text("| ", &text);
        }
        Some(text) => rows.row("", &format!("{name}: {text}")),
        None => {
            rows.row("", &format!("{name}:"));
            json(rows, value);
        }
    }
}

fn json(rows: &mut Rows, value: &Json<'_>) {
    for row in pretty::rows(value) {
        rows.row("", &format!("| {row}"));
    }
}

/// One of an agent's questions, and what to type. Nothing is marked: an Enter chooses nothing.
fn one_of_several(rows: &mut Rows, question: &AgentQuestion<'_>) -> String {
    if let Some(header) = &question.header {
        said(rows, header);
    }
    rows.text("", &question.question.get());
    for (place, choice) in question.options.iter().enumerate() {
        option(rows, &format!("  {:>3}", place + 1), &choice.label, choice.description.as_ref());
        if let Some(preview) = &choice.preview {
            rows.text("       | ", &preview.get());
        }
    }
    let numbers = if question.is_multiple() { "numbers" } else { "number" };
    format!("{numbers}, or your own words")
}
