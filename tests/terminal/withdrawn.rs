//! Questions that end without the person: each leaves one row, the line stays as it was, and the next one is shown.

use serde_json::json;

use crate::seat::{Seat, shown};
use crate::support::client::{Client, assert_answered, permission, prompt};

#[test]
fn f028_f044_a_question_whose_time_is_up_leaves_and_one_that_was_never_shown_too() {
    let mut seat = Seat::new();
    let (mut first, mut second) = (seat.script("one"), seat.script("two"));
    seat.types("my line");
    seat.sees("❯ my line");
    first.confirm_within("Quick?", 700);
    shown(&mut first, "Quick?");
    second.confirm_within("Hidden?", 300);
    assert_eq!(second.response("Hidden?")["outcome"], "timed_out");
    assert_eq!(first.response("Quick?")["outcome"], "timed_out");
    let after = seat.until("both to leave", |picture| picture.times("nobody for") == 2);
    assert_eq!((after.times("Quick?"), after.times("Hidden?")), (1, 1), "{after}");
    assert!(after.has("❯ my line"), "{after}");
    assert!(
        !second.unclaimed().iter().any(|line| line["type"] == "prompt_shown"),
        "{:?}",
        second.unclaimed()
    );
}

#[test]
fn f001_f002_whoever_goes_takes_their_questions_along_and_the_next_one_is_shown() {
    let mut seat = Seat::new();
    seat.types("my line");
    seat.sees("❯ my line");
    let (mut gone, mut hidden, mut stays) =
        (seat.script("gone"), seat.script("hidden"), seat.script("stays"));
    gone.confirm("First?");
    shown(&mut gone, "First?");
    hidden.confirm("Second?");
    seat.sees("1 of 2");
    stays.confirm("Third?");
    let open = seat.sees("1 of 3");
    assert!(open.has("First?") && open.has("then"), "{open}");
    drop(hidden);
    seat.sees("1 of 2");
    drop(gone);
    shown(&mut stays, "Third?");
    let after = seat.until("the third", |picture| picture.has("? stays asks"));
    assert_eq!((after.times("agent gone"), after.times("First?")), (2, 1), "{after}");
    assert!(after.has("❯ my line"), "{after}");
    seat.types("\t");
    seat.answers("y yes", "y");
    assert_answered(&stays.response("Third?"), &json!(true));
    assert!(seat.sees("you answered").has("❯ my line"));
}

/// Grants for one command, and takes long over every other.
const GRANTS: &str = r#"read -r asked; case "$asked" in *"fetch a"*) echo '{"allow":true,"scope":"session","rule":"Bash(git fetch:*)"}';; *) sleep 1000;; esac"#;

#[test]
fn what_a_grant_answers_leaves_the_screen_with_one_row_for_each() {
    let mut seat = Seat::with(&["--answer-command", GRANTS], |start| start);
    seat.types("my line");
    seat.sees("❯ my line");
    let mut bridge = Client::greet(seat.socket(), "bridge", "claude").0;
    let mut ask = |command: &str| bridge.send(&permission(command, "Bash", &json!({"command": command})));
    ask("git fetch b");
    seat.sees("git fetch b");
    ask("git push");
    seat.sees("1 of 2");
    ask("git fetch c");
    seat.sees("1 of 3");
    ask("git fetch a");
    for command in ["git fetch a", "git fetch b", "git fetch c"] {
        assert_eq!(bridge.response(command)["approved"], true, "{command}");
    }
    let after = seat.until("the one that is left", |picture| picture.has("    git push"));
    assert_eq!((after.times("git fetch b"), after.times("git fetch c")), (1, 1), "{after}");
    assert_eq!((after.times(" rule "), after.times("answer command")), (2, 1), "{after}");
    assert!(after.has("❯ my line"), "{after}");
}

#[test]
fn a_question_that_is_taken_back_says_so() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Still?");
    seat.armed("y yes");
    client.send(&json!({"type": "prompt_cancel", "requestId": "Still?", "reason": "cancelled"}));
    assert_eq!(client.response("Still?")["outcome"], "cancelled");
    let after = seat.sees("withdrawn");
    assert_eq!((after.times("Still?"), after.has("y yes")), (1, false), "{after}");
    // A key that was on its way is for nobody: it stands on the line.
    seat.types("y");
    seat.sees("❯ y");
}

/// An answer command that answers when a file is there.
fn answered_by_file() -> Seat {
    let wait = "while ! test -e \"$HOME/go\"; do sleep 0.02; done; echo true";
    Seat::with(&["--answer-command", wait], |start| start)
}

#[test]
fn f031_what_another_desk_answers_first_leaves_the_screen() {
    let mut seat = answered_by_file();
    seat.types("my line");
    seat.sees("❯ my line");
    let mut client = seat.script("deploy");
    client.confirm("Both?");
    shown(&mut client, "Both?");
    std::fs::write(seat.folder().path("home/go"), "").unwrap();
    assert_answered(&client.response("Both?"), &json!(true));
    let after = seat.sees("answer command");
    assert_eq!((after.times("Both?"), after.has("y yes")), (1, false), "{after}");
    assert!(after.has("❯ my line"), "{after}");
}

#[test]
fn f031_what_the_person_answers_first_counts() {
    let mut seat = answered_by_file();
    let mut client = seat.script("deploy");
    client.confirm("Both?");
    seat.answers("y yes", "n");
    assert_answered(&client.response("Both?"), &json!(false));
    assert_eq!(seat.sees("you answered").times("Both?"), 1);
    std::fs::write(seat.folder().path("home/go"), "").unwrap();
    assert_answered(&client.round_trip("Next?"), &json!(true));
    client.heard_nothing_more_than_shown();
}

#[test]
fn three_questions_come_one_after_another() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    for id in ["One?", "Two?", "Three?"] {
        client.send(&prompt(id, "confirm", &json!({"message": id}), None));
    }
    for (id, count) in [("One?", "1 of 3"), ("Two?", "1 of 2"), ("Three?", "")] {
        let up = |picture: &crate::picture::Picture| picture.is_bold("y yes") && picture.is_bold(id);
        let open = seat.until(id, up);
        assert!(open.has(count), "{open}");
        seat.types("y");
        assert_answered(&client.response(id), &json!(true));
    }
    let after = seat.until("three rows", |picture| picture.times("you answered") == 3);
    assert!(after.has("❯") && !after.has("y yes"), "{after}");
}

trait Heard {
    fn heard_nothing_more_than_shown(&self);
}

impl Heard for crate::support::client::Client {
    fn heard_nothing_more_than_shown(&self) {
        let is_shown = |line: &&serde_json::Value| line["type"] == "prompt_shown";
        assert!(self.unclaimed().iter().all(is_shown), "{:?}", self.unclaimed());
    }
}
