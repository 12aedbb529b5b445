//! `tim rules add` and `tim rules remove`: rules into the file, and out of it.
//!
//! Owns what is said about each rule. All of a command line happens or nothing of it.

use std::path::Path;

use actors::gate::rules::Rule;
use codec::text::visible;

use super::document::{Document, Entry};
use super::{List, TRUST, file, parsed};
use crate::args::{AddArgs, RemoveArgs};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::save::{self, Is, Target, Unchanged};
use crate::signals::Signals;

/// What becomes of the file, and what is told about it.
type Change = Result<(Option<Document>, Vec<String>), Unchanged>;

/// Runs `tim rules add`.
pub(super) fn add(args: &AddArgs, environment: &Environment) -> Code {
    let list = if args.deny { List::Deny } else { List::Allow };
    let rules = match parsed(&args.rules, None) {
        Ok(rules) => rules,
        Err(code) => return code,
    };
    change(environment, |old, path| added(old, path, list, &rules, &args.rules))
}

/// Runs `tim rules remove`.
pub(super) fn remove(args: &RemoveArgs, environment: &Environment) -> Code {
    let lists: &[List] = if args.deny { &[List::Deny] } else { &[List::Allow, List::Deny] };
    let rules = match parsed(&args.rules, None) {
        Ok(rules) => rules,
        Err(code) => return code,
    };
    change(environment, |old, _| removed(old, lists, &rules, &args.rules))
}

/// Changes the file. A signal while others have it ends us; one while it is written waits until that is done.
fn change(environment: &Environment, edit: impl FnOnce(&Document, &Path) -> Change) -> Code {
    let path = match file(environment) {
        Ok(path) => path,
        Err(why) => return crate::complain(&why, exit::USAGE),
    };
    crate::on_one_thread(async {
        let mut signals = match Signals::catch() {
            Ok(signals) => signals,
            Err(error) => return crate::complain(&format!("cannot start: {error}"), exit::INTERNAL),
        };
        tokio::select! {
            biased;
            changed = in_file(&path, |old| edit(old, &path)) => tell(changed),
            caught = signals.next() => Code::signal(caught.number),
        }
    })
}

/// Reads the file, lets it be changed and saves it.
async fn in_file(path: &Path, edit: impl FnOnce(&Document) -> Change) -> Result<Vec<String>, Unchanged> {
    save::change(&Target { path, trust: TRUST, is: Is::Private }, |text| {
        let old = Document::parse(path.to_owned(), text.unwrap_or_default()).map_err(Unchanged::Unusable)?;
        let (new, told) = edit(&old)?;
        Ok((new.map(|new| new.text().to_owned()), told))
    })
    .await
}

fn tell(changed: Result<Vec<String>, Unchanged>) -> Code {
    match changed {
        Ok(rows) => super::print(&rows, exit::SUCCESS),
        Err(why) => {
            let (rows, code) = why.told();
            rows.iter().for_each(|row| crate::warn(row));
            code
        }
    }
}

/// Adds allow rules that somebody has granted, without a word.
pub(super) async fn keep(path: &Path, texts: &[String]) -> Result<(), String> {
    let rules: Result<Vec<Rule>, _> = texts.iter().map(|text| Rule::parse(text)).collect();
    let rules = rules.map_err(|error| error.to_string())?;
    let saved = in_file(path, |old| added(old, path, List::Allow, &rules, texts)).await;
    saved.map(drop).map_err(Unchanged::why)
}

fn added(old: &Document, path: &Path, list: List, rules: &[Rule], texts: &[String]) -> Change {
    let (mut new, mut rows) = (None, Vec::new());
    for (rule, text) in rules.iter().zip(texts) {
        let now = new.as_ref().unwrap_or(old);
        let shown = visible(text);
        if now.find(list, rule).is_some() {
            rows.push(format!("there already: {list}  {shown}"));
        } else {
            new = Some(now.with(list, text).map_err(Unchanged::NotSaved)?);
            rows.push(format!("added: {list}  {shown}"));
        }
        if old.find(list.other(), rule).is_some() {
            rows.push("  it is in the other list too, and what is denied stays denied".to_owned());
        }
    }
    if new.is_some() {
        rows.push(format!("saved: {}", visible(&path.to_string_lossy())));
    }
    Ok((new, rows))
}

fn removed(old: &Document, lists: &[List], rules: &[Rule], texts: &[String]) -> Change {
    let (mut new, mut rows) = (old.clone(), Vec::new());
    for (rule, text) in rules.iter().zip(texts) {
        let is_there = lists.iter().any(|list| old.find(*list, rule).is_some());
        if !is_there {
            return Err(Unchanged::Missing(missing(old, lists, text)));
        }
        for list in lists {
            // One may stand there twice.
            while let Some(place) = new.find(*list, rule) {
                new = new.without(*list, place).map_err(Unchanged::NotSaved)?;
                rows.push(format!("removed: {list}  {}", visible(text)));
            }
        }
    }
    Ok((Some(new), rows))
}

/// How many of the nearest rules are named.
const NEAREST: usize = 3;

/// Says that a rule is not there, and which ones are nearly it.
fn missing(old: &Document, lists: &[List], text: &str) -> Vec<String> {
    let place = if lists.len() == 1 { "deny rule" } else { "rule" };
    let mut near: Vec<(usize, List, &Entry)> = Vec::new();
    for list in [List::Allow, List::Deny] {
        near.extend(old.rules(list).iter().map(|entry| (distance(text, &entry.text), list, entry)));
    }
    near.retain(|(distance, ..)| *distance <= text.chars().count().div_ceil(2));
    near.sort_by_key(|(distance, ..)| *distance);
    let hint = if near.is_empty() { "`tim rules list` shows what there is" } else { "the nearest ones:" };
    let mut rows =
        vec![format!("there is no {place} {}; nothing was changed", visible(text)), hint.to_owned()];
    let row = |(_, list, entry): (usize, List, &Entry)| format!("  {list:5}  {}", visible(&entry.text));
    rows.extend(near.into_iter().take(NEAREST).map(row));
    rows
}

/// Of longer rules only the beginning is compared.
const COMPARED: usize = 200;

/// How many letters are to be changed, put in or taken out to make one text of the other.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().take(COMPARED).collect();
    let mut costs: Vec<usize> = (0..=other.len()).collect();
    for (number, letter) in one.chars().take(COMPARED).enumerate() {
        let (mut row, mut left) = (vec![number + 1], number + 1);
        for (&diagonal, (&above, same)) in costs.iter().zip(costs.iter().skip(1).zip(&other)) {
            left = (diagonal + usize::from(letter != *same)).min(above + 1).min(left + 1);
            row.push(left);
        }
        costs = row;
    }
    costs.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_distance_counts_letters_changed_put_in_and_taken_out() {
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!([distance("", "abc"), distance("abc", ""), distance("ab", "ab")], [3, 3, 0]);
        assert_eq!(distance("Bash(git:*)", "Bash(gi:*)"), 1);
    }
}
