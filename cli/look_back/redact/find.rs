//! What looks like a secret in a text. Pure.
//!
//! Owns the looks: known beginnings of keys and tokens, private keys, passwords in addresses, and values behind a name that
//! says secret. It errs on the side of the mask, and still knows only what it knows. However the text looks, it takes about
//! as long as the text is.

mod below;
mod keys;
mod names;
#[cfg(test)]
mod tests;
mod value;

pub(super) use names::says_secret;
pub(super) use value::is_value;

/// What keys and tokens begin with, and how many characters they have at least.
const BEGINNINGS: [(&str, usize); 36] = [
    ("sk-", 20),
    ("sk_live_", 16),
    ("sk_test_", 16),
    ("rk_live_", 16),
    ("whsec_", 16),
    ("ghp_", 20),
    ("gho_", 20),
    ("ghu_", 20),
    ("ghs_", 20),
    ("ghr_", 20),
    ("github_pat_", 20),
    ("glpat-", 16),
    ("xoxa-", 12),
    ("xoxb-", 12),
    ("xoxp-", 12),
    ("xoxs-", 12),
    ("xapp-", 12),
    ("AKIA", 20),
    ("ASIA", 20),
    ("AIza", 30),
    ("ya29.", 20),
    ("npm_", 30),
    ("pypi-", 20),
    ("hf_", 20),
    ("dop_v1_", 20),
    ("shpat_", 20),
    ("SG.", 20),
    ("eyJ", 30),
    ("AGE-SECRET-KEY-", 20),
    ("dckr_pat_", 16),
    ("glsa_", 20),
    ("lin_api_", 16),
    ("sntrys_", 20),
    ("vault:v1:", 16),
    ("hooks.slack.com/services/", 30),
    ("discord.com/api/webhooks/", 30),
];

/// Of a longer value so much is looked at.
const LONGEST: usize = 1 << 14;

/// Who comes without a password has none to hide, unless the name is as long as a token.
const SHORTEST_USER: usize = 16;

/// Hands every secret in a text to `found`.
pub(super) fn secrets_in<'t>(text: &'t str, mut found: impl FnMut(&'t str)) {
    tokens(text, &mut found);
    keys::private_keys(text, &mut found);
    addresses(text, &mut found);
    named(text, &mut found);
}

/// Whether a word can begin behind this: there is none before it, or only what a line end, a colour or an address leaves.
pub(super) fn is_border(before: &str, is_in: impl Fn(char) -> bool) -> bool {
    let mut letters = before.chars().rev();
    match (letters.next(), letters.next(), letters.next()) {
        (None, ..) => true,
        (Some('n' | 't' | 'r'), Some('\\'), _) => true,
        (Some(one), Some(two), Some('%')) if one.is_ascii_hexdigit() && two.is_ascii_hexdigit() => true,
        (Some('m'), ..) => ends_in_colour(before),
        (Some(letter), ..) => !is_in(letter),
    }
}

/// `ESC [ 1 ; 31 m`, also where the escape stands as text.
fn ends_in_colour(before: &str) -> bool {
    let digits = before.strip_suffix('m').unwrap_or(before);
    digits.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == ';').ends_with('[')
}

fn is_of_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-.".contains(letter)
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-".contains(letter)
}

fn begins_at(text: &str, at: usize) -> bool {
    is_border(text.get(..at).unwrap_or_default(), is_of_word)
}

/// What stands there, as far as it is of these letters and no secret would be longer.
fn run_of(text: &str, at: usize, is_in: impl Fn(char) -> bool) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end =
        (0..).zip(rest.char_indices()).find(|(count, (_, letter))| *count >= LONGEST || !is_in(*letter));
    rest.get(..end.map_or(rest.len(), |(_, (end, _))| end)).unwrap_or_default()
}

fn tokens<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (beginning, least) in BEGINNINGS {
        let is_address = beginning.ends_with('/');
        let is_in = |letter| is_of_token(letter) || letter == ':' || (is_address && letter == '/');
        for (at, _) in text.match_indices(beginning) {
            if !begins_at(text, at) {
                continue;
            }
            let token = run_of(text, at, is_in).trim_end_matches(['.', '-', ':']);
            // A word with dots is a token only if it has the three parts of one.
            let is_whole = beginning != "eyJ" || token.matches('.').count() == 2;
            if token.len() >= least && is_whole && is_random(token) {
                found(token);
            }
        }
    }
}

/// Whether it is no name that somebody made of words: those have neither digits nor capitals among small letters.
fn is_random(token: &str) -> bool {
    let has = |is: fn(&u8) -> bool| token.bytes().any(|byte| is(&byte));
    has(u8::is_ascii_digit) || (has(u8::is_ascii_uppercase) && has(u8::is_ascii_lowercase))
}

/// The password in `https://user:password@host`, or the token in `https://token@host`.
fn addresses<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (at, sign) in text.match_indices("://") {
        let is_in = |letter: char| !letter.is_whitespace() && !"/\"'\\<>`|".contains(letter);
        let place = run_of(text, at + sign.len(), is_in);
        let Some((user, _)) = place.rsplit_once('@') else { continue };
        let secret = match user.split_once(':') {
            Some((_, password)) => password,
            None if user.len() >= SHORTEST_USER && is_random(user) => user,
            None => continue,
        };
        if is_value(secret) {
            found(secret);
        }
    }
}

/// A value behind a name: `password=…`, `"api_key": "…"`, `--token …`, `Authorization: Bearer …`.
fn named<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    let mut at = 0;
    while let Some(start) = text.get(at..).and_then(|rest| rest.find(is_of_word)).map(|start| at + start) {
        let word = run_of(text, start, is_of_word);
        at = start + word.len();
        // Behind a backslash the first letter may be that of a line end.
        let name = if begins_at(text, start + 1) { word.get(1..).unwrap_or(word) } else { word };
        if !says_secret(name) && !says_secret(word) {
            continue;
        }
        let read = below::values(text.get(at..).unwrap_or_default(), found);
        at += read;
        let between = run_of(text, at, |letter| " \\\"':=>".contains(letter));
        if read > 0 || between.len() > MOST_BETWEEN || !sets(text, start, word, between) {
            continue;
        }
        let value = value_at(text, at + between.len(), names::is_header(word), between);
        if is_value(value) && !is_name(value) {
            found(value);
            parts(value, found);
            // Whatever else is named in it is hidden with it.
            at += between.len() + value.len();
        }
    }
}

/// A name in the place of a value is what programs are written with: `password: userPassword`. Few have digits, and most
/// passwords do.
fn is_name(value: &str) -> bool {
    says_secret(value) && !value.bytes().any(|byte| byte.is_ascii_digit())
}

/// The words of a value that may stand alone elsewhere: `Bearer …`, `a=…; b=…`.
fn parts<'t>(value: &'t str, found: &mut impl FnMut(&'t str)) {
    let is_between = |letter: char| letter.is_whitespace() || letter == ';';
    for part in value.split(is_between).filter(|part| part.len() < value.len()) {
        let part = part.split_once('=').map_or(part, |(_, value)| value);
        if part.len() >= 8 && is_random(part) && is_value(part) {
            found(part);
        }
    }
}

/// More than so many quotes, blanks and signs do not stand between a name and its value.
const MOST_BETWEEN: usize = 24;

/// Whether what stands between a name and another word makes that its value.
fn sets(text: &str, start: usize, word: &str, between: &str) -> bool {
    let is_scheme = ["bearer", "basic"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme));
    let before = || run_before(text, start);
    let is_login = || word == "password" && before().contains("login ");
    between.contains([':', '='])
        || between.starts_with(' ') && (is_scheme || word.starts_with("--") || is_login())
}

/// The end of the row before that place.
fn run_before(text: &str, at: usize) -> &str {
    let from = (at.saturating_sub(200)..=at).find(|from| text.is_char_boundary(*from)).unwrap_or(at);
    let before = text.get(from..at).unwrap_or_default();
    before.rsplit('\n').next().unwrap_or_default()
}

/// A value reaches to the quote that it stands in, one of a header to the end of the row, any other to a blank.
fn value_at<'t>(text: &'t str, at: usize, is_header: bool, between: &str) -> &'t str {
    let quote = between.chars().next_back().filter(|last| "\"'".contains(*last));
    let value = match quote {
        _ if value::begins_with_reference(text.get(at..).unwrap_or_default(), quote.is_some()) => "",
        Some(quote) => run_of(text, at, |letter| letter != quote && letter != '\n'),
        None if is_header => run_of(text, at, |letter| !"\n\r\"'".contains(letter)),
        None => run_of(text, at, |letter| !letter.is_whitespace() && !"\"';&|<>`".contains(letter)),
    };
    // Half an escape belongs to what stands behind it.
    let value = value.trim_end_matches(['\\', ' ']);
    if quote.is_some() { value } else { value.trim_end_matches([',', '.', ')', ']', '}', ':', '\\']) }
}
