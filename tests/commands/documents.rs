//! The documents: what they name is there.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// All documents for people, with their text.
fn documents() -> Vec<(PathBuf, String)> {
    let mut paths: Vec<PathBuf> = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "fixtures/README.md"]
        .map(|name| root().join(name))
        .to_vec();
    let docs = std::fs::read_dir(root().join("docs")).unwrap().map(|entry| entry.unwrap().path());
    paths.extend(docs.filter(|path| path.extension().is_some_and(|end| end == "md")));
    paths.into_iter().map(|path| (path.clone(), std::fs::read_to_string(path).unwrap())).collect()
}

/// All of our own code, in one text.
fn code() -> String {
    fn add(folder: &Path, all: &mut String) {
        for entry in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            match entry.extension().and_then(|end| end.to_str()) {
                Some("rs") => all.push_str(&std::fs::read_to_string(&entry).unwrap()),
                None if entry.is_dir() => add(&entry, all),
                _ => {}
            }
        }
    }
    let mut all = String::new();
    ["actors", "cli", "codec", "tests", "benches"].iter().for_each(|name| add(&root().join(name), &mut all));
    all
}

/// What stands in backticks, outside of blocks.
fn quoted(text: &str) -> Vec<&str> {
    text.lines().flat_map(|row| row.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn every_test_that_a_document_names_is_there() {
    let (code, mut named) = (code(), 0);
    for (path, text) in documents() {
        for name in quoted(&text) {
            let begin = name.trim_end_matches('…').trim_end_matches('_');
            let is_plain = begin
                .bytes()
                .all(|letter| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == b'_');
            if is_plain && !begin.starts_with("mcp__") && begin.matches('_').count() > 3 {
                named += 1;
                let is_there =
                    code.contains(&format!("fn {begin}")) || code.contains(&format!("    {begin}"));
                assert!(is_there, "{} names {name}", path.display());
            }
        }
    }
    assert!(named > 100, "only {named} tests are named");
}

#[test]
fn no_document_has_a_place_that_was_to_be_filled_in() {
    for (path, text) in documents() {
        for word in ["TODO ", "FIXME", "SIZE MB", "VERSION ms", "DEPS crates", "XXX"] {
            assert!(!text.contains(word), "{} says {word}", path.display());
        }
    }
}

#[test]
fn every_message_that_is_quoted_for_whoever_looks_for_help_is_one_that_is_said() {
    let (code, text) = (code(), include_str!("../../docs/troubleshooting.md"));
    // Rows that begin as ours do, up to the first thing that differs from run to run.
    let quoted = text.lines().filter_map(|row| row.strip_prefix("tim: "));
    let mut found = 0;
    for row in quoted {
        let said = row.split(['…', '(', ';', ':']).next().unwrap_or_default().trim();
        if !said.starts_with('-') {
            found += 1;
            assert!(code.contains(said), "{row}");
        }
    }
    assert!(found > 2, "only {found}");
}

#[test]
fn every_file_that_a_document_links_to_is_there() {
    let mut links = 0;
    for (path, text) in documents() {
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if !file.is_empty() && !file.contains(':') {
                links += 1;
                let target = path.parent().unwrap().join(file);
                assert!(target.exists(), "{} links to {link}", path.display());
            }
        }
    }
    assert!(links > 30, "only {links} links");
}
