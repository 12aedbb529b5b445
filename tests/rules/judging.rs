//! `tim rules test`: what it says of a command, which rules count, and how it ends.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::{home, tim, told, write};

#[test]
fn a_command_is_explained_part_by_part_and_the_exit_code_says_what_becomes_of_it() {
    let home = home();
    write(&home, "allow = ['Bash(git status:*)']\ndeny = ['Bash(git push:*)']\n");
    let (code, said, complaint) = told(&home, &["test", "git", "status", "--short"]);
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{said}");
    assert!(said.starts_with("allowed: ") && said.contains("Bash(git status:*)"), "{said}");
    let (code, said, _) = told(&home, &["test", "git status && touch x"]);
    assert!(code == Some(1) && said.starts_with("asks: "), "{said}");
    let rows: Vec<_> = said.lines().collect();
    assert!(rows[1].starts_with("  git status  allow  "), "{said}");
    assert!(rows[2].starts_with("  touch x     ask    "), "{said}");
    let (code, said, _) = told(&home, &["test", "git status; git push"]);
    assert!(code == Some(5) && said.starts_with("denied: ") && said.contains("git push"), "{said}");
}

#[test]
fn what_is_offered_does_allow_it() {
    let home = home();
    let (code, said, _) = told(&home, &["test", "cargo fmt --check && cargo test"]);
    let offered = said.lines().last().unwrap();
    let rules = offered.strip_prefix("to allow it: tim rules add ").unwrap_or_else(|| panic!("{said}"));
    assert_eq!(code, Some(1));
    let mut words = vec!["add"];
    words.extend(rules.trim_matches('\'').split("' '"));
    assert_eq!(told(&home, &words).0, Some(0));
    assert_eq!(told(&home, &["test", "cargo fmt --check && cargo test"]).0, Some(0));
}

#[test]
fn the_rules_of_the_flags_count_too_and_the_file_can_be_left_out() {
    let home = home();
    write(&home, "allow = ['Bash(git status:*)']\n");
    let code = |arguments: &[&str]| told(&home, arguments).0;
    assert_eq!(code(&["test", "--allow", "Bash(make:*)", "git status && make"]), Some(0));
    assert_eq!(code(&["test", "--deny", "Bash(git:*)", "git status"]), Some(5));
    assert_eq!(code(&["test", "--no-file", "git status"]), Some(1));
    assert_eq!(code(&["test", "--no-file", "--allow", "Bash(git status:*)", "git status"]), Some(0));
}

#[test]
fn a_bad_rule_of_a_flag_is_a_usage_error_with_a_caret_under_its_place() {
    let home = home();
    for flag in ["--allow", "--deny"] {
        let (code, said, complaint) = told(&home, &["test", flag, "Bash(git status:*", "git status"]);
        assert_eq!((code, said.as_str()), (Some(2), ""));
        let rows: Vec<_> = complaint.lines().collect();
        assert!(rows[0].starts_with(&format!("tim: {flag}: ")), "{complaint}");
        assert_eq!(rows[1..], ["  Bash(git status:*", "                   ^"]);
    }
    for arguments in [&["test"][..], &["test", "--jsonl", "ls"], &["test", "--jsonl", "--json"], &["sing"]] {
        assert_eq!(told(&home, arguments).0, Some(2), "{arguments:?}");
    }
}

#[test]
fn programs_get_one_object() {
    let home = home();
    let arguments = ["test", "--json", "--allow", "Bash(git status:*)", "git status && touch x"];
    let (code, said, _) = told(&home, &arguments);
    let object: Value = serde_json::from_str(&said).unwrap();
    assert_eq!((code, said.lines().count()), (Some(1), 1));
    assert_eq!((&object["decision"], &object["rule"]), (&json!("ask"), &Value::Null));
    let parts = object["parts"].as_array().unwrap();
    let parts: Vec<_> = parts.iter().map(|part| (part["text"].as_str(), part["decision"].as_str())).collect();
    assert_eq!(parts, [(Some("git status"), Some("allow")), (Some("touch x"), Some("ask"))]);
    let allowed = told(&home, &["test", "--json", "--allow", "Bash(git status:*)", "git status"]).1;
    let object: Value = serde_json::from_str(&allowed).unwrap();
    assert_eq!((&object["decision"], &object["rule"]), (&json!("allow"), &json!("Bash(git status:*)")));
}

#[test]
fn nothing_of_a_command_reaches_the_terminal_as_it_is() {
    let home = home();
    let odd = "echo \u{1b}[2J\u{202e} \r\n'\t'";
    for arguments in
        [&["test", odd][..], &["test", "--json", odd], &["add", odd], &["test", "--allow", odd, "ls"]]
    {
        let (_, said, complaint) = told(&home, arguments);
        let shown = |letter: char| letter == '\n' || codec::text::is_printable(letter);
        assert!(said.chars().chain(complaint.chars()).all(shown), "{said}{complaint}");
    }
}

/// The answers to these lines, and the exit code.
fn answers(flags: &[&str], lines: &str) -> (Vec<Value>, Option<i32>) {
    let home = home();
    write(&home, "allow = ['Bash(ls:*)']\n");
    let arguments: Vec<_> = ["test", "--jsonl"].iter().chain(flags).copied().collect();
    let (code, said, complaint) = tim(&home, &arguments).stdin(lines).start().exit();
    assert_eq!(complaint, "");
    (said.lines().map(|line| serde_json::from_str(line).unwrap()).collect(), code)
}

fn decisions(answers: &[Value]) -> Vec<&str> {
    answers.iter().map(|answer| answer["decision"].as_str().unwrap()).collect()
}

#[test]
fn each_line_is_judged_by_its_own_rules_and_those_of_the_flags() {
    let lines = [
        r#"{"id":"x","rule":"Bash(git status:*)","command":"git status","expect":"allow"}"#,
        r#"{"rule":"Bash(git status:*)","also":["Bash(make:*)"],"command":"git status && make"}"#,
        r#"{"allow":["Bash(git:*)"],"deny":["Bash(git push:*)"],"command":"git push"}"#,
        r#"{"command":"ls"}"#,
        r#"{"command":"make"}"#,
        r#"{"rule":"Bash(:*)","allow":["Bash(git:*)"],"command":"git status"}"#,
        r#"{"allow":["Bash(git:*)"],"deny":["Bash(git push:*"],"command":"git status"}"#,
    ];
    let (all, code) = answers(&["--allow", "Bash(make:*)"], &lines.join("\n"));
    assert_eq!(decisions(&all), ["allow", "allow", "deny", "ask", "allow", "ask", "ask"]);
    assert_eq!(code, Some(0));
    assert!(all[5]["why"].as_str().unwrap().starts_with("bad rule `Bash(:*)`: "), "{}", all[5]);
}

#[test]
fn a_line_that_is_no_case_asks_and_is_said_at_the_end() {
    let good = r#"{"rule":"Bash(git status:*)","command":"git status"}"#;
    for (bad, why) in [
        ("no json", "not JSON"),
        ("[]", "not an object"),
        ("{}", "it has no command"),
        (r#"{"command":5}"#, "command is not a text"),
        (r#"{"command":"ls","allow":"Bash"}"#, "allow is not a list of rules"),
        (r#"{"command":"ls","deny":[1]}"#, "a rule of deny is not a text"),
        (r#"{"command":"ls","command":"rm"}"#, "command"),
    ] {
        let (all, code) = answers(&[], &format!("{good}\n{bad}\n{good}\n"));
        assert_eq!((decisions(&all), code), (vec!["allow", "ask", "allow"], Some(2)), "{bad}");
        let told = all[1]["why"].as_str().unwrap();
        assert!(told.starts_with("line 2 is not readable: ") && told.contains(why), "{told}");
    }
}

#[test]
fn a_line_may_be_long_but_not_endless() {
    let line =
        |length: usize| format!(r#"{{"rule":"Bash(echo:*)","command":"ls","x":"{}"}}"#, "x".repeat(length));
    let (all, code) = answers(&[], &format!("{}\n{}\n{}", line(8 << 20), line(7 << 20), line(1)));
    assert_eq!((decisions(&all), code), (vec!["ask", "ask", "ask"], Some(2)));
    assert_eq!(all[0]["why"], json!("line 1 is not readable: longer than 8 MiB"));
    assert_eq!(all[1]["why"], all[2]["why"]);
}

/// As a coprocess: each answer comes before the next question.
#[test]
fn an_answer_comes_as_soon_as_its_line_did() {
    let home = home();
    let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
    command.args(["rules", "test", "--jsonl"]).env_clear().env("HOME", home.path("home"));
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (mut stdin, mut stdout) = (child.stdin.take().unwrap(), BufReader::new(child.stdout.take().unwrap()));
    for _ in 0..3 {
        stdin.write_all(b"{\"rule\":\"Bash(ls:*)\",\"command\":\"ls\"}\n").unwrap();
        let mut answer = String::new();
        stdout.read_line(&mut answer).unwrap();
        assert!(answer.starts_with(r#"{"decision":"allow","why":""#), "{answer}");
    }
    drop(stdin);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn other_tools_are_judged_by_what_they_are_about() {
    let home = home();
    let code = |arguments: &[&str]| told(&home, arguments).0;
    let read = ["test", "--allow", "Read(//etc/**)", "--tool", "Read"];
    let with = |path: &'static str| read.iter().copied().chain([path]).collect::<Vec<_>>();
    assert_eq!(code(&with("/etc/hosts")), Some(0));
    assert_eq!(code(&with(r#"{"file_path":"/etc/hosts"}"#)), Some(0));
    assert_eq!(code(&with("/var/log/x")), Some(1));
    assert_eq!(code(&["test", "--deny", "WebFetch", "--tool", "WebFetch", "https://docs.rs/x"]), Some(5));
    assert_eq!(code(&["test", "--allow", "mcp__a__*", "--tool", "mcp__a__b", "{}"]), Some(0));
    assert_eq!(code(&["test", "--allow", "mcp__a__*", "--tool", "mcp__b__b", "{}"]), Some(1));
}
