//! Rows for each kind of tool.

use super::*;

/// What is told of one use of a tool.
fn told(name: &str, input: &str, gives: &str) -> String {
    let mut listener = Listener::new();
    listener.hears(&uses("t1", name, input, None)).hears(gives).told()
}

#[test]
fn a_command_is_told_when_it_ended_with_its_output() {
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "Bash", r#"{"command":"cargo test parse","description":"Run"}"#, None));
    assert_eq!(listener.told(), "");
    assert_eq!(listener.story.doing(), "Bash cargo test parse");
    assert_eq!(listener.story.tool_at_work(), Some("Bash"));
    listener.passes(14.23).hears(&gives("t1", "test ok\n41 passed\n", ""));
    assert_eq!(listener.told(), "● Bash  cargo test parse  14.2s\n    test ok\n    41 passed");
    assert_eq!((listener.story.doing().as_str(), listener.story.tool_at_work()), ("thinking", None));
}

#[test]
fn a_command_that_failed_says_its_exit_code() {
    let row = told("Bash", r#"{"command":"make"}"#, &fails("t1", "Exit code 2\nno rule", ""));
    assert_eq!(row, "● Bash  make\n    exit 2\n    no rule");
    let row = told("WebFetch", r#"{"url":"https://a.b","prompt":"p"}"#, &fails("t1", "404", ""));
    assert_eq!(row, "● WebFetch  https://a.b\n    failed\n    404");
}

#[test]
fn of_a_long_output_the_middle_is_left_out() {
    let lines: Vec<_> = (1..=40).map(|line| line.to_string()).collect();
    let rows = told("Bash", r#"{"command":"seq 40"}"#, &gives("t1", &lines.join("\n"), ""));
    assert_eq!(rows.lines().count(), 11);
    assert!(rows.contains("    3\n    … 31 lines left out\n    35\n"), "{rows}");
    let rows = told("Bash", r#"{"command":"x"}"#, &gives("t1", &"x".repeat(1 << 20), ""));
    assert_eq!(rows.chars().count(), "● Bash  x\n".chars().count() + 1_001);
}

#[test]
fn of_a_file_that_was_read_its_length_is_told() {
    let detail = r#""tool_use_result":{"type":"text","file":{"content":"a\nb\n","numLines":3}}"#;
    let row = told("Read", r#"{"file_path":"/tmp/demo/src/parse.rs"}"#, &gives("t1", "1\ta\n2\tb", detail));
    assert_eq!(row, "● Read  src/parse.rs  2 lines");
    let row = told("Read", r#"{"file_path":"/home/me/a.rs"}"#, &gives("t1", "1\ta", ""));
    assert_eq!(row, "● Read  ~/a.rs  1 line");
    let image = r#""tool_use_result":{"type":"image","file":{"base64":"xx"}}"#;
    let row = told("Read", r#"{"file_path":"/tmp/demo/../x.png"}"#, &gives("t1", "", image));
    assert_eq!(row, "● Read  /tmp/demo/../x.png");
}

#[test]
fn an_edit_is_told_with_its_difference_and_counted() {
    let mut listener = Listener::new();
    let input = r#"{"file_path":"/tmp/demo/a.rs","old_string":"one\ntwo","new_string":"one\n2\n3"}"#;
    listener.hears(&uses("t1", "Edit", input, None)).hears(&gives("t1", "ok", ""));
    assert_eq!(listener.told(), "● Edit  a.rs  +2 −1\n      one\n    − two\n    + 2\n    + 3");
    let patch = r#""tool_use_result":{"structuredPatch":[{"oldStart":7,"oldLines":2,"newStart":7,"newLines":1,"lines":[" a","-b"]}]}"#;
    listener.hears(&uses("t2", "Edit", input, None)).hears(&gives("t2", "ok", patch));
    assert_eq!(listener.told(), "● Edit  a.rs  +0 −1\n    @@ -7,2 +7,1 @@\n      a\n    − b");
    let edits = r#"{"file_path":"/b","edits":[{"old_string":"a","new_string":"b"},{"old_string":"c","new_string":"d"}]}"#;
    listener.hears(&uses("t3", "MultiEdit", edits, None)).hears(&gives("t3", "ok", ""));
    assert_eq!(listener.told(), "● MultiEdit  /b  +2 −2\n    − a\n    + b\n    − c\n    + d");
    listener
        .hears(&uses("t4", "Write", r#"{"file_path":"/c","content":"x"}"#, None))
        .hears(&fails("t4", "no", ""));
    assert_eq!(listener.story.files(), (2, 4, 4));
}

#[test]
fn of_a_search_is_told_how_much_it_found() {
    let input = r#"{"pattern":"fn main","path":"/tmp/demo/src"}"#;
    let files = r#""tool_use_result":{"mode":"files_with_matches","numFiles":2,"filenames":["a","b"]}"#;
    assert_eq!(
        told("Grep", input, &gives("t1", "Found 2 files\na\nb", files)),
        "● Grep  fn main in src  2 files"
    );
    let lines = r#""tool_use_result":{"mode":"content","numFiles":0,"numLines":1,"content":"a"}"#;
    assert_eq!(told("Grep", input, &gives("t1", "a", lines)), "● Grep  fn main in src  1 line");
    assert_eq!(
        told("Glob", r#"{"pattern":"*.rs"}"#, &gives("t1", "No files found", "")),
        "● Glob  *.rs  0 lines"
    );
}

#[test]
fn tools_of_servers_and_tools_that_nobody_knows_are_told_by_what_there_is() {
    let row = told("mcp__github__list_issues", r#"{"query":"bug"}"#, &gives("t1", "3", ""));
    assert_eq!(row, "● github: list_issues  bug\n    3");
    assert_eq!(told("Newest", r#"{"a":1}"#, &gives("t1", "", "")), "● Newest  {\"a\":1}");
    assert_eq!(told("Newest", "{}", &gives("t1", "", "")), "● Newest");
}

#[test]
fn a_list_of_things_to_do_is_told_when_it_changes() {
    let input = r#"{"todos":[{"content":"read","status":"completed"},{"content":"write","status":"in_progress"},{"content":"test","status":"pending"}]}"#;
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "TodoWrite", input, None)).hears(&gives("t1", "Todos have been modified", ""));
    assert_eq!(listener.told(), "● To do  1 of 3 done\n    [x] read\n    [>] write\n    [ ] test");
    listener.hears(&uses("t2", "TodoWrite", input, None)).hears(&gives("t2", "Todos have been modified", ""));
    assert_eq!(listener.told(), "");
}

#[test]
fn single_tasks_are_told_one_by_one() {
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "TaskCreate", r#"{"subject":"add a test","description":"d"}"#, None));
    listener.hears(&gives("t1", "Task #7 created successfully: add a test", ""));
    assert_eq!(listener.told(), "  [ ] add a test");
    listener.hears(&uses("t2", "TaskUpdate", r#"{"taskId":"7","status":"in_progress"}"#, None));
    assert_eq!(listener.hears(&gives("t2", "Updated task #7 status", "")).told(), "  [>] add a test");
}

#[test]
fn a_denied_tool_is_told_in_one_row() {
    let meta = r#""tool_result_meta":[{"id":"t1","permission_decision":{"decision":"reject","source":"user_reject"}}]"#;
    let input = r#"{"command":"git push"}"#;
    assert_eq!(
        told("Bash", input, &fails("t1", "not before the tag\nmore", meta)),
        "✗ Bash  git push  not before the tag"
    );
    let old = "Permission to use Bash has been denied because of don't ask mode. IMPORTANT: You *may* …";
    let row = told("Bash", input, &fails("t1", old, ""));
    assert_eq!(row, "✗ Bash  git push  Permission to use Bash has been denied because of don't ask mode.");
    let mut listener = Listener::new();
    listener.story.decided("t1", false, Instant::now());
    listener.hears(&uses("t1", "Bash", input, None)).hears(&fails("t1", "No thanks", ""));
    assert_eq!(listener.told(), "✗ Bash  git push  No thanks");
    let stopped = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg.";
    assert_eq!(told("Bash", input, &fails("t1", stopped, "")), "✗ Bash  git push  stopped");
}

#[test]
fn a_denied_tool_whose_question_has_a_row_of_its_own_is_not_told_again() {
    let mut listener = Listener::new();
    listener.story.decided("t1", false, Instant::now());
    listener.story.hush("t1");
    let input = r#"{"command":"git push"}"#;
    listener.hears(&uses("t1", "Bash", input, None)).hears(&fails("t1", "No thanks", ""));
    assert_eq!(listener.told(), "");
    listener.story.hush("t2");
    listener.hears(&uses("t2", "Bash", input, None)).hears(&gives("t2", "pushed", ""));
    assert!(listener.told().contains("pushed"), "what ran is told");
}

#[test]
fn a_wrong_input_is_told_without_the_frame_for_the_model() {
    let text =
        "<tool_use_error>InputValidationError: [\n  {\n    \"code\": \"too_big\"\n  }\n]</tool_use_error>";
    let row = told("Bash", r#"{"command":"ls"}"#, &fails("t1", text, ""));
    assert_eq!(row, "● Bash  ls\n    failed  InputValidationError");
    let reminded = "done\n<system-reminder>be nice</system-reminder>";
    assert_eq!(told("Bash", r#"{"command":"ls"}"#, &gives("t1", reminded, "")), "● Bash  ls\n    done");
}

#[test]
fn the_time_that_a_question_waits_is_not_the_time_of_the_tool() {
    let asks = r#"{"type":"control_request","request_id":"r","request":{"subtype":"can_use_tool","tool_name":"Bash","input":{},"tool_use_id":"t1"}}"#;
    let mut listener = Listener::new();
    listener.hears(&uses("t1", "Bash", r#"{"command":"make"}"#, None)).hears(asks).passes(600.0);
    let now = listener.now;
    listener.story.decided("t1", true, now);
    assert_eq!(listener.passes(2.0).hears(&gives("t1", "", "")).told(), "● Bash  make  2s");
}
