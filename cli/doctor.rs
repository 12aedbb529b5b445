//! `tim doctor`: whether all that tim needs is there, and what to do where it is not.
//!
//! Owns the order of things: look, judge, show. Changes nothing, opens no login, and runs no program but Claude Code for
//! its version. Ends with 0 if nothing is in the way, else with 1.

mod check;
mod facts;
mod folders;
mod judge;
mod look;
mod shown;
#[cfg(test)]
mod tests;

use std::io::{self, IsTerminal as _, Write as _};

use rustix::termios::tcgetwinsize;

use crate::args::DoctorArgs;
use crate::environment::Environment;
use crate::exit::{self, Code};
use check::{Check, State};

/// Runs the command.
pub(crate) fn run(args: &DoctorArgs, environment: &Environment) -> Code {
    crate::on_one_thread(async {
        let facts = look::look(args, environment).await;
        let home = environment.home.as_deref().and_then(|home| home.to_str());
        let checks: Vec<Check> = judge::all(&facts).into_iter().map(|check| check.told(home)).collect();
        let text = if args.json { shown::json(&checks) } else { shown::text(&checks, columns()) };
        match print(&text) {
            Ok(()) if checks.iter().any(|check| check.state == State::Problem) => exit::FAILED,
            Ok(()) => exit::SUCCESS,
            Err(error) => crate::output_failed(&error),
        }
    })
}

/// As wide as help is, and narrower only where the screen is.
fn columns() -> usize {
    let out = io::stdout();
    let said = out.is_terminal().then(|| tcgetwinsize(&out).ok()).flatten();
    said.map(|size| usize::from(size.ws_col)).filter(|columns| *columns > 0).unwrap_or(shown::WIDEST)
}

fn print(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}
