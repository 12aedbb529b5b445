//! What can be said after `tim replay`.

use std::path::PathBuf;

use super::OutputFormat;

/// Play a recorded run again, through the same router
#[derive(Debug, clap::Args)]
#[command(long_about = REPLAY_LONG, after_help = REPLAY_EXAMPLES)]
pub(crate) struct ReplayArgs {
    /// A journal or a raw recording, or the name of a run; - reads stdin
    pub(crate) file: PathBuf,
    /// Say where the run of now differs from the record; exit 1 if it does
    #[arg(long)]
    pub(crate) check: bool,
    /// Show the record by turns: what was said, and what came of it
    #[arg(long, conflicts_with_all = ["check", "speed", "wires"])]
    pub(crate) turns: bool,
    /// Show what went over each wire instead of the conversation
    #[arg(long, conflicts_with = "check")]
    pub(crate) wires: bool,
    /// How to print what happens
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,
    /// How fast: `max`, or a factor (1 is as it was, 10 is ten times as fast)
    #[arg(long, default_value = "max", value_name = "FACTOR", value_parser = speed)]
    pub(crate) speed: Speed,
}

/// How fast to play.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Speed {
    /// without waiting
    Max,
    /// that many times as fast as it was
    Times(f64),
}

pub(super) fn speed(text: &str) -> Result<Speed, String> {
    match text.parse::<f64>() {
        _ if text == "max" => Ok(Speed::Max),
        Ok(factor) if factor.is_finite() && factor > 0.0 => Ok(Speed::Times(factor)),
        _ => Err("expected `max` or a number above 0".to_owned()),
    }
}

const REPLAY_LONG: &str = "\
Play a recorded run again, through the same router.

What came in on record goes in again, at the same time, and the conversation
is printed as the person saw it: what was typed, what the agents said and did,
each question and how it ended. Nothing else happens: no command is run, no
socket is opened, nobody is answered. The same file always gives the same
output. With --turns nothing is played: the record itself is shown, grouped by
turns.

A run of yours can be named by the first digits of its name, as long as only
one begins so. A file of that name goes before.";

const REPLAY_EXAMPLES: &str = "\
Examples:
  tim replay run.jsonl                     the conversation, as it was
  tim replay 7f3c                          the same of the run of that name
  tim replay run.jsonl --wires             what was asked, answered and sent
  tim replay run.jsonl --check             does this version still do the same?
  tim replay run.jsonl --turns             what was said and done in each turn
  tim replay run.jsonl --output-format stream-json | jq .
  tim replay run.jsonl --speed 10          watch it, ten times as fast

Exit codes:
  0  played           1  --check found differences
  2  the file cannot be read, or is no record of a run";
