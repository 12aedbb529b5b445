//! What an agent asks in its own words, from the bridge's socket to the screen and back: each promise by name.

use serde_json::{Value, json};

use crate::seat::{Seat, shown};
use crate::support::client::Client;

const TOOL: &str = "AskUserQuestion";

fn bridge(seat: &Seat) -> Client {
    Client::greet(seat.socket(), "bridge", "claude").0
}

fn asks(client: &mut Client, id: &str, tool: &str, input: &Value) {
    client.send(&json!({"type": "permission_request", "requestId": id, "tool_name": tool, "input": input}));
}

fn one(text: &str, labels: &[&str], is_multiple: bool) -> Value {
    let options: Vec<Value> = labels.iter().map(|label| json!({"label": label})).collect();
    json!({"question": text, "header": "Head", "options": options, "multiSelect": is_multiple})
}

fn questions(each: &[Value]) -> Value {
    json!({"questions": each})
}

/// A person at a terminal, and a bridge that has asked these.
fn asked(input: &Value) -> (Seat, Client) {
    let seat = Seat::new();
    let mut client = bridge(&seat);
    asks(&mut client, "q", TOOL, input);
    (seat, client)
}

/// Waits for the other question of two: its keys count after a moment.
fn comes(seat: &Seat, which: &str) {
    seat.until(which, |picture| picture.has(which) && picture.is_bold("1-3 or"));
}

/// The answers in what comes back.
fn answers(client: &mut Client) -> Value {
    let response = client.response("q");
    assert_eq!(response["approved"], json!(true), "{response}");
    response["updatedInput"]["answers"].clone()
}

#[test]
fn a_question_is_known_by_the_name_of_its_tool_and_is_no_permission() {
    let (seat, _client) = asked(&questions(&[one("Which?", &["a", "b"], false)]));
    let shown = seat.armed("1-3 or");
    assert!(shown.has("claude asks: Head") && !shown.has("y once"), "{shown}");
}

#[test]
fn a_single_choice_shows_its_options_and_something_else() {
    let (seat, _client) = asked(&questions(&[one("Which?", &["a", "b"], false)]));
    let shown = seat.armed("1-3 or");
    for row in ["  Which?", "    1  a", "    2  b", "    3  Something else…"] {
        assert!(shown.has(row), "no {row:?} in\n{shown}");
    }
}

#[test]
fn a_multiple_choice_shows_boxes_and_something_else() {
    let (seat, _client) = asked(&questions(&[one("Which?", &["a", "b"], true)]));
    let shown = seat.armed("1-3 or");
    for row in ["1  [ ] a", "2  [ ] b", "3  [ ] Something else…"] {
        assert!(shown.has(row), "no {row:?} in\n{shown}");
    }
}

#[test]
fn something_else_opens_a_row_for_ones_own_words_and_esc_there_goes_back_to_the_list() {
    let (mut seat, mut client) = asked(&questions(&[one("Which?", &["a", "b"], false)]));
    seat.answers("1-3 or", "3");
    seat.sees("your words ❯");
    seat.types("\x1b");
    seat.sees_no("your words ❯");
    seat.types("3");
    seat.sees("your words ❯");
    seat.types("neither: \"c\"\r");
    assert_eq!(answers(&mut client), json!({"Which?": "neither: \"c\""}));
}

#[test]
fn answers_stand_under_the_exact_text_of_their_questions() {
    let text = "Which \"one\"?\n  Really? 日";
    let (mut seat, mut client) = asked(&questions(&[one(text, &["a", "b"], false)]));
    seat.answers("1-3 or", "2");
    assert_eq!(answers(&mut client), json!({text: "b"}));
}

#[test]
fn several_labels_are_joined_by_a_comma_with_own_words_last() {
    let (mut seat, mut client) = asked(&questions(&[one("Which?", &["a, b", "c", "d"], true)]));
    seat.answers("1-4 or", "4");
    seat.sees("your words ❯");
    seat.types("mine\r");
    seat.sees("Enter sends 1");
    seat.types("3");
    seat.sees("Enter sends 2");
    seat.types("1");
    seat.sees("Enter sends 3");
    seat.types("\r");
    assert_eq!(answers(&mut client), json!({"Which?": "a, b, d, mine"}));
}

#[test]
fn what_goes_back_is_the_whole_input_with_the_answers_in_it() {
    let mut input = questions(&[one("Which?", &["a", "b"], false)]);
    input["metadata"] = json!({"source": "x", "n": 1.0});
    let (mut seat, mut client) = asked(&input);
    seat.answers("1-3 or", "1");
    let response = client.response("q");
    input["answers"] = json!({"Which?": "a"});
    assert_eq!(response["updatedInput"], input);
}

#[test]
fn answers_that_the_agent_sent_along_do_not_count() {
    let mut input = questions(&[one("Which?", &["a", "b"], false)]);
    input["answers"] = json!({"Which?": "a"});
    input["response"] = json!("skip it");
    let (mut seat, mut client) = asked(&input);
    seat.answers("1-3 or", "2");
    let response = client.response("q");
    assert_eq!(response["updatedInput"]["answers"], json!({"Which?": "b"}));
    assert_eq!(response["updatedInput"].get("response"), None);
}

#[test]
fn several_questions_are_asked_one_after_another_with_a_way_back() {
    let both = [one("First?", &["a", "b"], false), one("Second?", &["c", "d"], false)];
    let (mut seat, mut client) = asked(&questions(&both));
    seat.answers("1-3 or", "1");
    comes(&seat, "question 2 of 2");
    seat.types("\x1b[D");
    comes(&seat, "question 1 of 2");
    seat.types("2");
    comes(&seat, "question 2 of 2");
    seat.types("2");
    assert_eq!(answers(&mut client), json!({"First?": "b", "Second?": "d"}));
}

#[test]
fn questions_with_the_same_text_are_each_asked_and_both_answers_arrive() {
    let both = [one("Which?", &["a", "b"], false), one("Which?", &["c", "d"], false)];
    let (mut seat, mut client) = asked(&questions(&both));
    seat.answers("1-3 or", "2");
    comes(&seat, "question 2 of 2");
    seat.types("1");
    assert_eq!(answers(&mut client), json!({"Which?": "b, c"}));
}

#[test]
fn a_label_that_looks_like_the_free_choice_is_a_label() {
    let labels = ["__free_text__", "Something else…", "Something else…"];
    let (mut seat, mut client) = asked(&questions(&[one("Which?", &labels, false)]));
    seat.answers("1-4 or", "3");
    assert_eq!(answers(&mut client), json!({"Which?": "Something else…"}));
    // The next one looks the same: the first must be off the screen before its keys are waited for.
    seat.sees("you answered");
    asks(&mut client, "q", TOOL, &questions(&[one("Which?", &labels, false)]));
    seat.answers("1-4 or", "1");
    assert_eq!(answers(&mut client), json!({"Which?": "__free_text__"}));
}

#[test]
fn questions_that_nobody_could_answer_are_denied_with_the_reason() {
    let seat = Seat::new();
    let mut client = bridge(&seat);
    let many: Vec<String> = (0..100).map(|number| number.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    for (input, why) in [
        (json!({}), "questions"),
        (questions(&[]), "at least one question"),
        (json!({"questions": "Which?"}), "questions"),
        (questions(&[one("Which?", &[], false)]), "at least one option"),
        (questions(&[one("Which?", &many, false)]), "options"),
        (questions(&[json!({"header": "no text"})]), "question"),
    ] {
        asks(&mut client, "q", TOOL, &input);
        let response = client.response("q");
        assert_eq!(
            (&response["approved"], &response["outcome"]),
            (&json!(false), &json!("refused")),
            "{input}"
        );
        assert!(response["message"].as_str().unwrap().contains(why), "{response}");
        assert_eq!(response.get("updatedInput"), None);
    }
}

#[test]
fn no_rule_answers_a_question() {
    let mut seat = Seat::with(&["--allow", "AskUserQuestion"], |start| start);
    let mut client = bridge(&seat);
    asks(&mut client, "q", TOOL, &questions(&[one("Which?", &["a", "b"], false)]));
    seat.answers("1-3 or", "1");
    assert_eq!(answers(&mut client), json!({"Which?": "a"}));
}

#[test]
fn a_question_that_expires_is_denied_and_says_so() {
    let seat = Seat::new();
    let mut client = bridge(&seat);
    client.send(&json!({"type": "permission_request", "requestId": "q", "tool_name": TOOL,
        "input": questions(&[one("Which?", &["a", "b"], false)]), "timeoutMs": 1500}));
    shown(&mut client, "q");
    let response = client.response("q");
    assert_eq!((&response["approved"], &response["outcome"]), (&json!(false), &json!("timed_out")));
    assert_eq!(response.get("updatedInput"), None);
    seat.sees("nobody for");
}

#[test]
fn a_question_that_is_declined_takes_earlier_answers_along() {
    let both = [one("First?", &["a", "b"], false), one("Second?", &["c", "d"], false)];
    let (mut seat, mut client) = asked(&questions(&both));
    seat.answers("1-3 or", "1");
    comes(&seat, "question 2 of 2");
    seat.types("\x03");
    let response = client.response("q");
    assert_eq!((&response["approved"], &response["outcome"]), (&json!(false), &json!("declined")));
    assert_eq!(response.get("updatedInput"), None);
}

#[test]
fn other_tools_are_asked_as_permissions_and_their_input_does_not_come_back() {
    let mut seat = Seat::new();
    let mut client = bridge(&seat);
    asks(&mut client, "q", "Bash", &json!({"command": "touch a"}));
    seat.answers("y once", "y");
    let response = client.response("q");
    assert_eq!((&response["approved"], response.get("updatedInput")), (&json!(true), None), "{response}");
}
