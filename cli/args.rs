//! What can be said on the command line.

mod control;
mod demo;
mod doctor;
mod look_back;
mod mcp;
mod rules;
mod run;
mod shells;

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Parser, Subcommand, ValueEnum};

use crate::duration;
pub(crate) use control::{AnswerArgs, PsArgs, SendArgs, StopArgs};
pub(crate) use demo::{DemoAgentArgs, DemoArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use look_back::{DecidedBy, LogArgs, LogCommand, RedactArgs, WhyArgs};
pub(crate) use mcp::{BridgeArgs, McpArgs, McpCommand};
pub(crate) use rules::{AddArgs, BASH, ListArgs, RemoveArgs, RulesArgs, RulesCommand, TestArgs};
pub(crate) use run::{PermissionRoute, RunArgs};
pub(crate) use shells::{CompletionArgs, ManArgs, Shell, for_people};

/// What was said.
#[derive(Debug, Parser)]
#[command(name = "tim", version, about = ABOUT, arg_required_else_help = true, after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Log to ~/.local/state/tim/log; -vv logs more
    #[arg(short, long, global = true, action = clap::ArgAction::Count, display_order = 900)]
    pub(crate) verbose: u8,
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    Answer(AnswerArgs),
    Ask(AskArgs),
    Completion(CompletionArgs),
    Demo(DemoArgs),
    #[command(name = "__demo-agent", hide = true)]
    DemoAgent(DemoAgentArgs),
    Doctor(DoctorArgs),
    Emit(EmitArgs),
    #[command(name = "__guard", hide = true)]
    Guard(GuardArgs),
    Log(LogArgs),
    Man(ManArgs),
    Mcp(McpArgs),
    Ps(PsArgs),
    Replay(ReplayArgs),
    Rules(RulesArgs),
    Run(Box<RunArgs>),
    Send(SendArgs),
    Serve(ServeArgs),
    Stop(StopArgs),
    /// The same as `tim run -p`: an agent for another agent
    #[command(long_about = run::SUBAGENT_LONG, after_help = run::SUBAGENT_EXAMPLES, after_long_help = run::SUBAGENT_EXAMPLES)]
    Subagent(Box<RunArgs>),
}

/// Ask a person a question and print the answer
#[derive(Debug, clap::Args)]
#[command(long_about = ASK_LONG, after_help = ASK_EXAMPLES)]
pub(crate) struct AskArgs {
    /// What kind of answer is wanted
    #[arg(value_enum)]
    pub(crate) kind: Kind,
    /// What to ask
    pub(crate) message: String,
    /// Something to choose, and what is then printed if not NAME
    #[arg(long = "choice", value_name = "NAME[=VALUE]")]
    pub(crate) choices: Vec<String>,
    /// The answer that Enter alone gives
    #[arg(long, value_name = "V")]
    pub(crate) default: Option<String>,
    /// How long to wait, such as 30s, 5m or 1h; for ever if not given
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) timeout: Option<Duration>,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// What the person sees as the name of who asks
    #[arg(long, value_name = "NAME", default_value = "script")]
    pub(crate) label: String,
}

/// What kind of answer is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Kind {
    /// yes or no
    Confirm,
    /// one of the choices
    Select,
    /// a line of text, which may be empty
    Input,
    /// any of the choices
    Checkbox,
    /// approve or reject
    Approval,
    /// one of the choices, or reject
    Choice,
    /// some text, or reject
    Text,
}

/// Report something to the person, through the tunnel
#[derive(Debug, clap::Args)]
#[command(long_about = EMIT_LONG, after_help = EMIT_EXAMPLES)]
pub(crate) struct EmitArgs {
    /// How important it is
    #[arg(long, value_enum, default_value_t = EmitLevel::Log, conflicts_with = "jsonl")]
    pub(crate) level: EmitLevel,
    /// Read messages of the tunnel from stdin, one JSON object a line
    #[arg(long, conflicts_with = "text")]
    pub(crate) jsonl: bool,
    /// What the person sees as the name of who reports
    #[arg(long, value_name = "NAME", default_value = "script")]
    pub(crate) label: String,
    /// What to report
    #[arg(required_unless_present = "jsonl")]
    pub(crate) text: Vec<String>,
}

/// How important a report is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum EmitLevel {
    Log,
    Warn,
    Error,
    Debug,
}

/// Open a socket and carry the questions of all who connect to it
#[derive(Debug, clap::Args)]
#[command(long_about = SERVE_LONG, after_help = SERVE_EXAMPLES)]
pub(crate) struct ServeArgs {
    /// Where the socket goes; in a fresh folder of its own if not given
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// Print the path of the socket and nothing else
    #[arg(long, conflicts_with = "output_format")]
    pub(crate) quiet: bool,
    /// How to print what clients report and what becomes of questions
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,
    /// Where the record goes; into the folder of all runs if not given
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal")]
    pub(crate) journal: Option<PathBuf>,
    /// Keep no record
    #[arg(long)]
    pub(crate) no_journal: bool,
    /// Do nothing without a record: exit 74 if it cannot be written
    #[arg(long, conflicts_with = "no_journal")]
    pub(crate) require_journal: bool,
    /// Answer by a program: the question on its stdin, the answer on stdout
    #[arg(long, value_name = "CMD")]
    pub(crate) answer_command: Option<String>,
    /// Let questions wait for `tim answer` where nobody else can answer
    #[arg(long)]
    pub(crate) wait: bool,
    /// A rule for what may run unasked; does not count below another tim
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// A rule for what may never run
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
}

/// Stand between tim and one of its agents; only tim starts this
#[derive(Debug, clap::Args)]
pub(crate) struct GuardArgs {
    /// The agent, and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<OsString>,
}

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

/// How to print what happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum OutputFormat {
    /// for people, one row for each thing that happens
    Text,
    /// for programs, one JSON object at the end
    Json,
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
Exit codes: 0 done, 1 failed, 2 usage or configuration; the help of each command
says what else.";

const ASK_LONG: &str = "\
Ask a person a question and print the answer.

Inside an agent's shell, or any shell whose TIM_OUTPUT_SOCKET names the socket
of a tim, the question goes to the person there, through any number of tims.
Elsewhere it is asked at the terminal. The answer is all that goes to stdout.";

const ASK_EXAMPLES: &str = "\
Examples:
  tim ask confirm 'Deploy to production?' --timeout 5m && ./deploy
  branch=$(tim ask select 'Which branch?' --choice main --choice 'dev=develop')
  name=$(tim ask input 'Name of the release?' --default v1)
  tim ask checkbox 'Run which?' --choice lint --choice test | xargs -rn1 make

Exit codes:
  0  answered            1  answered: no, or reject
  2  usage, or a question that cannot be asked
  3  nobody answered in time                4  the connection was lost
  5  the person declined (Ctrl-C)           6  nobody can answer here
  130  interrupted while asked elsewhere: the question is taken back";

const EMIT_LONG: &str = "\
Report something to the person, through the tunnel.

Goes to the tim whose socket TIM_OUTPUT_SOCKET names. Without one it is simply
printed: warnings and errors on stderr, everything else on stdout.";

const EMIT_EXAMPLES: &str = "\
Examples:
  tim emit 'three files left'
  tim emit --level warn 'the cache is full'
  my-agent-log-to-jsonl | tim emit --jsonl";

const SERVE_LONG: &str = "\
Open a socket and carry the questions of all who connect to it.

The first line on stdout is the path of the socket; at a terminal there is a
screen that shows it, where ? says which keys there are and Ctrl-C twice ends.
Whatever is started with TIM_OUTPUT_SOCKET set to that path asks here: agents,
nested tims, `tim ask`. Answers
come from the parent tim alone if TIM_OUTPUT_SOCKET is set for this one too,
else from the terminal and the answer command. If there is none of these,
questions are refused at once; with --wait they wait for `tim answer` in
another shell of yours.

Permissions are first judged by the rules of the user's file and of --allow and
--deny (see `tim rules --help`): denied ones for everybody, allowed ones for the
permission bridge of an agent only. Below another tim nothing is allowed
unasked.";

const SERVE_EXAMPLES: &str = "\
Examples:
  tim serve                                in one terminal, and in another:
  TIM_OUTPUT_SOCKET=... tim ask confirm 'Shall I?'
  tim serve --socket ~/.cache/tim.sock --quiet
  tim serve --answer-command './decide.py' --journal run.jsonl
  tim serve --wait                         and answer with `tim answer`

The answer command gets the question as one JSON object (v, key, path, pid,
kind, config, tool, deadlineMs) and prints the value as JSON; for a permission
{\"allow\":true} or {\"allow\":false}. Exit 0 answers, 1 declines, anything else
leaves the question to others. More in docs/tunnel.md.

Ends on SIGINT, SIGTERM or SIGHUP with 128 + its number; 4 if the run that it
belongs to is gone, 2 if there can be no socket, 70 after a failure of its own,
74 without the record that --require-journal wants.";

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

#[cfg(test)]
mod tests;
