//! An agent that asks in the middle of what it says (tests only): the properties of such a stream, over random ones.
//!
//! The agent is as rude as can be: it prints all that it will ever print at once and waits for no answer. The person answers
//! at random, wrongly at first, or not at all.

mod life;
mod model;

use codec::events::{Event, InputResponse, Said};
use codec::json::Object;
use proptest::prelude::*;

use life::{Life, Seen, play};
use model::{Piece, Reply, lives};

use crate::agent::verdict::{Exit, Verdict};

/// What an agent was told, if it was the answer to something.
fn response(line: &str) -> Option<InputResponse<'_>> {
    match Said::read(line.as_bytes()).unwrap() {
        Said::InputResponse(response) => Some(response),
        _ => None,
    }
}

/// The questions that somebody was asked, each with all that was seen from there to its response.
fn asked(life: &Life) -> Vec<(&Seen, &[Seen])> {
    let begins = life.seen.iter().enumerate().filter(|(_, seen)| matches!(seen, Seen::Offered(..)));
    let until = |at: usize| {
        let rest = &life.seen[at + 1..];
        let end = rest.iter().position(|seen| matches!(seen, Seen::Told(line) if response(line).is_some()));
        &rest[..=end.expect("every question ends")]
    };
    begins.map(|(at, seen)| (seen, until(at))).collect()
}

/// The response that ends what was seen.
fn given<'a>(until: &'a [Seen]) -> InputResponse<'a> {
    match until.last() {
        Some(Seen::Told(line)) => response(line).unwrap(),
        other => panic!("{other:?}"),
    }
}

fn is_request(line: &str) -> bool {
    matches!(Event::read(line.as_bytes()), Ok(Event::InputRequest(_)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    /// For any input request the stream is not consumed further before the person was asked and the answer was sent.
    #[test]
    fn property_1_stream_pause_guarantee(script in lives()) {
        let life = play(&script);
        for (_, until) in asked(&life) {
            let consumed = until.iter().find(|seen| matches!(seen, Seen::Reported(_) | Seen::Offered(..)));
            prop_assert!(consumed.is_none(), "{:?}", consumed);
        }
    }

    /// Any input request under an id gets exactly one response, before anything behind it counts.
    #[test]
    fn property_2_future_resolution_guarantee(script in lives()) {
        let life = play(&script);
        let requests: Vec<String> = script.pieces.iter().filter_map(Piece::asks_under).collect();
        let told = life.seen.iter().filter_map(|seen| match seen {
            Seen::Told(line) => response(line).map(|response| response.request_id.get()),
            _ => None,
        });
        prop_assert_eq!(told.collect::<Vec<_>>(), requests);
    }

    /// The response to an approval is "approve" or "reject" and nothing else.
    #[test]
    fn property_3_approval_binary_constraint(script in lives()) {
        for (seen, until) in asked(&play(&script)) {
            let Seen::Offered("approval", _) = seen else { continue };
            let value = given(until).response.raw().to_owned();
            prop_assert!(value == r#""approve""# || value == r#""reject""#, "{}", value);
        }
    }

    /// The response to a choice is "reject", or the index of a choice and that very choice.
    #[test]
    fn property_4_choice_index_validity(script in lives()) {
        for (seen, until) in asked(&play(&script)) {
            let Seen::Offered("choice", choices) = seen else { continue };
            let value = given(until).response;
            if value.raw() == r#""reject""# {
                continue;
            }
            let chosen = Object::read(value).unwrap();
            let index: usize = chosen.peek("index").unwrap().raw().parse().unwrap();
            let text = chosen.peek("value").unwrap().as_text().unwrap().get().into_owned();
            prop_assert_eq!(Some(&text), choices.get(index));
        }
    }

    /// A rejection ends the turn: the agent is told to cancel, once, and nothing more of that turn is shown.
    #[test]
    fn property_5_rejection_cancels_stream(script in lives()) {
        let life = play(&script);
        let (mut shown, mut is_over) = (0, false);
        for (at, seen) in life.seen.iter().enumerate() {
            match seen {
                Seen::Told(line) if response(line).is_some_and(|response| response.is_reject()) => {
                    let is_first = !std::mem::replace(&mut is_over, true);
                    let next = life.seen.get(at + 1).filter(|next| matches!(next, Seen::Told(_)));
                    let cancels = matches!(next, Some(Seen::Told(line)) if line == r#"{"type":"cancel"}"#);
                    prop_assert_eq!(cancels, is_first, "once for each turn");
                }
                Seen::Reported(_) => shown += 1,
                Seen::Discarded => prop_assert!(is_over),
                _ => {}
            }
        }
        prop_assert_eq!(shown, model::shown(&script).len());
    }

    /// What shows the stream hears that the agent pauses before the question is there.
    #[test]
    fn property_6_ui_state_cleanup_before_prompt(script in lives()) {
        let life = play(&script);
        for (at, seen) in life.seen.iter().enumerate() {
            if matches!(seen, Seen::Offered(..)) {
                let before = at.checked_sub(1).and_then(|at| life.seen.get(at));
                prop_assert!(matches!(before, Some(Seen::Reported(line)) if is_request(line)), "{:?}", before);
            }
        }
    }

    /// All that was said before and in a turn that was rejected stays on record, and so does every turn: none is lost.
    #[test]
    fn property_7_history_preservation_on_rejection(script in lives()) {
        let life = play(&script);
        let said: Vec<String> = script.pieces.iter().map(Piece::line).collect();
        prop_assert_eq!(life.recorded(), said);
        let (turns, last) = model::turns(&script);
        prop_assert_eq!(life.account.totals().turns, turns);
        let verdict = life.account.verdict(Exit::Code(0), "", false);
        let is_rejected = matches!(verdict, Verdict::Rejected { .. });
        prop_assert_eq!(is_rejected, last == Some(model::Last::Rejected), "{:?}", verdict);
    }

    /// An answer that does not fit resolves nothing: the person hears why, and the question stays until one fits.
    #[test]
    fn property_8_re_prompt_on_invalid_input(script in lives()) {
        let life = play(&script);
        for ((_, until), reply) in asked(&life).into_iter().zip(&script.replies) {
            let unfit = until.iter().filter(|seen| matches!(seen, Seen::Unfit)).count();
            prop_assert_eq!(unfit, reply.wrong);
            prop_assert_eq!(given(until).is_reject(), reply.last != Reply::FIT);
        }
    }

    #[test]
    fn what_is_shown_of_a_stream_is_what_a_simple_reader_of_it_would_show(script in lives()) {
        let life = play(&script);
        let shown = life.seen.into_iter().filter_map(|seen| match seen {
            Seen::Reported(line) => Some(line),
            _ => None,
        });
        prop_assert_eq!(shown.collect::<Vec<_>>(), model::shown(&script));
    }
}
