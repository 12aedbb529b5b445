//! What can be said on the command line.

use clap::Parser;

/// What was said.
#[derive(Debug, Parser)]
#[command(name = "tim", version, about = ABOUT, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Args {}

/// Broken by hand, as all of the help: it must not break inside a word on a screen of 80 columns.
const ABOUT: &str = "\
Carries every question of a coding agent to a person, and every typed line
to the agent that should hear it";

const AFTER_HELP: &str = "\
This version holds the wires: the library crate `codec` reads and writes every
line that tim will carry. The commands that use it come with the next versions.";
