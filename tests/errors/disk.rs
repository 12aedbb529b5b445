//! A disk that is full, places that cannot be written, and nobody who reads.

use insta::assert_snapshot;

use crate::home::Home;
use crate::support::launch::{Launch, Reading};
use crate::told::Book;

/// With a full disk as stdout.
fn onto_full(launch: Launch) -> Launch {
    let words = ["sh", "-c", "exec \"$@\" > /dev/full", "sh"];
    launch.inside(&words.map(str::to_owned))
}

#[test]
fn what_cannot_be_printed_is_a_failure() {
    let (home, mut book) = (Home::new(), Book::default());
    let fixture = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures/runs/stream-agent.jsonl");
    std::fs::copy(fixture, home.path("home/run.jsonl")).unwrap();
    for (sentence, command) in [
        ("The help.", "--help"),
        ("What runs.", "ps"),
        ("The runs of the past.", "log"),
        ("One run.", "log ./run.jsonl"),
        ("A record to share.", "log redact ./run.jsonl"),
        ("A run, played again.", "replay run.jsonl"),
        ("The rules.", "rules list"),
        ("A report.", "emit hi"),
        ("A demo.", "demo --speed max"),
    ] {
        let arguments: Vec<&str> = command.split(' ').collect();
        book.fails_as(sentence, &format!("tim {command} > /dev/full"), onto_full(home.tim(&arguments)));
    }
    assert_snapshot!("full", book.text());
}

#[test]
fn where_nobody_reads_any_more_the_exit_code_says_so_and_nothing_else() {
    let (home, mut book) = (Home::new(), Book::default());
    for command in ["rules --help", "demo --speed max"] {
        let arguments: Vec<&str> = command.split(' ').collect();
        let launch = home.tim(&arguments).reading(Reading::Nothing);
        book.fails_as("Nobody reads.", &format!("tim {command} | true"), launch);
    }
    assert_snapshot!("closed", book.text());
}

#[test]
fn a_record_that_cannot_be_kept_is_said_and_a_failure_where_it_is_required() {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("home/note.txt", "hello");
    let nowhere = |arguments: &[&str]| home.tim(arguments).env("XDG_STATE_HOME", home.path("home/note.txt"));
    for (sentence, arguments) in [
        ("A run that must be on record.", &["run", "--require-journal", "go"][..]),
        ("A service that must be.", &["serve", "--require-journal"]),
        ("A run that need not be: it is said, and goes on.", &["run", "go"]),
        ("Runs to look back at.", &["log"]),
    ] {
        let command = format!("XDG_STATE_HOME=note.txt {}", crate::told::shown(&home, arguments));
        book.fails_as(sentence, &command, nowhere(arguments));
    }
    book.fails("A record at a place that there is not.", &home, &["serve", "--journal", "nowhere/x.jsonl"]);
    book.fails("A record where a file is.", &home, &["serve", "--journal", "note.txt"]);
    assert_snapshot!("no_record", book.text());
}

#[test]
fn without_a_home_it_is_said_what_to_set() {
    let (home, mut book) = (Home::new(), Book::default());
    let homeless = |arguments: &[&str]| {
        ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME"]
            .into_iter()
            .fold(home.tim(arguments), |launch, name| launch.without(name))
    };
    for (sentence, arguments) in [
        ("Runs to look back at.", &["log"][..]),
        ("Rules to list.", &["rules", "list"]),
        ("A rule to add.", &["rules", "add", "Read"]),
        ("A run goes on without a record.", &["run", "go"]),
    ] {
        let command = format!("env -u HOME {}", crate::told::shown(&home, arguments));
        book.fails_as(sentence, &command, homeless(arguments));
    }
    assert_snapshot!("no_home", book.text());
}
