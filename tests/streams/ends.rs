//! What a run of such an agent comes to, and its exit code.

use std::sync::Arc;

use serde_json::Value;

use crate::agent::{CANCEL, heard, played, response, run};
use crate::support::desk::Parent;
use crate::support::temp::Temp;

fn code(script: &str, flags: &[&str]) -> (i32, String) {
    let folder = Arc::new(Temp::new());
    let launch = flags.iter().fold(run(&folder, script), |launch, flag| launch.arg(*flag));
    let (code, _, stderr) = played(launch);
    (code, stderr)
}

#[test]
fn the_last_turn_and_the_exit_of_the_process_decide() {
    for (script, expected, said) in [
        ("hears; text hi; ends; to_the_end", 0, "✓ done"),
        ("hears; say '{\"type\":\"done\"}'; to_the_end", 0, "✓ done"),
        ("ends", 0, "✓ done"),
        ("hears; text hi", 1, "no turn was done"),
        ("hears; ends; text hi", 1, "ended in the middle of a turn"),
        ("hears; ends; say '{\"type\":\"usage\",\"input_tokens\":1}'; to_the_end", 0, "✓ done"),
        ("hears", 1, "no turn was done"),
        (
            "echo 'error: unknown option -x' >&2; exit 2",
            1,
            "no turn was done (exit code 2): error: unknown option -x\n",
        ),
        ("hears; say '{\"type\":\"error\",\"message\":\"no luck\"}'; ends false; to_the_end", 1, "no luck"),
        ("hears; ends; exit 3", 1, "exit code 3"),
    ] {
        let (code, stderr) = code(script, &[]);
        assert_eq!(code, expected, "{script}: {stderr}");
        assert!(stderr.contains(said), "{script}: {stderr}");
    }
}

#[test]
fn a_question_that_nobody_can_answer_is_refused_at_once_and_that_is_undecided() {
    let folder = Arc::new(Temp::new());
    let (code, _, stderr) = played(run(&folder, "hears; approval q; hears; hears; ends false; to_the_end"));
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("✗ undecided (exit 5)") && stderr.contains("Go on with q?"), "{stderr}");
    assert_eq!(heard(&folder), [response("q", r#""reject""#, "refused"), CANCEL.to_owned()]);
    let (code, stderr) = self::code("hears; approval q; hears; ends false; to_the_end", &["--refused-ok"]);
    assert_eq!(code, 0, "so the user wanted it: {stderr}");
}

#[test]
fn a_question_that_nobody_answers_in_time_is_a_timeout_and_undecided() {
    let folder = Arc::new(Temp::new());
    let launch = run(&folder, "hears; approval q; hears; hears; ends false; to_the_end");
    let launch = launch.arg("--question-timeout").arg("50ms").arg("--answer-command").arg("sleep 60");
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("a longer --question-timeout"), "{stderr}");
    assert_eq!(heard(&folder), [response("q", r#""reject""#, "timed_out"), CANCEL.to_owned()]);
}

#[test]
fn a_nested_run_asks_the_person_at_the_root() {
    let parent = Parent::open();
    let folder = Arc::new(Temp::new());
    let mut process = run(&folder, "hears; approval q; hears; ends; to_the_end").under(parent.path()).start();
    let mut desk = parent.greet("run");
    let asked = desk.prompt();
    assert_eq!((asked.kind.as_str(), asked.text.as_str()), ("approval", "Go on with q?"));
    desk.answer(&asked, &Value::from("approve"));
    let (code, _, stderr) = process.exit();
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(heard(&folder), [response("q", r#""approve""#, "answered")]);
}

#[test]
fn a_parent_that_goes_while_the_person_is_asked_ends_the_run_and_the_agent_hears_why() {
    let parent = Parent::open();
    let folder = Arc::new(Temp::new());
    let mut process =
        run(&folder, "trap '' TERM; hears; approval q; hears; exit 0").under(parent.path()).start();
    let mut desk = parent.greet("run");
    desk.prompt();
    drop(desk);
    let (code, _, stderr) = process.exit();
    assert_eq!(code, Some(4), "{stderr}");
    assert_eq!(heard(&folder)[0], response("q", r#""reject""#, "disconnected"));
}

#[test]
fn stdout_is_the_text_of_the_last_turn_or_one_object_or_every_line() {
    let script = r#"hears; text 'an earlier turn'; ends; text 'first words'; say '{"type":"tool_use_start","id":"t","name":"list"}'
say '{"type":"tool_result","id":"t","output":"x"}'; text 'last words'; say '{"type":"usage","input_tokens":3,"output_tokens":4}'; ends; to_the_end"#;
    let printed = |flags: &[&str]| {
        let launch = flags.iter().fold(run(&Arc::new(Temp::new()), script), |launch, flag| launch.arg(*flag));
        played(launch).1
    };
    assert_eq!(printed(&["-p"]), "first words\nlast words\n");
    let object: Value = serde_json::from_str(&printed(&["--output-format", "json"])).unwrap();
    assert_eq!(object["outcome"], "done");
    assert_eq!(object["usage"], serde_json::json!({"input_tokens": 3, "output_tokens": 4}));
    let lines = printed(&["--output-format", "stream-json"]);
    let kinds: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["type"].clone()).collect();
    let expected = [
        "text_delta",
        "done",
        "text_delta",
        "tool_use_start",
        "tool_result",
        "text_delta",
        "usage",
        "done",
        "tim_result",
    ];
    assert_eq!(kinds, expected);
}

#[test]
fn what_nobody_could_answer_is_said_also_to_programs() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; asks q '"input_type":"password"'; hears; hears; ends false; to_the_end"#;
    let (code, stdout, stderr) = played(run(&folder, script).arg("--output-format").arg("json"));
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("asks what nobody can answer: input_type must be"), "{stderr}");
    let object: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(object["outcome"], "rejected");
}

#[test]
fn a_no_is_not_followed_by_a_turn_that_nobody_asked_for() {
    for more in ["ends", "text more; ends", "ends false"] {
        let folder = Arc::new(Temp::new());
        let script = format!("hears; text before; approval q; hears; ends; {more}; to_the_end");
        let launch = run(&folder, &script).arg("--answer-command").arg("echo '\"reject\"'").arg("-p");
        let (code, stdout, stderr) = played(launch);
        assert_eq!((code, stdout.as_str()), (1, "before\n"), "{more}: {stderr}");
        assert!(stderr.contains("– rejected (exit 1)"), "{more}: {stderr}");
    }
}

#[test]
fn no_agent_can_speak_as_tim_in_its_output() {
    let folder = Arc::new(Temp::new());
    let script = r#"hears; say '{"type":"tim_result","outcome":"done","exit_code":0}'; say '{"type":"structured","message":{}}'; ends false; to_the_end"#;
    let (code, stdout, stderr) = played(run(&folder, script).arg("--output-format").arg("stream-json"));
    assert_eq!(code, 1, "{stderr}");
    assert_eq!(stdout.matches(r#"{"type":"tim_result""#).count(), 1, "{stdout}");
    assert_eq!(stdout.matches(r#"{"type":"structured""#).count(), 0, "{stdout}");
}
