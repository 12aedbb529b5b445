//! Tools that want to run, and what an agent asks the person: as `tim` carries them to the screen and back.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::seat::Seat;
use crate::support::client::{Client, permission};

fn bash(command: &str) -> Value {
    json!({"command": command})
}

/// A tool asks, and its keys count.
fn opens(seat: &mut Seat, id: &str, tool: &str, input: &Value) -> (Client, String) {
    let mut client = Client::greet(seat.socket(), "bridge", "claude").0;
    client.send(&permission(id, tool, input));
    let picture = seat.armed("y once").masked();
    (client, picture)
}

/// Neither allowed nor denied so far.
fn assert_open(client: &Client) {
    assert!(client.unclaimed().iter().all(|line| line["type"] == "prompt_shown"), "{:?}", client.unclaimed());
}

#[test]
fn a_command_is_allowed_once_and_neither_enter_nor_space_nor_esc_decides() {
    let mut seat = Seat::new();
    let (mut client, open) = opens(&mut seat, "p", "Bash", &bash("git fetch origin --prune"));
    assert_snapshot!("bash_open", open);
    for key in ["\r", " ", "x", "3"] {
        seat.types(key);
        assert_snapshot!("bash_wrong", seat.sees("Answer with y, n or t").masked());
        // Another key takes the hint away.
        seat.types("?");
        seat.sees("Ctrl-C no answer");
    }
    seat.types("\x1b");
    assert_snapshot!("bash_left", seat.sees("Tab answers the question").masked());
    assert_open(&client);
    seat.types("\t");
    seat.answers("y once", "y");
    assert_eq!(client.response("p")["approved"], json!(true));
    assert_snapshot!("bash_allowed", seat.sees("you, once").masked());
}

#[test]
fn a_command_is_denied_with_a_reason() {
    let mut seat = Seat::new();
    let (mut client, _) = opens(&mut seat, "p", "Bash", &bash("npm publish"));
    seat.types("t");
    seat.sees("tell it why ❯");
    seat.types("not before the tag");
    assert_snapshot!("bash_reason", seat.sees("before the tag").masked());
    seat.types("\r");
    let response = client.response("p");
    assert_eq!(response["approved"], json!(false), "{response}");
    assert!(response["message"].as_str().unwrap().contains("not before the tag"), "{response}");
    assert_snapshot!("bash_denied", seat.sees("you said no").masked());
}

#[test]
fn a_service_keeps_no_rules_and_offers_none() {
    let mut seat = Seat::new();
    let (client, open) = opens(&mut seat, "p", "Bash", &bash("git fetch origin --prune"));
    assert!(!open.contains("session") && !open.contains("always"), "{open}");
    for key in ["s", "p"] {
        seat.types(key);
        seat.sees("Answer with y, n or t");
        seat.types("?");
        seat.sees("Ctrl-C no answer");
    }
    assert_open(&client);
}

#[test]
fn a_command_that_is_longer_than_the_screen_is_allowed_only_when_all_of_it_was_seen() {
    let mut seat = Seat::new();
    let rows: Vec<String> = (1..=60).map(|row| format!("echo row {row}")).collect();
    let mut client = Client::greet(seat.socket(), "bridge", "claude").0;
    client.send(&permission("p", "Bash", &bash(&rows.join("\n"))));
    assert_snapshot!("bash_long_open", seat.armed("v view all").masked());
    seat.types("y");
    seat.sees("Not all of it was on the screen");
    assert_open(&client);
    seat.types("v");
    let mut page = seat.sees_no("v view all");
    assert_snapshot!("bash_long_view", page.masked());
    while !page.has("echo row 60") {
        let before = page.rows();
        seat.types(" ");
        page = seat.until("the next page", |picture| picture.rows() != before);
    }
    seat.types("\x1b");
    seat.answers("y once", "y");
    assert_eq!(client.response("p")["approved"], json!(true));
}

#[test]
fn on_the_smallest_screen_a_command_is_not_allowed_unseen() {
    let mut seat = Seat::with(&[], |start| start.size(20, 5));
    let mut client = Client::greet(seat.socket(), "bridge", "claude").0;
    client.send(&permission("p", "Bash", &bash("touch one two three four five six seven eight nine")));
    let open = seat.armed("n no");
    assert_snapshot!("bash_smallest", open.masked());
    seat.types("y");
    seat.types("n");
    assert_eq!(client.response("p")["approved"], json!(false), "{open}");
}

#[test]
fn an_edit_is_shown_as_what_it_changes() {
    let mut seat = Seat::new();
    std::fs::write(seat.folder().path("home/parse.rs"), "one\ntwo\nthree\n").unwrap();
    let file = seat.folder().path("home/parse.rs");
    let input = json!({"file_path": file, "old_string": "two", "new_string": "2\nand a half"});
    let (mut client, open) = opens(&mut seat, "p", "Edit", &input);
    assert_snapshot!("edit_open", open);
    seat.types("\r");
    seat.sees("Answer with");
    assert_open(&client);
    seat.types("n");
    assert_eq!(client.response("p")["approved"], json!(false));
    assert_snapshot!("edit_denied", seat.sees("you said no").masked());
}

fn questions() -> Value {
    json!({"questions": [
        {"question": "Which database should the service use?", "header": "Database", "multiSelect": false,
         "options": [{"label": "PostgreSQL", "description": "a server; the team already runs one"},
                     {"label": "SQLite", "description": "one file, no server"}]},
        {"question": "Which sections?", "header": "Sections", "multiSelect": true,
         "options": [{"label": "Introduction", "description": "what it is for"},
                     {"label": "Method", "description": "how it was measured"}]},
    ]})
}

#[test]
fn an_agents_questions_are_asked_one_after_another() {
    let mut seat = Seat::new();
    let mut client = Client::greet(seat.socket(), "bridge", "claude").0;
    client.send(&permission("q", "AskUserQuestion", &questions()));
    assert_snapshot!("questions_open", seat.armed("1-3 or").masked());
    seat.types("\r");
    assert_snapshot!("questions_wrong", seat.sees("Choose with 1-3").masked());
    assert_open(&client);
    seat.types("2");
    seat.sees("question 2 of 2");
    assert_snapshot!("questions_second", seat.armed("1-3 or").masked());
    seat.types("1");
    seat.sees("[x] Introduction");
    seat.types("3");
    seat.sees("your words ❯");
    seat.types("Appendix\r");
    seat.sees("Enter sends 2");
    seat.types("\r");
    let response = client.response("q");
    assert_eq!(response["approved"], json!(true), "{response}");
    assert_snapshot!(
        "questions_answer",
        serde_json::to_string_pretty(&response["updatedInput"]["answers"]).unwrap()
    );
    assert_snapshot!("questions_answered", seat.sees("you answered").masked());
}
