//! Random lives of an agent: whatever it says in whatever order, its texts are told once.

use proptest::prelude::*;

use super::*;
use crate::render::whole::Whole;

/// What may happen to an agent.
#[derive(Debug, Clone)]
enum Step {
    Says(String),
    Line(String),
    Asks,
    Ended(bool),
    SpokenTo,
}

fn step() -> impl Strategy<Value = Step> {
    let line = |line: &str| Just(Step::Line(line.to_owned())).boxed();
    let id = prop::sample::select(vec!["t1", "t2", ""]);
    let odd = prop::sample::select(vec![
        r#"{"type":"text_delta","text":5}"#,
        r#"{"type":"tool_use_start"}"#,
        r#"{"type":"tool_result"}"#,
        r#"{"type":"usage","input_tokens":7}"#,
        r#"{"type":"input_request","requestId":"r","input_type":5}"#,
        r#"{"type":"of_tomorrow"}"#,
        r#"{"text":"nothing"}"#,
        "no line at all",
    ]);
    prop_oneof![
        6 => "\n{0,2}[a-z日]{1,6}( [a-z]{1,3})?\n{0,2}|\n| ?".prop_map(Step::Says),
        2 => id.clone().prop_map(|id| Step::Line(uses(id, "TOOL", "{}"))),
        2 => id.prop_map(|id| Step::Line(gives(id, "\"GAVE\""))),
        1 => line(r#"{"type":"error","message":"WRONG"}"#),
        1 => prop::sample::select(vec![DONE, FAILED, r#"{"type":"done"}"#]).prop_map(|done| Step::Line(done.to_owned())),
        2 => odd.prop_map(|odd| Step::Line(odd.to_owned())),
        1 => Just(Step::Asks),
        1 => any::<bool>().prop_map(Step::Ended),
        1 => Just(Step::SpokenTo),
    ]
}

impl Step {
    fn happens(&self, story: &mut Story, now: Instant) -> Vec<Piece> {
        let pieces = match self {
            Step::Says(text) => story.hear(says(text).as_bytes(), now),
            Step::Line(line) => story.hear(line.as_bytes(), now),
            Step::Asks => story.hear(ASKS.as_bytes(), now),
            Step::Ended(is_rejected) => Some(story.input_ended(*is_rejected, now)),
            Step::SpokenTo => story.spoken_to(),
        };
        pieces.unwrap_or_default()
    }

    /// Whether nothing of what was said before may be left untold.
    fn settles(&self) -> bool {
        match self {
            Step::Line(line) => line.contains("done"),
            Step::Asks | Step::Ended(true) => true,
            _ => false,
        }
    }
}

/// The letters of a text: line ends come and go where texts begin and end.
fn letters(text: &str) -> String {
    text.replace('\n', "")
}

/// What was told of the texts.
fn talk(pieces: &[Piece], is_open: &mut bool, told: &mut String) {
    for piece in pieces {
        match piece {
            Piece::Stream(text) => {
                assert!(!text.is_empty());
                told.push_str(text);
                *is_open = true;
            }
            Piece::StreamEnds => assert!(std::mem::take(is_open), "a text ends once"),
            Piece::Block(block) => {
                assert!(!*is_open, "nothing is told in the middle of a text");
                assert_ne!(block.kind(), Kind::Talk, "no text is told as a whole");
            }
        }
    }
}

proptest! {
    #[test]
    fn a_story_that_nobody_is_told_ends_like_any_other(steps in prop::collection::vec(step(), 0..40)) {
        let (mut told, mut untold, now) = (Story::default(), Story::untold(), Instant::now());
        for step in steps {
            step.happens(&mut told, now);
            let pieces = step.happens(&mut untold, now);
            prop_assert!(!pieces.iter().any(|piece| matches!(piece, Piece::Stream(_))));
            prop_assert_eq!(told.final_text(), untold.final_text());
            prop_assert_eq!((told.doing(), told.tokens()), (untold.doing(), untold.tokens()));
            prop_assert_eq!((told.is_idle(), told.is_asking()), (untold.is_idle(), untold.is_asking()));
        }
    }

    #[test]
    fn every_text_is_told_once_and_in_order(steps in prop::collection::vec(step(), 0..60)) {
        let (mut story, now) = (Story::default(), Instant::now());
        let (mut said, mut told, mut is_open) = (String::new(), String::new(), false);
        for step in &steps {
            let pieces = step.happens(&mut story, now);
            talk(&pieces, &mut is_open, &mut told);
            if let Step::Says(text) = step {
                said.push_str(text);
            }
            prop_assert_eq!(letters(&told), letters(&said), "nothing but line ends is held back");
            prop_assert!(!(is_open && step.settles()), "{:?}", step);
            prop_assert!(!matches!(step, Step::Asks) || story.is_asking());
            prop_assert!(!(story.is_asking() && story.is_idle()));
            prop_assert_eq!(story.doing() == "idle", story.is_idle());
        }
        talk(&story.ends(now), &mut is_open, &mut told);
        prop_assert!(!is_open && story.is_idle() && story.tool_at_work().is_none());
    }

    /// Where there is no screen the same texts stand in blocks, between the same other blocks.
    #[test]
    fn without_a_screen_the_same_is_told(steps in prop::collection::vec(step(), 0..60)) {
        let (mut story, now, mut whole) = (Story::default(), Instant::now(), Whole::default());
        let (mut said, mut rows) = (String::new(), Vec::new());
        let mut take = |pieces| {
            let blocks = whole.take(pieces);
            rows.extend(blocks.iter().filter(|block| block.kind() == Kind::Talk).flat_map(crate::render::Block::plain));
        };
        for step in &steps {
            take(step.happens(&mut story, now));
            if let Step::Says(text) = step {
                said.push_str(text);
            }
        }
        take(story.ends(now));
        let bare = |text: &str| text.split_whitespace().collect::<String>();
        prop_assert_eq!(bare(&rows.concat()), bare(&said));
    }

    /// The text of the last turn is what was said since the one before it ended.
    #[test]
    fn the_final_text_is_that_of_the_last_turn(turns in prop::collection::vec(prop::collection::vec(step(), 0..8), 1..5)) {
        let (mut story, now) = (Story::default(), Instant::now());
        for turn in &turns {
            let mut said = String::new();
            let steps = turn.iter().filter(|step| !step.settles() && !matches!(step, Step::SpokenTo));
            for step in steps {
                step.happens(&mut story, now);
                if let Step::Says(text) = step {
                    said.push_str(text);
                }
            }
            let (was_idle, before) = (story.is_idle(), story.final_text().map(str::to_owned));
            story.hear(DONE.as_bytes(), now);
            let expected = if was_idle { before.map(|text| letters(&text)) } else { Some(letters(&said)) };
            prop_assert_eq!(story.final_text().map(letters), expected);
        }
    }
}
