//! What can be said after `tim mcp`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Parser as _, Subcommand};

use super::{Args, Command};

/// Be asked by a Claude Code that you started yourself
#[derive(Debug, clap::Args)]
#[command(long_about = MCP_LONG, after_help = MCP_EXAMPLES, arg_required_else_help = true)]
pub(crate) struct McpArgs {
    #[command(subcommand)]
    pub(crate) command: McpCommand,
}

/// Which side of it.
#[derive(Debug, Subcommand)]
pub(crate) enum McpCommand {
    /// Carry permission questions to a tim, as an MCP server
    #[command(long_about = SERVE_LONG, after_help = SERVE_EXAMPLES)]
    Serve(BridgeArgs),
    /// Print what `claude --mcp-config` wants to know
    #[command(long_about = CONFIG_LONG, after_help = CONFIG_EXAMPLES)]
    Config(BridgeArgs),
}

/// Whom to ask, and as whom.
#[derive(Debug, clap::Args)]
pub(crate) struct BridgeArgs {
    /// The socket of the tim to ask; TIM_OUTPUT_SOCKET if not given
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// What the person sees as the name of who asks; `claude` if not given
    #[arg(long, value_name = "NAME")]
    pub(crate) label: Option<String>,
}

impl Args {
    /// Reads the arguments, the first of which is our own name.
    pub(crate) fn read(arguments: &[OsString]) -> Result<Self, clap::Error> {
        match bridge(arguments) {
            Some(command) => Ok(Self { verbose: 0, command: Command::Mcp(McpArgs { command }) }),
            None => Self::try_parse_from(arguments),
        }
    }
}

/// `mcp serve` with its flags as `tim mcp config` writes them, if that is all there is. Claude Code waits for its start, and to
/// set up all that can be said to tim would take a good part of that. Anything else is read, or told to be wrong, by the whole
/// of it.
fn bridge(arguments: &[OsString]) -> Option<McpCommand> {
    let [_, mcp, serve, flags @ ..] = arguments else { return None };
    let mut read = BridgeArgs { socket: None, label: None };
    for pair in flags.chunks(2) {
        let [flag, value] = pair else { return None };
        let is_value = !value.is_empty() && !value.as_encoded_bytes().starts_with(b"-");
        match flag.to_str().filter(|_| is_value)? {
            "--socket" if read.socket.is_none() => read.socket = Some(value.into()),
            "--label" if read.label.is_none() => read.label = Some(value.to_str()?.to_owned()),
            _ => return None,
        }
    }
    (mcp == "mcp" && serve == "serve").then_some(McpCommand::Serve(read))
}

const MCP_LONG: &str = "\
Carry the permissions of a Claude Code that tim did not start.

Claude Code can ask an MCP tool whether it may use one of its own. `tim mcp
serve` is the server of such a tool and carries every question to the tim that
listens at a socket; `tim mcp config` prints the lines that tell Claude Code
to start it. For a Claude Code that tim starts itself, see `tim run`.";

const MCP_EXAMPLES: &str = "\
Examples:
  tim serve --socket ~/.cache/tim.sock     in one terminal, and in another:
  claude -p 'Tidy up' \\
    --mcp-config \"$(tim mcp config --socket ~/.cache/tim.sock)\" \\
    --permission-prompt-tool mcp__permissions__approval_prompt";

const SERVE_LONG: &str = "\
Carry permission questions to a tim, as an MCP server on stdin and stdout.

Claude Code starts this; see `tim mcp config`. The server is called
`permissions` and has one tool, `approval_prompt`. Each call is a question at
the tim whose socket --socket or TIM_OUTPUT_SOCKET names, where the rules, the
person and the answer command decide as ever. It waits as long as they take. A
call that is cancelled takes its question back.

Whatever goes wrong denies, in words that the model reads: nobody listens, the
connection is lost, the question cannot be shown. The next call tries again.
Nothing that comes back can change what the tool was to run.";

const SERVE_EXAMPLES: &str = "\
Examples:
  tim mcp serve --socket ~/.cache/tim.sock
  TIM_OUTPUT_SOCKET=~/.cache/tim.sock tim mcp serve --label review

Ends with 0 when stdin ends, or on a signal; with 2 if there is nobody to ask.";

const CONFIG_LONG: &str = "\
Print what `claude --mcp-config` wants to know: one JSON object.

It names this very program with `mcp serve` and the flags given here, and sets
the time that an answer may take to the longest there is (24 days), because
Claude Code would give up after half an hour.";

const CONFIG_EXAMPLES: &str = "\
Examples:
  tim mcp config --socket ~/.cache/tim.sock >permissions.json
  claude -p 'Tidy up' --mcp-config permissions.json \\
    --permission-prompt-tool mcp__permissions__approval_prompt";
