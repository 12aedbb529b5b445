//! Mistakes on the command line.

use insta::assert_snapshot;

use crate::home::Home;
use crate::told::Book;

/// What was mistyped, and how.
const MISTYPED: &[(&str, &[&str])] = &[
    ("A command that there is not.", &["rnu", "fix it"]),
    ("A flag of run that is misspelt names the one that was meant.", &["run", "--allwo", "Read", "go"]),
    ("A flag of ask.", &["ask", "confirm", "Go?", "--tiemout", "3s"]),
    ("A flag of emit.", &["emit", "--lable", "me", "hi"]),
    ("A flag of serve.", &["serve", "--sokcet", "x"]),
    ("A flag of demo.", &["demo", "--spede", "1"]),
    ("A flag of log.", &["log", "--decision"]),
    ("A flag of replay.", &["replay", "--sped", "1", "x"]),
    ("A flag of ps.", &["ps", "--jsno"]),
    ("A flag of answer.", &["answer", "p1", "y", "--raeson", "no"]),
    ("A flag of send.", &["send", "claude", "hi", "--rnu", "7f3c"]),
    ("A flag of stop.", &["stop", "claude", "--edn"]),
    ("A command of rules.", &["rules", "ad", "Read"]),
    ("A command of mcp.", &["mcp", "servr"]),
    ("A word too many.", &["serve", "now"]),
    ("Some flag of Claude Code that tim does not know.", &["run", "--cwd", "x", "go"]),
];

/// What is missing.
const MISSING: &[(&str, &[&str])] = &[
    ("A flag without its value.", &["run", "--model"]),
    ("A question without words.", &["ask", "confirm"]),
    ("Nothing to report.", &["emit"]),
    ("No file to play.", &["replay"]),
    ("No key to explain.", &["log", "why"]),
    ("No rule to add.", &["rules", "add"]),
    ("No answer.", &["answer", "p1"]),
    ("Nobody to send to.", &["send"]),
    ("Nothing to choose from.", &["ask", "select", "Which?"]),
    ("No prompt, and nobody at a terminal who could say one.", &["run"]),
    ("No prompt for a subagent.", &["subagent"]),
    ("An empty prompt.", &["run", "  "]),
    ("A picture without words.", &["run", "--image", "x.gif"]),
    ("Nobody to ask for the permission bridge.", &["mcp", "serve"]),
];

/// Values that are none, and flags that exclude each other.
const WRONG: &[(&str, &[&str])] = &[
    ("A time without a unit.", &["run", "--timeout", "30", "go"]),
    ("A time of an unknown unit.", &["ask", "confirm", "Go?", "--timeout", "5y"]),
    ("No time at all.", &["run", "--idle-timeout", "0s", "go"]),
    ("No agents at all.", &["run", "-j", "0", "--task", "a"]),
    ("A format that there is not.", &["run", "--output-format", "xml", "go"]),
    ("A kind of question that is misspelt.", &["ask", "confrim", "Go?"]),
    ("A level that there is not.", &["emit", "--level", "loud", "hi"]),
    ("A speed that is none.", &["demo", "--speed", "fast"]),
    ("A time that nobody understands.", &["log", "--since", "whenever"]),
    ("Somebody who decides nothing.", &["log", "--by", "god"]),
    ("Something that is no key of a decision.", &["log", "why", "xx"]),
    ("Choices where there is nothing to choose.", &["ask", "confirm", "Go?", "--choice", "a"]),
    ("A default that is neither yes nor no.", &["ask", "confirm", "Go?", "--default", "maybe"]),
    (
        "A default that is no choice.",
        &["ask", "select", "?", "--choice", "a", "--choice", "b", "--default", "c"],
    ),
    ("An approval with one choice.", &["ask", "approval", "Go?", "--choice", "a"]),
    ("A default where there is none.", &["ask", "text", "Why?", "--default", "so"]),
    ("Two ways to go on after a failure.", &["run", "--keep-going", "--fail-fast", "--task", "a"]),
    ("A prompt beside tasks.", &["run", "go", "--task", "b"]),
    ("A conversation of several tasks.", &["run", "-k", "--task", "a", "--task", "b"]),
    ("A task without words.", &["run", "--task", ""]),
    ("A record and none.", &["serve", "--journal", "x", "--no-journal"]),
    ("A record that is required and turned off.", &["run", "--require-journal", "--no-journal", "go"]),
    ("Two ways to look at a record.", &["replay", "--check", "--turns", "x"]),
    ("A flag of Claude Code for another agent.", &["run", "--backend", "cat", "--model", "m", "go"]),
    ("A prompt behind the two dashes.", &["run", "--", "go"]),
    ("A rule without its end.", &["run", "--allow", "Bash(git", "go"]),
    ("A rule without a tool.", &["serve", "--deny", "(x)"]),
    ("A rule to add that is none.", &["rules", "add", "Bash(git"]),
    ("A rule to remove that there is not.", &["rules", "remove", "Bash(git:*)"]),
];

fn book(mistakes: &[(&str, &[&str])]) -> Book {
    let (home, mut book) = (Home::new(), Book::default());
    home.file("home/x.gif", b"GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00;");
    mistakes.iter().for_each(|(sentence, arguments)| book.fails(sentence, &home, arguments));
    assert_eq!(book.len(), mistakes.len());
    book
}

#[test]
fn what_is_mistyped_is_named_with_what_was_meant() {
    assert_snapshot!("mistyped", book(MISTYPED).text());
}

#[test]
fn what_is_missing_is_named() {
    assert_snapshot!("missing", book(MISSING).text());
}

#[test]
fn what_cannot_be_meant_is_said_with_what_can() {
    assert_snapshot!("wrong", book(WRONG).text());
}
