//! What `--check` says about a record that is not what happens now.

use super::{GRANT, LIFE, fixture, replay_stdin, text};

fn changed(name: &str, from: &str, to: &str) -> String {
    let whole = std::fs::read_to_string(fixture(name)).unwrap();
    let changed = whole.replacen(from, to, 1);
    assert_ne!(whole, changed, "{from} is in {name}");
    changed
}

fn checked(name: &str, from: &str, to: &str) -> String {
    let output = replay_stdin(changed(name, from, to).as_bytes(), &["--check"]);
    assert_eq!(output.status.code(), Some(1), "{name}: {from}");
    format!("== {name}: {from} → {to}\n{}", text(&output.stdout))
}

#[test]
fn differences_of_every_kind_can_be_read() {
    let deny = "fixtures/claude/d2c_can_use_tool_deny.2.1.325.jsonl";
    let edge = "fixtures/tunnel/17-response-edge-values.jsonl";
    let told = [
        // a member of a record, of a line within a record, of a list within a value
        checked(
            LIFE,
            r#""outcome":"answered","source":"terminal""#,
            r#""outcome":"answered","source":"rule""#,
        ),
        checked(LIFE, r#"\"behavior\":\"deny\""#, r#"\"behavior\":\"allow\""#),
        checked(GRANT, r#""Bash(git fetch:*)","Bash(npm test:*)"]}}"#, r#""Bash(git fetch:*)"]}}"#),
        checked(
            LIFE,
            "so this was not allowed: tim runs without",
            "so this was not permitted: tim runs without",
        ),
        // missing, and added
        checked(LIFE, r#","deadlineMs":55"#, ""),
        checked(LIFE, r#""kind":"input","#, r#""kind":"input","colour":"green","#),
        checked(LIFE, r#"},"tool_use_id":"t"}"#, "}}"),
        checked(LIFE, r#""rec":"ask","key":"51a.p2""#, r#""rec":"ask","key":"51a.p3""#),
        // what another program said
        checked(deny, r#"\"behavior\": \"deny\","#, r#"\"behavior\": \"deny\", \"interrupt\": true,"#),
        checked(edge, r#"prompt_response"#, "prompt_rezponse"),
        // what cannot be used at all
        checked(LIFE, r#"{"seq":9,"#, r#"{"seq":9;"#),
        checked(LIFE, r#"{"seq":9,"#, r#"{"seq":19,"#),
    ];
    let mut settings = insta::Settings::clone_current();
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.set_snapshot_path("snapshots");
    settings.bind(|| insta::assert_snapshot!("differences", told.join("\n")));
}

#[test]
fn after_twenty_differences_the_others_are_counted_and_programs_get_them_all() {
    let life = std::fs::read_to_string(fixture(LIFE)).unwrap();
    let first = life.lines().next().unwrap();
    let garbage = format!("{first}\n{}", "garbage\n".repeat(57));
    let output = replay_stdin(garbage.as_bytes(), &["--check"]);
    let rows: Vec<&str> = text(&output.stdout).lines().collect();
    assert_eq!(rows.len(), 20 + 2, "{rows:?}");
    assert_eq!(
        rows.get(20..),
        Some(&["… and 37 more; --output-format stream-json has all", "57 differences; 0 lines sent"][..])
    );
    let output = replay_stdin(garbage.as_bytes(), &["--check", "--output-format", "stream-json"]);
    assert_eq!(text(&output.stdout).lines().count(), 57);
}

#[test]
fn programs_get_both_lines_whole_and_the_number_of_the_record() {
    let bytes = changed(
        LIFE,
        r#""outcome":"answered","source":"terminal""#,
        r#""outcome":"answered","source":"rule""#,
    );
    let output = replay_stdin(bytes.as_bytes(), &["--check", "--output-format", "stream-json"]);
    let difference = codec::json::Object::parse(text(&output.stdout).trim_end()).unwrap();
    let whole = |name: &str| difference.peek(name).unwrap().as_text().unwrap().get().into_owned();
    assert!(whole("recorded").starts_with("{\"seq\":57,") && whole("replayed").ends_with('}'));
    assert_eq!(difference.peek("record").unwrap().raw(), "57");
}
