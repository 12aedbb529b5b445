//! Trouble with the API, with the login and with limits.

use super::driver::Run;
use super::{bash, says};
use crate::claude::{Claude, Version};
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    a_busy_api_is_asked_again,
    an_api_that_stays_broken_is_a_failure_with_its_words,
    whoever_is_not_logged_in_is_told_how,
    the_limit_of_turns_is_a_failure_in_words,
];

with_the_new_version![
    a_key_that_is_refused_is_a_failure_with_a_hint,
    a_stream_that_was_cut_is_begun_again,
    a_stream_that_was_cut_after_a_block_goes_on,
];

fn a_busy_api_is_asked_again(claude: &Claude) {
    let busy = main().fails(529).retry_after(0);
    let api = Api::start(Script::new().turn(busy).turn(main().text("At last.")));
    let done = Run::of(claude, &api).args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "At last.\n");
    assert_eq!(api.requests_of(Kind::Main, 2).len(), 2);
}

fn an_api_that_stays_broken_is_a_failure_with_its_words(claude: &Claude) {
    let broken = main().always().fails(500).retry_after(0);
    let api = Api::start(Script::new().turn(broken));
    let done = Run::of(claude, &api).env("CLAUDE_CODE_MAX_RETRIES", "1").args(&["go"]).done();
    done.exits(1).replays().complains("500");
    assert_eq!(api.requests_of(Kind::Main, 2).len(), 2);
    done.place.nothing_is_left();
}

fn whoever_is_not_logged_in_is_told_how(claude: &Claude) {
    let api = Api::start(says("Never."));
    let done = Run::of(claude, &api).without("ANTHROPIC_API_KEY").args(&["go"]).done();
    done.exits(1).replays().complains("log in with `claude /login`, or set ANTHROPIC_API_KEY");
    assert!(api.requests().iter().all(|request| request.kind == Kind::Other));
}

fn a_key_that_is_refused_is_a_failure_with_a_hint(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().always().fails(401)));
    let done = Run::of(claude, &api).args(&["go"]).done();
    done.exits(1).replays().complains("401");
    done.complains("ANTHROPIC_API_KEY");
}

fn the_limit_of_turns_is_a_failure_in_words(claude: &Claude) {
    let works = main().always().tool("Bash", bash("echo on"));
    let api = Api::start(Script::new().turn(works));
    let done = Run::of(claude, &api).args(&["--max-turns", "2", "go"]).done();
    done.exits(1).replays().complains("the limit of turns was reached");
    done.complains("go on");
}

fn a_stream_that_was_cut_is_begun_again(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().opens("Ha").cut()).turn(main().text("Whole.")));
    let done = Run::of(claude, &api).args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Whole.\n");
}

fn a_stream_that_was_cut_after_a_block_goes_on(claude: &Claude) {
    assert_eq!(claude.version, Version::New);
    let api = Api::start(Script::new().turn(main().text("Ha").cut()).turn(main().text("Whole.")));
    let done = Run::of(claude, &api).args(&["go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "Whole.\n");
}
