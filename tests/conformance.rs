//! Recorded wires through the router of today: what it says is read by people (snapshots), and the point of each
//! scenario is written down by hand, so that no snapshot can be accepted by habit.

#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop")]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]

#[path = "conformance/claude.rs"]
mod claude;
#[path = "conformance/played.rs"]
mod played;
#[path = "conformance/runs.rs"]
mod runs;
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

/// The same for recordings of other programs, of which every line can be used.
fn conforms(path: &Path, points: &[(&str, Point)]) {
    let played = looked_at(path, points);
    assert!(played.unused.is_empty(), "{}: {:?}", path.display(), played.unused);
}

/// Replays a file, looks at its snapshot and at its point.
fn looked_at(path: &Path, points: &[(&str, Point)]) -> Played {
    let scenario = scenario(path);
    let played = Played::file(path);
    insta::assert_snapshot!("conforms", played.told());
    let (_, point) = points
        .iter()
        .find(|(name, _)| *name == scenario)
        .unwrap_or_else(|| panic!("{scenario} has no point: say by hand what it shows"));
    point(&played);
    played
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

#[test]
fn runs_of_our_own_conform() {
    insta::glob!("../fixtures/runs", "*.jsonl", |path| {
        looked_at(path, runs::POINTS);
    });
    every_point_has_a_file("fixtures/runs", runs::POINTS);
}

/// Whoever adds a fixture adds a point; here it is counted that none of the kinds is missing.
#[test]
fn there_are_fixtures_of_each_kind() {
    let names = |folder: &str| -> Vec<String> {
        let entries = std::fs::read_dir(folder).unwrap();
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
    };
    let all: Vec<String> =
        ["fixtures/claude", "fixtures/tunnel", "fixtures/runs"].into_iter().flat_map(names).collect();
    let count = |is_it: &dyn Fn(&str) -> bool| all.iter().filter(|name| is_it(name)).count();
    for (kind, least, found) in [
        ("in all", 150, count(&|_| true)),
        ("of the new CLI", 60, count(&|name| name.contains("2.1.325"))),
        ("of the old CLI", 40, count(&|name| name.contains("2.1.197"))),
        ("by its MCP tool", 15, count(&|name| name.contains("mcp"))),
        ("by its own pipes", 10, count(&|name| name.contains("stdio") || name.contains("can_use_tool"))),
        ("nested", 2, count(&|name| name.starts_with("nested"))),
        ("stream agents", 3, count(&|name| name.starts_with("stream"))),
        ("hostile", 4, count(&|name| name.contains("hostile"))),
    ] {
        assert!(found >= least, "{kind}: {found}, at least {least}");
    }
}
