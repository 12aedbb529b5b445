//! What is said about a record without its secrets: to people in a row, to programs as an object. Pure.

use std::collections::BTreeSet;

use codec::json::{Json, Text, Written as _};
use codec::text::visible;

use super::cover::{Cover, Mask};

/// What was replaced, kind by kind: nobody reads a thousand numbers.
pub(super) fn in_words(cover: &Cover, hidden: &[String]) -> String {
    let mut kinds: Vec<(&str, u64, u64)> = Vec::new();
    for mask in cover.masks().iter().filter(|mask| mask.times > 0) {
        match kinds.iter_mut().find(|(kind, ..)| *kind == mask.kind) {
            Some((_, different, times)) => (*different, *times) = (*different + 1, *times + mask.times),
            None => kinds.push((&mask.kind, 1, mask.times)),
        }
    }
    let each: Vec<_> = kinds.iter().map(|kind| one_kind(*kind)).collect();
    let replaced = match each.is_empty() {
        true => "nothing was replaced".to_owned(),
        false => format!("replaced: {}", each.join(", ")),
    };
    let missing: Vec<_> = not_found(cover, hidden).map(|text| format!("--hide {}", visible(text))).collect();
    let missing =
        if missing.is_empty() { String::new() } else { format!("; not found: {}", missing.join(", ")) };
    format!("{replaced}{missing}; read it before you share it")
}

fn one_kind((kind, different, times): (&str, u64, u64)) -> String {
    match different {
        1 => format!("{} ×{times}", visible(kind)),
        _ => format!("{} ×{times} ({different} different)", visible(kind)),
    }
}

/// A text that was to be hidden and stands nowhere may be spelt in another way there.
fn not_found<'h>(cover: &Cover, hidden: &'h [String]) -> impl Iterator<Item = &'h String> {
    let texts: BTreeSet<&String> = hidden.iter().filter(|text| cover.times(text) == 0).collect();
    texts.into_iter()
}

/// The same for programs.
pub(super) fn in_json(cover: &Cover, hidden: &[String], replays: bool) -> String {
    let one = |mask: &Mask| {
        Json::object(|out| {
            out.member("by", |to| Text::new(&mask.words).write(to));
            out.member("times", |to| mask.times.write(to));
        })
    };
    let all: Vec<_> = cover.masks().iter().filter(|mask| mask.times > 0).map(one).collect();
    let missing: Vec<&str> = not_found(cover, hidden).map(String::as_str).collect();
    super::super::json::line(&Json::object(|out| {
        out.raw_member("\"replaced\"", &super::super::json::list(&all));
        out.raw_member("\"notFound\"", Json::of(&missing).raw());
        out.raw_member("\"replays\"", if replays { "true" } else { "false" });
    }))
}
