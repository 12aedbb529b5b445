//! What the tests of the wires share: fixtures, and how each of their lines is read.

use std::path::{Path, PathBuf};

use codec::claude::{Input, Output, Rpc};
use codec::events::{Event, Said};
use codec::id::RequestId;
use codec::journal::{Body, Direction, Entry};
use codec::json::{IntoOwned, Json};
use codec::limits::Limits;
use codec::recording::{self, Recorded};
use codec::tunnel::{Down, Up};
use codec::{Asked, Awaits};

/// The folder of the fixtures.
pub(crate) fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures")
}

/// The recordings under these folders.
pub(crate) fn files(folders: &[&str]) -> Vec<PathBuf> {
    let in_folder = |folder: &&str| {
        let entries = std::fs::read_dir(fixtures().join(folder)).unwrap();
        entries.map(|entry| entry.unwrap().path()).collect::<Vec<_>>()
    };
    let mut files: Vec<PathBuf> = folders.iter().flat_map(in_folder).collect();
    files.sort();
    files
}

/// Who reads a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Wire {
    Up,
    Down,
    ClaudeOut,
    ClaudeIn,
    Mcp,
    AgentOut,
    AgentIn,
    Journal,
    /// stderr and notes of the recorder: text, not a wire
    Text,
}

/// One line of a recording.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub(crate) wire: Wire,
    /// how it is marked in a snapshot
    pub(crate) mark: String,
    pub(crate) bytes: Vec<u8>,
}

/// How a line was read.
pub(crate) struct Reading {
    pub(crate) view: String,
    /// the line written from what was understood; nothing if it was turned away
    pub(crate) back: Option<String>,
}

impl Reading {
    pub(crate) fn unknowns(&self) -> usize {
        self.view.matches("Unknown(").count()
    }
}

/// The lines of a recording, in either format.
pub(crate) fn lines(path: &Path) -> Vec<Line> {
    let text = std::fs::read(path).unwrap();
    text.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).map(line).collect()
}

fn line(record: &[u8]) -> Line {
    if let Ok(recorded) = Recorded::read(record) {
        let (wire, mark) = match recorded.dir {
            recording::Direction::Out => (Wire::ClaudeOut, "out"),
            recording::Direction::In => (Wire::ClaudeIn, "in "),
            recording::Direction::McpIn => (Wire::Mcp, "mcp_in "),
            recording::Direction::McpOut => (Wire::Mcp, "mcp_out"),
            other => (Wire::Text, other.word()),
        };
        return Line { wire, mark: mark.to_owned(), bytes: recorded.line.get().into_owned().into_bytes() };
    }
    let journal = || Line { wire: Wire::Journal, mark: "journal".to_owned(), bytes: record.to_vec() };
    let Ok(Entry { body: Body::Line(on_wire), .. }) = Entry::read(record) else { return journal() };
    let name = on_wire.wire.get();
    let wire = match (name.split(':').next().unwrap_or_default(), on_wire.dir) {
        ("tunnel", Direction::From) | ("up", Direction::To) => Wire::Up,
        ("tunnel", Direction::To) | ("up", Direction::From) => Wire::Down,
        ("agent", Direction::From) => Wire::AgentOut,
        ("agent", Direction::To) => Wire::AgentIn,
        ("mcp", _) => Wire::Mcp,
        ("claude", Direction::From) => Wire::ClaudeOut,
        ("claude", Direction::To) => Wire::ClaudeIn,
        _ => return journal(),
    };
    Line { wire, mark: format!("{name} {}", on_wire.dir.word()), bytes: on_wire.bytes().unwrap() }
}

/// Reads a line as its wire asks for. Also leaves the line and comes back, so that nothing borrowed is missed.
pub(crate) fn read(line: &Line) -> Reading {
    macro_rules! of {
        ($read:expr) => {
            match $read {
                Ok(message) => {
                    let back = message.to_line();
                    let view = format!("{message:?}");
                    assert_eq!(message.into_owned().to_line(), back, "the owned copy says the same");
                    Reading { view, back: Some(back) }
                }
                Err(reject) => {
                    Reading { view: format!("REJECTED {reject}{}", heard_by(&reject)), back: None }
                }
            }
        };
    }
    match line.wire {
        Wire::Up => of!(Up::read(&line.bytes, &Limits::STANDARD)),
        Wire::Down => of!(Down::read(&line.bytes)),
        Wire::ClaudeOut => of!(Output::read(&line.bytes)),
        Wire::ClaudeIn => of!(Input::read(&line.bytes)),
        Wire::Mcp => of!(Rpc::read(&line.bytes)),
        Wire::AgentOut => of!(Event::read(&line.bytes)),
        Wire::AgentIn => of!(Said::read(&line.bytes)),
        Wire::Journal => of!(Entry::read(&line.bytes)),
        Wire::Text => {
            Reading { view: String::from_utf8_lossy(&line.bytes).chars().take(160).collect(), back: None }
        }
    }
}

fn heard_by(reject: &codec::Reject) -> String {
    reject.asked.as_ref().map(|asked| format!(" -> {asked:?}")).unwrap_or_default()
}

/// Whether two texts are JSON that means the same.
pub(crate) fn same_json(one: &str, other: &str) -> bool {
    matches!((Json::parse(one), Json::parse(other)), (Some(one), Some(other)) if one.means(&other))
}

/// A question of a client.
pub(crate) fn prompt(id: &str, kind: &str, config: &str, rest: &str) -> String {
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"{kind}","promptConfig":{config}{rest}}}}}"#
    )
}

pub(crate) fn asked(id: &str, awaits: Awaits) -> Asked {
    Asked { id: RequestId::new(id), awaits }
}

pub(crate) fn read_up(line: &str) -> Result<Up<'_>, codec::Reject> {
    Up::read(line.as_bytes(), &Limits::STANDARD)
}

pub(crate) fn is_accepted(line: &str) -> bool {
    matches!(read_up(line), Ok(Up::Prompt(..)))
}

/// The complaint about a prompt, which must reach its asker.
pub(crate) fn complaint(line: &str) -> String {
    let reject = read_up(line).unwrap_err();
    assert_eq!(reject.asked.unwrap().awaits, Awaits::Prompt, "{line}");
    reject.reason.to_string()
}
