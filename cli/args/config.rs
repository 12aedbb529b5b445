//! `tim config`: what can be said to it.

use clap::Subcommand;

/// See what is configured, and who said it
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_help = EXAMPLES, arg_required_else_help = true)]
pub(crate) struct ConfigArgs {
    #[command(subcommand)]
    pub(crate) command: ConfigCommand,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show every setting that counts here, and who said it
    #[command(after_help = SHOW_EXAMPLES)]
    Show(ShowArgs),
    /// Write a file with every key in it, as a comment
    #[command(after_help = INIT_EXAMPLES)]
    Init(InitArgs),
}

/// How to show it.
#[derive(Debug, clap::Args)]
pub(crate) struct ShowArgs {
    /// Print it as one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Which file.
#[derive(Debug, clap::Args)]
pub(crate) struct InitArgs {
    /// The file of this folder, .tim/config.toml, instead of your own
    #[arg(long)]
    pub(crate) project: bool,
}

const LONG: &str = "\
See what is configured and where, or write a file to begin with.

What counts comes from these, each over those before it:
  defaults
  ~/.config/tim/config.toml      yours; TIM_CONFIG names another file
  .tim/config.toml               of the project, in this folder or one above
  .tim/config.local.toml         of the project, for you alone
  TIM_CLAUDE, TIM_TIMEOUT, ...   variables, named as the keys are
  flags

A key that there is not is an error with its line. Of a project's files only
deny and require-journal = true count. All else could loosen something, or take
something from you: it is not used, and that is said, unless your own file names
the folder in trusted-folders.";

const EXAMPLES: &str = "\
Examples:
  tim config show                 every setting, and who said it
  tim config init                 ~/.config/tim/config.toml, to be filled in
  TIM_TIMEOUT=2h tim config show

Exit codes: 0 done, 1 there is such a file already, or it cannot be written,
2 usage, or a file that is wrong: it says where";

const SHOW_EXAMPLES: &str = "\
Examples:
  tim config show
  tim config show --json | jq '.settings[] | select(.origin != \"default\")'";

const INIT_EXAMPLES: &str = "\
Examples:
  tim config init                 your own file
  tim config init --project       .tim/config.toml, for all who work here";
