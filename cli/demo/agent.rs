//! `tim __demo-agent`: the demo's agent as a process. Started by tim only, as Claude Code is.
//!
//! Owns its pipes, its clock and the one child that it has: `tim ask`, as a script in an agent's shell would run it. What
//! they mean is decided in `machine`. Ends when stdin is closed and all is said, with the exit code that Claude Code has.

use std::io::{self, Write as _};
use std::process::Stdio;

use codec::frame::Frame;
use codec::limits::Limits;
use tokio::process::{Child, Command};
use tokio::time::{Duration, Instant, sleep_until};

use super::machine::{Demo, Do};
use super::story::QUESTION;
use crate::args::DemoAgentArgs;
use crate::exit::{self, Code};
use crate::stdin::StdinLines;

/// Runs the command.
pub(crate) fn run(args: &DemoAgentArgs) -> Code {
    crate::on_one_thread(play(Demo::new(args.speed, args.live)))
}

/// The script that asks, while there is one; or why there is none.
type Script = Option<io::Result<Child>>;

/// What happened.
enum Happened {
    Heard(Option<Frame>),
    Asked(Option<i32>),
    TimePassed,
}

async fn play(mut demo: Demo) -> Code {
    let mut lines = match StdinLines::new(Limits::STANDARD.tunnel_line).on_a_thread() {
        Ok(lines) => lines,
        Err(error) => return crate::complain(&format!("cannot read stdin: {error}"), exit::INTERNAL),
    };
    let (began, mut script, mut is_open) = (Instant::now(), Script::None, true);
    loop {
        let wake = demo.wake_at().map(|at| began + Duration::from_millis(at));
        let happened = tokio::select! {
            line = lines.recv(), if is_open => Happened::Heard(line.and_then(Result::ok)),
            code = ended(&mut script) => Happened::Asked(code),
            () = until(wake) => Happened::TimePassed,
        };
        match &happened {
            Happened::Heard(line) => is_open = line.is_some(),
            Happened::Asked(_) => script = None,
            Happened::TimePassed => {}
        }
        let now = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        if let Some(code) = carry_out(follows(&mut demo, happened, now), &mut script) {
            return code;
        }
    }
}

fn follows(demo: &mut Demo, happened: Happened, now: u64) -> Vec<Do> {
    match happened {
        Happened::Heard(Some(Frame::Line(line))) => demo.hear(&line, now),
        Happened::Heard(Some(_)) => Vec::new(),
        Happened::Heard(None) => demo.hear_the_end(now),
        Happened::Asked(code) => demo.asked(code, now),
        Happened::TimePassed => demo.tick(now),
    }
}

async fn until(wake: Option<Instant>) {
    match wake {
        Some(at) => sleep_until(at).await,
        None => std::future::pending().await,
    }
}

/// Waits for the end of the script, if one runs: its exit code, if it had one.
async fn ended(script: &mut Script) -> Option<i32> {
    match script {
        Some(Ok(child)) => child.wait().await.ok().and_then(|status| status.code()),
        Some(Err(_)) => None,
        None => std::future::pending().await,
    }
}

/// Does what is to be done; says how to exit, if that is part of it.
fn carry_out(all: Vec<Do>, script: &mut Script) -> Option<Code> {
    let mut out = io::stdout().lock();
    for one in all {
        let done = match one {
            Do::Line(line) => writeln!(out, "{line}"),
            Do::Ask => {
                *script = Some(ask());
                Ok(())
            }
            Do::StopAsking => {
                // Dropped is killed.
                *script = None;
                Ok(())
            }
            Do::End { is_good } => {
                let code = if is_good { exit::SUCCESS } else { exit::FAILED };
                return Some(out.flush().map_or(exit::OUTPUT_CLOSED, |()| code));
            }
        };
        // Nobody reads what it says any more.
        if done.is_err() {
            return Some(exit::OUTPUT_CLOSED);
        }
    }
    out.flush().err().map(|_| exit::OUTPUT_CLOSED)
}

/// The question of a script: to whoever listens where this agent's environment says.
fn ask() -> io::Result<Child> {
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["ask", "confirm", QUESTION, "--label", "release"]);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).kill_on_drop(true);
    command.spawn()
}
