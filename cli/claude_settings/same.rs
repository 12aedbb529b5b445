//! Which rules say the same to tim and to Claude Code. Pure.
//!
//! Owns that list. What is not on it is not saved for Claude: a rule that the person saw here must not mean something else
//! there. Also of what is on it Claude's own matching may allow more: which words run another program it does not look at.

/// Why a rule cannot be saved for Claude, if it cannot.
pub(crate) fn why_not(rule: &str) -> Option<&'static str> {
    let (name, inside) = match rule.split_once('(') {
        None => (rule, None),
        Some((name, inside)) => (name, inside.strip_suffix(')')),
    };
    match (name, inside) {
        ("Bash", Some(words)) if !is_command(words) => Some(QUOTED),
        ("Bash", Some(_)) => None,
        ("WebFetch", Some(host)) if is_host(host) => None,
        ("Edit" | "Read", Some(files)) if is_folder(files) => None,
        // tim and Claude differ in which tools belong to one of these.
        (name, None) if is_name(rule) && !FOR_FILES.contains(&name) => None,
        _ => Some(OTHERWISE),
    }
}

const QUOTED: &str =
    "Claude compares a command letter by letter: a rule with quotes in it means something else there";
const OTHERWISE: &str = "Claude may take this rule for something else";

const FOR_FILES: [&str; 9] =
    ["Edit", "Glob", "Grep", "LS", "MultiEdit", "NotebookEdit", "NotebookRead", "Read", "Write"];

/// Words that are written as they read, and `:*` if more may follow. Claude takes them as one text, so one blank stands
/// between two of them.
fn is_command(inside: &str) -> bool {
    let words = inside.strip_suffix(":*").unwrap_or(inside);
    let is_word = |word: &str| !word.is_empty() && word.chars().all(is_plain);
    words.split(' ').all(is_word) && !words.ends_with(':')
}

fn is_host(inside: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-');
    inside.strip_prefix("domain:").is_some_and(|host| !host.is_empty() && host.chars().all(is_letter))
}

/// Everything in the folder of the work, or below one that is named from the root.
fn is_folder(inside: &str) -> bool {
    let below = inside.strip_prefix("//").and_then(|path| path.strip_suffix("/**"));
    let is_path = |path: &str| !path.is_empty() && path.chars().all(is_plain);
    inside == "**" || below.is_some_and(is_path)
}

fn is_name(rule: &str) -> bool {
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '_' | '-');
    !rule.is_empty() && rule.chars().all(is_letter)
}

/// What neither a shell nor a pattern nor a rule takes for anything but itself.
fn is_plain(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || "_-./:=@%+,".contains(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_both_read_alike_can_be_saved_for_claude() {
        for rule in [
            "Bash(git fetch:*)",
            "Bash(npm run build:prod)",
            "Bash(npm run build:prod:*)",
            "Bash(cargo test --features=a,b)",
            "Bash",
            "WebFetch(domain:docs.rs)",
            "WebSearch",
            "mcp__db__query",
            "mcp__db",
            "Read(//etc/**)",
            "Read(**)",
            "Edit(//srv/x-1/y_2/**)",
        ] {
            assert_eq!(why_not(rule), None, "{rule}");
        }
    }

    #[test]
    fn what_claude_could_read_otherwise_is_not_saved_for_it() {
        for rule in [
            r"Bash(echo 'a b':*)",
            r"Bash(echo a\ b)",
            r#"Bash(echo "a")"#,
            "Bash(git *)",
            "Bash(git  fetch:*)",
            "Bash( git fetch)",
            "Bash(echo é)",
            "Bash(echo a:)",
            "Bash(:*)",
            "Bash()",
            "Bash(a(b)",
            "Bash(git fetch:*",
        ] {
            assert!(why_not(rule).is_some(), "{rule}");
        }
        for rule in [
            "Edit",
            "Read",
            "Write",
            "mcp__db__*",
            "Read(.env)",
            "Edit(src/**)",
            "Read(~/notes/*)",
            "Read(//a b/**)",
            "Read(//a[b]/**)",
            "Read(//**)",
            "Write(//etc/**)",
            "WebFetch(domain:*.docs.rs)",
            "",
        ] {
            assert_eq!(why_not(rule), Some(OTHERWISE), "{rule}");
        }
    }
}
