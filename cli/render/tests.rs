//! What is printed for each kind of report.

use codec::tunnel::Structured;
use proptest::prelude::*;

use super::*;

fn shown(line: &str) -> String {
    rows_of(
        &Up::read(line.as_bytes(), &Limits::STANDARD).unwrap_or_else(|reject| panic!("{line}: {reject:?}")),
    )
    .join("\n")
}

fn structured(kind: &str, members: &str) -> String {
    shown(&structured_line(kind, members))
}

fn structured_line(kind: &str, members: &str) -> String {
    let comma = if members.is_empty() { "" } else { "," };
    format!(r#"{{"type":"structured","message":{{"type":"{kind}","timestamp":"t"{comma}{members}}}}}"#)
}

/// One of each type, and what is printed for it.
const EACH: &[(&str, &str, &str)] = &[
    ("agent_session_start", r#""executor":"claude","model":"m""#, "session starts, claude, m"),
    (
        "agent_session_end",
        r#""success":true,"turns":3,"costUsd":0.5,"summary":"ok""#,
        "session done, 3 turns, $0.5: ok",
    ),
    ("agent_iteration_start", r#""iterationNumber":2,"taskTitle":"t""#, "iteration 2: t"),
    ("agent_step_start", r#""phase":"implement""#, "implement starts"),
    ("agent_step_end", r#""phase":"implement","success":false,"summary":"no""#, "implement failed: no"),
    ("llm_thinking", r#""text":"hm""#, "thinks: hm"),
    ("llm_response", r#""text":"one\ntwo\n""#, "one\ntwo"),
    ("llm_tool_use", r#""toolName":"Read","input":{"path":"x"}"#, r#"Read {"path":"x"}"#),
    ("llm_tool_result", r#""toolName":"Read","resultSummary":"5 lines""#, "Read gave 5 lines"),
    ("llm_status", r#""status":"waiting","detail":"529""#, "waiting: 529"),
    (
        "todo_update",
        r#""items":[{"label":"a","status":"completed"},{"label":"b","status":"in_progress"},{"label":"c","status":"pending"}]"#,
        "[x] a\n[>] b\n[ ] c",
    ),
    ("file_write", r#""path":"x.rs","lineCount":3"#, "write x.rs (3 lines)"),
    ("file_edit", r#""path":"x.rs","diff":"-a\n+b""#, "edit x.rs"),
    (
        "file_change_summary",
        r#""changes":[{"path":"x","kind":"added"},{"path":"y","kind":"removed"}]"#,
        "added x\nremoved y",
    ),
    ("command_exec", r#""command":"ls -l""#, "$ ls -l"),
    ("command_result", r#""exitCode":1,"command":"ls","stdout":"x""#, "exit 1: ls"),
    ("review_start", "", "review starts"),
    (
        "review_result",
        r#""verdict":"NEEDS_FIXES","recommendations":[],"actionItems":[],"issues":[{"severity":"note","category":"bug","content":"c","file":"f","line":"1","suggestion":"s"}]"#,
        "review: NEEDS_FIXES\nnote bug, f:1: c",
    ),
    ("workflow_progress", r#""message":"goes on","phase":"test""#, "test: goes on"),
    ("failure_report", r#""summary":"s","problems":"p""#, "failed: s\nproblems: p"),
    ("task_completion", r#""planComplete":true,"taskTitle":"t""#, "task done: t, and the plan"),
    (
        "execution_summary",
        r#""summary":{"planId":"1","planTitle":"P","planFilePath":"p","mode":"serial","startedAt":"t","steps":[],"changedFiles":[],"errors":["e"],"metadata":{"totalSteps":2,"failedSteps":1}}"#,
        "P: 2 steps, 1 failed\nerror: e",
    ),
    ("token_usage", r#""inputTokens":5,"totalTokens":9"#, "tokens: 5 in, 9 in all"),
    ("input_required", r#""prompt":"go on?""#, "waits for input: go on?"),
    ("user_terminal_input", r#""content":"hi""#, "> hi"),
    ("prompt_answered", r#""requestId":"r","promptType":"confirm","source":"terminal""#, ""),
    ("prompt_cancelled", r#""requestId":"r""#, ""),
    ("plan_discovery", r#""planId":7,"title":"t""#, "plan 7: t"),
    ("workspace_info", r#""path":"/w""#, "workspace /w"),
];

#[test]
fn each_structured_message_has_its_words() {
    for (kind, members, expected) in EACH {
        assert_eq!(structured(kind, members), *expected, "{kind}");
    }
    let kinds: Vec<_> = EACH.iter().map(|(kind, ..)| *kind).chain(["prompt_request"]).collect();
    assert!(Structured::KINDS.iter().all(|kind| kinds.contains(kind)), "one is not tried here");
}

#[test]
fn a_log_is_its_arguments_and_raw_output_its_data() {
    assert_eq!(shown(r#"{"type":"warn","args":["a","b\nc"]}"#), "a b\nc");
    assert_eq!(shown(r#"{"type":"stdout","data":"one\ntwo\n"}"#), "one\ntwo");
    assert_eq!(shown(r#"{"type":"stderr","data":"\n"}"#), "");
    let none = Up::read(br#"{"type":"stdout","data":""}"#, &Limits::STANDARD).unwrap();
    assert!(rows_of(&none).is_empty());
}

#[test]
fn a_relayed_report_has_the_path_in_front_of_each_row() {
    let line = r#"{"type":"relayed","via":[{"label":"review","pid":1},{"label":"deep"}],"line":{"type":"log","args":["a\nb"]}}"#;
    assert_eq!(shown(line), "review/deep  a\nreview/deep  b");
}

#[test]
fn what_is_of_a_newer_kind_says_so_and_what_is_no_report_says_nothing() {
    assert_eq!(shown(r#"{"type":"n\u001bew"}"#), "(a message of a newer kind: n\\x1bew)");
    assert_eq!(structured("newer", ""), "(a message of a newer kind: newer)");
    assert_eq!(shown(r#"{"type":"permission_request","requestId":"x","tool_name":"Bash","input":{}}"#), "");
    let asks = r#""requestId":"x","promptType":"confirm","promptConfig":{"message":"?"}"#;
    assert_eq!(structured("prompt_request", asks), "");
    assert_eq!(shown(r#"{"type":"process_exit","processId":"p"}"#), "");
}

proptest! {
    #[test]
    fn no_report_reaches_a_terminal_unseen(text in any::<String>(), at in 0..EACH.len()) {
        let (kind, members, _) = EACH[at];
        let odd = codec::json::Json::of(&text);
        // Every text of the message says something odd, if it is a text where anything may stand.
        let members = members.replace("\"t\"", odd.raw()).replace("\"s\"", odd.raw()).replace("\"x\"", odd.raw());
        let lines = [structured_line(kind, &members), format!(r#"{{"type":"log","args":[{}]}}"#, odd.raw())];
        for line in lines {
            for row in rows_of(&Up::read(line.as_bytes(), &Limits::STANDARD).unwrap()) {
                prop_assert!(!row.chars().any(char::is_control), "{row:?}");
            }
        }
    }
}
