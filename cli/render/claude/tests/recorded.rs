//! Recorded runs of both versions, as a person reads them.

use super::*;
use crate::term::style::{Ink, paint};

fn assert_told(name: &str) {
    let mut listener = listened(&format!("claude/{name}"));
    let story = &listener.story;
    let figures = format!("{:?} {:?} {:?}", story.files(), story.cost(), story.final_text());
    let figures = format!("{figures} {:?}", story.doing());
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, format!("{}\n\n{figures}", listener.told())));
}

/// The rows of a screen with their looks, `‹` for what begins a sequence.
fn coloured(lines: &[String], columns: usize) -> String {
    let (mut story, mut now, mut text) = (Story::new(place()), Instant::now(), String::new());
    for line in lines {
        for piece in story.hear(&Output::read(line.as_bytes()).unwrap(), now) {
            let Piece::Block(block) = piece else { panic!("{piece:?}") };
            for row in block.rendered(columns).rows {
                text += &format!("{}\n", paint(&row, Ink::Colours).replace("\x1b[", "‹"));
            }
        }
        now += Duration::from_millis(1_500);
    }
    text
}

#[test]
fn colours_say_how_it_went() {
    let bash = |id: &str, command: &str| uses(id, "Bash", &format!(r#"{{"command":"{command}"}}"#), None);
    let edit = r#"{"file_path":"/tmp/demo/a.rs","old_string":"one","new_string":"two"}"#;
    let denied = r#"{"type":"system","subtype":"permission_denied","tool_name":"Bash","tool_use_id":"t3","decision_reason_type":"rule"}"#;
    let retry = r#"{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"error_status":529,"error":"overloaded"}"#;
    let agent = r#"{"description":"find config","subagent_type":"Explore"}"#;
    let lines = [
        INIT.to_owned(),
        bash("t1", "cargo test"),
        gives("t1", "41 passed", ""),
        bash("t2", "cargo build"),
        fails("t2", "Exit code 101\nerror", ""),
        bash("t3", "git push"),
        denied.to_owned(),
        bash("t4", "npm publish"),
        fails("t4", "Permission to use Bash has been denied.", ""),
        uses("t5", "Edit", edit, None),
        gives("t5", "ok", ""),
        uses("t6", "Agent", agent, None),
        uses("t7", "Read", r#"{"file_path":"/etc/hosts"}"#, Some("t6")),
        gives("t7", "a", ""),
        gives("t6", "It is there.", ""),
        retry.to_owned(),
        says("m", "Done."),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("../snapshots");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| {
        insta::assert_snapshot!("colours", coloured(&lines, 80));
        insta::assert_snapshot!("colours_narrow", coloured(&lines, 24));
    });
}

#[test]
fn recorded_runs_are_told_so_that_a_person_can_follow() {
    for name in [
        "a4_message_while_tool_runs",
        "a5_message_while_text_streams",
        "d2_can_use_tool_write_allow",
        "d4_interrupt_while_can_use_tool_pending",
        "d5_interrupt_mid_bash",
        "e2_subagent_foreground",
        "e3_background_bash_then_result_stdin_open",
        "e5c_api_500_forever_max_retries_2",
        "e6_max_turns",
        "c1_ask_single_mcp",
        "p1_exit_plan_mode_allow_mcp",
    ] {
        assert_told(&format!("{name}.2.1.197"));
        assert_told(&format!("{name}.2.1.325"));
    }
    for name in [
        "d2c_can_use_tool_deny",
        "d3_can_use_tool_bash_compound",
        "d5b_interrupt_mid_text",
        "d7_hook_callbacks",
        "d8_sdk_mcp_server_over_stdio",
        "e1_partial_messages_thinking_tool",
        "e5_api_429_once_then_ok",
        "e7c_sigkill_mid_bash",
        "g2c_deny_beats_allow",
        "g3_path_rules",
        "g7_slash_command_text",
        "k4_dont_ask_mode_stdio",
        "a8_10mb_message",
    ] {
        assert_told(&format!("{name}.2.1.325"));
    }
}
