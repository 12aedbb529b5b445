//! The line of the person: a question that comes while they type takes nothing from it, and what they send is heard by the
//! one that is named before it.

use insta::assert_snapshot;
use serde_json::json;

use crate::seat::{Seat, hears, shown};
use crate::support::client::assert_answered;

#[test]
fn f057_a_question_in_mid_word_leaves_the_line_as_it_is() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    seat.types("also ad");
    seat.sees("❯ also ad");
    let mut script = seat.script("deploy");
    script.confirm("Sure?");
    shown(&mut script, "Sure?");
    assert_snapshot!("mid_word", seat.sees("Tab answers the question").masked());
    seat.types("\t");
    seat.answers("y yes", "y");
    assert_answered(&script.response("Sure?"), &json!(true));
    let after = seat.sees("you answered");
    assert!(after.has("❯ also ad") && !after.has("Tab answers"), "{after}");
    seat.types("d tests\r");
    assert_eq!(hears(&mut agent), "also add tests");
    assert_snapshot!("mid_word_sent", seat.sees("You: also add tests").masked());
    script.confirm("And now?");
    seat.answers("y yes", "n");
    assert_answered(&script.response("And now?"), &json!(false));
    agent.heard_nothing_else();
}

#[test]
fn letters_stay_with_a_line_that_has_text_for_as_long_as_it_takes() {
    let mut seat = Seat::new();
    let mut script = seat.script("deploy");
    seat.types("do");
    seat.sees("❯ do");
    script.confirm("Sure?");
    shown(&mut script, "Sure?");
    seat.types("y");
    let open = seat.sees("❯ doy");
    assert!(open.has("Sure?") && !open.is_bold("y yes"), "{open}");
    // Emptying the line gives the keys to the question, and then only after a while.
    seat.types("\x15y");
    seat.sees("❯ y");
    seat.types("\x7f");
    seat.answers("y yes", "n");
    assert_answered(&script.response("Sure?"), &json!(false));
}

#[test]
fn a_cursor_in_the_middle_of_the_line_is_there_again_after_the_answer() {
    let mut seat = Seat::new();
    let mut agent = seat.agent("claude");
    seat.types("one three\x1b[D\x1b[D\x1b[D\x1b[D\x1b[D");
    seat.until("the cursor before three", |picture| picture.cursor().1 == 6);
    agent.confirm("Sure?");
    seat.sees("Sure?");
    seat.types("\t");
    seat.answers("y yes", "y");
    seat.sees("you answered");
    seat.types("two \r");
    assert_eq!(hears(&mut agent), "one two three");
}

#[test]
fn f125_with_two_agents_the_one_before_the_line_hears_it_and_nobody_else() {
    let mut seat = Seat::new();
    let mut api = seat.agent("api");
    let mut web = seat.agent("web");
    assert_snapshot!("two_agents", seat.sees("api ❯").masked());
    seat.types("\t");
    seat.sees("web ❯");
    seat.types("use the hook\r");
    seat.sees("You to web: use the hook");
    assert_eq!(hears(&mut web), "use the hook");
    seat.types("@ap\t");
    seat.sees("❯ @api");
    seat.types("stop\r");
    assert_eq!(hears(&mut api), "stop");
    seat.types("@all go on\r");
    assert_eq!((hears(&mut api), hears(&mut web)), ("go on".to_owned(), "go on".to_owned()));
    assert_snapshot!("two_agents_sent", seat.sees("You to all: go on").masked());
    api.heard_nothing_else();
    web.heard_nothing_else();
}

#[test]
fn a_line_that_nobody_hears_stays_where_it_is() {
    let mut seat = Seat::new();
    seat.types("hello\r");
    seat.sees("Nobody is there who reads lines");
    let mut agent = seat.agent("claude");
    seat.types("\r");
    assert_eq!(hears(&mut agent), "hello");
}

#[test]
fn a_line_to_an_agent_that_has_gone_is_kept() {
    let mut seat = Seat::new();
    let agent = seat.agent("claude");
    seat.types("hello");
    seat.sees("❯ hello");
    drop(agent);
    seat.sees("no agent is connected");
    seat.types("\r");
    let kept = seat.sees("Nobody is there who reads lines");
    assert!(kept.has("❯ hello") && !kept.has("You: hello"), "{kept}");
}

#[test]
fn what_was_typed_and_not_sent_is_said_at_the_end_and_not_handed_on() {
    let mut seat = Seat::new();
    seat.types("half a th");
    seat.sees("❯ half a th");
    seat.signal(rustix::process::Signal::TERM);
    assert_eq!(seat.ends(), 143);
    seat.assert_restored();
    assert!(seat.picture().has("not sent: half a th"), "{}", seat.picture());
}
