//! How much `tim run` grows while a long stream goes through, as the kernel counts it.

use std::io::{Read as _, Write as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::process::Child;
use std::time::Duration;

use crate::agent;
use crate::stream::{Folder, Stream};
use crate::tim::{self, Journal};

/// In MiB, from the first tenth to the last event.
const BOUND: f64 = 16.0;
/// A process that used no processor for so long has nothing left to do.
const CALM: Duration = Duration::from_millis(300);

pub(crate) fn measure(folder: &Folder, events: &Stream) {
    println!("memory: VmRSS of tim when all that was printed so far is heard, in MiB");
    for (name, journal) in [("no journal", Journal::Off), ("with a journal", Journal::On)] {
        let ([early, late], peak) = run(folder, events, journal);
        let grown = late - early;
        let verdict = if grown <= BOUND { "ok" } else { "MISSED" };
        println!(
            "  {name:<16} at 10 % {early:.1}, at 100 % {late:.1}: {grown:+.1} (at most {BOUND}: {verdict}); peak {peak:.1}"
        );
    }
}

/// Its memory at both marks, and the most that it ever had until the second.
fn run(folder: &Folder, events: &Stream, journal: Journal) -> ([f64; 2], f64) {
    let socket = folder.join("agent.sock");
    let listener = UnixListener::bind(&socket).unwrap();
    let mut tim = tim::command(folder, &agent::command(events, &socket), journal).spawn().unwrap();
    let mut stream = listener.accept().unwrap().0;
    let early = at_mark(&mut stream, &tim);
    stream.write_all(b".").unwrap();
    // All but the last event: with that it would end.
    let late = at_mark(&mut stream, &tim);
    let peak = memory(&tim, "VmHWM");
    stream.write_all(b".").unwrap();
    assert!(tim.wait().unwrap().success());
    std::fs::remove_file(socket).unwrap();
    let _ = std::fs::remove_file(tim::record(folder));
    ([early, late], peak)
}

/// Its memory when it has heard what the agent printed up to the next mark.
fn at_mark(agent: &mut UnixStream, tim: &Child) -> f64 {
    agent.read_exact(&mut [0]).unwrap();
    let mut before = processor(tim);
    loop {
        std::thread::sleep(CALM);
        let now = processor(tim);
        if now == before {
            return memory(tim, "VmRSS");
        }
        before = now;
    }
}

/// In MiB.
fn memory(tim: &Child, which: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", tim.id())).unwrap();
    let row = status.lines().find_map(|row| row.strip_prefix(which)).unwrap();
    let size: f64 = row.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
    size / 1_024.0
}

/// The processor time that it had so far, in ticks.
fn processor(tim: &Child) -> u64 {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", tim.id())).unwrap();
    let fields = stat.rsplit(") ").next().unwrap().split_whitespace().skip(11).take(2);
    fields.map(|ticks| ticks.parse::<u64>().unwrap()).sum()
}
