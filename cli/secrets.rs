//! Which variables of the environment hold secrets, and text without their values.
//!
//! Owns how a secret is told: by the name of its variable, word by word, and by a value that somebody could not guess or
//! need to read. Pure: the variables are handed in. It errs on the side of the mask: a value too many costs a few words
//! of a record, one too few costs a key. What no variable holds it does not know.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::ffi::OsString;
use std::ops::Range;

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

/// A word of a name that says secret, wherever it stands. Also at the end of a word that was glued together: `DBPASSWORD`.
const TELLING: [&str; 11] = [
    "TOKEN",
    "TOKENS",
    "SECRET",
    "SECRETS",
    "PASSWORD",
    "PASSWORDS",
    "PASSWD",
    "PASSPHRASE",
    "CREDENTIAL",
    "CREDENTIALS",
    "APIKEY",
];

/// A word that says it only as a whole word: others end in it too, or say with it how something is done.
const WHOLE: [&str; 13] = [
    "KEY",
    "KEYS",
    "AUTH",
    "AUTHORIZATION",
    "BEARER",
    "COOKIE",
    "COOKIES",
    "JWT",
    "PASS",
    "PAT",
    "PRIVKEY",
    "PWD",
    "SESSION",
];

/// The last word of a name that only says something about a secret: where it is, how long it holds.
const ABOUT: [&str; 37] = [
    "ADDRESS",
    "ALGORITHM",
    "BUS",
    "CLASS",
    "COUNT",
    "DESKTOP",
    "DIR",
    "DIRECTORY",
    "DOMAIN",
    "ENABLED",
    "EXPIRY",
    "FILE",
    "FOLDER",
    "FORMAT",
    "HOME",
    "HOST",
    "LAYOUT",
    "LENGTH",
    "LIMIT",
    "MANAGER",
    "MECHANISM",
    "METHOD",
    "MODE",
    "NAME",
    "PATH",
    "PORT",
    "PROVIDER",
    "SIZE",
    "SOCK",
    "SOCKET",
    "TIMEOUT",
    "TTL",
    "TTY",
    "TYPE",
    "USER",
    "USERNAME",
    "VERSION",
];

/// Names that shells and desktops give to what is no secret: where one works, and in which session.
const HARMLESS: [&str; 5] =
    ["PWD", "DESKTOP_SESSION", "XDG_SESSION_ID", "TERM_SESSION_ID", "ITERM_SESSION_ID"];

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

/// What is said instead of yes and no.
const PLAIN: [&str; 6] = ["disabled", "optional", "required", "undefined", "anonymous", "localhost"];

impl Secrets {
    /// Those among these variables. What is no text is taken as it would be shown.
    pub(crate) fn of(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Self {
        let mut values = Vec::new();
        for (name, value) in variables {
            let (name, value) = (name.to_string_lossy(), value.to_string_lossy());
            if looks_secret(&name) && is_worth_hiding(value.trim()) {
                values.extend(ways(value.trim()).map(|text| Value { text, mask: format!("[{name}]") }));
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

/// Whether a variable of this name holds what nobody should read.
pub(crate) fn looks_secret(name: &str) -> bool {
    let words = words(name);
    let is_about = words.last().is_some_and(|last| ABOUT.contains(&last.as_str()));
    let is_telling = |word: &String| {
        WHOLE.contains(&word.as_str()) || TELLING.iter().any(|telling| word.ends_with(telling))
    };
    !is_about && !HARMLESS.contains(&name) && words.iter().any(is_telling)
}

/// The words of a name, in capitals: `npm_config__authToken` is NPM CONFIG AUTH TOKEN.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut was_small = false;
    for letter in name.chars() {
        let is_break = !letter.is_alphanumeric();
        if is_break || (was_small && letter.is_uppercase()) {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut().filter(|_| !is_break) {
            word.extend(letter.to_uppercase());
        }
        was_small = letter.is_lowercase();
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether a value could be a secret at all.
fn is_worth_hiding(value: &str) -> bool {
    let is_path = ROOTS.iter().any(|root| value.starts_with(root)) && !value.contains('\n');
    value.chars().count() >= SHORTEST && !is_path && !PLAIN.contains(&value.to_lowercase().as_str())
}
