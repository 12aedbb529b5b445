//! Disks that are full, gone or no disks, and lines that no terminal should see.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;

use base64::Engine as _;
use serde_json::{Value, json};

use crate::stub::{played, run_in};
use crate::support::client::assert_answered;
use crate::support::journal::Journal;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::Temp;

/// Mounts a small disk at a folder, for this process alone, most of it taken by a file; then becomes the program.
const SMALL_DISK: &str =
    "mount -t tmpfs -o size=128k none \"$0\" && head -c 90000 /dev/zero > \"$0/filler\" && exec \"$@\"";

/// The words by which a program has such a disk there, if this machine allows that.
fn small_disk(at: &Path) -> Option<Vec<String>> {
    let ways = [vec!["unshare", "--mount"], vec!["unshare", "--user", "--map-root-user", "--mount"]];
    let words = |way: &Vec<&str>| -> Vec<String> {
        let shell = ["sh", "-c", SMALL_DISK, at.to_str().unwrap()];
        way.iter().chain(&shell).map(|word| (*word).to_owned()).collect()
    };
    let is_possible = |words: &Vec<String>| {
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).arg("true").stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let found = ways.iter().map(words).find(is_possible);
    if found.is_none() {
        // Not by a macro: what those print is kept for a failure.
        let why = "NOT TESTED HERE: this machine lets nobody mount a small disk; the limit of a file stands in for it";
        std::io::stderr().write_all(format!("{why}\n").as_bytes()).unwrap();
    }
    found
}

/// The same file, as the process sees it.
fn within(pid: u32, path: &Path) -> PathBuf {
    PathBuf::from(format!("/proc/{pid}/root{}", path.display()))
}

#[test]
fn f112_f114_a_full_disk_is_said_once_and_when_there_is_room_again_the_gap_is_on_record() {
    let folder = Arc::new(Temp::new());
    let place = folder.folder("disk");
    let file = place.join("run.jsonl");
    let launch = Launch::tim_in(Arc::clone(&folder), ["serve", "--answer-command", "echo true", "--journal"]);
    let disk = small_disk(&place);
    let launch = match &disk {
        Some(words) => launch.inside(words),
        None => launch.limited("--fsize=32768"),
    };
    let mut serve = Serve::ready(launch.arg(&file).start());
    let seen = if disk.is_some() { within(serve.pid(), &file) } else { file.clone() };
    let mut client = serve.client();
    let text = "x".repeat(3_000);
    let mut number = 0;
    let mut ask = || {
        number += 1;
        client.ask(&format!("q{number}"), "confirm", &json!({"message": text}));
        assert_answered(&client.response(&format!("q{number}")), &json!(true));
    };
    while !serve.stderr.text().contains("the journal loses records") {
        ask();
    }
    (0..5).for_each(|_| ask());
    if disk.is_some() {
        std::fs::remove_file(within(serve.pid(), &place.join("filler"))).unwrap();
        (0..5).for_each(|_| ask());
        let journal = Journal::read(&seen);
        let gaps = journal.records("gap");
        assert!(!gaps.is_empty() && gaps[0]["lost"].as_u64().unwrap() > 0, "{gaps:?}");
        let last = journal.ends().pop().unwrap();
        assert_eq!((last.outcome.as_str(), journal.torn), ("answered", 0), "records again behind the gap");
    }
    let journal = Journal::read(&seen);
    assert!(journal.records("ask").len() > 2);
    assert_eq!(serve.finish(), Some(143));
    assert_eq!(serve.stderr.whole().matches("the journal loses records").count(), 1);
}

#[test]
fn f112_a_disk_that_is_full_from_the_start_ends_what_requires_a_record_before_it_begins() {
    let folder = Arc::new(Temp::new());
    let place = folder.folder("disk");
    let Some(mut words) = small_disk(&place) else { return limited_from_the_start() };
    for word in &mut words {
        *word = word.replace("head -c 90000", "head -c 200000").replace("filler\" &&", "filler\";");
    }
    let launch = run_in(Arc::clone(&folder), "touch started; hears; init; result; to_the_end");
    let launch =
        launch.within(folder.path("home")).arg("--require-journal").arg("--journal").arg(place.join("j"));
    let (code, _, stderr) = played(launch.inside(&words));
    assert_eq!(code, 74, "{stderr}");
    assert!(stderr.contains("make room"), "{stderr}");
    assert!(!folder.path("home/started").exists());
}

/// The same where there is no such disk.
fn limited_from_the_start() {
    let launch = Launch::tim(["serve", "--require-journal"]).limited("--fsize=10");
    let (code, _, stderr) = launch.start().exit();
    assert_eq!(code, Some(74), "{stderr}");
}

#[test]
fn f113_a_folder_that_cannot_be_used_is_said_once_and_ends_nothing() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("file"), "").unwrap();
    let launch = run_in(Arc::clone(&folder), "hears; init; result; to_the_end");
    let (code, stdout, stderr) = played(launch.env("XDG_STATE_HOME", folder.path("file")));
    assert_eq!((code, stdout.as_str()), (0, "ok\n"), "{stderr}");
    assert_eq!(stderr.matches("no journal:").count(), 1, "{stderr}");
}

#[test]
fn f116_a_pipe_or_a_device_is_no_journal_so_nobody_waits_for_its_reader() {
    let folder = Arc::new(Temp::new());
    let pipe = folder.path("pipe");
    rustix::fs::mkfifoat(rustix::fs::CWD, &pipe, 0o600.into()).unwrap();
    for path in [pipe.as_path(), Path::new("/dev/full")] {
        let launch = Launch::tim_in(Arc::clone(&folder), ["serve", "--journal"]).arg(path);
        let (code, stdout, stderr) = launch.start().exit();
        assert_eq!((code, stdout.as_str()), (Some(2), ""), "{stderr}");
        assert!(stderr.contains("exists already"), "{stderr}");
    }
}

#[test]
fn f117_a_record_that_is_moved_or_removed_goes_on_where_it_was() {
    let launch = Launch::tim(["serve", "--answer-command", "echo true", "--journal"]);
    let (file, moved) = (launch.folder().path("a.jsonl"), launch.folder().path("b.jsonl"));
    let mut serve = Serve::ready(launch.arg(&file).start());
    let mut client = serve.client();
    assert_answered(&client.round_trip("before"), &json!(true));
    std::fs::rename(&file, &moved).unwrap();
    assert_answered(&client.round_trip("moved"), &json!(true));
    assert_eq!(Journal::read(&moved).end_of("moved").outcome, "answered");
    std::fs::remove_file(&moved).unwrap();
    assert_answered(&client.round_trip("removed"), &json!(true));
    assert_eq!(serve.finish(), Some(143));
    assert_eq!(serve.stderr.whole(), "");
    assert!(!file.exists() && !moved.exists(), "it is not made anew");
}

#[test]
fn f118_hostile_lines_of_an_agent_are_one_line_of_json_each() {
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/hostile/lines.jsonl");
    let folder = Arc::new(Temp::new());
    let said = folder.path("said");
    let mut bytes = Vec::new();
    for case in std::fs::read_to_string(corpus).unwrap().lines() {
        let case: Value = serde_json::from_str(case).unwrap();
        bytes.extend(
            base64::engine::general_purpose::STANDARD.decode(case["base64"].as_str().unwrap()).unwrap(),
        );
        bytes.push(b'\n');
    }
    std::fs::write(&said, &bytes).unwrap();
    let script = format!("hears; init; cat {}; result; to_the_end", said.display());
    let (code, _, stderr) = played(run_in(Arc::clone(&folder), &script).arg("--unattended"));
    assert!([0, 1, 5].contains(&code), "{code}: {stderr}");
    let record = std::fs::read(&crate::records(&folder)[0]).unwrap();
    let text = String::from_utf8(record).unwrap();
    let shown = |letter: char| letter == '\n' || codec::text::is_printable(letter);
    assert_eq!(text.chars().find(|letter| !shown(*letter)), None);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let heard = lines.iter().filter(|line| line["dir"] == "from").count();
    assert!(heard > 50, "{heard} lines were heard");
}
