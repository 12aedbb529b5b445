//! Every hostile line of the corpus against one live server, while somebody else asks and is answered.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::support::client::{Client, assert_answered, responds};
use crate::support::desk::{Asked, Desk, Parent};
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::wait::{eventually, now};

struct Case {
    name: String,
    bytes: Vec<u8>,
    expect: Vec<String>,
    id: Option<String>,
    /// its deadline is a millisecond
    is_hasty: bool,
}

fn corpus() -> Vec<Case> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hostile/lines.jsonl");
    std::fs::read_to_string(file).unwrap().lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let case: Value = serde_json::from_str(line).unwrap();
    let words = std::iter::once(&case["expect"]).chain(case["also_ok"].as_array().into_iter().flatten());
    let bytes = base64::engine::general_purpose::STANDARD.decode(case["base64"].as_str().unwrap()).unwrap();
    let text = String::from_utf8_lossy(&bytes);
    Case {
        name: case["name"].as_str().unwrap().to_owned(),
        is_hasty: text.contains(r#""timeoutMs":1}"#),
        bytes,
        expect: words.map(|word| word.as_str().unwrap().to_owned()).collect(),
        id: case["requestId"].as_str().map(str::to_owned),
    }
}

/// An answer that fits whatever is asked.
fn fitting(asked: &Asked) -> Value {
    let config = &asked.message["promptConfig"];
    match asked.kind.as_str() {
        "confirm" => json!(true),
        "select" => config["choices"][0]["value"].clone(),
        "checkbox" => json!([]),
        "prefix_select" => json!({"exact": true, "command": config["command"]}),
        _ => json!("text"),
    }
}

/// What became of a case, in the words of the corpus. A question after it tells when all of it has been seen to.
fn outcome(serve: &Serve, case: &Case) -> &'static str {
    let mut client = serve.client();
    client.send_bytes(&case.bytes);
    if !client.try_send(&crate::support::client::prompt(
        "after",
        "confirm",
        &json!({"message": "after"}),
        None,
    )) {
        return "closed";
    }
    let mut replies = Vec::new();
    loop {
        match client.line() {
            None => return "closed",
            Some(line) if responds(&line, "after") => break assert_answered(&line, &json!(true)),
            Some(line) => replies.push(line),
        }
    }
    judge(case, &replies)
}

fn judge(case: &Case, replies: &[Value]) -> &'static str {
    let [reply] = replies else {
        assert!(replies.is_empty(), "{}: more than one reply: {replies:?}", case.name);
        return "no reply";
    };
    assert_eq!(reply["type"], "prompt_response", "{}", case.name);
    if let Some(id) = &case.id {
        assert_eq!(reply["requestId"], id.as_str(), "{}", case.name);
    }
    if reply.get("value").is_some() {
        assert_eq!(reply["outcome"], "answered", "{}", case.name);
        return "accepted";
    }
    // It was asked, and its deadline is shorter than an answer may take.
    if case.is_hasty && reply["outcome"] == "timed_out" {
        return "accepted";
    }
    assert_eq!((&reply["outcome"], &reply["reason"]), (&json!("refused"), &json!("invalid")), "{reply}");
    "error_response"
}

/// Whether that is one of the ends that the corpus allows. What is accepted and asks nothing has no reply.
fn allowed(case: &Case, outcome: &str) -> bool {
    let asks = case.id.is_some();
    case.expect.iter().any(|word| match word.as_str() {
        "silent" | "ignored" => outcome == "no reply",
        "accepted" | "sanitised" => {
            outcome == if asks { "accepted" } else { "no reply" } || outcome == "accepted"
        }
        word => outcome == word,
    })
}

/// The lines of the cases that ask nothing and must be taken.
fn reports_in(cases: &[Case]) -> Vec<Value> {
    let taken = cases.iter().filter(|case| ["accepted", "sanitised"].contains(&case.expect[0].as_str()));
    let lines =
        taken.filter(|case| case.expect.len() == 1).flat_map(|case| case.bytes.split(|byte| *byte == b'\n'));
    let lines =
        lines.filter(|line| !line.is_empty()).map(|line| serde_json::from_slice::<Value>(line).unwrap());
    lines.filter(|line| line["message"]["type"] != "prompt_request").collect()
}

/// A parent that answers everything fittingly and keeps every report.
fn attend(mut desk: Desk) -> Arc<Mutex<Vec<Value>>> {
    let heard: Arc<Mutex<Vec<Value>>> = Arc::default();
    let kept = Arc::clone(&heard);
    std::thread::spawn(move || {
        while let Some(line) = desk.line_or_end() {
            match Asked::read(&line) {
                Some(asked) => drop(desk.try_send(&asked.answer(&fitting(&asked)))),
                None => kept.lock().unwrap().push(line["line"].clone()),
            }
        }
    });
    heard
}

/// One ordinary question of somebody else: how long it took.
fn ordinary(client: &mut Client, number: usize) -> Duration {
    let start = now();
    assert_answered(&client.round_trip(&format!("ordinary {number}")), &json!(true));
    start.elapsed()
}

/// Plays the corpus; how long the other client waited each time.
fn play(serve: &Serve, cases: &[Case]) -> Vec<Duration> {
    let mut other = serve.client();
    let mut wrong = Vec::new();
    let mut took = Vec::new();
    for (number, case) in cases.iter().enumerate() {
        let outcome = outcome(serve, case);
        if !allowed(case, outcome) {
            wrong.push(format!("{}: {outcome} instead of {:?}", case.name, case.expect));
        }
        took.push(ordinary(&mut other, number));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    other.heard_nothing_else();
    took.sort();
    took
}

#[test]
fn f013_f036_hostile_lines_end_as_the_corpus_says_and_harm_nobody_else() {
    let cases = corpus();
    let (mut serve, desk) = Serve::under_test();
    let heard = attend(desk);
    let took = play(&serve, &cases);
    let p99 = took[took.len() * 99 / 100];
    println!("round trips beside {} hostile cases: p50 {:?}, p99 {p99:?}", took.len(), took[took.len() / 2]);
    assert!(p99 < Duration::from_secs(1), "ten times 100 ms: {p99:?}");
    for report in reports_in(&cases) {
        eventually(&format!("{report} reaches the parent"), || {
            heard.lock().unwrap().contains(&report).then_some(())
        });
    }
    assert_eq!(serve.finish(), Some(143));
    serve.journal().every_question_ended_once();
}

#[test]
fn t63_neither_the_record_nor_the_output_holds_a_character_that_a_terminal_acts_upon() {
    let (mut serve, desk) = Serve::under_test();
    let _heard = attend(desk);
    play(&serve, &corpus());
    serve.finish();
    let journal = std::fs::read_to_string(serve.journal_path()).unwrap();
    for said in [journal, serve.stdout.whole(), serve.stderr.whole()] {
        let shown = |letter: char| letter == '\n' || codec::text::is_printable(letter);
        assert_eq!(said.chars().find(|letter| !shown(*letter)), None);
    }
}

#[test]
fn t63_what_is_printed_for_a_person_holds_no_character_that_a_terminal_acts_upon() {
    let mut serve = Serve::alone();
    for case in corpus() {
        let mut client = serve.client();
        client.send_bytes(&case.bytes);
        client.round_trip("after");
    }
    serve.finish();
    assert!(serve.stdout.whole().lines().count() > 1, "something was printed");
    for said in [serve.stdout.whole(), serve.stderr.whole()] {
        let shown = |letter: char| letter == '\n' || codec::text::is_printable(letter);
        let acts = said.lines().find(|line| !line.chars().all(shown));
        assert_eq!(acts, None);
    }
}

#[test]
fn f111_the_corpus_is_outlived_with_little_memory() {
    let launch = Launch::tim(["serve"]).limited("--as=536870912");
    let (mut serve, desk) = Serve::under_parent(&Parent::open(), launch);
    let _heard = attend(desk);
    play(&serve, &corpus());
    assert!(serve.lives());
}

#[test]
fn t51_garbage_makes_no_flood_of_complaints() {
    let (mut serve, desk) = Serve::under_test();
    let _heard = attend(desk);
    let mut client = serve.client();
    (0..200).for_each(|_| client.send_bytes("garbage\n".repeat(500).as_bytes()));
    assert_answered(&client.round_trip("after"), &json!(true));
    serve.finish();
    let said = serve.stderr.whole().len() + serve.stdout.whole().len();
    assert!(said < 64 << 10, "{said} bytes about 100,000 lines of garbage");
}
