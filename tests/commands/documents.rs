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
            if is_plain && begin.matches('_').count() > 4 {
                named += 1;
                assert!(code.contains(begin), "{} names {name}", path.display());
            }
        }
    }
    assert!(named > 100, "only {named} tests are named");
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
