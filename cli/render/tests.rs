//! What a report looks like: of each kind, at several widths, and of hostile ones.

pub(super) mod listener;
mod random;
mod samples;
mod shown;

use codec::json::Object;

use super::*;
use crate::term::style::{Ink, paint};

/// Reads a line and does something with the message.
fn with<T>(line: &str, then: impl FnOnce(&Up<'_>) -> T) -> T {
    then(&Up::read(line.as_bytes(), &Limits::STANDARD).unwrap_or_else(|reject| panic!("{line}: {reject:?}")))
}

fn rendered(line: &str, columns: usize) -> Rendered {
    with(line, |message| report(None, message, columns))
}

/// The rows of a screen, without their looks.
fn screen(line: &str, columns: usize) -> String {
    text_of(&rendered(line, columns).rows)
}

fn text_of(rows: &[Row]) -> String {
    rows.iter().map(|row| format!("{}\n", row.text().trim_end())).collect()
}

/// The rows with their looks, `‹` for what begins a sequence.
fn coloured(line: &str, columns: usize) -> String {
    let rows = rendered(line, columns).rows;
    rows.iter().map(|row| format!("{}\n", paint(row, Ink::Colours).replace("\x1b[", "‹"))).collect()
}

fn printed(line: &str) -> String {
    with(line, plain).join("\n")
}

fn structured_line(kind: &str, members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{"type":"structured","message":{{"type":"{kind}","timestamp":"t"{comma}{members}}}}}"#)
}

/// The lines that clients of the original sent in a recording.
fn recorded(name: &str) -> Vec<String> {
    let path = format!("{}/fixtures/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let file = std::fs::read_to_string(path).unwrap();
    let said = |record: &str| {
        let record = Object::parse(record).ok()?;
        let is_from = record.peek("dir")?.as_text()?.is("from");
        let line = record.peek("line")?.as_text()?.get().into_owned();
        (is_from && Up::read(line.as_bytes(), &Limits::STANDARD).is_ok()).then_some(line)
    };
    file.lines().filter_map(said).collect()
}

/// The kind of a structured message or question.
fn kind_of(line: &str) -> String {
    with(line, |message| match message {
        Up::Structured(message, _) => message.kind().into_owned(),
        Up::Prompt(..) => "prompt_request".to_owned(),
        other => other.kind().into_owned(),
    })
}
