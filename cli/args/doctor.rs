//! What can be said to `tim doctor`.

use std::ffi::OsString;

/// Look whether all is there that tim needs
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_help = EXAMPLES)]
pub(crate) struct DoctorArgs {
    /// Which Claude Code to look at, as of `tim run --claude`
    #[arg(long, value_name = "PROGRAM")]
    pub(crate) claude: Option<OsString>,
    /// Print one JSON object: ok, and checks, a list
    #[arg(long)]
    pub(crate) json: bool,
}

const LONG: &str = "\
Look whether all that tim needs is there, and say what to do.

Each row is one thing: ✓ fine, ! works but could be better, ✗ in the way. Where
something is not fine the row below it says what to do. Looked at are Claude
Code and its login, the settings that it reads here, tim's configuration and
rules, the terminal, the folders of sockets and records, and the limits of the
system.

Nothing is changed and nothing is written. Claude Code is asked for its version
and nothing else; of a login it is only seen that there is one, never what it
is.";

const EXAMPLES: &str = "\
Examples:
  tim doctor
  tim doctor --json | jq -r '.checks[] | select(.state != \"ok\") | .todo'
  tim doctor --claude ~/bin/claude-next

Exit codes: 0 nothing is in the way, 1 something is, 2 usage";
