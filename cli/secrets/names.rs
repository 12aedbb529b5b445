//! Names of variables that hold secrets. Pure.

/// A word of a name that says secret, wherever it stands. Also at the end of a word that was glued together: `DBPASSWORD`.
const TELLING: [&str; 20] = [
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
    "ACCESSKEY",
    "AUTHKEY",
    "DEPLOYKEY",
    "ENCRYPTIONKEY",
    "MASTERKEY",
    "PRIVATEKEY",
    "SECRETKEY",
    "SHAREDKEY",
    "SIGNINGKEY",
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

/// Whether a variable of this name holds what nobody should read.
pub(crate) fn looks_secret(name: &str) -> bool {
    let words = words(name);
    let Some(last) = words.last().map(|last| without_number(last)) else { return false };
    if ABOUT.contains(&last) || HARMLESS.contains(&name) {
        return false;
    }
    // `AUTH0_…` is somebody's name, `DEPLOY_KEY2` a second key.
    WHOLE.contains(&last) || words.iter().any(|word| WHOLE.contains(&word.as_str()) || is_glued(word))
}

/// `DBPASSWORD`, `TOKEN2`, `TOKENV2`
fn is_glued(word: &str) -> bool {
    let plain = without_number(word);
    let is_numbered = plain.len() < word.len();
    let plain = plain.strip_suffix('V').filter(|_| is_numbered).unwrap_or(plain);
    TELLING.iter().any(|telling| plain.ends_with(telling))
}

fn without_number(word: &str) -> &str {
    word.trim_end_matches(|letter: char| letter.is_ascii_digit())
}

/// The words of a name, in capitals: `npm_config__authToken` is NPM CONFIG AUTH TOKEN. Which one of several it is says
/// nothing: `API_KEY_2` and `API_KEY_V2` are API KEY.
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
    words.retain(|word| !is_number(word));
    words
}

/// `2`, `V2`; also nothing at all
fn is_number(word: &str) -> bool {
    without_number(word).is_empty() || word.len() > 1 && without_number(word) == "V"
}
