//! Relaying: reports go up untouched, and nothing else does.

use crate::support::{prompt, read_up, same_json};
use bytes::Bytes;
use codec::Reason;
use codec::id::Label;
use codec::limits::Limits;
use codec::tunnel::{Down, Segment, Up, relay};

#[test]
fn a_report_may_have_come_through_64_tims_and_not_one_more() {
    let of = |hops: usize| {
        let via = vec![r#"{"label":"a"}"#; hops].join(",");
        format!(r#"{{"type":"relayed","via":[{via}],"line":{{"type":"log","args":[]}}}}"#)
    };
    assert!(read_up(&of(64)).is_ok());
    assert_eq!(read_up(&of(65)).unwrap_err().reason.to_string(), "via holds more than 64");
    let me = || Segment::of(Label::new("me").unwrap());
    let relayed = |hops| {
        let line = Bytes::from(of(hops));
        relay(&[me()], &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD)
    };
    assert!(relayed(63).is_some());
    assert_eq!(relayed(64), None, "the next tim would not take it");
}

#[test]
fn what_one_tim_takes_the_next_one_takes_too() {
    let deep = |levels: usize| {
        let x = format!("{}1{}", "[".repeat(levels), "]".repeat(levels));
        format!(r#"{{"type":"structured","message":{{"type":"of_tomorrow","timestamp":"t","x":{x}}}}}"#)
    };
    let wide = |members: usize| {
        let members: String = (0..members).map(|number| format!(r#","x{number}":0"#)).collect();
        format!(r#"{{"type":"of_tomorrow","message":{{}}{members}}}"#)
    };
    let lines = [
        deep(122),
        deep(123),
        deep(124),
        deep(125),
        deep(126),
        wide(9_996),
        wide(9_997),
        wide(9_998),
        wide(9_999),
    ];
    let mut taken = 0;
    for line in lines {
        let line = Bytes::from(line);
        let Ok(up) = Up::read(&line, &Limits::STANDARD) else { continue };
        taken += 1;
        let relayed =
            relay(&[Segment::of(Label::new("me").unwrap())], &line, &up, &Limits::STANDARD).unwrap().concat();
        assert!(Up::read(&relayed, &Limits::STANDARD).is_ok(), "{}", String::from_utf8_lossy(&line[..60]));
    }
    assert_eq!(taken, 4, "and it is not refused for nothing");
}

#[test]
fn a_report_that_would_not_fit_the_next_line_is_not_relayed() {
    let line = Bytes::from(format!(r#"{{"type":"stdout","data":"{}"}}"#, "x".repeat((8 << 20) - 40)));
    let up = Up::read(&line, &Limits::STANDARD).unwrap();
    assert_eq!(relay(&[Segment::of(Label::new("me").unwrap())], &line, &up, &Limits::STANDARD), None);
}

#[test]
fn reports_inside_reports_are_refused_before_they_are_read() {
    let mut line = r#"{"type":"log"}"#.to_owned();
    for _ in 0..100 {
        line = format!(r#"{{"type":"relayed","via":[{{"label":"a"}}],"line":{line}}}"#);
    }
    assert_eq!(read_up(&line).unwrap_err().reason, Reason::NotRelayable("relayed".to_owned()));
}

#[test]
fn nothing_that_answers_or_asks_can_hide_in_a_relayed_report() {
    let of = |line: &str| format!(r#"{{"type":"relayed","via":[{{"label":"x","pid":9}}],"line":{line}}}"#);
    assert!(read_up(&of(r#"{"type":"log","args":["a"]}"#)).is_ok());
    let asks = [
        prompt("a", "confirm", r#"{"message":"m"}"#, ""),
        r#"{"type":"permission_request","requestId":"p","tool_name":"T","input":{}}"#.to_owned(),
        r#"{"type":"prompt_cancel","requestId":"p","reason":"cancelled"}"#.to_owned(),
        r#"{"type":"hello","tim":1,"as":"tim"}"#.to_owned(),
        of(r#"{"type":"log","args":["a"]}"#),
        r#"{"type":"prompt_response","requestId":"p","value":true}"#.to_owned(),
    ];
    for line in asks {
        let reject = read_up(&of(&line)).map(|up| format!("{up:?}")).unwrap_err();
        assert_eq!(reject.asked, None, "{line}");
    }
    let badly_named = r#"{"type":"relayed","via":[{"label":"a/b"}],"line":{"type":"log","args":[]}}"#;
    assert!(read_up(badly_named).is_err());
}

#[test]
fn a_report_is_relayed_without_being_copied_and_each_hop_is_named_in_front() {
    let me = |name: &str, pid| Segment { pid: Some(pid), ..Segment::of(Label::new(name).unwrap()) };
    let line = Bytes::from_static(br#"{"type":"stdout","data":"x","of_tomorrow":[1, 2]}"#);
    let parts =
        relay(&[me("leaf", 9)], &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD)
            .unwrap();
    assert_eq!(parts[1].as_ptr(), line.as_ptr());

    let once = Bytes::from(parts.concat());
    let parts =
        relay(&[me("mid", 8)], &once, &Up::read(&once, &Limits::STANDARD).unwrap(), &Limits::STANDARD)
            .unwrap();
    assert!(once.as_ptr_range().contains(&parts[1].as_ptr()), "shared with the line it came in");
    let twice = String::from_utf8(parts.concat()).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid","pid":8},{"label":"leaf","pid":9}],"line":{"type":"stdout","data":"x","of_tomorrow":[1, 2]}}"#;
    assert_eq!(twice, expected);
    assert!(read_up(&twice).is_ok());
}

#[test]
fn what_a_newer_tim_wrote_beside_a_relayed_report_stays() {
    let me = Segment::of(Label::new("mid").unwrap());
    let line = Bytes::from_static(
        br#"{"type":"relayed","via":[{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#,
    );
    let parts = relay(&[me], &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD).unwrap();
    let expected = r#"{"type":"relayed","via":[{"label":"mid"},{"label":"a","x":1}],"line":{"type":"log","args":[]},"y":{"z":2}}"#;
    assert!(same_json(std::str::from_utf8(&parts.concat()).unwrap(), expected));
}

#[test]
fn a_question_is_never_relayed() {
    let me = Segment::of(Label::new("leaf").unwrap());
    let line = Bytes::from(prompt("a", "confirm", r#"{"message":"m"}"#, ""));
    assert_eq!(relay(&[me], &line, &Up::read(&line, &Limits::STANDARD).unwrap(), &Limits::STANDARD), None);
}

#[test]
fn what_goes_up_does_not_come_down() {
    for kind in [
        "log",
        "stdout",
        "structured",
        "hello",
        "relayed",
        "user_input_receipt",
        "process_exit",
        "prompt_cancel",
    ] {
        let line = format!(r#"{{"type":"{kind}"}}"#);
        let reason = Down::read(line.as_bytes()).unwrap_err().reason;
        assert_eq!(reason, Reason::WrongDirection(kind.to_owned()));
    }
}
