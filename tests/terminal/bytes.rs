//! What a terminal sends that is no plain key: pastes, reports, broken text; and text that is wider than it is long.

use insta::assert_snapshot;
use serde_json::json;

use crate::seat::{Seat, hears};
use crate::support::client::assert_answered;

#[test]
fn f056_a_pasted_text_with_line_ends_answers_nothing_by_itself() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.ask("text", "input", &json!({"message": "What?"}));
    client.confirm("Delete?");
    seat.armed("Enter sends");
    seat.pastes("one\ny\rthree\r\n");
    let open = seat.sees("three");
    assert!(open.has("What?") && open.has("one"), "{open}");
    seat.types("\r");
    let response = client.response("text");
    assert_answered(&response, &json!("one\ny\nthree\n"));
    seat.armed("y yes");
    seat.pastes("y\ny\n");
    seat.types("x");
    seat.sees("Answer with y or n");
    seat.answers("y yes", "n");
    assert_answered(&client.response("Delete?"), &json!(false));
}

#[test]
fn a_pasted_text_is_one_line_for_whoever_hears_it() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    seat.pastes("one\ntwo\nthree");
    seat.sees("three");
    agent.confirm("Sure?");
    seat.sees("Tab answers the question");
    seat.types("\r");
    assert_eq!(hears(&mut agent), "one\ntwo\nthree");
    seat.answers("y yes", "y");
    assert_answered(&agent.response("Sure?"), &json!(true));
    assert!(!agent.unclaimed().iter().any(|line| line["type"] == "user_input"), "{:?}", agent.unclaimed());
}

#[test]
fn f060_a_paste_of_a_mebibyte_is_taken_whole_and_one_that_is_longer_is_refused_whole() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    let whole = "0123456789abcde\n".repeat(1 << 16);
    seat.pastes(&whole);
    seat.sees("rows above");
    seat.types("\r");
    let heard = hears(&mut agent);
    assert!(heard == whole, "{} bytes of {}", heard.len(), whole.len());
    seat.pastes(&format!("{whole}{whole}"));
    seat.sees("Too long: ");
    seat.types("next\r");
    assert_eq!(hears(&mut agent), "next");
}

#[test]
fn f060_a_long_line_that_is_typed_key_by_key_is_heard_once_and_whole() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    let line = "0123456789abcdef".repeat(1 << 13);
    seat.types(&line);
    seat.types("\r");
    assert_eq!(hears(&mut agent), line);
    agent.heard_nothing_else();
}

#[test]
fn f058_a_report_of_the_terminal_is_neither_an_answer_nor_a_text() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    let reports =
        b"\x1b[24;80R\x1b[?1;2c\x1b[I\x1b[O\x1b[<0;3;4M\x1bP1$r0m\x1b\\\x1b]11;rgb:0000/0000/0000\x07";
    seat.types("a");
    seat.sends(reports);
    seat.types("b");
    seat.sees("❯ ab");
    seat.types("\x15");
    agent.ask("text", "input", &json!({"message": "What?"}));
    seat.armed("Enter sends");
    seat.sends(reports);
    seat.types("cd");
    seat.sees("❯ cd");
    seat.types("\r");
    assert_answered(&agent.response("text"), &json!("cd"));
}

#[test]
fn f059_bytes_that_are_no_text_are_seen_and_break_nothing() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    seat.sends(b"a\xff\xfe\xc3b\r");
    let heard = hears(&mut agent);
    assert!(heard.starts_with('a') && heard.ends_with('b') && heard.contains('\u{fffd}'), "{heard:?}");
    agent.confirm("Sure?");
    seat.answers("y yes", "n");
    assert_answered(&agent.response("Sure?"), &json!(false));
}

const WIDE: &str = "部署到生产环境吗？ Cafe\u{301} 👩‍👩‍👧 🇩🇪 ﷽ done";

#[test]
fn wide_text_stays_in_its_columns() {
    for (columns, name) in [(80, "wide_80"), (20, "wide_20")] {
        let mut seat = Seat::with(&[], |start| start.size(columns, 24));
        let mut client = seat.script("部署");
        client.ask(
            "q",
            "select",
            &json!({"message": WIDE, "choices": [
            {"name": "日本語の選択肢", "value": 1, "description": "説明"}, {"name": "👍🏽", "value": 2}]}),
        );
        assert_snapshot!(name, seat.armed("1-2").masked());
        seat.types("1");
        assert_answered(&client.response("q"), &json!(1));
        seat.sees("you answered");
    }
}
