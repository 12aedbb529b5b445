//! Keys that were meant for something else: what is typed too early, or for a question that is gone, decides nothing.

use serde_json::json;

use crate::seat::{Seat, choice_of, shown};
use crate::support::client::{assert_answered, permission};

#[test]
fn f040_keys_from_before_the_question_decide_nothing() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    seat.types("y\r");
    seat.sees("Nobody is there who reads lines");
    client.confirm("Delete?");
    let open = seat.sees("Tab answers the question");
    assert!(open.has("❯ y") && open.has("Delete?"), "{open}");
    seat.types("\x15");
    seat.answers("y yes", "n");
    assert_answered(&client.response("Delete?"), &json!(false));
}

#[test]
fn f040_keys_as_soon_as_the_question_is_there_start_the_line() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Delete?");
    shown(&mut client, "Delete?");
    seat.types("y");
    let open = seat.sees("❯ y");
    assert!(open.has("Tab answers the question"), "{open}");
    seat.types("\t");
    seat.answers("y yes", "n");
    assert_answered(&client.response("Delete?"), &json!(false));
}

#[test]
fn f041_a_key_for_a_question_that_is_gone_does_not_answer_the_next_one() {
    let mut seat = Seat::new();
    let (mut first, mut second) = (seat.script("one"), seat.script("two"));
    first.confirm("Continue?");
    seat.armed("y yes");
    second.confirm("Delete everything?");
    seat.sees("1 of 2");
    drop(first);
    shown(&mut second, "Delete everything?");
    seat.types("y");
    let open = seat.sees("❯ y");
    assert!(open.has("Delete everything?"), "{open}");
    seat.types("\x7f");
    seat.answers("y yes", "n");
    assert_answered(&second.response("Delete everything?"), &json!(false));
}

#[test]
fn f041_a_key_right_behind_the_answer_does_not_answer_the_next_one() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Continue?");
    client.confirm("Delete everything?");
    seat.answers("y yes", "yy");
    assert_answered(&client.response("Continue?"), &json!(true));
    seat.until("the other one", |picture| picture.is_bold("y yes") && picture.is_bold("Delete everything?"));
    seat.types("n");
    assert_answered(&client.response("Delete everything?"), &json!(false));
}

#[test]
fn esc_never_decides_whatever_is_asked() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.ask("confirm", "confirm", &json!({"message": "Which one?", "default": true}));
    seat.answers("y yes", "\x1b");
    seat.sees("Tab answers the question");
    seat.types("\t");
    seat.answers("y yes", "n");
    assert_answered(&client.response("confirm"), &json!(false));
    client.ask("select", "select", &choice_of(&["main", "develop"]));
    seat.answers("1-2 or", "\x1b[B\x1b");
    let left = seat.sees("Tab answers the question");
    assert!(left.has("❯ 1"), "what was marked stays marked: {left}");
    seat.types("\t");
    seat.answers("1-2 or", "\r");
    assert_answered(&client.response("select"), &json!("main"));
    seat.types("\x1b\x1b");
    assert!(!seat.sees("no agent is connected").has("Tab answers"));
}

#[test]
fn enter_and_space_never_allow_a_tool() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    for tool in ["Write", "mcp__db__drop"] {
        let input = json!({"command": "echo hello", "file_path": "a.txt", "content": "b", "url": "c"});
        client.send(&permission(tool, tool, &input));
        seat.answers("y once", "\r  \r\n ");
        seat.sees("Answer with y");
        client.send(&json!({"type": "prompt_cancel", "requestId": tool, "reason": "cancelled"}));
        let response = client.response(tool);
        assert_eq!(response["outcome"], "cancelled", "{response}");
        seat.sees_no("y once");
    }
    assert_eq!(seat.picture().times("withdrawn"), 2);
}
