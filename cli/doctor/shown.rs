//! The rows as text for people, or as one JSON object for programs. Pure.

use codec::json::{Json, Text, Written as _};
use codec::text::escape_hidden;

use super::check::{Check, State};
use crate::fold::columns as width;

/// As many columns as a row has at most, and at least.
pub(super) const WIDEST: usize = 80;
const NARROWEST: usize = 30;
/// A sign, the name, and what stands between.
const MARGIN: usize = 12;
const ARROW: &str = "→ ";
const ARROW_WIDTH: usize = 2;

/// For people.
pub(super) fn text(checks: &[Check], columns: usize) -> String {
    let room = columns.clamp(NARROWEST, WIDEST) - MARGIN;
    let mut text = String::new();
    for check in checks {
        let head = format!("{} {:<9} ", check.state.sign(), check.name);
        push(&mut text, (&head, MARGIN), &check.found, room);
        if let Some(todo) = &check.todo {
            let head = format!("{:MARGIN$}{ARROW}", "");
            push(&mut text, (&head, MARGIN + ARROW_WIDTH), todo, room - ARROW_WIDTH);
        }
    }
    text.push('\n');
    push(&mut text, ("", 0), &summary(checks), room + MARGIN);
    text
}

/// A text behind its beginning, which takes so many columns; where it goes on there is nothing before it.
fn push(to: &mut String, (head, columns): (&str, usize), text: &str, room: usize) {
    let (mut begin, blank) = (head.to_owned(), " ".repeat(columns));
    for row in wrapped(text, room) {
        *to += format!("{begin}{row}").trim_end();
        to.push('\n');
        begin.clone_from(&blank);
    }
}

/// Words in rows of so many columns. A word that is longer than a row is broken.
fn wrapped(text: &str, room: usize) -> Vec<String> {
    let mut rows = vec![String::new()];
    for word in text.split(' ').flat_map(|word| pieces(word, room)) {
        match rows.last_mut() {
            Some(row) if row.is_empty() => *row = word,
            Some(row) if width(row) + 1 + width(&word) <= room => {
                row.push(' ');
                row.push_str(&word);
            }
            _ => rows.push(word),
        }
    }
    rows
}

fn pieces(word: &str, room: usize) -> Vec<String> {
    let mut pieces = vec![String::new()];
    for letter in word.chars() {
        let is_full =
            pieces.last().is_some_and(|piece| width(piece) + width(letter.encode_utf8(&mut [0; 4])) > room);
        if is_full {
            pieces.push(String::new());
        }
        if let Some(piece) = pieces.last_mut() {
            piece.push(letter);
        }
    }
    pieces
}

/// The last row.
fn summary(checks: &[Check]) -> String {
    let count = |state: State| checks.iter().filter(|check| check.state == state).count();
    let things = |count: usize| if count == 1 { "1 thing".to_owned() } else { format!("{count} things") };
    let better = match count(State::Warning) {
        0 => String::new(),
        count => format!("; {} could be better (!)", things(count)),
    };
    match count(State::Problem) {
        0 => format!("Nothing is in the way{better}."),
        1 => format!("1 thing is in the way (✗){better}."),
        count => format!("{count} things are in the way (✗){better}."),
    }
}

/// For programs.
pub(super) fn json(checks: &[Check]) -> String {
    let list: Vec<String> = checks.iter().map(|check| one(check).raw().to_owned()).collect();
    let is_ok = checks.iter().all(|check| check.state != State::Problem);
    let object = Json::object(|out| {
        out.member("ok", |to| is_ok.write(to));
        out.raw_member("\"checks\"", &format!("[{}]", list.join(",")));
    });
    escape_hidden(object.raw()).unwrap_or_else(|| object.raw().to_owned()) + "\n"
}

fn one(check: &Check) -> Json<'static> {
    let todo = check.todo.as_deref().map_or_else(Json::null, |todo| Text::new(todo).into_json());
    Json::object(|out| {
        out.member("name", |to| Text::new(check.name).write(to));
        out.member("state", |to| Text::new(check.state.word()).write(to));
        out.member("found", |to| Text::new(&check.found).write(to));
        out.member("todo", |to| todo.write(to));
    })
}
