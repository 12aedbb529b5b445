//! Long things in one line: inputs of tools, questions, answers.
//!
//! Owns how much of each is kept. The text stays as it came: whoever shows it makes it visible.

use codec::Outcome;
use codec::claude::answers_in;
use codec::journal::{Ask, Ended};
use codec::json::{Json, Object, Text};

/// As many characters as a line has: more would not be read.
const LONGEST: usize = 200;

/// The first line of a text that says something, with `…` where there is more.
pub(crate) fn line(text: &str) -> String {
    let text = text.trim();
    match text.split_once('\n') {
        Some((first, _)) => format!("{} …", short(first.trim_end())),
        None => short(text),
    }
}

/// What was printed and is no message.
pub(super) fn printed(bytes: &[u8]) -> String {
    line(&String::from_utf8_lossy(bytes))
}

/// The beginning of a text.
pub(crate) fn short(text: &str) -> String {
    let cut = text.char_indices().nth(LONGEST).and_then(|(at, _)| text.get(..at));
    cut.map_or_else(|| text.to_owned(), |head| format!("{head}…"))
}

/// What says most of a tool's input: the member that such tools have for it, or else all of it.
pub(crate) fn input(input: &Json<'_>) -> String {
    const TELLING: [&str; 8] =
        ["command", "file_path", "notebook_path", "pattern", "path", "url", "query", "description"];
    let object = Object::read(input.clone()).ok();
    let text = |name: &&str| Some(line(&object.as_ref()?.peek(name)?.as_text()?.get()));
    match TELLING.iter().find_map(text) {
        Some(text) => text,
        None if object.as_ref().is_some_and(|object| object.has("questions")) => {
            questions(input).unwrap_or_else(|| value(input))
        }
        None if object.is_some_and(|object| object.is_empty()) => String::new(),
        None => value(input),
    }
}

/// A value: what it says if it is a text, else its JSON.
pub(crate) fn value(json: &Json<'_>) -> String {
    match json.as_text() {
        Some(text) => line(&text.get()),
        None => line(json.raw()),
    }
}

/// An answer: what was chosen or written, without what stands around it.
pub(crate) fn answer(json: &Json<'_>) -> String {
    let answers = answers_in(json);
    if !answers.is_empty() {
        return line(&answers.into_iter().map(|(_, words)| words).collect::<Vec<_>>().join("; "));
    }
    let chosen = Object::read(json.clone()).ok().filter(|object| object.has("index"));
    match chosen.as_ref().and_then(|object| object.peek("value")) {
        Some(chosen) => value(chosen),
        None => value(json),
    }
}

/// May this tool run?
pub(crate) fn permission(name: &str, given: &Json<'_>) -> String {
    match (name, input(given)) {
        ("Bash", command) => format!("may it run {command}"),
        ("AskUserQuestion", words) => questions(given).unwrap_or(words),
        ("ExitPlanMode", _) => "may it begin with its plan".to_owned(),
        (name, about) => format!("may it use {} {about}", line(name)).trim_end().to_owned(),
    }
}

/// What an agent asks by its own tool.
fn questions(given: &Json<'_>) -> Option<String> {
    let given = Object::read(given.clone()).ok()?;
    let asked = given.peek("questions")?.as_list()?;
    let text = |one: &Json<'_>| member(one, "question");
    Some(line(&asked.iter().filter_map(text).collect::<Vec<_>>().join(" ")))
}

/// What a question asks.
pub(crate) fn question(ask: &Ask<'_>) -> String {
    let config = ask.config.as_ref();
    if let Some(words) = config.and_then(questions) {
        return words;
    }
    let of_tool = || {
        let tool = Object::read(ask.tool.clone()?).ok()?;
        Some(permission(&tool.peek("name")?.as_text()?.get(), tool.peek("input")?))
    };
    let words = config.and_then(|config| member(config, "question").or_else(|| member(config, "message")));
    words.map(|words| line(&words)).or_else(of_tool).unwrap_or_else(|| or_nothing_said(String::new()))
}

/// A question that has no words.
pub(crate) fn or_nothing_said(words: String) -> String {
    if words.is_empty() { "(it does not say what it asks)".to_owned() } else { words }
}

fn member(json: &Json<'_>, name: &str) -> Option<String> {
    Some(Object::read(json.clone()).ok()?.peek(name)?.as_text()?.get().into_owned())
}

/// How a question ended, by whom, and with what answer.
pub(crate) fn ending(ended: &Ended<'_>) -> String {
    let source = ended.source.map(|source| format!(" ({})", source.word())).unwrap_or_default();
    let allowed = ended.value.as_ref().and_then(|value| {
        let value = Object::read(value.clone()).ok()?;
        value.peek("allow")?.as_flag()
    });
    match (ended.outcome, allowed, &ended.value) {
        (Outcome::Answered, Some(true), _) => format!("allowed{source}"),
        (Outcome::Answered, Some(false), _) => format!("denied{source}"),
        (Outcome::Answered, None, Some(given)) => format!("answered{source}: {}", answer(given)),
        (other, ..) => format!("{}{source}{}", outcome(other), because(ended.reason.as_ref())),
    }
}

/// Why nobody answered, in words for people instead of the one for programs.
fn because(reason: Option<&Text<'_>>) -> String {
    let Some(reason) = reason.map(Text::get) else { return String::new() };
    let words = match &*reason {
        "no_desk" => "nobody could be asked",
        "given_back" => "nobody could answer",
        "too_many" => "too many were open",
        "too_large" => "it is too large",
        "duplicate" => "its id was in use",
        "invalid" => "it is no question",
        "internal" => "a failure of tim's own",
        other => &line(other),
    };
    format!(": {words}")
}

/// An outcome in words.
pub(crate) fn outcome(outcome: Outcome) -> String {
    outcome.word().replace('_', " ")
}
