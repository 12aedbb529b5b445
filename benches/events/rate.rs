//! How many events a second go through, beside the floors.

use std::time::Duration;

use crate::floor::{self, Reader};
use crate::stream::{Folder, Stream};
use crate::tim::{self, Journal};

const ROUNDS: usize = 15;
/// Of the faster floor, without a record.
const BOUND: f64 = 0.5;

/// Who is measured, in the order of the table.
const NAMES: [&str; 4] = [
    "split, and parse by serde_json",
    "split and parse by tim's codec",
    "tim run, no journal",
    "tim run, with a journal",
];

pub(crate) fn measure(folder: &Folder, events: &Stream) {
    has_heard_all(folder, events);
    let one = Stream::write(folder, "one", 1);
    let mut rounds: Vec<[f64; 4]> = Vec::new();
    for _ in 0..ROUNDS {
        let (all, start) = (times(folder, events), times(folder, &one));
        let seconds = |at: usize| (all[at] - start[at]).as_secs_f64();
        rounds.push(std::array::from_fn(|at| events.count as f64 / seconds(at)));
    }
    println!("rate: {ROUNDS} interleaved rounds, medians (and least … most); without what one event takes");
    let rates = |at: usize| spread(rounds.iter().map(|round| round[at] / 1e6));
    let floor = if rates(0)[1] > rates(1)[1] { 0 } else { 1 };
    for (at, name) in NAMES.iter().enumerate() {
        let rates = rates(at);
        // Each round beside its own floor: a slow moment of the machine hits both alike.
        let ratio = spread(rounds.iter().map(|round| round[at] / round[floor]));
        let bound = if at == 2 { judged(ratio[1]) } else { String::new() };
        println!("  {name:<32} {} M events/s   {} of the faster floor{bound}", shown(rates), shown(ratio));
    }
}

/// How long each of them takes, one right after the other.
fn times(folder: &Folder, events: &Stream) -> [Duration; 4] {
    let floor = |reader| {
        let (took, count) = floor::run(reader, &events.path);
        assert_eq!(count, events.count, "every line counts");
        took
    };
    let [serde, codec] = [Reader::Serde, Reader::Codec].map(floor);
    let [off, on] = [Journal::Off, Journal::On].map(|journal| tim::timed(folder, &events.path, journal));
    [serde, codec, off, on]
}

/// What is measured has heard every event, and every line is on record.
fn has_heard_all(folder: &Folder, events: &Stream) {
    let mut command = tim::command(folder, &tim::cat(&events.path), Journal::On);
    let said = command.stdout(std::process::Stdio::piped()).output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    let tokens = format!("\"output_tokens\":{}", events.tokens());
    assert!(said.contains(&tokens), "not {tokens}: {}", said.get(..200).unwrap_or(&said));
    let record = std::fs::read(tim::record(folder)).unwrap();
    assert!(memchr::memchr_iter(b'\n', &record).count() > events.count, "lines are missing on record");
    std::fs::remove_file(tim::record(folder)).unwrap();
}

fn judged(ratio: f64) -> String {
    format!(" (at least {BOUND}: {})", if ratio >= BOUND { "ok" } else { "MISSED" })
}

/// The least, the middle one, the most.
fn spread(figures: impl Iterator<Item = f64>) -> [f64; 3] {
    let mut sorted: Vec<f64> = figures.collect();
    sorted.sort_by(f64::total_cmp);
    [sorted[0], sorted[sorted.len() / 2], sorted[sorted.len() - 1]]
}

fn shown([least, middle, most]: [f64; 3]) -> String {
    format!("{middle:.2} ({least:.2} … {most:.2})")
}
