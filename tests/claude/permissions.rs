//! Permissions over the pipes.

use serde_json::json;

use crate::claude::Claude;
use crate::driver::Session;
use crate::messages_api::{Api, Kind, Script, main, sub};

with_both_versions![
    an_allowed_tool_runs_and_the_model_is_told,
    a_denied_tool_does_not_run_and_the_model_is_told_why,
    a_changed_input_is_what_runs,
    end_of_file_denies_what_is_pending,
    an_answered_question_reaches_the_model,
    a_subagent_asks_under_its_own_id,
];

fn touching(name: &str) -> Script {
    let turn =
        main().asked("go").tool("Bash", json!({"command": format!("touch {name}"), "description": "Touch"}));
    Script::new().turn(turn).turn(main().text("So be it."))
}

/// Section 5: request and reply, `allow` with the input.
fn an_allowed_tool_runs_and_the_model_is_told(claude: &Claude) {
    let api = Api::start(touching("made"));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    assert_eq!(question["request"]["tool_name"], "Bash");
    assert_eq!(question["request"]["input"]["command"], "touch made");
    assert!(question["request"]["tool_use_id"].is_string());
    assert!(!session.path("made").exists());
    session.allow(&question);
    assert_eq!(session.result()["result"], "So be it.");
    assert!(session.path("made").exists());
    assert_eq!(api.requests_of(Kind::Main, 2)[1].tool_results().len(), 1);
    assert_eq!(session.ended(), Some(0));
}

/// Section 5: `deny` with a message, which is the tool result word for word (section 4) and stands in the result.
fn a_denied_tool_does_not_run_and_the_model_is_told_why(claude: &Claude) {
    let api = Api::start(touching("made"));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    session.deny(&question, "Not on a Monday.");
    let result = session.result();
    assert_eq!(result["is_error"], false);
    assert_eq!(result["permission_denials"][0]["tool_name"], "Bash");
    assert_eq!(api.requests_of(Kind::Main, 2)[1].tool_results(), ["Not on a Monday."]);
    assert_eq!(session.ended(), Some(0));
    assert!(!session.path("made").exists());
}

/// Section 5: `updatedInput`.
fn a_changed_input_is_what_runs(claude: &Claude) {
    let api = Api::start(touching("asked"));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    let input = json!({"command": "touch changed", "description": "Touch"});
    session.reply(&question, &json!({"behavior": "allow", "updatedInput": input}));
    session.result();
    assert!(session.path("changed").exists());
    assert!(!session.path("asked").exists());
    assert_eq!(session.ended(), Some(0));
}

/// Section 5: "EOF on stdin denies everything pending", and the model carries on.
fn end_of_file_denies_what_is_pending(claude: &Claude) {
    let api = Api::start(touching("made"));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    session.question();
    session.close();
    assert_eq!(session.result()["result"], "So be it.");
    assert_eq!(session.ended(), Some(0));
    assert!(!session.path("made").exists());
}

/// Section 6: `AskUserQuestion` is a permission whose input comes back with the answers.
fn an_answered_question_reaches_the_model(claude: &Claude) {
    let options = json!([{"label": "Tea", "description": "t"}, {"label": "Coffee", "description": "c"}]);
    let asked =
        json!([{"question": "What to drink?", "header": "Drink", "options": options, "multiSelect": false}]);
    let call = main().asked("go").tool("AskUserQuestion", json!({"questions": asked}));
    let api = Api::start(Script::new().turn(call).turn(main().told("Tea").text("Tea it is.")));
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    assert_eq!(question["request"]["tool_name"], "AskUserQuestion");
    let input = json!({"questions": asked, "answers": {"What to drink?": "Tea"}});
    session.reply(&question, &json!({"behavior": "allow", "updatedInput": input}));
    assert_eq!(session.result()["result"], "Tea it is.");
    assert!(api.requests_of(Kind::Main, 2)[1].tool_results()[0].contains(r#""What to drink?"="Tea""#));
    assert_eq!(session.ended(), Some(0));
}

/// Sections 3 and 5: the lines of a subagent name its call, its questions its own id.
fn a_subagent_asks_under_its_own_id(claude: &Claude) {
    let work = json!({"description": "Touch it", "prompt": "touch it", "subagent_type": "general-purpose",
        "run_in_background": false});
    let script = Script::new()
        .turn(main().asked("go").tool("Agent", work))
        .turn(sub().asked("touch it").tool("Bash", json!({"command": "touch made", "description": "Touch"})))
        .turn(sub().text("Touched."))
        .turn(main().always().text("All done."));
    let api = Api::start(script);
    let mut session = Session::start(claude, &api, &[]);
    session.say("go");
    let question = session.question();
    assert!(question["request"]["agent_id"].is_string(), "{question}");
    session.allow(&question);
    assert_eq!(session.result()["result"], "All done.");
    assert_eq!(api.requests_of(Kind::Sub, 2).len(), 2);
    assert!(session.path("made").exists());
    let call = session.seen().iter().find(|line| line["message"]["content"][0]["name"] == "Agent").unwrap();
    let call = &call["message"]["content"][0]["id"];
    assert!(session.seen().iter().any(|line| line["parent_tool_use_id"] == *call));
    assert_eq!(session.ended(), Some(0));
}
