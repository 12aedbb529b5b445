//! What Ctrl-C and Ctrl-D mean: a line is cleared, a question is declined, and only twice in vain ends the service.

use serde_json::json;

use crate::seat::Seat;
use crate::support::client::{assert_answered, assert_unanswered};

#[test]
fn f129_ctrl_c_clears_a_line_then_hints_and_twice_ends() {
    let mut seat = Seat::new();
    seat.types("some text");
    seat.sees("❯ some text");
    seat.types("\x03");
    let cleared = seat.sees_no("some text");
    assert!(!cleared.has("again within 2 s"), "clearing does not count: {cleared}");
    assert_eq!(seat.leaves(), 130);
    seat.assert_restored();
}

#[test]
fn f129_two_that_are_far_apart_end_nothing() {
    let mut seat = Seat::new();
    seat.types("\x03");
    seat.sees("again within 2 s");
    seat.sees_no("again within 2 s");
    assert_eq!(seat.leaves(), 130);
}

#[test]
fn f038_ctrl_c_at_a_question_declines_it_and_does_not_count_towards_the_end() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    for id in ["One?", "Two?"] {
        client.confirm(id);
    }
    for id in ["One?", "Two?"] {
        seat.until(id, |picture| picture.is_bold("y yes") && picture.is_bold(id));
        seat.types("\x03");
        let response = client.response(id);
        assert_eq!(response["outcome"], "declined", "{response}");
        assert!(response["error"].is_string() && response.get("value").is_none(), "{response}");
    }
    let after = seat.until("two rows", |picture| picture.times("you gave no answer") == 2);
    assert!(!after.has("again within 2 s"), "{after}");
    // The service lives.
    client.confirm("Three?");
    seat.answers("y yes", "y");
    assert_answered(&client.response("Three?"), &json!(true));
    assert_eq!(seat.leaves(), 130);
}

#[test]
fn f039_ctrl_d_at_a_question_declines_it() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.answers("y yes", "\x04");
    let declined = client.response("Sure?");
    let error = declined["error"].as_str().unwrap().to_owned();
    assert_unanswered(&declined, "declined", &error);
    client.ask("text", "input", &json!({"message": "What?"}));
    // In a text row they delete or clear first.
    seat.answers("Enter sends", "ab\x01\x04");
    seat.sees("❯ b");
    seat.types("\x03");
    seat.sees_no("❯ b");
    seat.types("\x04");
    assert_eq!(client.response("text")["outcome"], "declined");
}

#[test]
fn ctrl_c_before_the_keys_of_a_question_count_declines_nothing() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    seat.types("my line");
    seat.sees("❯ my line");
    client.confirm("Sure?");
    seat.sees("Tab answers the question");
    seat.types("\x03");
    let open = seat.sees_no("my line");
    assert!(open.has("Sure?"), "{open}");
    seat.answers("y yes", "y");
    assert_answered(&client.response("Sure?"), &json!(true));
}

#[test]
fn ctrl_d_on_an_empty_line_ends_nothing() {
    let mut seat = Seat::new();
    seat.types("\x04");
    seat.sees("Ctrl-C twice ends");
    seat.types("\x04\x04x");
    seat.sees("❯ x");
    seat.types("\x15");
    assert_eq!(seat.leaves(), 130);
}
