//! The terminal is as it was after every end: its modes, its cursor, and nothing of a live region left.

use rustix::process::Signal;
use serde_json::json;

use crate::picture::Picture;
use crate::pty::{Pty, Start};
use crate::seat::{Seat, choice_of, shown};
use crate::support::client::assert_answered;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

/// A question is open and marked, and the terminal is in raw mode.
fn with_a_select_open() -> (Seat, crate::support::client::Client) {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.ask("q", "select", &choice_of(&["main", "develop"]));
    seat.answers("1-2 or", "\x1b[B");
    let open = seat.sees("❯ 1");
    assert!(!seat.is_as_before() && !open.is_plain(), "raw, and pastes are marked");
    (seat, client)
}

#[test]
fn f054_a_signal_while_a_select_is_open_leaves_the_terminal_as_it_was() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 130), (Signal::QUIT, 131)] {
        let mut seat = Seat::new();
        let mut client = seat.script("deploy");
        client.ask("q", "select", &choice_of(&["main", "develop"]));
        shown(&mut client, "q");
        assert!(!seat.is_as_before(), "raw");
        seat.signal(signal);
        assert_eq!(seat.ends(), code, "{signal:?}");
        seat.assert_restored();
        assert!(client.response("q")["error"].is_string());
    }
}

#[test]
fn f129_ctrl_c_twice_leaves_the_terminal_as_it_was_and_the_history_on_it() {
    let (mut seat, mut client) = with_a_select_open();
    seat.types("\r");
    assert_answered(&client.response("q"), &json!("main"));
    seat.sees("you answered");
    assert_eq!(seat.leaves(), 130);
    seat.assert_restored();
    let after = seat.picture();
    assert!(after.has("✓ ") && after.cursor().1 == 0, "{after}");
    let below = after.rows().iter().rposition(|row| !row.is_empty()).unwrap();
    assert_eq!(usize::from(after.cursor().0), below + 1, "the shell goes on below: {after}");
}

#[test]
fn a_signal_to_tim_ask_leaves_its_terminal_as_it_was() {
    for (signal, code) in [(Signal::TERM, 143), (Signal::HUP, 129), (Signal::INT, 5)] {
        let folder = Temp::new();
        let mut asked = Start::tim(&folder, &["ask", "select", "Which?", "--choice", "main"]).go();
        asked.sees("Which?");
        asked.signal(signal);
        assert_eq!(asked.ends(), code, "{signal:?}");
        asked.assert_restored();
    }
}

#[test]
fn f046_when_the_window_is_closed_the_service_ends_and_its_questions_with_it() {
    let (mut seat, mut client) = with_a_select_open();
    seat.hang_up();
    assert_eq!(seat.ends(), 129);
    let response = client.response("q");
    assert!(response["error"].is_string() && response.get("value").is_none(), "{response}");
    assert!(!seat.socket().exists());
}

#[test]
fn f046_when_its_window_is_closed_tim_ask_ends() {
    let folder = Temp::new();
    let mut asked = Start::tim(&folder, &["ask", "confirm", "Sure?"]).go();
    asked.sees("Sure?");
    asked.hang_up();
    let code = asked.ends();
    assert!(matches!(code, 129 | 5 | 4), "neither a yes nor a no: {code}");
}

/// A service in which a question with that text makes the drawing panic. Only debug builds have the hook.
fn that_panics_on(text: &str) -> Seat {
    Seat::with(&[], |start| start.env("TIM_TEST_PANIC_ON", text))
}

fn is_raw(pty: &Pty) -> bool {
    !pty.is_as_before()
}

#[test]
fn f043_f055_a_question_that_cannot_be_drawn_is_refused_and_the_terminal_goes_on() {
    let mut seat = that_panics_on("break here");
    let (mut bad, mut good) = (seat.script("bad"), seat.script("good"));
    bad.confirm("please break here");
    let response = bad.response("please break here");
    assert_eq!(response["outcome"], "refused", "{response}");
    assert!(response["error"].as_str().is_some_and(|error| !error.is_empty()), "{response}");
    good.confirm("Sure?");
    seat.until("raw mode again", Picture::is_ready_for_keys);
    assert!(is_raw(&seat));
    seat.answers("y yes", "y");
    assert_answered(&good.response("Sure?"), &json!(true));
    assert_eq!(seat.leaves(), 130);
    // What stood there when it happened stays above what the panic says.
    let after = seat.assert_modes_restored();
    assert!(after.has("panicked at") && after.has("RUST_BACKTRACE"), "all that it says: {after}");
}

#[test]
fn f055_a_panic_at_tim_ask_leaves_its_terminal_as_it_was() {
    let folder = Temp::new();
    let start = Start::tim(&folder, &["ask", "confirm", "please break here"]);
    let mut asked = start.env("TIM_TEST_PANIC_ON", "break here").go();
    let code = asked.ends();
    assert!(!matches!(code, 0 | 1), "neither a yes nor a no: {code}");
    asked.assert_restored();
}

#[test]
fn being_told_to_go_on_changes_nothing_on_the_screen() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.armed("y yes");
    for count in 1..4 {
        seat.signal(Signal::CONT);
        client.log(&format!("report {count}."));
        seat.sees(&format!("report {count}."));
    }
    let picture = seat.picture();
    assert_eq!(picture.times("? deploy asks"), 1, "{picture}");
    seat.answers("y yes", "y");
    assert_answered(&client.response("Sure?"), &json!(true));
}

#[test]
fn whoever_asks_after_the_screen_broke_off_is_refused_and_the_terminal_is_as_it_was() {
    let mut seat = that_panics_on("break here");
    let _agent = seat.agent("claude");
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.armed("y yes");
    seat.types("\x1b");
    seat.sees("Tab answers");
    seat.types("break here\r");
    assert_eq!(client.response("Sure?")["outcome"], "refused");
    client.confirm("And now?");
    assert_eq!(client.response("And now?")["outcome"], "refused", "nobody waits for a person who cannot see");
    eventually("the modes as they were", || seat.is_as_before().then_some(()));
}
