//! Large texts, slow readers, and readers that leave.

use serde_json::json;

use super::driver::Run;
use super::place::Place;
use super::{says, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main};
use crate::support::launch::Reading;

with_both_versions![
    a_write_of_more_than_a_megabyte_is_allowed_and_written,
    a_text_of_more_than_a_megabyte_is_printed_whole_however_slowly_it_is_read,
];

with_the_new_version![
    a_stream_is_printed_whole_however_slowly_it_is_read,
    a_reader_that_leaves_ends_the_run,
    a_reader_that_leaves_before_the_text_comes_is_noticed_at_the_end,
];

const LENGTH: usize = 1_500_000;

/// A text in which each piece is another.
fn long_text() -> String {
    (0..LENGTH / 10).map(|number| format!("{number:09}\n")).collect()
}

fn a_write_of_more_than_a_megabyte_is_allowed_and_written(claude: &Claude) {
    let place = Place::new();
    let input = json!({"file_path": place.named("made"), "content": long_text()});
    let api = Api::start(uses("Write", input));
    let done = Run::at(&place, claude, &api).args(&["--allow", "Edit(**)", "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert_eq!(std::fs::read_to_string(place.path("made")).unwrap(), long_text());
}

fn a_text_of_more_than_a_megabyte_is_printed_whole_however_slowly_it_is_read(claude: &Claude) {
    let text = long_text();
    let api = Api::start(says(text.trim_end()));
    let going = Run::of(claude, &api).reading(Reading::WhenAsked).args(&["go"]).start();
    going.results(1);
    going.process.stdout.go_on();
    let done = going.done();
    assert!(done.exits(0).replays().stdout == text, "{} bytes of {}", done.stdout.len(), text.len());
}

fn a_stream_is_printed_whole_however_slowly_it_is_read(claude: &Claude) {
    let text = long_text();
    let more = (0..6).fold(Script::new(), |script, _| {
        script.turn(main().text(&text).tool("Bash", json!({"command": "echo on", "description": "Go on"})))
    });
    let api = Api::start(more.turn(main().held("last").text("Over.")));
    let format = ["--output-format", "stream-json", "go"];
    let going = Run::of(claude, &api).reading(Reading::WhenAsked).args(&format).start();
    api.requests_of(Kind::Main, 2);
    going.process.stdout.go_on();
    api.release("last");
    let lines = going.done();
    let lines = lines.exits(0).lines();
    let whole = lines.iter().filter(|line| line["message"]["content"][0]["text"] == text).count();
    assert_eq!(whole, 6);
    assert_eq!(lines.last().unwrap()["result"], "Over.");
}

fn a_reader_that_leaves_ends_the_run(claude: &Claude) {
    let api = Api::start(
        Script::new()
            .turn(main().text("Hm.").tool("Bash", json!({"command": "sleep 1000", "description": "Sleep"}))),
    );
    let flags = ["--output-format", "stream-json", "--allowed-tools", "Bash", "go"];
    let done = Run::of(claude, &api).reading(Reading::FirstLineThenClosed).args(&flags).done();
    done.exits(141).place.nothing_is_left();
}

fn a_reader_that_leaves_before_the_text_comes_is_noticed_at_the_end(claude: &Claude) {
    let place = Place::new();
    let api = Api::start(says("Hello."));
    let run = Run::at(&place, claude, &api).reading(Reading::Nothing).args(&["go"]);
    let done = run.done();
    assert_eq!(done.exits(141).replays().stdout, "");
    place.nothing_is_left();
}
