//! The program: everything but the process's own edges is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    tim::run(std::env::args_os())
}
