//! Texts with other words in the place of what must not be read. Pure.
//!
//! Owns that the same text always gets the same words, so that what belonged together still does: a record without its
//! secrets can be replayed. Takes as long as the text is, however many secrets there are.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use super::find::is_border;

/// What is replaced, by what, and how often it was.
#[derive(Debug, Default)]
pub(super) struct Cover {
    /// what is replaced in every place
    whole: HashMap<String, usize>,
    /// their lengths, and how they begin: where none begins so, none is
    lengths: BTreeSet<usize>,
    heads: HashSet<Vec<u8>>,
    head: usize,
    /// what is replaced only as a word of its own
    words: BTreeMap<String, usize>,
    /// what stands in their place
    masks: Vec<Mask>,
    /// how many of each kind there are
    kinds: HashMap<String, usize>,
    /// what stands for what may be any word, which is replaced in one place alone
    any: Option<usize>,
}

/// What stands in the place of what looks like a secret.
pub(super) const REDACTED: &str = "REDACTED";

/// How sure it is that a text must not be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Sure {
    /// it looks so
    Looks,
    /// somebody says so
    Said,
}

/// What stands in the place of a text, and how often it does.
#[derive(Debug)]
pub(super) struct Mask {
    /// how sure it is
    sure: Sure,
    /// what is said of all of its kind
    pub(super) kind: String,
    /// the very words
    pub(super) words: String,
    /// how often
    pub(super) times: u64,
}

/// So many bytes tell whether something may begin here.
const LONGEST_HEAD: usize = 8;

impl Cover {
    /// A text that is replaced wherever it stands. Those of a kind are counted.
    pub(super) fn hide(&mut self, text: &str, kind: &str, sure: Sure) {
        if text.is_empty() || self.whole.contains_key(text) {
            return;
        }
        let count = self.kinds.entry(kind.to_owned()).or_default();
        *count += 1;
        let words = format!("{kind}-{count}");
        self.enter(text, self.masks.len());
        self.masks.push(Mask { sure, kind: kind.to_owned(), words, times: 0 });
    }

    /// Another way to write a text that is hidden: the same words stand in its place.
    pub(super) fn hide_also(&mut self, way: &str, text: &str) {
        let mask = self.whole.get(text).copied();
        if let Some(mask) = mask.filter(|_| !way.is_empty() && !self.whole.contains_key(way)) {
            self.enter(way, mask);
        }
    }

    fn enter(&mut self, text: &str, mask: usize) {
        self.whole.insert(text.to_owned(), mask);
        self.lengths.insert(text.len());
        self.begin(text);
    }

    /// A shorter text than any before makes all beginnings shorter.
    fn begin(&mut self, text: &str) {
        let head = text.len().min(LONGEST_HEAD);
        if self.head == 0 || head < self.head {
            self.head = head;
            self.heads = self
                .whole
                .keys()
                .filter_map(|text| text.as_bytes().get(..head))
                .map(<[u8]>::to_vec)
                .collect();
        } else if let Some(head) = text.as_bytes().get(..self.head) {
            self.heads.insert(head.to_vec());
        }
    }

    /// A text that is replaced by these very words wherever it stands alone.
    pub(super) fn rename(&mut self, text: &str, to: &str) {
        if !text.is_empty() && text != to && !self.words.contains_key(text) {
            self.words.insert(text.to_owned(), self.masks.len());
            self.masks.push(Mask { sure: Sure::Said, kind: to.to_owned(), words: to.to_owned(), times: 0 });
        }
    }

    /// What stands in one place for what may be any word: it is counted, and left as it is everywhere else.
    pub(super) fn in_place(&mut self) -> &'static str {
        let at = *self.any.get_or_insert(self.masks.len());
        if at == self.masks.len() {
            let (kind, words) = (REDACTED.to_owned(), REDACTED.to_owned());
            self.masks.push(Mask { sure: Sure::Looks, kind, words, times: 0 });
        }
        if let Some(mask) = self.masks.get_mut(at) {
            mask.times += 1;
        }
        REDACTED
    }

    /// Whether something in this text must not be read, and somebody says so.
    pub(super) fn forbids(&self, text: &str) -> bool {
        (0..text.len()).any(|at| self.hidden_at(text, at, Sure::Said).is_some())
    }

    /// The text without any of them that is at least as sure; nothing if it has none. Where several overlap no part of any
    /// is left.
    pub(super) fn apply(&mut self, text: &str, least: Sure) -> Option<String> {
        let hidden = self.without_hidden(text, least);
        let renamed = self.renamed(hidden.as_deref().unwrap_or(text));
        renamed.or(hidden)
    }

    /// The longest of them that begins there.
    fn hidden_at(&self, text: &str, at: usize, least: Sure) -> Option<(usize, usize)> {
        let rest = text.get(at..)?;
        if !self.heads.contains(rest.as_bytes().get(..self.head)?) {
            return None;
        }
        let one = |length: &usize| {
            let mask = *self.whole.get(rest.get(..*length)?)?;
            (self.masks.get(mask)?.sure >= least).then_some((*length, mask))
        };
        self.lengths.iter().rev().find_map(one)
    }

    fn without_hidden(&mut self, text: &str, least: Sure) -> Option<String> {
        let mut places: Vec<(usize, usize, usize)> = Vec::new();
        if self.whole.is_empty() {
            return None;
        }
        for at in 0..text.len() {
            let Some((length, mask)) = self.hidden_at(text, at, least) else { continue };
            match places.last_mut() {
                Some((_, end, _)) if at < *end => *end = (*end).max(at + length),
                _ => places.push((at, at + length, mask)),
            }
        }
        self.replaced(text, &places)
    }

    /// The longest go first: one may be the beginning of another.
    fn renamed(&mut self, text: &str) -> Option<String> {
        let mut words: Vec<(String, usize)> =
            self.words.iter().map(|(word, mask)| (word.clone(), *mask)).collect();
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        let mut changed: Option<String> = None;
        for (word, mask) in words {
            let text = changed.as_deref().unwrap_or(text);
            let alone = text.match_indices(&word).filter(|(at, _)| stands_alone(text, *at, &word));
            let places: Vec<_> = alone.map(|(at, _)| (at, at + word.len(), mask)).collect();
            changed = self.replaced(text, &places).or(changed);
        }
        changed
    }

    fn replaced(&mut self, text: &str, places: &[(usize, usize, usize)]) -> Option<String> {
        let (mut covered, mut from) = (String::new(), 0);
        for (start, end, mask) in places {
            covered.push_str(text.get(from..*start).unwrap_or_default());
            if let Some(mask) = self.masks.get_mut(*mask) {
                covered.push_str(&mask.words);
                mask.times += 1;
            }
            from = *end;
        }
        covered.push_str(text.get(from..).unwrap_or_default());
        (!places.is_empty()).then_some(covered)
    }

    /// How often this text was replaced.
    pub(super) fn times(&self, text: &str) -> u64 {
        self.whole.get(text).and_then(|mask| self.masks.get(*mask)).map_or(0, |mask| mask.times)
    }

    /// What was hidden or renamed, in the order in which it was learnt; also what was found nowhere.
    pub(super) fn masks(&self) -> &[Mask] {
        &self.masks
    }
}

/// A path begins with a slash, whatever stands before it.
fn stands_alone(text: &str, at: usize, word: &str) -> bool {
    let (before, after) =
        (text.get(..at).unwrap_or_default(), text.get(at + word.len()..).unwrap_or_default());
    (word.starts_with('/') || is_border(before, is_letter)) && !after.chars().next().is_some_and(is_letter)
}

const fn is_letter(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_'
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_same_secret_gets_the_same_words_everywhere() {
        let mut cover = Cover::default();
        cover.hide("hunter22", "SECRET", Sure::Looks);
        cover.hide("hunter2233", "SECRET", Sure::Looks);
        let covered = cover.apply("a hunter22 b hunter2233 c hunter22", Sure::Looks);
        assert_eq!(covered.as_deref(), Some("a SECRET-1 b SECRET-2 c SECRET-1"));
        let counts: Vec<_> = cover.masks().iter().map(|mask| (mask.words.as_str(), mask.times)).collect();
        assert_eq!(counts, [("SECRET-1", 2), ("SECRET-2", 1)]);
        assert_eq!(cover.apply("nothing here", Sure::Looks), None);
    }

    #[test]
    fn a_name_is_replaced_only_as_a_word() {
        let mut cover = Cover::default();
        cover.rename("/home/jo", "/home/user");
        cover.rename("jo", "user");
        let covered =
            cover.apply("/home/jo/x -I/home/jo /home/john jo:jo \u{1b}[1mjo %2Fjo \\njo join", Sure::Looks);
        let expected = "/home/user/x -I/home/user /home/john user:user \u{1b}[1muser %2Fuser \\nuser join";
        assert_eq!(covered.as_deref(), Some(expected));
    }

    #[test]
    fn a_short_text_that_is_hidden_later_is_found_too() {
        let mut cover = Cover::default();
        cover.hide("a-long-secret", "LONG", Sure::Looks);
        cover.hide("xy", "SHORT", Sure::Looks);
        assert_eq!(
            cover.apply("a-long-secret, xy, axyb", Sure::Looks).as_deref(),
            Some("LONG-1, SHORT-1, aSHORT-1b")
        );
    }

    #[test]
    fn what_only_looks_so_can_be_left() {
        let mut cover = Cover::default();
        cover.hide("claude:main", "REDACTED", Sure::Looks);
        cover.hide("acme", "HIDDEN", Sure::Said);
        assert_eq!(cover.apply("claude:main/acme", Sure::Said).as_deref(), Some("claude:main/HIDDEN-1"));
        assert!(cover.forbids("x acme") && !cover.forbids("claude:main"));
    }

    proptest! {
        #[test]
        fn nothing_that_is_hidden_is_left(secrets in prop::collection::vec("[a-cü]{2,5}", 1..6), text in "[a-cü ]{0,80}") {
            let mut cover = Cover::default();
            secrets.iter().for_each(|secret| cover.hide(secret, "SECRET", Sure::Looks));
            let text = format!("{text}{}{text}", secrets.concat());
            let covered = cover.apply(&text, Sure::Looks).unwrap_or_default();
            for secret in &secrets {
                prop_assert!(!covered.contains(secret.as_str()), "{covered}");
            }
            prop_assert_eq!(cover.apply(&covered, Sure::Looks), None);
        }
    }
}
