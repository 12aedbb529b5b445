//! One after another with a person at hand: asked after a failure, told that questions wait, and each with a line of its own.

use std::sync::Arc;

use crate::pty::{Pty, Start};
use crate::stub::{agent, at_terminal};
use crate::support::temp::Temp;
use crate::support::wait::eventually;

#[test]
fn after_a_failure_the_person_is_asked_whether_to_go_on() {
    for (key, marks) in [("y", true), ("n", false)] {
        let folder = Arc::new(Temp::new());
        let mut tim = at_terminal(&folder, &["--task", "fails", "--task", "marks b"]);
        tim.sees("questions wait for you, also all night");
        tim.sees("fails failed. Go on with the one task that is left?");
        tim.armed("y yes");
        tim.types(key);
        assert_eq!(tim.ends(), 1);
        assert_eq!(folder.path("home/b").exists(), marks);
        let summary = if marks { "✗ 1 of 2 done (exit 1)" } else { "2 · marks b: did not begin" };
        tim.sees(summary);
        tim.assert_modes_restored();
    }
}

#[test]
fn half_a_line_is_not_carried_to_the_next_agent_and_not_lost() {
    let folder = Arc::new(Temp::new());
    for name in ["first", "second"] {
        std::fs::write(folder.path(&format!("home/{name}")), "").unwrap();
    }
    let mut tim = at_terminal(&folder, &["--task", "waits first", "--task", "waits second hears got"]);
    tim.sees("begins waits first");
    tim.types("for the first");
    tim.sees("❯ for the first");
    std::fs::remove_file(folder.path("home/first")).unwrap();
    tim.sees("begins waits second");
    tim.sees("! not sent: for the first");
    tim.until("an empty line", |picture| picture.times("❯ for the first") == 0);
    tim.types("\x1b[A");
    tim.sees("❯ for the first");
    std::fs::remove_file(folder.path("home/second")).unwrap();
    tim.types("\r");
    tim.sees("heard");
    assert_eq!(tim.ends(), 0);
    let got = std::fs::read_to_string(folder.path("home/got")).unwrap();
    assert!(got.contains("for the first"), "{got}");
}

#[test]
fn ctrl_c_twice_ends_all_of_it_and_nothing_more_begins() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    let mut tim = at_terminal(
        &folder,
        &["-j", "2", "--task", "waits held", "--task", "waits held x", "--task", "marks c"],
    );
    tim.sees("begins waits held x");
    tim.types("\x03");
    tim.sees("Ctrl-C again within 2 s ends the run");
    tim.types("\x03");
    assert_eq!(tim.ends(), 130);
    tim.sees("✗ 0 of 3 done (exit 130)");
    assert!(!folder.path("home/c").exists());
    tim.assert_modes_restored();
}

#[test]
fn out_while_it_is_asked_whether_to_go_on_is_out() {
    let folder = Arc::new(Temp::new());
    let mut tim = at_terminal(&folder, &["--task", "fails", "--task", "marks b"]);
    tim.sees("Go on with the one task");
    tim.signal(rustix::process::Signal::TERM);
    assert_eq!(tim.ends(), 143);
    assert!(!folder.path("home/b").exists());
}

#[test]
fn final_texts_are_printed_when_the_screen_is_gone_and_not_over_it() {
    let folder = Arc::new(Temp::new());
    let mut tim = at_terminal(&folder, &["-p", "--task", "marks x", "--task", "marks y"]);
    assert_eq!(tim.ends(), 0);
    let rows = tim.assert_modes_restored().rows();
    let at = |text: &str| {
        rows.iter().position(|row| row.trim_end() == text).unwrap_or_else(|| panic!("{text}: {rows:#?}"))
    };
    assert!(
        at("==> marks-x <==") + 1 == at("did marks x") && at("did marks x") < at("==> marks-y <=="),
        "{rows:#?}"
    );
    assert!(
        rows.iter().position(|row| row.contains("✓ 2 of 2 done")).unwrap() < at("==> marks-x <=="),
        "{rows:#?}"
    );
}

#[test]
fn half_a_line_behind_the_last_task_is_still_there_at_the_end() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    let mut tim = at_terminal(&folder, &["--task", "marks x", "--task", "waits held"]);
    tim.sees("begins waits held");
    tim.types("one more thing");
    tim.sees("❯ one more thing");
    std::fs::remove_file(folder.path("home/held")).unwrap();
    tim.sees("your line is still here");
    tim.sees("❯ one more thing");
    tim.types("\x03");
    assert_eq!(tim.ends(), 0);
}

#[test]
fn whoever_wants_to_go_on_is_not_asked_after_a_failure() {
    let folder = Arc::new(Temp::new());
    let flags = ["--keep-going", "--task", "fails", "--task", "marks b"];
    let mut tim = at_terminal(&folder, &flags);
    assert_eq!(tim.ends(), 1);
    assert!(folder.path("home/b").exists());
    assert_eq!(tim.picture().times("Go on with"), 0, "{}", tim.picture());
}

#[test]
fn whether_to_go_on_waits_no_longer_than_a_permission_does() {
    let folder = Arc::new(Temp::new());
    let flags =
        ["--permission-timeout", "1s", "--question-timeout", "1s", "--task", "fails", "--task", "marks b"];
    let mut tim = at_terminal(&folder, &flags);
    tim.saw("Go on with the one task");
    assert_eq!(tim.ends(), 1);
    assert!(folder.path("home/b").exists(), "nobody said no");
    assert_eq!(tim.picture().times("all night"), 0, "{}", tim.picture());
}

/// Two at once and a third behind them. While they work the folder begins to bring something, and one of the two ends.
fn doubted(folder: &Arc<Temp>) -> Pty {
    doubted_with(folder, ["waits held marks a", "marks begun waits first", "marks c"], &[])
}

/// The same with those tasks and flags.
fn doubted_with(folder: &Arc<Temp>, tasks: [&str; 3], more: &[&str]) -> Pty {
    let app = folder.folder("home/app");
    for name in ["held", "first"] {
        std::fs::write(app.join(name), "").unwrap();
    }
    let agent = agent(folder);
    let begin = ["run", "--claude", agent.to_str().unwrap(), "-j", "2"];
    let tasks = tasks.iter().flat_map(|task| ["--task", task]);
    let flags: Vec<&str> = begin.iter().chain(more).copied().chain(tasks).collect();
    let tim = Start::tim(folder, &flags).within(&app).go();
    eventually("both to work", || app.join("begun").exists().then_some(()));
    std::fs::create_dir(app.join(".claude")).unwrap();
    let settings = r#"{"permissions":{"allow":["Bash(ls:*)"]}}"#;
    std::fs::write(app.join(".claude/settings.json"), settings).unwrap();
    std::fs::remove_file(app.join("first")).unwrap();
    tim.sees("1 allow rule");
    tim
}

#[test]
fn the_others_are_watched_while_somebody_is_asked_about_the_folder() {
    let folder = Arc::new(Temp::new());
    let mut tim = doubted(&folder);
    std::fs::remove_file(folder.path("home/app/held")).unwrap();
    tim.sees("waits-held  │ ✓ done");
    assert!(folder.path("home/app/a").exists() && !folder.path("home/app/c").exists());
    tim.armed("y trust it and go on");
    tim.types("y");
    assert_eq!(tim.ends(), 0);
    tim.sees("✓ 3 of 3 done");
    assert!(folder.path("home/app/c").exists());
}

#[test]
fn a_folder_that_is_not_trusted_starts_nothing_more_and_ends_nobody() {
    let folder = Arc::new(Temp::new());
    let mut tim = doubted(&folder);
    tim.armed("n stop");
    tim.types("n");
    tim.sees("the folder is not trusted: nothing was");
    std::fs::remove_file(folder.path("home/app/held")).unwrap();
    assert_eq!(tim.ends(), 2);
    tim.sees("✗ 2 of 3 done (exit 2)");
    assert!(folder.path("home/app/a").exists() && !folder.path("home/app/c").exists());
}

#[test]
fn a_signal_while_somebody_is_asked_about_the_folder_ends_all_of_it() {
    let folder = Arc::new(Temp::new());
    let mut tim = doubted(&folder);
    tim.signal(rustix::process::Signal::TERM);
    assert_eq!(tim.ends(), 143);
    tim.sees("✗ 1 of 3 done (exit 143)");
    assert!(!folder.path("home/app/a").exists() && !folder.path("home/app/c").exists());
}

#[test]
fn a_task_that_waits_for_trust_does_not_begin_after_a_failure() {
    let folder = Arc::new(Temp::new());
    let tasks = ["waits held fails", "marks begun waits first", "marks c"];
    let mut tim = doubted_with(&folder, tasks, &["--fail-fast"]);
    tim.types("@marks-c hello\r");
    tim.sees("hello");
    std::fs::remove_file(folder.path("home/app/held")).unwrap();
    assert_eq!(tim.ends(), 1, "nobody need answer any more");
    tim.sees("3 · marks-c  marks c: did not begin");
    tim.sees("! not sent: hello");
    assert!(!folder.path("home/app/c").exists());
}

#[test]
fn ctrl_c_at_the_first_question_about_the_folder_is_out() {
    let folder = Arc::new(Temp::new());
    let (app, agent) = (folder.folder("home/app"), agent(&folder));
    std::fs::create_dir(app.join(".claude")).unwrap();
    std::fs::write(app.join(".claude/settings.json"), r#"{"permissions":{"allow":["Bash(ls:*)"]}}"#).unwrap();
    let flags = ["run", "--claude", agent.to_str().unwrap(), "--task", "marks a", "--task", "marks b"];
    let mut tim = Start::tim(&folder, &flags).within(&app).go();
    tim.armed("n stop");
    tim.types("\x03");
    assert_eq!(tim.ends(), 130);
    assert!(!app.join("a").exists() && !app.join("b").exists());
}
