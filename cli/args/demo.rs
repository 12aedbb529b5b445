//! `tim demo`, and the agent that it starts: what can be said to them.

use std::fmt;

use super::replay::speed;
use super::{OutputFormat, Speed};

/// Try tim without Claude Code: an agent pretends
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_help = EXAMPLES)]
pub(crate) struct DemoArgs {
    /// Print the final text and nothing else on stdout
    #[arg(short, long, conflicts_with = "output_format")]
    pub(crate) print: bool,
    /// How to print on stdout: as it goes, one object at the end, or every event
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,
    /// How fast the agent is: `max`, or a factor; 1 at a terminal, 2 elsewhere
    #[arg(long, value_name = "FACTOR", value_parser = speed)]
    pub(crate) speed: Option<Speed>,
}

/// Play the agent of the demo; only tim starts this
#[derive(Debug, clap::Args)]
pub(crate) struct DemoAgentArgs {
    /// How fast
    #[arg(long, default_value = "1", value_name = "FACTOR", value_parser = speed)]
    pub(crate) speed: Speed,
    /// Tell texts as they are written
    #[arg(long)]
    pub(crate) live: bool,
}

impl fmt::Display for Speed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Speed::Max => out.write_str("max"),
            Speed::Times(factor) => write!(out, "{factor}"),
        }
    }
}

const LONG: &str = "\
Try tim without Claude Code: an agent that only pretends.

The agent is a script inside tim: no model, no account, no network, and no file
or program of yours is touched. All else is as in `tim run`: it runs behind the
same guard and the same pipes, asks the same questions, hears your lines, and
the run is on record. In half a minute you meet a permission, a line of yours
while it works, a question of a script, and work in the background.

At a terminal you answer, and no answer is wrong. Elsewhere the demo plays your
part as well and tells on stdout what happens.";

const EXAMPLES: &str = "\
Examples:
  tim demo                                 at a terminal: y, n, type, Ctrl-C
  tim demo </dev/null | cat                watch it play both parts
  tim demo --output-format stream-json | jq -c .type

Rules of the user's file do not count in a demo, and none is saved by it.
Exit codes are those of `tim run`.";
