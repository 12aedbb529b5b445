//! Messages, results and the end of the process.

use serde_json::json;

use crate::claude::{Claude, Version};
use crate::driver::Session;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    a_message_gives_one_init_and_one_result,
    the_process_lives_until_stdin_closes_and_then_ends_with_0,
    end_of_file_before_the_answer_does_not_cut_it_short,
    a_follow_up_while_idle_is_a_turn_of_the_same_session,
    a_message_is_acknowledged_by_its_uuid,
    a_message_during_the_last_text_gets_a_turn_of_its_own,
    a_message_during_a_question_is_folded_into_the_turn,
    sigterm_ends_it_with_143_and_no_result,
];

/// Section 3: nothing before the first message, one `init`, one `assistant` line a block, one result.
fn a_message_gives_one_init_and_one_result(claude: &Claude) {
    let api =
        Api::start(Script::new().turn(main().asked("hello").thinking("Well").text("Hi.").text("There.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("hello");
    let result = session.result();
    assert_eq!((&result["is_error"], &result["subtype"]), (&false.into(), &"success".into()));
    assert_eq!(session.ended(), Some(0), "{}", session.stderr());
    let first = session.seen().iter().find(|line| line["type"] != "command_lifecycle").unwrap();
    assert_eq!(first["subtype"], "init");
    let blocks = session.seen().iter().filter(|line| line["type"] == "assistant");
    let blocks: Vec<_> = blocks.map(|line| line["message"]["content"][0]["type"].as_str().unwrap()).collect();
    assert_eq!(blocks, ["thinking", "text", "text"]);
    assert_eq!(session.count("result"), 1);
    assert_eq!(session.count("NO JSON"), 0);
    assert!(api.unscripted().is_empty());
    assert!(api.requests_of(Kind::Main, 1)[0].tools().contains(&"Bash"));
}

/// Section 1: "stdin left open after result".
fn the_process_lives_until_stdin_closes_and_then_ends_with_0(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().text("Done.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    session.result();
    assert!(session.lives());
    assert_eq!(session.ended(), Some(0));
}

/// Section 1: "EOF in mid text stream".
fn end_of_file_before_the_answer_does_not_cut_it_short(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().opens("Half").held("rest").more(" and whole.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    api.reached("rest");
    session.close();
    api.release("rest");
    assert_eq!(session.result()["result"], "Half and whole.");
    assert_eq!(session.ended(), Some(0));
}

/// Section 2, "idle": `init` is repeated, the session stays, the model knows what was said before.
fn a_follow_up_while_idle_is_a_turn_of_the_same_session(claude: &Claude) {
    let script =
        Script::new().turn(main().asked("first").text("One.")).turn(main().asked("second").text("Two."));
    let api = Api::start(script);
    let mut session = Session::start(claude, &api, &[]);
    session.say("first");
    let one = session.result();
    session.say("second");
    let init = session.system("init");
    let two = session.result();
    assert_eq!((&one["result"], &two["result"]), (&"One.".into(), &"Two.".into()));
    assert_eq!((&one["session_id"], &two["session_id"]), (&init["session_id"], &init["session_id"]));
    assert!(api.requests_of(Kind::Main, 2)[1].mentions("first"));
    assert_eq!(session.ended(), Some(0));
}

/// Section 2, "When is a message seen?": `command_lifecycle` in the new one, an echo in the old one.
fn a_message_is_acknowledged_by_its_uuid(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().text("Heard.")));
    let arguments: &[&str] = if claude.version == Version::Old { &["--replay-user-messages"] } else { &[] };
    let mut session = Session::start(claude, &api, arguments);
    let uuid = session.say("hello");
    let result = session.result();
    assert_eq!(session.ended(), Some(0));
    match claude.version {
        Version::Old => {
            let echo = session.seen().iter().find(|line| line["type"] == "user").unwrap();
            assert_eq!((&echo["isReplay"], &echo["uuid"]), (&true.into(), &uuid.into()));
            assert_eq!(session.count("command_lifecycle"), 0);
        }
        Version::New => {
            let lines = session.seen().iter().filter(|line| line["type"] == "command_lifecycle");
            let states: Vec<_> =
                lines.map(|line| (line["command_uuid"].clone(), line["state"].clone())).collect();
            let wanted = ["queued", "started", "completed"].map(|state| (uuid.clone().into(), state.into()));
            assert_eq!(states, wanted, "{:?}", session.seen());
            assert_eq!(result["user_message_uuids"], json!([uuid]));
        }
    }
}

/// Section 2, "final text streams": queued, and a second result.
fn a_message_during_the_last_text_gets_a_turn_of_its_own(claude: &Claude) {
    let first = main().asked("first").opens("On").held("rest").more("e.");
    let api = Api::start(Script::new().turn(first).turn(main().asked("second").text("Two.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("first");
    api.reached("rest");
    session.say("second");
    api.release("rest");
    assert_eq!(session.result()["result"], "One.");
    session.system("init");
    assert_eq!(session.result()["result"], "Two.");
    assert_eq!(session.ended(), Some(0));
}

/// Section 2, "a permission is pending": the model hears it after the tool result, and there is one result for both.
fn a_message_during_a_question_is_folded_into_the_turn(claude: &Claude) {
    let call = main().asked("first").tool("Bash", json!({"command": "touch made", "description": "Touch"}));
    let api = Api::start(Script::new().turn(call).turn(main().mentions("and quickly").text("Both.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("first");
    let question = session.question();
    session.say("and quickly");
    session.allow(&question);
    assert_eq!(session.result()["result"], "Both.");
    assert_eq!(session.ended(), Some(0));
    assert_eq!((session.count("result"), api.requests_of(Kind::Main, 2).len()), (1, 2));
}

/// Section 1, "Signals".
fn sigterm_ends_it_with_143_and_no_result(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().opens("Half").held("never")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    api.reached("never");
    session.terminate();
    assert_eq!(session.ended(), Some(143));
    assert_eq!(session.count("result"), 0);
}
