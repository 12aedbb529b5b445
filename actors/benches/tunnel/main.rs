//! What the tunnel costs: our socket, its connections and the router behind it, each beside a floor that is measured in
//! the same run.
//!
//! `cargo bench -p actors --bench tunnel`, with the names of parts behind `--` if not all are wanted (`one`, `eight`,
//! `trip`, `flight`, `record`, `flood`, `memory`, `long`). The last two look at the release binary, which is not built by this.
//! Rounds are interleaved and medians compared, so that a slow moment of the machine hits both sides alike. Figures are
//! ratios; the absolute ones only say what this machine does.
//!
//! A round trip is mostly waking threads. With two cores free that hides what the server computes; where client and server
//! share a core nothing does. `taskset -c 0` in front of the binary makes it always so: steady, and the harder case.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock, its mailboxes are bounded by it, and it starts what it measures"
)]

mod binary;
mod client;
mod desk;
mod figures;
mod floor;
mod mix;
mod server;

use std::time::Duration;

use client::{Asking, Trips};
use figures::{Bound, Row, percentile};
use mix::Mix;
use server::{Server, Side};

const ROUNDS: usize = 11;
/// Rounds of questions that are all under way at once, in one measurement.
const FLIGHTS: usize = 20;
/// Questions one after another, in one measurement.
const TRIPS: Trips = Trips { warm_up: 500, count: 10_000 };
/// How long questions are asked while others flood.
const FLOOD: Duration = Duration::from_secs(5);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |part: &str| wanted.is_empty() || wanted.iter().any(|word| word == part);
    let mix = Mix::new();
    println!("{}\n{ROUNDS} interleaved rounds, medians (min … max), one thread a server\n", mix.described());
    figures::head();
    if is_wanted("one") {
        ingest("(a) lines of 1 writer, k/s", (1, &mix), Side::BOTH, Bound::AtLeast(0.8));
    }
    if is_wanted("eight") {
        ingest("(b) lines of 8 writers, k/s", (8, &mix), Side::BOTH, Bound::AtLeast(0.8));
    }
    if is_wanted("trip") {
        round_trips();
    }
    if is_wanted("flight") {
        let (simple, both, bound) = (Side::SIMPLE, Side::BOTH, Bound::AtLeast(0.5));
        flights("(d) 1,000 in flight, k answers/s", Asking::OneByOne, simple, bound);
        flights("    the same, asked in 4 writes", Asking::AllAtOnce, simple, bound);
        // What is to be had by a server that knows the answer before it has asked: no router can be as fast.
        flights("    floor with one write a read", Asking::OneByOne, both, Bound::None);
        flights("    the same, asked in 4 writes", Asking::AllAtOnce, both, Bound::None);
    }
    if is_wanted("record") {
        recorded(&mix);
    }
    if is_wanted("flood") {
        flood(&mix);
    }
    if is_wanted("memory") {
        binary::memory();
    }
    if is_wanted("long") {
        binary::endless_line();
    }
}

/// What the record costs: the floor is tim without one.
fn recorded(mix: &Mix) {
    let (sides, bound) = (Side::RECORD, Bound::AtLeast(0.5));
    println!("with a record, beside tim without one:");
    ingest("(e) lines of 1 writer, k/s", (1, mix), sides, bound);
    ingest("    lines of 8 writers, k/s", (8, mix), sides, bound);
    flights("    1,000 in flight, k answers/s", Asking::OneByOne, sides, bound);
    flights("    the same, asked in 4 writes", Asking::AllAtOnce, sides, bound);
}

/// How many lines a second are taken, until the last one is dispatched.
fn ingest(name: &str, (writers, mix): (usize, &Mix), sides: [Side; 2], bound: Bound) {
    let shares = mix.shares(writers);
    let mut row = Row::new(name, bound);
    row.fill(ROUNDS, sides, |side| {
        let server = Server::start(side);
        mix.lines() as f64 / client::pour(&server.path(), &shares).as_secs_f64() / 1e3
    });
    row.print();
}

/// How long one question takes that is asked alone.
fn round_trips() {
    let mut median = Row::new("(c) round trip p50, µs", Bound::AtMost(1.3));
    let mut slowest = Row::new("    round trip p99, µs", Bound::AtMost(2.0));
    for _ in 0..ROUNDS {
        let [floor, tim] = Side::BOTH.map(|side| client::round_trips(&Server::start(side).path(), TRIPS));
        median.push(percentile(&floor, 50), percentile(&tim, 50));
        slowest.push(percentile(&floor, 99), percentile(&tim, 99));
    }
    median.print();
    slowest.print();
}

/// How many answers a second there are while a thousand questions are under way.
fn flights(name: &str, asking: Asking, sides: [Side; 2], bound: Bound) {
    let mut row = Row::new(name, bound);
    row.fill(ROUNDS, sides, |side| {
        let server = Server::start(side);
        let time = client::in_flight(&server.path(), FLIGHTS, asking);
        (FLIGHTS * client::IN_FLIGHT) as f64 / time.as_secs_f64() / 1e3
    });
    row.print();
}

/// How long a question takes while two others send 100,000 lines a second each.
fn flood(mix: &Mix) {
    let [floor, tim] = Side::BOTH.map(|side| client::flooded(&Server::start(side).path(), mix, FLOOD));
    let row = |name: &str, bound, percent| {
        let mut row = Row::new(name, bound);
        row.push(percentile(&floor.times, percent), percentile(&tim.times, percent));
        row.print_by_value();
    };
    row("    flooded, round trip p50, µs", Bound::None, 50);
    row("    flooded, round trip p99, µs", Bound::AtMost(100_000.0), 99);
    row("    flooded, slowest, µs", Bound::None, 100);
    println!(
        "      (flooded by {:.0} k lines/s at the floor, {:.0} k at tim; {} and {} questions)",
        floor.lines_a_second / 1e3,
        tim.lines_a_second / 1e3,
        floor.times.len(),
        tim.times.len()
    );
}
