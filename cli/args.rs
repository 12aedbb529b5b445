//! What can be said on the command line.

mod config;
mod control;
mod demo;
mod doctor;
mod help;
mod hint;
mod look_back;
mod mcp;
mod replay;
mod rules;
mod run;
mod scripts;
mod shells;

use std::ffi::OsString;

use clap::{Parser, Subcommand, ValueEnum};

pub(crate) use config::{ConfigArgs, ConfigCommand, InitArgs};
pub(crate) use control::{AnswerArgs, PsArgs, SendArgs, StopArgs};
pub(crate) use demo::{DemoAgentArgs, DemoArgs};
pub(crate) use doctor::DoctorArgs;
pub(crate) use hint::with_tips;
pub(crate) use look_back::{DecidedBy, LogArgs, LogCommand, RedactArgs, WhyArgs};
pub(crate) use mcp::{BridgeArgs, McpArgs, McpCommand};
pub(crate) use replay::{ReplayArgs, Speed};
pub(crate) use rules::{AddArgs, BASH, ListArgs, RemoveArgs, RulesArgs, RulesCommand, TestArgs};
pub(crate) use run::{PermissionRoute, RunArgs};
pub(crate) use scripts::{AskArgs, EmitArgs, EmitLevel, Kind, ServeArgs};
pub(crate) use shells::{CompletionArgs, ManArgs, Shell, for_people};

/// What was said.
#[derive(Debug, Parser)]
#[command(name = "tim", version, about = help::ABOUT, arg_required_else_help = true)]
#[command(max_term_width = 80, help_template = help::TEMPLATE, after_help = help::SHORT, after_long_help = help::LONG)]
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
    Config(ConfigArgs),
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
    #[command(hide = true, long_about = run::SUBAGENT_LONG, after_help = run::SUBAGENT_EXAMPLES, after_long_help = run::SUBAGENT_EXAMPLES)]
    Subagent(Box<RunArgs>),
}

/// Stand between tim and one of its agents; only tim starts this
#[derive(Debug, clap::Args)]
pub(crate) struct GuardArgs {
    /// The agent, and its arguments
    #[arg(last = true, required = true, value_name = "PROGRAM")]
    pub(crate) command: Vec<OsString>,
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

#[cfg(test)]
mod tests;
