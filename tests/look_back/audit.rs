//! Who decided what, across runs.

use serde_json::Value;

use crate::desk::{CAME, NO, Past, REFUSED, RULED, YES, asks, ends, from};

/// Two runs: one with a nested one, whose question is on record in both.
fn some() -> Past {
    let past = Past::new();
    let used = from(
        r#"{"type":"assistant","message":{"role":"assistant","content":[{"type":"tool_use","id":"u9","name":"Read","input":{"file_path":"/etc/issue"}}]},"parent_tool_use_id":null}"#,
    );
    let gave = from(
        r#"{"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"u9","content":"x"}]},"tool_result_meta":[{"id":"u9","permission_decision":{"decision":"accept","source":"config","reason_type":"rule"}}]}"#,
    );
    let first = [
        CAME,
        &asks("7f3c0a1b.p1", "claude", "git fetch", "r1"),
        &ends("7f3c0a1b.p1", YES),
        &used,
        &gave,
        &asks("7f3c0a1b.p2", "claude", "npm publish", "r2"),
        &ends("7f3c0a1b.p2", NO),
        // Asked by the nested run below, under the key that it has there.
        &asks("7f3c0a1b.p3", "claude/review", "rm -r old", "91aa0000.p1"),
        &ends("7f3c0a1b.p3", YES),
    ];
    past.run("7f3c0a1b", "2026-11-17T14:02:00.000Z", &first);
    let nested = [
        CAME,
        &asks("91aa0000.p1", "claude/review/claude", "rm -r old", "c1"),
        &ends("91aa0000.p1", r#""outcome":"answered","source":"parent","value":{"allow":true}"#),
        &asks("91aa0000.p2", "claude/review/claude", "git status", "c2"),
        &ends("91aa0000.p2", RULED),
    ];
    past.run_called("91aa0000", "2026-11-17T14:02:05.500Z", r#","path":"claude/review""#, &nested);
    let last = [
        CAME,
        &asks("abcd0000.p1", "docs", "docker \u{1b}[31mcompose up", "d1"),
        &ends("abcd0000.p1", REFUSED),
    ];
    past.run("abcd0000", "2026-11-18T02:10:00.000Z", &last);
    past
}

fn keys(json: &Value) -> Vec<&str> {
    json["decisions"].as_array().unwrap().iter().map(|one| one["key"].as_str().unwrap()).collect()
}

#[test]
fn decisions_of_all_runs_are_listed_in_order_and_each_once() {
    let past = some();
    let json = past.json(&["--decisions"]);
    let expected = ["7f3c0a1b.p1", "7f3c0a1b.t1", "7f3c0a1b.p2", "7f3c0a1b.p3", "91aa0000.p2", "abcd0000.p1"];
    assert_eq!(keys(&json), expected);
    assert_eq!(json["total"], 6);
    let told = past.told(&["--decisions"]);
    for words in [
        "you, once",
        "claude, its rule",
        "you, no",
        "Bash(git status:*)",
        "nobody, refused",
        "6 of 6 · tim log why abcd.p1 explains one",
    ] {
        assert!(told.contains(words), "no {words:?} in {told}");
    }
    assert!(!told.contains('\u{1b}'), "{told:?}");
    // Of the nested run alone its own question is told, and that it was decided above.
    let own = past.told(&["91aa", "--decisions"]);
    assert!(own.contains("above, once"), "{own}");
}

#[test]
fn filters_leave_what_is_meant() {
    let past = some();
    for (arguments, expected) in [
        (&["--tool", "read"][..], &["7f3c0a1b.t1"][..]),
        (&["--by", "rule", "--by", "nobody"], &["91aa0000.p2", "abcd0000.p1"]),
        (&["--who", "review"], &["7f3c0a1b.p3", "91aa0000.p2"]),
        (&["--since", "2026-11-18"], &["abcd0000.p1"]),
        (&["--until", "2026-11-17T14:02:06"], &["7f3c0a1b.p1", "7f3c0a1b.t1"]),
        (&["--decisions", "-n", "2"], &["91aa0000.p2", "abcd0000.p1"]),
        (&["7f3c", "--by", "agent"], &["7f3c0a1b.t1"]),
        (&["--by", "command"], &[]),
        (&["--by", "above"], &["91aa0000.p1"]),
        (&["--since", "2026-11-18T01:00:00Z", "--until", "2026-11-18T03:10:00+01:00"], &[]),
        (&["--since", "2026-11-18T02:10:02.000Z"], &["abcd0000.p1"]),
    ] {
        assert_eq!(keys(&past.json(arguments)), expected, "{arguments:?}");
    }
    assert!(past.told(&["--by", "command"]).contains("none of 6 decisions is like that"));
    assert_eq!(keys(&past.json(&["--here", "--decisions"])), Vec::<&str>::new(), "no run was in this folder");
}

#[test]
fn one_decision_is_explained_with_what_the_rules_say() {
    let past = some();
    let why = past.told(&["why", "7f3c.p2"]);
    let rows: Vec<&str> = why.lines().collect();
    let expected = [
        "7f3c0a1b.p2  claude asked to use Bash",
        "    npm publish",
        "  why      it must be asked",
        "  in       /w/app",
        "  asked    Tue 2026-11-17 14:02:06, 6.0s into the run",
        "  rules    leave it to a person: `npm publish`: no rule covers it",
        "  decided  you, no: not yet (after 1.0s)",
    ];
    assert_eq!(rows, expected, "{why}");
    let own = past.told(&["why", "7f3c.t1"]);
    assert!(own.contains("claude used Read, and nobody was asked"), "{own}");
    assert!(own.contains("    file_path: /etc/issue"), "with what it was used: {own}");
    assert!(own.contains("--deny"), "{own}");
    let json = past.json(&["why", "7f3c.p2"]);
    assert_eq!(json["request"]["input"]["command"], "npm publish");
    assert_eq!((&json["rules"], &json["decision"]["words"]), (&"ask".into(), &"not yet".into()));
    let (code, _, warned) = past.log(&["why", "7f3c.p9"]);
    assert_eq!(code, Some(2));
    assert!(warned.contains("has no p9"), "{warned}");
}

#[test]
fn whoever_asks_under_the_name_of_another_question_hides_nothing() {
    let past = Past::new();
    let nested = [
        CAME,
        &asks("91aa0000.p1", "claude/review/claude", "git status", "c1"),
        &ends("91aa0000.p1", RULED),
        &asks("91aa0000.p2", "claude/review/claude", "touch a", "c2"),
        &ends("91aa0000.p2", r#""outcome":"timed_out""#),
    ];
    let allowing = r#","path":"claude/review","allowOnTimeout":true"#;
    let path = past.run_called("91aa0000", "2026-11-17T14:02:05.500Z", allowing, &nested);
    // Somebody saw the second one, so time allowed it below; above it was nobody's.
    let text = std::fs::read_to_string(&path).unwrap();
    let shown =
        "{\"seq\":4,\"t\":4500,\"rec\":\"shown\",\"key\":\"91aa0000.p2\",\"desk\":\"up\"}\n{\"seq\":5,";
    std::fs::write(&path, text.replacen("{\"seq\":5,", shown, 1)).unwrap();
    let others = [
        CAME,
        &asks("7f3c0a1b.p1", "client-1", "git status", "91aa0000.p1"),
        &ends("7f3c0a1b.p1", YES),
        &asks("7f3c0a1b.p2", "claude/review", "touch a", "91aa0000.p2"),
        &ends("7f3c0a1b.p2", r#""outcome":"timed_out""#),
    ];
    past.run("7f3c0a1b", "2026-11-17T14:02:00.000Z", &others);
    let json = past.json(&["--decisions"]);
    let mut all = keys(&json);
    all.sort_unstable();
    assert_eq!(all, ["7f3c0a1b.p1", "7f3c0a1b.p2", "91aa0000.p1", "91aa0000.p2"]);
    let allowed = json["decisions"].as_array().unwrap().iter().find(|one| one["key"] == "91aa0000.p2");
    assert_eq!(allowed.unwrap()["decidedBy"], "nobody in time: yes");
}

#[test]
fn what_was_answered_behind_a_gap_is_told_by_its_answer() {
    let past = Past::new();
    let records = [
        CAME,
        r#""rec":"gap","lost":1"#,
        &ends("7f3c0a1b.p1", NO),
        &ends(
            "7f3c0a1b.p2",
            r#""outcome":"answered","source":"command","value":{"allow":false,"scope":"planet"}"#,
        ),
        &ends("7f3c0a1b.p3", r#""outcome":"answered","source":"command","value":{"what":"is this"}"#),
    ];
    past.run("7f3c0a1b", "2026-11-17T14:02:00.000Z", &records);
    let (_, told, warned) = past.log(&["7f3c", "--decisions", "--json"]);
    assert!(warned.contains("1 record is missing"), "{warned}");
    let told: Value = serde_json::from_str(&told).unwrap();
    let allowed = |at: usize| (&told["decisions"][at]["allowed"], &told["decisions"][at]["kind"]);
    assert_eq!(allowed(0), (&false.into(), &"unknown".into()));
    assert_eq!(allowed(1), (&false.into(), &"unknown".into()));
    assert_eq!(allowed(2), (&Value::Null, &"unknown".into()));
    let (_, told, _) = past.log(&["7f3c"]);
    assert!(told.contains("questions  0 yes  2 no") && !told.contains('✓'), "{told}");
}

#[test]
fn what_the_asker_was_told_is_told_with_its_words() {
    let past = Past::new();
    let to = |wire: &str, line: &str| format!(r#""wire":"{wire}","dir":"to","line":{}"#, Value::from(line));
    let asked = asks("7f3c0a1b.p1", "client-1", "touch a", "r1").replace("claude:main", "tunnel:1");
    let input = r#""rec":"ask","key":"7f3c0a1b.p2","kind":"approval","wire":"agent:main","requestId":"i1","config":{"message":"Go?"}"#;
    let records = [
        CAME,
        &asked,
        &ends("7f3c0a1b.p1", NO),
        &to(
            "tunnel:1",
            r#"{"type":"permission_response","requestId":"r1","approved":false,"message":"never on a friday"}"#,
        ),
        input,
        &ends("7f3c0a1b.p2", r#""outcome":"answered","source":"terminal","value":"approve""#),
        &to(
            "agent:main",
            r#"{"type":"input_response","requestId":"i1","response":"approve","outcome":"answered"}"#,
        ),
    ];
    past.run("7f3c0a1b", "2026-11-17T14:02:00.000Z", &records);
    let why = past.told(&["why", "7f3c.p1"]);
    assert!(why.contains("told     deny: never on a friday"), "{why}");
    let why = past.told(&["why", "7f3c.p2"]);
    assert!(why.contains("told     approve"), "{why}");
}
