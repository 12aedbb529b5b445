//! Work that outlives its turn: the run waits for it, and what it asks is answered.

use serde_json::json;

use super::driver::Run;
use super::{bash, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main, sub};

with_both_versions![
    a_command_in_the_background_is_waited_for_and_its_unasked_turn_runs,
    a_command_that_takes_too_long_goes_on_in_the_background_and_is_waited_for,
    f072_an_agent_in_the_background_may_do_what_a_rule_allows_after_the_first_result,
    f070_a_command_that_was_left_to_itself_does_not_outlive_the_run,
];

/// Waits for the test to make a file, and not for ever.
const WAITING: &str = "for i in $(seq 600); do [ -e go ] && break; sleep 0.05; done; echo went";

fn a_command_in_the_background_is_waited_for_and_its_unasked_turn_runs(claude: &Claude) {
    let input = json!({"command": WAITING, "description": "Wait", "run_in_background": true});
    let script = Script::new()
        .turn(main().asked("begin").tool("Bash", input))
        .turn(main().told("background").text("Begun."))
        .turn(main().text("It went."));
    let api = Api::start(script);
    let going = Run::of(claude, &api).args(&["--allowed-tools", "Bash", "begin"]).start();
    going.results(1);
    assert!(going.can_be_told(), "it may still have to be asked");
    std::fs::write(going.place.path("go"), "").unwrap();
    let done = going.done();
    assert_eq!(done.exits(0).replays().stdout, "It went.\n");
    assert_eq!(api.requests_of(Kind::Main, 3).len(), 3);
    done.place.nothing_is_left();
}

/// Claude moves it there by itself.
fn a_command_that_takes_too_long_goes_on_in_the_background_and_is_waited_for(claude: &Claude) {
    let input = json!({"command": WAITING, "description": "Wait", "timeout": 1000});
    let script = Script::new()
        .turn(main().asked("begin").tool("Bash", input))
        .turn(main().told("background").text("Begun."))
        .turn(main().text("It went."));
    let api = Api::start(script);
    let going = Run::of(claude, &api).args(&["--allowed-tools", "Bash", "begin"]).start();
    going.results(1);
    assert!(going.can_be_told(), "it may still have to be asked");
    std::fs::write(going.place.path("go"), "").unwrap();
    let done = going.done();
    assert_eq!(done.exits(0).replays().stdout, "It went.\n");
    done.place.nothing_is_left();
}

/// Its stdin is open by then, or the CLI would deny it unasked.
fn f072_an_agent_in_the_background_may_do_what_a_rule_allows_after_the_first_result(claude: &Claude) {
    let work = json!({"description": "Touch it", "prompt": "touch it", "subagent_type": "general-purpose",
        "run_in_background": true});
    let script = Script::new()
        .turn(main().asked("begin").tool("Agent", work))
        .turn(main().asked("touch it").text("Begun."))
        .turn(sub().asked("touch it").held("later").tool("Bash", bash("touch made")))
        .turn(sub().text("Touched."))
        .turn(main().always().text("All done."));
    let api = Api::start(script);
    let going = Run::of(claude, &api).args(&["--allow", "Bash(touch:*)", "begin"]).start();
    api.reached("later");
    going.results(1);
    api.release("later");
    let done = going.done();
    assert_eq!(done.exits(0).replays().stdout, "All done.\n");
    assert!(done.place.path("made").exists());
    done.place.nothing_is_left();
}

fn f070_a_command_that_was_left_to_itself_does_not_outlive_the_run(claude: &Claude) {
    let api = Api::start(uses("Bash", bash("setsid sleep 1000 >/dev/null 2>&1 & touch made")));
    let done = Run::of(claude, &api).args(&["--allowed-tools", "Bash", "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert!(done.place.path("made").exists());
    done.place.nothing_is_left();
}
