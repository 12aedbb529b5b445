//! How fast lines are split and read, each beside a floor that is measured in the same run.
//!
//! `cargo bench -p codec`. Rounds are interleaved and medians compared, so that a slow moment of the machine hits
//! both sides alike. Figures are ratios; the absolute ones only say what this machine does.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a bench that cannot go on should stop")]
#![expect(clippy::disallowed_methods, reason = "a bench looks at the clock")]

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::{Duration, Instant};

use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use codec::limits::Limits;
use codec::tunnel::Up;
use serde::de::IgnoredAny;
use tokio_util::codec::{Decoder, LinesCodec};

const LINES: usize = 200_000;
const ROUNDS: usize = 15;

fn main() {
    let mix = mix(LINES);
    let lines: Vec<&[u8]> = mix.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).collect();
    println!("{} lines, {:.1} bytes each, {ROUNDS} interleaved rounds, medians", lines.len(), mean(&lines));
    let read = compare(|| timed(|| ignore_all(&lines)), || timed(|| read_all(&lines)));
    report("serde_json into IgnoredAny", "read, validate, classify", read, lines.len());
    println!("    ratio {:.2} (at most 3)", ratio(read.1, read.0));
    let framed =
        compare(|| frame_with(LinesCodec::new(), &mix), || frame_with(Lines::new(8 << 20, Tail::Drop), &mix));
    report("LinesCodec", "frame::Lines", framed, lines.len());
    println!("    {:.2} times as fast (at least 2)", ratio(framed.0, framed.1));
}

fn mean(lines: &[&[u8]]) -> f64 {
    lines.iter().map(|line| line.len()).sum::<usize>() as f64 / lines.len() as f64
}

/// Each side counts its lines and says how long it took.
fn compare(
    mut floor: impl FnMut() -> (usize, Duration),
    mut ours: impl FnMut() -> (usize, Duration),
) -> (Duration, Duration) {
    let (mut floors, mut own) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        floors.push(checked(floor()));
        own.push(checked(ours()));
    }
    (median(floors), median(own))
}

fn checked((count, time): (usize, Duration)) -> Duration {
    assert_eq!(count, LINES, "every line counts");
    time
}

fn timed(work: impl FnOnce() -> usize) -> (usize, Duration) {
    let begin = Instant::now();
    let count = black_box(work());
    (count, begin.elapsed())
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn ratio(one: Duration, other: Duration) -> f64 {
    one.as_secs_f64() / other.as_secs_f64()
}

fn report(floor: &str, ours: &str, times: (Duration, Duration), lines: usize) {
    for (name, time) in [(floor, times.0), (ours, times.1)] {
        println!("{name:<28} {:7.0} ns a line", time.as_secs_f64() * 1e9 / lines as f64);
    }
}

fn ignore_all(lines: &[&[u8]]) -> usize {
    lines.iter().filter(|line| serde_json::from_slice::<IgnoredAny>(line).is_ok()).count()
}

fn read_all(lines: &[&[u8]]) -> usize {
    let limits = Limits::STANDARD;
    lines
        .iter()
        .filter(|line| matches!(black_box(&Up::read(line, &limits)), Ok(up) if up.is_report()))
        .count()
}

/// Feeds the bytes as a socket would, and counts what comes out. Only the decoding is timed: how bytes come into the
/// buffer is the same for both.
fn frame_with<D: Decoder>(mut decoder: D, bytes: &[u8]) -> (usize, Duration)
where
    D::Error: std::fmt::Debug,
    D::Item: Counted,
{
    let mut buffer = BytesMut::with_capacity(128 << 10);
    let (mut count, mut time) = (0, Duration::ZERO);
    for piece in bytes.chunks(64 << 10) {
        buffer.extend_from_slice(piece);
        let begin = Instant::now();
        while let Some(item) = decoder.decode(&mut buffer).unwrap() {
            count += usize::from(black_box(item).is_line());
        }
        time += begin.elapsed();
    }
    (count, time)
}

trait Counted {
    fn is_line(&self) -> bool;
}

impl Counted for Frame {
    fn is_line(&self) -> bool {
        matches!(self, Frame::Line(_))
    }
}

impl Counted for String {
    fn is_line(&self) -> bool {
        true
    }
}

/// 30 % log, 10 % stdout, 60 % structured of six types, about 240 bytes each, every third not pure ASCII.
fn mix(lines: usize) -> Vec<u8> {
    let mut out = String::new();
    for number in 0..lines {
        let text = text(number);
        match number % 20 {
            0..=5 => write!(out, r#"{{"type":"log","args":["{text} {text}","{number}"]}}"#),
            6 | 7 => write!(out, r#"{{"type":"stdout","data":"{text}\n{text}\n"}}"#),
            kind => structured(&mut out, kind, number, &text),
        }
        .unwrap();
        out.push('\n');
    }
    out.into_bytes()
}

fn text(number: usize) -> String {
    let words = if number.is_multiple_of(3) {
        "größer als zuvor – the last byte, "
    } else {
        "test parse::no_newline ... ok, 41, "
    };
    words.repeat(1 + number % 4).chars().skip(number % 7).collect()
}

fn structured(out: &mut String, kind: usize, number: usize, text: &str) -> std::fmt::Result {
    let body = match kind {
        8 | 9 => format!(r#""type":"llm_response","text":"{text}","isUserRequest":false"#),
        10 | 11 => format!(r#""type":"llm_thinking","text":"{text}\n{text}""#),
        12 | 13 => format!(
            r#""type":"llm_tool_use","toolName":"Bash","inputSummary":"{text}","input":{{"command":"cargo test","n":{number},"list":[1,2.5,true]}}"#
        ),
        14 | 15 => format!(
            r#""type":"llm_tool_result","toolName":"Read","resultSummary":"Lines: 1","result":"{text}""#
        ),
        16 | 17 => format!(
            r#""type":"command_result","command":"cargo test","exitCode":0,"stdout":"{text}","stderr":"""#
        ),
        _ => format!(r#""type":"workflow_progress","message":"{text}","phase":"execution {number}""#),
    };
    write!(out, r#"{{"type":"structured","message":{{{body},"timestamp":"2026-02-10T21:27:49.212Z"}}}}"#)
}
