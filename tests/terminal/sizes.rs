//! Terminals that change their size while something is asked, and such that have none.

use serde_json::json;

use crate::picture::Picture;
use crate::pty::Start;
use crate::seat::{Seat, choice_of};
use crate::support::client::assert_answered;

/// The emulator of the tests cuts rows, as xterm does.
fn that_cuts(start: Start) -> Start {
    start.env("XTERM_VERSION", "XTerm(390)")
}

#[test]
fn f051_a_question_is_there_at_every_size_and_its_answer_intact() {
    let mut seat = Seat::with(&[], that_cuts);
    let mut client = seat.script("deploy");
    client.ask("q", "checkbox", &choice_of(&["main", "develop"]));
    seat.answers("1-2 or", "2");
    seat.sees("[x] develop");
    for (columns, rows) in [(40, 12), (500, 200), (21, 6), (20, 5), (120, 5), (33, 50), (79, 23), (80, 24)] {
        seat.resize(columns, rows);
        let what = format!("the question at {columns}x{rows}");
        seat.until(&what, |picture| picture.has("Enter") || columns < 40 && picture.has("1-2"));
    }
    let after = seat.sees("[x] develop");
    assert!(after.is_bold("1-2 or"), "{after}");
    seat.types("\r");
    assert_answered(&client.response("q"), &json!(["develop"]));
}

#[test]
fn f051_a_permission_is_answered_at_the_smallest_size() {
    let mut seat = Seat::with(&[], |start| that_cuts(start).size(30, 10));
    let mut client = seat.script("deploy");
    client.ask("q", "confirm", &json!({"message": "Sure?"}));
    seat.armed("y yes");
    seat.resize(21, 5);
    seat.sees("y yes");
    seat.resize(15, 4);
    seat.sees("? too");
    seat.types("y");
    seat.resize(60, 10);
    // What was typed for a question that nobody could see stands on the line.
    seat.sees("❯ y");
    seat.types("\x15");
    seat.answers("y yes", "n");
    assert_answered(&client.response("q"), &json!(false));
}

#[test]
fn f051_after_many_sizes_there_is_one_question_and_one_line() {
    let mut seat = Seat::with(&[], that_cuts);
    seat.types("my line");
    seat.sees("❯ my line");
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.sees("Tab answers the question");
    for step in 0..40_u16 {
        client.log(&format!("report {step}."));
        seat.sees(&format!("report {step}."));
        drawn_at(&seat, 40 + step * 37 % 90, 12 + step * 7 % 20);
    }
    let after = drawn_at(&seat, 80, 24);
    let rows = after.rows();
    let count = |text: &str| rows.iter().filter(|row| row.contains(text)).count();
    assert_eq!((count("? deploy asks"), count("❯ my line"), count("y yes")), (1, 1, 1), "{after}");
    assert_eq!(after.times("report 20."), 1, "{after}");
}

/// The terminal has that size, and the line with its hint goes from one side to the other.
fn drawn_at(seat: &Seat, columns: u16, rows: u16) -> Picture {
    seat.resize(columns, rows);
    let is_line =
        |row: &String| row.starts_with("❯ my line") && row.chars().count() == usize::from(columns) - 1;
    seat.until("the line at its width", |picture| picture.rows().iter().any(is_line))
}

#[test]
fn f052_a_question_at_ones_own_terminal_that_has_no_room_can_be_declined() {
    let folder = crate::support::temp::Temp::new();
    let mut asked = Start::tim(&folder, &["ask", "confirm", "Sure?"]).size(10, 3).go();
    asked.sees("? too");
    asked.types("y\x03");
    assert_eq!(asked.ends(), 5);
    asked.assert_modes_restored();
}

#[test]
fn f052_a_terminal_that_does_not_know_its_size_is_of_the_usual_one() {
    let mut seat = Seat::unseen(&[], |start| start.size(0, 0));
    seat.show_as(80, 24);
    let mut client = connects(&seat);
    client.confirm("Sure?");
    seat.answers("y yes", "y");
    assert_answered(&client.response("Sure?"), &json!(true));
    assert_eq!(seat.leaves(), 130);
    seat.assert_restored();
}

#[test]
fn f052_at_a_terminal_of_one_cell_nothing_breaks_and_nothing_is_decided() {
    let mut seat = Seat::unseen(&[], |start| that_cuts(start).size(1, 1));
    let mut client = connects(&seat);
    client.confirm("Sure?");
    seat.types("y\r");
    seat.resize(80, 24);
    crate::seat::shown(&mut client, "Sure?");
    seat.sees("❯ y");
    seat.types("\x15");
    seat.answers("y yes", "n");
    assert_answered(&client.response("Sure?"), &json!(false));
}

/// A client, as soon as somebody listens.
fn connects(seat: &Seat) -> crate::support::client::Client {
    let listens = || std::os::unix::net::UnixStream::connect(seat.socket()).ok();
    crate::support::wait::eventually("a service that listens", listens);
    seat.script("deploy")
}
