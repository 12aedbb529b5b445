//! A record without its secrets: nothing of them is left, and it still is the same run.

use std::os::unix::fs::PermissionsExt as _;
use std::sync::Arc;

use serde_json::Value;

use crate::desk::Past;
use crate::support::launch::Launch;

const KEY: &str = "sk-ant-api03-abcdefghijklmnop0123456789";
const VARIABLE: &str = "canary-of-a-variable-42";

/// A run whose agent is asked about and asks with secrets, at an answer command that says yes.
fn secretive(past: &Past) -> String {
    secretive_as(past, "agent.sh")
}

/// The same, by an agent of that name.
fn secretive_as(past: &Past, agent: &str) -> String {
    let agent = past.0.path(agent);
    let home = past.0.path("home").display().to_string();
    let script = format!(
        r#"#!/bin/sh
read prompt
echo '{{"type":"text_delta","text":"the key is {KEY} and the password=swordfish, in {home}/x"}}'
echo '{{"type":"input_request","requestId":"1","prompt":"use {VARIABLE}?","input_type":"approval","choices":["Yes","No"]}}'
read answer
echo '{{"type":"done","ok":true}}'
"#
    );
    std::fs::write(&agent, script).unwrap();
    std::fs::set_permissions(&agent, std::fs::Permissions::from_mode(0o755)).unwrap();
    let launch = Launch::tim_in(Arc::clone(&past.0), ["run", "-p", "--backend"]).arg(&agent).arg("go");
    let launch = launch.env("MY_API_TOKEN", VARIABLE).env("TIM_ANSWER_COMMAND", "echo '\"approve\"'");
    let (code, stdout, stderr) = launch.start().exit();
    assert_eq!(code, Some(0), "{stdout}{stderr}");
    past.json(&[])["runs"][0]["run"].as_str().unwrap().to_owned()
}

#[test]
fn nothing_secret_is_left_and_the_run_is_the_same() {
    let past = Past::new();
    let run = secretive(&past);
    let launch =
        Launch::tim_in(Arc::clone(&past.0), ["log", "redact"]).arg(&run).env("MY_API_TOKEN", VARIABLE);
    let (code, redacted, said) = launch.start().exit();
    assert_eq!(code, Some(0), "{said}");
    let home = past.0.path("home").display().to_string();
    for secret in [KEY, VARIABLE, "swordfish", home.as_str()] {
        assert!(!redacted.contains(secret), "{secret} is left in {redacted}");
    }
    for words in ["MY_API_TOKEN-1", "REDACTED-1", "password=REDACTED", "/home/user/x"] {
        assert!(redacted.contains(words), "no {words} in {redacted}");
    }
    let counted = "tim: replaced: MY_API_TOKEN ×2, REDACTED ×2 (2 different), /home/user ×2; read it";
    assert!(said.starts_with(counted), "{said}");
    let launch = Launch::tim_in(Arc::clone(&past.0), ["log", "redact", "--json", "--hide", "acme", "--hide"]);
    let (_, _, said) = launch.arg("go").arg(&run).start().exit();
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["notFound"], serde_json::json!(["acme"]), "{said}");
    assert!(said["replaced"].as_array().unwrap().iter().any(|one| one["by"] == "hidden-2"), "{said}");
    assert_eq!(said["replays"], true, "{said}");
    let replay = Launch::tim(["replay", "--check", "-"]).stdin(&redacted);
    let (code, checked, _) = replay.start().exit();
    assert_eq!((code, checked.starts_with("as recorded")), (Some(0), true), "{checked}");
    let again = Launch::tim(["log", "redact", "-"]).stdin(&redacted);
    let (_, twice, _) = again.start().exit();
    assert_eq!(twice, redacted, "what has no secrets stays as it is");
}

#[test]
fn a_redacted_record_overwrites_nothing_and_is_for_nobody_else() {
    let past = Past::new();
    let run = secretive(&past);
    let file = past.0.path("shared.jsonl");
    let name = file.display().to_string();
    let (code, stdout, _) = past.log(&["redact", &run, "-o", &name, "--hide", "approve"]);
    assert_eq!((code, stdout.as_str()), (Some(0), ""));
    let written = std::fs::read_to_string(&file).unwrap();
    assert!(written.contains("hidden-1") && !written.contains("approve"), "{written}");
    assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
    let (code, _, said) = past.log(&["redact", &run, "-o", &name]);
    assert_eq!(code, Some(2), "{said}");
    assert!(said.contains("exists"), "{said}");
    assert_eq!(std::fs::read_to_string(&file).unwrap(), written);
}

#[test]
fn what_would_break_the_record_is_an_error() {
    let past = Past::new();
    let run = secretive(&past);
    let (code, stdout, said) = past.log(&["redact", &run, "--hide", "wire"]);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert!(said.contains("a word of the record itself") && said.contains("--hide"), "{said}");
}

#[test]
fn a_record_whose_agent_has_the_hidden_name_is_the_same_run() {
    let past = Past::new();
    let run = secretive_as(&past, "notes");
    let (code, redacted, said) = past.log(&["redact", &run, "--hide", "notes"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(redacted.contains("hidden-1") && !redacted.contains("notes"), "{redacted}");
    assert!(!said.contains("replays"), "{said}");
    let (code, checked, _) = Launch::tim(["replay", "--check", "-"]).stdin(&redacted).start().exit();
    assert_eq!((code, checked.starts_with("as recorded")), (Some(0), true), "{checked}");
}

#[test]
fn a_record_that_is_another_run_without_its_words_is_said_to_be_one() {
    let past = Past::new();
    let run = secretive_as(&past, VARIABLE);
    let redact = |flags: &[&str]| {
        let launch = Launch::tim_in(Arc::clone(&past.0), ["log", "redact"]).env("MY_API_TOKEN", VARIABLE);
        flags.iter().fold(launch.arg(&run), |launch, flag| launch.arg(flag)).start().exit()
    };
    let (code, redacted, said) = redact(&[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.ends_with("tim: without these words the record no longer replays as recorded\n"),
        "{said}{redacted}"
    );
    let (_, _, said) = redact(&["--json"]);
    assert_eq!(serde_json::from_str::<Value>(&said).unwrap()["replays"], false, "{said}");
}
