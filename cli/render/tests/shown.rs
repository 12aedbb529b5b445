//! What each kind of report looks like.

use codec::tunnel::Structured;

use super::*;

/// Compares with the snapshot of that name.
fn snapshot(name: &str, text: &str) {
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("../snapshots");
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// Every message of a recording, with its kind above it.
fn all(lines: &[String], show: impl Fn(&str) -> String) -> String {
    lines.iter().map(|line| format!("[{}]\n{}\n", kind_of(line), show(line).trim_end())).collect()
}

#[test]
fn each_of_the_thirty_messages_has_its_rows() {
    let full = recorded("tunnel/02-structured-full");
    let kinds: Vec<_> = full.iter().map(|line| kind_of(line)).collect();
    assert!(Structured::KINDS.iter().all(|kind| kinds.iter().any(|of| of == kind)), "one is not tried here");
    snapshot("full_80", &all(&full, |line| screen(line, 80)));
    snapshot("full_40", &all(&full, |line| screen(line, 40)));
    snapshot("full_plain", &all(&full, printed));
}

#[test]
fn a_message_that_says_only_what_it_must_has_rows_too() {
    let least = recorded("tunnel/03-structured-minimal");
    snapshot("minimal_80", &all(&least, |line| screen(line, 80)));
    snapshot("minimal_40", &all(&least, |line| screen(line, 40)));
}

#[test]
fn work_reads_as_on_the_drawing_board() {
    let work = samples::of_work();
    snapshot("work_80", &all(&work, |line| screen(line, 80)));
    snapshot("work_20", &all(&work, |line| screen(line, 20)));
    snapshot("work_colours", &all(&work, |line| coloured(line, 80)));
    snapshot("work_plain", &all(&work, printed));
}

#[test]
fn a_review_has_the_worst_first_and_knows_every_severity() {
    let review = [samples::review()];
    snapshot("review_80", &all(&review, |line| screen(line, 80)));
    snapshot("review_40", &all(&review, |line| screen(line, 40)));
    snapshot("review_colours", &all(&review, |line| coloured(line, 80)));
}

#[test]
fn logs_and_raw_output_are_what_they_say_behind_the_gutter() {
    let lines = [
        r#"{"type":"log","args":["a","b\nc"]}"#,
        r#"{"type":"warn","args":["the disk is nearly full","\nlook"]}"#,
        r#"{"type":"error","args":["no such file"]}"#,
        r#"{"type":"debug","args":["x=1"]}"#,
        r#"{"type":"stdout","data":"one\r\n\ttwo\n"}"#,
        r#"{"type":"stderr","data":"three"}"#,
        r#"{"type":"n\u001bew"}"#,
    ]
    .map(str::to_owned);
    snapshot("logs", &all(&lines, |line| coloured(line, 80)));
    for nothing in [r#"{"type":"stdout","data":""}"#, r#"{"type":"log","args":[]}"#] {
        assert_eq!(screen(nothing, 80), "");
        assert_eq!(printed(nothing), "");
    }
}

#[test]
fn what_somebody_reports_to_itself_is_a_plain_print() {
    let own = |line| with(line, own_print).join("\n");
    assert_eq!(own(r#"{"type":"warn","args":["a","b\nc"]}"#), "a b\nc");
    assert_eq!(own(r#"{"type":"stdout","data":"one\n\u001btwo\n"}"#), "one\n\\x1btwo");
    assert_eq!(own(&structured_line("llm_status", r#""status":"s""#)), "  s");
    assert!(with(r#"{"type":"stderr","data":""}"#, own_print).is_empty());
}

#[test]
fn what_is_no_report_says_nothing() {
    for line in [
        r#"{"type":"permission_request","requestId":"x","tool_name":"Bash","input":{}}"#,
        r#"{"type":"process_exit","processId":"p"}"#,
    ] {
        assert_eq!(screen(line, 80), "", "{line}");
        assert_eq!(printed(line), "", "{line}");
    }
}

#[test]
fn the_report_of_somebody_further_down_has_the_name_in_the_gutter() {
    let line = r#"{"type":"relayed","via":[{"label":"review","pid":1},{"label":"deep"}],"line":{"type":"log","args":["a\nb"]}}"#;
    assert_eq!(screen(line, 80), "review/deep │   a\n            │   b\n");
    assert_eq!(screen(line, 20), "…deep │   a\n      │   b\n");
    assert_eq!(printed(line), "review/deep    a\nreview/deep    b");
    let of_child = with(line, |message| report(Some("api"), message, 80));
    assert!(text_of(&of_child.rows).starts_with("api/review/deep │   a\n"));
    let own = with(r#"{"type":"log","args":["a"]}"#, |message| report(Some("api"), message, 80));
    assert_eq!(text_of(&own.rows), "api │   a\n");
}

#[test]
fn what_is_folded_can_be_unfolded() {
    let result = |count| {
        let text = codec::json::Json::of(&samples::test_run(count));
        structured_line("llm_tool_result", &format!(r#""toolName":"Bash","result":{}"#, text.raw()))
    };
    let long = rendered(&result(13), 80);
    let text = text_of(&long.rows);
    assert_eq!(long.rows.len(), 1 + 3 + 1 + 6);
    assert!(text.contains("\n    … 4 lines folded, Ctrl-O shows them\n"), "{text}");
    assert!(text.contains("case_3 ") && !text.contains("case_4 ") && text.contains("case_8 "), "{text}");
    assert_eq!(long.folded.unwrap().len(), 14);
    let short = rendered(&result(12), 80);
    assert_eq!((short.rows.len(), short.folded), (13, None));
    assert_eq!(printed(&result(400)).lines().count(), 401);
}

#[test]
fn a_heading_that_is_cut_can_be_read_whole() {
    let line =
        structured_line("command_exec", r#""command":"cargo test --workspace --all-targets","cwd":"/w""#);
    let cut = rendered(&line, 30);
    assert_eq!(text_of(&cut.rows), "● Run  cargo test --workspace…\n");
    assert_eq!(text_of(&cut.folded.unwrap()), "● Run  cargo test --workspace\n  --all-targets  in /w\n");
    assert_eq!(rendered(&line, 80).folded, None);
}

#[test]
fn odd_numbers_stand_as_they_were_written() {
    let end = |members: &str| screen(&structured_line("agent_session_end", members), 80);
    assert_eq!(end(r#""success":true,"durationMs":999,"costUsd":0,"turns":1"#), "✓ done  1 turn  $0.00\n");
    assert_eq!(end(r#""success":true,"durationMs":14200,"costUsd":12345.678"#), "✓ done  14.2s  $12345.68\n");
    assert_eq!(end(r#""success":true,"durationMs":59950.5"#), "✓ done  59.9s\n");
    assert_eq!(
        end(r#""success":false,"durationMs":1e400,"costUsd":-1e400,"turns":1.5"#),
        "✗ failed  1e400 ms  1.5 turns  $-1e400\n"
    );
    let limit = |at: &str| {
        screen(
            &structured_line(
                "llm_status",
                &format!(r#""status":"s","rateLimitInfo":{{"resetsAt":{at},"utilization":1e400}}"#),
            ),
            80,
        )
    };
    assert_eq!(limit("0"), "! s\n  limit  over 100% used  resets 1970-01-01 00:00 UTC\n");
    assert_eq!(limit("1e300"), "! s\n  limit  over 100% used  resets 1e300\n");
    let lines = structured_line("file_write", r#""path":"x","lineCount":1234567"#);
    assert_eq!(printed(&lines), "● Write  x  1,234,567 lines");
}

#[test]
fn what_an_agent_says_and_does_is_one_block() {
    use Kind::{Block, Note, Output, Talk, Tool};
    for (before, after) in [(Tool, Tool), (Talk, Tool), (Tool, Talk), (Note, Note), (Output, Output)] {
        assert!(!gap_between(before, after), "{before:?} {after:?}");
    }
    for (before, after) in [(Talk, Talk), (Block, Talk), (Block, Block), (Tool, Block), (Output, Tool)] {
        assert!(gap_between(before, after), "{before:?} {after:?}");
    }
}
