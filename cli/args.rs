//! What can be said on the command line.

use std::path::PathBuf;

use clap::{Parser, Subcommand, ValueEnum};

/// What was said.
#[derive(Debug, Parser)]
#[command(name = "tim", version, about = ABOUT, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Replay(ReplayArgs),
}

/// Play a recorded run again, through the same router
#[derive(Debug, clap::Args)]
#[command(long_about = REPLAY_LONG, after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// A journal or a raw recording; - reads stdin
    pub(crate) file: PathBuf,
    /// Say where the run of now differs from the record; exit 1 if it does
    #[arg(long)]
    pub(crate) check: bool,
    /// How to print what happens
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,
    /// How fast: `max`, or a factor (1 is as it was, 10 is ten times as fast)
    #[arg(long, default_value = "max", value_name = "FACTOR", value_parser = speed)]
    pub(crate) speed: Speed,
}

/// How to print what happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// for people, one row for each thing that happens
    Text,
    /// for programs, one JSON object a line
    StreamJson,
}

/// How fast to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Speed {
    /// without waiting
    Max,
    /// that many times as fast as it was
    Times(f64),
}

fn speed(text: &str) -> Result<Speed, String> {
    match text.parse::<f64>() {
        _ if text == "max" => Ok(Speed::Max),
        Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(Speed::Times(factor)),
        _ => Err("expected `max` or a number above 0".to_owned()),
    }
}

/// Broken by hand, as all of the help: it must not break inside a word on a screen of 80 columns.
const ABOUT: &str = "\
Carries every question of a coding agent to a person, and every typed line
to the agent that should hear it";

const AFTER_HELP: &str = "\
This version holds the router and its record. The commands that run agents
come with the next versions.";

const REPLAY_LONG: &str = "\
Play a recorded run again, through the same router.

What came in on record goes in again, at the same time; what the router then
says is printed. Nothing else happens: no command is run, no socket is opened,
nobody is answered. The same file always gives the same output.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  tim replay run.jsonl                     what was asked, answered and sent
  tim replay run.jsonl --check             does this version still do the same?
  tim replay run.jsonl --output-format stream-json | jq .
  tim replay run.jsonl --speed 10          watch it, ten times as fast";
