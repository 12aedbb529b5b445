//! A reader of journals: what was asked, how it ended, what was sent.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

/// A journal, as far as it is whole.
pub(crate) struct Journal {
    entries: Vec<Value>,
    /// bytes of a last line that was cut off
    pub(crate) torn: usize,
}

/// How a question ended.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Ended {
    pub(crate) wire: String,
    pub(crate) id: Value,
    pub(crate) outcome: String,
    pub(crate) value: Option<Value>,
    pub(crate) reason: Option<String>,
}

impl Journal {
    /// Reads a file; every line but the last must be a record.
    pub(crate) fn read(path: &Path) -> Self {
        let bytes = std::fs::read(path).expect("a journal");
        let end = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let lines = bytes[..end].split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
        Self { entries: lines.map(entry).collect(), torn: bytes.len() - end }
    }

    /// The records of a kind.
    pub(crate) fn records(&self, kind: &str) -> Vec<&Value> {
        self.entries.iter().filter(|entry| entry["rec"] == kind).collect()
    }

    /// The lines that went a way, of all wires: `to` or `from`, with the wire.
    pub(crate) fn lines(&self, way: &str) -> Vec<(&str, &str)> {
        let lines = self.entries.iter().filter(|entry| entry["dir"] == way);
        lines.map(|entry| (text(&entry["wire"]), text(&entry["line"]))).collect()
    }

    /// How every question ended, in that order. Checks that each did at most once.
    pub(crate) fn ends(&self) -> Vec<Ended> {
        let asks = self.records("ask").into_iter().map(|ask| (text(&ask["key"]), ask));
        let asks: BTreeMap<&str, &Value> = asks.collect();
        let mut seen = BTreeSet::new();
        let mut ends = Vec::new();
        for end in self.records("outcome") {
            assert!(seen.insert(text(&end["key"])), "ended twice: {end}");
            let asked = *asks.get(text(&end["key"])).unwrap_or(&end);
            ends.push(Ended {
                wire: text(&asked["wire"]).to_owned(),
                id: asked["requestId"].clone(),
                outcome: text(&end["outcome"]).to_owned(),
                value: end.get("value").cloned(),
                reason: end["reason"].as_str().map(str::to_owned),
            });
        }
        ends
    }

    /// How the one question with that id ended.
    pub(crate) fn end_of(&self, id: &str) -> Ended {
        let mut ends: Vec<Ended> = self.ends().into_iter().filter(|end| end.id == id).collect();
        assert_eq!(ends.len(), 1, "{id}: {ends:?}");
        ends.remove(0)
    }

    /// Checks that every question that was asked has ended, once.
    pub(crate) fn every_question_ended_once(&self) {
        let keys = |kind| -> BTreeSet<&str> {
            self.records(kind).into_iter().map(|record| text(&record["key"])).collect()
        };
        let ends = self.ends();
        assert!(keys("ask").is_subset(&keys("outcome")), "open: {:?}", &keys("ask") - &keys("outcome"));
        assert!(ends.len() >= keys("ask").len());
        assert_eq!(self.records("gap").len(), 0, "nothing was lost");
    }
}

fn entry(line: &[u8]) -> Value {
    let shown = String::from_utf8_lossy(line);
    codec::journal::Entry::read(line).unwrap_or_else(|wrong| panic!("no record: {wrong}: {shown}"));
    serde_json::from_slice(line).unwrap_or_else(|wrong| panic!("no JSON: {wrong}: {shown}"))
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}
