use proptest::prelude::*;

use super::*;

#[test]
fn what_stays_between_two_changes_is_seen_to_stay() {
    let lines = between("a\nb\nc", "x\nb\ny\nz");
    let expected =
        [Line::Out("a"), Line::In("x"), Line::Same("b"), Line::Out("c"), Line::In("y"), Line::In("z")];
    assert_eq!(lines, expected);
}

#[test]
fn lines_far_from_a_change_are_counted() {
    let old: Vec<_> = (1..=20).map(|line| line.to_string()).collect();
    let old = old.join("\n");
    let new = old.replace("\n10\n", "\n");
    let lines = between(&old, &new);
    assert_eq!(lines.len(), 1 + 3 + 1 + 3 + 1);
    assert_eq!((lines.first(), lines.last()), (Some(&Line::Skipped(6)), Some(&Line::Skipped(7))));
}

#[test]
fn very_long_texts_are_shown_one_after_the_other() {
    let (old, new) = ("a\n".repeat(400), "b\n".repeat(400));
    let lines = between(&old, &new);
    assert_eq!((lines.first(), lines.get(400)), (Some(&Line::Out("a")), Some(&Line::In("b"))));
}

#[test]
fn a_difference_that_somebody_made_is_read_line_by_line() {
    let lines = unified("--- a\n+++ b\n@@ -1 +1 @@\n same\n--- out\n+in\n\n\\ No newline\n");
    let expected = [
        Line::Note("--- a"),
        Line::Note("+++ b"),
        Line::Note("@@ -1 +1 @@"),
        Line::Same("same"),
        Line::Out("-- out"),
        Line::In("in"),
        Line::Same(""),
        Line::Note("\\ No newline"),
    ];
    assert_eq!(lines, expected);
    assert_eq!(counts(&lines), (1, 1));
}

proptest! {
    #[test]
    fn both_texts_can_be_read_from_it(old in "[ab\n]{0,12}", new in "[ab\n]{0,12}") {
        let (mut out, mut come, mut skipped) = (Vec::new(), Vec::new(), 0);
        for line in between(&old, &new) {
            match line {
                Line::Same(line) => {
                    out.push(line);
                    come.push(line);
                }
                Line::Out(line) => out.push(line),
                Line::In(line) => come.push(line),
                Line::Skipped(count) => skipped += count,
                Line::Note(text) => panic!("nobody wrote {text:?}"),
            }
        }
        prop_assert_eq!(out.len() + skipped, old.split('\n').count());
        prop_assert_eq!(come.len() + skipped, new.split('\n').count());
        if skipped == 0 {
            prop_assert_eq!(out.join("\n"), old.clone());
            prop_assert_eq!(come.join("\n"), new.clone());
        }
    }
}
