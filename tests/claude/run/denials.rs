//! Who said no: tim for want of somebody, a rule, a mode, or Claude's own settings; and what that means for the exit code.

use serde_json::json;

use super::driver::Run;
use super::place::Place;
use super::{bash, touches, uses};
use crate::claude::{Claude, Version};
use crate::messages_api::{Api, Kind, Script, main};

with_both_versions![
    what_was_refused_twice_is_listed_once_and_nobody_else_is_blamed,
    what_claudes_own_settings_deny_is_listed_as_such_where_nobody_says_so,
    what_a_mode_denies_was_wished,
    a_mode_that_allows_needs_nobody,
    a_tool_that_a_rule_denies_is_not_offered_to_the_model,
    no_rule_of_a_folder_becomes_a_flag_of_the_real_claude,
];

fn what_was_refused_twice_is_listed_once_and_nobody_else_is_blamed(claude: &Claude) {
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch made")))
        .turn(main().tool("Bash", bash("touch made")))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    let done = Run::of(claude, &api).args(&["go"]).done();
    done.exits(5).replays().complains("2 undecided");
    assert_eq!(done.stderr.matches("--allow 'Bash(touch:*)'").count(), 1, "{}", done.stderr);
    assert!(!done.stderr.contains("see its own settings"), "{}", done.stderr);
}

/// A new CLI tells why; of an old one nobody knows.
fn what_claudes_own_settings_deny_is_listed_as_such_where_nobody_says_so(claude: &Claude) {
    let place = Place::new();
    let script = Script::new()
        .turn(main().asked("go").tool("Bash", bash("touch made")))
        .turn(main().tool("Write", json!({"file_path": place.named("made"), "content": "x"})))
        .turn(main().text("So be it."));
    let api = Api::start(script);
    std::fs::create_dir(place.path(".claude")).unwrap();
    let settings = json!({"permissions": {"deny": ["Bash(touch:*)"]}}).to_string();
    std::fs::write(place.path(".claude/settings.json"), settings).unwrap();
    let done = Run::at(&place, claude, &api).args(&["go"]).done();
    done.exits(5).replays().complains("--allow 'Edit(**)'");
    let blamed = done.stderr.lines().filter(|line| line.contains("see its own settings"));
    let blamed: Vec<&str> = blamed.map(|line| line.split_whitespace().next().unwrap()).collect();
    let expected: &[&str] = if claude.version == Version::Old { &["Bash"] } else { &[] };
    assert_eq!(blamed, expected, "{}", done.stderr);
    assert!(!place.path("made").exists());
}

fn what_a_mode_denies_was_wished(claude: &Claude) {
    let api = Api::start(touches("made"));
    let done = Run::of(claude, &api).args(&["--permission-mode", "dontAsk", "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert!(!done.place.path("made").exists());
}

fn a_mode_that_allows_needs_nobody(claude: &Claude) {
    let place = Place::new();
    let api = Api::start(uses("Write", json!({"file_path": place.named("made"), "content": "x"})));
    let done = Run::at(&place, claude, &api).args(&["--permission-mode", "acceptEdits", "go"]).done();
    assert_eq!(done.exits(0).replays().stdout, "So be it.\n");
    assert!(place.path("made").exists());
}

fn a_tool_that_a_rule_denies_is_not_offered_to_the_model(claude: &Claude) {
    let api = Api::start(Script::new().turn(main().text("Hm.")));
    Run::of(claude, &api).args(&["--deny", "Bash", "go"]).done().exits(0);
    let asked = api.requests_of(Kind::Main, 1).remove(0);
    assert!(!asked.tools().contains(&"Bash") && asked.tools().contains(&"Read"), "{:?}", asked.tools());
}

/// 2.1.197 looks for `--settings` in its words before it tells flags from values, and took the next word for a file: one that
/// a folder brings, with hooks and rules of its own.
fn no_rule_of_a_folder_becomes_a_flag_of_the_real_claude(claude: &Claude) {
    let place = Place::new();
    let api = Api::start(touches("made"));
    let hook = json!({"type": "command", "command": "touch hooked"});
    let settings =
        json!({"permissions": {"allow": ["Bash"]}, "hooks": {"SessionStart": [{"hooks": [hook]}]}});
    for name in ["--disallowedTools", "--disallowedTools=Bash(--settings)", "Bash(--settings)"] {
        std::fs::write(place.path(name), settings.to_string()).unwrap();
    }
    std::fs::create_dir(place.path(".tim")).unwrap();
    let said =
        |rules: &str| std::fs::write(place.path(".tim/config.toml"), format!("deny = [{rules}]")).unwrap();
    said(r#""--settings", "Bash(echo:*)""#);
    Run::at(&place, claude, &api).args(&["go"]).done().exits(2).complains("this looks like a flag");
    said(r#""Bash(--settings)", "Bash(echo:*)""#);
    Run::at(&place, claude, &api).args(&["go"]).done().exits(5);
    assert!(!place.path("made").exists() && !place.path("hooked").exists());
}
