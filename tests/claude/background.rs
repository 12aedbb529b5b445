//! Work that goes on after the result.

use serde_json::json;

use crate::claude::{Claude, Version};
use crate::driver::Session;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![a_background_command_announces_itself_and_its_end_starts_a_turn_unasked,];

/// Waits for the test to make a file, and not for ever.
const WAITING: &str = "for i in $(seq 400); do [ -e go ] && break; sleep 0.05; done; echo went";

/// Section 3: `task_started`, then a result; at its end `task_notification`, `init` and a result that nobody asked for.
fn a_background_command_announces_itself_and_its_end_starts_a_turn_unasked(claude: &Claude) {
    let input = json!({"command": WAITING, "description": "Wait", "run_in_background": true});
    let script = Script::new()
        .turn(main().asked("begin").tool("Bash", input))
        .turn(main().told("background").text("Begun."))
        .turn(main().text("It went."));
    let api = Api::start(script);
    let mut session = Session::start(claude, &api, &["--allowedTools", "Bash"]);
    session.say("begin");
    let started = session.system("task_started");
    assert_eq!(started["task_type"], "local_bash");
    assert_eq!(session.result()["result"], "Begun.");
    std::fs::write(session.path("go"), "").unwrap();
    let ended = session.system("task_notification");
    assert_eq!((&ended["task_id"], &ended["status"]), (&started["task_id"], &"completed".into()));
    session.system("init");
    let unasked = session.result();
    assert_eq!(unasked["result"], "It went.");
    assert_eq!(unasked["origin"]["kind"], "task-notification", "{unasked}");
    assert_eq!(session.ended(), Some(0));
    assert_eq!(api.requests_of(Kind::Main, 3).len(), 3);
    let changes = session.seen().iter().filter(|line| line["subtype"] == "background_tasks_changed").count();
    assert_eq!(changes, if claude.version == Version::New { 2 } else { 0 });
}
