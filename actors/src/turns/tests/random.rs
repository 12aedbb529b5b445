//! Random lives of a stream agent, beside a model of what each turn should hold.

use proptest::prelude::*;

use super::*;
use crate::turns::{Reading, Told};

/// Something that happens on an agent's wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Move {
    User,
    Text,
    Tool,
    Ask,
    Approve,
    Reject,
    Done,
    Leaves,
    Noise,
}

fn moves() -> impl Strategy<Value = Vec<Move>> {
    let one = prop_oneof![
        4 => Just(Move::Text),
        2 => Just(Move::User),
        2 => Just(Move::Done),
        1 => prop::sample::select(vec![Move::Tool, Move::Ask, Move::Approve, Move::Noise]),
        1 => Just(Move::Reject),
        1 => prop::sample::select(vec![Move::Leaves, Move::Text, Move::Text, Move::Text]),
    ];
    prop::collection::vec(one, 0..60)
}

/// What a turn should hold.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
struct Model {
    text: String,
    said: Vec<String>,
}

/// The same rules, told in another way: a turn is open or not, and behind a rejection everything is dropped until the
/// agent is done.
#[derive(Debug, Default)]
struct Expected {
    turns: Vec<Model>,
    open: Option<Model>,
    /// behind a rejection
    drops: bool,
    /// and done; or about to take up what was said before
    is_over: bool,
    has_more: bool,
    /// pieces of text that were dropped
    dropped: Vec<String>,
    /// the turns that were rejected, as they were then
    rejected: Vec<Model>,
}

impl Expected {
    fn hear(&mut self, step: Move, piece: &str) {
        match step {
            Move::User => {
                self.drops &= !self.is_over;
                self.open.get_or_insert_default().said.push(piece.to_owned());
            }
            Move::Done if self.drops => {
                self.is_over = true;
                self.drops = self.open.is_none() && !self.has_more;
            }
            Move::Text if self.drops => self.dropped.push(piece.to_owned()),
            Move::Text => self.open.get_or_insert_default().text.push_str(piece),
            Move::Tool | Move::Ask if !self.drops => _ = self.open.get_or_insert_default(),
            Move::Reject if !self.drops => {
                self.is_over = false;
                self.has_more = self.open.as_ref().is_some_and(|open| open.said.len() > 1);
                self.rejected.extend(self.open.clone());
                self.turns.extend(self.open.take());
                self.drops = true;
            }
            Move::Done => self.turns.extend(self.open.take()),
            Move::Leaves => {
                self.turns.extend(self.open.take());
                self.drops = false;
            }
            _ => {}
        }
    }

    fn end(&mut self) {
        self.turns.extend(self.open.take());
    }
}

fn tell(record: &mut Record, step: Move, piece: &str) {
    match step {
        Move::User => record.said(piece),
        Move::Text => record.text(piece),
        Move::Tool => record.heard(r#"{"type":"tool_use_start","name":"x"}"#),
        Move::Ask => record.heard(r#"{"type":"input_request","requestId":"r","prompt":"?"}"#),
        Move::Approve => record.reply("r", &Json::of("approve"), codec::Outcome::Answered),
        Move::Reject => record.reject("r"),
        Move::Done => record.heard(DONE),
        Move::Leaves => record.record(r#""rec":"detach","wire":"agent:main""#),
        Move::Noise => record.heard("no json at all"),
    }
}

fn lived(moves: &[Move]) -> (Vec<Turn>, Expected) {
    let (mut record, mut expected) = (Record::default(), Expected::default());
    for (number, step) in moves.iter().enumerate() {
        let piece = format!("<{number}>");
        tell(&mut record, *step, &piece);
        expected.hear(*step, &piece);
    }
    expected.end();
    (record.end(), expected)
}

proptest! {
    /// For any rejection, the history retains all turns accumulated before and during the rejected stream.
    #[test]
    fn property_7_history_preservation_on_rejection(before in moves(), after in moves()) {
        let mut all = before.clone();
        all.push(Move::Reject);
        let (turns_before, _) = lived(&all);
        all.extend(after);
        let (turns, expected) = lived(&all);
        // Nothing that comes later changes what was there when the person said no.
        let finished: Vec<_> = turns_before.iter().filter(|turn| turn.ended_ms.is_some()).collect();
        let kept: Vec<_> = turns.iter().take(finished.len()).collect();
        prop_assert_eq!(finished, kept);
        // And each that was rejected holds all that came before the no, and nothing that came after it.
        let rejected: Vec<_> = turns.iter().filter(|turn| turn.end == TurnEnd::Rejected).collect();
        prop_assert_eq!(rejected.len(), expected.rejected.len());
        for (turn, model) in rejected.iter().zip(&expected.rejected) {
            prop_assert_eq!((&turn.text, &turn.said), (&model.text, &model.said));
        }
    }

    #[test]
    fn every_piece_of_text_is_in_one_turn_or_was_behind_a_rejection(moves in moves()) {
        let (turns, expected) = lived(&moves);
        let held: Vec<_> = turns.iter().map(|turn| Model { text: turn.text.clone(), said: turn.said.clone() }).collect();
        prop_assert_eq!(&held, &expected.turns);
        let all: String = turns.iter().map(|turn| turn.text.as_str()).collect();
        for (number, step) in moves.iter().enumerate().filter(|(_, step)| **step == Move::Text) {
            let piece = format!("<{number}>");
            let times = all.matches(&piece).count();
            prop_assert_eq!(times, usize::from(!expected.dropped.contains(&piece)), "{:?} {}", step, piece);
        }
        let numbers: Vec<_> = turns.iter().map(|turn| turn.number).collect();
        prop_assert_eq!(numbers, (1..=u64::try_from(turns.len()).unwrap()).collect::<Vec<_>>());
        let times = turns.iter().map(|turn| (turn.began_ms, turn.ended_ms.unwrap_or(u64::MAX)));
        prop_assert!(times.clone().all(|(began, ended)| began <= ended));
    }

    #[test]
    fn no_file_makes_it_fail_in_another_way_than_by_an_error(
        lines in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..80), 0..10),
        cuts in prop::collection::vec((0_usize..4, any::<prop::sample::Index>()), 0..30),
    ) {
        let files = [
            include_str!("../../../../fixtures/events/approval-then-text.jsonl"),
            include_str!("../../../../fixtures/runs/every-record.jsonl"),
            include_str!("../../../../fixtures/runs/a-life.jsonl"),
            include_str!("../../../../fixtures/claude/d5_interrupt_mid_bash.2.1.325.jsonl"),
        ];
        let mut reading = Reading::new();
        let mut turns = 0_usize;
        for (file, at) in &cuts {
            let all: Vec<_> = files[*file].lines().collect();
            let line = all[at.index(all.len())].as_bytes();
            let cut = at.index(2 * line.len() + 1).min(line.len());
            turns += reading.line(&line[..cut]).map_or(0, |told| {
                told.iter().filter(|told| matches!(told, Told::Turn(_))).count()
            });
        }
        for line in &lines {
            let _ = reading.line(line);
            let _ = reading.last_line(line);
        }
        let _ = reading.oversized(1);
        prop_assert!(turns <= cuts.len());
        let _ = reading.finish();
    }
}
