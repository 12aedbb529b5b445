//! `tim emit` from outside: reports through the tunnel, or a plain print without one.

use serde_json::{Value, json};

use crate::support::desk::Parent;
use crate::support::launch::Launch;
use crate::support::serve::Serve;

/// What reaches the parent of a run that must succeed and print nothing.
fn reports(launch: Launch, count: usize) -> Vec<Value> {
    let (serve, mut desk) = Serve::under_test();
    let (code, stdout, stderr) = launch.under(serve.socket()).start().exit();
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "", ""));
    let next = |_| desk.take("a report", |line| line["type"] == "relayed")["line"].clone();
    (0..count).map(next).collect()
}

#[test]
fn a_text_is_a_report_of_its_level() {
    assert_eq!(
        reports(Launch::tim(["emit", "built in 3 s"]), 1),
        [json!({"type": "log", "args": ["built in 3 s"]})]
    );
    for level in ["log", "warn", "error", "debug"] {
        let report = &reports(Launch::tim(["emit", "--level", level, "x"]), 1)[0];
        assert_eq!(report["type"], level);
    }
}

#[test]
fn several_texts_are_one_report() {
    let report = &reports(Launch::tim(["emit", "one", "two"]), 1)[0];
    let said: Vec<&str> =
        report["args"].as_array().unwrap().iter().map(|text| text.as_str().unwrap()).collect();
    assert_eq!(said.join(" "), "one two");
}

#[test]
fn lines_of_json_go_up_as_they_are_and_in_order() {
    let lines = [
        json!({"type": "stdout", "data": "a\n"}),
        json!({"type": "structured", "message": {"type": "llm_thinking", "timestamp": "", "text": "hm", "later": 1}}),
        json!({"type": "warn", "args": ["ä"]}),
    ];
    let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
    assert_eq!(reports(Launch::tim(["emit", "--jsonl"]).stdin(&text), 3), lines);
}

#[test]
fn a_thousand_lines_all_arrive_before_it_ends() {
    let line = |number: usize| json!({"type": "log", "args": [number.to_string()]});
    let text: String = (0..1000).map(|number| format!("{}\n", line(number))).collect();
    let heard = reports(Launch::tim(["emit", "--jsonl"]).stdin(&text), 1000);
    assert_eq!(heard, (0..1000).map(line).collect::<Vec<_>>());
}

#[test]
fn what_asks_cannot_be_emitted() {
    let (serve, mut desk) = Serve::under_test();
    let prompt = crate::support::client::prompt("q", "confirm", &json!({"message": "q"}), None);
    let launch = Launch::tim(["emit", "--jsonl"]).stdin(&format!("{prompt}\n"));
    let (code, _, stderr) = launch.under(serve.socket()).start().exit();
    assert!(code != Some(0) && !stderr.is_empty(), "{code:?} {stderr}");
    let mut client = serve.client();
    client.confirm("only this");
    assert_eq!(desk.prompt().text, "only this");
}

#[test]
fn without_a_tunnel_it_is_a_plain_print() {
    let (code, stdout, stderr) = Launch::tim(["emit", "built", "in 3 s"]).start().exit();
    assert_eq!((code, stdout.as_str(), stderr.as_str()), (Some(0), "built in 3 s\n", ""));
    let (code, stdout, _) = Launch::tim(["emit", "x"]).env("TIM_OUTPUT_SOCKET", "").start().exit();
    assert_eq!((code, stdout.as_str()), (Some(0), "x\n"));
}

#[test]
fn with_a_tunnel_that_leads_nowhere_it_warns_and_prints() {
    let launch = Launch::tim(["emit", "x"]);
    let nowhere = launch.folder().path("nowhere");
    let (code, stdout, stderr) = launch.under(&nowhere).start().exit();
    assert_eq!((code, stdout.as_str(), stderr.lines().count()), (Some(0), "x\n", 1), "{stderr}");
}

#[test]
fn what_is_printed_holds_no_character_that_a_terminal_acts_upon() {
    let (_, stdout, _) = Launch::tim(["emit", "a\u{1b}[2Jb\u{202e}c"]).start().exit();
    assert!(!stdout.contains(['\u{1b}', '\u{202e}']), "{stdout:?}");
}

#[test]
fn a_line_goes_up_at_once_although_more_may_come() {
    let parent = Parent::open();
    let mut child = std::process::Command::new(env!("CARGO_BIN_EXE_tim"))
        .args(["emit", "--jsonl"])
        .env_clear()
        .env("TIM_OUTPUT_SOCKET", parent.path())
        .stdin(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let mut desk = parent.accept();
    desk.take("the greeting", |line| line["type"] == "hello");
    desk.send(&json!({"type": "welcome", "tim": 1, "role": "serve", "path": "script", "desk": true}));
    let stdin = child.stdin.as_mut().unwrap();
    std::io::Write::write_all(stdin, b"{\"type\":\"log\",\"args\":[\"now\"]}\n").unwrap();
    desk.take("the first line, while stdin is open", |line| line["args"][0] == "now");
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
