//! Whether an answer is one: checked against its question before it counts.
//!
//! A desk may be a person, another tim or a program; none of them is believed. What does not fit is not repaired: the
//! desk hears why, and the question stays open.

mod verdict;

use std::collections::HashMap;

use codec::claude::{Answer, AskUserQuestion, Question as AgentQuestion};
use codec::events::is_reject;
use codec::json::{Fault, Json, Kind, Object, Wrong};
use codec::tunnel::{Choice, PromptConfig, PromptKind};

pub use verdict::{LONGEST_RULE, MOST_RULES, Saved, Verdict, rules_member};

use crate::gate::rules::Rule;
use crate::question::{Asks, Question};

/// An answer that fits its question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Given {
    /// to a client's prompt: the value goes back as it is
    Value,
    /// to a permission
    Verdict(Verdict),
    /// to an agent's questions, one each
    Answers(Vec<Answer>),
}

impl Given {
    /// The rules that hold from now on, if it allows something for longer than once.
    #[must_use]
    pub fn granted(&self) -> Vec<Rule> {
        match self {
            Given::Verdict(verdict) => verdict.granted(),
            Given::Value | Given::Answers(_) => Vec::new(),
        }
    }
}

/// Checks an answer against its question.
pub fn check(question: &Question, value: &Json<'_>) -> Result<Given, Wrong> {
    match &question.asks {
        Asks::Prompt(kind, config) => check_prompt(*kind, config, value).map(|()| Given::Value),
        Asks::Permission(_) => Verdict::read(value).map(Given::Verdict),
        Asks::Questions(asked, _) => read_answers(asked, value).map(Given::Answers),
    }
}

fn check_prompt(kind: PromptKind, config: &PromptConfig<'_>, value: &Json<'_>) -> Result<(), Wrong> {
    let choices = config.choices.as_deref().unwrap_or_default();
    match kind {
        PromptKind::Confirm => hold(value.as_flag().is_some(), "true or false"),
        PromptKind::Input => hold(value.kind() == Kind::Text, "text"),
        PromptKind::Text => hold(
            value.as_text().is_some_and(|text| !text.get().trim().is_empty()),
            "text that says something",
        ),
        PromptKind::Select => {
            hold(choices.iter().any(|choice| is_value(choice, value)), "one of the choices")
        }
        PromptKind::Checkbox => check_several(choices, value),
        PromptKind::Approval => hold(says(value, "approve") || is_reject(value), "\"approve\" or \"reject\""),
        PromptKind::Choice if is_reject(value) => Ok(()),
        PromptKind::Choice => check_numbered(choices, value),
        PromptKind::PrefixSelect => check_prefix(config, value),
    }
}

fn hold(fits: bool, expected: &'static str) -> Result<(), Wrong> {
    if fits { Ok(()) } else { Err(Wrong::not_a(expected)) }
}

fn says(value: &Json<'_>, word: &str) -> bool {
    value.as_text().is_some_and(|text| text.is(word))
}

fn is_value(choice: &Choice<'_>, value: &Json<'_>) -> bool {
    Json::written(&choice.value).means(value)
}

/// Any of the choices, each as often as it was offered.
fn check_several(choices: &[Choice<'_>], value: &Json<'_>) -> Result<(), Wrong> {
    let expected = Wrong::not_a("a list of choices, each once");
    let chosen = value.as_list().ok_or_else(|| expected.clone())?;
    let mut offered: HashMap<Option<String>, usize> = HashMap::new();
    for choice in choices {
        *offered.entry(Json::written(&choice.value).plain_meaning()).or_default() += 1;
    }
    for one in &chosen {
        match offered.get_mut(&one.plain_meaning()) {
            Some(left @ 1..) => *left -= 1,
            _ => return Err(expected),
        }
    }
    Ok(())
}

/// A choice by its number, with its value beside it: both must say the same.
fn check_numbered(choices: &[Choice<'_>], value: &Json<'_>) -> Result<(), Wrong> {
    let expected = Wrong::not_a("\"reject\", or the index and the value of a choice");
    let object = Object::read(value.clone()).map_err(|_| expected.clone())?;
    let index = object.peek("index").and_then(|index| index.raw().parse::<usize>().ok());
    let choice = index.and_then(|index| choices.get(index)).ok_or_else(|| expected.clone())?;
    let same = object.peek("value").is_some_and(|value| is_value(choice, value));
    if same { Ok(()) } else { Err(expected) }
}

/// The whole command, or the words that it begins with.
fn check_prefix(config: &PromptConfig<'_>, value: &Json<'_>) -> Result<(), Wrong> {
    let expected = Wrong::not_a("the command, or the words it begins with, and whether it is exact");
    let object = Object::read(value.clone()).map_err(|_| expected.clone())?;
    let exact = object.peek("exact").and_then(Json::as_flag).ok_or_else(|| expected.clone())?;
    let prefix = object.peek("command").and_then(Json::as_text).map(|text| text.get().into_owned());
    let prefix = prefix.filter(|prefix| !prefix.trim().is_empty()).ok_or_else(|| expected.clone())?;
    let command = config.command.as_ref().map(|command| command.get().into_owned()).unwrap_or_default();
    let fits = match command.strip_prefix(&prefix) {
        Some("") => true,
        Some(rest) => {
            !exact && (rest.starts_with(char::is_whitespace) || prefix.ends_with(char::is_whitespace))
        }
        None => false,
    };
    if fits { Ok(()) } else { Err(expected) }
}

fn text(object: &mut Object<'_>, name: &str) -> Result<Option<String>, Wrong> {
    match object.take(name)? {
        None => Ok(None),
        Some(value) if value.kind() == Kind::Null => Ok(None),
        Some(value) => match value.as_text() {
            Some(text) => Ok(Some(text.get().into_owned())),
            None => Err(Wrong::new(name, Fault::NotA { expected: "text" })),
        },
    }
}

/// Reads `{"answers": …}`: under each question's text, or as a list in the order of the questions.
fn read_answers(asked: &AskUserQuestion<'_>, value: &Json<'_>) -> Result<Vec<Answer>, Wrong> {
    let mut object = Object::read(value.clone())?;
    let answers = object.take("answers")?.ok_or_else(|| Wrong::new("answers", Fault::Missing))?;
    let each = match answers.kind() {
        Kind::List => answers.as_list().unwrap_or_default().into_iter().map(Json::into_owned).collect(),
        _ => by_text(asked, answers).map_err(|wrong| wrong.within("answers"))?,
    };
    if each.len() != asked.questions.len() {
        return Err(Wrong::new("answers", Fault::NotA { expected: "one answer for each question" }));
    }
    let answers: Vec<Answer> =
        asked.questions.iter().zip(&each).map(read_answer).collect::<Result<_, _>>()?;
    asked.answered(&answers).map(|_| answers)
}

/// The input of the tool with these answers in it, as the agent got it; nothing if they do not fit.
pub(crate) fn as_told(asked: &AskUserQuestion<'_>, value: &Json<'_>) -> Option<Json<'static>> {
    asked.answered(&read_answers(asked, value).ok()?).ok()
}

/// Answers under the texts of their questions. Where two questions have the same text that tells neither.
fn by_text(asked: &AskUserQuestion<'_>, answers: Json<'_>) -> Result<Vec<Json<'static>>, Wrong> {
    let mut answers = Object::read(answers)?;
    let mut each = Vec::new();
    for question in &asked.questions {
        let text = question.question.get();
        let answer = answers.take(&text)?;
        each.push(answer.ok_or_else(|| Wrong::new(&text, Fault::Missing))?.into_owned());
    }
    match answers.iter().next() {
        Some((text, _)) => Err(Wrong::new(&text, Fault::NotA { expected: "a question that was asked" })),
        None => Ok(each),
    }
}

/// One answer: a label or free words, a list of them, or options by number with free words beside them.
fn read_answer((question, value): (&AgentQuestion<'_>, &Json<'_>)) -> Result<Answer, Wrong> {
    let wrong = || Wrong::not_a("a text, a list of texts, or options by number");
    let words = match value.kind() {
        Kind::Text => vec![value.clone()],
        Kind::List => value.as_list().unwrap_or_default(),
        Kind::Object => return by_number(value),
        _ => return Err(wrong()),
    };
    let mut answer = Answer::default();
    for word in &words {
        let word = word.as_text().ok_or_else(wrong)?;
        match question.options.iter().position(|option| option.label.is(&word.get())) {
            Some(number) => answer.options.push(number),
            None if answer.text.is_none() => answer.text = Some(word.get().into_owned()),
            None => return Err(Wrong::not_a("at most one text of your own")),
        }
    }
    Ok(answer)
}

fn by_number(value: &Json<'_>) -> Result<Answer, Wrong> {
    let mut object = Object::read(value.clone())?;
    let options = object.take("options")?.unwrap_or_else(|| Json::of::<[u8]>(&[]));
    let numbers = options.as_list().map(|list| list.iter().map(|one| one.raw().parse().ok()).collect());
    let options: Option<Vec<usize>> = numbers.flatten();
    let options =
        options.ok_or_else(|| Wrong::new("options", Fault::NotA { expected: "a list of numbers" }))?;
    Ok(Answer { options, text: text(&mut object, "text")? })
}

#[cfg(test)]
mod tests;
