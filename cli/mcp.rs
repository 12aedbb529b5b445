//! `tim mcp`: the permission bridge of a Claude Code, and what to tell Claude Code about it.
//!
//! Owns the names by which Claude Code knows the bridge. Decides nothing: it asks, and whatever goes wrong is a no.

mod handler;
mod heard;
mod link;
mod out;
mod serve;
mod wire;

use std::io::{self, Write as _};
use std::path::Path;

use codec::json::{Json, Text, Written as _};

use crate::args::{BridgeArgs, McpArgs, McpCommand};
use crate::environment::Environment;
use crate::exit::{self, Code};

/// What the server is called.
pub(crate) const SERVER: &str = "permissions";

/// Its one tool, as the server itself calls it.
const APPROVAL: &str = "approval_prompt";

/// The same, as Claude Code calls it: what `--permission-prompt-tool` wants.
pub(crate) const TOOL: &str = "mcp__permissions__approval_prompt";

/// How long an answer may take, in milliseconds: the longest that a timer of Claude Code can. Without it a person has half
/// an hour.
const TIMEOUT_MS: u32 = i32::MAX.cast_unsigned();

/// Runs the command.
pub(crate) fn run(args: &McpArgs, environment: &Environment) -> Code {
    match &args.command {
        McpCommand::Serve(args) => serve::run(args, environment),
        McpCommand::Config(args) => print_config(args, environment),
    }
}

fn print_config(args: &BridgeArgs, environment: &Environment) -> Code {
    let text = match own_config(args) {
        Ok(text) => text,
        Err(why) => return crate::complain(&why, exit::USAGE),
    };
    if args.socket.is_none() && environment.output_socket.is_none() {
        crate::warn(NOBODY_YET);
    }
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => exit::SUCCESS,
        Err(error) => crate::output_failed(&error),
    }
}

const NOBODY_YET: &str =
    "this names no socket: set TIM_OUTPUT_SOCKET where claude is started, or give --socket PATH";

/// Claude Code may start the bridge in another folder: a socket is named by all of its path.
fn own_config(args: &BridgeArgs) -> Result<String, String> {
    let program = std::env::current_exe().map_err(|error| format!("tim does not find itself: {error}"))?;
    let socket = args.socket.as_deref().map(std::path::absolute).transpose();
    let socket = socket.map_err(|error| format!("--socket: {error}"))?;
    config(&program, socket.as_deref(), args.label.as_deref())
}

/// What `claude --mcp-config` is told: how to start the bridge. A path that is no text cannot be told.
pub(crate) fn config(program: &Path, socket: Option<&Path>, label: Option<&str>) -> Result<String, String> {
    let mut arguments = vec![Text::new("mcp"), Text::new("serve")];
    if let Some(socket) = socket {
        arguments.extend([Text::new("--socket"), text(socket)?]);
    }
    if let Some(label) = label {
        arguments.extend([Text::new("--label"), Text::new(label)]);
    }
    let command = text(program)?;
    let server = Json::object(|out| {
        out.raw_member("\"type\"", "\"stdio\"");
        out.raw_member("\"command\"", command.raw());
        out.member("args", |text| arguments.write(text));
        out.raw_member("\"timeout\"", &TIMEOUT_MS.to_string());
    });
    let servers = Json::object(|out| out.raw_member(Text::new(SERVER).raw(), server.raw()));
    Ok(Json::object(|out| out.raw_member("\"mcpServers\"", servers.raw())).raw().to_owned())
}

fn text(path: &Path) -> Result<Text<'static>, String> {
    let text = path.to_str().map(Text::new);
    text.ok_or_else(|| format!("the path {} is not UTF-8, so Claude Code cannot be told it", path.display()))
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;

    use super::*;

    #[test]
    fn claude_is_told_the_program_the_socket_and_how_long_an_answer_may_take() {
        let told = config(Path::new("/opt/tim"), Some(Path::new("/s p/\"s")), Some("review")).unwrap();
        assert_eq!(
            told,
            r#"{"mcpServers":{"permissions":{"type":"stdio","command":"/opt/tim","args":["mcp","serve","--socket","/s p/\"s","--label","review"],"timeout":2147483647}}}"#
        );
        let told = config(Path::new("/opt/tim"), None, None).unwrap();
        assert!(told.contains(r#""args":["mcp","serve"],"#), "{told}");
    }

    #[test]
    fn a_path_that_is_no_text_is_an_error() {
        let odd = Path::new(OsStr::from_bytes(b"/s\xff"));
        let why = config(Path::new("/opt/tim"), Some(odd), None).unwrap_err();
        assert!(why.contains("not UTF-8"), "{why}");
        assert!(config(odd, None, None).is_err());
    }

    #[test]
    fn the_tool_is_that_of_the_server() {
        assert_eq!(TOOL, format!("mcp__{SERVER}__{APPROVAL}"));
    }
}
