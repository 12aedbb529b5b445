//! Names whose values are secrets: of members, variables, flags and headers. Pure.

/// The last word of a name whose value is a secret.
const TELLING: [&str; 16] = [
    "pwd",
    "pass",
    "pat",
    "jwt",
    "sig",
    "passwords",
    "secrets",
    "authorization",
    "cookie",
    "cookies",
    "bearer",
    "basic",
    "credentials",
    "mnemonic",
    "otp",
    "netrc",
];

/// The same, also where other words are glued to it: `PGPASSWORD`.
const GLUED: [&str; 7] = ["password", "passwd", "passphrase", "secret", "token", "apikey", "credential"];

/// A key is one only of these: most are no secret.
const KEYS: [&str; 12] = [
    "api",
    "access",
    "account",
    "secret",
    "private",
    "shared",
    "signing",
    "encryption",
    "auth",
    "deploy",
    "master",
    "license",
];

/// Headers, whose values are more than one word.
const HEADERS: [&str; 3] = ["authorization", "cookie", "cookies"];

/// Whether a name says that its value is a secret: by its last words.
pub(crate) fn says_secret(name: &str) -> bool {
    // Nobody calls anything so: it is a text.
    if name.len() > 100 {
        return false;
    }
    let words = telling_words(name);
    let [.., last] = words.as_slice() else { return false };
    if TELLING.contains(&last.as_str()) || is_glued(last) {
        return true;
    }
    let [.., before, last] = words.as_slice() else { return false };
    last == "key" && KEYS.contains(&before.as_str()) || last == "id" && before == "secret"
}

/// Whether all that stands behind the name in its row is the value.
pub(super) fn is_header(name: &str) -> bool {
    telling_words(name).last().is_some_and(|last| HEADERS.contains(&last.as_str()))
}

fn is_glued(word: &str) -> bool {
    let is_key = |of: &str| KEYS.iter().any(|key| of.ends_with(key));
    GLUED.iter().any(|telling| word.ends_with(telling)) || word.strip_suffix("key").is_some_and(is_key)
}

/// The words of a name without what only tells one of several from another: `ENCRYPTION_KEY_2`, `TOKENV2`. What a
/// key is the base of is as secret.
fn telling_words(name: &str) -> Vec<String> {
    let mut words: Vec<_> = words_of(name).iter().map(|word| without_number(word).to_owned()).collect();
    words.retain(|word| !word.is_empty());
    if words.len() > 1 && words.last().is_some_and(|last| last == "base") {
        words.pop();
    }
    words
}

fn without_number(word: &str) -> &str {
    let plain = word.trim_end_matches(|letter: char| letter.is_ascii_digit());
    match plain.strip_suffix('v').filter(|_| plain.len() < word.len()) {
        Some(before) if before.is_empty() || is_glued(before) => before,
        _ => plain,
    }
}

/// `apiKey`, `API_KEY` and `--api-key` are the words api and key.
fn words_of(name: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut was_lower = false;
    let mut begins = true;
    for letter in name.chars() {
        if !letter.is_ascii_alphanumeric() {
            begins = true;
            continue;
        }
        begins |= letter.is_ascii_uppercase() && was_lower;
        was_lower = letter.is_ascii_lowercase() || letter.is_ascii_digit();
        match words.last_mut() {
            Some(word) if !begins => word.push(letter.to_ascii_lowercase()),
            _ => words.push(letter.to_ascii_lowercase().to_string()),
        }
        begins = false;
    }
    words
}
