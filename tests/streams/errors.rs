//! What can go wrong between an agent that asks and the person, each row at a real terminal.

use std::sync::Arc;

use crate::agent::{CANCEL, at_terminal, heard, response};
use crate::pty::Pty;
use crate::support::temp::Temp;

const REJECTS: &str = r#""reject""#;

/// The run ended as somebody wanted it: that is no error.
#[track_caller]
fn assert_rejected(tim: &mut Pty) {
    assert_eq!(tim.ends(), 1, "{}", tim.picture());
    let picture = tim.picture();
    assert!(picture.has("– rejected (exit 1)") && !picture.has("failed"), "{picture}");
    tim.assert_modes_restored();
}

#[test]
fn a_request_without_an_id_is_warned_about_and_skipped_and_the_stream_goes_on() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; text one; say '{"type":"input_request","prompt":"Well?","choices":["a","b"]}'
text two; ends; to_the_end"#;
    let mut tim = at_terminal(&folder, script, &[]);
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let picture = tim.picture();
    assert!(picture.has("requestId is missing"), "{picture}");
    assert!(picture.has("  one") && picture.has("  two") && picture.has("✓ done"), "{picture}");
    assert!(heard(&folder).is_empty(), "nobody could be answered");
}

#[test]
fn no_choices_are_an_error_that_is_shown_and_a_rejection() {
    for choices in [r#""input_type":"choice","choices":[]"#, r#""input_type":"approval","choices":[]"#] {
        let folder = Arc::new(Temp::new());
        let script = format!("hears; text before; asks q '{choices}'; hears; hears; text after; ends false");
        let mut tim = at_terminal(&folder, &script, &[]);
        assert_rejected(&mut tim);
        let picture = tim.picture();
        assert!(
            picture.has("it asks what nobody can answer") && picture.has("choices must hold"),
            "{picture}"
        );
        assert!(picture.has("  before") && !picture.has("  after"), "{picture}");
        assert_eq!(heard(&folder), [response("q", REJECTS, "refused"), CANCEL.to_owned()]);
    }
}

#[test]
fn an_unknown_input_type_is_an_error_that_is_shown_and_a_rejection() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; asks q '"input_type":"password"'; hears; hears; ends false"#;
    let mut tim = at_terminal(&folder, script, &[]);
    assert_rejected(&mut tim);
    let picture = tim.picture();
    assert!(picture.has("input_type must be"), "{picture}");
    assert_eq!(heard(&folder), [response("q", REJECTS, "refused"), CANCEL.to_owned()]);
}

#[test]
fn ctrl_c_at_the_question_is_a_rejection() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text before; approval q; hears; hears; text after; ends false; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    tim.armed("[a] Do it");
    tim.types("\x03");
    assert_rejected(&mut tim);
    let picture = tim.picture();
    assert!(picture.has("  before") && !picture.has("  after"), "{picture}");
    assert_eq!(heard(&folder), [response("q", REJECTS, "declined"), CANCEL.to_owned()]);
}

#[test]
fn a_key_that_is_no_answer_gets_a_hint_and_the_question_stays() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; approval q; hears
asks c '"prompt":"Which?","input_type":"choice","choices":["A","B"]'; hears
asks t '"prompt":"Why?","input_type":"text"'; hears; ends; to_the_end"#;
    let mut tim = at_terminal(&folder, script, &[]);
    tim.armed("[a] Do it");
    tim.types("x");
    tim.sees("a or r");
    tim.armed("[a] Do it");
    tim.types("a");
    tim.armed("1-2 or");
    tim.types("7");
    tim.sees("Choose with 1-2");
    tim.armed("1-2 or");
    tim.types("2");
    tim.armed("r or /reject");
    tim.types("\r");
    tim.sees("Write something");
    tim.types("because\r");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let answers = [
        response("q", r#""approve""#, "answered"),
        response("c", r#"{"index":1,"value":"B"}"#, "answered"),
        response("t", r#""because""#, "answered"),
    ];
    assert_eq!(heard(&folder), answers);
}

#[test]
fn several_requests_are_asked_one_after_the_other_also_if_they_come_at_once() {
    let folder = Arc::new(Temp::new());
    let script = "hears; approval one; text between; approval two; hears; hears; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    let first = tim.armed("[a] Do it");
    assert!(first.has("Go on with one?") && !first.has("two?") && !first.has("  between"), "{first}");
    tim.types("a");
    tim.until("the second", |picture| picture.has("Go on with two?") && picture.is_bold("[a] Do it"));
    tim.types("a");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let approved = |id| response(id, r#""approve""#, "answered");
    assert_eq!(heard(&folder), [approved("one"), approved("two")]);
}

#[test]
fn an_agent_that_is_gone_after_the_rejection_is_a_normal_end() {
    for end in ["exit 0", "exit 3", "kill -9 $$", "ends false; to_the_end"] {
        let folder = Arc::new(Temp::new());
        let mut tim = at_terminal(&folder, &format!("hears; text before; approval q; hears; {end}"), &[]);
        tim.armed("[a] Do it");
        tim.types("r");
        assert_rejected(&mut tim);
        let picture = tim.picture();
        assert!(picture.has("you said no") && picture.has("  before"), "{picture}");
    }
}
