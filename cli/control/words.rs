//! What a person writes in a shell, as the answer to a question. Pure.
//!
//! Owns which words mean what for each kind of question. Guesses nothing: what may mean two things is an error that says
//! what to write. Whether the answer fits is the run's to say.

use actors::question::{Asks, Question};
use codec::claude::Question as AgentQuestion;
use codec::events::REJECT;
use codec::json::{Json, Text, Written as _};
use codec::tunnel::{Choice, PromptConfig, PromptKind, Scalar};

/// The answer that these words are.
pub(super) fn answer(
    question: &Question,
    words: &[String],
    reason: Option<&str>,
) -> Result<Json<'static>, String> {
    let all = words.join(" ");
    if let (Some(_), false) = (reason, matches!(question.asks, Asks::Permission(_)) && is_no(&all)) {
        return Err("--reason is for a no to a permission: leave it out".to_owned());
    }
    match &question.asks {
        Asks::Permission(_) => permission(&all, reason),
        Asks::Prompt(kind, config) => prompt(*kind, config, words, &all),
        Asks::Questions(asked, _) => questions(&asked.questions, words, &all),
    }
}

fn is_yes(word: &str) -> bool {
    ["y", "yes", "true"].iter().any(|yes| word.eq_ignore_ascii_case(yes))
}

fn is_no(word: &str) -> bool {
    ["n", "no", "false"].iter().any(|no| word.eq_ignore_ascii_case(no))
}

fn text(text: &str) -> Json<'static> {
    Text::new(text).into_json()
}

fn permission(word: &str, reason: Option<&str>) -> Result<Json<'static>, String> {
    let allow = match () {
        () if is_yes(word) => true,
        () if is_no(word) => false,
        () => return Err("a permission is answered by y or n".to_owned()),
    };
    Ok(Json::object(|out| {
        out.member("allow", |to| allow.write(to));
        if let Some(reason) = reason {
            out.member("reason", |to| Text::new(reason).write(to));
        }
    }))
}

fn prompt(
    kind: PromptKind,
    config: &PromptConfig<'_>,
    words: &[String],
    all: &str,
) -> Result<Json<'static>, String> {
    let choices = config.choices.as_deref().unwrap_or_default();
    match kind {
        PromptKind::Confirm if is_yes(all) => Ok(Json::of(&true)),
        PromptKind::Confirm if is_no(all) => Ok(Json::of(&false)),
        PromptKind::Confirm => Err("it is answered by y or n".to_owned()),
        PromptKind::Input | PromptKind::Text => Ok(text(all)),
        PromptKind::Select => chosen(choices, all).map(|(_, choice)| Json::written(&choice.value)),
        PromptKind::Checkbox => several(choices, words),
        PromptKind::Approval => approval(choices, all),
        PromptKind::Choice => choice(choices, all),
        PromptKind::PrefixSelect => Ok(prefix(config, all)),
    }
}

fn approval(choices: &[Choice<'_>], word: &str) -> Result<Json<'static>, String> {
    let named = choices.iter().position(|choice| choice.name.is(word));
    match named {
        Some(0) => Ok(text("approve")),
        Some(_) => Ok(text(REJECT)),
        None if is_yes(word) || word == "approve" => Ok(text("approve")),
        None if is_no(word) || word == REJECT => Ok(text(REJECT)),
        None => Err("it is answered by approve or reject, or y or n".to_owned()),
    }
}

fn choice(choices: &[Choice<'_>], word: &str) -> Result<Json<'static>, String> {
    match chosen(choices, word) {
        Ok((index, choice)) => Ok(Json::object(|out| {
            out.member("index", |to| (index as u64).write(to));
            out.member("value", |to| choice.value.write(to));
        })),
        Err(_) if is_no(word) || word == REJECT => Ok(text(REJECT)),
        Err(why) => Err(format!("{why}, or reject")),
    }
}

/// Any of the choices, one for each word.
fn several(choices: &[Choice<'_>], words: &[String]) -> Result<Json<'static>, String> {
    let is_none =
        matches!(words, [none] if none == "none") && !choices.iter().any(|choice| choice.name.is("none"));
    let words = if is_none { &[] } else { words };
    let chosen: Vec<Json<'static>> = words
        .iter()
        .map(|word| chosen(choices, word).map(|(_, choice)| Json::written(&choice.value)))
        .collect::<Result<_, _>>()?;
    let list = chosen.iter().map(Json::raw).collect::<Vec<_>>().join(",");
    Json::parse(&format!("[{list}]")).map(Json::into_owned).ok_or_else(|| "no list".to_owned())
}

/// The choice of that name or value; else the one of that number, from 1.
fn chosen<'c>(choices: &'c [Choice<'c>], word: &str) -> Result<(usize, &'c Choice<'c>), String> {
    let is_called = |choice: &Choice<'_>| choice.name.is(word) || says(&choice.value) == word;
    let called: Vec<_> = choices.iter().enumerate().filter(|(_, choice)| is_called(choice)).collect();
    match called.as_slice() {
        [one] => return Ok(*one),
        [_, ..] => return Err(format!("{word} may be any of {} choices; say its number", called.len())),
        [] => {}
    }
    let number = word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let numbered = number.and_then(|at| Some((at, choices.get(at)?)));
    numbered.ok_or_else(|| {
        let names: Vec<_> = choices.iter().map(|choice| choice.name.get()).collect();
        format!("{word} is none of the choices: {}", names.join(", "))
    })
}

fn says(value: &Scalar<'_>) -> String {
    match value {
        Scalar::Text(text) => text.get().into_owned(),
        Scalar::Number(number) => number.raw().to_owned(),
        Scalar::Flag(flag) => flag.to_string(),
    }
}

/// The words that a command begins with; a yes, or all of them, is the whole command.
fn prefix(config: &PromptConfig<'_>, words: &str) -> Json<'static> {
    let command = config.command.as_ref().map(Text::get).unwrap_or_default();
    let is_exact = is_yes(words) || words == command;
    Json::object(|out| {
        out.member("command", |to| Text::new(if is_exact { &command } else { words }).write(to));
        out.member("exact", |to| is_exact.write(to));
    })
}

/// One word for each question; if there is one question, all of them are its answer.
fn questions(asked: &[AgentQuestion<'_>], words: &[String], all: &str) -> Result<Json<'static>, String> {
    let each: Vec<Json<'static>> = match asked {
        [one] => vec![one_of(one, all)],
        _ if asked.len() == words.len() => {
            asked.iter().zip(words).map(|(one, word)| one_of(one, word)).collect()
        }
        _ => {
            return Err(format!(
                "there are {} questions: give one word for each, in quotes if need be",
                asked.len()
            ));
        }
    };
    let list = each.iter().map(Json::raw).collect::<Vec<_>>().join(",");
    Json::parse(&format!("{{\"answers\":[{list}]}}"))
        .map(Json::into_owned)
        .ok_or_else(|| "no list".to_owned())
}

/// Options by label or number, several with commas between them where that may be; anything else is the person's own text.
fn one_of(question: &AgentQuestion<'_>, word: &str) -> Json<'static> {
    let option = |word: &str| {
        let called = question.options.iter().position(|option| option.label.is(word));
        let number = || word.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
        called.or_else(|| number().filter(|at| *at < question.options.len()))
    };
    let several = || word.split(',').map(|part| option(part.trim())).collect::<Option<Vec<usize>>>();
    let options = option(word).map(|one| vec![one]).or_else(|| several().filter(|_| question.is_multiple()));
    match options {
        Some(options) => Json::object(|out| out.raw_member("\"options\"", Json::of(&options).raw())),
        None => text(word),
    }
}

#[cfg(test)]
mod tests;
