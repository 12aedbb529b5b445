//! Failures at a terminal: what a person sees there, and the exit code.

use insta::assert_snapshot;

use crate::home::Home;
use crate::pty::{Pty, Start};
use crate::told::{Book, shown};

fn at_terminal(home: &Home, arguments: &[&str]) -> Pty {
    Start::tim(&home.0, arguments).go()
}

/// Waits for its end, and writes down what it says behind those words.
fn ends(book: &mut Book, sentence: &str, command: &str, mut pty: Pty, behind: &str) {
    let code = pty.ends();
    let rows = pty.assert_modes_restored().history();
    let from = rows.iter().rposition(|row| row.contains(behind)).map_or(0, |at| at + 1);
    let said: String = rows[from..]
        .iter()
        .filter(|row| !row.is_empty())
        .map(|row| format!("{}\n", without_clock(row)))
        .collect();
    assert!(!said.contains("os error") && !said.contains("panicked"), "{said}");
    book.add(sentence, command, &said, &format!("exit {code}"));
}

/// A row without the time of day, which is its second word if it has one.
fn without_clock(row: &str) -> String {
    let is_clock = |word: &str| word.len() == 5 && word.as_bytes()[2] == b':';
    row.split(' ').map(|word| if is_clock(word) { "HH:MM" } else { word }).collect::<Vec<_>>().join(" ")
}

#[test]
fn at_a_terminal_it_is_said_as_plainly() {
    let (home, mut book) = (Home::new(), Book::default());
    for (sentence, arguments) in [
        ("A prompt from stdin, which is the terminal.", &["run", "-"][..]),
        ("Claude Code is not installed.", &["run", "go"]),
        ("No such file.", &["run", "-F", "missing.md"]),
    ] {
        let pty = at_terminal(&home, arguments);
        ends(&mut book, sentence, &shown(&home, arguments), pty, "→ You");
    }
    let mut pty = at_terminal(&home, &["ask", "confirm", "Go on?"]);
    pty.armed("y yes");
    pty.types("\x03");
    ends(&mut book, "Ctrl-C at a question.", "tim ask confirm 'Go on?'", pty, "nothing");
    assert_snapshot!("terminal", book.text());
}

#[test]
fn a_folder_that_is_not_trusted_starts_nothing_and_says_so() {
    let (home, mut book) = (Home::new(), Book::default());
    let hook = r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo hi"}]}]}}"#;
    home.file("home/.claude/settings.json", hook);
    home.folder("home/app");
    home.file("home/app/.claude/settings.json", hook);
    home.program("claude", "case \"$1\" in --version|--help) exit;; esac; touch started");
    let arguments = ["run", "go", "--claude", &home.word("claude")];
    let mut pty = Start::tim(&home.0, &arguments).within(&home.path("home/app")).go();
    pty.armed("y trust");
    pty.types("n");
    ends(&mut book, "A no to what the folder brings.", "tim run go", pty, "y trust");
    assert!(!home.path("home/app/started").exists());
    assert_snapshot!("not_trusted", book.text());
}
