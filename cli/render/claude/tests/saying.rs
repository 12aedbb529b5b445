//! Texts in pieces and texts as a whole: told once.

use proptest::prelude::*;

use super::*;

#[test]
fn a_text_that_came_in_pieces_is_not_told_again_as_a_whole() {
    let mut listener = Listener::new();
    listener.hears(&begins("m1")).hears(&block(0)).hears(&delta(0, "Let me ")).hears(&delta(0, "look."));
    assert_eq!(listener.writing.as_deref(), Some("Let me look."));
    assert_eq!(listener.story.doing(), "writing");
    listener.hears(&says("m1", "Let me look.")).hears(&stop(0));
    assert_eq!(listener.told(), "  Let me look.~");
    assert!(listener.writing.is_none());
}

#[test]
fn of_a_text_that_came_only_in_part_the_rest_is_told() {
    let mut listener = Listener::new();
    listener
        .hears(&begins("m1"))
        .hears(&block(0))
        .hears(&delta(0, "Let me "))
        .hears(&says("m1", "Let me look."));
    assert_eq!(listener.writing.as_deref(), Some("Let me look."));
    listener.hears(&delta(0, "look.")).hears(&stop(0));
    assert_eq!(listener.told(), "  Let me look.~");
}

#[test]
fn a_whole_text_that_comes_after_its_end_is_not_told_again() {
    let mut listener = Listener::new();
    listener.hears(&begins("m1")).hears(&block(0)).hears(&delta(0, "One.")).hears(&stop(0));
    listener.hears(&block(1)).hears(&delta(1, "Two.")).hears(&stop(1));
    listener.hears(&says("m1", "One.")).hears(&says("m1", "Two.")).hears(&says("m1", "Three."));
    assert_eq!(listener.told(), "  One.~\n  Two.~\n  Three.");
}

#[test]
fn a_whole_text_that_is_another_one_is_told_too() {
    let mut listener = Listener::new();
    listener
        .hears(&begins("m1"))
        .hears(&block(0))
        .hears(&delta(0, "Yes"))
        .hears(&says("m1", "No."))
        .hears(&stop(0));
    assert_eq!(listener.told(), "  Yes~\n  No.");
}

#[test]
fn the_same_text_in_another_message_is_another_text() {
    let mut listener = Listener::new();
    listener.hears(&begins("m1")).hears(&block(0)).hears(&delta(0, "Done.")).hears(&says("m2", "Done."));
    listener.hears(&begins("m2")).hears(&says("m2", "Done."));
    assert_eq!(listener.told(), "  Done.~\n  Done.\n  Done.");
}

#[test]
fn an_end_without_a_word_ends_the_text() {
    let mut listener = Listener::new();
    listener.hears(&begins("m1")).hears(&block(0)).hears(&delta(0, "I keep it")).hears(&begins("m2"));
    assert_eq!(listener.told(), "  I keep it~");
    listener.hears(&delta(0, "\n\nand")).hears(&result(""));
    assert_eq!(listener.told(), "  and~");
    listener.hears(&begins("m3")).hears(&delta(0, "x")).ends();
    assert_eq!(listener.told(), "  x~");
}

#[test]
fn pieces_of_a_subagent_are_not_told() {
    let mut listener = Listener::new();
    let piece = delta(0, "hidden").replace(r#""event":"#, r#""parent_tool_use_id":"t1","event":"#);
    listener.hears(&piece).ends();
    assert_eq!(listener.told(), "");
}

#[test]
fn thinking_is_told_by_how_long_it_took() {
    let start = event(
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}}"#,
    );
    let piece =
        event(r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"a"}}"#);
    let whole = r#"{"type":"assistant","message":{"id":"m1","content":[{"type":"thinking","thinking":"a\nsecret"}]}}"#;
    let mut listener = Listener::new();
    listener.hears(&begins("m1")).hears(&start).hears(&piece);
    assert_eq!(listener.story.doing(), "thinking");
    listener.passes(0.9).hears(whole);
    assert_eq!(listener.told(), "");
    listener.hears(&start).passes(12.04).hears(whole).hears(&stop(0));
    assert_eq!(listener.told(), "  thought for 12s");
    let told = whole.replace(r#""message""#, r#""thinking_duration_ms":61000,"message""#);
    assert_eq!(listener.hears(&told).told(), "  thought for 1m1s");
}

#[test]
fn what_was_thought_is_there_for_whoever_asks() {
    let whole = r#"{"type":"assistant","thinking_duration_ms":2000,"message":{"content":[{"type":"thinking","thinking":"a secret"}]}}"#;
    let pieces = Story::new(place()).hear(&Output::read(whole.as_bytes()).unwrap(), Instant::now());
    let [Piece::Block(block)] = pieces.as_slice() else { panic!("{pieces:?}") };
    let drawn = block.rendered(80);
    assert_eq!(drawn.rows.len(), 1);
    assert_eq!(drawn.folded.unwrap()[1].text(), "    a secret");
}

/// What a person has read of the texts, without what separates them.
fn read(pieces: Vec<Piece>, text: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Stream(more) => text.push_str(&more),
            Piece::StreamEnds => text.push('|'),
            Piece::Block(block) => {
                let rows = block.plain();
                let rows: Vec<_> = rows.iter().map(|row| row.strip_prefix("  ").unwrap_or(row)).collect();
                text.push_str(&rows.join("\n"));
                text.push('|');
            }
        }
    }
}

proptest! {
    /// However a text is cut into pieces, wherever its whole line comes, and if some pieces are late or lost: it is told once.
    #[test]
    fn a_text_is_told_exactly_once(
        texts in prop::collection::vec("\n{0,2}[a-z日]([a-z日 \n]{0,30}[a-z日])?\n{0,2}", 1..4),
        cuts in prop::collection::vec(1..9_usize, 0..30),
        whole_after in 0..12_usize,
        is_lost in any::<bool>(),
    ) {
        let (mut story, now, mut text) = (Story::new(place()), Instant::now(), String::new());
        let mut hear = |line: &str| read(story.hear(&Output::read(line.as_bytes()).unwrap(), now), &mut text);
        hear(&begins("m1"));
        for (index, said) in (0..).zip(&texts) {
            hear(&block(index));
            let letters: Vec<char> = said.chars().collect();
            let (mut at, mut number, mut is_whole) = (0, 0, false);
            for cut in cuts.iter().copied().chain([usize::MAX / 2]) {
                if number == whole_after {
                    hear(&says("m1", said));
                    is_whole = true;
                }
                let piece: String = letters.iter().skip(at).take(cut).collect();
                at = (at + cut).min(letters.len());
                number += 1;
                if !(is_lost && is_whole) {
                    hear(&delta(index, &piece));
                }
            }
            if !is_whole {
                hear(&says("m1", said));
            }
            hear(&stop(index));
        }
        let expected: String = texts.iter().map(|text| format!("{}|", text.trim_matches('\n'))).collect();
        prop_assert_eq!(text, expected);
    }
}
