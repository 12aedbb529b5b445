//! Recorded runs, as a person reads them.

use codec::json::Object;

use super::*;
use crate::term::style::{Ink, paint};

/// The lines of a recording: what the agent said, and what it heard.
fn recorded(name: &str) -> Vec<(bool, String)> {
    let path = format!("{}/fixtures/events/{name}.jsonl", env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(path).unwrap();
    let records = text.lines().map(|record| Object::parse(record).unwrap());
    let line = |record: Object<'_>| {
        let text = |name: &str| Some(record.peek(name)?.as_text()?.get().into_owned());
        Some((text("dir")? == "from", text("line")?))
    };
    records.filter_map(line).collect()
}

/// The rows of a recording, with what the agent was at when it waited for something.
fn told(name: &str) -> String {
    let mut listener = Listener::new();
    let mut is_discarded = false;
    for (is_from, line) in recorded(name) {
        match (is_from, Event::read(line.as_bytes()).is_ok()) {
            // As the router does.
            (true, _) if is_discarded => is_discarded = !line.contains("\"done\""),
            (true, true) => drop(listener.hears(&line).passes(1.0)),
            (true, false) => listener.take(vec![Piece::Block(crate::render::Block::output(&line))]),
            (false, _) if line.contains("input_response") => {
                assert!(listener.story.is_asking(), "{line}");
                is_discarded = line.contains(r#""response":"reject""#);
                listener.input_ended(is_discarded);
            }
            (false, _) => {}
        }
    }
    let story = &listener.ends().story;
    let figures = format!("{:?} {:?} {:?}", story.tokens(), story.final_text(), story.was_interrupted());
    format!("{}\n\n{figures}", listener.told())
}

fn settings() -> insta::Settings {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings
}

#[test]
fn recorded_runs_are_told_so_that_a_person_can_follow() {
    for name in ["approval-then-text", "choice-and-text", "malformed", "two-turns"] {
        settings().bind(|| insta::assert_snapshot!(name, told(name)));
    }
}

#[test]
fn colours_say_how_it_went() {
    let lines = [
        uses("t1", "list", r#"{"path":"."}"#),
        gives("t1", r#""a\nb""#),
        uses("t2", "compile", r#""cargo build""#),
        fails("t2", r#""Exit code 101\nerror""#),
        r#"{"type":"error","message":"the build is broken"}"#.to_owned(),
        r#"{"type":"text_delta","text":5}"#.to_owned(),
        uses("t3", "wait", "{}"),
        FAILED.to_owned(),
    ];
    let coloured = |columns| {
        let (mut story, now, mut text) = (Story::default(), Instant::now(), String::new());
        for piece in lines.iter().flat_map(|line| story.hear(line.as_bytes(), now).unwrap()) {
            let Piece::Block(block) = piece else { panic!("{piece:?}") };
            for row in block.rendered(columns).rows {
                text += &format!("{}\n", paint(&row, Ink::Colours).replace("\x1b[", "‹"));
            }
        }
        text
    };
    settings().bind(|| insta::assert_snapshot!("colours", coloured(60)));
    settings().bind(|| insta::assert_snapshot!("colours_narrow", coloured(20)));
}
