//! What the person types reaches the agent while it works.

use std::sync::Arc;

use crate::agent::{CANCEL, at_terminal, heard};
use crate::support::temp::Temp;

#[test]
fn a_typed_line_arrives_under_an_id_and_counts_as_read_when_the_agent_says_so() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; text ready; hears
id=$(echo "$line" | sed 's/.*"id":"\([^"]*\)".*/\1/'); say '{"type":"user_read","id":"'$id'"}'; text heard; ends; to_the_end"#;
    let mut tim = at_terminal(&folder, script, &[]);
    tim.sees("ready");
    tim.types("also this\r");
    tim.sees("heard");
    assert_eq!(tim.ends(), 0, "nobody waits for another turn: {}", tim.picture());
    let picture = tim.picture();
    assert!(picture.has("→ You: also this") && !picture.has("not read"), "{picture}");
    let typed = &heard(&folder)[0];
    assert!(
        typed.starts_with(r#"{"type":"user","id":""#) && typed.ends_with(r#","text":"also this"}"#),
        "{typed}"
    );
}

#[test]
fn a_line_that_was_typed_in_a_turn_may_be_the_next_one() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text ready; while [ ! -e go ]; do sleep 0.02; done; ends; hears; text 'the next'; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    tim.sees("ready");
    tim.types("and then\r");
    tim.sees("and then");
    std::fs::write(folder.path("home/go"), "").unwrap();
    tim.sees("the next");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
}

#[test]
fn esc_cancels_the_turn_and_the_person_says_what_instead() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text working; hears; ends false; hears; text 'that instead'; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    tim.sees("working");
    tim.types("\x1b");
    tim.sees("say what instead");
    tim.types("that\r");
    tim.sees("that instead");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    assert_eq!(heard(&folder)[0], CANCEL);
}

#[test]
fn what_is_no_event_is_shown_as_text_and_does_nothing_to_the_terminal() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; printf 'plain \033]0;evil\007 text\n'; text '\u001b[2Jcleared'; ends; to_the_end"#;
    let mut tim = at_terminal(&folder, script, &[]);
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let picture = tim.picture();
    assert!(picture.has("plain") && picture.has("cleared"), "{picture}");
    assert!(!tim.raw().windows(8).any(|bytes| bytes == b"\x1b]0;evil"), "as it came");
}

#[test]
fn ctrl_d_ends_a_run_that_waits_for_a_line_to_be_taken_up() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text ready; hears; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    tim.sees("ready");
    tim.types("in this turn\r");
    tim.sees("is done");
    tim.types("\x04");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
}
