//! What a command can do beyond what its first words say: options and operands by which common programs run another
//! program, or write.
//!
//! Owns that knowledge, as a table ([`table`]) and a reader for each program that has a language of its own. A rule
//! covers such a word only by spelling it out. A program that is not in the table is taken by its words. Pure, and no
//! sandbox: what a program does with a file that it is given is not known here.

mod awk;
mod curl;
mod flags;
mod git;
pub(super) mod own;
mod runners;
mod sed;
mod table;
mod tools;

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use super::Place;
use super::shell::{Word, WordKind};
pub(super) use runners::looked_through;

/// A word by which a command runs or writes something.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Risk<'w> {
    /// which word: a rule must spell out at least one more than that
    pub(super) at: usize,
    /// the word to name, if one is to be named
    word: Option<&'w str>,
    /// what it does, or the whole reason
    does: Cow<'static, str>,
}

/// Only a rule for exactly this command covers it.
pub(super) const WHOLE: usize = usize::MAX - 1;

/// No rule covers it.
pub(super) const ALWAYS: usize = usize::MAX;

impl<'w> Risk<'w> {
    fn new(at: usize, why: impl Into<Cow<'static, str>>) -> Self {
        Self { at, word: None, does: why.into() }
    }

    /// At a word: names it.
    fn of(at: usize, word: &'w Word, does: &'static str) -> Self {
        Self { at, word: Some(&word.text), does: does.into() }
    }

    /// Why a rule must spell it out.
    pub(super) fn why(&self) -> String {
        match self.word {
            Some(word) => format!("`{}` {}", shortened(word), self.does),
            None => self.does.clone().into_owned(),
        }
    }
}

/// A risk at each word behind the program's name that is so.
fn where_words<'w>(words: &'w [Word], does: &'static str, is: impl Fn(usize, &str) -> bool) -> Vec<Risk<'w>> {
    let behind = words.iter().enumerate().skip(1);
    behind.filter(|(at, word)| is(*at, &word.text)).map(|(at, word)| Risk::of(at, word, does)).collect()
}

/// What is known of a program.
#[derive(Clone, Copy)]
enum Known {
    /// whatever it is given, it neither runs nor writes anything
    Inert,
    /// some of its options run or write
    Flags(flags::Flags),
    /// it needs to be looked at more closely
    Special(Look),
    /// it runs a program in its own language
    Interpreter,
    /// it runs another command
    Wrapper(Look),
}

/// Looks at all words of a command.
type Look = for<'w> fn(&'w [Word]) -> Vec<Risk<'w>>;

/// What a command runs or writes beyond what its first words say.
pub(super) fn risks<'w>(words: &'w [Word], place: &Place) -> Vec<Risk<'w>> {
    let Some(program) = words.first() else { return Vec::new() };
    let name = base_name(&program.text);
    let mut risks: Vec<_> = own::risks(words).into_iter().collect();
    let carried = runners::carried(words);
    risks.extend(match (known(name), carried) {
        (_, Some(begins)) => runners::carrier(words, begins),
        _ if name == "cd" => folder(words, place),
        (Some(Known::Special(look) | Known::Wrapper(look)), _) => look(words),
        (Some(Known::Interpreter), _) => runners::interpreter(words),
        (Some(Known::Flags(flags)), _) => flags.risks(words),
        (Some(Known::Inert) | None, _) => Vec::new(),
    });
    risks.extend(words.iter().enumerate().filter_map(|(at, word)| what_words_become(words, at, word, name)));
    risks
}

/// Whether a program neither runs nor writes anything, whatever it is given.
pub(super) fn is_inert(name: &str) -> bool {
    matches!(known(name), Some(Known::Inert))
}

/// Whether a program runs what it is given: nobody should grant it as such.
pub(super) fn is_runner(name: &str) -> bool {
    matches!(known(name), Some(Known::Interpreter | Known::Wrapper(_)))
}

/// What is known of a program: also under the name of one of its versions (`gcc-12`), as a GNU tool is called elsewhere
/// (`gsort`), and with the ending of another system.
fn known(name: &str) -> Option<Known> {
    let name = name.strip_suffix(".exe").unwrap_or(name);
    let plain = name.trim_end_matches(|letter: char| letter.is_ascii_digit() || matches!(letter, '.' | '-'));
    let of_gnu = name.strip_prefix('g').unwrap_or(name);
    [name, plain, of_gnu].into_iter().find_map(|name| PROGRAMS.get(name).copied())
}

/// Everything that is known, by the names of the programs. Put together once, because every part of a command asks.
static PROGRAMS: LazyLock<HashMap<&str, Known>> = LazyLock::new(|| programs().into_iter().collect());

fn programs() -> Vec<(&'static str, Known)> {
    let all = [
        ("git", Known::Special(git::risks)),
        ("sed", Known::Special(sed::risks)),
        ("awk goawk mawk nawk original-awk", Known::Special(awk::risks)),
        ("curl", Known::Special(curl::risks)),
        ("wget", Known::Special(curl::wget_risks)),
        ("tar bsdtar", Known::Special(tools::tar)),
        ("test [", Known::Special(tools::test)),
        ("printf", Known::Special(tools::printf)),
        ("make", Known::Special(tools::make)),
        ("just task", Known::Special(tools::just)),
        ("cmake ctest cpack", Known::Special(tools::cmake)),
        ("tsc", Known::Special(tools::tsc)),
        ("dd", Known::Special(tools::dd)),
        ("command", Known::Wrapper(runners::command)),
        ("env", Known::Wrapper(runners::env)),
        ("xargs", Known::Wrapper(runners::xargs)),
        (table::ONLY_WHOLE, Known::Special(runners::only_whole)),
        (runners::INTERPRETERS, Known::Interpreter),
        (runners::WRAPPERS, Known::Wrapper(runners::wrapper)),
        (table::INERT, Known::Inert),
    ];
    let flags = table::TABLE.iter().map(|(names, flags)| (*names, Known::Flags(*flags)));
    let all = all.into_iter().chain(flags);
    all.flat_map(|(names, known)| names.split_whitespace().map(move |name| (name, known))).collect()
}

/// Words that do not stay what they are.
fn what_words_become<'w>(words: &[Word], at: usize, word: &'w Word, name: &str) -> Option<Risk<'w>> {
    match word.kind {
        WordKind::Plain => None,
        WordKind::Pattern if is_inert(name) => None,
        WordKind::Pattern => Some(Risk::of(ALWAYS, word, "can become any words, also options")),
        WordKind::Document if git::is_message(words, at) => None,
        WordKind::Document => {
            Some(Risk::new(ALWAYS, "a here-document other than the message of `git commit`"))
        }
    }
}

/// A folder that is not certain to be inside the work.
fn folder<'w>(words: &'w [Word], place: &Place) -> Vec<Risk<'w>> {
    let inside = |folder: &str| {
        let is_literal = !folder.starts_with('-') && !folder.split('/').any(|name| name == "..");
        let root = place.root.trim_end_matches('/');
        let below = folder.strip_prefix(root).filter(|_| !root.is_empty());
        is_literal && !folder.is_empty() && (!folder.starts_with('/') || below.is_some_and(is_below))
    };
    match words {
        [_, folder] if inside(&folder.text) => Vec::new(),
        [_, folder, ..] => vec![Risk::of(1, folder, "is not a plain folder inside this one")],
        _ => vec![Risk::new(WHOLE, "leaves the folder")],
    }
}

fn is_below(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with('/')
}

/// The name of a program without its folder.
pub(super) fn base_name(program: &str) -> &str {
    program.rsplit('/').next().unwrap_or(program)
}

/// So much of a word as fits into a sentence.
pub(super) fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests;
