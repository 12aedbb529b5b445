//! Every hostile line of the corpus, through framing and reading, ends as the corpus says.

use base64::Engine as _;
use bytes::BytesMut;
use codec::frame::{Frame, Lines, Tail};
use codec::json::{Json, Kind, Object};
use codec::limits::Limits;
use codec::text::visible;
use codec::tunnel::Up;
use tokio_util::codec::Decoder;

struct Case {
    name: String,
    bytes: Vec<u8>,
    expect: Vec<String>,
    request_id: Option<String>,
}

fn corpus() -> Vec<Case> {
    let text = std::fs::read_to_string(crate::support::fixtures().join("hostile/lines.jsonl")).unwrap();
    text.lines().map(case).collect()
}

fn case(line: &str) -> Case {
    let case: serde_json::Value = serde_json::from_str(line).unwrap();
    let text = |name: &str| case[name].as_str().map(str::to_owned);
    let also = case["also_ok"].as_array().cloned().unwrap_or_default();
    let also = also.iter().map(|word| word.as_str().unwrap().to_owned());
    Case {
        name: text("name").unwrap(),
        bytes: base64::engine::general_purpose::STANDARD.decode(text("base64").unwrap()).unwrap(),
        expect: std::iter::once(text("expect").unwrap()).chain(also).collect(),
        request_id: text("requestId"),
    }
}

/// What a router would do about the bytes.
fn classify(case: &Case) -> &'static str {
    let mut lines = Lines::new(Limits::STANDARD.tunnel_line, Tail::Drop);
    let mut buffer = BytesMut::from(&case.bytes[..]);
    let mut ends = Vec::new();
    while let Some(frame) = lines.decode(&mut buffer).unwrap() {
        let Frame::Line(line) = frame else { panic!("{}: {frame:?}", case.name) };
        ends.push(match Up::read(&line, &Limits::STANDARD) {
            Ok(Up::Unknown(_)) => "ignored",
            Ok(_) if shown_differs(std::str::from_utf8(&line).unwrap()) => "sanitised",
            Ok(_) => "accepted",
            Err(reject) => match (reject.asked, &case.request_id) {
                (None, _) => "ignored",
                (Some(asked), Some(id)) if asked.id.get() != *id => {
                    panic!("{}: answers {:?}", case.name, asked.id)
                }
                (Some(_), _) => "error_response",
            },
        });
    }
    match ends.as_slice() {
        [] => "silent",
        [one] => one,
        [first, rest @ ..] if rest.iter().all(|end| end == first) => first,
        _ => panic!("{}: {ends:?}", case.name),
    }
}

/// Whether any text in the line would reach the screen other than as it is: then what reaches it is checked.
fn shown_differs(line: &str) -> bool {
    let mut differs = false;
    for_each_text(&Json::parse(line).unwrap(), &mut |text| {
        let shown = visible(text);
        assert!(!shown.chars().any(char::is_control), "{shown:?}");
        differs |= shown != text;
    });
    differs
}

fn for_each_text(json: &Json<'_>, each: &mut impl FnMut(&str)) {
    match json.kind() {
        Kind::Text => each(&json.as_text().unwrap().get()),
        Kind::List => json.as_list().unwrap().iter().for_each(|item| for_each_text(item, each)),
        Kind::Object => {
            Object::read(json.clone()).unwrap().iter().for_each(|(_, value)| for_each_text(value, each))
        }
        _ => {}
    }
}

#[test]
fn each_case_ends_as_the_corpus_says() {
    let cases = corpus();
    assert_eq!(cases.len(), 104);
    let wrong = cases.iter().filter(|case| !case.expect.iter().any(|word| word == classify(case)));
    let wrong: Vec<String> =
        wrong.map(|case| format!("{}: {} instead of {:?}", case.name, classify(case), case.expect)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_cases_that_end_in_another_way_than_the_first_allowed_are_known() {
    let others = corpus().into_iter().filter(|case| case.expect[0] != classify(case));
    let others: Vec<String> = others.map(|case| format!("{} {}", case.name, classify(&case))).collect();
    insta::assert_snapshot!(others.join("\n"));
}
