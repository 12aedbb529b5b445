//! What somebody may have meant who typed what there is not.
//!
//! A usage error and the words in, a tip out. Runs nothing, and never gives the advice to put a word behind `--`: for some
//! commands flags of another program stand there, and one that allows everything may be what was mistyped.

use std::ffi::OsString;

use clap::CommandFactory as _;
use clap::error::{ContextKind, ContextValue, ErrorKind};

use super::Args;
use crate::likeness;
use crate::quote::quoted;

/// As much of what was typed is repeated.
const LONGEST: usize = 60;

/// The error with the tips that help here, and without those that do not.
pub(crate) fn with_tips(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    let mut tips = Vec::new();
    if let Some(ContextValue::StyledStrs(given)) = error.remove(ContextKind::Suggested) {
        tips.extend(given.into_iter().filter(|tip| !tip.to_string().starts_with("to pass")));
    }
    // Whoever mistyped a flag is not led to one that allows more.
    if matches!(error.get(ContextKind::SuggestedArg), Some(ContextValue::String(flag)) if flag.contains("dangerously"))
    {
        error.remove(ContextKind::SuggestedArg);
        error.remove(ContextKind::Usage);
    }
    // Commands that only tim itself starts are no choice.
    if let Some(ContextValue::Strings(names)) = error.remove(ContextKind::ValidSubcommand) {
        let names = names.into_iter().filter(|name| !name.starts_with("__")).collect();
        error.insert(ContextKind::ValidSubcommand, ContextValue::Strings(names));
    }
    tips.extend(meant(&error, arguments).into_iter().map(Into::into));
    if !tips.is_empty() {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(tips));
    }
    error
}

/// The command that is most like a word, if one is.
fn nearest(word: &str) -> Option<String> {
    let all = Args::command();
    let names = all.get_subcommands().filter(|one| !one.is_hide_set()).map(clap::Command::get_name);
    likeness::nearest(word, names).map(str::to_owned)
}

/// What `tim 'fix it'` and `tim -p 'fix it'` mean.
fn meant(error: &clap::Error, arguments: &[OsString]) -> Vec<String> {
    let words: Vec<String> =
        arguments.iter().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let Some(first) = words.first() else { return Vec::new() };
    let is_flagged = words.iter().any(|word| word.starts_with('-'));
    match error.kind() {
        ErrorKind::InvalidSubcommand if first_is(error, first) => {
            let has_tip = error.get(ContextKind::SuggestedSubcommand).is_some();
            let near = if has_tip { None } else { nearest(first) };
            // A sentence is a task, whatever its first word is like.
            let is_task = near.is_none() && !has_tip || words.len() > 2 && !is_flagged;
            let task = if is_flagged { first.clone() } else { words.join(" ") };
            // One word is rather a command that there is not.
            let lead = match task.contains(char::is_whitespace) {
                true => "to give that to an agent",
                false => "`tim --help` lists the commands; a task for an agent",
            };
            let task = is_task.then(|| format!("{lead}: tim run {}", quoted(&cut(&task))));
            near.map(|name| format!("a similar subcommand exists: '{name}'"))
                .into_iter()
                .chain(task)
                .collect()
        }
        ErrorKind::UnknownArgument
            if first.starts_with('-') && error.get(ContextKind::SuggestedArg).is_none() =>
        {
            let line = words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
            let line = if cut(&line) == line { line } else { "--help".to_owned() };
            vec![format!("flags for an agent stand behind run: tim run {line}")]
        }
        _ => Vec::new(),
    }
}

/// Whether the word that is no command is the first one, and not one below a command.
fn first_is(error: &clap::Error, first: &str) -> bool {
    matches!(error.get(ContextKind::InvalidSubcommand), Some(ContextValue::String(word)) if word == first)
}

fn cut(text: &str) -> String {
    let short: String = text.chars().take(LONGEST).collect();
    if short.len() < text.len() { short + "…" } else { short }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    fn told(words: &[&str]) -> String {
        let arguments: Vec<OsString> = ["tim"].iter().chain(words).map(OsString::from).collect();
        with_tips(Args::try_parse_from(&arguments).unwrap_err(), &arguments).to_string()
    }

    #[test]
    fn a_task_that_is_given_to_no_command_is_one_for_run() {
        assert!(told(&["fix it"]).contains("tip: to give that to an agent: tim run 'fix it'\n"));
        assert!(told(&["fix", "the", "test"]).contains("tim run 'fix the test'\n"));
        assert!(told(&["it's"]).contains(r"tim run 'it'\''s'"));
        assert!(told(&["fix", "--model", "x"]).contains("tim run fix\n"));
        assert!(told(&["is", "it", "done"]).contains("tim run 'is it done'\n"));
    }

    #[test]
    fn a_flag_of_claude_alone_is_one_for_run() {
        let expected = "tip: flags for an agent stand behind run: tim run -p 'fix it'\n";
        assert!(told(&["-p", "fix it"]).contains(expected), "{}", told(&["-p", "fix it"]));
    }

    #[test]
    fn a_mistyped_command_gets_the_one_that_is_like_it_and_no_other_tip() {
        for (typed, meant) in [("rnu", "run"), ("anwser", "answer"), ("replya", "replay"), ("ruels", "rules")]
        {
            let told = told(&[typed]);
            assert!(told.contains(&format!("'{meant}'")) && !told.contains("to an agent"), "{typed}: {told}");
        }
        assert!(!told(&["rules", "remvoe"]).contains("to an agent"));
    }

    #[test]
    fn nobody_is_led_to_what_allows_more_or_to_what_only_tim_starts() {
        assert!(!told(&["run", "--dangerously-skip-permissions", "x"]).contains("allow-on-timeout"));
        assert!(!told(&["-v"]).contains("__"), "{}", told(&["-v"]));
    }

    #[test]
    fn a_mistyped_flag_of_tim_itself_is_no_flag_of_an_agent() {
        let told = told(&["--verson"]);
        assert!(told.contains("'--version'") && !told.contains("tim run"), "{told}");
    }

    #[test]
    fn a_mistyped_flag_gets_the_one_that_is_like_it() {
        assert!(told(&["run", "--modle", "x", "go"]).contains("'--model'"));
    }

    #[test]
    fn what_is_repeated_is_short() {
        assert!(told(&[&"long ".repeat(100)]).lines().all(|row| row.chars().count() < 600));
        assert!(told(&["fix it", &"x".repeat(1_000)]).contains("…'\n"));
        assert!(told(&["-p", &"x y ".repeat(1_000)]).contains("tim run --help\n"));
    }
}
