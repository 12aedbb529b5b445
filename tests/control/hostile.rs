//! Whatever is said to the control socket: one who speaks sense is heard, and no question is answered by accident.

use std::path::Path;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::shell::{connected, key, waiting};
use crate::support::client::{Client, assert_answered};
use crate::support::wire::is;

fn corpus() -> Vec<(String, Vec<u8>)> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hostile/lines.jsonl");
    let case = |line: &str| {
        let case: Value = serde_json::from_str(line).unwrap();
        let bytes = base64::engine::general_purpose::STANDARD.decode(case["base64"].as_str().unwrap());
        (case["name"].as_str().unwrap().to_owned(), bytes.unwrap())
    };
    std::fs::read_to_string(file).unwrap().lines().map(case).collect()
}

/// Asks what goes on, and how many questions are open.
fn open(control: &mut Client) -> usize {
    control.send(&json!({"type": "ps"}));
    let status = control.take("what goes on", |line| is(line, "ps"));
    status["questions"].as_array().unwrap().len()
}

#[test]
fn hostile_lines_get_an_error_and_disturb_nobody() {
    let serve = waiting();
    let mut asker = serve.client();
    asker.confirm("q");
    let key = key(serve.folder(), serve.pid());
    let mut steady = connected(serve.folder());
    for (name, bytes) in corpus() {
        let mut hostile = connected(serve.folder());
        hostile.send_bytes(&bytes);
        if !bytes.ends_with(b"\n") {
            hostile.send_bytes(b"\n");
        }
        hostile.send(&json!({"type": "decline", "key": "0.p1"}));
        let last = |line: &Value| is(line, "error") && line["reason"] == "unknown";
        hostile.take(&format!("a reply behind {name}"), last);
        assert!(
            hostile.unclaimed().iter().all(|line| is(line, "error")),
            "{name}: {:?}",
            hostile.unclaimed()
        );
        assert_eq!(open(&mut steady), 1, "{name}");
    }
    steady.send(&json!({"type": "answer", "key": key, "value": true}));
    assert_answered(&asker.response("q"), &json!(true));
}

#[test]
fn a_line_that_is_too_long_is_an_error_and_the_next_one_is_heard() {
    let serve = waiting();
    let mut control = connected(serve.folder());
    let long = json!({"type": "send", "to": "all", "text": "x".repeat(2 << 20)});
    control.send(&long);
    let wrong = control.take("an error", |line| is(line, "error"));
    assert!(wrong["message"].as_str().unwrap().contains("over the limit"), "{wrong}");
    assert_eq!(open(&mut control), 0);
}

#[test]
fn one_connection_too_many_hears_why_and_the_others_work_on() {
    let serve = waiting();
    let mut inside: Vec<Client> = (0..64).map(|_| connected(serve.folder())).collect();
    inside.iter_mut().for_each(|client| assert_eq!(open(client), 0));
    let mut late = connected(serve.folder());
    let told = late.take("why", |line| is(line, "error"));
    assert_eq!(told["reason"], "busy");
    assert_eq!(open(&mut inside[63]), 0);
}
