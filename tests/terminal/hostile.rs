//! Text that would like to be more than text: the whole hostile corpus as question, as report and as command of a tool.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::escapes::foreign;
use crate::seat::{Seat, shown};
use crate::support::client::{Client, permission};

/// The lines that must be made visible, as they are sent.
fn corpus() -> Vec<(String, Vec<u8>)> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/hostile/lines.jsonl");
    let file = std::fs::read_to_string(path).unwrap();
    let lines: Vec<Value> = file.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let sanitised = lines.iter().filter(|line| line["expect"] == "sanitised");
    let decoded = |line: &Value| BASE64_STANDARD.decode(line["base64"].as_str().unwrap()).unwrap();
    sanitised.map(|line| (line["name"].as_str().unwrap().to_owned(), decoded(line))).collect()
}

/// Every text in a value that is not a plain word.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) if text.chars().any(|letter| !letter.is_ascii_graphic()) => {
            found.push(text.clone())
        }
        Value::Array(list) => list.iter().for_each(|value| texts(value, found)),
        Value::Object(members) => members.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

fn hostile_texts() -> Vec<String> {
    let mut found = Vec::new();
    for (_, line) in corpus() {
        texts(&serde_json::from_slice(&line).unwrap(), &mut found);
    }
    found.extend(
        ["x\r\ny\rz\n\n\tend", "❯ y", "? claude wants to run a command", "e\u{301}\u{301}\u{301}"]
            .map(str::to_owned),
    );
    assert!(found.len() > 20, "{found:?}");
    found
}

/// The first two columns hold nothing but our signs, or what is left of the rule beside a name is that name alone.
fn assert_gutter(seat: &Seat, about: &str) {
    let picture = seat.picture();
    let is_ours = |gutter: &String| {
        let sign = gutter.trim_end();
        matches!(sign, "" | "?" | "❯" | "!" | "–" | "✓" | "✗" | "→")
    };
    let is_name = |row: &String| {
        row.split_once(" │ ")
            .is_some_and(|(name, _)| name.trim_end().chars().all(|letter| letter.is_ascii_lowercase()))
    };
    let rows = picture.rows();
    let ours = picture.gutter().iter().zip(&rows).all(|(gutter, row)| is_ours(gutter) || is_name(row));
    assert!(ours, "{about:?}:\n{picture}");
}

/// Asks, looks, and takes the question back.
fn asked(seat: &Seat, client: &mut Client, line: &Value, about: &str) {
    let message = if line["type"] == "structured" { &line["message"] } else { line };
    let id = message["requestId"].as_str().unwrap();
    client.send(line);
    shown(client, id);
    seat.sees("deploy ");
    assert_gutter(seat, about);
    client.send(&json!({"type": "prompt_cancel", "requestId": id, "reason": "cancelled"}));
    assert_eq!(client.response(id)["outcome"], "cancelled");
}

#[test]
fn no_text_of_the_hostile_corpus_does_anything_to_the_terminal() {
    let mut seat = Seat::new();
    let mut client = seat.script("deploy");
    for (at, text) in hostile_texts().iter().enumerate() {
        client.log(text);
        client.log(&format!("behind {at}."));
        seat.saw(&format!("behind {at}."));
        assert_gutter(&seat, text);
        let question =
            crate::support::client::prompt(&format!("q{at}"), "confirm", &json!({"message": text}), None);
        asked(&seat, &mut client, &question, text);
        asked(&seat, &mut client, &permission(&format!("b{at}"), "Bash", &json!({"command": text})), text);
        let edit = json!({"file_path": text, "old_string": text, "new_string": format!("{text}{text}")});
        asked(&seat, &mut client, &permission(&format!("e{at}"), "Edit", &edit), text);
    }
    seat.sees_no("y once");
    seat.types("x");
    seat.sees("❯ x");
    assert_eq!(foreign(&seat.raw()), Vec::<String>::new());
}

#[test]
fn the_lines_of_the_corpus_themselves_are_shown_as_text() {
    let seat = Seat::new();
    let mut client = seat.script("deploy");
    for (name, line) in corpus() {
        client.send_bytes(&line);
        client.log(&format!("behind {name}"));
        seat.saw(&format!("behind {name}"));
        assert_gutter(&seat, &name);
    }
    seat.until("the end of all", |picture| !picture.has("Esc back"));
    assert_eq!(foreign(&seat.raw()), Vec::<String>::new());
}

#[test]
fn the_name_of_an_asker_is_text_too() {
    let seat = Seat::new();
    let mut client = Client::connect(seat.socket());
    client.send(&json!({"type": "hello", "tim": 1, "as": "script", "label": "a\u{1b}[2J\u{202e}b"}));
    client.confirm("Sure?");
    seat.sees("Sure?");
    assert_gutter(&seat, "a label");
    assert_eq!(foreign(&seat.raw()), Vec::<String>::new());
}
