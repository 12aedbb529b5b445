//! The command line of tim.
//!
//! Owns what only a program may touch: arguments, environment, configuration, the terminal and the exit code. Takes
//! no routing decision.

mod above;
mod args;
mod ask;
mod backend;
mod claude_settings;
mod clock;
mod complaints;
mod completion;
mod config;
mod configure;
mod control;
mod demo;
mod desks;
mod doctor;
mod duration;
mod emit;
mod environment;
mod exit;
mod fold;
mod folder;
mod guard;
mod keeping;
mod likeness;
mod line_mode;
mod log;
mod look_back;
mod man;
mod mcp;
#[doc(hidden)]
pub mod measured;
mod noise;
mod pretty;
mod printer;
mod quote;
mod record;
mod render;
mod replay;
mod retold;
mod routed;
mod rules;
mod run;
mod runs;
mod save;
mod secrets;
mod serve;
mod signals;
mod source;
mod stdin;
mod tally;
mod term;
mod terminal;
mod trust;
mod trusted;
mod tty;
mod upward;
mod voice;

use std::borrow::Cow;
use std::ffi::OsString;
use std::io::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::OnceLock;

use environment::Environment;
use secrets::Secrets;

pub use actors::ask as prompts;

/// What no warning and no log may hold. They are written from everywhere, also where no environment is at hand.
static SECRETS: OnceLock<Secrets> = OnceLock::new();

/// Runs the program with its arguments, the first of which is its own name, with a way to look up a variable of its
/// environment, and with all of them: only to know which of them are secret.
pub fn run(
    arguments: impl IntoIterator<Item = OsString>,
    variable: impl Fn(&str) -> Option<OsString>,
    variables: impl IntoIterator<Item = (OsString, OsString)>,
) -> ExitCode {
    let (arguments, secrets) = (arguments.into_iter().collect::<Vec<_>>(), Secrets::of(variables));
    let started_with = secrets.mask_all(&arguments);
    let folder = std::env::current_dir().ok();
    let environment =
        Environment { started_with, secrets: secrets.clone(), folder, ..Environment::from(variable) };
    SECRETS.get_or_init(|| secrets);
    let code = match args::Args::read(&arguments) {
        Ok(args::Args { verbose, command }) => {
            log::start(verbose, &environment);
            // What went wrong has been said by then.
            let ran = catch_unwind(AssertUnwindSafe(|| run_command(&command, &environment)));
            let code = ran.unwrap_or(exit::INTERNAL);
            tracing::info!(code = code.number(), "tim ends");
            code
        }
        Err(message) => say(&args::with_tips(message, &arguments)),
    };
    code.into()
}

fn run_command(command: &args::Command, environment: &Environment) -> exit::Code {
    match command {
        args::Command::Answer(args) => control::answer(args, environment),
        args::Command::Ask(args) => ask::run(args, environment),
        args::Command::Config(args) => configure::run(args, environment),
        args::Command::Completion(args) => completion::run(args),
        args::Command::Demo(args) => demo::run(args, environment),
        args::Command::DemoAgent(args) => demo::agent::run(args),
        args::Command::Doctor(args) => doctor::run(args, environment),
        args::Command::Emit(args) => emit::run(args, environment),
        args::Command::Guard(args) => guard::run(args),
        args::Command::Log(args) => look_back::run(args, environment),
        args::Command::Man(args) => man::run(args),
        args::Command::Mcp(args) => mcp::run(args, environment),
        args::Command::Ps(args) => control::ps(args, environment),
        args::Command::Replay(args) => replay::run(args, environment),
        args::Command::Rules(args) => rules::run(args, environment),
        args::Command::Run(args) => run::run(args, "run", environment),
        args::Command::Send(args) => control::send(args, environment),
        args::Command::Serve(args) => serve::run(args, environment),
        args::Command::Stop(args) => control::stop(args, environment),
        args::Command::Subagent(args) => run::run(args, run::SUBAGENT, environment),
    }
}

/// Runs something that waits for sockets and clocks, on this thread.
fn on_one_thread(what: impl Future<Output = exit::Code>) -> exit::Code {
    match tokio::runtime::Builder::new_current_thread().enable_all().build() {
        Ok(runtime) => tokio::task::LocalSet::new().block_on(&runtime, what),
        Err(error) => complain(&format!("cannot start: {error}"), exit::INTERNAL),
    }
}

/// Prints help, the version or a usage error where each belongs, and says how to exit.
fn say(message: &clap::Error) -> exit::Code {
    let text = message.render().to_string();
    let printed = match without_secrets(&text) {
        Cow::Borrowed(_) => message.print(),
        // It quotes an argument.
        Cow::Owned(masked) if message.use_stderr() => write!(std::io::stderr(), "{masked}"),
        Cow::Owned(masked) => write!(std::io::stdout(), "{masked}"),
    };
    match printed {
        _ if message.use_stderr() => exit::USAGE,
        Ok(()) => exit::SUCCESS,
        Err(error) => output_failed(&error),
    }
}

/// Whoever reads our output went away, or it cannot be written.
fn output_failed(error: &std::io::Error) -> exit::Code {
    match error.kind() {
        std::io::ErrorKind::BrokenPipe => exit::OUTPUT_CLOSED,
        _ => complain(&actors::system::unwritable("stdout", error), exit::UNWRITTEN),
    }
}

/// Says on stderr what went wrong, also if that quotes something foreign. If it cannot be written, the exit code still
/// says it.
fn complain(what: &str, code: exit::Code) -> exit::Code {
    warn(what);
    code
}

/// Says something on stderr that does not end the program.
fn warn(what: &str) {
    let _ = writeln!(std::io::stderr(), "tim: {}", codec::text::visible(&without_secrets(what)));
}

/// The same for programs: a line of JSON.
fn report(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// The text with the names of secret variables in the place of their values.
fn without_secrets(text: &str) -> Cow<'_, str> {
    SECRETS.get().map_or(Cow::Borrowed(text), |secrets| secrets.mask(text))
}
