//! `tim run`: Claude Code, or any other agent, with a person at hand.
//!
//! Owns what was said on the command line, as a job. How it is carried out stands in `stage`; what an agent's lines mean,
//! when its stdin closes and how its processes end are the agent's own (`actors::agent`).

mod alone;
mod asking;
mod batch;
mod begin;
mod cast;
mod consent;
mod decisions;
mod ending;
mod entering;
mod leader;
mod offer;
mod outcome;
mod output;
mod part;
mod played;
pub(crate) mod probe;
mod prompt;
mod remedy;
mod reported;
pub(crate) mod resume;
mod scene;
mod schedule;
mod spawn;
mod stage;
mod steered;
mod tasks;
mod trust;
mod waiting;
mod watch;

use std::ffi::OsString;
use std::time::Duration;

use actix::System;
use actors::agent::Language;
use actors::gate::rules::RuleSet;

use crate::above::Above;
use crate::args::{OutputFormat, PermissionRoute, RunArgs, Speed};
use crate::backend::{self, Program};
use crate::config::{self, Config, Flags};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::routed::{self, Failed};
use crate::signals::Caught;
use crate::{mcp, rules, runs};
use ending::Stopped;
pub(crate) use prompt::Prompt;
pub(crate) use schedule::AfterFailure;
pub(crate) use tasks::Task;

/// What is to be done.
pub(crate) struct Job {
    pub(crate) config: Config,
    pub(crate) rules: RuleSet,
    /// one for each agent
    pub(crate) tasks: Vec<Task>,
    /// somebody has named their agents
    pub(crate) are_named: bool,
    /// they were given as tasks: what they came to is told together, also if there is only one
    pub(crate) is_batch: bool,
    /// as many agents are at work at once
    pub(crate) jobs: usize,
    pub(crate) after_failure: AfterFailure,
    /// what it is called at the tim above this one
    pub(crate) label: String,
    pub(crate) keep_open: bool,
    /// nobody else should work in the folder meanwhile
    pub(crate) holds_folder: bool,
    /// the final text alone on stdout
    pub(crate) print: bool,
    pub(crate) format: OutputFormat,
    pub(crate) people: People,
    pub(crate) limits: Limits,
    pub(crate) backend: Backend,
    /// whoever started it may be an agent
    pub(crate) is_nested: bool,
    /// flags that count only with a yes at the root
    pub(crate) loosens: Vec<String>,
}

impl Job {
    /// The MCP server by which the agent asks, if it does not on its own pipes.
    pub(crate) const fn asks_by(&self) -> Option<&'static str> {
        match self.language() {
            Language::Claude { asks_by } => asks_by,
            Language::Events => None,
        }
    }

    /// What the agent speaks.
    pub(crate) const fn language(&self) -> Language {
        match self.backend {
            Backend::Claude { route: PermissionRoute::Mcp, .. } => {
                Language::Claude { asks_by: Some(mcp::SERVER) }
            }
            Backend::Claude { route: PermissionRoute::Stdio, .. } | Backend::Demo { .. } => {
                Language::Claude { asks_by: None }
            }
            Backend::Stream(_) => Language::Events,
        }
    }

    /// Whether there is one agent and no more.
    pub(crate) const fn is_alone(&self) -> bool {
        !self.is_batch
    }

    /// How many agents are at work at once, at the most.
    pub(crate) fn at_once(&self) -> usize {
        self.jobs.min(self.tasks.len())
    }

    /// Whether nobody has said yet what to do.
    pub(crate) fn awaits_words(&self) -> bool {
        self.tasks.iter().any(|task| task.prompt.text.is_none())
    }

    /// The wire of the agent of that task, in the record.
    pub(crate) fn wire_of(&self, number: usize) -> String {
        let name = if self.is_alone() { "main".to_owned() } else { self.name_of(number) };
        match self.language() {
            Language::Claude { .. } => format!("claude:{name}"),
            Language::Events => format!("agent:{name}"),
        }
    }

    /// What the agent of that task is called.
    pub(crate) fn name_of(&self, number: usize) -> String {
        let name = self.tasks.get(number).and_then(|task| task.name.as_ref());
        name.map_or_else(|| self.name().to_owned(), ToString::to_string)
    }

    /// How wide the widest of their names is.
    pub(crate) fn widest_name(&self) -> usize {
        (0..self.tasks.len()).map(|number| self.name_of(number).len()).max().unwrap_or_default()
    }

    /// What an agent is called after its program.
    fn name(&self) -> &str {
        match &self.backend {
            Backend::Claude { .. } | Backend::Demo { .. } => "claude",
            Backend::Stream(program) => &program.label,
        }
    }

    /// Whether what is allowed for always is kept for later runs.
    pub(crate) const fn saves_rules(&self) -> bool {
        matches!(self.backend, Backend::Claude { .. } | Backend::Stream(_))
    }
}

/// Who is asked.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct People {
    pub(crate) is_unattended: bool,
    pub(crate) requires_human: bool,
    /// questions wait for those who come to the control socket
    pub(crate) waits: bool,
    pub(crate) is_refused_ok: bool,
    /// the terminal is used, if there is one
    pub(crate) uses_terminal: bool,
    /// lines for the agent are read there
    pub(crate) reads_lines: bool,
}

/// How long things may take.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Limits {
    pub(crate) total: Option<Duration>,
    pub(crate) idle: Option<Duration>,
    pub(crate) permission: Option<Duration>,
    pub(crate) question: Option<Duration>,
    pub(crate) allow_on_timeout: bool,
}

impl Limits {
    /// Why an agent ends whose time is over.
    fn is_over(&self) -> Stopped {
        self.total.map_or(Stopped::Signal(Caught::INTERRUPT), Stopped::Time)
    }
}

/// Which agent it is.
#[derive(Debug, Clone)]
pub(crate) enum Backend {
    /// Claude Code
    Claude {
        /// by name or path
        program: OsString,
        /// what the user wants it to be told
        passed_on: Vec<OsString>,
        /// the user asked for denials that nobody decides: of an old version they cannot be told from others
        wishes_denials: bool,
        /// by which way it asks
        route: PermissionRoute,
    },
    /// a program that speaks stream events
    Stream(Program),
    /// the script inside tim, which only pretends
    Demo {
        /// how fast, if somebody says so
        speed: Option<Speed>,
    },
}

/// Runs the command, `tim run` or `tim subagent`.
pub(crate) fn run(args: &RunArgs, command: &str, environment: &Environment) -> Code {
    match job(args, command, environment) {
        Ok(job) => start(&job, environment),
        // What is wrong with a rule is shown where it is read.
        Err((why, code)) if why.is_empty() => code,
        Err((why, code)) => crate::complain(&why, code),
    }
}

/// Carries a job out.
pub(crate) fn start(job: &Job, environment: &Environment) -> Code {
    routed::keep_memory_private();
    let ran = System::new().block_on(stage::run(job, environment));
    ran.unwrap_or_else(|(why, code)| crate::complain(&why, code))
}

fn job(args: &RunArgs, command: &str, environment: &Environment) -> Result<Job, Failed> {
    let usage = |why: String| (why, exit::USAGE);
    let above = Above::look(environment);
    let is_nested = above.is_nested();
    let mut loosens = if is_nested { consent::loosening(args) } else { Vec::new() };
    loosens.splice(0..0, above.changed(environment));
    let flags = Flags {
        answer_command: args.asks.answer_command.clone(),
        journal: args.journal.clone(),
        no_journal: args.no_journal,
        require_journal: args.require_journal,
    };
    let mut config = config::load(environment, flags).map_err(|error| usage(error.to_string()))?;
    config.warnings.iter().for_each(|warning| crate::warn(warning));
    // One that a flag names is asked about.
    let is_unasked = is_nested && args.asks.answer_command.is_none();
    if let Some(command) = config.answer_command.take_if(|_| is_unasked) {
        crate::warn(&format!("the answer command of {} is not used below another tim", command.origin));
    }
    let rules = rules::from_flags(&args.asks.allow, &args.asks.deny).map_err(|code| (String::new(), code))?;
    let stream = backend::of(args, &config, environment.home.as_deref()).map_err(usage)?;
    if stream.is_some() && !(args.asks.allow.is_empty() && args.asks.deny.is_empty()) {
        crate::warn(
            "--allow and --deny hold for what is asked at tim's socket, not for what the backend does",
        );
    }
    let mut tasks = tasks::read(args).map_err(usage)?;
    let label = label(&mut tasks, command, is_nested);
    let resume = args.of_claude.resume.as_deref();
    let resume = resume
        .map(|wanted| resume::session(wanted, || runs::folder(environment)))
        .transpose()
        .map_err(usage)?;
    let people = people(args, environment, (&config, is_nested));
    Ok(Job {
        keep_open: args.keep_open || tasks.iter().any(|task| task.prompt.text.is_none()),
        holds_folder: args.lock,
        is_batch: !args.tasks.is_empty(),
        are_named: !args.tasks.names.is_empty(),
        jobs: args.tasks.jobs,
        after_failure: after_failure(args),
        people: People { uses_terminal: people.uses_terminal && !above.is_agents(), ..people },
        is_nested,
        limits: limits(args, &config, is_nested).map_err(usage)?,
        backend: stream.map_or_else(|| claude(args, &config, resume.as_deref()), Backend::Stream),
        config,
        rules,
        tasks,
        label,
        print: args.print || command == SUBAGENT,
        format: args.output_format,
        loosens,
    })
}

/// What the run is called at the tim above this one. There a name is that of the run, and its only agent needs none.
fn label(tasks: &mut [Task], command: &str, is_nested: bool) -> String {
    let name = match tasks {
        [only] if is_nested => only.name.take(),
        _ => None,
    };
    name.map_or_else(|| command.to_owned(), |name| name.to_string())
}

/// `tim run -p` by another name.
pub(crate) const SUBAGENT: &str = "subagent";

fn people(args: &RunArgs, environment: &Environment, (config, is_nested): (&Config, bool)) -> People {
    let asks = &args.asks;
    let is_alone = asks.unattended || asks.non_interactive || environment.is_non_interactive;
    People {
        is_unattended: asks.unattended,
        requires_human: asks.require_human,
        waits: asks.wait,
        is_refused_ok: asks.refused_ok || config.is_refused_ok && !is_nested,
        uses_terminal: !is_alone,
        reads_lines: config.terminal_input && !asks.no_terminal_input,
    }
}

fn after_failure(args: &RunArgs) -> AfterFailure {
    match (args.tasks.keep_going, args.tasks.fail_fast) {
        (true, _) => AfterFailure::GoOn,
        (_, true) => AfterFailure::Stop,
        _ => AfterFailure::Ask,
    }
}

/// The flags, else the configuration. What allows by time needs a time, and below another tim a yes at the root, which only a
/// flag is asked about.
fn limits(args: &RunArgs, config: &Config, is_nested: bool) -> Result<Limits, String> {
    let patience = &config.patience;
    let configured = patience.allows_on_timeout.as_ref().filter(|_| !is_nested);
    let limits = Limits {
        total: args.limits.timeout.or(patience.total),
        idle: args.limits.idle_timeout.or(patience.idle),
        permission: args.asks.permission_timeout.or(patience.permission),
        question: args.asks.question_timeout.or(patience.question),
        allow_on_timeout: args.asks.dangerously_allow_on_timeout || configured.is_some(),
    };
    if limits.allow_on_timeout && limits.permission.is_none() {
        let who = configured.filter(|_| !args.asks.dangerously_allow_on_timeout).map(ToString::to_string);
        let who = who.unwrap_or_else(|| "--dangerously-allow-on-timeout".to_owned());
        return Err(format!("{who}: allow on timeout, after which time? Add --permission-timeout 10m"));
    }
    Ok(limits)
}

fn claude(args: &RunArgs, config: &Config, resume: Option<&str>) -> Backend {
    let model = config.model.as_ref().filter(|_| args.of_claude.model.is_none());
    let mut passed_on: Vec<OsString> =
        model.map(|model| format!("--model={model}").into()).into_iter().collect();
    passed_on.extend(args.of_claude.passed_on(resume));
    passed_on.extend(args.passed_on.iter().cloned());
    let mode = args.of_claude.permission_mode.as_deref();
    let wishes_denials = mode.is_some_and(|mode| mode == "dontAsk")
        || !args.of_claude.disallowed_tools.is_empty()
        || !args.asks.deny.is_empty();
    let program = probe::wanted(args.claude.as_ref(), config.claude.as_ref());
    Backend::Claude { program, passed_on, wishes_denials, route: args.asks.permission_route }
}
