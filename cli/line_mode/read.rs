//! What a typed line says to a question. Every answer made here fits its question; anything else is a hint.
//!
//! Pure, and strict where it matters: nothing but a clear yes approves, and an empty line only takes a default that was
//! shown.

use std::borrow::Cow;
use std::collections::BTreeSet;

use codec::claude::{Answer, Question as AgentQuestion};
use codec::events::REJECT;
use codec::json::{Json, Text, Written as _};
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};

/// An answer, or a hint at what would be one.
type Said = Result<Json<'static>, String>;

/// Reads the answer to a prompt of a client.
pub(super) fn prompt(kind: PromptKind, config: &PromptConfig<'_>, line: &str) -> Said {
    let choices = config.choices.as_deref().unwrap_or_default();
    let word = line.trim();
    match kind {
        PromptKind::Confirm => confirm(config, word),
        PromptKind::Select => select(config, choices, word),
        PromptKind::Checkbox => checkbox(choices, word),
        PromptKind::Input => Ok(input(config, line)),
        PromptKind::PrefixSelect => prefix(config, word),
        PromptKind::Approval => approval(choices, word),
        PromptKind::Choice => choice(choices, word),
        PromptKind::Text => text(line),
    }
}

fn confirm(config: &PromptConfig<'_>, word: &str) -> Said {
    match (yes_or_no(word), &config.default) {
        (Some(flag), _) => Ok(Json::of(&flag)),
        (None, Some(Scalar::Flag(flag))) if word.is_empty() => Ok(Json::of(flag)),
        _ => Err("write y or n".to_owned()),
    }
}

fn yes_or_no(word: &str) -> Option<bool> {
    match word.to_ascii_lowercase().as_str() {
        "y" | "yes" => Some(true),
        "n" | "no" => Some(false),
        _ => None,
    }
}

/// By number, else by name, else by value: people see the numbers and the names.
fn select(config: &PromptConfig<'_>, choices: &[Choice<'_>], word: &str) -> Said {
    let chosen = if word.is_empty() {
        choices.iter().find(|choice| is_default(choice, config))
    } else if let Some(number) = number(word, choices.len()) {
        choices.get(number)
    } else {
        let by_name = only(choices, |choice| choice.name.get().trim() == word)?;
        let by_value = only(choices, |choice| words_of(&choice.value).trim() == word);
        by_name.map_or(by_value, |choice| Ok(Some(choice)))?
    };
    let hint = || format!("write a number from 1 to {}, or a name", choices.len());
    chosen.map(|choice| Json::written(&choice.value)).ok_or_else(hint)
}

fn only<'c, 'a>(
    choices: &'c [Choice<'a>],
    fits: impl Fn(&Choice<'a>) -> bool,
) -> Result<Option<&'c Choice<'a>>, String> {
    let mut found = choices.iter().filter(|choice| fits(choice));
    match (found.next(), found.next()) {
        (_, Some(_)) => Err("there are several of this name: write a number".to_owned()),
        (found, None) => Ok(found),
    }
}

/// Whether a choice is what an empty line takes.
pub(super) fn is_default(choice: &Choice<'_>, config: &PromptConfig<'_>) -> bool {
    let value = Json::written(&choice.value);
    config.default.as_ref().is_some_and(|default| Json::written(default).means(&value))
}

/// A plain value as text.
pub(super) fn words_of<'s>(scalar: &'s Scalar<'_>) -> Cow<'s, str> {
    match scalar {
        Scalar::Text(text) => text.get(),
        Scalar::Number(number) => number.raw().into(),
        Scalar::Flag(flag) => flag.to_string().into(),
    }
}

/// The place of what a number from 1 to `count` means.
fn number(word: &str, count: usize) -> Option<usize> {
    let number: usize = is_number(word).then(|| word.parse().ok())??;
    number.checked_sub(1).filter(|place| *place < count)
}

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit())
}

fn parts(line: &str) -> impl Iterator<Item = &str> {
    line.split([' ', '\t', ',']).filter(|part| !part.is_empty())
}

fn checkbox(choices: &[Choice<'_>], word: &str) -> Said {
    let hint = || format!("write numbers from 1 to {}, or - for none", choices.len());
    let places: BTreeSet<usize> = match word {
        "" => {
            (0..).zip(choices).filter(|(_, choice)| choice.checked == Some(true)).map(|(at, _)| at).collect()
        }
        "-" => BTreeSet::new(),
        _ if parts(word).next().is_none() => return Err(hint()),
        _ => parts(word).map(|part| number(part, choices.len())).collect::<Option<_>>().ok_or_else(hint)?,
    };
    let chosen: Vec<_> =
        places.iter().filter_map(|at| choices.get(*at)).map(|choice| choice.value.clone()).collect();
    Ok(Json::written(&chosen))
}

/// A text may be of blanks, and may be empty where there is no default.
fn input(config: &PromptConfig<'_>, line: &str) -> Json<'static> {
    match &config.default {
        Some(Scalar::Text(default)) if line.is_empty() => Json::written(default),
        Some(default) if line.is_empty() => Text::new(&words_of(default)).into_json(),
        _ => Text::new(line).into_json(),
    }
}

fn prefix(config: &PromptConfig<'_>, word: &str) -> Said {
    let command = config.command.as_ref().map(Text::get).unwrap_or_default();
    let count = command.split_whitespace().count();
    let (kept, exact) = match number(word, count) {
        Some(place) => (first_words(&command, place + 1), false),
        None => (Some(command.as_ref()).filter(|_| count > 0 && word == "e"), true),
    };
    let kept = kept.ok_or_else(|| format!("write a number from 1 to {count}, or e for the exact command"))?;
    Ok(Json::object(|out| {
        out.member("command", |to| Text::new(kept).write(to));
        out.member("exact", |to| exact.write(to));
    }))
}

/// The beginning of a command up to the end of so many words.
fn first_words(command: &str, count: usize) -> Option<&str> {
    let mut left = count;
    let mut is_inside = false;
    for (at, letter) in command.char_indices() {
        if is_inside && letter.is_whitespace() {
            left = left.checked_sub(1)?;
            if left == 0 {
                return command.get(..at);
            }
        }
        is_inside = !letter.is_whitespace();
    }
    (is_inside && left == 1).then_some(command)
}

/// The first of two choices approves; what could mean both means neither.
fn approval(choices: &[Choice<'_>], word: &str) -> Said {
    let by_word = match word.to_ascii_lowercase().as_str() {
        "a" | "approve" => Some(true),
        "r" | "reject" => Some(false),
        _ => None,
    };
    let is_called = |choice: &Choice<'_>| !word.is_empty() && choice.name.get().trim() == word;
    let by_label = match choices {
        [yes, no] if is_called(yes) != is_called(no) => Some(is_called(yes)),
        _ => None,
    };
    match (by_word, by_label) {
        (Some(one), Some(other)) if one != other => Err("this could mean both".to_owned()),
        (Some(approves), _) | (None, Some(approves)) => {
            Ok(Json::of(if approves { "approve" } else { REJECT }))
        }
        (None, None) => Err("write a to approve or r to reject".to_owned()),
    }
}

fn choice(choices: &[Choice<'_>], word: &str) -> Said {
    if word.eq_ignore_ascii_case("r") {
        return Ok(Json::of(REJECT));
    }
    let hint = || format!("write a number from 1 to {}, or r to reject", choices.len());
    let place = number(word, choices.len()).ok_or_else(hint)?;
    let chosen = choices.get(place).ok_or_else(hint)?;
    Ok(Json::object(|out| {
        out.member("index", |to| to.push_str(&place.to_string()));
        out.member("value", |to| chosen.value.write(to));
    }))
}

/// The bare word would be taken for a rejection: it is asked for by its own line.
fn text(line: &str) -> Said {
    match line.trim() {
        "" => Err("write something, or /reject".to_owned()),
        "/reject" => Ok(Json::of(REJECT)),
        REJECT => Err("write /reject if you reject".to_owned()),
        _ => Ok(Text::new(line).into_json()),
    }
}

/// Reads the verdict on a tool. Only a clear yes is one, and it holds once; words behind a no are for the agent.
pub(super) fn permission(line: &str) -> Said {
    let line = line.trim();
    let (word, reason) = line.split_once([' ', '\t']).unwrap_or((line, ""));
    let reason = reason.trim();
    let allow = match yes_or_no(word) {
        Some(true) if reason.is_empty() => true,
        Some(false) => false,
        _ => return Err("write y to allow this once, n to refuse, or n and why".to_owned()),
    };
    Ok(Json::object(|out| {
        out.member("allow", |to| allow.write(to));
        out.raw_member("\"scope\"", "\"once\"");
        if !reason.is_empty() {
            out.member("reason", |to| Text::new(reason).write(to));
        }
    }))
}

/// Reads the answer to one of an agent's questions: numbers are options, anything else is the person's own words.
pub(super) fn answer(question: &AgentQuestion<'_>, line: &str) -> Result<Answer, String> {
    let words = line.trim();
    let count = question.options.len();
    if words.is_empty() {
        return Err(format!("write a number from 1 to {count}, or your own words"));
    }
    if parts(words).next().is_none() || !parts(words).all(is_number) {
        return Ok(Answer { options: Vec::new(), text: Some(words.to_owned()) });
    }
    let places: Option<BTreeSet<usize>> = parts(words).map(|part| number(part, count)).collect();
    let places = places.ok_or_else(|| format!("the options are 1 to {count}"))?;
    if places.len() > 1 && !question.is_multiple() {
        return Err("write one number only".to_owned());
    }
    Ok(Answer { options: places.into_iter().collect(), text: None })
}

/// All answers of an agent's questions, in their order.
pub(super) fn answers(answers: &[Answer]) -> Json<'static> {
    let one = |answer: &Answer| {
        Json::object(|out| {
            out.member("options", |to| Json::of(&answer.options).write(to));
            if let Some(text) = &answer.text {
                out.member("text", |to| Text::new(text).write(to));
            }
        })
    };
    let each: Vec<_> = answers.iter().map(one).collect();
    Json::object(|out| out.member("answers", |to| each.write(to)))
}
