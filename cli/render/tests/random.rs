//! What holds for every report, however odd.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD as STANDARD;
use codec::json::{Json, Kind as JsonKind};
use proptest::prelude::*;

use super::*;
use crate::term::measure::width;

/// Every report of the recordings and of the samples.
fn reports() -> Vec<String> {
    let recorded =
        ["tunnel/02-structured-full", "tunnel/01-log-levels", "tunnel/60-greeting-and-relay"].map(recorded);
    recorded.into_iter().flatten().chain(samples::of_work()).chain([samples::review()]).collect()
}

/// Members that are not for a person, that choose among words, or that something else stands for: a summary for the
/// whole input or result, the question itself for what its choices mean.
#[rustfmt::skip]
const NOT_SHOWN: [&str; 22] = [
    "type", "timestamp", "requestId", "promptType", "severity", "category", "verdict", "kind", "status", "mode",
    "turnId", "id", "value", "default", "description", "planInfo", "metadata", "input", "result", "via", "outcome",
    "origin",
];

/// The same JSON with another text in every place where any text may stand; and how many such
/// places there are.
fn replaced(json: &Json<'_>, with: &str, count: &mut usize) -> String {
    match json.kind() {
        JsonKind::Text => {
            *count += 1;
            Json::of(with).raw().to_owned()
        }
        JsonKind::List => {
            let items: Vec<_> =
                json.as_list().unwrap().iter().map(|item| replaced(item, with, count)).collect();
            format!("[{}]", items.join(","))
        }
        JsonKind::Object => {
            let object = Object::read(json.clone()).unwrap();
            let members: Vec<_> = object
                .iter()
                .map(|(name, value)| {
                    let is_word = name == "source" && value.raw().contains("terminal");
                    let is_shown = !is_word && !NOT_SHOWN.contains(&name.as_ref());
                    let value = if is_shown { replaced(value, with, count) } else { value.raw().to_owned() };
                    format!("{}:{value}", Json::of(&name).raw())
                })
                .collect();
            format!("{{{}}}", members.join(","))
        }
        _ => json.raw().to_owned(),
    }
}

fn report_saying(line: &str, with: &str) -> (String, usize) {
    let mut count = 0;
    let line = replaced(&Json::parse(line).unwrap(), with, &mut count);
    (line, count)
}

/// Where the rows of a message would let foreign text be taken for ours.
fn assert_gutter(line: &str, columns: usize) {
    let drawn = rendered(line, columns);
    for row in drawn.rows.iter().chain(drawn.folded.iter().flatten()) {
        let text = row.text();
        let at = text.split_once("MARK").map(|(before, _)| width(before));
        assert!(at.is_none_or(|at| at >= 2), "{text:?} of {line}");
    }
}

#[test]
fn foreign_text_never_stands_in_the_gutter_and_no_text_is_lost() {
    for line in reports() {
        for marker in ["MARK", "MARK MARK\nMARK MARK", "\nMARK", "MARKMARKMARKMARKMARKMARKMARKMARKMARK"] {
            let (line, count) = report_saying(&line, marker);
            for columns in [20, 21, 40, 80, 200] {
                assert_gutter(&line, columns);
            }
            let shown = printed(&line);
            let expected = count * marker.matches("MARK").count();
            let is_printed = !shown.is_empty();
            assert!(
                !is_printed || shown.matches("MARK").count() >= expected,
                "{expected} in {shown}\n{line}"
            );
        }
    }
}

#[test]
fn of_a_very_long_report_a_few_rows_are_shown() {
    let long = ["x".repeat(1 << 20), "x\n".repeat(1 << 19), "\n".repeat(1 << 20), "日本 ".repeat(1 << 17)];
    for text in long {
        let text = Json::of(&text);
        for (kind, member) in
            [("llm_response", "text"), ("command_exec", "command"), ("workflow_progress", "message")]
        {
            let line = structured_line(kind, &format!(r#""{member}":{}"#, text.raw()));
            let drawn = rendered(&line, 80);
            assert!(drawn.rows.len() <= 500 && drawn.rows.iter().all(|row| row.width() <= 80));
        }
    }
}

#[test]
fn of_a_line_without_an_end_only_the_ends_are_drawn() {
    let text = Json::of(&format!("FIRST {}LAST", "word ".repeat(1 << 18)));
    let drawn = rendered(&structured_line("llm_response", &format!(r#""text":{}"#, text.raw())), 80);
    let whole = drawn.folded.unwrap();
    assert!(whole.len() < 10_000, "{}", whole.len());
    assert!(whole[0].text().starts_with("  FIRST word") && whole.last().unwrap().text().ends_with("LAST"));
    assert_eq!(
        whole.iter().filter(|row| row.text().ends_with(" bytes are too many for this screen")).count(),
        1
    );
}

fn odd_text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[ a-z\n\t\r]{0,400}",
        "(日本|e\u{301}|👨\u{200d}👩|\u{1b}\\[31m|\u{202e}|\u{200b}|MARK| |\n){0,60}",
        "[+\\- @]{1,3}[a-z \n+-]{0,80}",
    ]
}

fn assert_shown_well(line: &str, columns: usize) {
    let drawn = rendered(line, columns);
    for row in drawn.rows.iter().chain(drawn.folded.iter().flatten()) {
        assert!(row.width() <= columns, "{} > {columns}: {:?}", row.width(), row.text());
        assert!(!row.text().chars().any(char::is_control), "{:?}", row.text());
    }
    for row in with(line, plain) {
        assert!(!row.chars().any(char::is_control), "{row:?}");
    }
}

proptest! {
    #[test]
    fn no_report_is_wider_than_the_screen_or_steers_it(
        text in odd_text(),
        columns in 20..=200_usize,
        at in any::<prop::sample::Index>(),
    ) {
        let reports = reports();
        let (line, _) = report_saying(&reports[at.index(reports.len())], &text);
        // Some members do not take every text; those that do are enough.
        if Up::read(line.as_bytes(), &Limits::STANDARD).is_ok() {
            assert_shown_well(&line, columns);
        }
    }
}

/// The lines of the collection of hostile ones, as far as they are messages.
#[test]
fn hostile_lines_are_drawn_like_any_other() {
    let path = format!("{}/fixtures/hostile/lines.jsonl", env!("CARGO_MANIFEST_DIR"));
    let mut drawn = 0;
    for record in std::fs::read_to_string(path).unwrap().lines() {
        let record = Object::parse(record).unwrap();
        let Some(encoded) = record.peek("base64").and_then(Json::as_text).map(|text| text.get().into_owned())
        else {
            continue;
        };
        for line in STANDARD.decode(encoded).unwrap().split(|byte| *byte == b'\n') {
            let Ok(line) = std::str::from_utf8(line) else { continue };
            if Up::read(line.as_bytes(), &Limits::STANDARD).is_ok() {
                drawn += 1;
                [20, 33, 80].into_iter().for_each(|columns| assert_shown_well(line, columns));
            }
        }
    }
    assert!(drawn > 20, "only {drawn} of them are messages");
}
