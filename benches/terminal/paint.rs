//! 100 MB through the screen.

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::os::fd::OwnedFd;
use std::process::{Command, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Winsize, tcsetwinsize};

/// How many rows are printed.
const ROWS: usize = 1_500_000;
/// In one report.
const IN_ONE: usize = 50;
const ROUNDS: usize = 3;

/// A row like those that compilers and tests print. Rows are not all alike, and none is wider than a screen.
fn row(at: usize) -> String {
    match at % 4 {
        0 => format!("test parse::tokens::case_{at:07} ... ok"),
        1 => format!("   Compiling some-crate-{at:07} v0.{}.{} (registry)", at % 10, at % 7),
        2 => format!("warning: {at:07} unused variable: `value` in module a::b::c, see the note"),
        _ => format!("  --> src/module_{at:07}.rs:{}:{}   expected one of `;` or `)`", at % 900, at % 80),
    }
}

fn reports() -> impl Iterator<Item = Vec<u8>> {
    (0..ROWS / IN_ONE).map(|report| {
        let rows: Vec<String> = (0..IN_ONE).map(|at| row(report * IN_ONE + at)).collect();
        format!(r#"{{"type":"stdout","data":"{}\n"}}"#, rows.join("\\n")).into_bytes()
    })
}

/// A terminal of 80 columns in raw mode, and somebody who reads it to the end: how much, and how many rows.
fn terminal() -> (OwnedFd, JoinHandle<(usize, usize)>) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let flags = rustix::fs::OFlags::RDWR | rustix::fs::OFlags::NOCTTY | rustix::fs::OFlags::NONBLOCK;
    let slave = rustix::fs::open(&name, flags, rustix::fs::Mode::empty()).unwrap();
    tcsetwinsize(&slave, Winsize { ws_row: 24, ws_col: 80, ws_xpixel: 0, ws_ypixel: 0 }).unwrap();
    let mut modes = rustix::termios::tcgetattr(&slave).unwrap();
    modes.make_raw();
    rustix::termios::tcsetattr(&slave, rustix::termios::OptionalActions::Now, &modes).unwrap();
    let reader = std::thread::spawn(move || {
        let (mut master, mut chunk) = (File::from(master), vec![0; 64 << 10]);
        let (mut bytes, mut rows) = (0, 0);
        while let Ok(read @ 1..) = master.read(&mut chunk) {
            bytes += read;
            rows += chunk.iter().take(read).filter(|byte| **byte == b'\n').count();
        }
        (bytes, rows)
    });
    (slave, reader)
}

/// `cat` of the same text.
fn floor(text: &std::path::Path) -> Duration {
    let (slave, reader) = terminal();
    // `cat` does not expect a terminal that says "later".
    let mut flags = rustix::fs::fcntl_getfl(&slave).unwrap();
    flags.remove(rustix::fs::OFlags::NONBLOCK);
    rustix::fs::fcntl_setfl(&slave, flags).unwrap();
    let began = Instant::now();
    let mut cat = Command::new("cat").arg(text).stdout(Stdio::from(slave)).spawn().unwrap();
    assert!(cat.wait().unwrap().success());
    drop(cat);
    reader.join().unwrap();
    began.elapsed()
}

fn ours() -> (Duration, usize, usize) {
    let (slave, reader) = terminal();
    let began = Instant::now();
    tim::measured::show_reports(slave, reports()).unwrap();
    let (bytes, rows) = reader.join().unwrap();
    (began.elapsed(), bytes, rows)
}

/// The most memory that this process ever had, in KiB.
fn peak() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let row = status.lines().find_map(|row| row.strip_prefix("VmHWM:")).unwrap();
    row.trim().trim_end_matches(" kB").parse().unwrap()
}

pub(crate) fn measure() {
    let path = std::env::temp_dir().join(format!("tim-bench-{}.txt", std::process::id()));
    let mut file = std::io::BufWriter::new(File::create(&path).unwrap());
    let mut size = 0;
    for at in 0..ROWS {
        let row = row(at);
        size += row.len() + 1;
        writeln!(file, "{row}").unwrap();
    }
    file.into_inner().unwrap().sync_all().unwrap();
    println!("paint: {} MB in {ROWS} rows, {ROUNDS} interleaved rounds", size / 1_000_000);
    let before = peak();
    let mut ratios = Vec::new();
    for _ in 0..ROUNDS {
        let floor = floor(&path);
        let (ours, bytes, rows) = ours();
        assert!(rows >= ROWS, "rows were dropped: {rows}");
        let ratio = ours.as_secs_f64() / floor.as_secs_f64();
        println!("  cat {floor:>8.2?}   screen {ours:>8.2?} ({} MB)   {ratio:.2} ×", bytes / 1_000_000);
        ratios.push(ratio);
    }
    ratios.sort_by(f64::total_cmp);
    let grown = peak().saturating_sub(before) / 1024;
    println!(
        "  median {:.2} × (at most 3), 0 rows dropped, peak memory +{grown} MiB (at most 64)",
        ratios[ROUNDS / 2]
    );
    std::fs::remove_file(path).unwrap();
}
