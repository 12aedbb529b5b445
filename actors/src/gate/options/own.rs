//! tim itself: an agent must not start one that asks less than ours, nor change the rules.
//!
//! No rule covers that. Ends as a risk that only a person takes.

use super::{ALWAYS, Risk, base_name, is_runner};
use crate::gate::lists;
use crate::gate::shell::Word;

/// Flags that loosen begin so.
const LOOSENING: &str = "\
     --agent --allow --answer --claude --backend --config --control --dangerously --mcp --no-deny --permission \
     --question-timeout --refused-ok --settings --trust --add-dir --unattended";

/// What follows the name of tim where it stands behind another program's.
const STARTS: &str = "\
     run subagent serve answer config mcp rules send stop __guard __demo-agent demo man";

/// Commands that answer, type, stop or change rules, each with the words behind it that do not.
const COMMANDS: [(&str, &str); 9] = [
    ("answer", ""),
    ("config", "show"),
    // It plays the person's part where nobody is there.
    ("demo", ""),
    ("__demo-agent", ""),
    ("mcp", "config serve"),
    ("rules", "list test"),
    ("send", ""),
    ("stop", ""),
    ("__guard", ""),
];

/// The command that prints a page of the manual, or writes all of them.
const PAGES: &str = "man";

/// What a command that starts a tim would loosen.
pub(in crate::gate) fn risks(words: &[Word]) -> Option<Risk<'_>> {
    let is_cargo_run = matches!(words, [cargo, run, ..] if cargo.is("cargo") && run.is("run"));
    let is_run = is_cargo_run || words.first().is_some_and(|word| is_runner(base_name(&word.text)));
    let starts = |at: usize, word: &Word| {
        let rest = words.get(at + 1..).unwrap_or_default();
        let next = rest.iter().map(|word| word.text.as_str()).find(|word| !is_verbose(word));
        is_tim(&word.text) && (at == 0 || is_run || next.is_some_and(|next| lists(STARTS, next)))
    };
    let (at, _) = words.iter().enumerate().find(|(at, word)| starts(*at, word))?;
    let rest = words.get(at + 1..).unwrap_or_default();
    let loosens = |word: &&Word| {
        let begins =
            |flag: &str| word.text.starts_with(flag) || word.text.len() > 3 && flag.starts_with(&word.text);
        word.text == "--" || LOOSENING.split_whitespace().any(begins)
    };
    if words.first().is_some_and(|word| base_name(&word.text) == "xargs") {
        return Some(Risk::new(ALWAYS, "its input says what that tim does"));
    }
    let flag =
        rest.iter().find(loosens).map(|word| Risk::of(ALWAYS, word, "lets an agent's own tim ask less"));
    flag.or_else(|| command(rest))
}

/// Whether a program is tim, by whatever path, and as systems see it that do not tell small letters from large ones.
fn is_tim(program: &str) -> bool {
    let name = base_name(program);
    name.eq_ignore_ascii_case("tim") || name.eq_ignore_ascii_case("tim.exe")
}

/// The flag that may stand before the command of tim.
fn is_verbose(word: &str) -> bool {
    word == "--verbose"
        || word.strip_prefix("-v").is_some_and(|more| more.bytes().all(|letter| letter == b'v'))
}

fn command(rest: &[Word]) -> Option<Risk<'_>> {
    // Flags for all of tim may stand before its command.
    let at = rest.iter().position(|word| !word.text.starts_with('-'))?;
    let rest = rest.get(at..)?;
    let word = rest.first()?;
    if word.text == PAGES {
        let folder = rest.iter().find(|word| word.text.starts_with("--f"));
        return folder.map(|word| Risk::of(ALWAYS, word, "writes files into a folder"));
    }
    let (_, harmless) = COMMANDS.iter().find(|(name, _)| *name == word.text)?;
    let is_harmless = rest.get(1).is_some_and(|next| lists(harmless, &next.text));
    (!is_harmless).then(|| Risk::of(ALWAYS, word, "speaks for the person"))
}
