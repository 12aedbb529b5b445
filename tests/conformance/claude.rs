//! The points of the recordings of Claude Code, of both versions.

use actors::router::News;
use codec::Outcome;
use codec::tunnel::QuestionKind;

use crate::played::{Played, Point};

/// Nothing in it is a question on the control wire: tim says nothing there, and lets everything through.
const ASKS_NOTHING: Point = |played| {
    assert!(played.asked.is_empty() && played.sent.is_empty(), "{:?}", played.sent);
    assert!(played.reports > 0, "something came through");
};

/// Permissions are asked for by an MCP server, which has a wire of its own.
const ASKS_BY_MCP: Point = ASKS_NOTHING;

/// Claude starts and ends, or says only what is no JSON.
const SAYS_NOTHING: Point = |played| assert!(played.sent.is_empty() && played.asked.is_empty());

/// Every permission is answered as it was then, with the input as it came.
fn allowed_as_recorded(played: &Played, tools: usize) {
    assert_eq!(played.asked, vec![QuestionKind::Permission; tools]);
    assert_eq!(played.outcomes(), vec![Outcome::Answered; tools]);
    assert!(played.decisions().iter().all(Result::is_ok), "{:?}", played.decisions());
    assert_eq!(played.differs, [], "byte for byte in meaning");
}

/// What Claude took back is not answered, and an answer that comes later is told to be late.
const TAKEN_BACK: Point = |played| {
    assert_eq!(played.outcomes(), [Outcome::Cancelled]);
    assert!(played.sent.is_empty(), "{:?}", played.sent);
    assert_eq!(played.news, [News::Late]);
};

/// Claude ended with its question open: cancelled, and nobody is told.
const LEFT_WITH_A_QUESTION: Point = |played| {
    assert_eq!(played.outcomes(), [Outcome::Cancelled]);
    assert!(played.sent.is_empty(), "{:?}", played.sent);
};

/// A request that is no question gets an error, because Claude would wait for ever.
fn errors(played: &Played) -> usize {
    let unknown = |decision: &&Result<String, String>| {
        decision.as_ref().is_err_and(|told| told.contains("does not know"))
    };
    played.decisions().iter().filter(unknown).count()
}

pub(crate) const POINTS: &[(&str, Point)] = &[
    ("a10_no_trailing_newline", ASKS_NOTHING),
    ("a1_oneshot_close", ASKS_NOTHING),
    ("a4_message_while_tool_runs", ASKS_NOTHING),
    ("a5_message_while_text_streams", ASKS_NOTHING),
    ("a5b_message_priority_now_mid_tool", ASKS_NOTHING),
    ("a5c_close_stdin_at_first_result_with_queued_message", ASKS_NOTHING),
    ("a6_image_block", ASKS_NOTHING),
    ("a7_malformed_json_line", SAYS_NOTHING),
    ("a7b_blank_and_unknown_types", ASKS_NOTHING),
    ("a8_10mb_message", ASKS_NOTHING),
    ("b10_no_permission_tool", ASKS_NOTHING),
    ("b13_mcp_interrupt_while_permission_pending", ASKS_BY_MCP),
    ("b1_mcp_allow", ASKS_BY_MCP),
    ("b1c_mcp_allow_without_updated_input", ASKS_BY_MCP),
    ("b3b_mcp_deny_without_message", ASKS_BY_MCP),
    ("b3c_mcp_deny_interrupt", ASKS_BY_MCP),
    ("b4_mcp_malformed_not_json", ASKS_BY_MCP),
    ("b4c_mcp_is_error_result", ASKS_BY_MCP),
    ("b4d_mcp_jsonrpc_error", ASKS_BY_MCP),
    ("b5_mcp_allow_updated_permissions", ASKS_BY_MCP),
    ("b6_mcp_server_dies_mid_request", ASKS_BY_MCP),
    ("b9_permission_tool_missing", SAYS_NOTHING),
    ("c12_ask_extra_fields_mcp", ASKS_BY_MCP),
    ("c15_ask_preview_mcp", ASKS_BY_MCP),
    ("c1_ask_single_mcp", ASKS_BY_MCP),
    ("c1s_ask_single_stdio", |played| {
        assert_eq!(played.asked, [QuestionKind::Question]);
        assert!(
            played.decisions()[0]
                .as_ref()
                .unwrap()
                .contains(r#""answers":{"Which database should we use?":"SQLite"}"#)
        );
        assert_eq!(played.differs, []);
    }),
    ("c3_ask_free_text_mcp", ASKS_BY_MCP),
    ("c4_ask_deny_mcp", ASKS_BY_MCP),
    ("c6_ask_array_answer_mcp", ASKS_BY_MCP),
    ("d10_stdin_eof_at_once_with_stdio_permissions", ASKS_NOTHING),
    ("d14_cancel_queued_message", ASKS_NOTHING),
    ("d1_initialize", ASKS_NOTHING),
    ("d2_can_use_tool_write_allow", |played| allowed_as_recorded(played, 1)),
    ("d2b_can_use_tool_allow_no_updated_input", |played| {
        assert!(
            played.decisions()[0].as_ref().unwrap().contains("hello"),
            "old CLIs need the input in an allow"
        );
    }),
    ("d2c_can_use_tool_deny", |played| {
        assert_eq!(
            played.decisions(),
            [Err("No thanks".to_owned())],
            "the person's own words reach the model"
        );
    }),
    ("d2d_can_use_tool_deny_interrupt", |played| {
        assert_eq!(played.decisions(), [Err("Stop now".to_owned())]);
        assert!(
            !played.sent[0].1.contains("interrupt"),
            "a no is no interrupt: that is a request of its own"
        );
    }),
    ("d2e_can_use_tool_always_allow_suggestion", |played| {
        assert!(played.decisions()[0].is_ok());
        assert!(
            !played.sent[0].1.contains("updatedPermissions"),
            "suggestions are never sent back by themselves"
        );
    }),
    ("d3_can_use_tool_bash_compound", |played| allowed_as_recorded(played, 2)),
    ("d4_interrupt_while_can_use_tool_pending", TAKEN_BACK),
    ("d5_interrupt_mid_bash", ASKS_NOTHING),
    ("d5b_interrupt_mid_text", ASKS_NOTHING),
    ("d6_control_requests_tour", |played| {
        assert!(
            played.asked.len() == played.decisions().len() && played.decisions().iter().all(Result::is_ok),
            "{:?}",
            played.decisions()
        );
        assert_eq!(played.differs, [], "replies to the host's own requests are not questions");
    }),
    ("d7_hook_callbacks", |played| {
        assert!(played.asked.is_empty());
        assert_eq!(errors(played), 5, "tim asked for no hook: none may wait");
    }),
    ("d8_sdk_mcp_server_over_stdio", |played| {
        assert_eq!(played.asked, [QuestionKind::Permission]);
        assert!(errors(played) >= 4, "tim has no server inside: none may wait");
        assert_eq!(played.decisions().iter().filter(|decision| decision.is_ok()).count(), 1);
    }),
    ("d9_stdin_eof_while_can_use_tool_pending", LEFT_WITH_A_QUESTION),
    ("e1_partial_messages_thinking_tool", ASKS_NOTHING),
    ("e2_subagent_foreground", |played| allowed_as_recorded(played, 1)),
    ("e3_background_bash_then_result_stdin_open", ASKS_NOTHING),
    ("e3b_background_bash_stdin_closed", ASKS_NOTHING),
    ("e4_settings_hooks_with_events", ASKS_NOTHING),
    ("e5_api_429_once_then_ok", ASKS_NOTHING),
    ("e5c_api_500_forever_max_retries_2", ASKS_NOTHING),
    ("e5d_api_400_invalid_request", ASKS_NOTHING),
    ("e5e_api_401_auth", ASKS_NOTHING),
    ("e5f_stream_error_event_mid_stream", ASKS_NOTHING),
    ("e6_max_turns", ASKS_NOTHING),
    ("e7_sigint_mid_bash", ASKS_NOTHING),
    ("e7b_sigterm_mid_bash", ASKS_NOTHING),
    ("e7c_sigkill_mid_bash", ASKS_NOTHING),
    ("g2c_deny_beats_allow", ASKS_NOTHING),
    ("g3_path_rules", |played| {
        assert_eq!(played.asked, vec![QuestionKind::Permission; 5]);
        assert_eq!(played.decisions(), vec![Err("asked".to_owned()); 5]);
        assert_eq!(played.differs, []);
    }),
    ("g4f_resume_unknown", SAYS_NOTHING),
    ("g7_slash_command_text", ASKS_NOTHING),
    ("h11_session_state_events", |played| allowed_as_recorded(played, 1)),
    ("h18_should_query_false", ASKS_NOTHING),
    ("h19_interrupt_cancel_queued", ASKS_NOTHING),
    ("i3_mcp_progress_vs_timeout_3s", ASKS_BY_MCP),
    ("k1_uuid_without_replay_flag", ASKS_NOTHING),
    ("k4_dont_ask_mode_stdio", ASKS_NOTHING),
    ("p1_exit_plan_mode_allow_mcp", ASKS_BY_MCP),
    ("s1_official_sdk_multi", |played| {
        assert_eq!(played.asked, [QuestionKind::Question, QuestionKind::Permission]);
        assert!(played.decisions().iter().all(Result::is_ok));
    }),
];
