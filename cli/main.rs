//! The program: everything but the process's own edges is in the library.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place: each variable is looked up once, at the start"
    )]
    let variable = |name: &str| std::env::var_os(name);
    tim::run(std::env::args_os(), variable, std::env::vars_os())
}
