//! One prompt, one answer: what is printed in each format, and what is left.

use serde_json::Value;

use super::driver::Run;
use super::{says, touches};
use crate::claude::Claude;
use crate::messages_api::Api;

with_both_versions![
    f063_the_final_text_alone_is_on_stdout_and_nothing_is_left,
    f071_what_was_allowed_by_a_rule_runs_and_the_record_can_be_replayed,
    as_json_there_is_one_object_at_the_end,
    as_stream_json_every_line_is_an_object_and_the_last_is_tims,
];

with_the_new_version![without_a_journal_there_is_none, quiet_or_not_stdout_is_the_text,];

fn f063_the_final_text_alone_is_on_stdout_and_nothing_is_left(claude: &Claude) {
    let api = Api::start(says("Hello\nyou."));
    let done = Run::of(claude, &api).args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Hello\nyou.\n");
    assert!(!done.stderr.contains("Hello"), "{}", done.stderr);
    let journal = done.journal();
    assert_eq!(journal.records("typed").len(), 1);
    assert_eq!(journal.records("spawn").len(), 1);
    assert_eq!(journal.records("exit")[0]["code"], 0);
    assert!(journal.lines("to").iter().any(|(wire, line)| *wire == "claude:main" && line.contains("go")));
    assert!(journal.lines("from").iter().any(|(_, line)| line.contains("Hello")));
    done.replays();
    done.place.nothing_is_left();
}

fn f071_what_was_allowed_by_a_rule_runs_and_the_record_can_be_replayed(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--allow", "Bash(touch:*)", "go"]).done();
    assert_eq!(done.exits(0).stdout, "So be it.\n");
    assert!(done.place.path("made").exists());
    let ends = done.journal().ends();
    assert_eq!((ends.len(), ends[0].outcome.as_str()), (1, "answered"), "{ends:?}");
    done.replays();
    done.place.nothing_is_left();
}

fn as_json_there_is_one_object_at_the_end(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--output-format", "json", "go"]).done();
    let lines = done.exits(5).lines();
    assert_eq!(lines.len(), 1, "{lines:?}");
    let end = &lines[0];
    assert_eq!((&end["type"], &end["outcome"]), (&"tim_result".into(), &"undecided".into()));
    assert_eq!((&end["result"], &end["exit_code"]), (&"So be it.".into(), &5.into()));
    assert!(end["session_id"].as_str().is_some_and(|id| id.len() == 36), "{end}");
    assert_eq!(end["refusals"][0]["remedy"], "--allow 'Bash(touch:*)'");
}

fn as_stream_json_every_line_is_an_object_and_the_last_is_tims(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--output-format", "stream-json", "go"]).done();
    let lines = done.exits(5).lines();
    let of = |kind: &str| -> Vec<&Value> { lines.iter().filter(|line| line["type"] == kind).collect() };
    assert!(of("assistant").len() >= 2 && of("result").len() == 1, "{}", done.stdout);
    let told: Vec<_> = of("structured").iter().map(|line| &line["message"]["type"]).collect();
    assert_eq!(told, ["prompt_request", "prompt_cancelled"], "{}", done.stdout);
    assert_eq!(lines.last().unwrap()["type"], "tim_result");
    assert_eq!(of("tim_result").len(), 1);
}

fn without_a_journal_there_is_none(claude: &Claude) {
    let api = Api::start(says("Hello."));
    let done = Run::of(claude, &api).args(&["--no-journal", "go"]).done();
    assert_eq!(done.exits(0).stdout, "Hello.\n");
    assert!(done.place.records().is_empty());
}

fn quiet_or_not_stdout_is_the_text(claude: &Claude) {
    let api = Api::start(says("Hello."));
    let done = Run::of(claude, &api).args(&["-p", "go"]).done();
    assert_eq!(done.exits(0).stdout, "Hello.\n");
}
