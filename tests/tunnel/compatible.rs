//! A client of the original, which knows nothing of ours, beneath `tim serve`.

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::original::{Original, is_timeout};
use crate::support::desk::Desk;
use crate::support::serve::Serve;

fn original(serve: &Serve) -> Original {
    Original::connect(serve.socket())
}

/// The next report that the parent hears: where it came from, and the line.
fn report(desk: &mut Desk) -> (Value, Value) {
    let relayed = desk.take("a report at the parent", |line| line["type"] == "relayed");
    (relayed["via"].clone(), relayed["line"].clone())
}

#[test]
fn reports_of_every_kind_reach_the_parent_as_they_were_written() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let lines = [
        r#"{"type":"log","args":["one","two"]}"#,
        r#"{"type":"error","args":[]}"#,
        r#"{"type":"warn","args":["ä → 日本","{ a: 1, b: [ 1, 2 ] }"]}"#,
        r#"{"type":"debug","args":["","null"]}"#,
        r#"{"type":"stdout","data":"half a line"}"#,
        r#"{"type":"stderr","data":"a\nb\n","origin":"lifecycle"}"#,
        r#"{"type":"structured","message":{"type":"llm_thinking","timestamp":"not a date","text":"hm","later":[1]}}"#,
        r#"{"type":"structured","message":{"type":"command_result","timestamp":"","exitCode":0,"stdout":"ok"}}"#,
        r#"{"type":"process_register","processId":"p-1","kind":"executor","label":"claude"}"#,
    ];
    lines.iter().for_each(|line| client.write(line));
    for line in lines {
        let (via, heard) = report(&mut desk);
        assert_eq!(heard, serde_json::from_str::<Value>(line).unwrap());
        let via = via.as_array().expect("a list of hops");
        assert_eq!((via.len(), &via[0]["pid"]), (1, &json!(std::process::id())), "{via:?}");
        let label = via[0]["label"].as_str().unwrap();
        assert!(
            !label.is_empty()
                && label
                    .bytes()
                    .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-'),
            "{label}"
        );
    }
    assert!(client.ignored().is_empty(), "{:?}", client.ignored());
}

#[test]
fn each_kind_of_question_is_answered() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let choices = r#"[{"name":"Alpha","value":"a","description":"first"},{"name":"Two","value":2},{"name":"Yes","value":true}]"#;
    let kinds = [
        ("confirm", r#"{"message":"Proceed?","default":false}"#.to_owned(), json!(true)),
        (
            "select",
            format!(
                r#"{{"message":"Pick one","header":"Hdr","question":"Which?","choices":{choices},"pageSize":7}}"#
            ),
            json!(2),
        ),
        (
            "input",
            r#"{"message":"Name","default":"bob","validationHint":"non-empty"}"#.to_owned(),
            json!("typed → text"),
        ),
        ("checkbox", format!(r#"{{"message":"Pick many","choices":{choices}}}"#), json!(["a", true])),
        (
            "prefix_select",
            r#"{"message":"Prefix","command":"git commit -m \"x\""}"#.to_owned(),
            json!({"exact": false, "command": "git commit"}),
        ),
    ];
    for (kind, config, value) in kinds {
        let question = client.prompt(kind, &config, None);
        let asked = desk.prompt();
        assert_eq!(asked.kind, kind);
        assert_eq!(asked.message["promptConfig"], serde_json::from_str::<Value>(&config).unwrap());
        desk.shown(&asked);
        desk.answer(&asked, &value);
        assert_eq!(question.settled(), Ok(value));
    }
    assert!(client.ignored().is_empty(), "neither welcome nor prompt_shown: {:?}", client.ignored());
}

#[test]
fn questions_at_the_same_time_are_answered_in_any_order() {
    let (serve, mut desk) = Serve::under_test();
    let (mut one, mut two) = (original(&serve), original(&serve));
    let ask = |client: &mut Original, text: &str| {
        client.prompt("input", &json!({"message": text}).to_string(), None)
    };
    let questions: Vec<_> = (0..5)
        .flat_map(|number| {
            [(&mut one, "one"), (&mut two, "two")].map(|(client, name)| {
                let text = format!("{name} {number}");
                (ask(client, &text), text)
            })
        })
        .collect();
    let asked: Vec<_> = questions.iter().map(|(_, text)| desk.prompt_about(text)).collect();
    asked.iter().rev().for_each(|one| desk.answer(one, &json!(one.text)));
    for (question, text) in questions {
        assert_eq!(question.settled(), Ok(json!(text)));
    }
}

#[test]
fn typed_lines_arrive_whole_and_in_order() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let question = client.prompt("confirm", r#"{"message":"there?"}"#, None);
    let asked = desk.prompt();
    desk.answer(&asked, &json!(true));
    question.settled().unwrap();
    for text in ["hello → ✓", "multi\nline", "", "rm -rf \u{1b}[2J"] {
        desk.send(&json!({"type": "user_input", "content": text}));
        assert_eq!(client.typed(), text);
    }
    let journal = serve.journal();
    let typed: Vec<&str> =
        journal.records("typed").iter().map(|record| record["text"].as_str().unwrap()).collect();
    assert_eq!(typed, ["hello → ✓", "multi\nline", "", "rm -rf \u{1b}[2J"]);
}

#[test]
fn a_timeout_is_one_in_the_words_of_the_original() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let question = client.prompt("confirm", r#"{"message":"now?"}"#, Some(150));
    let asked = desk.prompt();
    assert!(is_timeout(&question.settled().unwrap_err()));
    assert_eq!(desk.withdrawn(&asked), "timed_out");
}

#[test]
fn a_no_of_the_person_is_an_error_and_no_timeout() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let question = client.prompt("input", r#"{"message":"name?"}"#, None);
    let asked = desk.prompt();
    desk.end_with(&asked, "declined", "Declined by the user");
    let error = question.settled().unwrap_err();
    assert_eq!((error.as_str(), is_timeout(&error)), ("Declined by the user", false));
}

#[test]
fn a_server_that_ends_or_is_killed_closes_every_open_question() {
    for signal in [Signal::TERM, Signal::KILL] {
        let (mut serve, mut desk) = Serve::under_test();
        let mut client = original(&serve);
        let questions = [1, 2].map(|_| client.prompt("confirm", r#"{"message":"q"}"#, None));
        desk.prompt();
        desk.prompt();
        serve.signal(signal);
        for question in questions {
            assert_eq!(question.settled(), Err("Tunnel connection closed".to_owned()));
        }
        serve.ended();
    }
}

#[test]
fn a_client_that_leaves_has_its_questions_withdrawn() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let _question = client.prompt("confirm", r#"{"message":"q"}"#, None);
    let asked = desk.prompt();
    drop(client);
    desk.withdrawn(&asked);
}

#[test]
fn half_an_emoji_and_a_number_beyond_numbers_lose_no_question() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    let question = client.prompt("confirm", r#"{"message":"cut \ud83d","note":1e400}"#, None);
    let line =
        desk.take("the question", |line| line.as_str().is_some_and(|text| text.contains("prompt_request")));
    let line = line.as_str().unwrap();
    assert!(line.contains(r"cut \ud83d"), "{line}");
    let id = line.split(r#""requestId":""#).nth(1).unwrap().split('"').next().unwrap();
    desk.send(&json!({"type": "prompt_response", "requestId": id, "value": true}));
    assert_eq!(question.settled(), Ok(json!(true)));
}

#[test]
fn lines_of_the_original_that_are_odd_but_right_are_taken() {
    let (serve, mut desk) = Serve::under_test();
    let mut client = original(&serve);
    client.write("{\"type\":\"log\",\"args\":[]}\r");
    client.write("  {\"args\":[\"spaces\"],\"type\":\"log\"}  ");
    client.write("");
    let (_, first) = report(&mut desk);
    let (_, second) = report(&mut desk);
    assert_eq!((&first["args"], &second["args"]), (&json!([]), &json!(["spaces"])));
    client.log("warn", &["last"]);
    assert_eq!(report(&mut desk).1["type"], "warn");
}
