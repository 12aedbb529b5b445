//! The limits, each at its edge: open questions, line lengths, texts, ids, choices, timeouts.

use serde_json::{Value, json};

use crate::support::client::{assert_answered, assert_refused, permission};
use crate::support::desk::{Asked, yes};
use crate::support::serve::Serve;

#[test]
fn f034_the_questions_over_the_limit_are_refused_at_once_and_the_others_live() {
    let (serve, mut desk) = Serve::under_test();
    let (mut client, mut other) = (serve.client(), serve.client());
    (0..300).for_each(|number| client.confirm(&format!("q{number}")));
    for number in 256..300 {
        assert_refused(&client.response(&format!("q{number}")), "too_many");
    }
    other.confirm("of another");
    let asked = desk.prompt_about("of another");
    desk.answer(&asked, &json!(true));
    assert_answered(&other.response("of another"), &json!(true));
    let asked: Vec<Asked> = (0..256).map(|_| desk.prompt()).collect();
    asked.iter().for_each(|one| desk.answer(one, &json!(true)));
    for number in 0..256 {
        assert_answered(&client.response(&format!("q{number}")), &json!(true));
    }
    client.heard_nothing_else();
}

/// A question whose line is exactly that long, without its end.
fn question_of(id: &str, length: usize) -> Vec<u8> {
    let message = r#""type":"prompt_request","timestamp":"","requestId":"ID","promptType":"confirm""#;
    let head = format!(
        r#"{{"type":"structured","message":{{{message},"promptConfig":{{"message":"?"}},"padding":""#
    );
    let (head, tail) = (head.replace("ID", id), "\"}}");
    let padding = "p".repeat(length - head.len() - tail.len());
    format!("{head}{padding}{tail}").into_bytes()
}

#[test]
fn t45_a_line_at_the_limit_is_read_and_one_byte_more_is_refused_by_its_id() {
    let (serve, desk) = Serve::under_test();
    desk.answering(yes);
    let mut client = serve.client();
    for (id, length, fits) in [("at", 8 << 20, true), ("over", (8 << 20) + 1, false)] {
        client.send_bytes(&question_of(id, length));
        client.send_bytes(b"\n");
        let response = client.response(id);
        if fits { assert_answered(&response, &json!(true)) } else { assert_refused(&response, "invalid") }
    }
    assert_answered(&client.round_trip("after"), &json!(true));
}

#[test]
fn a_permission_that_is_too_large_for_the_next_hop_is_decided_all_the_same() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let mut request = permission("p", "Write", &json!({"content": ""}));
    let room = (8 << 20) - request.to_string().len();
    request["input"]["content"] = json!("c".repeat(room));
    client.send(&request);
    client.confirm("after");
    let asked = desk.prompt();
    if asked.kind == "permission" {
        return println!("it fitted");
    }
    let response = client.response("p");
    assert_eq!(
        (&response["approved"], &response["outcome"]),
        (&json!(false), &json!("refused")),
        "{response}"
    );
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("after"), &json!(true));
}

fn choices(count: usize) -> Value {
    (0..count).map(|number| json!({"name": number.to_string(), "value": number})).collect()
}

#[test]
fn texts_ids_and_choices_are_taken_at_their_limit_and_refused_over_it() {
    let (serve, desk) = Serve::under_test();
    desk.answering(|asked| Some(if asked.kind == "select" { json!(0) } else { json!(true) }));
    let mut client = serve.client();
    let text = |length: usize| json!({"message": "m".repeat(length)});
    let long = |length: usize| "i".repeat(length);
    client.ask("text at", "confirm", &text(64 << 10));
    client.ask("text over", "confirm", &text((64 << 10) + 1));
    client.ask(&long(256), "confirm", &text(1));
    client.ask(&long(257), "confirm", &text(1));
    client.ask("choices at", "select", &json!({"message": "?", "choices": choices(1000)}));
    client.ask("choices over", "select", &json!({"message": "?", "choices": choices(1001)}));
    assert_answered(&client.response("text at"), &json!(true));
    assert_refused(&client.response("text over"), "invalid");
    assert_answered(&client.response(&long(256)), &json!(true));
    assert_refused(&client.response(&long(257)), "invalid");
    assert_answered(&client.response("choices at"), &json!(0));
    assert_refused(&client.response("choices over"), "invalid");
}

#[test]
fn f121_timeouts_are_taken_up_to_thirty_days_and_none_fires_early() {
    const DAYS: u64 = 30 * 24 * 60 * 60 * 1000;
    let (serve, mut desk) = Serve::under_test();
    let mut client = serve.client();
    let long = [("2^31", 1 << 31), ("2^31-1", (1 << 31) - 1), ("2^31+1", (1 << 31) + 1), ("30 days", DAYS)];
    long.iter().for_each(|(id, ms)| client.confirm_within(id, *ms));
    for (id, ms) in [("0", 0), ("over", DAYS + 1), ("2^63", 1 << 63), ("2^64-1", u64::MAX)] {
        client.confirm_within(id, ms);
        assert_refused(&client.response(id), "invalid");
    }
    client.silent_for(std::time::Duration::from_millis(300));
    for (id, _) in long {
        let asked = desk.prompt_about(id);
        desk.answer(&asked, &json!(true));
        assert_answered(&client.response(id), &json!(true));
    }
}
