//! Stream events: how an agent asks, and what counts as asking.

use codec::events::{Event, InputMode, InputRequest, recover};
use codec::id::RequestId;
use codec::{Asked, Awaits};

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
    assert_eq!(mode(r#","input_type":5"#), None);
    assert_eq!(mode(r#","input_type":null"#), None);
    assert_eq!(mode(r#","input_type":5,"input_type":6"#), None);
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
