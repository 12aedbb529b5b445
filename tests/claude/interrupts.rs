//! The interrupt request.

use serde_json::{Value, json};

use crate::claude::Claude;
use crate::driver::Session;
use crate::messages_api::{Api, Script, main};

with_both_versions![
    an_interrupt_withdraws_the_pending_question_and_ends_the_turn,
    a_good_turn_after_an_interrupted_one_ends_with_0,
    an_interrupt_while_idle_harms_nothing,
];

fn was_interrupted(result: &Value) -> bool {
    result["subtype"] == "error_during_execution" && result["is_error"] == true
}

/// Section 5: `control_cancel_request` first, then the receipt, then the result; section 1: 1 if it was the last.
fn an_interrupt_withdraws_the_pending_question_and_ends_the_turn(claude: &Claude) {
    let call = main().tool("Bash", json!({"command": "touch made", "description": "Touch"}));
    let api = Api::start(Script::new().turn(call));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    let receipt = session.interrupt();
    assert_eq!(receipt["response"]["subtype"], "success");
    let cancel = session.seen().iter().find(|line| line["type"] == "control_cancel_request");
    assert_eq!(cancel.unwrap()["request_id"], question["request_id"]);
    session.allow(&question);
    assert!(was_interrupted(&session.result()));
    assert_eq!(session.ended(), Some(1));
    assert!(!session.path("made").exists());
}

/// Section 3: what was said is kept; section 1: the last result decides.
fn a_good_turn_after_an_interrupted_one_ends_with_0(claude: &Claude) {
    let long = main().asked("long").opens("It was a dark and stormy night").held("never");
    let api = Api::start(Script::new().turn(long).turn(main().asked("short").text("Short.")));
    let mut session = Session::start(claude, &api, &["--include-partial-messages"]);
    session.say("long");
    session.wait("the first words", |line| line["event"]["delta"]["text"].is_string());
    session.interrupt();
    assert!(was_interrupted(&session.result()));
    session.say("short");
    assert_eq!(session.result()["result"], "Short.");
    assert_eq!(session.ended(), Some(0));
}

/// Section 5: "interrupt when idle".
fn an_interrupt_while_idle_harms_nothing(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().text("One.")).turn(main().text("Two.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("one");
    session.result();
    assert_eq!(session.interrupt()["response"]["subtype"], "success");
    session.say("two");
    assert_eq!(session.result()["result"], "Two.");
    assert_eq!(session.ended(), Some(0));
}
