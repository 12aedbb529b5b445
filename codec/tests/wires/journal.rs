//! The journal: every line comes back as it went, and the file is safe to look at.

use codec::id::Key;
use codec::journal::{Ask, Body, Direction, Entry, Event, WireLine, write_wire_line};
use codec::json::{Json, Object};
use codec::text::is_printable;
use codec::tunnel::QuestionKind;
use proptest::prelude::*;

fn entry(bytes: &[u8]) -> Entry<'static> {
    Entry { seq: 7, t: 1_200, body: Body::Line(WireLine::new("tunnel:3", Direction::From, bytes)) }
}

#[test]
fn a_line_stands_as_text_and_what_is_no_text_as_base64() {
    let text = entry("{\"a\":\"\u{1b}[2J\u{9b}\u{202e}\u{7f}\"}".as_bytes()).to_line();
    let expected = r#"{"seq":7,"t":1200,"wire":"tunnel:3","dir":"from","line":"{\"a\":\"\u001b[2J\u009b\u202e\u007f\"}"}"#;
    assert_eq!(text, expected);
    let bytes = entry(&[0xff, 0]).to_line();
    assert_eq!(bytes, r#"{"seq":7,"t":1200,"wire":"tunnel:3","dir":"from","b64":"/wA="}"#);
}

#[test]
fn a_line_without_its_bytes_is_an_error_and_not_an_empty_line() {
    for record in [
        r#"{"seq":1,"t":1,"wire":"up","dir":"to"}"#,
        r#"{"seq":1,"t":1,"wire":"up","dir":"to","b64":"!"}"#,
        r#"{"seq":1,"t":1,"wire":"up","dir":"to","line":"a","b64":"YQ=="}"#,
    ] {
        let Body::Line(line) = Entry::read(record.as_bytes()).unwrap().body else { panic!() };
        assert!(line.bytes().is_err(), "{record}");
    }
}

#[test]
fn a_question_laid_out_with_tabs_and_returns_is_still_one_readable_line() {
    let input = "{\t\"a\":\r\n1}";
    let tool = Json::object(|out| out.raw_member("\"input\"", input));
    let ask = Ask { tool: Some(tool), ..Ask::of(Key::new("0f1e.p1").unwrap(), QuestionKind::Permission) };
    let line = Entry { seq: 0, t: 0, body: Body::Event(Event::Ask(ask)) }.to_line();
    let Body::Event(Event::Ask(back)) = Entry::read(line.as_bytes()).unwrap().body else { panic!("{line}") };
    let tool = Object::read(back.tool.unwrap()).unwrap();
    assert!(tool.peek("input").unwrap().means(&Json::parse(input).unwrap()));
}

#[test]
fn numbers_of_records_have_no_upper_end_below_the_types() {
    let last = Entry { seq: u64::MAX, ..entry(b"x") };
    assert_eq!(Entry::read(last.to_line().as_bytes()).unwrap().seq, u64::MAX);
}

proptest! {
    #[test]
    fn any_bytes_come_back_from_the_journal(bytes in any::<Vec<u8>>()) {
        let line = entry(&bytes).to_line();
        let Body::Line(back) = Entry::read(line.as_bytes()).unwrap().body else { panic!() };
        prop_assert_eq!(back.bytes().unwrap(), bytes);
    }

    #[test]
    fn no_text_puts_a_hidden_character_into_the_file(text in any::<String>()) {
        let line = entry(text.as_bytes()).to_line();
        prop_assert!(line.chars().all(is_printable), "{}", line);
        let Body::Line(back) = Entry::read(line.as_bytes()).unwrap().body else { panic!() };
        prop_assert_eq!(back.bytes().unwrap(), text.into_bytes());
    }
}

proptest! {
    #[test]
    fn a_line_that_is_written_fast_is_the_same_record(
        bytes in prop_oneof![any::<Vec<u8>>(), any::<String>().prop_map(String::into_bytes), "[\"\\\\{}a-z\\x00-\\x1f\u{7f}-\u{9f}]{0,40}".prop_map(String::into_bytes)],
        wire in any::<String>(),
        length in any::<Option<u64>>(),
        to in any::<bool>(),
    ) {
        let dir = if to { Direction::To } else { Direction::From };
        let record = WireLine { length, ..WireLine::new(&wire, dir, &bytes) };
        let mut fast = "left over".to_owned();
        write_wire_line(&mut fast, (7, 8), (&wire, dir), &bytes, length);
        prop_assert_eq!(fast, Entry { seq: 7, t: 8, body: Body::Line(record) }.to_line());
    }
}
