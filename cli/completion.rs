//! `tim completion`: what a shell needs to complete the words after `tim`.
//!
//! Owns which shells there are. Prints to stdout and touches no file of any shell. Ends with 0, or as a write to stdout
//! that failed.

use std::io::{self, Write as _};

use clap_complete::{Shell as Kind, generate};

use crate::args::{CompletionArgs, Shell, for_people};
use crate::exit::{self, Code};

/// Runs the command.
pub(crate) fn run(args: &CompletionArgs) -> Code {
    let mut out = io::stdout().lock();
    match out.write_all(&script(args.shell)).and_then(|()| out.flush()) {
        Ok(()) => exit::SUCCESS,
        Err(error) => crate::output_failed(&error),
    }
}

fn script(shell: Shell) -> Vec<u8> {
    let kind = match shell {
        Shell::Bash => Kind::Bash,
        Shell::Zsh => Kind::Zsh,
        Shell::Fish => Kind::Fish,
    };
    let mut script = Vec::new();
    generate(kind, &mut for_people(), "tim", &mut script);
    script
}
