//! `tim __guard`: the process between tim and one of its agents.
//!
//! Owns the signals that end a guard; all else is the guard's own. Started by tim only.

use actors::agent::guard;

use crate::args::GuardArgs;
use crate::exit::{self, Code};
use crate::signals::Signals;

/// Runs the command.
pub(crate) fn run(args: &GuardArgs) -> Code {
    let Some((program, arguments)) = args.command.split_first() else { return exit::USAGE };
    crate::on_one_thread(async {
        // Before anything is started, so that no signal leaves it behind.
        let mut signals = match Signals::catch() {
            Ok(signals) => signals,
            Err(error) => return crate::complain(&format!("cannot catch signals: {error}"), exit::INTERNAL),
        };
        let signalled = async move {
            signals.next().await;
        };
        match guard::run(program, arguments, signalled).await {
            Ok(code) => Code::of_program(code),
            Err(error) => crate::complain(&format!("only tim starts a guard: {error}"), exit::USAGE),
        }
    })
}
