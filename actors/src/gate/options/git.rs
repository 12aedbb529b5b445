//! git: options before the command that bring their own configuration, commands that run programs, and what each may do.
//!
//! Every long option can be cut short. A command that git does not have may be an alias, which can run anything.

use super::flags::{is_option, name};
use super::{Risk, WHOLE};
use crate::gate::lists;
use crate::gate::shell::Word;

/// Commands that run nothing but what the repository is set up to run. Those that change the work are what a person
/// grants who grants git.
const COMMANDS: &str = "add am annotate apply blame branch cat-file check-attr check-ignore check-ref-format \
             checkout cherry cherry-pick clean clone commit count-objects describe diff diff-files \
             diff-index diff-tree fetch for-each-ref fsck gc grep init log ls-files ls-remote ls-tree \
             merge merge-base merge-tree mv name-rev notes pack-refs patch-id prune pull push range-diff \
             read-tree rebase reflog remote reset restore rev-list rev-parse revert rm shortlog show \
             show-branch show-ref sparse-checkout stash status stripspace switch symbolic-ref tag \
             update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree";

/// Long options that run a program, write where they are told, or bring configuration, in whatever command.
const LONG: &str = "--config --exec --ext-diff --extcmd --open-files-in-pager --output --output-directory \
             --receive-pack --separate-git-dir --tool --template --textconv --upload-pack --web \
             --index-output --build-fake-ancestor --export-marks --in-place --filters --unsafe-paths";

/// Letters that do the same, by command, and the letters there that have their value behind them.
const LETTERS: [(&str, &str, &str); 9] = [
    ("grep", "O", "eABCfm"),
    ("rebase", "x", "sXCS"),
    ("difftool", "xtg", "SGOU"),
    ("mergetool", "tg", ""),
    ("archive", "o", ""),
    ("format-patch", "o", "vUOSG"),
    ("clone", "cu", "bjo"),
    ("bugreport", "o", ""),
    ("diagnose", "o", ""),
];

/// Commands within a command that run something.
const RUNNING: [(&str, &str); 5] = [
    ("bisect", "run"),
    ("bisect", "view"),
    ("bisect", "visualize"),
    ("submodule", "foreach"),
    ("hook", "run"),
];

/// Commands that run what their options say, or stand for another machine.
const ONLY_WHOLE: &str = "\
             citool credential daemon filter-branch gui instaweb p4 receive-pack send-email shell svn \
             upload-pack";

pub(super) fn risks(words: &[Word]) -> Vec<Risk<'_>> {
    let mut risks = Vec::new();
    let mut at = 1;
    while let Some(word) = words.get(at).filter(|word| is_option(&word.text)) {
        if !is_harmless_before(&word.text) {
            risks.push(Risk::of(at, word, "lets git run other programs"));
        }
        if has_value_behind(&word.text) {
            at += 1;
            risks.extend(words.get(at).map(|value| Risk::of(at, value, "lets git run other programs")));
        }
        at += 1;
    }
    let Some(command) = words.get(at) else { return risks };
    risks.extend(unknown_command(at, command));
    let rest = || words.iter().enumerate().skip(at + 1);
    risks.extend(rest().filter_map(|(at, word)| option(&command.text, at, word)));
    risks.extend(rest().filter_map(|(at, word)| running(&command.text, at, word)));
    if command.text == "config" {
        risks.extend(setting(words, at));
    }
    risks
}

/// Options before the command that change nothing but the output.
fn is_harmless_before(option: &str) -> bool {
    matches!(
        option,
        "--no-pager"
            | "-P"
            | "--no-optional-locks"
            | "--literal-pathspecs"
            | "--no-replace-objects"
            | "--version"
            | "-v"
            | "--help"
            | "-h"
    )
}

/// Options before the command whose value is the next word.
fn has_value_behind(option: &str) -> bool {
    matches!(
        option,
        "-C" | "-c"
            | "--git-dir"
            | "--work-tree"
            | "--namespace"
            | "--exec-path"
            | "--config-env"
            | "--super-prefix"
            | "--attr-source"
    )
}

fn unknown_command(at: usize, command: &Word) -> Option<Risk<'_>> {
    if lists(ONLY_WHOLE, &command.text) {
        return Some(Risk::of(WHOLE, command, "runs what its options say"));
    }
    // How `git config` is used counts, and is looked at apart.
    let is_known = command.text == "config" || lists(COMMANDS, &command.text);
    (!is_known).then(|| Risk::of(at, command, "is not a command of git that runs nothing else"))
}

fn option<'w>(command: &str, at: usize, word: &'w Word) -> Option<Risk<'w>> {
    let text = word.text.as_str();
    let is_risky = if text.starts_with("--") && text != "--" {
        let name = name(text);
        // Whole, although a longer one begins so.
        !matches!(name, "--index" | "--text") && LONG.split_whitespace().any(|one| one.starts_with(name))
    } else {
        has_letter(command, text)
    };
    let is_nowhere = matches!(text, "--output=/dev/null");
    (is_risky && !is_nowhere).then(|| Risk::of(at, word, "can run or write something"))
}

fn has_letter(command: &str, word: &str) -> bool {
    let Some((_, letters, values)) = LETTERS.iter().find(|(one, ..)| *one == command) else { return false };
    for letter in word.strip_prefix('-').unwrap_or_default().chars() {
        if letters.contains(letter) {
            return true;
        }
        if values.contains(letter) {
            return false;
        }
    }
    false
}

/// `git submodule foreach`, `git bisect run`; and transports that run a program.
fn running<'w>(command: &str, at: usize, word: &'w Word) -> Option<Risk<'w>> {
    let is_running = RUNNING.contains(&(command, word.text.as_str()));
    // `ext::` runs a command, `name::` the helper of that name.
    let scheme = word.text.split_once("::").map(|(scheme, _)| scheme);
    let is_transport = scheme
        .is_some_and(|scheme| !scheme.is_empty() && scheme.chars().all(|one| one.is_ascii_alphanumeric()));
    (is_running || is_transport).then(|| Risk::of(at, word, "runs a program"))
}

/// A setting can name a program, so each that is set must be spelled out.
fn setting(words: &[Word], command: usize) -> Vec<Risk<'_>> {
    const READS: &str = "--get --get-all --get-regexp --get-urlmatch --list -l list get";
    const HARMLESS: &str = "--global --local --system --worktree --null -z --bool --int --path --includes --show-origin \
             --show-scope --name-only";
    const WRITES: &str = "set unset edit rename-section remove-section";
    let rest = || words.iter().enumerate().skip(command + 1);
    let mut after = rest().map(|(_, word)| word.text.as_str()).skip_while(|text| lists(HARMLESS, text));
    let is_read = match after.next() {
        None => true,
        Some(first) if lists(READS, first) => {
            after.all(|text| !is_option(text) || lists(HARMLESS, text) || lists(READS, text))
        }
        // The name of one setting, and nothing behind it.
        Some(first) => !is_option(first) && !lists(WRITES, first) && after.next().is_none(),
    };
    if is_read {
        Vec::new()
    } else {
        rest().map(|(at, word)| Risk::of(at, word, "sets how git works")).collect()
    }
}

/// Whether a word is the message of `git commit -m`.
pub(super) fn is_message(words: &[Word], at: usize) -> bool {
    let is_commit = matches!(words, [git, commit, ..] if git.is("git") && commit.is("commit"));
    let before = at.checked_sub(1).and_then(|at| words.get(at));
    is_commit && before.is_some_and(|word| word.is("-m") || word.is("-am") || word.is("--message"))
}
