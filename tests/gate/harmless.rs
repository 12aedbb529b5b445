//! Which texts may be given to bash at all.
//!
//! Owns the rule that no text names anything outside of its own folder. It is the first of two fences; the second is in
//! `driver.sh`, where no program can be started and nearly all builtins are gone. It reads a text, and does nothing else.

/// Whether a text cannot touch anything but its own folder and the null device.
pub(crate) fn is_harmless(text: &str) -> bool {
    let rest = without_the_null_device(text);
    let redirects_by_path = rest.contains('/') && rest.contains(['<', '>']);
    // `$_` is the path of bash at first, and `${!_}` is too: there is no underscore beside a `$`.
    let names_the_last_word = text.contains('$') && without_known_names(text).contains('_');
    // Descriptors 8 and 9 are the driver's; \x01 is how it writes a newline.
    !redirects_by_path && !names_the_last_word && !text.contains(['8', '9', '\0', '\x01'])
}

/// The text without redirections to `/dev/null` and without what copies a descriptor. `/dev/nullx` stays: it is a file that
/// nobody wants to have.
fn without_the_null_device(text: &str) -> String {
    const DEVICE: &str = "/dev/null";
    let mut rest = text.to_owned();
    let mut looked_at = rest.len();
    while let Some(at) = rest[..looked_at].rfind(DEVICE) {
        let after = &rest[at + DEVICE.len()..];
        let ends_a_word = after.is_empty() || after.starts_with([' ', '\t', '\n', ';', '&', '|', ')']);
        if ends_a_word && !rest[..at].ends_with(DEVICE) {
            let before = rest[..at].trim_end_matches(' ');
            let before = before.strip_suffix(['<', '>']).unwrap_or(before);
            looked_at = before.len();
            rest = format!("{before} {after}");
        } else {
            looked_at = at;
        }
    }
    rest.replace("2>&1", " ")
}

fn without_known_names(text: &str) -> String {
    ["NODE_ENV", "BASH_ENV", "LD_PRELOAD"].iter().fold(text.to_owned(), |rest, name| rest.replace(name, ""))
}

#[test]
fn only_texts_that_stay_in_their_folder_are_harmless() {
    for text in [
        "aa >/dev/null 2>&1",
        "aa 2>/dev/null; bb x/y",
        "aa > f",
        "aa $x <<E",
        "NODE_ENV=x aa $x",
        "aa >/dev/null",
    ] {
        assert!(is_harmless(text), "{text:?}");
    }
    let outside = [
        "aa >/aa",
        "aa >/dev/nullx",
        "aa >/dev/null2>&1",
        "aa >/dev/null\\\nx",
        "aa >/dev/null/dev/null",
        "aa >$_",
        "aa $\\\n_",
        "aa >~/x",
        "aa </etc/passwd",
        "aa >/dev/null\"x\"",
        "aa 9>&1",
        "aa >/dev/null{a,b}",
        "$x/x >f",
        "aa >/dev/null*",
    ];
    for text in outside {
        assert!(!is_harmless(text), "{text:?}");
    }
}
