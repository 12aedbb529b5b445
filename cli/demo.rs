//! `tim demo`: everything that `tim run` does, with an agent that is a script.
//!
//! Owns the job. The agent is this very program (`__demo-agent`) behind the same guard and the same pipes as Claude Code;
//! nothing of what it tells is done. Where no person is at hand the run plays their part too (`run/played`).

pub(crate) mod agent;
mod inbox;
mod machine;
mod story;
#[cfg(test)]
mod tests;
mod wire;

use actors::gate::rules::RuleSet;

use crate::args::{DemoArgs, OutputFormat, Speed};
use crate::config::{self, Config, Flags};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::run::{self, AfterFailure, Backend, Job, Limits, People, Prompt, Task};
pub(crate) use story::QUESTION;

/// What the agent is told first.
const PROMPT: &str = "Show me what tim does.";

/// Runs the command.
pub(crate) fn run(args: &DemoArgs, environment: &Environment) -> Code {
    match config::load(environment, Flags::default()) {
        // Nobody but the person, or whoever plays them, answers a demo.
        Ok(config) => {
            config.warnings.iter().for_each(|warning| crate::warn(warning));
            run::start(&job(args, environment, Config { answer_command: None, ..config }), environment)
        }
        Err(error) => crate::complain(&error.to_string(), exit::USAGE),
    }
}

fn job(args: &DemoArgs, environment: &Environment, config: Config) -> Job {
    Job {
        label: "run".to_owned(),
        is_nested: environment.output_socket.is_some(),
        loosens: Vec::new(),
        people: People {
            uses_terminal: !environment.is_non_interactive,
            reads_lines: config.terminal_input,
            ..People::default()
        },
        config,
        rules: RuleSet::default(),
        tasks: vec![Task {
            name: None,
            prompt: Prompt { text: Some(PROMPT.to_owned()), images: Vec::new() },
            listed: None,
        }],
        is_batch: false,
        are_named: false,
        jobs: 1,
        after_failure: AfterFailure::default(),
        keep_open: false,
        holds_folder: false,
        print: args.print,
        format: if args.print { OutputFormat::Text } else { args.output_format },
        limits: Limits::default(),
        backend: Backend::Demo { speed: args.speed },
    }
}

/// How the agent is started.
pub(crate) fn arguments(speed: Option<Speed>, is_live: bool, is_played: bool) -> Vec<std::ffi::OsString> {
    // Whoever only reads wants to know how it ends.
    let speed = speed.unwrap_or(if is_played { Speed::Times(2.0) } else { Speed::Times(1.0) });
    let mut arguments = vec!["__demo-agent".into(), "--speed".into(), speed.to_string().into()];
    arguments.extend(is_live.then(|| "--live".into()));
    arguments
}
