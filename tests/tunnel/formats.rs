//! What a service prints for programs: every event as it happens, or one object at the end.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered};
use crate::support::launch::{Launch, Process};

fn serving(format: &str) -> Process {
    let launch =
        Launch::tim(["serve", "--answer-command", "echo true", "--output-format", format, "--socket"]);
    let socket = launch.folder().path("s");
    launch.arg(socket).start()
}

fn client(process: &Process) -> Client {
    Client::greet(&process.folder().path("s"), "script", "review").0
}

#[test]
fn stream_json_is_every_event_in_its_order_and_nothing_else() {
    let mut process = serving("stream-json");
    process.stdout.wait("where it listens", |said, _| said.contains('\n').then_some(()));
    let mut client = client(&process);
    client.log("three files left\u{1b}[2J");
    client.confirm("q");
    assert_answered(&client.response("q"), &json!(true));
    process.signal(Signal::TERM);
    let (_, stdout, _) = process.exit();
    let lines: Vec<Value> = stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let [serving, report, asked, answered] = lines.as_slice() else { panic!("{stdout}") };
    assert_eq!(
        (&serving["type"], &serving["socket"]),
        (&json!("serving"), &json!(process.folder().path("s")))
    );
    assert_eq!((&report["type"], &report["via"][0]["label"]), (&json!("relayed"), &json!("review")));
    assert_eq!(report["line"]["args"], json!(["three files left\u{1b}[2J"]));
    assert_eq!(asked["message"]["type"], "prompt_request");
    assert_eq!(
        (&answered["message"]["type"], &answered["message"]["source"]),
        (&json!("prompt_answered"), &json!("command"))
    );
    assert!(!stdout.contains('\u{1b}'), "{stdout:?}");
}

#[test]
fn json_is_one_object_at_the_end() {
    let mut process = serving("json");
    process.stderr.wait("where it listens", |said, _| said.contains("serving at").then_some(()));
    let mut client = client(&process);
    client.confirm("q");
    assert_answered(&client.response("q"), &json!(true));
    process.signal(Signal::TERM);
    let (code, stdout, _) = process.exit();
    let served: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!((code, &served["type"]), (Some(143), &json!("served")));
    assert_eq!(served["questions"], json!({"asked": 1, "answered": 1}));
}
