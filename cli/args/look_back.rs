//! What can be said to `tim log`.

use std::path::PathBuf;

use clap::{Subcommand, ValueEnum};

/// See which runs there were, and who decided what
#[derive(Debug, clap::Args)]
#[command(long_about = LOG_LONG, after_help = LOG_EXAMPLES, args_conflicts_with_subcommands = true)]
pub(crate) struct LogArgs {
    #[command(subcommand)]
    pub(crate) command: Option<LogCommand>,
    /// A run, by the first letters of its name, or the file of a journal
    pub(crate) run: Option<String>,
    /// Show who decided what, also without one of the filters below
    #[arg(long)]
    pub(crate) decisions: bool,
    /// Only what happened since: yesterday, 2h, 2026-11-17, 2026-11-17T14:00
    #[arg(long, value_name = "WHEN")]
    pub(crate) since: Option<String>,
    /// Only what happened before that
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only decisions about this tool, such as Bash
    #[arg(long, value_name = "NAME")]
    pub(crate) tool: Vec<String>,
    /// Only those of agents whose name or path has this in it
    #[arg(long, value_name = "NAME")]
    pub(crate) who: Option<String>,
    /// Only what they decided
    #[arg(long, value_enum, value_name = "WHO")]
    pub(crate) by: Vec<DecidedBy>,
    /// Only runs in this folder
    #[arg(long)]
    pub(crate) here: bool,
    /// How many rows at most, the newest; 0 for all
    #[arg(short = 'n', long = "last", value_name = "N", default_value_t = 20)]
    pub(crate) last: usize,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// What else can be done with records.
#[derive(Debug, Subcommand)]
pub(crate) enum LogCommand {
    Why(WhyArgs),
    Redact(RedactArgs),
}

/// Explain one decision
#[derive(Debug, clap::Args)]
#[command(long_about = WHY_LONG, after_help = WHY_EXAMPLES)]
pub(crate) struct WhyArgs {
    /// Which one, as `tim log` shows it: 7f3c.p14, or 7f3c.t3 for what nobody was asked
    pub(crate) key: String,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

/// Write a record without secrets, to be shared
#[derive(Debug, clap::Args)]
#[command(long_about = REDACT_LONG, after_help = REDACT_EXAMPLES)]
pub(crate) struct RedactArgs {
    /// A run, by the first letters of its name, or the file of a journal; - reads stdin
    pub(crate) run: String,
    /// Where the new record goes; stdout if not given
    #[arg(short, long, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,
    /// A text that must not be in it, such as a name
    #[arg(long, value_name = "TEXT", value_parser = clap::builder::NonEmptyStringValueParser::new())]
    pub(crate) hide: Vec<String>,
    /// Leave paths of the home folder and the user's name as they are
    #[arg(long)]
    pub(crate) keep_paths: bool,
    /// Say what was replaced as one JSON object, on stderr
    #[arg(long)]
    pub(crate) json: bool,
}

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum DecidedBy {
    /// a person: here, or from another shell
    You,
    /// somebody or something at a tim above
    Above,
    /// a rule of tim's
    Rule,
    /// the user's answer command
    Command,
    /// the agent itself, unasked
    Agent,
    /// nobody: refused, not in time, withdrawn
    Nobody,
}

const LOG_LONG: &str = "\
Look back: which runs there were, what was said, who decided what.

Without anything it lists the runs. With a run it tells that conversation and
its questions. With --since, --tool, --who, --by or --decisions it lists
decisions, of all runs or of that one: when, who wanted what, and who decided
it: you, somebody at a tim above, a rule, your answer command, the agent by its
own rules, modes and hooks, or nobody.

Records are kept in ~/.local/state/tim/runs for 30 days and 2 GB: `journal-days`
and `journal-size` in the configuration.";

const LOG_EXAMPLES: &str = "\
Examples:
  tim log                                   the last 20 runs
  tim log 7f3c                              what was said and done in one
  tim log --since yesterday --tool Bash     who decided about commands
  tim log 7f3c --by nobody                  what nobody decided in a run
  tim log why 7f3c.p14                      one decision explained
  tim log redact 7f3c >run.jsonl            a record that can be shared
  tim log --since 7d -n 0 --json | jq '.decisions[] | select(.allowed)'

Exit codes: 0 told (also if there is nothing), 2 no such run, or no record";

const WHY_LONG: &str = "\
Explain one decision.

Says what was asked with all of its input, what the rules in force at that time
say about it, where it was shown and when, who decided, and what the agent was
told.";

const WHY_EXAMPLES: &str = "\
Examples:
  tim log why 7f3c.p14
  tim log why 7f3c.t3 --json | jq .        what nobody was asked about

Exit codes: 0 told, 2 no such decision, or no record";

const REDACT_LONG: &str = "\
Write a record without secrets, to be shared.

Values of secret-looking variables of this environment, keys, tokens, passwords
and private keys by their look, the home folder and the name of the user are
replaced, each by the same words everywhere, so that the record can still be
replayed; if it can not, that is said. Values of variables and what --hide says
are also found percent-encoded and in base64. What is split over two lines of
the record is not found. Look at it before you share it: nobody can know every
secret, and what agents read and wrote is in it.";

const REDACT_EXAMPLES: &str = "\
Examples:
  tim log redact 7f3c >run.jsonl && tim replay run.jsonl --check
  tim log redact 7f3c --hide acme --hide alice -o run.jsonl";
