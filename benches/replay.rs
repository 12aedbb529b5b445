//! What it costs to play a record again, beside a program that only reads it, measured in the same run.
//!
//! `cargo bench --bench replay`, with `rate` or `memory` behind `--` if not both are wanted.
//! - rate: `tim replay` with nothing to print but one object, and with `--check`, over a journal of an agent that talks and one
//!   of many clients, from the start of the process to its end; beside this program, which reads the same file in the same
//!   way and parses each line into a `serde_json::Value`.
//! - memory: how much `tim replay` grows from the first tenth of a billion bytes to the last one.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock and the environment, and starts what it measures"
)]

#[path = "replay/floor.rs"]
mod floor;
#[path = "replay/journal.rs"]
mod journal;
#[path = "replay/memory.rs"]
mod memory;
#[path = "replay/rate.rs"]
mod rate;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, file] = &arguments[..]
        && name == floor::NAME
    {
        return floor::read(file);
    }
    let wanted: Vec<&String> = arguments.iter().filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| *word == part);
    if is_wanted("rate") {
        rate::measure();
    }
    if is_wanted("memory") {
        memory::measure();
    }
}
