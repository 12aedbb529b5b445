//! Rules of the configuration, and `tim config` itself.

use std::path::Path;
use std::sync::Arc;

use serde_json::Value;

use super::{home, set_mode, told};
use crate::support::launch::Launch;
use crate::support::temp::{Temp, mode};

fn written(home: &Temp, name: &str, text: &str) {
    let path = home.path(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    set_mode(&path, 0o600);
}

fn config(home: &Arc<Temp>, arguments: &[&str], within: &Path) -> (Option<i32>, String, String) {
    let launch = Launch::tim_in(Arc::clone(home), ["config"]).within(within.to_owned());
    arguments.iter().fold(launch, |launch, argument| launch.arg(*argument)).start().exit()
}

#[test]
fn rules_of_the_configuration_are_judged_with_those_of_the_rules_file() {
    let home = home();
    written(&home, "config/tim/config.toml", "allow = ['Bash(echo:*)']\ndeny = ['Bash(git push:*)']");
    assert_eq!(told(&home, &["test", "echo hello"]).0, Some(0));
    assert_eq!(told(&home, &["test", "git push"]).0, Some(5));
    assert_eq!(told(&home, &["test", "--no-file", "echo hello"]).0, Some(1));
    let file = home.path("config/tim/config.toml");
    let listed = told(&home, &["list"]).1;
    assert!(listed.contains(&format!("allow  Bash(echo:*)  ({})\n", file.display())), "{listed}");
    written(&home, "config/tim/config.toml", "allow = ['Bash(echo:*']");
    let (code, _, stderr) = told(&home, &["test", "echo hello"]);
    assert_eq!(code, Some(2));
    assert!(stderr.contains("config.toml:1:"), "{stderr}");
}

#[test]
fn a_new_file_is_for_ones_own_eyes_and_an_old_one_is_left_alone() {
    let home = home();
    let within = home.folder("app");
    let file = home.path("config/tim/config.toml");
    let (code, stdout, _) = config(&home, &["init"], &within);
    assert_eq!((code, mode(&file)), (Some(0), 0o600));
    assert!(stdout.starts_with(&format!("{}\n", file.display())), "{stdout}");
    let (code, stdout, stderr) = config(&home, &["init"], &within);
    assert_eq!((code, stdout.as_str()), (Some(1), ""));
    assert_eq!(stderr, format!("tim: {}: is there already, and was left as it is\n", file.display()));
    assert_eq!(config(&home, &["init", "--project"], &within).0, Some(0));
    assert!(within.join(".tim/config.toml").is_file());
}

#[test]
fn what_counts_is_shown_with_who_said_it_for_programs_too() {
    let home = home();
    let within = home.folder("app");
    written(&home, "config/tim/config.toml", "# mine\njournal-days = 7\n");
    written(&home, "app/.tim/config.toml", "deny = ['Read']\nallow = ['Bash']\n");
    let (code, stdout, stderr) = config(&home, &["show", "--json"], &within);
    assert_eq!((code, stderr.as_str()), (Some(0), ""));
    let shown: Value = serde_json::from_str(&stdout).unwrap();
    let origin = |key: &str| {
        let all = shown["settings"].as_array().unwrap();
        all.iter().find(|setting| setting["key"] == key).unwrap()["origin"].as_str().unwrap().to_owned()
    };
    assert_eq!(origin("journal-days"), format!("{}:2", home.path("config/tim/config.toml").display()));
    assert_eq!(origin("deny"), format!("{}:1", within.join(".tim/config.toml").display()));
    assert_eq!((origin("allow"), origin("timeout")), ("default".to_owned(), "default".to_owned()));
    assert_eq!(shown["files"][1]["not_used"], serde_json::json!(["allow"]));
    let (_, rows, _) = config(&home, &["show"], &within);
    let widest = rows.lines().filter(|row| !row.contains('/')).map(|row| row.chars().count()).max();
    assert!(widest <= Some(80), "{rows}");
}
