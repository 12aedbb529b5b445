//! Values of secret variables are nowhere but where somebody said them on a wire.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use crate::stub::{played, record, run_in};
use crate::support::launch::Launch;
use crate::support::temp::Temp;
use crate::support::wait::eventually;

/// Variables that look secret, each with a value that is found again.
const SECRETS: [(&str, &str); 7] = [
    ("ANTHROPIC_API_KEY", "canary-api-1111"),
    ("MY_TOKEN", "canary-token-2222"),
    ("DB_PASSWORD", "canary-\"pass\\word\"-3333"),
    ("AWS_SECRET_ACCESS_KEY", "/canary+aws/4444"),
    ("npm_config__authToken", "canary-npm-5555"),
    ("GITHUB_TOKEN2", "canary-second-6666"),
    ("AWS_SECRETKEY", "canary-glued-7777"),
];

fn with_secrets(launch: Launch) -> Launch {
    SECRETS.iter().fold(launch, |launch, (name, value)| launch.env(name, *value))
}

/// Every one of the values that stands in a text, also as JSON quotes it.
fn held(text: &str) -> Vec<&'static str> {
    let quoted = |value: &str| Value::from(value).to_string().trim_matches('"').to_owned();
    let is_in = |value: &&str| text.contains(value) || text.contains(&quoted(value));
    SECRETS.iter().map(|(_, value)| *value).filter(is_in).collect()
}

/// What is on record besides the lines of wires, and besides what somebody typed or asked.
fn meta(record: &str) -> String {
    let is_meta = |line: &&str| {
        let line: Value = serde_json::from_str(line).unwrap();
        !["", "typed", "ask", "answer", "outcome"].contains(&line["rec"].as_str().unwrap_or_default())
    };
    record.lines().filter(is_meta).map(|line| format!("{line}\n")).collect()
}

/// The command lines of all processes that have to do with that folder.
fn command_lines(folder: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let lines = processes.filter_map(|process| std::fs::read(process.path().join("cmdline")).ok());
    let shown = lines.map(|line| String::from_utf8_lossy(&line).replace('\0', " "));
    shown.filter(|line| line.contains(folder.to_str().unwrap())).collect()
}

#[test]
fn no_value_of_the_environment_gets_on_record_into_the_log_onto_stderr_or_a_command_line() {
    let folder = Arc::new(Temp::new());
    let (log, go, at_work) = (folder.path("log"), folder.path("go"), folder.path("at-work"));
    let script = format!(
        "hears; init; asks q; hears; touch {}; until [ -e {} ]; do sleep 0.02; done; result; to_the_end",
        at_work.display(),
        go.display()
    );
    let launch = with_secrets(run_in(Arc::clone(&folder), &script)).env("TIM_LOG", &log);
    let mut tim = launch.arg("--answer-command").arg(crate::YES).start();
    eventually("the agent is at work", || at_work.exists().then_some(()));
    let lines = command_lines(&folder.path(""));
    assert!(lines.iter().any(|line| line.contains("__guard")), "{lines:?}");
    assert!(lines.iter().all(|line| held(line).is_empty()), "{lines:?}");
    std::fs::write(go, "").unwrap();
    let (code, stdout, stderr) = tim.exit();
    assert_eq!(code, Some(0), "{stderr}");
    let logged = std::fs::read_to_string(log).unwrap_or_default();
    let none: [&str; 0] = [];
    for text in [record(&folder), logged, stdout, stderr] {
        assert_eq!(held(&text), none, "{text}");
    }
}

#[test]
fn what_is_passed_on_stands_on_record_with_the_name_in_the_place_of_the_value() {
    let folder = Arc::new(Temp::new());
    let log = folder.path("log");
    let flags = SECRETS.iter().flat_map(|(name, value)| [format!("--{name}"), format!("x={value}")]);
    let launch = with_secrets(run_in(Arc::clone(&folder), "hears; init; result; to_the_end"));
    let launch = launch.env("TIM_LOG", &log).arg("--");
    let (code, _, stderr) = played(flags.fold(launch, |launch, flag| launch.arg(flag)));
    assert_eq!(code, 0, "{stderr}");
    let record = record(&folder);
    let none: [&str; 0] = [];
    for text in [&meta(&record), &stderr, &std::fs::read_to_string(log).unwrap_or_default()] {
        assert_eq!(held(text), none, "{text}");
    }
    for kind in ["run", "spawn"] {
        let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let started = lines.into_iter().find(|line| line["rec"] == kind).unwrap();
        let argv: Vec<&str> =
            started["argv"].as_array().unwrap().iter().map(|word| word.as_str().unwrap()).collect();
        for (name, _) in SECRETS {
            let at = argv
                .iter()
                .position(|word| *word == format!("--{name}"))
                .unwrap_or_else(|| panic!("{argv:?}"));
            assert_eq!(argv[at + 1], format!("x=[{name}]"));
        }
        assert!(!argv.contains(&"__guard"), "the guard is no business of the agent's: {argv:?}");
    }
}

#[test]
fn a_password_in_the_address_of_a_variable_is_on_record_in_no_command_line() {
    let folder = Arc::new(Temp::new());
    let address = "postgres://u:canary-db-8888@host/db";
    let launch = run_in(Arc::clone(&folder), "hears; init; result; to_the_end").env("DATABASE_URL", address);
    let (code, _, stderr) = played(launch.arg("--").arg("--db").arg(address));
    assert_eq!(code, 0, "{stderr}");
    let record = meta(&record(&folder));
    assert!(!record.contains("canary-db"), "{record}");
    assert_eq!(record.matches("postgres://u:[DATABASE_URL]@host/db").count(), 2, "{record}");
}

#[test]
fn neither_a_rule_nor_the_words_of_an_answer_command_carry_a_value_onto_the_record() {
    let folder = Arc::new(Temp::new());
    let launch = with_secrets(run_in(Arc::clone(&folder), "hears; init; asks q; hears; result; to_the_end"));
    let launch = launch.arg("--deny").arg("Bash(curl canary-token-2222:*)");
    let launch = launch.arg("--answer-command").arg("echo \"it was $MY_TOKEN\" >&2; exit 9");
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 5, "{stderr}");
    let none: [&str; 0] = [];
    let (record, shown) = (record(&folder), stderr);
    assert!(record.contains("Bash(curl [MY_TOKEN]:*)"), "{record}");
    for text in [meta(&record), shown] {
        assert_eq!(held(&text), none, "{text}");
    }
}

#[test]
fn what_an_agent_complained_about_before_it_failed_is_quoted_without_the_value() {
    let launch = with_secrets(crate::stub::run("echo \"no such key: $ANTHROPIC_API_KEY\" >&2; exit 1"));
    let (code, _, stderr) = played(launch);
    assert_eq!(code, 1, "{stderr}");
    assert!(stderr.contains("no such key: [ANTHROPIC_API_KEY]"), "{stderr}");
}

#[test]
fn a_complaint_does_not_repeat_a_value() {
    for arguments in
        [&["run", "go", "--claude", "/nowhere/canary-token-2222"][..], &["run", "--canary-token-2222"]]
    {
        let launch = with_secrets(Launch::tim([]));
        let launch = arguments.iter().fold(launch, |launch, argument| launch.arg(*argument));
        let (code, stdout, stderr) = launch.start().exit();
        assert_ne!(code, Some(0));
        assert!(stderr.contains("[MY_TOKEN]"), "{stderr}");
        assert!(!stderr.contains("canary") && !stdout.contains("canary"), "{stdout}{stderr}");
    }
}
