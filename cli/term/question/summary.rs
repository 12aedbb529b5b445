//! A question in a few words, for one row of the screen.
//!
//! Owns those words. They are not made visible yet, and may be long: whoever shows them cuts.

use actors::gate::Place;
use actors::question::{Asks, Question, Tool};
use codec::json::{Json, Object};

use super::permission::tool::{file_field, short, text_of};

/// What is asked.
pub(crate) fn of(question: &Question, place: &Place) -> String {
    match &question.asks {
        Asks::Permission(tool) => of_tool(tool, place),
        Asks::Questions(asked, tool) => {
            let first = asked.questions.first().map(|one| one.question.get()).unwrap_or_default();
            one_row(&format!("{} \"{first}\"", tool.name.get()))
        }
        Asks::Prompt(_, config) => {
            let said = config.question.as_ref().unwrap_or(&config.message).get();
            one_row(
                config
                    .header
                    .as_ref()
                    .filter(|_| said.trim().is_empty())
                    .map_or(said.as_ref(), |_| "a question"),
            )
        }
    }
}

/// A tool, and the one thing that its use is about.
fn of_tool(tool: &Tool, place: &Place) -> String {
    const SUBJECTS: [&str; 5] = ["command", "url", "query", "pattern", "description"];
    let name = tool.name.get();
    let subject = Object::read(tool.input.clone()).ok().and_then(|input| {
        let file = file_field(&name).and_then(|field| text_of(&input, field)).map(|file| short(&file, place));
        let other = || SUBJECTS.iter().find_map(|field| text_of(&input, field));
        let any = || input.iter().find_map(|(_, value)| value.as_text().map(|text| text.get().into_owned()));
        file.or_else(other).or_else(any)
    });
    one_row(&match subject {
        Some(subject) => format!("{name} {subject}"),
        None => name.into_owned(),
    })
}

/// A value as a person would say it.
pub(super) fn spoken(value: &Json<'_>) -> String {
    match (value.as_text(), value.as_flag(), value.as_list()) {
        (Some(text), ..) => one_row(&text.get()),
        (_, Some(flag), _) => if flag { "yes" } else { "no" }.to_owned(),
        (_, _, Some(list)) => list.iter().map(spoken).collect::<Vec<_>>().join(", "),
        _ => one_row(value.raw()),
    }
}

/// More would not fit on any screen, and a text may have megabytes.
const LONGEST: usize = 1_000;

fn one_row(text: &str) -> String {
    text.trim().chars().take(LONGEST).collect::<String>().replace('\n', " ")
}
