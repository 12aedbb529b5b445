//! Texts with other words in the place of what must not be read. Pure.
//!
//! Owns that the same text always gets the same words, so that what belonged together still does: a record without its
//! secrets can be replayed. The words have no letter that JSON or a shell would read as something else.

use std::collections::{BTreeMap, HashMap};

/// What is replaced, by what, and how often it was.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// what must not be read, by how it is told: in every place, or only as a word of its own
    whole: BTreeMap<String, (String, u64)>,
    words: BTreeMap<String, (String, u64)>,
    /// how many of each kind there are
    counts: HashMap<String, usize>,
}

/// As many are remembered; beyond that they are still replaced, all by the same words.
const MOST: usize = 10_000;

impl Cover {
    /// A text that is replaced wherever it stands. Those of a kind are counted.
    pub(super) fn hide(&mut self, text: &str, kind: &str) {
        if text.is_empty() || self.whole.contains_key(text) || self.whole.len() >= MOST {
            return;
        }
        let count = self.counts.entry(kind.to_owned()).or_default();
        *count += 1;
        self.whole.insert(text.to_owned(), (format!("{kind}-{count}"), 0));
    }

    /// A text that is replaced by these very words wherever it stands alone.
    pub(super) fn rename(&mut self, text: &str, to: &str) {
        if !text.is_empty() && text != to {
            self.words.insert(text.to_owned(), (to.to_owned(), 0));
        }
    }

    /// The text without any of them. The longest go first: one may be the beginning of another.
    pub(super) fn apply(&mut self, text: &str) -> String {
        let mut text = text.to_owned();
        for (is_word, all) in [(false, &mut self.whole), (true, &mut self.words)] {
            let mut hidden: Vec<_> = all.iter_mut().collect();
            hidden.sort_by_key(|(secret, _)| std::cmp::Reverse(secret.len()));
            for (secret, (to, count)) in hidden {
                let (covered, times) = replaced(&text, secret, to, is_word);
                *count += times;
                text = covered.unwrap_or(text);
            }
        }
        text
    }

    /// What was replaced how often, by what it was replaced.
    pub(super) fn counts(&self) -> Vec<(&str, u64)> {
        let all = self.whole.values().chain(self.words.values());
        all.filter(|(_, count)| *count > 0).map(|(to, count)| (to.as_str(), *count)).collect()
    }
}

fn replaced(text: &str, what: &str, to: &str, is_word: bool) -> (Option<String>, u64) {
    let (mut covered, mut from, mut times) = (String::new(), 0, 0);
    for (at, _) in text.match_indices(what) {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + what.len()..).unwrap_or_default());
        if is_word && !(ends_word(before) && begins_other(after)) {
            continue;
        }
        covered.push_str(text.get(from..at).unwrap_or_default());
        covered.push_str(to);
        (from, times) = (at + what.len(), times + 1);
    }
    covered.push_str(text.get(from..).unwrap_or_default());
    ((times > 0).then_some(covered), times)
}

const fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

/// Whether a word can begin behind it: also behind an escaped line end or tab.
fn ends_word(before: &str) -> bool {
    let mut letters = before.chars().rev();
    match (letters.next(), letters.next()) {
        (Some('n' | 't' | 'r'), Some('\\')) => true,
        (Some(letter), _) => !is_letter(letter),
        (None, _) => true,
    }
}

fn begins_other(after: &str) -> bool {
    !after.chars().next().is_some_and(is_letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_secret_gets_the_same_words_everywhere() {
        let mut cover = Cover::default();
        cover.hide("hunter22", "SECRET");
        cover.hide("hunter2233", "SECRET");
        assert_eq!(cover.apply("a hunter22 b hunter2233 c hunter22"), "a SECRET-1 b SECRET-2 c SECRET-1");
        assert_eq!(cover.counts(), [("SECRET-1", 2), ("SECRET-2", 1)]);
    }

    #[test]
    fn a_name_is_replaced_only_as_a_word() {
        let mut cover = Cover::default();
        cover.rename("/home/jo", "/home/user");
        cover.rename("jo", "user");
        assert_eq!(
            cover.apply(r"/home/jo/x /home/john jo:jo \njo join"),
            r"/home/user/x /home/john user:user \nuser join"
        );
    }

    proptest! {
        #[test]
        fn nothing_that_is_hidden_is_left(secrets in prop::collection::vec("[a-z0-9]{8,12}", 1..4), text in "[a-z0-9 ]{0,80}") {
            let mut cover = Cover::default();
            secrets.iter().for_each(|secret| cover.hide(secret, "SECRET"));
            let text = format!("{text}{}{text}", secrets.concat());
            let covered = cover.apply(&text);
            for secret in &secrets {
                prop_assert!(!covered.contains(secret.as_str()), "{covered}");
            }
        }
    }
}
