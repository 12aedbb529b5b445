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
    for (key, picture) in
        [("\r", "bash_wrong"), (" ", "bash_wrong"), ("x", "bash_stray"), ("3", "bash_stray")]
    {
        seat.types(key);
        assert_snapshot!(picture, seat.sees("Answer with y, s, p, n or t").masked());
        // Behind a letter that may be the first of a line the keys count only after a while.
        seat.armed("y once");
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
fn a_rule_is_offered_only_where_somebody_keeps_it_and_for_always_only_where_it_is_saved() {
    for (kind, offered, keys) in
        [("script", "y once   n no", "y, n or t"), ("tim", "y once   s session…   n no", "y, s, n or t")]
    {
        let mut seat = Seat::new();
        let mut client = Client::greet(seat.socket(), kind, "review").0;
        client.send(&permission("p", "Bash", &bash("git fetch origin --prune")));
        seat.armed(offered);
        seat.types("p");
        let picture = seat.sees(&format!("Answer with {keys}"));
        assert!(!picture.has("always"), "{picture}");
        assert_open(&client);
    }
}

#[test]
fn a_service_saves_what_its_person_allows_an_agent_for_always_in_tims_own_file() {
    for arguments in [&[][..], &["--quiet"]] {
        let mut seat = Seat::with(arguments, |start| start);
        let (mut client, _) = opens(&mut seat, "p", "Bash", &bash("git fetch origin --prune"));
        seat.types("p");
        let row = seat.sees("rule  Bash(git fetch:*)");
        assert!(row.has("? Allow always") && row.has("saved  "), "{row}");
        assert!(!row.has("Tab"), "nobody knows its folder: {row}");
        seat.types("\r");
        assert_eq!(client.response("p")["approved"], json!(true));
        client.send(&permission("again", "Bash", &bash("git fetch --all")));
        assert_eq!(client.response("again")["approved"], json!(true), "nobody was asked");
        assert_eq!(seat.leaves(), 130);
        let rules = std::fs::read_to_string(seat.folder().path("config/tim/rules.toml")).unwrap();
        assert!(rules.contains("    \"Bash(git fetch:*)\",\n"), "{rules}");
        assert!(!seat.folder().path("home/.claude").exists());
    }
}

#[test]
fn a_rule_that_a_service_cannot_save_is_said_and_holds_while_it_runs() {
    let mut seat = Seat::new();
    std::fs::create_dir_all(seat.folder().path("config/tim/rules.toml")).unwrap();
    let (mut client, _) = opens(&mut seat, "p", "Bash", &bash("git fetch origin"));
    seat.types("p");
    seat.sees("rule  Bash(git fetch:*)");
    seat.types("\r");
    assert_eq!(client.response("p")["approved"], json!(true));
    seat.sees("! the rule holds for this run only:");
    client.send(&permission("again", "Bash", &bash("git fetch --all")));
    assert_eq!(client.response("again")["approved"], json!(true));
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
