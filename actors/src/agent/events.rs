//! Stream events ↔ questions and their ends, for an agent in any language. Pure.
//!
//! Whatever such an agent asks under an id gets one response: it has paused itself, and would wait for ever. What is not a
//! clear answer is the one word that ends its turn, with what became of the question beside it.

use codec::events::{Cancel, Event, InputRequest, InputResponse, REJECT, Said, User, is_reject, only_tells};
use codec::json::{Json, Text};
use codec::limits::Limits;
use codec::{Asked, Awaits};

use crate::dialect::{Heard, turned_away};
use crate::end::End;
use crate::question::{Ask, Asks};

/// What a line of its stdout says.
#[must_use]
pub(crate) fn hear(line: &[u8], limits: &Limits) -> Heard {
    // Most lines: reading them would cost more than all else that is done with them here.
    if only_tells(line) {
        return Heard::Report;
    }
    let event = match Event::read(line) {
        Ok(event) => event,
        // What is no event is still something that it printed.
        Err(reject) if reject.asked.is_none() => return Heard::Report,
        Err(reject) => return turned_away(reject),
    };
    match &event {
        Event::InputRequest(request) => ask(request, limits),
        Event::Done(_) => Heard::TurnEnds,
        Event::Unknown(odd) => {
            let wrong = odd.wrong.as_ref().map_or_else(|| NO_EVENT.to_owned(), ToString::to_string);
            match event.misunderstood() {
                Some(asked) => Heard::Misask(asked, wrong),
                None if odd.kind() == "input_request" => {
                    Heard::Noise(format!("an input_request whose answer could reach nobody: {wrong}"))
                }
                None => Heard::Report,
            }
        }
        _ => Heard::Report,
    }
}

/// What is wrong with a line that asks and whose type cannot be told.
const NO_EVENT: &str = "type is not given once";

fn ask(request: &InputRequest<'_>, limits: &Limits) -> Heard {
    let id = request.request_id.clone();
    match request.asks(limits) {
        Ok((kind, config)) => {
            Heard::Ask(Ask::new(id, Awaits::Input, Asks::Prompt(kind, Box::new(config)), None))
        }
        Err(wrong) => Heard::Misask(Asked { id, awaits: Awaits::Input }, wrong.to_string()),
    }
}

/// Whether an end is the end of the turn in which the agent asked.
#[must_use]
pub fn is_rejection(end: &End) -> bool {
    match end {
        End::Answered { value, .. } => is_reject(value),
        _ => true,
    }
}

/// The line by which the agent hears of the end. One that is gone hears nothing.
#[must_use]
pub(crate) fn reply(asked: &Asked, end: &End) -> Option<String> {
    let response = match end {
        End::Cancelled { .. } => return None,
        End::Answered { value, .. } => value.clone(),
        _ => Text::new(REJECT).into_json(),
    };
    Some(response_line(asked, response, end))
}

fn response_line(asked: &Asked, response: Json<'static>, end: &End) -> String {
    Said::InputResponse(InputResponse::of(asked.id.clone(), response, end.outcome())).to_line()
}

/// The line that carries what a person typed.
#[must_use]
pub(crate) fn typed(text: &str, id: &str) -> String {
    Said::User(User::of(Text::new(id), Text::new(text))).to_line()
}

/// The line by which a turn is to stop.
#[must_use]
pub(crate) fn cancel() -> String {
    Said::Cancel(Cancel::of()).to_line()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::Given;
    use crate::end::Refusal;
    use codec::id::RequestId;
    use codec::tunnel::AnswerSource;

    fn asked() -> Asked {
        Asked { id: RequestId::new("r1"), awaits: Awaits::Input }
    }

    fn answered(value: &str) -> End {
        let value = Json::parse(value).unwrap().into_owned();
        End::Answered { value, given: Given::Value, source: AnswerSource::Terminal }
    }

    #[test]
    fn an_answer_arrives_as_it_was_given_and_everything_else_as_the_word_that_ends_the_turn() {
        let told = |end: &End| reply(&asked(), end).unwrap_or_default();
        let line = |response: &str, outcome: &str| {
            let head = r#"{"type":"input_response","requestId":"r1","response":"#;
            format!(r#"{head}{response},"outcome":"{outcome}"}}"#)
        };
        for value in [r#""approve""#, r#""reject""#, r#"{"index":1,"value":"B"}"#, r#""some words""#] {
            assert_eq!(told(&answered(value)), line(value, "answered"));
        }
        for (end, outcome) in [
            (End::Declined, "declined"),
            (End::TimedOut { after_ms: 5, shown: true }, "timed_out"),
            (End::Disconnected, "disconnected"),
            (End::Refused(Refusal::NoDesk), "refused"),
        ] {
            assert_eq!(told(&end), line(r#""reject""#, outcome));
            assert!(is_rejection(&end));
        }
        assert_eq!(told(&End::Cancelled { gone: true }), "", "nobody is there to hear it");
        assert!(is_rejection(&answered(r#""reject""#)) && !is_rejection(&answered(r#""approve""#)));
    }

    #[test]
    fn a_request_without_an_id_is_said_and_skipped_and_any_other_gets_its_response() {
        let hear = |line: &str| hear(line.as_bytes(), &Limits::STANDARD);
        let Heard::Noise(why) = hear(r#"{"type":"input_request","prompt":"?"}"#) else { panic!() };
        assert!(why.ends_with("requestId is missing"), "{why}");
        for odd in [
            r#"{"type":"input_request","requestId":"r1","input_type":"password"}"#,
            r#"{"type":"input_request","requestId":"r1","input_type":"choice","choices":[]}"#,
            r#"{"type":"input_request","requestId":"r1","requestId":"r1"}"#,
            r#"{"type":"input_request","type":"input_request","requestId":"r1"}"#,
            r#"{"type":"input_request","requestId":"r1","choices":["a","b"],"choices":["b","a"]}"#,
            r#"{"type":"input_request","requestId":"r1","prompt":NaN}"#,
        ] {
            let Heard::Misask(waits, _) = hear(odd) else { panic!("{odd}") };
            assert_eq!(waits, asked(), "{odd}");
        }
        for report in [r#"{"type":"text_delta","text":"x"}"#, r#"{"type":"of_tomorrow"}"#, "no JSON"] {
            assert!(matches!(hear(report), Heard::Report), "{report}");
        }
        assert!(matches!(hear(r#"{"type":"done"}"#), Heard::TurnEnds));
    }
}
