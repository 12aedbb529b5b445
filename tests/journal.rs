//! The record of a run: what is in it and what is not, which records stay, and what a full disk does to it. A test of a
//! row of the fault matrix carries its number.
//!
//! Elsewhere: what the router does while the disk hangs or is full is in `actors/src/router/tests`, the thread and the
//! file (F116: a disk that blocks) in `actors/src/journal/tests`; what a kill does to it (F114) in `kills.rs`.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[path = "journal/disk.rs"]
mod disk;
#[path = "journal/nested.rs"]
mod nested;
#[path = "journal/pieces.rs"]
mod pieces;
#[path = "journal/pruned.rs"]
mod pruned;
#[path = "journal/required.rs"]
mod required;
#[path = "journal/secrets.rs"]
mod secrets;
#[path = "agents/stub.rs"]
mod stub;
#[expect(dead_code, reason = "each test uses a part of it")]
#[path = "support/mod.rs"]
mod support;

use std::path::PathBuf;

use support::temp::{Temp, all_below};

/// Answers every permission.
const YES: &str = "echo '{\"allow\":true}'";

/// The records in the folder of all runs.
fn records(folder: &Temp) -> Vec<PathBuf> {
    let mut files = all_below(&folder.path("state/tim/runs"));
    files.sort();
    files
}
