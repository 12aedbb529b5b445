//! What a value is, and what only stands for one. Pure.

use crate::secrets::looks_secret;

/// A value that is shorter hides nothing, nor does a shorter number.
const SHORTEST: usize = 4;
const SHORTEST_NUMBER: usize = 6;

/// A longer reference is none: nobody writes so many letters for something else.
const LONGEST_REFERENCE: usize = 200;

/// Words that say that there is nothing, or what there could be.
const PLAIN: [&str; 8] = ["true", "false", "null", "none", "undefined", "string", "required", "optional"];

/// What stands in the place of secrets that no variable gave its name to.
const OWN_MASKS: [&str; 3] = ["REDACTED", "HIDDEN", "hidden"];

/// Whether something is worth hiding: no reference to a variable, no word that says that there is nothing, and not what
/// stands in the place of a secret already.
pub(crate) fn is_value(value: &str) -> bool {
    let is_plain = PLAIN.iter().any(|word| value.eq_ignore_ascii_case(word));
    let is_small = value.len() < SHORTEST_NUMBER && is_number(value);
    value.len() >= SHORTEST && !is_plain && !is_small && !is_reference(value) && !is_mask(value)
}

fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// What redact itself writes: `REDACTED`, `hidden-2`, `MY_TOKEN-3`. Anything else that looks alike may be a password.
fn is_mask(value: &str) -> bool {
    let Some((name, count)) = value.rsplit_once('-') else { return value == "REDACTED" };
    let is_of_name = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    let is_variable = || name.bytes().all(is_of_name) && looks_secret(name);
    let is_count = is_number(count) && !count.starts_with('0');
    is_count && (OWN_MASKS.contains(&name) && count.len() <= 9 || count.len() <= 4 && is_variable())
}

/// Whether something is filled in there later: `$NAME`, `${…}`, `$(…)`, `{{…}}`, `<…>`, `[…]`, `***`, `%NAME%`, `%s`. A
/// password may begin with any of these signs, so it has to be the whole of it.
fn is_reference(value: &str) -> bool {
    let is_stars = value.starts_with("***") && value.ends_with("***");
    let behind = in_brackets(value).and_then(|bracketed| value.get(bracketed.len()..));
    let is_bracketed =
        behind.is_some_and(|behind| behind.is_empty() || behind == "s" && value.starts_with("%("));
    is_stars || is_bracketed || is_variable(value) || is_format(value)
}

/// `$NAME`, `%NAME%`
fn is_variable(value: &str) -> bool {
    let is_name = |name: &str, is_letter: fn(&u8) -> bool| {
        let is_of_name = |byte: u8| is_letter(&byte) || byte.is_ascii_digit() || byte == b'_';
        name.bytes().all(is_of_name) && name.starts_with(|first: char| !first.is_ascii_digit())
    };
    let in_shell = value.strip_prefix('$');
    let in_windows = value.strip_prefix('%').and_then(|rest| rest.strip_suffix('%'));
    in_shell.is_some_and(|name| is_name(name, u8::is_ascii_uppercase))
        || in_windows.is_some_and(|name| is_name(name, u8::is_ascii_alphabetic))
}

/// `%s`, `%-10s`, `%02lu`
fn is_format(value: &str) -> bool {
    let is_flag = |letter: char| letter.is_ascii_digit() || "-+# .*".contains(letter);
    let kind = value.strip_prefix('%').map(|rest| rest.trim_start_matches(is_flag));
    let kind = kind.map(|kind| kind.trim_start_matches(['l', 'h', 'z']));
    kind.is_some_and(|kind| kind.len() == 1 && kind.bytes().all(|byte| byte.is_ascii_alphabetic()))
}

/// Whether a reference in brackets stands there alone, also where blanks and quotes are in it that a value would end at.
pub(super) fn begins_with_reference(rest: &str, is_quoted: bool) -> bool {
    let Some(bracketed) = in_brackets(rest) else { return false };
    let behind = rest.get(bracketed.len()..).and_then(|behind| behind.chars().next());
    let is_end = |letter: char| "\"'\\".contains(letter);
    let is_blank = |letter: char| letter.is_whitespace() || ",;&|)]}`".contains(letter);
    behind.is_none_or(|letter| is_end(letter) || !is_quoted && is_blank(letter))
}

/// What a text begins with, if that stands in brackets: `${…}`, `<…>`. Round ones need a sign before them.
fn in_brackets(text: &str) -> Option<&str> {
    let rest = text.strip_prefix(['$', '%']).unwrap_or(text);
    let open = rest.chars().next()?;
    let close = match open {
        '{' => '}',
        '<' => '>',
        '[' => ']',
        '(' if rest.len() < text.len() => ')',
        _ => return None,
    };
    let mut depth = 0_usize;
    for (at, letter) in text.char_indices().take(LONGEST_REFERENCE).take_while(|(_, letter)| *letter != '\n')
    {
        depth += usize::from(letter == open);
        if letter == close && depth <= 1 {
            return text.get(..at + letter.len_utf8());
        }
        depth -= usize::from(letter == close);
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_filled_in_later_is_no_value() {
        for reference in [
            "$PASSWORD",
            "$DB_PASS2",
            "${PASSWORD}",
            "${A:-${B}}",
            "${{ secrets.TOKEN }}",
            "$(cat /run/x)",
            "{{ password }}",
            "{password}",
            "<your password>",
            "[MY_TOKEN]",
            "*****",
            "***REMOVED***",
            "%PASSWORD%",
            "%(password)s",
            "%-10s",
        ] {
            assert!(!is_value(reference), "{reference}");
        }
    }

    #[test]
    fn a_password_may_begin_like_a_reference() {
        for password in [
            "$uperS3cretPw",
            "$2b$10$abcdefgh",
            "(kR7#mmQ2pL",
            "%40bCd9Ef8Gh7",
            "{kR7mmQ2pL",
            "{a}kR7mm{b}",
            "[kR7]mmQ2pL",
            "<kR7mmQ2pL",
            "*kR7mmQ2pL*",
            "$9F8E7D6C",
        ] {
            assert!(is_value(password), "{password}");
        }
    }

    #[test]
    fn only_what_redact_writes_is_a_mask() {
        for mask in ["REDACTED", "REDACTED-12", "REDACTED-10001", "hidden-1", "HIDDEN-3", "MY_API_TOKEN-1"] {
            assert!(!is_value(mask), "{mask}");
        }
        for password in [
            "PROD_9F8E7D6C5B4A-1234",
            "MY_TOKEN-007",
            "MY_TOKEN-12345",
            "REDACTED-",
            "XK9-1",
            "my_token-1",
            "hidden-x",
        ] {
            assert!(is_value(password), "{password}");
        }
    }

    #[test]
    fn a_number_is_a_value_from_six_digits_on() {
        assert!(is_value("482913") && !is_value("48291"));
    }
}
