//! Tasks of the command line and of files, without a terminal: what is printed, ticked, and how it exits.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use serde_json::json;

use crate::stub::{objects, played, run};
use crate::support::launch::Launch;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

fn tasks<'a>(texts: &[&'a str]) -> Vec<&'a str> {
    texts.iter().flat_map(|text| ["--task", *text]).collect()
}

#[test]
fn tasks_run_one_after_another_and_each_final_text_has_its_name() {
    let folder = Arc::new(Temp::new());
    let flags = tasks(&["marks x", "marks b"]);
    let (code, stdout, stderr) = played(run(&folder, &flags));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout, "==> marks-x <==\ndid marks x\n==> marks-b <==\ndid marks b\n");
    assert!(stderr.contains("✓ 2 of 2 done"), "{stderr}");
}

#[test]
fn boxes_are_ticked_only_for_what_is_done_and_the_worst_code_counts() {
    let folder = Arc::new(Temp::new());
    let file = folder.path("home/TODO.md");
    std::fs::write(&file, "# Later\n- [ ] marks a\n- [x] old\n- [ ] fails\n- [ ] asks b\n* [ ] marks c\n")
        .unwrap();
    let (code, _, stderr) = played(run(&folder, &["--tasks", "TODO.md"]));
    assert_eq!(code, 1, "failed is worse than undecided: {stderr}");
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text, "# Later\n- [x] marks a\n- [x] old\n- [ ] fails\n- [ ] asks b\n* [x] marks c\n");
    assert!(stderr.contains("✗ 2 of 4 done (exit 1)"), "{stderr}");
    assert!(
        stderr.contains("2 ✗ fails: it broke") && stderr.contains("3 – asks b: nobody decided"),
        "{stderr}"
    );
    assert!(stderr.contains("tim run --tasks TODO.md  the 2 that are not ticked"), "{stderr}");
    assert!(!folder.path("home/b").exists(), "nobody allowed it");
    // What is ticked is not done again.
    let (code, stdout, _) = played(run(&folder, &["--tasks", "TODO.md", "--refused-ok"]));
    assert_eq!(code, 1);
    assert_eq!(stdout, "==> fails <==\nit broke\n==> asks-b <==\ndid asks b\n");
    std::fs::write(&file, "- [x] all\n").unwrap();
    let (code, _, stderr) = played(run(&folder, &["--tasks", "TODO.md"]));
    assert_eq!(code, 2);
    assert!(stderr.contains("every box is ticked"), "{stderr}");
}

#[test]
fn a_box_that_somebody_took_away_meanwhile_is_said() {
    let folder = Arc::new(Temp::new());
    let file = folder.path("home/TODO.md");
    std::fs::write(&file, "- [ ] marks begun waits held\n").unwrap();
    std::fs::write(folder.path("home/held"), "").unwrap();
    let mut tim = run(&folder, &["--tasks", "TODO.md", "--task", "marks x"]).start();
    eventually("the second to begin", || folder.path("home/begun").exists().then_some(()));
    std::fs::write(&file, "other words\n").unwrap();
    std::fs::remove_file(folder.path("home/held")).unwrap();
    let (code, _, stderr) = tim.exit();
    assert_eq!(code, Some(0), "the work is done: {stderr}");
    assert!(stderr.contains("TODO.md was not ticked: - [ ] marks begun waits held is not in it"), "{stderr}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "other words\n");
}

#[test]
fn nothing_begins_after_a_failure_if_the_user_said_so() {
    let folder = Arc::new(Temp::new());
    let mut flags = tasks(&["marks a", "fails", "marks c"]);
    flags.push("--fail-fast");
    let (code, _, stderr) = played(run(&folder, &flags));
    assert_eq!(code, 1);
    assert!(stderr.contains("3 · marks c: did not begin"), "{stderr}");
    assert!(folder.path("home/a").exists() && !folder.path("home/c").exists());
}

#[test]
fn one_that_is_killed_does_not_touch_the_others() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    let mut flags = tasks(&["waits held marks a", "dies", "fails", "marks d"]);
    flags.extend(["-j", "2"]);
    let mut tim = run(&folder, &flags).start();
    eventually("the last to be done", || folder.path("home/d").exists().then_some(()));
    std::fs::remove_file(folder.path("home/held")).unwrap();
    let (code, stdout, stderr) = tim.exit();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("✗ 2 of 4 done") && folder.path("home/a").exists(), "{stderr}");
    assert!(stdout.contains("==> waits-held <==\ndid waits held marks a\n"), "{stdout}");
}

#[test]
fn programs_read_one_object_with_all_tasks() {
    let folder = Arc::new(Temp::new());
    let mut flags = tasks(&["marks a", "fails", "marks c"]);
    flags.extend(["--output-format", "json", "--fail-fast", "-n", "first"]);
    let (code, stdout, _) = played(run(&folder, &flags));
    let printed = objects(&stdout);
    assert_eq!((code, printed.len()), (1, 1), "{stdout}");
    let batch = &printed[0];
    assert_eq!(
        (&batch["type"], &batch["exit_code"], &batch["done"]),
        (&json!("tim_batch"), &json!(1), &json!(1))
    );
    assert_eq!(batch["total_cost_usd"], json!(0.5));
    let tasks = batch["tasks"].as_array().unwrap();
    let told = |at: usize| (tasks[at]["name"].as_str().unwrap(), tasks[at]["result"]["outcome"].as_str());
    assert_eq!(
        [told(0), told(1), told(2)],
        [("first", Some("done")), ("fails", Some("failed")), ("marks-c", None)]
    );
    assert_eq!(tasks[0]["result"]["result"], "did marks a");
}

#[test]
fn in_a_stream_each_line_says_whose_it_is() {
    let folder = Arc::new(Temp::new());
    let mut flags = tasks(&["marks x", "marks b"]);
    flags.extend(["--output-format", "stream-json", "-j", "2"]);
    let (code, stdout, _) = played(run(&folder, &flags));
    assert_eq!(code, 0);
    let printed = objects(&stdout);
    for name in ["marks-x", "marks-b"] {
        let of = |kind: &str| {
            printed
                .iter()
                .filter(|line| line["via"][0]["label"] == name && line["line"]["type"] == kind)
                .count()
        };
        assert_eq!((of("assistant"), of("result")), (1, 1), "{name}: {stdout}");
        assert_eq!(
            printed.iter().filter(|line| line["type"] == "tim_result" && line["name"] == name).count(),
            1
        );
    }
    assert_eq!(printed.last().unwrap()["type"], "tim_batch");
}

#[test]
fn the_time_of_a_run_is_that_of_each_agent() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    let mut flags = tasks(&["waits held", "marks b"]);
    flags.extend(["--timeout", "1s", "-j", "2"]);
    let (code, _, stderr) = played(run(&folder, &flags));
    assert_eq!(code, 3, "{stderr}");
    assert!(stderr.contains("✗ 1 of 2 done (exit 3)"), "{stderr}");
}

#[test]
fn a_record_of_several_agents_replays_as_it_was() {
    let folder = Arc::new(Temp::new());
    let mut flags = tasks(&["asks x", "marks b", "asks c"]);
    let journal = folder.path("run.jsonl");
    flags.extend(["-j", "3", "--journal", journal.to_str().unwrap(), "--allow", "Bash(touch:*)"]);
    let (code, _, stderr) = played(run(&folder, &flags));
    assert_eq!(code, 0, "{stderr}");
    let (code, stdout, stderr) = Launch::tim(["replay", "--check"]).arg(&journal).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    let (code, stdout, _) = Launch::tim(["replay", "--turns"]).arg(&journal).start().exit();
    assert_eq!(code, Some(0));
    assert!(["asks-x", "marks-b", "asks-c"].iter().all(|name| stdout.contains(name)), "{stdout}");
}

#[test]
fn what_makes_no_sense_for_several_is_a_usage_error() {
    let folder = Arc::new(Temp::new());
    for (flags, why) in [
        (&["--task", "a", "--task", "b", "-k"][..], "--keep-open is for one task"),
        (&["--task", "a", "--task", "b", "-c"], "--continue is for one task"),
        (&["--task", " "], "the text is empty"),
        (&["--task", "a", "-n", "x", "-n", "y"], "2 names (-n) for 1 thing to do"),
        (&["--task", "a", "-n", "all"], "the name is taken"),
        (&["--tasks", "missing.md"], "missing.md"),
        (&["--task", "a", "-j", "0"], "expected 1 to"),
        (&["--task", "a", "go"], "cannot be used with"),
        (&["--task", "a", "--keep-going", "--fail-fast"], "cannot be used with"),
    ] {
        let (code, _, stderr) = played(run(&folder, flags));
        assert_eq!(code, 2, "{flags:?}: {stderr}");
        assert!(stderr.contains(why), "{flags:?}: {stderr}");
    }
}

#[test]
fn tasks_come_through_a_pipe_too_and_have_no_box_to_tick() {
    let folder = Arc::new(Temp::new());
    let launch = run(&folder, &["--tasks", "-"]).stdin("- [ ] marks x\n- [x] marks old\n- [ ] marks y\n");
    let (code, stdout, stderr) = played(launch);
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(stdout, "==> marks-x <==\ndid marks x\n==> marks-y <==\ndid marks y\n");
    assert!(!stderr.contains("ticked"), "{stderr}");
}

#[test]
fn the_last_box_of_a_file_is_ticked_too_and_told_as_every_batch() {
    let folder = Arc::new(Temp::new());
    let file = folder.path("home/TODO.md");
    std::fs::write(&file, "- [x] old\n- [ ] marks a\n").unwrap();
    let (code, stdout, stderr) = played(run(&folder, &["--tasks", "TODO.md", "--output-format", "json"]));
    assert_eq!(code, 0, "{stderr}");
    let printed = objects(&stdout);
    assert_eq!((printed.len(), &printed[0]["type"]), (1, &json!("tim_batch")), "{stdout}");
    assert_eq!(printed[0]["tasks"][0]["ticked"], json!(true));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "- [x] old\n- [x] marks a\n");
}

#[test]
fn each_file_with_boxes_left_is_named_with_their_number() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/a.md"), "- [ ] fails\n- [ ] fails again\n").unwrap();
    std::fs::write(folder.path("home/b.md"), "- [ ] marks b\n- [ ] fails too\n").unwrap();
    let (code, _, stderr) = played(run(&folder, &["--tasks", "a.md", "--tasks", "b.md"]));
    assert_eq!(code, 1);
    assert!(stderr.contains("tim run --tasks a.md  the 2 that are not ticked"), "{stderr}");
    assert!(stderr.contains("tim run --tasks b.md  the one that is not ticked"), "{stderr}");
}

#[test]
fn one_task_may_have_a_picture() {
    let folder = Arc::new(Temp::new());
    let flags = ["--task", "marks a", "--image", "missing.png"];
    let (code, _, stderr) = played(run(&folder, &flags));
    assert_eq!(code, 2);
    assert!(stderr.contains("--image missing.png"), "it is read: {stderr}");
    let flags = ["--task", "a", "--task", "b", "--image", "missing.png"];
    let (code, _, stderr) = played(run(&folder, &flags));
    assert!(code == 2 && stderr.contains("--image is for one task"), "{stderr}");
}

#[test]
fn one_of_several_is_ended_from_another_shell_and_that_is_on_record() {
    let folder = Arc::new(Temp::new());
    std::fs::write(folder.path("home/held"), "").unwrap();
    let journal = folder.path("run.jsonl");
    let mut flags = tasks(&["waits held", "marks there waits held marks b"]);
    flags.extend(["-j", "2", "--journal", journal.to_str().unwrap()]);
    let mut tim = run(&folder, &flags).start();
    let stop = || Launch::tim_in(Arc::clone(&folder), ["stop", "--end", "waits-held"]).start().exit();
    eventually("both to work", || folder.path("home/there").exists().then_some(()));
    eventually("the first to be ended", || (stop().0 == Some(0)).then_some(()));
    let is_ended = || std::fs::read_to_string(&journal).is_ok_and(|text| text.contains(r#""rec":"exit""#));
    eventually("its end", || is_ended().then_some(()));
    std::fs::remove_file(folder.path("home/held")).unwrap();
    let (code, _, stderr) = tim.exit();
    assert_eq!(code, Some(1), "{stderr}");
    assert!(stderr.contains("1 ✗ waits-held  waits held: ended from another shell"), "{stderr}");
    assert!(stderr.contains("✗ 1 of 2 done") && folder.path("home/b").exists(), "{stderr}");
    let record = std::fs::read_to_string(&journal).unwrap();
    assert!(record.contains(r#""rec":"steer","wire":"claude:waits-held","what":"end""#), "{record}");
    let (code, stdout, stderr) = Launch::tim(["replay", "--check"]).arg(&journal).start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
}

#[test]
fn boxes_that_cannot_be_ticked_are_said_before_anything_starts_and_a_link_is_followed() {
    let folder = Arc::new(Temp::new());
    let file = folder.path("home/TODO.md");
    std::fs::write(&file, "- [ ] marks a\n").unwrap();
    std::os::unix::fs::symlink("TODO.md", folder.path("home/link.md")).unwrap();
    let mode = |mode| std::fs::set_permissions(&file, std::fs::Permissions::from_mode(mode)).unwrap();
    mode(0o444);
    let (code, _, stderr) = played(run(&folder, &["--tasks", "link.md"]));
    assert_eq!(code, 2, "{stderr}");
    assert!(stderr.contains("link.md: its boxes cannot be ticked: it is read-only"), "{stderr}");
    assert!(!folder.path("home/a").exists());
    mode(0o644);
    let (code, _, stderr) = played(run(&folder, &["--tasks", "link.md"]));
    assert_eq!(code, 0, "{stderr}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "- [x] marks a\n");
    assert!(folder.path("home/link.md").is_symlink());
}
