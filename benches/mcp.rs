//! What the permission bridge costs, beside the smallest program that could stand in its place: one that reads a line and
//! writes a reply that it has ready. Both are started and called in the same run, one right after the other.
//!
//! `cargo build --release && cargo bench --bench mcp`, with `start` or `call` behind `--` if not both are wanted. It looks at
//! the release binary, which is not built by this.
//! - start: from the start of the process to its reply to `initialize`.
//! - call: from a call to its decision, through the bridge and a tim in this process, whose person says yes at once.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock, its mailboxes are bounded by it, and it starts what it measures"
)]

#[path = "mcp/floor.rs"]
mod floor;
#[path = "mcp/process.rs"]
mod process;
#[path = "mcp/server.rs"]
mod server;

use std::time::Duration;

use process::{Process, Side};
use server::Server;

/// Starts of each.
const STARTS: usize = 400;
/// Calls of each that are not counted, and that are.
const WARM_UP: usize = 200;
const CALLS: usize = 5_000;
/// Calls of one side before it is the other's turn.
const BATCH: usize = 50;

fn main() {
    if std::env::args().nth(1).as_deref() == Some(floor::NAME) {
        return floor::respond();
    }
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| word == part);
    let server = Server::start();
    if is_wanted("start") {
        starts(&server);
    }
    if is_wanted("call") {
        calls(&server);
    }
}

fn starts(server: &Server) {
    let mut times: [Vec<Duration>; 2] = Default::default();
    for _ in 0..STARTS {
        for (side, times) in Side::BOTH.into_iter().zip(&mut times) {
            times.push(Process::start(side, &server.path()).first_reply());
        }
    }
    let [floor, tim] = times.map(|times| percentile(&times, 50));
    let ratio = tim / floor;
    println!("start to the reply to initialize, median of {STARTS}:");
    println!("  floor {floor:.0} µs, tim {tim:.0} µs: {ratio:.2} ×   ≤ 1.5 {}", judged(ratio <= 1.5));
}

fn calls(server: &Server) {
    let mut sides = Side::BOTH.map(|side| Process::start(side, &server.path()));
    let mut times: [Vec<Duration>; 2] = Default::default();
    for side in &mut sides {
        side.first_reply();
        for _ in 0..WARM_UP {
            side.call();
        }
    }
    for _ in 0..CALLS / BATCH {
        for (side, times) in sides.iter_mut().zip(&mut times) {
            times.extend((0..BATCH).map(|_| side.call()));
        }
    }
    println!("a call to its decision, {CALLS} of each:");
    for percent in [50, 99] {
        let [floor, tim] = [&times[0], &times[1]].map(|times| percentile(times, percent));
        let more = tim - floor;
        let bound =
            if percent == 99 { format!("   ≤ 500 {}", judged(more <= 500.0)) } else { String::new() };
        println!("  p{percent}: floor {floor:.0} µs, tim {tim:.0} µs: {more:.0} µs more{bound}");
    }
}

fn judged(is_kept: bool) -> &'static str {
    if is_kept { "ok" } else { "MISSED" }
}

/// In microseconds.
fn percentile(times: &[Duration], percent: usize) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)].as_nanos() as f64 / 1e3
}
