//! `tim run`: what can be said to it, and what of that is for Claude Code.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use super::OutputFormat;
use crate::duration;

/// Run Claude Code, or another agent, with you at hand
#[derive(Debug, clap::Args)]
#[command(long_about = LONG, after_help = EXAMPLES)]
pub(crate) struct RunArgs {
    /// What to do; - reads it from stdin. None at a terminal opens a conversation
    pub(crate) prompt: Vec<String>,
    /// Read what to do from a file
    #[arg(short = 'F', long, value_name = "FILE", conflicts_with = "prompt")]
    pub(crate) file: Option<PathBuf>,
    /// Show it a picture (PNG, JPEG, GIF, WebP); can be given several times
    #[arg(long = "image", value_name = "FILE")]
    pub(crate) images: Vec<PathBuf>,
    /// Go on when the work is done, until Ctrl-D; needs a terminal
    #[arg(short, long)]
    pub(crate) keep_open: bool,
    /// Print the final text and nothing else on stdout
    #[arg(short, long, conflicts_with = "output_format")]
    pub(crate) print: bool,
    /// How to print on stdout: the final text, one object at the end, or every event
    #[arg(long, value_enum, default_value_t = OutputFormat::Text, value_name = "FORMAT")]
    pub(crate) output_format: OutputFormat,
    #[command(flatten)]
    pub(crate) tasks: TaskArgs,
    #[command(flatten)]
    pub(crate) asks: AskingArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Hold this folder: ask before going on if another run holds it
    #[arg(long)]
    pub(crate) lock: bool,
    /// Where the record goes; into the folder of all runs if not given
    #[arg(long, value_name = "FILE", conflicts_with = "no_journal")]
    pub(crate) journal: Option<PathBuf>,
    /// Keep no record
    #[arg(long)]
    pub(crate) no_journal: bool,
    /// Do nothing without a record: exit 74 if it cannot be written
    #[arg(long, conflicts_with = "no_journal")]
    pub(crate) require_journal: bool,
    /// Run another agent: a path, a command line, or a name of the configuration
    #[arg(long, value_name = "BACKEND")]
    pub(crate) backend: Option<OsString>,
    /// Which Claude Code to run; TIM_CLAUDE, the configuration or PATH if not given
    #[arg(long, value_name = "PATH")]
    pub(crate) claude: Option<OsString>,
    #[command(flatten)]
    pub(crate) of_claude: ClaudeArgs,
    /// More for Claude Code, or for the backend, as it stands
    #[arg(last = true, value_name = "MORE")]
    pub(crate) passed_on: Vec<OsString>,
}

/// Several agents, each with its own task.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Several tasks")]
pub(crate) struct TaskArgs {
    /// A task for an agent of its own; can be given several times
    #[arg(long = "task", value_name = "TEXT", conflicts_with_all = ["prompt", "file"])]
    pub(crate) texts: Vec<String>,
    /// Tasks from a file (- is stdin): a paragraph each, or its `- [ ]` boxes
    #[arg(long = "tasks", value_name = "FILE", conflicts_with_all = ["prompt", "file"])]
    pub(crate) files: Vec<PathBuf>,
    /// So many agents at once; one after another if not given
    #[arg(short, long, value_name = "N", default_value_t = 1, value_parser = jobs)]
    pub(crate) jobs: usize,
    /// What the agent is called, once for each task; below another tim, the run
    #[arg(short, long = "name", value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Go on with the next task after a failure, without asking
    #[arg(long, conflicts_with = "fail_fast")]
    pub(crate) keep_going: bool,
    /// Begin no task after a failure
    #[arg(long)]
    pub(crate) fail_fast: bool,
}

impl TaskArgs {
    /// Whether no task was given as such.
    pub(crate) const fn is_empty(&self) -> bool {
        self.texts.is_empty() && self.files.is_empty()
    }
}

fn jobs(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|jobs| (1..=MOST_JOBS).contains(jobs))
        .ok_or_else(|| format!("expected 1 to {MOST_JOBS}"))
}

/// More agents at once are a mistake.
const MOST_JOBS: usize = 256;

/// Who is asked, and what is not asked.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Questions")]
pub(crate) struct AskingArgs {
    /// A rule for what may run unasked; below another tim the person there is asked first
    #[arg(long, value_name = "RULE")]
    pub(crate) allow: Vec<String>,
    /// A rule for what may never run
    #[arg(long, value_name = "RULE")]
    pub(crate) deny: Vec<String>,
    /// Answer by a program: the question on its stdin, the answer on stdout
    #[arg(long, value_name = "CMD")]
    pub(crate) answer_command: Option<String>,
    /// How long a permission may wait, such as 10m; for ever if not given
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) permission_timeout: Option<Duration>,
    /// How long a question of the agent may wait; then it is told that nobody answered
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) question_timeout: Option<Duration>,
    /// Allow what somebody saw and nobody answered in that time
    #[arg(long)]
    pub(crate) dangerously_allow_on_timeout: bool,
    /// Ask no person: what no rule and no answer command allows is refused at once
    #[arg(long, conflicts_with = "require_human")]
    pub(crate) unattended: bool,
    /// Where nobody is at a terminal, let questions wait for `tim answer`
    #[arg(long, conflicts_with = "unattended")]
    pub(crate) wait: bool,
    /// Fail before anything starts if no person could be asked
    #[arg(long)]
    pub(crate) require_human: bool,
    /// A run in which something was refused is no failure
    #[arg(long)]
    pub(crate) refused_ok: bool,
    /// Use no terminal, also where there is one (TIM_NONINTERACTIVE=1)
    #[arg(long)]
    pub(crate) non_interactive: bool,
    /// Read no lines for the agent from the terminal; questions are asked there
    #[arg(long)]
    pub(crate) no_terminal_input: bool,
    /// By which way Claude Code asks: on its pipes, or by the tool of an MCP server
    #[arg(long, value_enum, default_value_t = PermissionRoute::Stdio, value_name = "ROUTE")]
    #[arg(conflicts_with = "backend")]
    pub(crate) permission_route: PermissionRoute,
}

/// By which way Claude Code asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum PermissionRoute {
    /// on its pipes: it says why it asks, and which of its subagents does
    Stdio,
    /// by the tool of an MCP server, `tim mcp serve`
    Mcp,
}

/// How long things may take.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Limits")]
pub(crate) struct LimitArgs {
    /// End an agent after this time, such as 2h; exit 3
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) timeout: Option<Duration>,
    /// End an agent that says nothing for so long; exit 3
    #[arg(long, value_name = "TIME", value_parser = duration::parse)]
    pub(crate) idle_timeout: Option<Duration>,
}

/// Flags of Claude Code, under their own names.
#[derive(Debug, Default, clap::Args)]
#[command(next_help_heading = "Passed on to Claude Code")]
pub(crate) struct ClaudeArgs {
    /// Which model
    #[arg(long, value_name = "MODEL")]
    pub(crate) model: Option<OsString>,
    /// Which model if that one is overloaded
    #[arg(long, value_name = "MODEL")]
    pub(crate) fallback_model: Option<OsString>,
    /// Go on with the last conversation in this folder
    #[arg(short = 'c', long = "continue", conflicts_with = "resume")]
    pub(crate) go_on: bool,
    /// Go on with a conversation: a run of tim, or a session of Claude's
    #[arg(short, long, value_name = "RUN|SESSION")]
    pub(crate) resume: Option<String>,
    /// Under a new id, when going on
    #[arg(long)]
    pub(crate) fork_session: bool,
    /// The id of the new conversation, a UUID
    #[arg(long, value_name = "UUID")]
    pub(crate) session_id: Option<OsString>,
    /// Which agent of Claude's
    #[arg(long, value_name = "AGENT")]
    pub(crate) agent: Option<OsString>,
    /// default, acceptEdits, plan, dontAsk, bypassPermissions
    #[arg(long, value_name = "MODE")]
    pub(crate) permission_mode: Option<OsString>,
    /// Claude's own rules for what runs unasked
    #[arg(long, alias = "allowedTools", value_name = "TOOLS")]
    pub(crate) allowed_tools: Vec<OsString>,
    /// Claude's own rules for what never runs
    #[arg(long, alias = "disallowedTools", value_name = "TOOLS")]
    pub(crate) disallowed_tools: Vec<OsString>,
    /// Which tools there are at all
    #[arg(long, value_name = "TOOLS")]
    pub(crate) tools: Vec<OsString>,
    /// MCP servers: a file, or JSON
    #[arg(long, value_name = "FILE|JSON")]
    pub(crate) mcp_config: Vec<OsString>,
    /// Only the MCP servers of --mcp-config
    #[arg(long)]
    pub(crate) strict_mcp_config: bool,
    /// More settings of Claude's: a file, or JSON
    #[arg(long, value_name = "FILE|JSON")]
    pub(crate) settings: Option<OsString>,
    /// One more folder that it may work in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) add_dir: Vec<OsString>,
    /// Instead of Claude's own system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) system_prompt: Option<OsString>,
    /// Behind Claude's own system prompt
    #[arg(long, value_name = "TEXT")]
    pub(crate) append_system_prompt: Option<OsString>,
    /// So many turns at the most
    #[arg(long, value_name = "N")]
    pub(crate) max_turns: Option<OsString>,
    /// So many dollars at the most
    #[arg(long, value_name = "USD")]
    pub(crate) max_budget_usd: Option<OsString>,
    /// How hard it thinks
    #[arg(long, value_name = "LEVEL")]
    pub(crate) effort: Option<OsString>,
}

impl ClaudeArgs {
    /// The first flag of these that was given, for whom they are not.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let given = [
            ("--model", self.model.is_some()),
            ("--fallback-model", self.fallback_model.is_some()),
            ("--continue", self.go_on),
            ("--resume", self.resume.is_some()),
            ("--fork-session", self.fork_session),
            ("--session-id", self.session_id.is_some()),
            ("--agent", self.agent.is_some()),
            ("--permission-mode", self.permission_mode.is_some()),
            ("--allowed-tools", !self.allowed_tools.is_empty()),
            ("--disallowed-tools", !self.disallowed_tools.is_empty()),
            ("--tools", !self.tools.is_empty()),
            ("--mcp-config", !self.mcp_config.is_empty()),
            ("--strict-mcp-config", self.strict_mcp_config),
            ("--settings", self.settings.is_some()),
            ("--add-dir", !self.add_dir.is_empty()),
            ("--system-prompt", self.system_prompt.is_some()),
            ("--append-system-prompt", self.append_system_prompt.is_some()),
            ("--max-turns", self.max_turns.is_some()),
            ("--max-budget-usd", self.max_budget_usd.is_some()),
            ("--effort", self.effort.is_some()),
        ];
        given.into_iter().find(|(_, is_given)| *is_given).map(|(flag, _)| flag)
    }

    /// As Claude Code takes them; the conversation to go on with has its own id by then.
    pub(crate) fn passed_on(&self, resume: Option<&str>) -> Vec<OsString> {
        let mut passed = Vec::new();
        // A value that looks like a flag must not become one.
        let mut add = |flag: &str, value: &OsString| match value.as_encoded_bytes().starts_with(b"-") {
            true => {
                let mut word = OsString::from(format!("{flag}="));
                word.push(value);
                passed.push(word);
            }
            false => passed.extend([flag.into(), value.clone()]),
        };
        let resume = resume.map(OsString::from);
        let single = [
            ("--model", &self.model),
            ("--fallback-model", &self.fallback_model),
            ("--resume", &resume),
            ("--session-id", &self.session_id),
            ("--agent", &self.agent),
            ("--permission-mode", &self.permission_mode),
            ("--settings", &self.settings),
            ("--system-prompt", &self.system_prompt),
            ("--append-system-prompt", &self.append_system_prompt),
            ("--max-turns", &self.max_turns),
            ("--max-budget-usd", &self.max_budget_usd),
            ("--effort", &self.effort),
        ];
        for (flag, value) in single {
            value.iter().for_each(|value| add(flag, value));
        }
        let several = [
            ("--allowedTools", &self.allowed_tools),
            ("--disallowedTools", &self.disallowed_tools),
            ("--tools", &self.tools),
            ("--mcp-config", &self.mcp_config),
            ("--add-dir", &self.add_dir),
        ];
        for (flag, values) in several {
            values.iter().for_each(|value| add(flag, value));
        }
        let flags = [
            ("--continue", self.go_on),
            ("--fork-session", self.fork_session),
            ("--strict-mcp-config", self.strict_mcp_config),
        ];
        passed.extend(flags.into_iter().filter(|(_, is_set)| *is_set).map(|(flag, _)| flag.into()));
        passed
    }
}

const LONG: &str = "\
Run Claude Code, or another agent, with a person at hand.

What it does is shown as it happens; what it may not do unasked is asked: at the
terminal, at the tim above this one, or by the answer command. Lines that you
type meanwhile go to it. The run ends when the work is done, background work
included, and its exit code says what came of it. Without a terminal, and with
-p, stdout is the final text alone.

Claude Code must be installed and logged in; `tim demo` needs neither. Any
program that prints stream events can be run in its place with --backend: what
those are says docs/agents.md.

Several tasks (--task, --tasks) have an agent each, one after another, or -j at
once. After a failure you are asked whether to go on; where nobody can be asked
it goes on. A box in a file is ticked when its task ended with 0; the exit code
is the worst one. -n names the agents: @name before a line says who hears it.";

/// `tim subagent`.
pub(super) const SUBAGENT_LONG: &str = "\
The same as `tim run -p`, under a name that says what it is for: an agent starts
another one in its shell, reads the final text of it on stdout, and the person
at the root sees what it does, answers what it asks and can speak to it.";

/// Its examples.
pub(super) const SUBAGENT_EXAMPLES: &str = "\
Examples, in an agent's shell:
  tim subagent -n review 'look at the diff, and say what is wrong' > review.md
  tim subagent -j 2 --task 'port the tests' --task 'port the docs'
  git diff | tim subagent -

Exit codes as of `tim run`: 0 done, 1 failed, 4 the run above is gone, 5 nobody
could decide something";

const EXAMPLES: &str = "\
Examples:
  tim run 'fix the failing test'
  tim run                                  a conversation, until Ctrl-D
  git diff | tim run -p - > review.md      the prompt from a pipe
  tim run -F task.md --allow 'Bash(cargo test:*)' --deny 'Bash(git push:*)'
  echo '-v or -q?' | tim run -             a prompt that begins with -
  tim run -r 7f3c 'and now the docs'       go on with an earlier run
  tim run 'go' -- --betas x                anything else for Claude Code
  tim run --backend ./review.py 'look at the diff'
  tim run -n review 'look at the diff'     in an agent's shell: a run below it
  tim run -j 3 -n api --task 'fix the api' -n web --task 'fix the form'
  tim run --tasks TODO.md --unattended --allow 'Bash(cargo test:*)'
  nohup tim run --wait 'fix it' &          answered with `tim ps`, `tim answer`

Exit codes:
  0  done, and whatever was asked was decided by somebody
  1  failed, or no result        2  usage or configuration
  3  --timeout or --idle-timeout 4  the tim above this one is gone
  5  nobody could decide something (--refused-ok: 0), or --require-human
  70 a failure of tim's own      74 no record (--require-journal), or disk full
  126, 127  the agent cannot run, is not found
  141 stdout was closed          128 + n  ended by signal n (Ctrl-C twice: 130)";
