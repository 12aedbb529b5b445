//! How Claude Code is found and started, and what it finds in its environment.

use std::os::unix::fs::PermissionsExt as _;

use serde_json::json;

use super::driver::Run;
use super::place::Place;
use super::{says, uses};
use crate::claude::Claude;
use crate::messages_api::{Api, Kind};

with_both_versions![
    every_kind_of_rule_that_tim_takes_claude_takes_too,
    a_bad_flag_is_a_failure_in_claudes_own_words,
    claude_is_nobodys_child_and_asks_at_our_socket,
];

with_the_new_version![
    a_flag_that_tim_sets_itself_is_not_passed_on,
    what_is_passed_on_reaches_claude,
    a_script_of_the_agent_asks_through_our_socket,
];

/// What a shell says of such a program, and tim too.
fn cannot_start(claude: &str, code: i32, words: &str) {
    let place = Place::new();
    std::fs::write(place.path("plain"), "#!/bin/sh\n").unwrap();
    std::fs::set_permissions(place.path("plain"), std::fs::Permissions::from_mode(0o644)).unwrap();
    place.program("lost", "#!/nowhere/sh\n");
    let done = Run::bare(&place, "http://127.0.0.1:9").args(&["--claude", claude, "go"]).done();
    done.exits(code).complains(words);
    assert!(done.stdout.is_empty(), "{}", done.stdout);
    place.nothing_is_left();
}

#[test]
fn f061_a_claude_that_is_not_there_is_named() {
    cannot_start("/nowhere/claude", 127, "`/nowhere/claude` is not found");
    cannot_start("no-such-claude", 127, "`no-such-claude` is not found");
    cannot_start("../lost", 127, "the interpreter that its first line names is missing");
}

#[test]
fn f062_a_claude_that_may_not_be_executed_is_named() {
    cannot_start("./plain", 126, "may not be executed");
    cannot_start("/", 126, "may not be executed");
}

fn a_bad_flag_is_a_failure_in_claudes_own_words(claude: &Claude) {
    let api = Api::start(says("Never."));
    let done = Run::of(claude, &api).args(&["go", "--", "--no-such-flag"]).done();
    done.exits(1).complains("unknown option '--no-such-flag'");
    done.complains("unknown to this Claude Code");
    assert!(done.stdout.is_empty());
    done.place.nothing_is_left();
}

fn a_flag_that_tim_sets_itself_is_not_passed_on(claude: &Claude) {
    let api = Api::start(says("Never."));
    for flags in [["--output-format", "text"], ["--output-format=text", "-x"], ["-p", "x"]] {
        let done = Run::of(claude, &api).args(&["go", "--"]).args(&flags).done();
        done.exits(2).complains("cannot be passed on: tim sets it itself");
        done.place.nothing_is_left();
    }
    assert!(api.requests().is_empty());
}

fn what_is_passed_on_reaches_claude(claude: &Claude) {
    let api = Api::start(says("Hello."));
    let ours = ["--append-system-prompt", "Be brief as a haiku.", "go"];
    let done = Run::of(claude, &api).args(&ours).args(&["--", "--model", "claude-haiku-4-5"]).done();
    done.exits(0);
    let asked = api.requests_of(Kind::Main, 1).remove(0);
    assert!(asked.system().contains("Be brief as a haiku."));
    assert_eq!(asked.body["model"], "claude-haiku-4-5");
}

fn every_kind_of_rule_that_tim_takes_claude_takes_too(claude: &Claude) {
    let api = Api::start(says("Hello."));
    let rules = [
        "WebFetch(domain:example.com)",
        "Edit(//etc/**)",
        "Read(.env)",
        "Bash(git push, origin:*)",
        "Bash(echo \"a b\")",
        "mcp__db__query",
        "NotebookEdit",
    ];
    let run = rules.iter().fold(Run::of(claude, &api), |run, rule| run.args(&["--deny", rule]));
    let done = run.args(&["go"]).done();
    assert_eq!(done.exits(0).stdout, "Hello.\n");
    let asked = api.requests_of(Kind::Main, 1).remove(0);
    assert!(
        asked.tools().contains(&"Bash") && !asked.tools().contains(&"NotebookEdit"),
        "{:?}",
        asked.tools()
    );
}

fn claude_is_nobodys_child_and_asks_at_our_socket(claude: &Claude) {
    let command = "env > seen; tr '\\0' '\\n' < /proc/$PPID/environ > of-claude; echo kept";
    let api = Api::start(uses("Bash", json!({"command": command, "description": "Look"})));
    let run = Run::of(claude, &api).env("CLAUDECODE", "1").env("CLAUDE_CODE_ENTRYPOINT", "other");
    let run = run.env("AI_AGENT", "other").env("CLAUDE_CODE_SESSION_ID", "other").env("KEPT", "yes");
    let done = run.args(&["--allowed-tools", "Bash", "go"]).done();
    done.exits(0);
    let of_claude = std::fs::read_to_string(done.place.path("of-claude")).unwrap();
    for name in ["CLAUDECODE=", "CLAUDE_CODE_ENTRYPOINT=other", "AI_AGENT=", "CLAUDE_CODE_SESSION_ID="] {
        assert!(!of_claude.lines().any(|line| line.starts_with(name)), "{name} {of_claude}");
    }
    let seen = std::fs::read_to_string(done.place.path("seen")).unwrap();
    let value = |name: &str| seen.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default();
    assert_eq!(value("KEPT="), "yes");
    let run = done.place.outside("run");
    assert!(value("TIM_OUTPUT_SOCKET=").starts_with(run.to_str().unwrap()), "{seen}");
}

fn a_script_of_the_agent_asks_through_our_socket(claude: &Claude) {
    let command = format!("{} ask confirm 'Really?' --json > answer", env!("CARGO_BIN_EXE_tim"));
    let api = Api::start(uses("Bash", json!({"command": command, "description": "Ask"})));
    let run = Run::of(claude, &api).args(&["--answer-command", "cat > ../asked; echo true"]);
    let done = run.args(&["--allowed-tools", "Bash", "go"]).done();
    done.exits(0);
    assert_eq!(std::fs::read_to_string(done.place.path("answer")).unwrap().trim(), "true");
    let asked = std::fs::read_to_string(done.place.outside("asked")).unwrap();
    assert!(asked.contains("Really?") && asked.contains("confirm"), "{asked}");
    assert_eq!(done.journal().ends()[0].outcome, "answered");
    done.place.nothing_is_left();
}
