//! A list of options, made ready to be asked for each word of a command.
//!
//! Owns how one word is compared with the list: as a cluster of letters, or as a name, whole or cut short. Decides nothing
//! about what being on the list means.

use std::collections::HashSet;

use super::name;

/// Whether a long option may be cut short.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cut {
    May,
    MayNot,
}

const NULL_DEVICE: &str = "/dev/null";

/// The options of a list.
pub(super) struct Listed {
    /// the letters of the short ones
    letters: Vec<char>,
    /// letters whose value may stand behind them in the same word
    values: [&'static str; 2],
    /// the long ones, as they are written
    long: Vec<&'static str>,
    /// the same, as the more generous programs compare them
    long_names: HashSet<String>,
    /// all names, as those programs compare them that write every option in one way
    names: HashSet<String>,
    /// words without a dash
    words: Vec<&'static str>,
}

impl Listed {
    pub(super) fn new(listed: &'static str, values: &'static str, attached: &'static str) -> Self {
        let all = || listed.split_whitespace();
        let letter = |one: &str| {
            let mut rest = one.strip_prefix('-')?.chars();
            rest.next().filter(|_| rest.next().is_none())
        };
        Self {
            letters: all().filter_map(letter).collect(),
            values: [values, attached],
            long: all().filter(|one| one.starts_with("--")).collect(),
            long_names: all().filter(|one| one.starts_with("--")).map(normal).collect(),
            names: all().map(normal).collect(),
            words: all().filter(|one| !one.starts_with('-')).collect(),
        }
    }

    /// Whether a word is, or has among its letters, one of the options.
    pub(super) fn has(&self, word: &str, cut: Cut) -> bool {
        if !word.starts_with("--") {
            let is_sign = ["+", "@"].iter().any(|sign| word.starts_with(sign) && self.words.contains(sign));
            return is_sign
                || self.words.contains(&word)
                || self.letters_of(word).any(|one| self.letters.contains(&one));
        }
        match cut {
            _ if word == "--" => false,
            Cut::May => self.long.iter().any(|one| one.starts_with(name(word))),
            Cut::MayNot => self.long_names.contains(&normal(name(word))),
        }
    }

    /// Whether one of the options has this name, with one dash, two or none.
    pub(super) fn has_name(&self, name: &str) -> bool {
        self.names.contains(&normal(name))
    }

    /// Whether a word may be meant for one of the long options, however many dashes it has.
    pub(super) fn may_mean(&self, word: &str) -> bool {
        let name = normal(word);
        word.starts_with('-') && name.len() > 1 && self.names.iter().any(|one| one.starts_with(&name))
    }

    /// Whether a word is one of the options, or has no other letters.
    pub(super) fn is_made_of(&self, word: &str) -> bool {
        match word {
            "--" => true,
            _ if word.starts_with("--") => self.long.contains(&name(word)),
            _ => self.letters_of(word).all(|letter| self.letters.contains(&letter)),
        }
    }

    /// Whether what an output option writes is thrown away.
    pub(super) fn goes_nowhere(&self, word: &str, next: Option<&str>) -> bool {
        let is_output = |name: &str| matches!(name, "--output" | "--output-file" | "--output-document");
        let is_cluster = |letters: &str| letters.chars().skip(1).all(|letter| letter.is_ascii_alphabetic());
        match word.split_once('=') {
            Some((name, value)) if word.starts_with("--") => is_output(name) && value == NULL_DEVICE,
            _ if next != Some(NULL_DEVICE) => false,
            _ if word.starts_with("--") => is_output(word),
            // The `o` is the last letter of its cluster and the only one that counts.
            _ => word.strip_suffix('o').is_some_and(|before| {
                let counts = self.letters_of(before).any(|one| self.letters.contains(&one));
                is_cluster(before) && self.letters.contains(&'o') && !counts
            }),
        }
    }

    /// The letters of a cluster up to the first that has its value behind it.
    fn letters_of<'a>(&'a self, word: &'a str) -> impl Iterator<Item = char> + 'a {
        let cluster = word.strip_prefix('-').filter(|rest| !rest.starts_with('-')).unwrap_or_default();
        let mut is_value = false;
        let has_value = |letter: char| self.values.iter().any(|letters| letters.contains(letter));
        cluster.chars().take_while(move |letter| !std::mem::replace(&mut is_value, has_value(*letter)))
    }
}

/// A name as the more generous programs compare it: without dashes and low lines, in small letters, up to a dot.
fn normal(word: &str) -> String {
    let bare = word.trim_start_matches('-');
    let name = bare.strip_prefix("test.").unwrap_or(bare).split('.').next().unwrap_or_default();
    name.chars()
        .filter(|letter| !matches!(letter, '-' | '_'))
        .map(|letter| letter.to_ascii_lowercase())
        .collect()
}
