//! Clients whose bytes come in odd pieces.

use serde_json::json;

use crate::support::client::{Client, assert_answered, prompt};
use crate::support::desk::Desk;
use crate::support::serve::Serve;

/// Answers a client's question as the parent, so that whatever was sent before it has been read.
fn answered(client: &mut Client, desk: &mut Desk, id: &str) {
    client.confirm(id);
    let asked = desk.prompt_about(id);
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response(id), &json!(true));
}

#[test]
fn f011_a_question_that_comes_byte_by_byte_is_a_question() {
    let (serve, mut desk) = Serve::under_test();
    let (mut slow, mut other) = (serve.client(), serve.client());
    let line = format!("{}\n", prompt("slow", "confirm", &json!({"message": "slow"}), None));
    for (at, byte) in line.bytes().enumerate() {
        slow.send_bytes(&[byte]);
        if at % 64 == 0 {
            answered(&mut other, &mut desk, &format!("q{at}"));
        }
    }
    let asked = desk.prompt_about("slow");
    desk.answer(&asked, &json!(true));
    assert_answered(&slow.response("slow"), &json!(true));
}

#[test]
fn f014_a_character_that_comes_in_two_pieces_stays_whole() {
    let (serve, mut desk) = Serve::under_test();
    let (mut client, mut other) = (serve.client(), serve.client());
    let line = format!("{}\n", prompt("split", "confirm", &json!({"message": "日本語 ✓ 😀"}), None));
    let at = line.find('日').unwrap() + 1;
    client.send_bytes(&line.as_bytes()[..at]);
    answered(&mut other, &mut desk, "between");
    client.send_bytes(&line.as_bytes()[at..]);
    let asked = desk.prompt_about("日本語 ✓ 😀");
    desk.answer(&asked, &json!(true));
    assert_answered(&client.response("split"), &json!(true));
}

#[test]
fn f015_lines_are_told_apart_however_they_are_written() {
    let (serve, mut desk) = Serve::under_test();
    let (mut client, mut other) = (serve.client(), serve.client());
    let line = |id: &str| format!("{}\n", prompt(id, "confirm", &json!({"message": id}), None));
    client.send_bytes(format!("{}{}", line("one"), line("two")).as_bytes());
    let (three, rest) = (line("three"), line("four"));
    client.send_bytes(&three.as_bytes()[..40]);
    answered(&mut other, &mut desk, "between");
    client.send_bytes(&[&three.as_bytes()[40..], rest.as_bytes()].concat());
    for id in ["one", "two", "three", "four"] {
        let asked = desk.prompt();
        assert_eq!(asked.text, id, "in the order in which they were written");
        desk.answer(&asked, &json!(true));
        assert_answered(&client.response(id), &json!(true));
    }
}
