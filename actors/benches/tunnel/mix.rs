//! The lines that are sent: 200,000 of 137 to 329 bytes, 30 % log, 10 % stdout, 60 % structured of six types, every third
//! with text that is not pure ASCII. The same in every run.

use codec::limits::Limits;
use codec::tunnel::Up;

const LINES: usize = 200_000;
/// The longest line, without its line end.
const LONGEST: usize = 329;

/// The lines, as they are sent.
pub(super) struct Mix {
    bytes: Vec<u8>,
    /// where each line ends, its line end included
    ends: Vec<usize>,
}

impl Mix {
    pub(super) fn new() -> Self {
        let (mut bytes, mut ends, mut random) = (Vec::new(), Vec::new(), Random(7));
        for number in 0..LINES {
            let line = line(number, (137 + random.below(207)).min(LONGEST));
            assert!(Up::read(line.as_bytes(), &Limits::STANDARD).unwrap().is_report(), "{line}");
            bytes.extend_from_slice(line.as_bytes());
            bytes.push(b'\n');
            ends.push(bytes.len());
        }
        Self { bytes, ends }
    }

    pub(super) const fn lines(&self) -> usize {
        self.ends.len()
    }

    /// Every writer's part of it, in whole lines.
    pub(super) fn shares(&self, writers: usize) -> Vec<&[u8]> {
        self.batches(LINES / writers).collect()
    }

    /// So many lines at a time.
    pub(super) fn batches(&self, lines: usize) -> impl Iterator<Item = &[u8]> {
        let mut begin = 0;
        self.ends.iter().copied().skip(lines - 1).step_by(lines).map(move |end| {
            let batch = self.bytes.get(begin..end).unwrap();
            begin = end;
            batch
        })
    }

    pub(super) fn described(&self) -> String {
        let lengths =
            || self.bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).filter(|length| *length > 0);
        let mean = lengths().sum::<usize>() as f64 / LINES as f64;
        let (least, most) = (lengths().min().unwrap(), lengths().max().unwrap());
        format!("{LINES} lines of {least} to {most} bytes, {mean:.0} on average")
    }
}

/// Numbers that look like chance and are the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: u64) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.0 >> 33) % bound).unwrap()
    }
}

/// One line of that length, or a little longer if it cannot be so short.
fn line(number: usize, length: usize) -> String {
    let (before, after) = around(number);
    let room = length.saturating_sub(before.len() + after.len());
    let words = match number % 3 {
        0 => "größer als zuvor – das letzte Byte, ",
        1 => "test parse::no_newline ... ok, 41 passed, ",
        _ => "src/router/mod.rs:17 warning unused import, ",
    };
    let mut text = String::new();
    for letter in words.chars().cycle() {
        if text.len() + letter.len_utf8() > room {
            break;
        }
        text.push(letter);
    }
    // A letter that needs two bytes may not have fitted.
    text.extend(std::iter::repeat_n('.', room - text.len()));
    format!("{before}{text}{after}")
}

/// What stands around the text of a line.
fn around(number: usize) -> (String, String) {
    match number % 20 {
        0..=5 => (r#"{"type":"log","args":[""#.to_owned(), format!(r#"","{number}"]}}"#)),
        6 | 7 => (r#"{"type":"stdout","data":"line\n"#.to_owned(), r#"\n"}"#.to_owned()),
        kind => {
            let (before, after) = structured(kind, number);
            let before = format!(r#"{{"type":"structured","message":{{"type":{before}"#);
            (before, format!(r#"{after},"timestamp":"2026-02-10T21:27:49.212Z"}}}}"#))
        }
    }
}

fn structured(kind: usize, number: usize) -> (&'static str, String) {
    match kind {
        8 | 9 => (r#""llm_response","text":""#, r#"","isUserRequest":false"#.to_owned()),
        10 | 11 => (r#""llm_thinking","text":"First\n"#, r#"""#.to_owned()),
        12 | 13 => (
            r#""llm_tool_use","toolName":"Bash","inputSummary":""#,
            format!(r#"","input":{{"command":"ls","n":{number}}}"#),
        ),
        14 | 15 => (
            r#""llm_tool_result","toolName":"Read","resultSummary":""#,
            r#"","result":{"lines":1}"#.to_owned(),
        ),
        16 | 17 => (r#""command_result","exitCode":0,"stdout":""#, r#"""#.to_owned()),
        _ => (r#""workflow_progress","message":""#, format!(r#"","phase":"step {number}""#)),
    }
}
