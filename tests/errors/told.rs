//! What is said of one mistake after another, as a document: a sentence, the command, all of stderr, the exit code.
//!
//! Owns what every failure must be: one to three rows, or a usage error in the usual form; nothing on stdout; no number of
//! an error, nothing in the form of a debugger, no backtrace. What differs from run to run has a name in its place.

use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use crate::home::Home;
use crate::support::launch::{Launch, Process};

/// A group of mistakes.
#[derive(Default)]
pub(crate) struct Book(String);

impl Book {
    /// A command that fails.
    pub(crate) fn fails(&mut self, sentence: &str, home: &Home, arguments: &[&str]) {
        self.fails_as(sentence, &shown(home, arguments), home.tim(arguments));
    }

    /// The same, started in a way of its own.
    pub(crate) fn fails_as(&mut self, sentence: &str, command: &str, launch: Launch) {
        let mut process = launch.start();
        let status = process.ended();
        let stdout = process.stdout.whole();
        assert_eq!(stdout, "", "{sentence} {command}");
        assert!(!status.success(), "{sentence} {command}");
        self.write(sentence, command, &process, status);
    }

    /// A command that says what is wrong, and goes on without it.
    pub(crate) fn goes_on(&mut self, sentence: &str, command: &str, launch: Launch) {
        let mut process = launch.start();
        let status = process.ended();
        assert!(status.success(), "{sentence} {command}: {}", process.stderr.whole());
        self.write(sentence, command, &process, status);
    }

    /// One that was ended by a signal, whatever stands on stdout.
    pub(crate) fn ended(&mut self, sentence: &str, command: &str, process: &mut Process) {
        let status = process.ended();
        assert!(!status.success(), "{sentence} {command}");
        self.write(sentence, command, process, status);
    }

    fn write(&mut self, sentence: &str, command: &str, process: &Process, status: ExitStatus) {
        let root = process.folder().path("").to_str().unwrap().to_owned();
        let stderr = masked(&process.stderr.whole(), &root);
        check(sentence, &stderr);
        self.add(sentence, command, &stderr, &how(status));
    }

    /// What a person saw at a terminal.
    pub(crate) fn add(&mut self, sentence: &str, command: &str, said: &str, how: &str) {
        self.0.push_str(&format!("{sentence}\n$ {command}\n{said}[{how}]\n\n"));
    }

    pub(crate) fn text(&self) -> &str {
        self.0.trim_end()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.lines().filter(|line| line.starts_with("$ ")).count()
    }
}

fn how(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit {code}"),
        (None, signal) => format!("signal {}", signal.unwrap()),
    }
}

/// What must be so whatever a snapshot holds.
fn check(sentence: &str, stderr: &str) {
    for word in ["os error", "panicked", "backtrace", "Some(", "Err(", "Error {", "kind:", "\u{1b}"] {
        assert!(!stderr.contains(word), "{sentence} {word:?} in {stderr}");
    }
    let first = stderr.lines().next().unwrap_or_default();
    if first.starts_with("error: ") {
        return;
    }
    let rows = stderr.lines().filter(|row| !row.starts_with("  look back"));
    assert!(rows.count() <= 3, "{sentence} {stderr}");
    // A run that was begun tells its end as one; what a signal ends needs no words.
    let begins = |with| first.starts_with(with);
    let is_ours = first.is_empty() || begins("tim: ") || begins("✗ ") || begins("– ");
    assert!(is_ours, "{sentence} {stderr}");
}

/// A command as somebody would have typed it.
pub(crate) fn shown(home: &Home, arguments: &[&str]) -> String {
    let root = home.word("");
    let quoted = |word: &&str| match word.replace(&root, "TEMP/") {
        word if word.contains('\'') => format!("\"{word}\""),
        word if word.is_empty() || word.contains([' ', '(', '{', '?']) => format!("'{word}'"),
        word => word,
    };
    let words: Vec<String> = arguments.iter().map(quoted).collect();
    format!("tim {}", shortened(&words.join(" ")))
}

/// The text with a name in the place of the folder, of random names, and without how long something took.
fn masked(text: &str, root: &str) -> String {
    let text = text.replace(root, "TEMP/").replace(root.trim_end_matches('/'), "TEMP");
    let rows = text.lines().map(|row| without_time(&without_names(&shortened(row))) + "\n");
    rows.collect()
}

/// Names of runs and of folders for sockets: eight hex digits or more.
fn without_names(row: &str) -> String {
    let (mut new, mut word) = (String::new(), String::new());
    for letter in row.chars().chain(['\n']) {
        if letter.is_ascii_alphanumeric() {
            word.push(letter);
            continue;
        }
        let is_name = word.len() >= 8 && word.chars().all(|letter| letter.is_ascii_hexdigit());
        new.push_str(if is_name { "RUN" } else { &word });
        new.push(letter);
        word.clear();
    }
    new.trim_end_matches('\n').to_owned()
}

/// A row of an end has how long it took, if that was a second.
fn without_time(row: &str) -> String {
    let is_time = |part: &&str| part.strip_suffix('s').is_some_and(|time| time.parse::<f64>().is_ok());
    match row.starts_with("✗ ") || row.starts_with("– ") {
        true => row.split("  ").filter(|part| !is_time(part)).collect::<Vec<_>>().join("  "),
        false => row.to_owned(),
    }
}

/// A path that is too long is not printed in full.
fn shortened(row: &str) -> String {
    row.replace(&"x".repeat(200), "xxx…")
}
