//! Signals at every moment: each ends what runs, says so where there is something to say, and is the exit code.

use insta::assert_snapshot;
use rustix::process::Signal;

use crate::home::Home;
use crate::support::launch::{Process, Reading};
use crate::support::serve::Serve;
use crate::support::wait::eventually;
use crate::told::Book;

/// Ends it by a signal, and writes down what came of it.
fn ends(book: &mut Book, sentence: &str, command: &str, mut process: Process, signal: Signal) {
    process.signal(signal);
    let name = match signal {
        Signal::INT => "SIGINT",
        Signal::TERM => "SIGTERM",
        _ => "SIGHUP",
    };
    book.ended(&format!("{sentence} {name}."), command, &mut process);
}

/// A record of a report a second, which is more than a pipe holds.
fn long_record(home: &Home) {
    let mut record = "{\"seq\":0,\"t\":0,\"rec\":\"run\",\"v\":1,\"id\":\"7f3c0a1b\",\"seed\":\"7\"}\n\
        {\"seq\":1,\"t\":0,\"rec\":\"attach\",\"wire\":\"tunnel:1\",\"path\":\"script\"}\n"
        .to_owned();
    for number in 2..5_000 {
        record.push_str(&format!(
            "{{\"seq\":{number},\"t\":{},\"wire\":\"tunnel:1\",\"dir\":\"from\",\"line\":\"{{\\\"type\\\":\\\"log\\\",\
             \\\"args\\\":[\\\"a report of so many words that a pipe is soon full of them\\\"]}}\"}}\n",
            1_000 * number
        ));
    }
    home.file("home/long.jsonl", record);
}

/// Started, and its first row is there.
fn has_begun(home: &Home, arguments: &[&str]) -> Process {
    let process = home.tim(arguments).reading(Reading::FirstLine).start();
    process.stdout.wait("its first row", |said, _| said.contains('\n').then_some(())).unwrap();
    process
}

#[test]
fn a_service_and_whoever_asks_there_end_by_any_signal() {
    let (home, mut book) = (Home::new(), Book::default());
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let serve = has_begun(&home, &["serve", "--wait"]);
        ends(&mut book, "A service:", "tim serve --wait", serve, signal);
    }
    let serve = Serve::ready(home.tim(&["serve", "--wait"]).start());
    let asks = |words: &str| {
        let client = home.below(serve.socket().to_str().unwrap(), &["ask", "confirm", words]).start();
        serve.stdout.wait("the question", |said, _| said.contains(words).then_some(())).unwrap();
        client
    };
    for (words, signal) in [("One?", Signal::INT), ("Two?", Signal::TERM)] {
        let command = format!("tim ask confirm '{words}'");
        ends(&mut book, "A question that waits elsewhere:", &command, asks(words), signal);
    }
    assert_snapshot!("signals_service", book.text());
}

#[test]
fn what_looks_back_ends_at_once() {
    let (home, mut book) = (Home::new(), Book::default());
    long_record(&home);
    let replay = has_begun(&home, &["replay", "long.jsonl", "--speed", "1"]);
    ends(&mut book, "A run that is watched:", "tim replay long.jsonl --speed 1", replay, Signal::INT);
    let log = has_begun(&home, &["log", "./long.jsonl"]);
    ends(&mut book, "A long tale that nobody reads on:", "tim log ./long.jsonl", log, Signal::INT);
    assert_snapshot!("signals_past", book.text());
}

/// A run whose agent does that, when the file is there by which it says that it has begun.
fn run(home: &Home, script: &str) -> Process {
    let begun = home.path("begun");
    std::fs::remove_file(&begun).ok();
    home.program("claude", script);
    let process = home.tim(&["run", "go", "--claude", &home.word("claude")]).start();
    eventually("the agent has begun", || begun.exists().then_some(()));
    process
}

#[test]
fn a_run_ends_with_its_agent_whatever_that_is_doing() {
    let mut book = Book::default();
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let home = Home::new();
        let works = "case \"$1\" in --version|--help) exit;; esac; touch ../begun; cat > /dev/null";
        let process = run(&home, works);
        ends(&mut book, "The agent works:", "tim run go", process, signal);
    }
    for signal in [Signal::INT, Signal::TERM] {
        let home = Home::new();
        let process = run(&home, "touch ../begun; exec tail -f /dev/null");
        ends(&mut book, "The agent does not even say its version:", "tim run go", process, signal);
    }
    assert_snapshot!("signals_run", book.text());
}
