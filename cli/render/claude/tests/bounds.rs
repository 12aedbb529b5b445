//! However long an agent runs and whatever it says: little is kept, and nothing steers the terminal.

use proptest::prelude::*;

use super::*;
use crate::render::tests::listener::assert_harmless;

#[test]
fn thousands_of_tools_leave_nothing_behind() {
    let mut listener = Listener::new();
    for number in 0..5_000 {
        let (id, agent) = (format!("t{number}"), format!("a{number}"));
        listener.hears(&uses(&agent, "Agent", r#"{"description":"d","subagent_type":"Explore"}"#, None));
        listener.hears(&uses(&id, "Bash", r#"{"command":"x"}"#, Some(&agent)));
        listener.hears(&format!(r#"{{"type":"system","subtype":"task_started","task_id":"{id}","tool_use_id":"{id}","is_backgrounded":true}}"#));
        if number % 2 == 0 {
            listener.hears(&gives(&id, "y", "")).hears(&gives(&agent, "z", ""));
        }
        listener.told();
    }
    assert!(listener.story.calls.all().len() <= 512);
    assert!(listener.story.tasks.in_background().count() <= 512);
}

#[test]
fn very_long_lines_are_told_in_a_few_rows() {
    let long = "word ".repeat(300_000);
    let input = format!(r#"{{"file_path":"/tmp/demo/a","content":{}}}"#, json(&long.replace(' ', "\n")));
    let mut story = Story::new(place());
    let now = Instant::now();
    let lines = [
        says("m", &long),
        uses("t1", "Write", &input, None),
        gives("t1", &long, ""),
        uses("t2", "Bash", &format!(r#"{{"command":{}}}"#, json(&long)), None),
        gives("t2", &long, ""),
    ];
    for line in lines {
        for piece in story.hear(&Output::read(line.as_bytes()).unwrap(), now) {
            let Piece::Block(block) = piece else { panic!("{piece:?}") };
            let drawn = block.rendered(80);
            assert!(drawn.rows.len() <= 500 && drawn.rows.iter().all(|row| row.width() <= 80));
        }
        assert!(story.doing().len() < 1_000);
    }
    assert_eq!(story.files(), (1, 300_000, 0));
}

/// A text that somebody would like the terminal to take for something else.
fn hostile() -> impl Strategy<Value = String> {
    prop_oneof![any::<String>(), "(\u{1b}\\[31m|\u{202e}|\u{7}|● |✓ |\r|\n|\t|MARK|日){0,20}"]
}

proptest! {
    #[test]
    fn no_text_from_outside_steers_the_terminal_or_stands_in_the_gutter(text in hostile(), tool in hostile(), columns in 20..120_usize) {
        let (text, tool) = (json(&format!("MARK{text}")), json(&format!("MARK{tool}")));
        let input = format!(r#"{{"command":{text},"description":{text},"file_path":{text}}}"#);
        let uses = |id: &str, name: &str| uses(id, "NAME", &input, None).replace(r#""NAME""#, name);
        let gives = |id: &str| gives(id, "TEXT", "").replace(r#""TEXT""#, &text);
        let lines = [
            INIT.replace(r#""claude-sonnet-5""#, &text),
            says("m", "TEXT").replace(r#""TEXT""#, &text),
            uses("t1", &tool), gives("t1"),
            uses("t2", r#""Edit""#), fails("t2", "TEXT", "").replace(r#""TEXT""#, &text),
            uses("t3", r#""Agent""#), uses("t4", &tool).replace("null", r#""t3""#), gives("t4"), gives("t3"),
            format!(r#"{{"type":"system","subtype":"permission_denied","tool_name":{tool}}}"#),
            format!(r#"{{"type":"system","subtype":"hook_response","hook_name":{tool},"outcome":{text},"stderr":{text}}}"#),
            format!(r#"{{"type":"system","subtype":"api_retry","error":{text}}}"#),
            format!(r#"{{"type":"assistant","error":"x","message":{{"model":"<synthetic>","content":[{{"type":"text","text":{text}}}]}}}}"#),
        ];
        let (mut story, now) = (Story::new(place()), Instant::now());
        for line in lines {
            for piece in story.hear(&Output::read(line.as_bytes()).unwrap(), now) {
                let Piece::Block(block) = piece else { continue };
                assert_harmless(&block, columns);
            }
        }
    }
}
