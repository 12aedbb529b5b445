//! What the agent is told first: words, files, stdin, pictures.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::driver::Run;
use super::place::Place;
use crate::claude::Claude;
use crate::messages_api::{Api, Kind, Script, main};

with_the_new_version![
    several_words_are_one_prompt,
    a_file_is_the_prompt,
    stdin_is_the_prompt,
    a_picture_reaches_the_model,
    a_command_of_claudes_own_ends_too,
    kept_open_without_a_terminal_ends_with_the_work,
];

/// These have no turn of the model.
fn a_command_of_claudes_own_ends_too(claude: &Claude) {
    for command in ["/clear", "/context", "/cost"] {
        let api = hears("nothing");
        let done = Run::of(claude, &api).args(&[command]).done();
        assert_eq!(done.code, Some(0), "{command}: {}", done.stderr);
    }
}

fn kept_open_without_a_terminal_ends_with_the_work(claude: &Claude) {
    let api = hears("go");
    let done = Run::of(claude, &api).args(&["-k", "go"]).done();
    assert_eq!(done.exits(0).stdout, "Heard.\n");
}

/// The smallest picture there is.
const GIF: &[u8] = b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\
    \x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;";

/// The model hears these words, and says so.
fn hears(words: &str) -> Api {
    Api::start(Script::new().turn(main().asked(words).text("Heard.")))
}

fn several_words_are_one_prompt(claude: &Claude) {
    let api = hears("fix the test");
    let done = Run::of(claude, &api).args(&["fix", "the", "test"]).done();
    assert_eq!(done.exits(0).stdout, "Heard.\n");
    assert!(api.unscripted().is_empty());
}

fn a_file_is_the_prompt(claude: &Claude) {
    let api = hears("first line\nsecond \"line\" 日");
    let run = Run::of(claude, &api);
    std::fs::write(run.place().path("task.md"), "first line\nsecond \"line\" 日\n").unwrap();
    let done = run.args(&["-F", "task.md"]).done();
    assert_eq!(done.exits(0).stdout, "Heard.\n");
}

fn stdin_is_the_prompt(claude: &Claude) {
    let api = hears("from a\npipe");
    let done = Run::of(claude, &api).stdin("from a\npipe\n").args(&["-p", "-"]).done();
    assert_eq!(done.exits(0).stdout, "Heard.\n");
}

fn a_picture_reaches_the_model(claude: &Claude) {
    let api = hears("look");
    let run = Run::of(claude, &api);
    std::fs::write(run.place().path("a.gif"), GIF).unwrap();
    let done = run.args(&["--image", "a.gif", "look"]).done();
    assert_eq!(done.exits(0).stdout, "Heard.\n");
    let body = api.requests_of(Kind::Main, 1)[0].body.to_string();
    assert!(body.contains("image/gif") && body.contains(&STANDARD.encode(GIF)), "{body}");
}

/// Nothing is started for these; so there need not be an agent.
fn mistake(arguments: &[&str], words: &str) {
    let place = Place::new();
    std::fs::write(place.path("empty"), " \n").unwrap();
    std::fs::write(place.path("none.png"), "no picture").unwrap();
    let done = Run::bare(&place, "http://127.0.0.1:9").args(arguments).done();
    done.exits(2).complains(words);
    assert!(done.stdout.is_empty(), "{}", done.stdout);
    place.nothing_is_left();
}

#[test]
fn an_empty_prompt_is_a_mistake() {
    mistake(&[""], "the prompt is empty");
    mistake(&[" ", " "], "the prompt is empty");
    mistake(&["-"], "stdin is empty");
    mistake(&["-F", "empty"], "is empty; write what the agent should do");
}

#[test]
fn a_rule_that_is_none_is_a_mistake() {
    mistake(&["--allow", "Bash(", "go"], "Bash(");
    mistake(&["--deny", "Bash(", "go"], "Bash(");
}

#[test]
fn no_prompt_without_a_terminal_is_a_mistake() {
    mistake(&[], "there is nothing to do");
    mistake(&["-k"], "there is nothing to do");
}

#[test]
fn a_file_that_is_not_there_and_a_picture_that_is_none_are_mistakes() {
    mistake(&["-F", "nowhere.md"], "nowhere.md");
    mistake(&["--image", "none.png", "look"], "none.png");
    mistake(&["--image", "nowhere.png", "look"], "nowhere.png");
    mistake(&["--image", "none.png"], "none.png");
}
