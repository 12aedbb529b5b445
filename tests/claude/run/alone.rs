//! Nobody is there: rules decide, and what they do not decide is refused at once.

use serde_json::json;

use super::driver::Run;
use super::place::Place;
use super::{bash, says, touches, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    what_nobody_can_allow_is_refused_and_allowed_by_the_flag_that_is_named,
    a_deny_rule_decides_before_anybody_is_asked,
    unattended_is_alone,
];

with_the_new_version![
    a_refusal_that_was_expected_is_no_failure,
    a_run_that_needs_a_person_fails_before_it_begins,
    a_command_that_a_rule_allows_only_in_part_is_refused,
];

fn what_nobody_can_allow_is_refused_and_allowed_by_the_flag_that_is_named(claude: &Claude) {
    let place = Place::new();
    let input = json!({"file_path": place.named("made"), "content": "x"});
    let api = Api::start(uses("Write", input.clone()));
    let done = Run::at(&place, claude, &api).args(&["go"]).done();
    done.exits(5).complains("--allow 'Edit(**)'");
    assert_eq!(done.stdout, "So be it.\n");
    assert!(!place.path("made").exists());
    let asked = api.requests_of(Kind::Main, 2);
    assert!(
        asked[1].tool_results()[0].starts_with("No one can answer here"),
        "{:?}",
        asked[1].tool_results()
    );
    assert!(!asked[0].tools().contains(&"AskUserQuestion"), "{:?}", asked[0].tools());
    assert!(asked[0].tools().contains(&"Bash"));
    let api = Api::start(uses("Write", input));
    Run::at(&place, claude, &api).args(&["--allow", "Edit(**)", "go"]).done().exits(0);
    assert!(place.path("made").exists());
}

/// Claude knows the rule too; what it does not understand it asks, and tim does.
fn a_deny_rule_decides_before_anybody_is_asked(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch made")))
        .turn(main().tool("Bash", bash("bash -c 'touch made'")))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    let rules = ["--allow", "Bash", "--deny", "Bash(touch:*)", "go"];
    let done = Run::of(claude, &api).args(&rules).done();
    done.exits(0).replays();
    assert!(!done.place.path("made").exists());
    let told = api.requests_of(Kind::Main, 3)[2].tool_results();
    assert_eq!(told[0], "Permission to use Bash with command touch made has been denied.");
    assert!(told[1].contains("Bash(touch:*)"), "{told:?}");
}

fn unattended_is_alone(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--unattended", "go"]).done();
    done.exits(5).complains("--allow 'Bash(touch:*)'");
    assert!(!api.requests_of(Kind::Main, 1)[0].tools().contains(&"AskUserQuestion"));
    assert!(!done.place.path("made").exists());
}

fn a_refusal_that_was_expected_is_no_failure(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--refused-ok", "go"]).done();
    done.exits(0).complains("--allow 'Bash(touch:*)'");
    assert!(!done.place.path("made").exists());
}

fn a_run_that_needs_a_person_fails_before_it_begins(claude: &Claude) {
    let api = Api::start(says("Never."));
    let done = Run::of(claude, &api).args(&["--require-human", "go"]).done();
    done.exits(5).complains("--require-human");
    assert!(api.requests().is_empty() && done.stdout.is_empty());
    done.place.nothing_is_left();
}

fn a_command_that_a_rule_allows_only_in_part_is_refused(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch one && rm -f two")))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    let done = Run::of(claude, &api).args(&["--allow", "Bash(touch:*)", "go"]).done();
    done.exits(5).complains("--allow 'Bash(rm -f two)'");
    assert!(!done.place.path("one").exists());
}
