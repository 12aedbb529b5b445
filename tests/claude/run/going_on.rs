//! A conversation goes on in another run: by the name of the first one, by its session, or as the last one here.

use super::driver::{Done, Run};
use super::place::Place;
use super::says;
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![a_run_is_gone_on_with_by_the_name_that_it_printed,];

with_the_new_version![
    the_last_conversation_is_gone_on_with,
    a_session_of_claudes_is_gone_on_with,
    a_run_that_is_not_known_is_a_clear_mistake,
    a_session_that_is_not_known_is_a_failure_in_claudes_words,
];

/// The first run, which all others go on with.
fn first(claude: &Claude) -> Done {
    let api = Api::start(says("The word is plum."));
    let done = Run::of(claude, &api).args(&["go"]).done();
    done.exits(0);
    done
}

/// The second run knows what was said in the first.
fn knows(claude: &Claude, place: &Place, flags: &[&str]) {
    let api = Api::start(Script::new().turn(main().asked("which word").text("Plum.")));
    let done = Run::at(place, claude, &api).args(flags).args(&["which word"]).done();
    assert_eq!(done.exits(0).stdout, "Plum.\n");
    assert!(api.requests_of(Kind::Main, 1)[0].mentions("The word is plum."));
}

fn a_run_is_gone_on_with_by_the_name_that_it_printed(claude: &Claude) {
    let done = first(claude);
    let name = done.stderr.split("tim run -r ").nth(1).unwrap_or_else(|| panic!("no name: {}", done.stderr));
    let name = name.split_whitespace().next().unwrap();
    assert!(done.place.records()[0].to_str().unwrap().contains(name), "{name}");
    knows(claude, &done.place, &["-r", name]);
    knows(claude, &done.place, &["-r", name.get(..4).unwrap()]);
}

fn the_last_conversation_is_gone_on_with(claude: &Claude) {
    knows(claude, &first(claude).place, &["-c"]);
}

fn a_session_of_claudes_is_gone_on_with(claude: &Claude) {
    let session = "7d1f7d5c-3a0b-4c57-9a3f-0f6f2f9d3e11";
    let api = Api::start(says("The word is plum."));
    let done = Run::of(claude, &api).args(&["--session-id", session, "--no-journal", "go"]).done();
    done.exits(0).complains(session);
    knows(claude, &done.place, &["-r", session]);
}

fn a_run_that_is_not_known_is_a_clear_mistake(claude: &Claude) {
    let place = first(claude).place;
    let api = Api::start(says("Never."));
    let done = Run::at(&place, claude, &api).args(&["-r", "0000", "go"]).done();
    done.exits(2).complains("there is no record of a run 0000");
    let done = Run::of(claude, &api).args(&["-r", "0000", "go"]).done();
    done.exits(2).complains("there is no record of a run 0000");
    assert!(api.requests().is_empty());
}

fn a_session_that_is_not_known_is_a_failure_in_claudes_words(claude: &Claude) {
    let api = Api::start(says("Never."));
    let nobodys = "00000000-3a0b-4c57-9a3f-0f6f2f9d3e11";
    let done = Run::of(claude, &api).args(&["-r", nobodys, "go"]).done();
    done.exits(1).complains("No conversation found");
    done.place.nothing_is_left();
}
