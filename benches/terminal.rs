//! What the screen costs, each figure beside a floor that is measured in the same run.
//!
//! `cargo build --release && cargo bench --bench terminal`, with `paint`, `keys` or `agent` behind `--` if not all are
//! wanted. The last two look at the release binary, which is not built by this.
//! - paint: 100 MB of what an agent prints, through the screen to a PTY that somebody reads, beside `cat` of the same text.
//! - agent: what `tim run` costs for a line, until it is seen, and to start.
//! - keys: from a key to the picture that has it, while a client prints 10,000 lines a second, beside the echo of the kernel.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock, sleeps to keep a pace, and starts what it measures"
)]

#[path = "terminal/agent.rs"]
mod agent;
#[path = "terminal/keys.rs"]
mod keys;
#[path = "terminal/paint.rs"]
mod paint;
#[path = "terminal/pty.rs"]
mod pty;

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| word == part);
    if is_wanted("paint") {
        paint::measure();
    }
    if is_wanted("agent") {
        agent::measure();
    }
    if is_wanted("keys") {
        keys::measure();
    }
}
