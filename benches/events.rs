//! What a long stream of events costs, beside a program that only splits and reads it, measured in the same run.
//!
//! `cargo bench --bench events`, with `rate` or `memory` behind `--` if not both are wanted.
//! - rate: a million events of an agent (`cat`) through `tim run` with nothing to print, from the start of the process to its
//!   end, without what a run of one event takes; beside two programs that read the same pipe, split it and parse each line.
//! - memory: how much `tim run` grows from the first tenth of them to the last one.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock, waits for a process to rest, and starts what it measures"
)]

#[path = "events/agent.rs"]
mod agent;
#[path = "events/floor.rs"]
mod floor;
#[path = "events/memory.rs"]
mod memory;
#[path = "events/rate.rs"]
mod rate;
#[path = "events/stream.rs"]
mod stream;
#[path = "events/tim.rs"]
mod tim;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name, told @ ..] = &arguments[..]
        && name == agent::NAME
    {
        return agent::speak(told);
    }
    let wanted: Vec<&String> = arguments.iter().filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| *word == part);
    let folder = stream::Folder::new();
    let events = stream::Stream::write(&folder, "events", stream::EVENTS);
    println!("{} events, {:.0} bytes each", events.count, events.size as f64 / events.count as f64);
    if is_wanted("rate") {
        rate::measure(&folder, &events);
    }
    if is_wanted("memory") {
        memory::measure(&folder, &events);
    }
}
