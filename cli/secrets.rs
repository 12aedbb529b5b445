//! Which variables of the environment hold secrets, and text without their values.
//!
//! Owns how a secret is told: by the name of its variable, word by word, by a value that somebody could not guess or
//! need to read, and by its place in an address, whatever the variable is called. Pure: the variables are handed in. It errs on the side of the mask: a value too many costs a few words
//! of a record, one too few costs a key. What no variable holds it does not know.

mod address;
mod names;
#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Range;

pub(crate) use names::looks_secret;

/// The values that nobody should read, and what stands in their place.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Secrets {
    /// the longest first
    values: Vec<Value>,
}

/// One way in which a value may stand in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Value {
    text: String,
    /// `[NAME]`
    mask: String,
}

/// A shorter value is found by chance in other words, and protects nothing.
const SHORTEST: usize = 8;

/// Where paths begin. Anything else that begins with a slash may be base64.
const ROOTS: [&str; 21] = [
    "/bin/",
    "/boot/",
    "/dev/",
    "/etc/",
    "/home/",
    "/lib/",
    "/media/",
    "/mnt/",
    "/nix/",
    "/opt/",
    "/proc/",
    "/root/",
    "/run/",
    "/srv/",
    "/sys/",
    "/tmp/",
    "/usr/",
    "/var/",
    "/Users/",
    "/private/",
    "~/",
];

/// What is said instead of yes and no, and what everybody guesses first.
const PLAIN: [&str; 7] =
    ["disabled", "optional", "required", "undefined", "anonymous", "localhost", "password"];

impl Secrets {
    /// Those among these variables. What is no text is taken as it would be shown.
    pub(crate) fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut values = Vec::new();
        for (name, value) in variables {
            let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
            let whole = looks_secret(&name).then(|| value.trim().to_owned());
            for secret in whole.into_iter().chain(address::passwords(&value)) {
                if is_worth_hiding(&secret) {
                    values.extend(ways(&secret).map(|text| Value { text, mask: format!("[{name}]") }));
                }
            }
        }
        values.sort_by(|one, other| (other.text.len(), &one.mask).cmp(&(one.text.len(), &other.mask)));
        values.dedup_by(|one, other| one.text == other.text);
        Self { values }
    }

    /// Each value, behind the name of its variable.
    pub(crate) fn values(&self) -> impl Iterator<Item = (&str, &str)> {
        self.values.iter().map(|value| (value.mask.trim_matches(['[', ']']), value.text.as_str()))
    }

    /// The text with the name of its variable in the place of each value. Where several overlap no part of any is left, and
    /// the longest gives its name.
    pub(crate) fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        let mut found: Vec<(Range<usize>, &str)> = Vec::new();
        for value in &self.values {
            found.extend(places(text, &value.text).map(|place| (place, value.mask.as_str())));
        }
        if found.is_empty() {
            return Cow::Borrowed(text);
        }
        // The order of the lengths stays among those that begin at the same place.
        found.sort_by_key(|(place, _)| place.start);
        Cow::Owned(covered(text, found))
    }

    /// The words of a command line, as they may be written down.
    pub(crate) fn mask_all<'w>(&self, words: impl IntoIterator<Item = &'w OsString>) -> Vec<String> {
        words.into_iter().map(|word| self.mask(&word.to_string_lossy()).into_owned()).collect()
    }
}

/// The text with all these places covered.
fn covered(text: &str, found: Vec<(Range<usize>, &str)>) -> String {
    let mut united: Vec<(Range<usize>, usize, &str)> = Vec::new();
    for (place, mask) in found {
        match united.last_mut() {
            Some((whole, longest, shown)) if place.start < whole.end => {
                if place.len() > *longest {
                    (*longest, *shown) = (place.len(), mask);
                }
                whole.end = whole.end.max(place.end);
            }
            _ => united.push((place.clone(), place.len(), mask)),
        }
    }
    let (mut masked, mut at) = (String::with_capacity(text.len()), 0);
    for (place, _, mask) in united {
        masked.push_str(text.get(at..place.start).unwrap_or_default());
        masked.push_str(mask);
        at = place.end;
    }
    masked.push_str(text.get(at..).unwrap_or_default());
    masked
}

/// Where the value stands in the text, also where it overlaps with itself.
fn places<'t>(text: &'t str, value: &'t str) -> impl Iterator<Item = Range<usize>> + 't {
    let step = value.chars().next().map_or(1, char::len_utf8);
    let mut from = 0;
    std::iter::from_fn(move || {
        let start = from + text.get(from..)?.find(value)?;
        from = start + step;
        Some(start..start + value.len())
    })
}

/// How a value may stand in a text: as it is, as one of its lines, and as JSON and a log quote each of them.
fn ways(value: &str) -> impl Iterator<Item = String> {
    let lines = value.lines().map(str::trim).filter(|line| line.len() >= SHORTEST);
    std::iter::once(value).chain(lines).flat_map(|text| {
        let json = serde_json::Value::from(text).to_string();
        [text.to_owned(), unquoted(&json), unquoted(&format!("{text:?}"))]
    })
}

fn unquoted(quoted: &str) -> String {
    quoted.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(quoted).to_owned()
}

/// Whether a value could be a secret at all.
fn is_worth_hiding(value: &str) -> bool {
    let is_path = ROOTS.iter().any(|root| value.starts_with(root)) && !value.contains('\n');
    value.chars().count() >= SHORTEST && !is_path && !PLAIN.contains(&value.to_lowercase().as_str())
}
