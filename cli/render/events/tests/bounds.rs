//! However long an agent runs and whatever it says: little is kept, and nothing steers the terminal.

use proptest::prelude::*;

use super::kept::MOST;
use super::*;
use crate::render::tests::listener::assert_harmless;

#[test]
fn a_text_without_end_is_kept_in_part() {
    let (mut story, now, line) = (Story::default(), Instant::now(), says("a few words "));
    for _ in 0..200_000 {
        assert!(matches!(story.hear(line.as_bytes(), now).unwrap().as_slice(), [Piece::Stream(_)]));
        assert!(story.turn.bytes() <= 4 * MOST);
    }
    story.hear(DONE.as_bytes(), now);
    assert!(story.turn.bytes() <= 2 * MOST);
    let text = story.final_text().unwrap();
    assert!(text.starts_with("… 1,351,424 bytes before this are left out\n") && text.len() < MOST + 100);
}

#[test]
fn thousands_of_tools_leave_nothing_behind() {
    let (mut story, now) = (Story::default(), Instant::now());
    let long = json(&"x".repeat(100_000));
    for number in 0..3_000 {
        story.hear(uses(&format!("t{number}"), "look", &long).as_bytes(), now);
        assert!(story.doing().len() < 500);
    }
    assert_eq!(story.calls.all().len(), 512);
    let pieces = story.hear(DONE.as_bytes(), now).unwrap();
    assert_eq!((pieces.len(), story.calls.all().len()), (512, 0));
}

#[test]
fn very_long_words_are_told_in_a_few_rows_and_fit_their_ends() {
    let long = "word ".repeat(100_000);
    let error = format!(r#"{{"type":"error","message":{}}}"#, json(&long));
    let (mut story, now) = (Story::default(), Instant::now());
    for line in [uses(&long, &long, &json(&long)), gives(&long, &json(&long)), error] {
        for piece in story.hear(line.as_bytes(), now).unwrap() {
            let Piece::Block(block) = piece else { panic!("{piece:?}") };
            let drawn = block.rendered(80);
            assert!(drawn.rows.len() <= 500 && drawn.rows.iter().all(|row| row.width() <= 80));
        }
        assert!(story.doing().len() < 1_000);
    }
    assert!(story.calls.all().is_empty(), "an end that was heard is an end");
}

/// A text that somebody would like the terminal to take for something else.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "(\u{1b}\\[31m|\u{202e}|\u{7}|● |✓ |\r|\n|\t|MARK|日){0,20}"]
}

proptest! {
    #[test]
    fn no_text_from_outside_steers_the_terminal_or_stands_in_the_gutter(text in hostile(), columns in 20..120_usize) {
        let text = format!("MARK{text}");
        let lines = [
            uses(&text, &text, &json(&text)),
            gives(&text, &json(&text)),
            fails(&text, &format!("{{{}:1}}", json(&text))),
            format!(r#"{{"type":"error","message":{}}}"#, json(&text)),
            format!(r#"{{"type":"usage",{}:1}}"#, json(&text)),
            uses(&text, &text, "{}"),
            DONE.to_owned(),
        ];
        let (mut story, now) = (Story::default(), Instant::now());
        for piece in lines.iter().flat_map(|line| story.hear(line.as_bytes(), now).unwrap()) {
            let Piece::Block(block) = piece else { continue };
            assert_harmless(&block, columns);
        }
    }
}
