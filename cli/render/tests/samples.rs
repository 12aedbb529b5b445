//! Reports as agents really send them, longer than those of the recordings.

use codec::json::Json;

use super::structured_line;

fn text(text: &str) -> String {
    Json::of(text).raw().to_owned()
}

/// Lines like those of a test run.
pub(super) fn test_run(count: usize) -> String {
    (1..=count).map(|at| format!("test parse::case_{at} ... ok\n")).collect()
}

pub(super) const DIFF: &str = "--- a/src/parse.rs\n+++ b/src/parse.rs\n@@ -41,3 +41,7 @@\n fn split_line(&mut self) -> Option<&[u8]> {\n-    let end = memchr(b'\\n', &self.buf)?;\n+    let end = match memchr(b'\\n', &self.buf) {\n+        Some(at) => at,\n+        None if self.eof => self.buf.len(),\n+        None => return None,\n+    };\n     self.take(end)\n";

pub(super) fn of_work() -> Vec<String> {
    let prose = "I'll run the test first, then read the tokenizer.\n\nThe tokenizer drops the last byte when a file has no final newline. I keep it in `split_line`:\n\n- one\n- two";
    let written = r#"{"file_path":"src/parse.rs","old_string":"a\nb\nc","new_string":"a\nx\nc"}"#;
    vec![
        structured_line(
            "user_terminal_input",
            r#""content":"fix the failing test in parse.rs","source":"terminal""#,
        ),
        structured_line(
            "llm_thinking",
            r#""text":"The test fails only without a final newline, so the tokenizer is the place to look at.""#,
        ),
        structured_line("llm_response", &format!(r#""text":{}"#, text(prose))),
        structured_line(
            "llm_tool_use",
            r#""toolName":"Bash","input":{"command":"cargo test parse","description":"d"}"#,
        ),
        structured_line("llm_tool_result", &format!(r#""toolName":"Bash","result":{}"#, text(&test_run(50)))),
        structured_line("llm_tool_use", &format!(r#""toolName":"Edit","input":{written}"#)),
        structured_line(
            "llm_tool_result",
            r#""toolName":"Edit","result":[{"type":"text","text":"it is not there","is_error":true}]"#,
        ),
        structured_line("llm_tool_use", r#""toolName":"mcp__x__y","input":{"a":1}"#),
        structured_line("file_edit", &format!(r#""path":"src/parse.rs","diff":{}"#, text(DIFF))),
        structured_line("command_exec", r#""command":"cat <<'E'\none\nE","cwd":"/w""#),
        structured_line(
            "command_result",
            &format!(
                r#""exitCode":101,"command":"cargo test","cwd":"/w","stdout":{},"stderr":"error: 1 failed\n""#,
                text(&test_run(20))
            ),
        ),
        structured_line(
            "todo_update",
            r#""explanation":"after the test","items":[{"label":"read the tokenizer","status":"completed"},{"label":"keep the last byte, also where a file of many lines has no line end at its end","status":"in_progress","detail":"half"},{"label":"CRLF","status":"pending"},{"label":"publish","status":"blocked"},{"label":"?","status":"unknown"}]"#,
        ),
        structured_line(
            "agent_session_end",
            r#""success":true,"durationMs":192345,"turns":9,"costUsd":0.4812"#,
        ),
        structured_line(
            "agent_session_end",
            r#""success":false,"durationMs":41000,"turns":1,"costUsd":0.0012,"summary":"API 529 overloaded,\ngave up after 10 tries""#,
        ),
    ]
}

pub(super) fn review() -> String {
    let issue = |severity: &str, category: &str, content: &str, line: &str| {
        format!(
            r#"{{"severity":"{severity}","category":"{category}","content":{},"file":"src/parse.rs","line":"{line}","suggestion":"keep it","source":"codex-cli"}}"#,
            text(content)
        )
    };
    let issues = [
        issue("minor", "style", "a long name", "3"),
        issue(
            "critical",
            "bug",
            "The last byte is lost when the file has no final newline, which every editor but one leaves out.",
            "42-47",
        ),
        issue("note", "other", "fine otherwise\nand short", ""),
        issue("critical", "security", "the path is not checked", "7"),
        issue("major", "testing", "no test", "1"),
        issue("info", "performance", "reads twice", "9"),
    ];
    structured_line(
        "review_result",
        &format!(
            r#""verdict":"NEEDS_FIXES","recommendations":["add a test"],"actionItems":["fix the tokenizer","run it"],"fixInstructions":"first this\nthen that","issues":[{}]"#,
            issues.join(",")
        ),
    )
}
