//! From a key to the picture that has it.

use std::io::Write as _;
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use portable_pty::CommandBuilder;

use crate::pty::{Terminal, percentiles};

const KEYS: usize = 1_000;
/// Lines a second, in portions of a millisecond.
const LINES: usize = 10_000;

/// A client that prints without a pause.
fn flood(socket: &Path, is_over: &Arc<AtomicBool>) {
    let mut stream = UnixStream::connect(socket).unwrap();
    let line =
        format!("{{\"type\":\"log\",\"level\":\"info\",\"args\":[\"{}\"]}}\n", "some words ".repeat(5));
    let portion = line.repeat(LINES / 1_000);
    let mut next = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        stream.write_all(portion.as_bytes()).unwrap();
        next += Duration::from_millis(1);
        std::thread::sleep(next.saturating_duration_since(Instant::now()));
    }
}

fn ours() -> (Duration, Duration) {
    let folder = std::env::temp_dir().join(format!("tim-bench-keys-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let socket = folder.join("s");
    let mut command = CommandBuilder::new(Path::new(env!("CARGO_MANIFEST_DIR")).join("target/release/tim"));
    command.args(["serve", "--no-journal", "--socket", socket.to_str().unwrap()]);
    command.env_clear();
    command.env("HOME", &folder);
    command.env("TERM", "xterm-256color");
    let mut terminal = Terminal::start(command);
    terminal.sees("TIM_OUTPUT_SOCKET");
    let is_over = Arc::new(AtomicBool::new(false));
    let flooding = {
        let (socket, is_over) = (socket.clone(), Arc::clone(&is_over));
        std::thread::spawn(move || flood(&socket, &is_over))
    };
    terminal.sees("some words");
    let times = (0..KEYS).map(|at| {
        // Frames that show the line as it was are not the answer.
        let key = char::from(b'a' + u8::try_from(at % 26).unwrap()).to_string();
        let pressed = terminal.press(&key);
        let took = terminal.sees(&format!("❯ {key}")) - pressed;
        terminal.press("\x7f");
        std::thread::sleep(Duration::from_millis(5));
        took
    });
    let times = times.collect();
    is_over.store(true, Ordering::Relaxed);
    flooding.join().unwrap();
    drop(terminal);
    std::fs::remove_dir_all(folder).unwrap();
    percentiles(times)
}

/// What the kernel echoes by itself.
fn floor() -> (Duration, Duration) {
    let mut terminal = Terminal::start(CommandBuilder::new("cat"));
    let times = (0..KEYS).map(|_| {
        let pressed = terminal.press("x");
        terminal.sees("x") - pressed
    });
    percentiles(times.collect())
}

pub(crate) fn measure() {
    println!("keys: {KEYS} keys while {LINES} lines a second are printed");
    let (floor, ours) = (floor(), ours());
    println!("  echo of the kernel   p50 {:>8.2?}   p99 {:>8.2?}", floor.0, floor.1);
    println!("  key to picture       p50 {:>8.2?}   p99 {:>8.2?} (at most 5 ms)", ours.0, ours.1);
}
