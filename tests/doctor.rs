//! `tim doctor` from outside: what it finds on a machine that is made for the test, and that it leaves it as it is.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should stop"
)]
#![expect(clippy::indexing_slicing, reason = "a test may fail loudly")]
#![expect(
    clippy::disallowed_methods,
    reason = "the test is outside: it starts processes and looks at its watch"
)]

#[expect(dead_code, reason = "each test uses a part of it")]
mod support;

use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::sync::Arc;

use serde_json::Value;
use support::launch::Launch;
use support::serve::Serve;
use support::temp::{Temp, all_below};

/// A machine: a home with a Claude Code that says its version, and a folder to work in.
struct Machine(Arc<Temp>);

impl Machine {
    fn new() -> Self {
        let machine = Self(Arc::new(Temp::new()));
        machine.folder("project");
        machine.program("claude", "echo '2.1.325 (Claude Code)'");
        machine.write("home/.claude/.credentials.json", "secret-of-a-login");
        machine
    }

    fn folder(&self, name: &str) -> PathBuf {
        let path = self.0.path("home").join(name);
        std::fs::create_dir_all(&path).unwrap();
        path
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.path(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o644)).unwrap();
        path
    }

    /// A program in the home's `bin`, which is on the path.
    fn program(&self, name: &str, script: &str) {
        let path = self.write(&format!("home/bin/{name}"), &format!("#!/bin/sh\n{script}\n"));
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// All of it is below the home, so that what is said does not depend on where that lies.
    fn doctor(&self, arguments: &[&str]) -> Launch {
        let launch = Launch::tim_in(Arc::clone(&self.0), ["doctor"]);
        let launch = arguments.iter().fold(launch, |launch, argument| launch.arg(*argument));
        let others = ["XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "TMPDIR"];
        // One that is empty counts as not set, and a test may set it again.
        let launch = others.into_iter().fold(launch, |launch, name| launch.env(name, ""));
        let path = format!("{}:/usr/bin:/bin", self.0.path("home/bin").display());
        launch.env("PATH", path).env("LANG", "C.UTF-8").within(self.0.path("home/project"))
    }

    /// The row of that name, and the exit code.
    fn row(&self, name: &str, change: impl FnOnce(Launch) -> Launch) -> (i32, String, String) {
        let (code, checks) = checked(change(self.doctor(&["--json"])));
        let row = checks.iter().find(|check| check["name"] == name).unwrap_or_else(|| panic!("{checks:?}"));
        let text = |name: &str| row[name].as_str().unwrap_or_default().to_owned();
        (code, text("state"), format!("{} → {}", text("found"), text("todo")))
    }
}

fn checked(launch: Launch) -> (i32, Vec<Value>) {
    let (code, printed, complaint) = launch.start().exit();
    assert_eq!(complaint, "");
    let all: Value = serde_json::from_str(&printed).unwrap();
    assert_eq!(printed.lines().count(), 1);
    let checks = all["checks"].as_array().unwrap().clone();
    assert_eq!(all["ok"] == true, checks.iter().all(|check| check["state"] != "problem"));
    assert_eq!(all["ok"] == true, code == Some(0), "{printed}");
    (code.unwrap(), checks)
}

/// Without what differs from machine to machine.
fn stable(text: &str) -> String {
    let rows = text.lines().skip_while(|row| !row.contains(" claude "));
    let same = |row: &str| match row.split_once(" limits ") {
        Some((sign, _)) => format!("{sign} limits    [of this machine]\n"),
        None => format!("{row}\n"),
    };
    rows.map(same).collect()
}

#[test]
fn a_machine_that_has_all_is_told_in_aligned_rows() {
    let machine = Machine::new();
    let (code, printed, complaint) = machine.doctor(&[]).start().exit();
    assert_eq!((code, complaint.as_str()), (Some(0), ""), "{printed}");
    insta::assert_snapshot!(stable(&printed));
    assert!(printed.lines().all(|row| row.chars().count() <= 80), "{printed}");
    assert!(printed.starts_with(&format!("✓ tim       {}, ", env!("CARGO_PKG_VERSION"))), "{printed}");
}

#[test]
fn everything_that_can_be_wrong_is_told_with_what_to_do() {
    let machine = Machine::new();
    std::fs::remove_file(machine.0.path("home/.claude/.credentials.json")).unwrap();
    machine.program("claude", "echo '1.0.3 (Claude Code)'");
    machine.write("home/.claude/settings.json", "{\n  \"model\": \"x\",\n}\n");
    machine.write("home/project/.claude/settings.json", "{\"permissions\": {\"allow\": \"Bash\"}}");
    machine.write("home/project/.claude/settings.local.json", "{\"hooks\": []}");
    machine.write("home/project/.mcp.json", "{\"servers\": {}}");
    machine.write("home/.config/tim/config.toml", "journal = true\nanswer_command = \"x\"\n");
    machine.write("home/.config/tim/rules.toml", "allow = [\"Bash(\"]\n");
    machine.write("home/.local/state/tim", "in the place of a folder");
    let launch = machine.doctor(&[]).env("LANG", "C").env("TIM_OUTPUT_SOCKET", "/nowhere/tim.sock");
    let (code, printed, complaint) = launch.limited("--nofile=64").start().exit();
    assert_eq!((code, complaint.as_str()), (Some(1), ""), "{printed}");
    insta::assert_snapshot!(stable(&printed));
    assert!(printed.lines().all(|row| row.chars().count() <= 80), "{printed}");
}

#[test]
fn for_programs_it_is_one_object_with_the_same_facts() {
    let machine = Machine::new();
    let (code, checks) = checked(machine.doctor(&["--json"]));
    assert_eq!(code, 0);
    let names: Vec<&str> = checks.iter().map(|check| check["name"].as_str().unwrap()).collect();
    let expected = [
        "tim", "claude", "login", "settings", "config", "rules", "terminal", "letters", "calls", "sockets",
        "records", "state", "limits", "guard", "above",
    ];
    assert_eq!(names, expected);
    let claude = serde_json::json!({
        "name": "claude", "state": "ok", "found": "2.1.325, ~/bin/claude (PATH)", "todo": null
    });
    assert_eq!(checks[1], claude);
}

#[test]
fn claude_code_is_found_where_a_run_would_find_it() {
    let machine = Machine::new();
    machine.program("other", "echo '2.1.197 (Claude Code)'");
    let other = machine.0.path("home/bin/other");
    let of = |change: &dyn Fn(Launch) -> Launch| machine.row("claude", change).2;
    assert!(of(&|launch| launch).starts_with("2.1.325, ~/bin/claude (PATH)"));
    assert!(of(&|launch| launch.env("TIM_CLAUDE", &other)).starts_with("2.1.197, ~/bin/other (TIM_CLAUDE)"));
    let flagged = of(&|launch| launch.env("TIM_CLAUDE", "/nowhere").arg("--claude").arg(&other));
    assert!(flagged.starts_with("2.1.197, ~/bin/other (--claude)"), "{flagged}");
    machine.write("home/.config/tim/config.toml", "claude = \"~/bin/other\"\n");
    let configured = of(&|launch| launch);
    assert!(configured.starts_with("2.1.197, ~/bin/other (configuration)"), "{configured}");
}

#[test]
fn claude_code_that_is_missing_or_fails_is_in_the_way() {
    let machine = Machine::new();
    // Nothing is on this path but what starts the program itself.
    let bare = machine.0.folder("bare");
    for name in ["setsid", "setpriv"] {
        std::os::unix::fs::symlink(format!("/usr/bin/{name}"), bare.join(name)).unwrap();
    }
    let (code, state, said) = machine.row("claude", |launch| launch.env("PATH", &bare));
    assert_eq!((code, state.as_str()), (1, "problem"), "{said}");
    assert!(said.contains("not found") && said.contains("TIM_CLAUDE"), "{said}");
    machine.program("claude", "echo 2.1.325; exit 3");
    let (code, state, said) = machine.row("claude", |launch| launch);
    assert_eq!((code, state.as_str()), (1, "problem"), "{said}");
    assert!(said.contains("exit status: 3"), "{said}");
    let (_, state, said) = machine.row("claude", |launch| launch.env("TIM_CLAUDE", "/etc/passwd"));
    assert_eq!(state, "problem");
    assert!(said.contains("permission denied"), "{said}");
}

#[test]
fn of_a_login_nothing_is_said_but_that_there_is_one() {
    let machine = Machine::new();
    let launch = machine
        .doctor(&["-vv"])
        .env("ANTHROPIC_API_KEY", "canary-key-1")
        .env("TIM_LOG", machine.0.path("log"));
    let (code, printed, complaint) = launch.start().exit();
    let logged = std::fs::read_to_string(machine.0.path("log")).unwrap();
    assert_eq!(code, Some(0));
    assert!(printed.contains("ANTHROPIC_API_KEY is set"), "{printed}");
    for text in [printed, complaint, logged] {
        assert!(!text.contains("canary") && !text.contains("secret-of-a-login"), "{text}");
    }
    // It is not opened, but one that leads nowhere, or is empty, is none.
    std::fs::remove_file(machine.0.path("home/.claude/.credentials.json")).unwrap();
    std::os::unix::fs::symlink("/nowhere", machine.0.path("home/.claude/.credentials.json")).unwrap();
    assert_eq!(machine.row("login", |launch| launch).1, "warning");
    let elsewhere = machine.row("login", |launch| launch.env("CLAUDE_CONFIG_DIR", "/nowhere/claude"));
    assert_eq!(elsewhere.1, "warning");
    assert!(elsewhere.2.contains("/nowhere/claude/.credentials.json"), "{}", elsewhere.2);
}

#[test]
fn a_command_for_the_key_in_the_users_settings_is_a_login() {
    let machine = Machine::new();
    std::fs::remove_file(machine.0.path("home/.claude/.credentials.json")).unwrap();
    machine.write("home/.claude/settings.json", "{\"apiKeyHelper\": \"echo canary\"}");
    let (_, state, said) = machine.row("login", |launch| launch);
    assert_eq!(state, "ok");
    assert!(said.contains("apiKeyHelper") && !said.contains("canary"), "{said}");
}

#[test]
fn without_a_home_it_is_told_what_is_missing() {
    let machine = Machine::new();
    for (name, state) in [("records", "warning"), ("state", "warning"), ("login", "warning"), ("rules", "ok")]
    {
        let (code, found, said) = machine.row(name, |launch| launch.without("HOME"));
        assert_eq!((code, found.as_str()), (0, state), "{name}: {said}");
    }
}

#[test]
fn folders_that_cannot_be_made_or_are_not_ours_alone_are_named() {
    let machine = Machine::new();
    let file = machine.write("file", "");
    let below = file.join("state");
    let (code, state, said) = machine.row("records", |launch| launch.env("XDG_STATE_HOME", &below));
    assert_eq!((code, state.as_str()), (0, "warning"), "{said}");
    let (code, state, said) = machine.row("sockets", |launch| launch.env("XDG_RUNTIME_DIR", &file));
    assert_eq!((code, state.as_str()), (1, "problem"), "{said}");
    let absent = machine.0.path("absent");
    let (code, _, said) = machine.row("sockets", |launch| launch.env("XDG_RUNTIME_DIR", &absent));
    assert_eq!(code, 1, "{said}");
    let shared = machine.0.folder("run/tim");
    std::fs::set_permissions(&shared, std::fs::Permissions::from_mode(0o777)).unwrap();
    let runtime = machine.0.path("run");
    let (code, _, said) = machine.row("sockets", |launch| launch.env("XDG_RUNTIME_DIR", &runtime));
    assert!(code == 1 && said.contains("mode 777") && said.contains("chmod 700"), "{said}");
    let long = machine.0.folder(&"long".repeat(30));
    let (code, _, said) = machine.row("sockets", |launch| launch.env("XDG_RUNTIME_DIR", &long));
    assert!(code == 0 && said.starts_with("below /tmp: "), "{said}");
}

#[test]
fn a_record_that_is_required_and_cannot_be_kept_is_in_the_way() {
    let machine = Machine::new();
    machine.write("home/.config/tim/config.toml", "require-journal = true\n");
    machine.write("home/.local/state/tim/runs", "in the place of a folder");
    let (code, state, said) = machine.row("records", |launch| launch);
    assert_eq!((code, state.as_str()), (1, "problem"), "{said}");
}

#[test]
fn it_leaves_everything_as_it_is() {
    let machine = Machine::new();
    let before = all_below(&machine.0.path(""));
    checked(machine.doctor(&["--json"]));
    let runtime = machine.0.path("run");
    checked(machine.doctor(&["--json"]).env("XDG_RUNTIME_DIR", &runtime));
    let mut after = all_below(&machine.0.path(""));
    let mut before = before;
    before.sort();
    after.sort();
    assert_eq!(before, after);
}

#[test]
fn a_tim_above_that_listens_is_told_from_one_that_is_gone() {
    let machine = Machine::new();
    let launch = Launch::tim_in(Arc::clone(&machine.0), ["serve", "--no-journal"]);
    let serve = Serve::ready(launch.start());
    let listening = machine.row("above", |launch| launch.under(serve.socket()));
    assert!(listening.1 == "ok" && listening.2.contains("a tim listens at"), "{listening:?}");
    let gone = machine.row("above", |launch| launch.under(&machine.0.path("gone.sock")));
    assert!(gone.1 == "warning" && gone.2.contains("nobody listens"), "{gone:?}");
}

#[test]
fn a_mistake_on_its_command_line_is_a_usage_error() {
    let (code, printed, complaint) = Machine::new().doctor(&["--fix"]).start().exit();
    assert_eq!((code, printed.as_str()), (Some(2), ""));
    assert!(complaint.contains("--fix"), "{complaint}");
}
