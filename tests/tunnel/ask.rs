//! `tim ask` from outside: what it prints, and that its exit code never mixes up two ends.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::desk::{Asked, Desk, Parent};
use crate::support::launch::{Launch, Process};
use crate::support::serve::Serve;

/// `tim ask` beneath a server beneath the test: its process, and the question as it arrived.
fn ask<const N: usize>(serve: &Serve, desk: &mut Desk, arguments: [&str; N]) -> (Process, Asked) {
    let launch = arguments.iter().fold(Launch::tim(["ask"]), |launch, argument| launch.arg(argument));
    let process = launch.under(serve.socket()).start();
    (process, desk.prompt())
}

/// The exit code and the output.
fn end(mut process: Process) -> (Option<i32>, String) {
    let (code, stdout, _) = process.exit();
    (code, stdout)
}

/// Asks, answers, and compares what comes out.
fn prints<const N: usize>(arguments: [&str; N], answer: &Value, code: i32, stdout: &str) {
    let (serve, mut desk) = Serve::under_test();
    let (process, asked) = ask(&serve, &mut desk, arguments);
    desk.answer(&asked, answer);
    assert_eq!(end(process), (Some(code), stdout.to_owned()), "{arguments:?}");
}

#[test]
fn a_yes_is_0_and_a_no_is_1() {
    prints(["confirm", "Proceed?"], &json!(true), 0, "yes\n");
    prints(["confirm", "Proceed?"], &json!(false), 1, "no\n");
    prints(["confirm", "Proceed?", "--json"], &json!(false), 1, "false\n");
}

#[test]
fn a_chosen_value_is_printed_alone() {
    prints(["select", "Which?", "--choice", "Alpha=a", "--choice", "B"], &json!("a"), 0, "a\n");
    prints(["select", "Which?", "--choice", "Alpha=a", "--choice", "B"], &json!("B"), 0, "B\n");
    prints(["select", "Which?", "--choice", "Alpha=a", "--json"], &json!("a"), 0, "\"a\"\n");
}

#[test]
fn checked_values_are_printed_one_a_line() {
    let arguments = ["checkbox", "Which?", "--choice", "a", "--choice", "b", "--choice", "c"];
    prints(arguments, &json!(["a", "c"]), 0, "a\nc\n");
    prints(arguments, &json!([]), 0, "");
    let arguments = ["checkbox", "Which?", "--choice", "a", "--choice", "b", "--json"];
    prints(arguments, &json!(["a", "b"]), 0, "[\"a\",\"b\"]\n");
}

#[test]
fn typed_text_is_printed_as_it_was_typed() {
    prints(["input", "Name?"], &json!("Zoë → ✓"), 0, "Zoë → ✓\n");
    prints(["text", "More?"], &json!("two\nlines"), 0, "two\nlines\n");
}

#[test]
fn reject_is_an_answer_and_exits_1() {
    prints(["approval", "Delete?"], &json!("approve"), 0, "approve\n");
    prints(["approval", "Delete?"], &json!("reject"), 1, "reject\n");
    let choice = ["choice", "Which?", "--choice", "A", "--choice", "B"];
    prints(choice, &json!({"index": 1, "value": "B"}), 0, "B\n");
    prints(choice, &json!("reject"), 1, "reject\n");
}

#[test]
fn the_question_arrives_with_all_that_was_said() {
    let (serve, mut desk) = Serve::under_test();
    let arguments =
        ["select", "Which?", "--choice", "Alpha=a", "--choice", "B", "--default", "B", "--timeout", "30s"];
    let (process, asked) = ask(&serve, &mut desk, arguments);
    assert_eq!((asked.kind.as_str(), asked.text.as_str()), ("select", "Which?"));
    let config = &asked.message["promptConfig"];
    assert_eq!(config["choices"], json!([{"name": "Alpha", "value": "a"}, {"name": "B", "value": "B"}]));
    assert_eq!(config["default"], "B");
    let left = asked.message["timeoutMs"].as_u64().expect("a timeout");
    assert!((1..=30_000).contains(&left), "{left}");
    desk.answer(&asked, &json!("B"));
    assert_eq!(end(process).0, Some(0));
}

#[test]
fn a_timeout_is_3() {
    let (serve, mut desk) = Serve::under_test();
    let (process, asked) = ask(&serve, &mut desk, ["confirm", "q", "--timeout", "200ms"]);
    assert_eq!(end(process), (Some(3), String::new()));
    desk.withdrawn(&asked);
}

#[test]
fn a_timeout_is_told_to_the_parent_as_one() {
    let parent = Parent::open();
    let process = Launch::tim(["ask", "confirm", "q", "--timeout", "200ms"]).under(parent.path()).start();
    let mut desk = parent.accept();
    desk.take("a hello", |line| line["type"] == "hello");
    desk.send(&json!({"type": "welcome", "tim": 1, "role": "serve", "path": "script", "desk": true}));
    let asked = desk.prompt();
    assert_eq!(end(process).0, Some(3));
    assert_eq!(desk.withdrawn(&asked), "timed_out", "else it would be cancelled on record there");
}

#[test]
fn a_lost_connection_is_4() {
    let (mut serve, mut desk) = Serve::under_test();
    let (process, _) = ask(&serve, &mut desk, ["confirm", "q"]);
    drop(desk);
    assert_eq!(end(process), (Some(4), String::new()), "the parent's parent is gone");
    let (served, mut desk) = Serve::under_test();
    serve = served;
    let (process, _) = ask(&serve, &mut desk, ["confirm", "q"]);
    serve.signal(Signal::KILL);
    assert_eq!(end(process), (Some(4), String::new()), "the parent is gone");
}

#[test]
fn a_no_to_the_question_itself_is_5() {
    let (serve, mut desk) = Serve::under_test();
    let (process, asked) = ask(&serve, &mut desk, ["input", "q"]);
    desk.end_with(&asked, "declined", "Declined by the user");
    assert_eq!(end(process), (Some(5), String::new()));
}

#[test]
fn nobody_to_ask_is_6() {
    let serve = Serve::alone();
    let process = Launch::tim(["ask", "confirm", "q"]).under(serve.socket()).start();
    assert_eq!(end(process), (Some(6), String::new()), "nobody at the server");
    let process = Launch::tim(["ask", "confirm", "q"]).start();
    assert_eq!(end(process), (Some(6), String::new()), "no tunnel and no terminal");
    let launch = Launch::tim(["ask", "confirm", "q"]);
    let nowhere = launch.folder().path("nowhere");
    let (code, stdout, stderr) = launch.under(&nowhere).start().exit();
    assert_eq!((code, stdout.as_str()), (Some(6), ""), "a tunnel that leads nowhere: {stderr}");
}

#[test]
fn what_is_no_question_is_2() {
    let (serve, _desk) = Serve::under_test();
    let cases: [&[&str]; 6] = [
        &["confirm"],
        &["select", "Which?"],
        &["sing", "la"],
        &["confirm", "q", "--timeout", "soon"],
        &["confirm", "q", "--timeout", "0s"],
        &["confirm", "q", "--choice"],
    ];
    for arguments in cases {
        let launch = arguments.iter().fold(Launch::tim(["ask"]), |launch, argument| launch.arg(argument));
        let (code, stdout, stderr) = launch.under(serve.socket()).start().exit();
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(!stderr.is_empty(), "{arguments:?}");
    }
}

#[test]
fn sigint_withdraws_the_question_and_is_130() {
    let (mut serve, mut desk) = Serve::under_test();
    let (process, asked) = ask(&serve, &mut desk, ["confirm", "q"]);
    process.signal(Signal::INT);
    assert_eq!(end(process), (Some(130), String::new()));
    let reason = desk.withdrawn(&asked);
    assert!(["cancelled", "asker_gone"].contains(&reason.as_str()), "{reason}");
    serve.finish();
    let ends = serve.journal().ends();
    assert_eq!((ends.len(), ends[0].outcome.as_str()), (1, "cancelled"));
}

#[test]
fn a_killed_ask_takes_its_question_with_it() {
    let (serve, mut desk) = Serve::under_test();
    let (process, asked) = ask(&serve, &mut desk, ["confirm", "q"]);
    process.signal(Signal::KILL);
    desk.withdrawn(&asked);
    assert_eq!(end(process).0, None);
    drop(serve);
}

#[test]
fn it_greets_as_a_script_with_its_label() {
    let parent = Parent::open();
    let process = Launch::tim(["ask", "confirm", "q", "--label", "deploy"]).under(parent.path()).start();
    let mut desk = parent.accept();
    let hello = desk.line().unwrap();
    assert_eq!(hello, json!({"type": "hello", "tim": 1, "as": "script", "label": "deploy"}));
    desk.send(&json!({"type": "welcome", "tim": 1, "role": "run", "path": "main/deploy", "desk": true}));
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    assert_eq!(end(process), (Some(0), "yes\n".to_owned()));
}

#[test]
fn text_from_the_tunnel_prints_no_control_characters_on_stderr() {
    let (serve, mut desk) = Serve::under_test();
    let (mut process, asked) = ask(&serve, &mut desk, ["confirm", "q"]);
    desk.end_with(&asked, "refused", "\u{1b}[2J cleared");
    let (code, stdout, stderr) = process.exit();
    assert_eq!((code, stdout.as_str()), (Some(6), ""));
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
}
