//! Conformance: how every line of every fixture is read, under snapshot, and that nothing of it is lost.

use std::collections::BTreeMap;

use crate::support::{Wire, files, lines, read, same_json};

const WIRES: &[&str] = &["claude", "events", "runs", "tunnel"];

#[test]
fn every_line_of_every_fixture_reads_as_its_snapshot_says() {
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::glob!("../../../fixtures", "{claude,events,runs,tunnel}/*.jsonl", |path| {
            let readings = lines(path).into_iter().map(|line| format!("{} {}", line.mark, read(&line).view));
            insta::assert_snapshot!("reading", readings.collect::<Vec<_>>().join("\n"));
        });
    });
}

#[test]
fn every_line_that_was_understood_is_written_back_as_the_same_json() {
    let mut written = 0;
    for path in files(WIRES) {
        for line in lines(&path) {
            if let Some(back) = read(&line).back {
                let text = std::str::from_utf8(&line.bytes).expect("what was understood is text");
                assert!(same_json(text, &back), "{}\n  was  {text}\n  came {back}", path.display());
                written += 1;
            }
        }
    }
    assert!(written > 1_500, "only {written} lines were understood");
}

/// What is not understood, on each wire, with how often. Whoever adds a fixture with a new type sees it here.
#[test]
fn the_list_of_what_is_not_understood_is_short_and_known() {
    let mut list: BTreeMap<(Wire, String), usize> = BTreeMap::new();
    for line in files(WIRES).iter().flat_map(|path| lines(path)) {
        let reading = read(&line);
        let rejected = reading.view.starts_with("REJECTED");
        if line.wire != Wire::Text && (rejected || reading.unknowns() > 0) {
            *list.entry((line.wire, reading.view)).or_default() += 1;
        }
    }
    let shown = list.iter().map(|((wire, view), count)| format!("{count:>3} {wire:?} {view}"));
    let shown = shown.collect::<Vec<_>>().join("\n");
    println!("{shown}");
    insta::assert_snapshot!(shown);
}

#[test]
fn no_line_that_claude_printed_is_turned_away_or_unknown() {
    for path in files(&["claude"]) {
        for line in lines(&path).iter().filter(|line| line.wire == Wire::ClaudeOut) {
            let reading = read(line);
            assert!(
                reading.back.is_some() && reading.unknowns() == 0,
                "{}: {}",
                path.display(),
                reading.view
            );
        }
    }
}
