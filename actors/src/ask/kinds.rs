//! One call for each kind of question.

use std::time::Duration;

use codec::json::{Field as _, Json, Object, Text};
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};

use crate::question::{Asks, Question};

use super::{NotAnswered, Person};

/// What every question has.
fn question(kind: PromptKind, config: PromptConfig<'static>, timeout: Option<Duration>) -> Question {
    let timeout_ms = timeout.map(|timeout| u64::try_from(timeout.as_millis()).unwrap_or(u64::MAX));
    Question { asks: Asks::Prompt(kind, Box::new(config)), timeout_ms, claimed: None }
}

fn says(message: &str) -> PromptConfig<'static> {
    PromptConfig::of(Text::new(message))
}

fn offers(message: &str, choices: Vec<Choice<'static>>) -> PromptConfig<'static> {
    PromptConfig { choices: Some(choices), ..says(message) }
}

/// Yes or no?
pub async fn prompt_confirm(
    person: &impl Person,
    message: &str,
    default: Option<bool>,
    timeout: Option<Duration>,
) -> Result<bool, NotAnswered> {
    let config = PromptConfig { default: default.map(Scalar::Flag), ..says(message) };
    let answer = person.ask(question(PromptKind::Confirm, config, timeout)).await?;
    answer.as_flag().ok_or_else(|| unexpected(&answer))
}

/// Which one of these? Gives the value of the choice.
pub async fn prompt_select(
    person: &impl Person,
    message: &str,
    choices: Vec<Choice<'static>>,
    default: Option<Scalar<'static>>,
    timeout: Option<Duration>,
) -> Result<Scalar<'static>, NotAnswered> {
    let config = PromptConfig { default, ..offers(message, choices) };
    let answer = person.ask(question(PromptKind::Select, config, timeout)).await?;
    Scalar::read(answer.clone()).map_err(|_| unexpected(&answer))
}

/// A line of text.
pub async fn prompt_input(
    person: &impl Person,
    message: &str,
    default: Option<&str>,
    timeout: Option<Duration>,
) -> Result<String, NotAnswered> {
    let default = default.map(|default| Scalar::Text(Text::new(default)));
    let config = PromptConfig { default, ..says(message) };
    let answer = person.ask(question(PromptKind::Input, config, timeout)).await?;
    text(&answer)
}

/// Which of these? Gives the values of the choices.
pub async fn prompt_checkbox(
    person: &impl Person,
    message: &str,
    choices: Vec<Choice<'static>>,
    timeout: Option<Duration>,
) -> Result<Vec<Scalar<'static>>, NotAnswered> {
    let answer = person.ask(question(PromptKind::Checkbox, offers(message, choices), timeout)).await?;
    let chosen = answer.as_list().ok_or_else(|| unexpected(&answer))?;
    let values = chosen.into_iter().map(|one| Scalar::read(one.into_owned()));
    values.collect::<Result<_, _>>().map_err(|_| unexpected(&answer))
}

/// May it be so? `names` are what the two answers are called, if not approve and reject.
pub async fn prompt_approval(
    person: &impl Person,
    message: &str,
    names: Option<[Choice<'static>; 2]>,
    timeout: Option<Duration>,
) -> Result<bool, NotAnswered> {
    let config = PromptConfig { choices: names.map(Vec::from), ..says(message) };
    let answer = person.ask(question(PromptKind::Approval, config, timeout)).await?;
    Ok(!is_reject(&answer))
}

/// Which one of these, or none? Gives the number of the choice, counted from 0.
pub async fn prompt_choice(
    person: &impl Person,
    message: &str,
    choices: Vec<Choice<'static>>,
    timeout: Option<Duration>,
) -> Result<Option<usize>, NotAnswered> {
    let answer = person.ask(question(PromptKind::Choice, offers(message, choices), timeout)).await?;
    if is_reject(&answer) {
        return Ok(None);
    }
    let object = Object::read(answer.clone()).map_err(|_| unexpected(&answer))?;
    let index = object.peek("index").and_then(|index| index.raw().parse().ok());
    index.map(Some).ok_or_else(|| unexpected(&answer))
}

/// Some text, or none.
pub async fn prompt_text(
    person: &impl Person,
    message: &str,
    timeout: Option<Duration>,
) -> Result<Option<String>, NotAnswered> {
    let answer = person.ask(question(PromptKind::Text, says(message), timeout)).await?;
    if is_reject(&answer) { Ok(None) } else { text(&answer).map(Some) }
}

fn is_reject(answer: &Json<'_>) -> bool {
    answer.as_text().is_some_and(|text| text.is("reject"))
}

fn text(answer: &Json<'_>) -> Result<String, NotAnswered> {
    answer.as_text().map(|text| text.get().into_owned()).ok_or_else(|| unexpected(answer))
}

/// Answers are checked before they come here, so this is never seen; but nothing is made up instead.
fn unexpected(answer: &Json<'_>) -> NotAnswered {
    NotAnswered::Refused(format!("The answer does not fit: {}", answer.raw()))
}
