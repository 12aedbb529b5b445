//! How Claude Code is started: which arguments, which variables it must not see. Pure.
//!
//! Owns what tim itself asks of it, and which flags nobody else may set because tim relies upon them. Starts nothing: what a
//! version knows was found out before.

use std::ffi::{OsStr, OsString};

/// What the installed version can do.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Abilities {
    /// as it says, if it says one
    pub version: Option<[u64; 3]>,
    /// it can pass on what a subagent says
    forwards_subagents: bool,
    /// it tells by itself when it reads a message
    tells_read: bool,
}

/// The first version that is known to tell when it reads a message. One before it may; then it only tells it twice.
const TELLS_READ: [u64; 3] = [2, 1, 325];
const FORWARD_SUBAGENTS: &str = "--forward-subagent-text";

impl Abilities {
    /// From what it prints for `--version` and `--help`.
    pub fn read(version: &str, help: &str) -> Self {
        let version = version.split_whitespace().next().and_then(number);
        Self {
            version,
            forwards_subagents: help.split_whitespace().any(|word| word == FORWARD_SUBAGENTS),
            tells_read: version.is_some_and(|version| version >= TELLS_READ),
        }
    }
}

fn number(text: &str) -> Option<[u64; 3]> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let version = [parts.next()??, parts.next()??, parts.next()??];
    parts.next().is_none().then_some(version)
}

/// What a run wants.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// text as it is written, not only when it is done
    pub is_live: bool,
    /// rules for what must never run: claude asks only about a part of what it runs
    pub deny: Vec<String>,
    /// nobody could answer a question to the person, so the model must not ask one
    pub asks_nobody: bool,
    /// everything that the user wants claude to be told
    pub passed_on: Vec<OsString>,
    /// by which way it asks
    pub route: Route,
}

/// By which way claude asks whether a tool may run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Route {
    /// on its own pipes
    #[default]
    Stdio,
    /// by a tool of an MCP server
    Mcp {
        /// the tool, by its whole name
        tool: &'static str,
        /// the configuration of the server, as JSON
        config: String,
    },
}

/// What tim always says, and relies upon.
const ALWAYS: [&str; 6] =
    ["-p", "--verbose", "--input-format", "stream-json", "--output-format", "stream-json"];

/// What nobody else may say: tim's own pipes would not be understood any more, or nobody would be asked.
const OURS: [&str; 10] = [
    "-p",
    "--print",
    "--verbose",
    "--input-format",
    "--output-format",
    "--permission-prompt-tool",
    "--permission-prompts",
    "--replay-user-messages",
    "--bg",
    "--background",
];

/// A flag was passed on that tim sets itself.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0} cannot be passed on: tim sets it itself")]
pub struct Ours(String);

/// The arguments.
pub fn arguments(abilities: &Abilities, wishes: &Wishes) -> Result<Vec<OsString>, Ours> {
    if let Some(flag) = wishes.passed_on.iter().find_map(|argument| ours(argument)) {
        return Err(Ours(flag.to_owned()));
    }
    let mut arguments: Vec<OsString> = ALWAYS.iter().map(OsString::from).collect();
    let tool = match &wishes.route {
        Route::Stdio => "stdio",
        Route::Mcp { tool, .. } => tool,
    };
    arguments.extend(["--permission-prompt-tool".into(), tool.into()]);
    let mut add = |is_so: bool, flag: &str| arguments.extend(is_so.then(|| flag.into()));
    add(wishes.is_live, "--include-partial-messages");
    add(abilities.forwards_subagents, FORWARD_SUBAGENTS);
    add(!abilities.tells_read, "--replay-user-messages");
    let questions = wishes.asks_nobody.then(|| "AskUserQuestion".to_owned());
    for rule in wishes.deny.iter().cloned().chain(questions) {
        // In one word: Claude Code looks for some flags before it tells flags from their values.
        arguments.push(format!("--disallowedTools={rule}").into());
    }
    arguments.extend(wishes.passed_on.iter().cloned());
    if let Route::Mcp { config, .. } = &wishes.route {
        // Of two servers of one name the last one counts: it must be ours.
        arguments.extend(["--mcp-config".into(), config.into()]);
    }
    Ok(arguments)
}

fn ours(argument: &OsStr) -> Option<&'static str> {
    let argument = argument.to_str()?;
    let flag = argument.split_once('=').map_or(argument, |(flag, _)| flag);
    OURS.into_iter().find(|ours| *ours == flag)
}

/// Variables by which claude would take itself for the child of another claude, or that are that one's alone.
pub const NOT_FOR_CLAUDE: [&str; 11] = [
    "CLAUDECODE",
    "CLAUDE_CODE_CHILD_SESSION",
    "CLAUDE_CODE_ENTRYPOINT",
    "CLAUDE_CODE_EXECPATH",
    "CLAUDE_CODE_MESSAGING_SOCKET",
    "CLAUDE_CODE_MESSAGING_TOKEN",
    "CLAUDE_CODE_SESSION_ATTENDED",
    "CLAUDE_CODE_SESSION_ID",
    "CLAUDE_EFFORT",
    "CLAUDE_PID",
    "AI_AGENT",
];

#[cfg(test)]
mod tests {
    use super::*;

    const NEW: &str = "2.1.325 (Claude Code)\n";
    const OLD: &str = "2.1.197 (Claude Code)\n";

    fn told(abilities: &Abilities, wishes: &Wishes) -> String {
        let arguments = arguments(abilities, wishes).unwrap();
        arguments.iter().map(|argument| argument.to_str().unwrap()).collect::<Vec<_>>().join(" ")
    }

    const BASE: &str =
        "-p --verbose --input-format stream-json --output-format stream-json --permission-prompt-tool stdio";

    #[test]
    fn a_new_version_is_asked_for_what_its_subagents_say_and_an_old_one_for_echoes() {
        let new = Abilities::read(NEW, "  --forward-subagent-text   Forward subagent text and thinking");
        assert_eq!(told(&new, &Wishes::default()), format!("{BASE} --forward-subagent-text"));
        let old = Abilities::read(OLD, "  --replay-user-messages   Re-emit");
        assert_eq!(told(&old, &Wishes::default()), format!("{BASE} --replay-user-messages"));
    }

    #[test]
    fn a_version_that_says_nothing_of_itself_is_taken_for_an_old_one() {
        for text in ["", "dev build", "2.1", "2.1.325.7", "2.x.3"] {
            let abilities = Abilities::read(text, "");
            assert_eq!((abilities.version, abilities.tells_read), (None, false), "{text:?}");
        }
        assert!(Abilities::read("3.0.0", "").tells_read);
    }

    #[test]
    fn what_is_denied_claude_is_told_too_and_a_question_to_nobody_is_not_offered() {
        let wishes = Wishes {
            is_live: true,
            deny: vec!["Bash(git push:*)".to_owned(), "Read(.env)".to_owned()],
            asks_nobody: true,
            passed_on: vec!["--model".into(), "opus".into()],
            route: Route::Stdio,
        };
        let told = told(&Abilities::read(NEW, ""), &wishes);
        let denied = "--disallowedTools=Bash(git push:*) --disallowedTools=Read(.env) --disallowedTools=AskUserQuestion";
        assert_eq!(told, format!("{BASE} --include-partial-messages {denied} --model opus"));
    }

    #[test]
    fn where_it_asks_by_a_tool_it_is_told_which_and_where_the_server_is() {
        let route = Route::Mcp { tool: "mcp__permissions__approval_prompt", config: "{}".to_owned() };
        let passed_on = vec!["--mcp-config".into(), "theirs".into()];
        let told = told(&Abilities::default(), &Wishes { route, passed_on, ..Wishes::default() });
        assert!(told.contains("--permission-prompt-tool mcp__permissions__approval_prompt "), "{told}");
        assert!(told.ends_with("--mcp-config theirs --mcp-config {}"), "ours counts: {told}");
    }

    #[test]
    fn a_flag_that_tim_relies_upon_is_not_passed_on() {
        for flag in ["--output-format", "--output-format=text", "-p", "--permission-prompt-tool=x"] {
            let wishes = Wishes { passed_on: vec!["--model".into(), flag.into()], ..Wishes::default() };
            let error = arguments(&Abilities::default(), &wishes).unwrap_err().to_string();
            assert!(error.ends_with("cannot be passed on: tim sets it itself"), "{error}");
        }
        let wishes =
            Wishes { passed_on: vec!["--permission-mode".into(), "plan".into()], ..Wishes::default() };
        assert!(arguments(&Abilities::default(), &wishes).is_ok());
    }

    #[test]
    fn no_variable_of_the_user_is_kept_from_claude() {
        let of_another_claude = |name: &str| name.starts_with("CLAUDE") || name == "AI_AGENT";
        assert!(NOT_FOR_CLAUDE.iter().all(|name| of_another_claude(name)));
        for needed in ["ANTHROPIC_API_KEY", "CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_BEDROCK"] {
            assert!(!NOT_FOR_CLAUDE.contains(&needed));
        }
    }
}
