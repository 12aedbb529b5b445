//! What a peer may send in one message, at each limit and one further.

use crate::support::{asked, complaint, is_accepted, prompt, read_up};
use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use codec::json::NotAnObject;
use codec::limits::Limits;
use codec::tunnel::Up;
use codec::{Awaits, Reason};
use tokio_util::codec::Decoder;

#[test]
fn a_question_text_may_have_64_kib_and_not_a_byte_more() {
    let of =
        |length: usize| prompt("a", "confirm", &format!(r#"{{"message":"{}"}}"#, "x".repeat(length)), "");
    assert!(is_accepted(&of(65_536)));
    assert_eq!(complaint(&of(65_537)), "message.promptConfig.message is longer than 65536 bytes");
    let escaped = r"\u0041".repeat(65_536);
    assert!(is_accepted(&prompt("a", "confirm", &format!(r#"{{"message":"{escaped}"}}"#), "")));
}

#[test]
fn every_text_that_a_question_shows_has_the_same_limit() {
    let of = |name: &str, length: usize| {
        let text = "x".repeat(length);
        let config = match name {
            "name" | "description" | "value" => {
                let rest = if name == "description" { r#""name":"n","value":1,"# } else { "" };
                let other = match name {
                    "name" => r#","value":1"#,
                    "value" => r#","name":"n""#,
                    _ => "",
                };
                format!(r#"{{"message":"m","choices":[{{{rest}"{name}":"{text}"{other}}}]}}"#)
            }
            _ => format!(r#"{{"message":"m","choices":[{{"name":"n","value":1}}],"{name}":"{text}"}}"#),
        };
        prompt("a", "select", &config, "")
    };
    for name in [
        "header",
        "question",
        "validationHint",
        "command",
        "details",
        "default",
        "name",
        "description",
        "value",
    ] {
        assert!(is_accepted(&of(name, 65_536)), "{name}");
        let place = if ["name", "description", "value"].contains(&name) { "choices[0]." } else { "" };
        let expected = format!("message.promptConfig.{place}{name} is longer than 65536 bytes");
        assert_eq!(complaint(&of(name, 65_537)), expected);
    }
}

#[test]
fn a_permission_has_the_limits_of_a_question() {
    let of = |id: &str, rest: &str| {
        format!(r#"{{"type":"permission_request","requestId":"{id}","tool_name":"T","input":{{}}{rest}}}"#)
    };
    let complaint = |line: &str| {
        let reject = read_up(line).unwrap_err();
        assert_eq!(reject.asked.unwrap().awaits, Awaits::Permission);
        reject.reason.to_string()
    };
    assert!(read_up(&of(&"x".repeat(256), "")).is_ok());
    assert_eq!(complaint(&of(&"x".repeat(257), "")), "requestId is longer than 256 characters");
    assert!(read_up(&of("p", r#","timeoutMs":2592000000"#)).is_ok());
    assert_eq!(complaint(&of("p", r#","timeoutMs":2592000001"#)), "timeoutMs must be from 1 to 2592000000");
    for name in ["reason", "agent_name"] {
        let text = |length: usize| of("p", &format!(r#","{name}":"{}""#, "x".repeat(length)));
        assert!(read_up(&text(65_536)).is_ok(), "{name}");
        assert_eq!(complaint(&text(65_537)), format!("{name} is longer than 65536 bytes"));
    }
    let named = |length: usize| {
        format!(
            r#"{{"type":"permission_request","requestId":"p","tool_name":"{}","input":{{}}}}"#,
            "x".repeat(length)
        )
    };
    assert!(read_up(&named(65_536)).is_ok());
    assert_eq!(complaint(&named(65_537)), "tool_name is longer than 65536 bytes");
    assert_eq!(complaint(&named(0)), "tool_name must be a text that says something");
    let Ok(Up::Permission(request)) = Up::read(
        br#"{"type":"permission_request","requestId":"p","tool_name":"T","input":{},"timeoutMs":2.5}"#,
        &Limits::STANDARD,
    ) else {
        panic!()
    };
    assert_eq!(request.timeout_ms(), Some(3));
}

#[test]
fn an_id_may_have_256_characters_and_not_one_more() {
    let of = |length: usize| prompt(&"ü".repeat(length), "confirm", r#"{"message":"m"}"#, "");
    assert!(is_accepted(&of(256)));
    assert_eq!(complaint(&of(257)), "message.requestId is longer than 256 characters");
}

#[test]
fn a_question_may_have_1000_choices_and_not_one_more() {
    let choices = |count: usize| vec![r#"{"name":"n","value":1}"#; count].join(",");
    let of =
        |count| prompt("a", "select", &format!(r#"{{"message":"m","choices":[{}]}}"#, choices(count)), "");
    assert!(is_accepted(&of(1_000)));
    assert_eq!(complaint(&of(1_001)), "message.promptConfig.choices holds more than 1000");
}

#[test]
fn a_timeout_may_be_from_1_ms_to_30_days() {
    let of =
        |timeout: &str| prompt("a", "confirm", r#"{"message":"m"}"#, &format!(r#","timeoutMs":{timeout}"#));
    for good in ["1", "1.0", "300.5", "3e2", "2147483648", "2592000000", "null"] {
        assert!(is_accepted(&of(good)), "{good}");
    }
    for bad in ["0", "0.5", "-1", "2592000001", "9223372036854775807", "1e400", "-9223372036854775808"] {
        assert_eq!(complaint(&of(bad)), "message.timeoutMs must be from 1 to 2592000000", "{bad}");
    }
    assert_eq!(complaint(&of("true")), "message.timeoutMs must be a number");
    let line = of("300.5");
    let Ok(Up::Prompt(request, _)) = read_up(&line) else { panic!() };
    assert_eq!(request.timeout_ms(), Some(301));
}

fn frame_of(length: usize, limit: usize) -> Frame {
    let mut buffer = BytesMut::from(&vec![b'x'; length][..]);
    buffer.extend_from_slice(b"\n");
    Lines::new(limit, Tail::Drop).decode(&mut buffer).unwrap().unwrap()
}

#[test]
fn a_tunnel_line_may_have_8_mib_and_an_agent_line_32_and_not_a_byte_more() {
    for (limit, mib) in [(Limits::STANDARD.tunnel_line, 8), (Limits::STANDARD.agent_line, 32)] {
        assert!(matches!(frame_of(mib << 20, limit), Frame::Line(_)));
        assert!(matches!(frame_of((mib << 20) + 1, limit), Frame::Oversized(_)));
    }
}

#[test]
fn the_input_of_a_tool_may_be_as_large_as_the_line_but_not_nest_without_end() {
    let of = |input: &str| {
        format!(r#"{{"type":"permission_request","requestId":"p","tool_name":"Write","input":{input}}}"#)
    };
    assert!(read_up(&of(&format!(r#"{{"content":"{}"}}"#, "x".repeat(1 << 20)))).is_ok());
    assert!(read_up(&of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(122), "]".repeat(122)))).is_ok());
    let deep = of(&format!(r#"{{"a":{}1{}}}"#, "[".repeat(123), "]".repeat(123)));
    let reject = read_up(&deep).unwrap_err();
    assert_eq!(reject.reason, Reason::NotAnObject(NotAnObject::TooLarge));
    assert_eq!(reject.asked, Some(asked("p", Awaits::Permission)), "nobody waits for ever");
}

#[test]
fn a_line_of_a_million_members_or_items_is_turned_away_before_it_fills_the_memory() {
    let members = r#""":0,"#.repeat(1 << 20);
    let reject =
        read_up(&prompt("a", "confirm", r#"{"message":"m"}"#, &format!(r#",{members}"x":0"#))).unwrap_err();
    assert_eq!(reject.asked, Some(asked("a", Awaits::Prompt)));
    let items = r#""","#.repeat(1 << 20);
    let log = format!(r#"{{"type":"log","args":[{items}""]}}"#);
    assert_eq!(read_up(&log).unwrap_err().reason.to_string(), "args holds more than 10000");
}
