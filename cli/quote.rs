//! Words as a shell takes them, for commands that somebody may copy.

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./:=,@%+".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_word_for_a_shell_is_one_word() {
        assert_eq!(quoted("Bash(git push:*)"), "'Bash(git push:*)'");
        assert_eq!(quoted("a'b"), r"'a'\''b'");
        assert_eq!((quoted("TODO.md"), quoted("")), ("TODO.md".to_owned(), "''".to_owned()));
    }
}
