//! The smallest program that answers: this one, started with a name of its own.

use std::io::{BufRead as _, Write as _, stdin, stdout};

/// The argument that makes this program the floor.
pub(super) const NAME: &str = "__floor";

const INITIALIZED: &str = r#"{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"floor","version":"1"}}"#;
const DECIDED: &str = r#"{"content":[{"type":"text","text":"{\"behavior\":\"allow\",\"updatedInput\":{\"command\":\"echo\"}}"}]}"#;

/// Answers every line that has an id at its end with what is ready.
pub(super) fn respond() {
    for line in stdin().lock().lines().map_while(Result::ok) {
        let Some((_, id)) = line.rsplit_once("\"id\":") else { continue };
        let id = id.trim_end_matches('}');
        let result = if line.contains("\"initialize\"") { INITIALIZED } else { DECIDED };
        let mut out = stdout().lock();
        writeln!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#).unwrap();
        out.flush().unwrap();
    }
}
