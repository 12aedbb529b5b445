//! Properties over all wires: a message is written from what was understood of it, and it is still the same message,
//! whatever else it carried and in whatever order its members stood.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::support::{Line, Wire, files, lines, read, same_json};
use codec::claude::{Block, ControlBody, Decision, Delta, Input, Output, Partial, System};
use codec::json::{Json, Kind, Object, ObjectWriter, Written};
use codec::{events, journal};
use proptest::prelude::*;
use proptest::sample::Index;

/// One line of each shape that the fixtures hold: every type of every wire, with and without its optional members.
static SAMPLES: LazyLock<Vec<Line>> = LazyLock::new(|| {
    let mut shapes: BTreeMap<(Wire, String), Line> = BTreeMap::new();
    for line in files(&["claude", "events", "runs", "tunnel"]).iter().flat_map(|path| lines(path)) {
        if line.wire != Wire::Text && read(&line).back.is_some() {
            let shape = shape(&Json::parse(std::str::from_utf8(&line.bytes).unwrap()).unwrap(), 3);
            shapes.entry((line.wire, shape)).or_insert(line);
        }
    }
    shapes.into_values().collect()
});

/// The names of the members down to some depth, with the words that tell types apart.
fn shape(json: &Json<'_>, depth: usize) -> String {
    let mut parts: Vec<String> = match json.kind() {
        Kind::Object if depth > 0 => {
            let member = |(name, value): (std::borrow::Cow<'_, str>, &Json<'_>)| {
                let tag = if ["type", "subtype", "rec"].contains(&name.as_ref()) { value.raw() } else { "" };
                format!("{name}{tag}({})", shape(value, depth - 1))
            };
            Object::read(json.clone()).unwrap().iter().map(member).collect()
        }
        Kind::List => json.as_list().unwrap().iter().map(|item| shape(item, depth)).collect(),
        _ => return String::new(),
    };
    parts.sort();
    parts.dedup();
    parts.join(",")
}

/// What is done to a message before it is read.
#[derive(Debug, Clone)]
struct Change {
    extras: Vec<(String, String)>,
    order: u64,
    dropped: Option<Index>,
    nulled: Option<Index>,
}

fn change() -> impl Strategy<Value = Change> {
    let value = prop_oneof![
        Just("null".to_owned()),
        Just("1e400".to_owned()),
        Just(r#""\ud83d lone""#.to_owned()),
        Just(r#"{"type":"nested","a":[1,{"b":null}]}"#.to_owned()),
        any::<String>().prop_map(|text| Json::of(&text).raw().to_owned()),
    ];
    // Names that no message type has.
    let extra = ("x_[a-z\u{e9}\"\\\\]{0,6}", value);
    (
        proptest::collection::vec(extra, 0..4),
        any::<u64>(),
        proptest::option::weighted(0.3, any::<Index>()),
        proptest::option::weighted(0.2, any::<Index>()),
    )
        .prop_map(|(extras, order, dropped, nulled)| Change { extras, order, dropped, nulled })
}

/// Applies a change to an object and, of the objects in it, to those that tell their own type.
fn changed(json: &Json<'_>, change: &Change, depth: usize) -> String {
    let object = Object::read(json.clone()).unwrap();
    let mut members: Vec<(String, String)> = object
        .iter()
        .map(|(name, value)| {
            let inner = ["message", "request", "response", "event"].contains(&name.as_ref());
            let inner = inner && value.kind() == Kind::Object && depth > 0;
            (
                name.into_owned(),
                if inner { changed(value, change, depth - 1) } else { value.raw().to_owned() },
            )
        })
        .collect();
    if let (Some(index), false) = (change.dropped, members.is_empty()) {
        members.remove(index.index(members.len()));
    }
    if let (Some(index), false) = (change.nulled, members.is_empty()) {
        let at = index.index(members.len());
        members[at].1 = "null".to_owned();
    }
    for (name, value) in &change.extras {
        if !members.iter().any(|(other, _)| other == name) {
            members.push((name.clone(), value.clone()));
        }
    }
    members.sort_by_key(|(name, _)| {
        name.bytes().fold(change.order, |hash, byte| hash.rotate_left(7) ^ u64::from(byte))
    });
    let mut out = String::new();
    ObjectWriter::object(&mut out, |writer| {
        for (name, value) in &members {
            writer.member(name, |text| Json::parse(value).unwrap().write(text));
        }
    });
    out
}

/// What no program has been recorded to say, on a wire that could carry it.
const NOT_SEEN: &[&str] = &["[ClaudeIn] type control_cancel_request"];

#[test]
fn the_fixtures_hold_every_type_of_every_wire() {
    let texts: Vec<(Wire, String)> = SAMPLES
        .iter()
        .map(|line| (line.wire, String::from_utf8(line.bytes.clone()).unwrap().replace("\": ", "\":")))
        .collect();
    let says = |wires: &[Wire], tag: &str, kind: &str| {
        let wanted = format!(r#""{tag}":"{kind}""#);
        texts.iter().any(|(wire, text)| wires.contains(wire) && text.contains(&wanted))
    };
    let mut missing = Vec::new();
    let mut expect = |wires: &[Wire], tag: &str, kinds: &[&str]| {
        missing.extend(
            kinds.iter().filter(|kind| !says(wires, tag, kind)).map(|kind| format!("{wires:?} {tag} {kind}")),
        );
    };
    let claude = [Wire::ClaudeOut, Wire::ClaudeIn];
    expect(&[Wire::Up], "type", codec::tunnel::Structured::KINDS);
    expect(&[Wire::Up], "type", codec::tunnel::Process::KINDS);
    expect(&[Wire::Up], "type", &["log", "error", "warn", "debug", "stdout", "stderr", "hello", "relayed"]);
    expect(&[Wire::Up], "type", &["permission_request", "prompt_cancel", "user_input_receipt"]);
    expect(&[Wire::Down], "type", &["welcome", "prompt_response", "prompt_shown", "permission_response"]);
    expect(&[Wire::Down], "type", &["user_input", "terminate_executor"]);
    expect(&[Wire::ClaudeOut], "type", Output::KINDS);
    expect(&[Wire::ClaudeOut], "subtype", System::KINDS);
    expect(&[Wire::ClaudeOut], "type", Partial::KINDS);
    expect(&[Wire::ClaudeOut], "type", Delta::KINDS);
    expect(&claude, "type", Block::KINDS);
    expect(&claude, "subtype", ControlBody::KINDS);
    expect(&claude, "behavior", Decision::KINDS);
    expect(&[Wire::ClaudeIn], "type", Input::KINDS);
    expect(&[Wire::AgentOut], "type", events::Event::KINDS);
    expect(&[Wire::AgentIn], "type", events::Said::KINDS);
    expect(&[Wire::Journal], "rec", journal::Event::KINDS);
    assert_eq!(missing, NOT_SEEN);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    #[test]
    fn a_changed_message_is_still_written_back_as_the_same_json(sample in any::<Index>(), change in change()) {
        let sample = sample.get(&SAMPLES);
        let text = changed(&Json::parse(std::str::from_utf8(&sample.bytes).unwrap()).unwrap(), &change, 2);
        let reading = read(&Line { bytes: text.clone().into_bytes(), ..sample.clone() });
        let untouched = change.dropped.is_none() && change.nulled.is_none();
        prop_assert!(!untouched || reading.unknowns() == read(sample).unknowns(), "no longer understood: {}", text);
        if let Some(back) = reading.back {
            prop_assert!(same_json(&text, &back), "was  {}\ncame {}\nas   {}", text, back, reading.view);
        } else {
            prop_assert!(change.dropped.is_some() || change.nulled.is_some(), "turned away: {} {}", text, reading.view);
        }
    }
}
