//! `--require-journal`: nothing happens without a record.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use serde_json::json;

use crate::stub::{played, run, run_in};
use crate::support::client::assert_answered;
use crate::support::journal::Journal;
use crate::support::launch::Launch;
use crate::support::serve::Serve;
use crate::support::temp::{Temp, all_below};

/// Asks again and again, and notes what it is told.
pub(crate) fn asking(times: usize, noted: &std::path::Path) -> String {
    format!(
        "hears; printf '%s\\n' \"$line\" >> {0}; init; i=0\nwhile [ $i -lt {times} ]; do i=$((i+1)); asks q$i; hears\n\
         [ -n \"$line\" ] || exit 0; printf '%s\\n' \"$line\" >> {0}; done\nresult; to_the_end",
        noted.display()
    )
}

#[test]
fn f113_where_there_can_be_no_record_a_run_that_requires_one_does_not_begin() {
    let ends = |says: &str, with: &dyn Fn(Launch, &Temp) -> Launch| {
        let folder = Arc::new(Temp::new());
        // Root may write into every folder, but below a file there is none.
        std::fs::write(folder.path("file"), "").unwrap();
        let launch = run_in(Arc::clone(&folder), "touch started; hears; init; result; to_the_end");
        let launch = launch.within(folder.path("home")).arg("--require-journal");
        let (code, _, stderr) = played(with(launch, &folder));
        assert_eq!(code, 74, "{stderr}");
        assert!(stderr.contains(says), "{stderr}");
        assert!(!folder.path("home/started").exists(), "nothing was started");
    };
    ends("turns it off; unset that", &|launch, _| launch.env("TIM_JOURNAL", "off"));
    ends("no folder: choose another place", &|launch, folder| {
        launch.env("XDG_STATE_HOME", folder.path("file"))
    });
    ends("HOME says where; set one", &|launch, _| launch.without("HOME").without("XDG_STATE_HOME"));
    ends("choose another name", &|launch, folder| launch.arg("--journal").arg(folder.path("file")));
}

#[test]
fn to_require_a_record_and_to_keep_none_is_a_contradiction() {
    for command in ["run", "serve"] {
        let (code, _, stderr) = Launch::tim([command, "--require-journal", "--no-journal"]).start().exit();
        assert_eq!(code, Some(2), "{stderr}");
    }
    let folder = Arc::new(Temp::new());
    configure(&folder, "require-journal = true\n");
    let (code, _, stderr) = Launch::tim_in(folder, ["serve", "--no-journal"]).start().exit();
    assert_eq!(code, Some(2), "{stderr}");
    assert!(stderr.contains("require-journal = true"), "{stderr}");
}

/// Writes the user's file.
pub(crate) fn configure(folder: &Temp, text: &str) {
    std::fs::create_dir(folder.path("config/tim")).unwrap();
    let file = folder.path("config/tim/config.toml");
    std::fs::write(&file, text).unwrap();
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o600)).unwrap();
}

#[test]
fn a_record_that_can_be_written_is_all_that_is_required() {
    let (code, stdout, stderr) = played(run("hears; init; result; to_the_end").arg("--require-journal"));
    assert_eq!((code, stdout.as_str()), (0, "ok\n"), "{stderr}");
}

#[test]
fn f112_where_it_is_required_nothing_takes_effect_whose_record_is_lost_and_the_run_ends() {
    let folder = Arc::new(Temp::new());
    let noted = folder.path("noted");
    let launch = run_in(Arc::clone(&folder), &asking(500, &noted)).limited("--fsize=16384");
    let (code, _, stderr) = played(launch.arg("--answer-command").arg(crate::YES).arg("--require-journal"));
    assert_eq!(code, 74, "{stderr}");
    assert_eq!(stderr.matches("the journal loses records").count(), 1, "{stderr}");
    let journal = Journal::read(&crate::records(&folder)[0]);
    let sent: Vec<&str> = journal.lines("to").into_iter().map(|(_, line)| line).collect();
    let told = std::fs::read_to_string(&noted).unwrap();
    assert!(told.lines().count() > 1, "it was told something before: {told}");
    for line in told.lines() {
        assert!(sent.contains(&line), "told, but not on record: {line}");
    }
}

#[test]
fn f112_where_it_is_not_required_the_same_run_goes_on_to_its_end() {
    let folder = Arc::new(Temp::new());
    let noted = folder.path("noted");
    let launch = run_in(Arc::clone(&folder), &asking(40, &noted)).limited("--fsize=16384");
    let (code, _, stderr) = played(launch.arg("--answer-command").arg(crate::YES));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stderr.matches("the journal loses records").count(), 1, "{stderr}");
    assert_eq!(std::fs::read_to_string(&noted).unwrap().lines().count(), 41);
}

#[test]
fn f112_a_service_that_requires_its_record_ends_when_it_is_lost() {
    let launch = Launch::tim(["serve", "--require-journal", "--answer-command", "echo true"]);
    let mut serve = Serve::ready(launch.limited("--fsize=16384").start());
    let mut client = serve.client();
    assert_answered(&client.round_trip("first"), &json!(true));
    let text = "x".repeat(20_000);
    client.ask("long", "confirm", &json!({"message": text}));
    assert_eq!(serve.ended().code(), Some(74), "{}", serve.stderr.text());
    assert!(client.end("it is gone").is_empty(), "nobody was told an answer whose record is lost");
    assert!(serve.stderr.whole().contains("and it is required: everything ends"));
    assert!(all_below(&serve.folder().path("run/tim")).is_empty(), "nothing of it is left");
}

#[test]
fn f117_where_it_is_required_a_record_that_somebody_removes_or_empties_is_lost() {
    for (loses, spoil) in SPOILT {
        let launch =
            Launch::tim(["serve", "--require-journal", "--answer-command", "echo true", "--journal"]);
        let file = launch.folder().path("a.jsonl");
        let mut serve = Serve::ready(launch.arg(&file).start());
        let mut client = serve.client();
        assert_answered(&client.round_trip("before"), &json!(true));
        spoil(&file).unwrap();
        client.ask("after", "confirm", &json!({"message": "still there?"}));
        assert_eq!(serve.ended().code(), Some(74), "{loses}: {}", serve.stderr.text());
        assert!(client.end("it is gone").is_empty(), "{loses}: nobody was told an answer without a record");
        assert!(serve.stderr.whole().contains("somebody removed or shortened it"), "{loses}");
    }
}

type Spoil = fn(&std::path::Path) -> std::io::Result<()>;
const SPOILT: [(&str, Spoil); 2] =
    [("removed", |file| std::fs::remove_file(file)), ("emptied", |file| std::fs::write(file, ""))];
