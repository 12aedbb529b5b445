//! What looks like a secret in a text. Pure.
//!
//! Owns the looks: known beginnings of keys and tokens, private keys, passwords in addresses, and values behind a name that
//! says secret. The text may be JSON in JSON: a value never reaches over a quote or a backslash, so what is found stands
//! so at every depth, and putting a plain word in its place breaks nothing. It errs on the side of the mask, and still knows
//! only what it knows.

/// What keys and tokens begin with, and how many characters they have at least.
const BEGINNINGS: [(&str, usize); 34] = [
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
];

/// The last word of a name whose value is a secret.
const TELLING: [&str; 13] = [
    "password",
    "passwd",
    "passphrase",
    "pwd",
    "secret",
    "token",
    "apikey",
    "credential",
    "credentials",
    "authorization",
    "cookie",
    "bearer",
    "basic",
];

/// A key is one only of these: most are no secret.
const KEYS: [&str; 9] =
    ["api", "access", "secret", "private", "signing", "encryption", "auth", "deploy", "master"];

/// A value that is shorter hides nothing.
const SHORTEST: usize = 4;

const BEGIN: &str = "-----BEGIN ";
const PRIVATE: &str = "PRIVATE KEY-----";
const END: &str = "-----END ";

/// Hands every secret in a text to `found`.
pub(super) fn secrets_in<'t>(text: &'t str, mut found: impl FnMut(&'t str)) {
    tokens(text, &mut found);
    private_keys(text, &mut found);
    addresses(text, &mut found);
    named(text, &mut found);
}

fn is_of_token(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-.".contains(letter)
}

fn is_of_word(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-".contains(letter)
}

/// Whether a word can begin there: behind anything else than a letter, or behind an escaped line end or tab.
fn begins_at(text: &str, at: usize) -> bool {
    let mut before = text.get(..at).unwrap_or_default().chars().rev();
    match (before.next(), before.next()) {
        (Some('n' | 't' | 'r'), Some('\\')) => true,
        (Some(letter), _) => !is_of_word(letter),
        (None, _) => true,
    }
}

fn run_of(text: &str, at: usize, is_in: impl Fn(char) -> bool) -> &str {
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|letter: char| !is_in(letter)).unwrap_or(rest.len());
    rest.get(..end).unwrap_or_default()
}

fn tokens<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (beginning, least) in BEGINNINGS {
        for (at, _) in text.match_indices(beginning) {
            let token = run_of(text, at, |letter| is_of_token(letter) || letter == ':')
                .trim_end_matches(['.', '-', ':']);
            // A word with dots is a token only if it has the three parts of one.
            let is_whole = beginning != "eyJ" || token.matches('.').count() == 2;
            let has_digit = token.bytes().any(|byte| byte.is_ascii_digit());
            if token.len() >= least && is_whole && has_digit && begins_at(text, at) {
                found(token);
            }
        }
    }
}

/// All of a private key, as long as it stands in one piece of text.
fn private_keys<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (at, _) in text.match_indices(BEGIN) {
        let rest = text.get(at..).unwrap_or_default();
        let Some(head) = rest.find(PRIVATE).filter(|head| *head < 40) else { continue };
        let body = rest.get(head + PRIVATE.len()..).unwrap_or_default();
        let whole = body.get(..body.find(['"', '\'']).unwrap_or(body.len())).unwrap_or_default();
        // Also of half a key nothing is left.
        let body = whole.get(..whole.find(END).unwrap_or(whole.len())).unwrap_or_default();
        each_row(body, found);
    }
}

/// A key is replaced row by row: between its rows stands whatever the depth of the text makes of a line end.
fn each_row<'t>(body: &'t str, found: &mut impl FnMut(&'t str)) {
    let is_base64 = |letter: char| letter.is_ascii_alphanumeric() || "+/=".contains(letter);
    for row in body.split(|letter: char| !is_base64(letter)) {
        // The letter of an escaped line end stands before the row.
        let row = row.strip_prefix(['n', 'r']).filter(|row| row.len() % 4 == 0).unwrap_or(row);
        if row.len() >= 8 {
            found(row);
        }
    }
}

/// The password in `https://user:password@host`.
fn addresses<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (at, sign) in text.match_indices("://") {
        let is_in = |letter: char| !letter.is_whitespace() && !"/\"'\\<>`|".contains(letter);
        let place = run_of(text, at + sign.len(), is_in);
        if let Some((user, _)) = place.rsplit_once('@')
            && let Some((_, password)) = user.split_once(':')
            && is_value(password)
        {
            found(password);
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
        let is_flag = word.starts_with("--");
        let is_scheme = ["bearer", "basic"].iter().any(|scheme| word.eq_ignore_ascii_case(scheme));
        let between = run_of(text, at, |letter| " \\\"':=>".contains(letter));
        let is_set = between.contains([':', '=']) || (is_flag || is_scheme) && between.starts_with(' ');
        if !is_set || between.len() > 12 {
            continue;
        }
        let is_in = |letter: char| !letter.is_whitespace() && !"\"'\\,;&|)}]<>`".contains(letter);
        let value = run_of(text, at + between.len(), is_in);
        if is_value(value) && !says_secret(value) {
            found(value);
        }
    }
}

/// Whether something is worth hiding: no reference to a variable, no word that says that there is nothing.
fn is_value(value: &str) -> bool {
    let is_plain = ["true", "false", "null", "none", "undefined", "string", "required", "optional"]
        .iter()
        .any(|word| value.eq_ignore_ascii_case(word));
    let is_number = value.bytes().all(|byte| byte.is_ascii_digit()) && value.len() < 8;
    value.len() >= SHORTEST
        && !value.starts_with(['$', '[', '{', '<', '*', '%', '('])
        && !is_plain
        && !is_number
}

/// Whether a name says that its value is a secret: by its last words.
fn says_secret(name: &str) -> bool {
    let words = words_of(name);
    let [.., last] = words.as_slice() else { return false };
    if TELLING.contains(&last.as_str()) {
        return true;
    }
    matches!(words.as_slice(), [.., before, last] if last == "key" && KEYS.contains(&before.as_str()))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut all = Vec::new();
        secrets_in(text, |secret| all.push(secret));
        all.sort_unstable();
        all.dedup();
        all
    }

    #[test]
    fn keys_and_tokens_are_known_by_how_they_begin() {
        for token in [
            "sk-ant-api03-abcdefghij0123456789",
            "ghp_0123456789abcdefghij",
            "github_pat_11ABCDEFG0123456789",
            "AKIAIOSFODNN7EXAMPLE",
            "xoxb-123456789012-abc",
            "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcDEF123",
        ] {
            assert_eq!(found(&format!("x {token}, y")), [token]);
            assert_eq!(found(&format!(r#"{{\"line\":\"\\n{token}\"}}"#)), [token], "also in JSON in JSON");
        }
    }

    #[test]
    fn words_that_only_look_alike_are_left() {
        for text in [
            "task-list-of-all-the-things-1",
            "a risk-averse-approach-to-2026",
            "npm_config",
            "eyJust a word",
            "sk-short1",
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn a_value_behind_a_name_that_says_secret_is_one() {
        for (text, secret) in [
            ("password=hunter22", "hunter22"),
            (r#"{"apiKey": "abcd1234"}"#, "abcd1234"),
            (r#"\"client_secret\":\"s3cr3tvalue\""#, "s3cr3tvalue"),
            ("curl -H 'Authorization: Bearer abc.def-123'", "abc.def-123"),
            ("deploy --token abcdef99 --now", "abcdef99"),
            ("export DB_PASSWORD='p4ss w'", "p4ss"),
            ("postgres://me:pa55word@db.example/x", "pa55word"),
            (r"first\npassword: swordfish7", "swordfish7"),
        ] {
            assert!(found(text).contains(&secret), "{text}: {:?}", found(text));
        }
    }

    #[test]
    fn what_is_only_about_secrets_is_left() {
        for text in [
            r#""apiKeySource":"none""#,
            r#""input_tokens":12345,"output_tokens":99"#,
            r#"{"key":"7f3c.p14","requestId":"abc"}"#,
            "password=$PASSWORD",
            "token: ${{ secrets.TOKEN }}",
            "the secret is to keep going",
            r#""session_id":"3f0c1a52-9f6e-4d0e-9d0c-5b1f6f0f7a11""#,
            "https://example.org:8080/a@b",
            r#""tool_use_id":"toolu_01abcdef""#,
        ] {
            assert_eq!(found(text), Vec::<&str>::new(), "{text}");
        }
    }

    #[test]
    fn of_a_private_key_no_row_is_left() {
        let rows = ["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC", "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"];
        for between in ["\n", r"\n", r"\\n", r"\r\n"] {
            let key = format!(
                "-----BEGIN RSA PRIVATE KEY-----{between}{}{between}{}{between}-----END RSA PRIVATE KEY-----",
                rows[0], rows[1]
            );
            let all = found(&key);
            for row in rows {
                assert!(all.iter().any(|one| one.contains(row) || row.contains(one)), "{between:?}: {all:?}");
            }
        }
    }
}
