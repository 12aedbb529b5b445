//! Which deny rule is about a command.
//!
//! Reads widely where allow rules read narrowly: by the program's name whatever its path and case, with options before its
//! command, behind whatever runs another program, and in texts that such a program would run. What it misses is asked.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Place;
use super::options::{base_name, risks};
use super::rules::{Rule, RuleSet};
use super::shell::{self, Part, Word};

/// The deny rule that is about a command.
pub(super) fn denying<'r>(rules: &'r RuleSet, words: &[Word], place: &Place) -> Option<&'r Rule> {
    if !rules.deny.iter().any(Rule::is_for_commands) {
        return None;
    }
    let runs_another = !risks(words, place).is_empty();
    let inside = if runs_another { texts_inside(words) } else { Vec::new() };
    // Most rules are about programs that are not named here at all: with many rules and words that saves nearly all.
    let all = words.iter().chain(inside.iter().flat_map(|part| &part.words));
    let names: HashSet<Cow<'_, str>> = all.map(|word| in_small_letters(base_name(&word.text))).collect();
    let mut rules = rules
        .deny
        .iter()
        .filter(|rule| rule.program().is_some_and(|name| names.contains(in_small_letters(name).as_ref())));
    let starts = if runs_another { words.len() } else { 1 };
    rules.find(|rule| {
        let mut starting = (0..starts).filter_map(|start| words.get(start..));
        is_behind_options(rule, words)
            || starting.any(|words| is_about(rule, words))
            || inside.iter().any(|part| is_about(rule, &part.words) || is_behind_options(rule, &part.words))
    })
}

/// The commands in those words that are texts of a shell themselves, one deep.
fn texts_inside(words: &[Word]) -> Vec<Part> {
    let texts = words.iter().filter(|word| word.text.contains(char::is_whitespace));
    let parts =
        |word: &Word| shell::scan(&word.text).map_or_else(|unclear| unclear.parts, |script| script.parts);
    texts.flat_map(parts).collect()
}

fn in_small_letters(name: &str) -> Cow<'_, str> {
    match name.bytes().any(|byte| byte.is_ascii_uppercase()) {
        true => Cow::Owned(name.to_ascii_lowercase()),
        false => Cow::Borrowed(name),
    }
}

fn is_about(rule: &Rule, words: &[Word]) -> bool {
    words.split_first().is_some_and(|(program, rest)| rule.is_about(base_name(&program.text), rest))
}

/// Behind options nobody knows which word is a value and which the command: each may be.
fn is_behind_options(rule: &Rule, words: &[Word]) -> bool {
    let Some((program, rest)) = words.split_first() else { return false };
    let has_options = rest.first().is_some_and(|word| word.text.starts_with(['-', '+']));
    let mut starts = (1..rest.len()).filter_map(|at| rest.get(at..));
    has_options && starts.any(|rest| rule.is_about(base_name(&program.text), rest))
}
