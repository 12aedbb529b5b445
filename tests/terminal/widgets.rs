//! Every kind of question that a client can ask: how it opens, that a wrong key decides nothing, its answer, the row that
//! stays, and what the asker got.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::seat::{Seat, answer};
use crate::support::client::{Client, assert_answered};

/// Asks as a script, and gives the picture when its keys count.
fn opens(seat: &mut Seat, kind: &str, config: &Value, keys: &str) -> (Client, String) {
    let mut client = seat.script("deploy");
    client.ask("q", kind, config);
    let picture = seat.armed(keys).masked();
    (client, picture)
}

/// A key that means nothing here: it is said what does, and nothing is decided.
fn a_wrong_key(seat: &mut Seat, client: &Client, key: &str, hint: &str) -> String {
    seat.types(key);
    let picture = seat.sees(hint).masked();
    client.heard_nothing_but_that_it_is_shown();
    picture
}

trait Heard {
    fn heard_nothing_but_that_it_is_shown(&self);
}

impl Heard for Client {
    fn heard_nothing_but_that_it_is_shown(&self) {
        assert!(self.unclaimed().iter().all(|line| line["type"] == "prompt_shown"), "{:?}", self.unclaimed());
    }
}

#[test]
fn confirm() {
    let mut seat = Seat::new();
    let (mut client, open) =
        opens(&mut seat, "confirm", &json!({"message": "Deploy to production?"}), "y yes");
    assert_snapshot!("confirm_open", open);
    assert_snapshot!("confirm_wrong", a_wrong_key(&mut seat, &client, "x", "Answer with"));
    seat.armed("y yes");
    a_wrong_key(&mut seat, &client, "\r", "Answer with");
    seat.types("y");
    assert_answered(&client.response("q"), &json!(true));
    assert_snapshot!("confirm_answered", seat.sees("you answered").masked());
}

#[test]
fn confirm_with_a_default_is_answered_by_enter_as_tim_ask_hears_it() {
    let mut seat = Seat::new();
    let asked = seat.ask(&["confirm", "Deploy?", "--default", "no"]);
    let open = seat.armed("y yes");
    assert!(open.has("takes no [y/N]"), "{open}");
    seat.types("\r");
    assert_eq!(answer(asked), ("no\n".to_owned(), Some(1)));
    assert!(seat.sees("you answered").has("Deploy? no"));
}

#[test]
fn select() {
    let mut seat = Seat::new();
    let config = json!({"message": "Which branch?", "choices": [
        {"name": "main", "value": "m", "description": "what is deployed"},
        {"name": "develop", "value": 7},
    ]});
    let (mut client, open) = opens(&mut seat, "select", &config, "1-2 or");
    assert_snapshot!("select_open", open);
    assert_snapshot!("select_wrong", a_wrong_key(&mut seat, &client, "\r", "Choose with"));
    seat.types("\x1b[B\x1b[B");
    assert_snapshot!("select_marked", seat.sees("❯ 2").masked());
    seat.types("\r");
    assert_answered(&client.response("q"), &json!(7));
    assert!(seat.sees("you answered").has("Which branch? develop"));
}

#[test]
fn checkbox() {
    let mut seat = Seat::new();
    let config = json!({"message": "Which checks?", "choices": [
        {"name": "lint", "value": "lint", "checked": true},
        {"name": "test", "value": "test"},
        {"name": "docs", "value": "docs"},
    ]});
    let (mut client, open) = opens(&mut seat, "checkbox", &config, "1-3 or");
    assert_snapshot!("checkbox_open", open);
    assert_snapshot!("checkbox_wrong", a_wrong_key(&mut seat, &client, "x", "Choose with"));
    seat.armed("1-3 or");
    seat.types("13");
    seat.sees("[x] docs");
    assert_snapshot!("checkbox_toggled", seat.sees("[ ] lint").masked());
    seat.types("\r");
    assert_answered(&client.response("q"), &json!(["docs"]));
    assert!(seat.sees("you answered").has("Which checks? docs"));
}

#[test]
fn input_with_a_default_and_a_hint() {
    let mut seat = Seat::new();
    let config = json!({"message": "Version?", "default": "1.0", "validationHint": "three numbers"});
    let (mut client, open) = opens(&mut seat, "input", &config, "Enter takes");
    assert_snapshot!("input_open", open);
    seat.types("1.2.3");
    assert_snapshot!("input_typed", seat.sees("❯ 1.2.3").masked());
    seat.types("\r");
    assert_answered(&client.response("q"), &json!("1.2.3"));
    assert!(seat.sees("you answered").has("Version? 1.2.3"));
    client.ask("again", "input", &config);
    seat.answers("Enter takes", "\r");
    assert_answered(&client.response("again"), &json!("1.0"));
}

#[test]
fn input_without_text_is_sent_only_by_a_second_enter() {
    let mut seat = Seat::new();
    let asked = seat.ask(&["input", "Name?"]);
    seat.answers("Enter sends", "\r");
    seat.sees("Enter again sends an empty one");
    seat.types("\r");
    assert_eq!(answer(asked), ("\n".to_owned(), Some(0)));
}

#[test]
fn prefix_select() {
    let mut seat = Seat::new();
    let config = json!({"message": "How much of it?", "command": "git fetch origin --prune"});
    let (mut client, open) = opens(&mut seat, "prefix_select", &config, "← shorter");
    assert_snapshot!("prefix_select_open", open);
    assert_snapshot!("prefix_select_wrong", a_wrong_key(&mut seat, &client, "x", "makes it shorter"));
    seat.armed("← shorter");
    seat.types("\x1b[D\x1b[D\x1b[D");
    assert_snapshot!("prefix_select_cut", seat.sees("begins with git fetch").masked());
    seat.types("\r");
    assert_answered(&client.response("q"), &json!({"command": "git fetch", "exact": false}));
    assert!(seat.sees("you answered").has("How much of it? git fetch"));
}

#[test]
fn approval() {
    let mut seat = Seat::new();
    let config = json!({"message": "The plan:\n1. read\n2. write"});
    let (mut client, open) = opens(&mut seat, "approval", &config, "[a] Approve");
    assert_snapshot!("approval_open", open);
    for key in ["\r", " "] {
        a_wrong_key(&mut seat, &client, key, "Answer with a or r");
        seat.types("\x1b[A");
    }
    seat.types("y");
    seat.until("keys that rest", |picture| !picture.is_bold("[a] Approve"));
    client.heard_nothing_but_that_it_is_shown();
    seat.answers("[a] Approve", "r");
    assert_answered(&client.response("q"), &json!("reject"));
    assert_snapshot!("approval_answered", seat.sees("you said no").masked());
}

#[test]
fn choice() {
    let mut seat = Seat::new();
    let config = json!({"message": "Which one?", "choices": [
        {"name": "the first", "value": 1}, {"name": "the second", "value": 2},
    ]});
    let (mut client, open) = opens(&mut seat, "choice", &config, "1-2 or");
    assert_snapshot!("choice_open", open);
    a_wrong_key(&mut seat, &client, "9", "Choose with");
    seat.armed("1-2 or");
    seat.types("2");
    assert_answered(&client.response("q"), &json!({"index": 1, "value": 2}));
    seat.sees("you answered");
    client.ask("again", "choice", &config);
    seat.answers("1-2 or", "r");
    assert_answered(&client.response("again"), &json!("reject"));
    assert!(seat.sees("you said no").has("the second"));
}

#[test]
fn text() {
    let mut seat = Seat::new();
    let (mut client, open) = opens(&mut seat, "text", &json!({"message": "Why?"}), "Enter sends");
    assert_snapshot!("text_open", open);
    assert_snapshot!("text_wrong", a_wrong_key(&mut seat, &client, "\r", "Write something"));
    seat.types("because\r");
    assert_answered(&client.response("q"), &json!("because"));
    seat.sees("you answered");
    client.ask("again", "text", &json!({"message": "And?"}));
    seat.answers("Enter sends", "r\r");
    assert_answered(&client.response("again"), &json!("reject"));
    assert!(seat.sees("you said no").has("Why? because"));
}
