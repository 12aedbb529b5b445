//! Recorded wires through the router of today: what it says is read by people (snapshots), and the point of each
//! scenario is written down by hand, so that no snapshot can be accepted by habit.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

#[path = "conformance/claude.rs"]
mod claude;
#[path = "conformance/played.rs"]
mod played;
#[path = "conformance/tunnel.rs"]
mod tunnel;

use std::collections::BTreeSet;
use std::path::Path;

use played::{Played, Point};

/// The scenario of a file: its name without the version of the program that was recorded.
fn scenario(path: &Path) -> String {
    let name = path.file_stem().unwrap().to_string_lossy();
    name.split(".2.1.").next().unwrap().to_owned()
}

/// Replays a file, looks at its snapshot and at its point.
fn conforms(path: &Path, points: &[(&str, Point)]) {
    let scenario = scenario(path);
    let played = Played::file(path);
    insta::assert_snapshot!(played.told());
    assert!(played.unused.is_empty(), "{scenario}: {:?}", played.unused);
    let (_, point) = points
        .iter()
        .find(|(name, _)| *name == scenario)
        .unwrap_or_else(|| panic!("{scenario} has no point: say by hand what it shows"));
    point(&played);
}

/// Every point has a file, so that none is about nothing.
fn every_point_has_a_file(folder: &str, points: &[(&str, Point)]) {
    let files: BTreeSet<String> =
        std::fs::read_dir(folder).unwrap().map(|entry| scenario(&entry.unwrap().path())).collect();
    for (name, _) in points {
        assert!(files.contains(*name), "there is no {name} in {folder}");
    }
}

#[test]
fn the_tunnel_conforms() {
    insta::glob!("../fixtures/tunnel", "*.jsonl", |path| conforms(path, tunnel::POINTS));
    every_point_has_a_file("fixtures/tunnel", tunnel::POINTS);
}

#[test]
fn claude_conforms() {
    insta::glob!("../fixtures/claude", "*.jsonl", |path| conforms(path, claude::POINTS));
    every_point_has_a_file("fixtures/claude", claude::POINTS);
}
