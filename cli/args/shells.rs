//! What can be said to `tim completion` and `tim man`: what a shell and `man` want to know of the command line.

use std::path::PathBuf;

use clap::{CommandFactory as _, ValueEnum};

use super::Args;

/// Print what a shell needs to complete words
#[derive(Debug, clap::Args)]
#[command(long_about = COMPLETION_LONG, after_help = COMPLETION_EXAMPLES)]
pub(crate) struct CompletionArgs {
    /// Which shell
    #[arg(value_enum)]
    pub(crate) shell: Shell,
}

/// A shell that completes words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

/// Print a page for `man`, or write all of them
#[derive(Debug, clap::Args)]
#[command(long_about = MAN_LONG, after_help = MAN_EXAMPLES)]
pub(crate) struct ManArgs {
    /// Of which command, such as `rules add`; else of tim itself
    #[arg(value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
    /// Write tim.1 and a page for each command into it
    #[arg(long, value_name = "DIR", conflicts_with = "command")]
    pub(crate) folder: Option<PathBuf>,
}

/// All that a person can say, with every command below; without the commands that only tim itself starts, and without
/// `help`, which says nothing of its own.
pub(crate) fn for_people() -> clap::Command {
    let mut all = without_hidden(&Args::command()).disable_help_subcommand(true);
    all.build();
    all
}

/// The generators look at every command, also at one that is hidden; and a command cannot be taken away from a `Command`.
fn without_hidden(whole: &clap::Command) -> clap::Command {
    let shown = whole.get_subcommands().filter(|one| !one.is_hide_set());
    let shown = shown.map(|one| one.clone().disable_help_subcommand(true));
    let kept = clap::Command::new("tim").version(env!("CARGO_PKG_VERSION"));
    let mut kept = kept.args(whole.get_arguments().cloned()).subcommands(shown);
    if let Some(about) = whole.get_about() {
        kept = kept.about(about.clone());
    }
    if let Some(about) = whole.get_long_about() {
        kept = kept.long_about(about.clone());
    }
    match whole.get_after_long_help().or(whole.get_after_help()) {
        Some(after) => kept.after_help(after.clone()),
        None => kept,
    }
}

const COMPLETION_LONG: &str = "\
Print what a shell needs to complete the words after `tim`.

It goes to stdout; put it where your shell looks for such scripts. It knows the
commands and flags of this very version, so print it anew after an update.";

const COMPLETION_EXAMPLES: &str = "\
Examples:
  tim completion bash >~/.local/share/bash-completion/completions/tim
  tim completion zsh >~/.zfunc/_tim        with fpath+=~/.zfunc in ~/.zshrc
  tim completion fish >~/.config/fish/completions/tim.fish
  source <(tim completion bash)            for this shell alone

Exit codes: 0 printed, 2 usage";

const MAN_LONG: &str = "\
Print a page for `man`, or write all of them.

The pages say what --help says, in the form that `man` reads. With --folder a
file is written for tim and for each of its commands; files of these names that
are there already are written anew.";

const MAN_EXAMPLES: &str = "\
Examples:
  tim man | man -l -                       read it
  tim man rules add | man -l -
  tim man --folder ~/.local/share/man/man1

Exit codes: 0 printed or written, 1 a file cannot be written, 2 usage, or no
such command";
