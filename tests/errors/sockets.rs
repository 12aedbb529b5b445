//! Sockets: that of the tim above, and one of our own.

use insta::assert_snapshot;

use crate::home::Home;
use crate::support::serve::Serve;
use crate::told::{Book, shown};

/// A path that no socket can have.
fn long(home: &Home) -> String {
    home.word(&"x".repeat(200))
}

#[test]
fn a_tim_above_that_is_none_is_said_and_what_can_go_on_does() {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("home/note.txt", "hello");
    let (dead, file, long) = (home.word("dead.sock"), home.word("home/note.txt"), long(&home));
    let ask = ["ask", "confirm", "Go?"];
    for (sentence, socket, shown) in [
        ("Nobody listens there.", &dead, "TEMP/dead.sock"),
        ("It is no socket.", &file, "TEMP/home/note.txt"),
        ("No socket can be called so.", &long, "TEMP/xxx…"),
    ] {
        let command = format!("TIM_OUTPUT_SOCKET={shown} tim ask confirm 'Go?'");
        book.fails_as(sentence, &command, home.below(socket, &ask));
    }
    book.fails("Nobody is there at all.", &home, &ask);
    let below = |command: &str| format!("TIM_OUTPUT_SOCKET=TEMP/dead.sock tim {command}");
    book.fails_as("A run has no agent either.", &below("run go"), home.below(&dead, &["run", "go"]));
    book.goes_on("A report is printed here.", &below("emit hi"), home.below(&dead, &["emit", "hi"]));
    assert_snapshot!("above", book.text());
}

#[test]
fn a_socket_that_cannot_be_is_said_before_anything_starts() {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("home/note.txt", "hello");
    home.folder("home/folder");
    let serve = Serve::ready(home.tim(&["serve", "--socket", "taken.sock"]).start());
    let long = long(&home);
    for (sentence, path) in [
        ("A file is there.", "note.txt"),
        ("A folder is there.", "folder"),
        ("Somebody listens there.", "taken.sock"),
        ("Its folder is not there.", "nowhere/x.sock"),
        ("A file is in the place of its folder.", "note.txt/x.sock"),
        ("The path is too long.", &long),
        ("It has no path.", ""),
    ] {
        book.fails(sentence, &home, &["serve", "--socket", path]);
    }
    let places = ["XDG_RUNTIME_DIR", "TMPDIR"];
    let launch =
        places.iter().fold(home.tim(&["serve"]), |launch, name| launch.env(name, home.path("home/note.txt")));
    book.fails_as(
        "There is no place for one.",
        &format!("XDG_RUNTIME_DIR=note.txt {}", shown(&home, &["serve"])),
        launch,
    );
    drop(serve);
    assert_snapshot!("own_socket", book.text());
}
