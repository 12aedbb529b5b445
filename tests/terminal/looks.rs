//! How it looks otherwise: the keys on demand, without colours, and at a terminal that can do nothing.

use insta::assert_snapshot;
use serde_json::json;

use crate::escapes::{colours, foreign};
use crate::pty::Start;
use crate::seat::Seat;
use crate::support::client::{Client, assert_answered, permission};
use crate::support::temp::Temp;
use crate::support::wait::eventually;

#[test]
fn a_question_mark_shows_the_keys_and_goes_with_the_next_one() {
    let mut seat = Seat::new();
    seat.types("?");
    assert_snapshot!("keys_on_the_line", seat.sees("Alt-Enter newline").masked());
    seat.types("x?");
    let typed = seat.sees("❯ x?");
    assert!(!typed.has("Alt-Enter"), "{typed}");
    seat.types("\x15");
    let mut client = seat.script("deploy");
    client.send(&permission("p", "Bash", &json!({"command": "echo hello"})));
    seat.answers("y once", "?");
    assert_snapshot!("keys_in_a_question", seat.sees("Ctrl-C no answer").masked());
    seat.types("y");
    assert_eq!(client.response("p")["approved"], json!(true));
}

#[test]
fn with_no_color_there_is_no_colour_but_all_else() {
    let mut seat = Seat::with(&[], |start| start.env("NO_COLOR", "1"));
    let mut client = seat.script("deploy");
    client.log("a report");
    client.send(&permission("p", "Bash", &json!({"command": "echo hello"})));
    seat.answers("y once", "n");
    assert_eq!(client.response("p")["approved"], json!(false));
    seat.sees("you said no");
    assert_eq!(colours(&seat.raw()), Vec::<String>::new());
    assert_eq!(foreign(&seat.raw()), Vec::<String>::new());
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let folder = Temp::new();
    let mut asked = Start::tim(&folder, &["ask", "confirm", "Sure?"]).env("TERM", "dumb").go();
    asked.sees("[y/n]");
    asked.types("n\n");
    assert_eq!(asked.ends(), 1);
    let raw = asked.raw();
    assert!(!raw.contains(&0x1b), "{:?}", String::from_utf8_lossy(&raw));
    assert!(asked.is_as_before());
}

#[test]
fn what_goes_to_a_file_stays_data_and_the_screen_asks_all_the_same() {
    let folder = Temp::new();
    let script = r#"exec "$0" serve --socket ../s >out"#;
    let mut pty = Start::program(&folder, "sh", &["-c", script, env!("CARGO_BIN_EXE_tim")]).go();
    pty.sees("❯");
    let mut client = connects(&folder.path("s"));
    client.log("a report");
    client.confirm("Sure?");
    let open = pty.armed("y yes");
    assert!(!open.has("a report"), "{open}");
    pty.types("y");
    assert_answered(&client.response("Sure?"), &json!(true));
    pty.sees("you answered");
    let out = std::fs::read_to_string(folder.path("home/out")).unwrap();
    assert!(out.contains("a report") && !out.contains('\x1b'), "{out:?}");
}

/// A script, as soon as somebody listens.
fn connects(socket: &std::path::Path) -> Client {
    eventually("a service that listens", || std::os::unix::net::UnixStream::connect(socket).ok());
    Client::greet(socket, "script", "deploy").0
}

#[test]
fn f047_without_keys_from_a_terminal_nobody_is_asked_there() {
    let folder = Temp::new();
    let script = r#"exec "$0" serve --socket ../s </dev/null"#;
    let mut pty = Start::program(&folder, "sh", &["-c", script, env!("CARGO_BIN_EXE_tim")]).go();
    pty.sees("every question will be refuse");
    let mut client = connects(&folder.path("s"));
    assert_eq!(client.round_trip("Sure?")["outcome"], "refused");
    assert!(pty.is_as_before());
    pty.types("\x03");
    assert_eq!(pty.ends(), 130);
}

#[test]
fn a_report_is_shown_above_a_question_and_off_our_columns() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    client.confirm("Sure?");
    seat.armed("y yes");
    client.log(&format!("a report {}", "that is long ".repeat(10)));
    assert_snapshot!("report_above", seat.sees("a report").masked());
    seat.types("y");
    assert_answered(&client.response("Sure?"), &json!(true));
}
