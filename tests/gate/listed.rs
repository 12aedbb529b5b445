//! Whether what bash ran is what the scanner listed.
//!
//! Owns the comparison of the two lists. Parts may be skipped where the text says so (`||`), the commands of a pipe come in
//! any order, and a pattern becomes whatever it becomes; nothing else is forgiven. It looks at a text only to know which of
//! this applies, and never runs anything.

use actors::gate::shell::{Part, Script, WordKind};

use crate::bash::Ran;

/// What is wrong, if something is.
pub(crate) fn fault(text: &str, script: &Script, ran: &Ran) -> Option<&'static str> {
    let listed: Vec<&Part> = script.parts.iter().filter(|part| is_recorded(part)).collect();
    let commands: Vec<&[String]> = ran.commands.iter().map(|command| command.words.as_slice()).collect();
    let text = text.replace("\\\n", "");
    let is_pipe = text.replace("\\|", "").replace("||", "").contains('|');
    let found = if is_pipe { is_among(&commands, &listed) } else { is_in_order(&commands, &listed) };
    match () {
        () if ran.stopped => Some("bash did not come to an end"),
        () if ran.wrote => Some("a file was written"),
        () if ran.commands.iter().any(|command| command.is_led_astray) => {
            Some("a variable was set that says what runs")
        }
        () if !found => Some("bash ran something that is not listed"),
        () if all_must_run(&text, script) && commands.len() != listed.len() => {
            Some("bash did not run all that is listed")
        }
        () => None,
    }
}

/// Whether the driver can tell of it: what has no words is no command, a name with a slash is a program that is not there,
/// and `cat` alone is the driver's own.
fn is_recorded(part: &Part) -> bool {
    part.words
        .first()
        .is_some_and(|name| !name.text.contains('/') && (name.text != "cat" || part.words.len() > 1))
}

/// Whether nothing can be skipped, as far as the text shows without being read. A program that is not there fails, and so
/// does `ff`.
fn all_must_run(text: &str, script: &Script) -> bool {
    let mut rest = text.to_owned();
    for harmless in ["&&", "2>&1", "&>", ">&", "|&"] {
        rest = rest.replace(harmless, "");
    }
    let may_fail = text.contains("ff") || !script.parts.iter().all(is_recorded);
    let may_be_skipped = text.contains("||") || (may_fail && text.contains("&&"));
    !may_be_skipped && !rest.contains('&')
}

/// Whether the commands are a part of the list, in its order. The first that fits is the best to take.
fn is_in_order(commands: &[&[String]], listed: &[&Part]) -> bool {
    let mut left = listed.iter();
    commands.iter().all(|command| left.any(|part| fits(command, part)))
}

/// Whether each command has a place of its own in the list, in any order.
fn is_among(commands: &[&[String]], listed: &[&Part]) -> bool {
    let Some((command, rest)) = commands.split_first() else { return true };
    (0..listed.len()).filter(|index| fits(command, listed[*index])).any(|index| {
        let mut left = listed.to_vec();
        left.remove(index);
        is_among(rest, &left)
    })
}

/// Whether a command is what the part says. Up to the first pattern the words are the same, and after it none is missing.
fn fits(command: &[String], part: &Part) -> bool {
    let is_pattern = |word: &actors::gate::shell::Word| word.kind == WordKind::Pattern;
    let Some(first) = part.words.iter().position(is_pattern) else {
        return command.iter().eq(part.words.iter().map(|word| &word.text));
    };
    let (before, after) = part.words.split_at(first);
    let begins = command.len() >= first && command.iter().zip(before).all(|(said, word)| *said == word.text);
    let mut rest = command.iter().skip(first);
    begins && after.iter().filter(|word| !is_pattern(word)).all(|word| rest.any(|said| *said == word.text))
}

#[cfg(test)]
mod tests {
    use actors::gate::shell::{Part, Script, Word, WordKind};

    use super::fault;
    use crate::bash::{Command, Ran};

    /// A list of parts, a word with a star being a pattern.
    fn script(parts: &[&[&str]]) -> Script {
        let word = |text: &&str| Word {
            text: (*text).to_owned(),
            kind: if text.contains('*') { WordKind::Pattern } else { WordKind::Plain },
        };
        let part = |words: &&[&str]| Part { words: words.iter().map(word).collect(), ..Part::default() };
        Script { parts: parts.iter().map(part).collect() }
    }

    fn ran(commands: &[&[&str]]) -> Ran {
        let words = |command: &&[&str]| command.iter().map(|word| (*word).to_owned()).collect();
        let command = |command| Command { words: words(command), is_led_astray: false };
        Ran { commands: commands.iter().map(command).collect(), ..Ran::default() }
    }

    #[test]
    fn what_was_listed_may_run_and_nothing_else() {
        let two = script(&[&["aa"], &["bb", "x"]]);
        assert_eq!(fault("aa; bb x", &two, &ran(&[&["aa"], &["bb", "x"]])), None);
        assert_eq!(fault("aa || bb x", &two, &ran(&[&["aa"]])), None, "skipped");
        assert_eq!(
            fault("aa | bb x", &two, &ran(&[&["bb", "x"], &["aa"]])),
            None,
            "the order of a pipe is free"
        );
        for (text, wrong) in [
            ("aa; bb x", ran(&[&["aa"]])),
            ("aa; bb x", ran(&[&["bb", "x"], &["aa"]])),
            ("aa; bb x", ran(&[&["aa"], &["bb", "x", ""]])),
            ("aa || bb x", ran(&[&["zz"]])),
            ("aa | bb x", ran(&[&["aa"], &["aa"]])),
            ("aa || bb x", Ran { wrote: true, ..Ran::default() }),
            ("aa || bb x", Ran { stopped: true, ..Ran::default() }),
        ] {
            assert!(fault(text, &two, &wrong).is_some(), "{text}: {wrong:?}");
        }
    }

    #[test]
    fn a_pattern_becomes_any_words_but_loses_none_of_its_neighbours() {
        let list = script(&[&["aa", "*", "y"]]);
        assert_eq!(fault("aa * y", &list, &ran(&[&["aa", "x", "zz", "y"]])), None);
        assert!(fault("aa * y", &list, &ran(&[&["bb", "x", "y"]])).is_some());
        assert!(fault("aa * y", &list, &ran(&[&["aa", "x"]])).is_some());
    }
}
