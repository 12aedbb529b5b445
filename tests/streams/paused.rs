//! While an agent waits for an answer: what it says meanwhile, and what becomes of it.

use std::fs;
use std::sync::Arc;

use crate::agent::{CANCEL, at_terminal, heard, played, record, response, run};
use crate::support::temp::Temp;

/// Prints more than anybody keeps of what an agent says behind its question.
const FLOOD: &str = r#"flood() { yes '{"type":"text_delta","text":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\n"}' | head -n "$1"; }
"#;

#[test]
fn what_an_agent_says_behind_its_question_waits_for_the_answer_and_is_all_there_then() {
    let folder = Arc::new(Temp::new());
    let script = format!("{FLOOD}hears; approval q; flood 100000; text 'the end'; hears; ends; to_the_end");
    let mut tim = at_terminal(&folder, &script, &[]);
    let asked = tim.armed("[a] Do it");
    assert!(!asked.has("xxx"), "{asked}");
    tim.types("a");
    assert_eq!(tim.ends(), 0, "{}", tim.picture());
    let record = fs::read_to_string(record(&folder)).unwrap();
    assert_eq!(record.matches("xxxxxx\\\\n").count(), 100_000);
    assert!(record.contains("the end"), "and what is behind");
    let (before, _) = record.split_once("input_response").unwrap();
    assert!(!before.contains("xxxxxx"), "not one of them before the answer");
}

#[test]
fn the_end_of_an_agent_that_is_read_no_further_is_noticed_and_its_question_withdrawn() {
    let folder = Arc::new(Temp::new());
    let script =
        format!("{FLOOD}hears; approval q; (flood 200000) & while [ ! -e go ]; do sleep 0.02; done; exit 0");
    let mut tim = at_terminal(&folder, &script, &[]);
    tim.armed("[a] Do it");
    fs::write(folder.path("home/go"), "").unwrap();
    assert_eq!(tim.ends(), 1);
    let picture = tim.picture();
    assert!(picture.has("agent gone"), "{picture}");
    assert!(picture.has("no turn was done"), "{picture}");
    assert!(!folder.path("home/flooded").exists(), "it was read to the end");
    tim.assert_modes_restored();
}

#[test]
fn an_agent_that_closes_its_stdout_behind_its_question_hears_the_answer() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text before; approval q; exec 1>&-; hears";
    let (code, _, stderr) = played(run(&folder, script).arg("--answer-command").arg("echo '\"approve\"'"));
    assert_eq!(code, 1, "there was no done: {stderr}");
    assert_eq!(heard(&folder), [response("q", r#""approve""#, "answered")]);
}

#[test]
fn an_agent_that_cannot_hear_the_rejection_is_ended() {
    let folder = Arc::new(Temp::new());
    let script = "hears; exec 0<&-; approval q; while :; do sleep 0.1; done";
    let (code, _, stderr) = played(run(&folder, script).arg("--answer-command").arg("echo '\"reject\"'"));
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("– rejected (exit 1)"), "{stderr}");
}

#[test]
fn an_answer_is_heard_also_by_an_agent_that_is_busy_printing_more_than_is_kept() {
    let folder = Arc::new(Temp::new());
    let script = format!(
        "{FLOOD}hears; asks t '\"prompt\":\"Say much\",\"input_type\":\"text\"'; flood 150000; hears; ends; to_the_end"
    );
    let much = "printf '\"'; head -c 200000 /dev/zero | tr '\\0' y; echo '\"'";
    let (code, _, stderr) = played(run(&folder, &script).arg("--answer-command").arg(much));
    assert_eq!(code, 0, "{stderr}");
    assert!(heard(&folder)[0].len() > 200_000, "all of it");
}

#[test]
fn after_a_rejection_nothing_more_of_the_turn_is_shown_and_all_of_it_is_on_record() {
    let folder = Arc::new(Temp::new());
    let script = "hears; text kept; approval q; text behind; approval again; hears; hears; hears; text more; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &[]);
    tim.armed("[a] Do it");
    tim.types("r");
    assert_eq!(tim.ends(), 1, "{}", tim.picture());
    let picture = tim.picture();
    assert!(picture.has("  kept"), "{picture}");
    assert!(!picture.has("behind") && !picture.has("more") && !picture.has("again"), "{picture}");
    let no = |id, outcome| response(id, r#""reject""#, outcome);
    assert_eq!(heard(&folder), [no("q", "answered"), CANCEL.to_owned(), no("again", "refused")]);
    let record = fs::read_to_string(record(&folder)).unwrap();
    assert!(record.contains("behind") && record.contains("more"), "{record}");
}

#[test]
fn an_agent_that_does_not_end_its_rejected_turn_is_ended_with_all_that_it_started() {
    let folder = Arc::new(Temp::new());
    let script = "hears; (trap '' TERM; while :; do sleep 0.1; done) & echo $! > child; approval q; hears; while :; do sleep 0.1; done";
    let launch = run(&folder, script).arg("--answer-command").arg("echo '\"reject\"'");
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("– rejected (exit 1)"), "{stderr}");
    let child = fs::read_to_string(folder.path("home/child")).unwrap();
    assert!(!std::path::Path::new("/proc").join(child.trim()).exists(), "its child lives");
}

#[test]
fn with_more_to_say_the_person_goes_on_after_a_rejection() {
    let folder = Arc::new(Temp::new());
    let script = "hears; approval q; hears; hears; ends false; hears; text 'as you like'; ends; to_the_end";
    let mut tim = at_terminal(&folder, script, &["-k"]);
    tim.armed("[a] Do it");
    tim.types("r");
    tim.sees("say what instead");
    tim.types("otherwise then\r");
    tim.sees("as you like");
    tim.sees("is done");
    tim.types("\x04");
    assert_eq!(tim.ends(), 0, "the last turn counts: {}", tim.picture());
}

#[test]
fn a_record_of_such_a_run_is_replayed_as_it_was() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; text one; approval q; text behind; hears; asks c '"input_type":"choice","choices":["A"]'
hears; hears; text gone; ends false; to_the_end"#;
    let answers =
        r#"read -r question; case $question in *approval*) echo '"approve"';; *) echo '"reject"';; esac"#;
    let (code, _, stderr) = played(run(&folder, script).arg("--answer-command").arg(answers));
    assert_eq!(code, 1, "{stderr}");
    let check = crate::support::launch::Launch::tim(["replay", "--check"]).arg(record(&folder));
    let (code, stdout, stderr) = played(check);
    assert_eq!(code, 0, "{stdout}{stderr}");
    assert!(stdout.contains("as recorded"), "{stdout}");
}
