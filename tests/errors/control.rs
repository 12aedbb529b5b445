//! Another shell: answers, lines and stops for runs that are not there, or that are not the ones that were meant.

use insta::assert_snapshot;

use crate::home::Home;
use crate::support::launch::Process;
use crate::support::serve::Serve;
use crate::support::wait::eventually;
use crate::told::Book;

/// A service of which a client has asked something that nobody answers.
fn asked(home: &Home) -> (Serve, Process) {
    let serve = Serve::ready(home.tim(&["serve", "--wait", "--no-journal"]).start());
    let ask = ["ask", "select", "Which?", "--choice", "a", "--choice", "b"];
    let client = home.below(serve.socket().to_str().unwrap(), &ask).start();
    serve.stdout.wait("the question", |said, _| said.contains("Which?").then_some(())).unwrap();
    (serve, client)
}

/// How often a text stands in what `tim ps` says.
fn counted(home: &Home, text: &str, wanted: usize) {
    let ps = || home.tim(&["ps"]).start().exit().1;
    eventually(&format!("{wanted} of {text}"), || (ps().matches(text).count() == wanted).then_some(()));
}

#[test]
fn where_nothing_runs_nothing_can_be_said_to_it() {
    let (home, mut book) = (Home::new(), Book::default());
    book.fails("An answer.", &home, &["answer", "p1", "y"]);
    book.fails("A line.", &home, &["send", "claude", "also the tests"]);
    book.fails("A stop.", &home, &["stop", "claude"]);
    assert_snapshot!("nothing_runs", book.text());
}

#[test]
fn whoever_names_nobody_hears_who_is_there() {
    let (home, mut book) = (Home::new(), Book::default());
    let (_serve, _client) = asked(&home);
    for (sentence, arguments) in [
        ("A question that there never was.", &["answer", "p99", "y"][..]),
        ("Something that is no key.", &["answer", "nonsense", "y"]),
        ("A run that there is not.", &["answer", "zz.p1", "y"]),
        ("A choice that there is not.", &["answer", "p1", "c"]),
        ("A reason for what is no permission.", &["answer", "p1", "a", "--reason", "so"]),
        ("A value that is no JSON.", &["answer", "p1", "--json", "{"]),
        ("A name that nobody has.", &["send", "claude", "hi"]),
        ("A run of another name.", &["send", "claude", "hi", "--run", "zz"]),
        ("An agent that was started elsewhere.", &["stop", "script"]),
    ] {
        book.fails(sentence, &home, arguments);
    }
    assert_eq!(home.tim(&["answer", "p1", "a"]).start().exit().0, Some(0));
    book.fails("An answer that comes too late.", &home, &["answer", "p1", "b"]);
    assert_snapshot!("nobody_meant", book.text());
}

#[test]
fn a_name_that_several_have_is_not_guessed() {
    let (home, mut book) = (Home::new(), Book::default());
    let _asked = (asked(&home), asked(&home));
    home.program("claude", "case \"$1\" in --version|--help) exit;; esac; cat > /dev/null");
    let claude = home.word("claude");
    let run = || home.tim(&["run", "--no-journal", "--claude", &claude, "go"]).start();
    let _runs = (run(), run());
    counted(&home, "claude  ", 2);
    book.fails("A line for one of two.", &home, &["send", "claude", "hi"]);
    book.fails("A stop of one of two.", &home, &["stop", "claude"]);
    book.fails("An answer to one of two.", &home, &["answer", "p1", "a"]);
    assert_snapshot!("several_meant", book.text());
}
