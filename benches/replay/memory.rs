//! How much a replay grows while a long journal goes through, as the kernel counts it.

use std::io::Write as _;
use std::process::{Child, Command, Stdio};

use crate::journal::{Heavy, Journal};

const SIZE: usize = 1_000_000_000;
/// In MiB, from the first tenth to the end.
const BOUND: f64 = 16.0;

pub(crate) fn measure() {
    println!("memory: VmRSS of tim replay when so much of {} MB is read, in MiB", SIZE / 1_000_000);
    for (name, heavy) in [("an agent that talks", Heavy::Agent), ("many clients", Heavy::Tunnel)] {
        for arguments in [&["--check"][..], &["--output-format", "json"], &["--turns"], &[]] {
            let ([early, late], peak) = run(heavy, arguments);
            let (grown, how) = (late - early, arguments.join(" "));
            let verdict = if grown <= BOUND { "ok" } else { "MISSED" };
            println!(
                "  {name:<20} {how:<22} at 10 % {early:.1}, at 100 % {late:.1}: {grown:+.1} (at most {BOUND}: {verdict}); peak {peak:.1}"
            );
        }
    }
}

/// Its memory at both marks, and the most that it ever had.
fn run(heavy: Heavy, arguments: &[&str]) -> ([f64; 2], f64) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.args(["replay", "-"]).args(arguments).env_clear();
    let mut tim = command.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
    let mut stdin = tim.stdin.take().unwrap();
    let mut text = String::new();
    let mut journal = Journal::begin(heavy, &mut text);
    let (mut size, mut early) = (0, None);
    while size < SIZE {
        journal.cycle(&mut text);
        // All but what is in the pipe is read when this is written.
        stdin.write_all(text.as_bytes()).unwrap();
        size += text.len();
        text.clear();
        if size >= SIZE / 10 && early.is_none() {
            early = Some(memory(&tim, "VmRSS"));
        }
    }
    let (late, peak) = (memory(&tim, "VmRSS"), memory(&tim, "VmHWM"));
    drop(stdin);
    assert!(tim.wait().unwrap().success());
    ([early.unwrap(), late], peak)
}

/// In MiB.
fn memory(tim: &Child, which: &str) -> f64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", tim.id())).unwrap();
    let row = status.lines().find_map(|row| row.strip_prefix(which)).unwrap();
    let size: f64 = row.trim_start_matches(':').trim().trim_end_matches(" kB").parse().unwrap();
    size / 1_024.0
}
