//! Reports: what a client tells without wanting an answer.

use bytes::Bytes;

use crate::json::{IntoOwned as _, Json, NotNull, Object, ObjectWriter, Text, Written as _, record, words};

use super::up::Up;
use crate::id::{Label, Path};
use crate::limits::Limits;

words! {
    /// The four kinds of log line.
    Level {
        Log = "log",
        Error = "error",
        Warn = "warn",
        Debug = "debug",
    }

    /// Which output of a child.
    Stream {
        Stdout = "stdout",
        Stderr = "stderr",
    }

    /// Where raw output came from, if not from the child itself.
    Origin {
        /// a workspace lifecycle command
        Lifecycle = "lifecycle",
    }

    /// What became of a line that a person typed.
    ReceiptState {
        /// it is in the agent's stdin
        Written = "written",
        /// the agent took it
        Seen = "seen",
        /// it will not reach the agent
        NotDelivered = "not_delivered",
    }
}

record! {
    /// `log`, `error`, `warn`, `debug`: the arguments of a log call, as texts.
    struct Log {
        args: Vec<Text<'a>> = "args",
    }

    /// `stdout`, `stderr`: text as it was printed.
    struct RawOutput {
        data: Text<'a> = "data",
    }
    optional {
        origin: NotNull<Origin> = "origin",
    }

    /// One tim on the way of a relayed report.
    struct Segment {
        label: Label = "label",
    }
    optional {
        pid: u64 = "pid",
    }

    /// A report of somebody further down. Each hop puts in front what it knows of its own child.
    struct Relayed {
        via: Vec<Segment<'a>> = "via",
        /// the report, untouched
        line: Json<'a> = "line",
    }

    /// What became of a typed line.
    struct UserInputReceipt {
        input_id: Text<'a> = "inputId",
        path: Path = "path",
        state: ReceiptState = "state",
    }
}

/// What goes up instead of a report that came from a child: the report itself, untouched and not copied, between
/// two small pieces that say through whom it came: the child, below the agent that started it if there is one. Nothing if the message is no report, or has come so far or is so
/// long that the next tim would not take it.
#[must_use]
pub fn relay(
    child: &[Segment<'static>],
    line: &Bytes,
    message: &Up<'_>,
    limits: &Limits,
) -> Option<[Bytes; 3]> {
    let mut via = child.to_vec();
    let report = match message {
        Up::Relayed(relayed) => {
            via.extend(relayed.via.iter().cloned().map(|segment| segment.into_owned()));
            part_of(line, relayed.line.raw())
        }
        other if other.is_report() => line.clone(),
        _ => return None,
    };
    let mut head = r#"{"type":"relayed","via":"#.to_owned();
    via.write(&mut head);
    head.push_str(r#","line":"#);
    let parts = [head.into(), report, Bytes::from(tail_of(message))];
    let length: usize = parts.iter().map(Bytes::len).sum();
    (via.len() <= limits.hops && length <= limits.tunnel_line).then_some(parts)
}

/// What other members a relayed report carried, and the end of the object.
fn tail_of(message: &Up<'_>) -> String {
    let extras = match message {
        Up::Relayed(relayed) if !relayed.extras.is_empty() => &relayed.extras,
        _ => return "}".to_owned(),
    };
    let mut tail = String::new();
    ObjectWriter::object(&mut tail, |out| Object::write(extras, out));
    tail.replacen('{', ",", 1)
}

/// The bytes of `part`, shared with the line that it was read from.
fn part_of(line: &Bytes, part: &str) -> Bytes {
    let start = (part.as_ptr() as usize).wrapping_sub(line.as_ptr() as usize);
    match start.checked_add(part.len()) {
        Some(end) if end <= line.len() && line.get(start..end) == Some(part.as_bytes()) => {
            line.slice(start..end)
        }
        _ => Bytes::copy_from_slice(part.as_bytes()),
    }
}
