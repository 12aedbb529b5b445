//! Stream events: how an agent asks, and what counts as asking.

use codec::events::{Event, InputMode, InputRequest, only_tells, recover};
use codec::id::RequestId;
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::PromptKind;
use codec::{Asked, Awaits};
use proptest::prelude::*;

fn request(rest: &str) -> InputMode {
    mode(rest).unwrap()
}

fn mode(rest: &str) -> Option<InputMode> {
    let line = format!(r#"{{"type":"input_request","requestId":"r"{rest}}}"#);
    let Event::InputRequest(request) = Event::read(line.as_bytes()).unwrap() else { panic!("{rest}") };
    InputRequest::mode(&request)
}

#[test]
fn the_mode_is_one_of_three_and_approval_if_it_is_not_told() {
    assert_eq!(request(""), InputMode::Approval);
    assert_eq!(request(r#","input_type":"choice""#), InputMode::Choice);
    assert_eq!(request(r#","input_type":"text""#), InputMode::Text);
    assert_eq!(mode(r#","input_type":"password""#), None);
    assert_eq!(mode(r#","input_type":null"#), None);
}

#[test]
fn what_is_asked_is_not_guessed() {
    let asked = Some(Asked { id: RequestId::new("r"), awaits: Awaits::Input });
    for rest in [
        r#","input_type":5"#,
        r#","input_type":"text","input_type":"text""#,
        r#","choices":["a","b"],"choices":["b","a"]"#,
        r#","choices":[1,2]"#,
        r#","prompt":["no","text"]"#,
    ] {
        let line = format!(r#"{{"type":"input_request","requestId":"r"{rest}}}"#);
        let event = Event::read(line.as_bytes()).unwrap();
        assert!(matches!(event, Event::Unknown(_)), "{rest}");
        assert_eq!(event.misunderstood(), asked, "{rest}");
    }
}

#[test]
fn a_request_without_an_id_is_no_request() {
    let Event::Unknown(unknown) = Event::read(br#"{"type":"input_request","prompt":"?"}"#).unwrap() else {
        panic!()
    };
    assert_eq!(unknown.wrong.unwrap().to_string(), "requestId is missing");
}

#[test]
fn a_request_that_could_not_be_read_is_still_answered() {
    let asked = Some(Asked { id: RequestId::new("r"), awaits: Awaits::Input });
    assert_eq!(recover(br#"{"type":"input_request","requestId":"r","prompt":"xxxx"#), asked);
    assert_eq!(
        Event::read(br#"{"type":"input_request","requestId":"r","prompt":NaN}"#).unwrap_err().asked,
        asked
    );
    assert_eq!(recover(br#"{"type":"text_delta","requestId":"r","text":"xxxx"#), None);
    for line in [
        r#"{"type":"input_request","requestId":"r","requestId":"r"}"#,
        r#"{"type":"input_request","type":"input_request","requestId":"r"}"#,
    ] {
        assert_eq!(Event::read(line.as_bytes()).unwrap().misunderstood(), asked, "{line}");
    }
    let quoted = br#"DEBUG asking {"type":"input_request","requestId":"r","prompt":"Deploy?"}"#;
    assert_eq!(Event::read(quoted).unwrap_err().asked, None, "text that quotes a request asks nothing");
}

#[test]
fn text_that_is_no_json_is_turned_away_and_can_be_shown() {
    assert!(Event::read(b"Traceback (most recent call last):").is_err());
}

fn asks(rest: &str) -> Result<(PromptKind, String), String> {
    let line = format!(r#"{{"type":"input_request","requestId":"r"{rest}}}"#);
    let Event::InputRequest(request) = Event::read(line.as_bytes()).unwrap() else { panic!("{rest}") };
    let asked = request.asks(&Limits::STANDARD).map_err(|wrong| wrong.to_string())?;
    Ok((asked.0, Json::written(&asked.1).raw().to_owned()))
}

#[test]
fn what_an_agent_asks_is_a_question_with_its_choices() {
    let (kind, config) =
        asks(r#","prompt":"Delete?","input_type":"approval","choices":["Yes","No"]"#).unwrap();
    assert_eq!(kind, PromptKind::Approval);
    let choices = r#"[{"name":"Yes","value":"Yes"},{"name":"No","value":"No"}]"#;
    assert_eq!(config, format!(r#"{{"message":"Delete?","choices":{choices}}}"#));
    let text = asks(r#","prompt":"Why?","input_type":"text","choices":["x"]"#).unwrap();
    assert_eq!(text, (PromptKind::Text, r#"{"message":"Why?"}"#.to_owned()), "a text has no choices");
    let (kind, config) = asks(r#","input_type":"choice","choices":["\ud83d"]"#).unwrap();
    assert_eq!(kind, PromptKind::Choice);
    assert!(config.contains("does not say what it asks") && config.contains(r"\ud83d"), "{config}");
}

#[test]
fn what_nobody_could_answer_is_no_question() {
    for (rest, why) in [
        (r#","input_type":"password""#, "input_type must be approval, choice or text"),
        (r#","input_type":"approval""#, "choices must hold two choices"),
        (r#","input_type":"approval","choices":["only one"]"#, "choices must hold two choices"),
        (r#","input_type":"choice","choices":["a"," "]"#, "choices must be texts that say something"),
        (r#","input_type":"choice","choices":[]"#, "choices must hold at least one choice"),
    ] {
        assert_eq!(asks(rest).unwrap_err(), why, "{rest}");
    }
    let long = format!(r#","input_type":"text","prompt":"{}""#, "x".repeat(64 << 10));
    assert!(asks(&long).is_ok(), "as long as may be");
    let longer = format!(r#","input_type":"text","prompt":"{}""#, "x".repeat((64 << 10) + 1));
    assert_eq!(asks(&longer).unwrap_err(), "prompt is longer than 65536 bytes");
}

#[test]
fn a_turn_went_well_unless_the_agent_says_otherwise() {
    let is_ok = |rest: &str| {
        let line = format!(r#"{{"type":"done"{rest}}}"#);
        let Event::Done(done) = Event::read(line.as_bytes()).unwrap() else { panic!("{rest}") };
        done.is_ok()
    };
    assert!(is_ok("") && is_ok(r#","ok":true"#));
    assert!(!is_ok(r#","ok":false"#) && !is_ok(r#","ok":"yes""#) && !is_ok(r#","ok":null"#));
}

/// Whether a line, when it is read, only tells something.
fn is_read_as_telling(line: &[u8]) -> bool {
    match Event::read(line) {
        Ok(Event::TextDelta(_) | Event::ToolUseStart(_) | Event::ToolResult(_) | Event::Usage(_)) => true,
        Ok(event @ Event::Unknown(_)) => event.misunderstood().is_none() && event.kind() != "input_request",
        Ok(_) => false,
        Err(reject) => reject.asked.is_none(),
    }
}

#[test]
fn what_only_tells_is_known_without_reading_it() {
    for line in [
        r#"{"type":"text_delta","text":"done, with an error in it: input_request"}"#,
        r#"{"type": "text_delta", "text": "gr\u00f6\u00dfer \\ \"quoted\" \ud83d\n"}"#,
        r#"{"type":"tool_use_start","id":"t1","name":"list","input":{"path":"."}}"#,
        r#"{"type":"tool_result","id":"t1","output":"3 files","is_error":true}"#,
        r#"{"type":"usage","input_tokens":3,"output_tokens":3}"#,
        r#"{"type":"of_tomorrow"}"#,
        "Traceback (most recent call last):",
        "",
    ] {
        assert!(only_tells(line.as_bytes()), "{line}");
    }
    for line in [
        r#"{"type":"done"}"#,
        r#"{"type":"error","message":"x"}"#,
        r#"{"type":"user_read","id":"m"}"#,
        r#"{"type":"input_request","requestId":"r"}"#,
        r#"{"requestId":"r","type":"input\u005frequest"}"#,
        r#"{"type":"\u0064one"}"#,
        r#"{"type":"input_request","requestId":"r","prompt":"cut he"#,
        r#"{"type":"text_delta","text":"done"}"#,
    ] {
        assert!(!only_tells(line.as_bytes()), "{line}");
    }
}

proptest! {
    #[test]
    fn no_line_that_means_more_is_taken_for_one_that_only_tells(
        pieces in prop::collection::vec(prop::sample::select(PIECES), 0..14),
        cut in any::<prop::sample::Index>(),
        noise in prop::option::of((any::<prop::sample::Index>(), any::<u8>())),
    ) {
        let mut line: Vec<u8> = pieces.concat().into_bytes();
        line.truncate(cut.index(line.len() + 1).max(line.len() / 2));
        if let Some((at, byte)) = noise.filter(|_| !line.is_empty()) {
            let at = at.index(line.len());
            line[at] = byte;
        }
        prop_assert!(!only_tells(&line) || is_read_as_telling(&line), "{}", String::from_utf8_lossy(&line));
    }
}

/// Of which lines are made that are nearly events.
const PIECES: &[&str] = &[
    "{",
    "{\"type\":",
    "\"type\":",
    "\"ty\\u0070e\":",
    "\"requestId\":",
    "\"text\":",
    "\"id\":",
    "\"message\":",
    "\"r\"",
    "\"input_request\"",
    "\"input\\u005frequest\"",
    "\"input_reques\\u0074\"",
    "\"done\"",
    "\"d\\u006Fne\"",
    "\"error\"",
    "\"user_read\"",
    "\"text_delta\"",
    "\"a \\\"b\\\\\"",
    ",",
    ",",
    ":",
    "}",
    " ",
    "[",
    "]",
    "1",
];
