//! Claude's settings as a file: links, read-only files, several writers.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

use super::*;

/// A project of the test's own. It is gone with the test.
struct Project(PathBuf);

impl Project {
    fn new() -> Self {
        let path = std::env::temp_dir().join(format!("tim-settings-{}", crate::clock::random_hex(16)));
        fs::create_dir(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn settings(&self) -> PathBuf {
        self.path(NAME)
    }

    /// Writes its settings.
    fn write(&self, text: &str) {
        fs::create_dir_all(self.path(".claude")).unwrap();
        fs::write(self.settings(), text).unwrap();
    }

    fn text(&self) -> String {
        fs::read_to_string(self.settings()).unwrap()
    }

    #[track_caller]
    fn has_nothing_else(&self) {
        assert_eq!(fs::read_dir(self.path(".claude")).unwrap().count(), 1, "nothing else is left");
    }

    fn keep(&self, rules: &[&str]) -> Result<(), String> {
        kept(&self.0, rules)
    }
}

impl Drop for Project {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn kept(folder: &Path, rules: &[&str]) -> Result<(), String> {
    let rules: Vec<String> = rules.iter().map(|rule| (*rule).to_owned()).collect();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    runtime.block_on(keep(folder, &rules)).map(drop)
}

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn the_file_is_made_as_every_other_file_of_the_project_and_nothing_is_left_beside_it() {
    let project = Project::new();
    fs::write(project.path("other"), "").unwrap();
    fs::create_dir(project.path("folder")).unwrap();
    project.keep(&["Bash(git fetch:*)", "WebSearch"]).unwrap();
    let text = "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(git fetch:*)\",\n      \"WebSearch\"\n    ]\n  }\n}\n";
    assert_eq!(project.text(), text);
    assert_eq!(mode(&project.settings()), mode(&project.path("other")));
    assert_eq!(mode(&project.path(".claude")), mode(&project.path("folder")));
    assert_eq!(fs::read_dir(project.path(".claude")).unwrap().count(), 1);
}

#[test]
fn a_file_that_is_there_keeps_its_mode_and_what_else_it_says() {
    let project = Project::new();
    project.write("{\"model\":\"x\"}");
    for bits in [0o600, 0o640, 0o664] {
        fs::set_permissions(project.settings(), fs::Permissions::from_mode(bits)).unwrap();
        project.keep(&[&format!("Bash(echo {bits})")]).unwrap();
        assert_eq!(mode(&project.settings()), bits);
    }
    let rules = r#""allow":["Bash(echo 384)","Bash(echo 416)","Bash(echo 436)"]"#;
    assert_eq!(project.text(), format!("{{\"model\":\"x\",\"permissions\":{{{rules}}}}}"));
}

#[test]
fn f103_a_read_only_file_is_not_replaced() {
    let project = Project::new();
    project.write("{}");
    fs::set_permissions(project.settings(), fs::Permissions::from_mode(0o444)).unwrap();
    let why = project.keep(&["WebSearch"]).unwrap_err();
    assert!(why.ends_with("settings.local.json is read-only"), "{why}");
    assert_eq!(project.text(), "{}");
    project.has_nothing_else();
}

/// Permissions do not bind root, so what cannot be written is something else than a file or a folder.
#[test]
fn f103_a_place_that_cannot_be_written_is_said() {
    let project = Project::new();
    fs::create_dir_all(project.settings()).unwrap();
    assert!(project.keep(&["WebSearch"]).unwrap_err().contains("is not a file"));
    let project = Project::new();
    fs::write(project.path(".claude"), "mine").unwrap();
    assert!(project.keep(&["WebSearch"]).unwrap_err().contains(".claude cannot be opened"));
    assert_eq!(fs::read_to_string(project.path(".claude")).unwrap(), "mine");
    let gone = project.path("gone");
    assert!(kept(&gone, &["WebSearch"]).unwrap_err().contains("cannot be made"));
    assert!(!gone.exists(), "a project that has gone is not made anew");
}

#[test]
fn f104_neither_the_file_nor_its_folder_may_be_a_link() {
    let (project, other) = (Project::new(), Project::new());
    other.write("{}");
    fs::create_dir(project.path(".claude")).unwrap();
    for target in [other.settings(), other.path("nowhere"), project.path("inside")] {
        symlink(&target, project.settings()).unwrap();
        let why = project.keep(&["WebSearch"]).unwrap_err();
        assert!(why.contains("is a symbolic link; put the file itself"), "{why}");
        assert!(project.settings().is_symlink());
        fs::remove_file(project.settings()).unwrap();
    }
    fs::remove_dir(project.path(".claude")).unwrap();
    fs::create_dir(project.path("inside")).unwrap();
    for target in [other.path(".claude"), other.path("nowhere"), project.path("inside")] {
        symlink(&target, project.path(".claude")).unwrap();
        let why = project.keep(&["WebSearch"]).unwrap_err();
        assert!(why.contains("is a symbolic link; put the folder itself"), "{why}");
        fs::remove_file(project.path(".claude")).unwrap();
    }
    assert_eq!(other.text(), "{}");
    assert_eq!(fs::read_dir(other.path(".claude")).unwrap().count(), 1);
    assert_eq!(fs::read_dir(project.path("inside")).unwrap().count(), 0);
}

#[test]
fn f105_a_corrupt_file_is_not_overwritten_and_the_error_names_it() {
    for text in ["{\"permissions\": {\"allow\": [\"A\"", "garbage", "{\"permissions\": {\"allow\": 7}}"] {
        let project = Project::new();
        project.write(text);
        let why = project.keep(&["WebSearch"]).unwrap_err();
        assert!(why.contains("settings.local.json"), "{why}");
        assert_eq!(project.text(), text);
        project.has_nothing_else();
    }
    let project = Project::new();
    project.write(&format!("{{}}{}", " ".repeat(1 << 20)));
    assert!(project.keep(&["WebSearch"]).unwrap_err().contains("is longer than 1 MiB"));
    fs::write(project.settings(), b"{\"a\":\"\xff\"}").unwrap();
    assert!(project.keep(&["WebSearch"]).unwrap_err().contains("is not UTF-8"));
}

#[test]
fn a_rule_that_claude_would_read_otherwise_is_not_saved_and_none_beside_it() {
    let project = Project::new();
    let why = project.keep(&["WebSearch", "Bash(echo 'a b':*)"]).unwrap_err();
    assert!(why.contains("letter by letter"), "{why}");
    assert!(!project.path(".claude").exists());
}

/// By which a process knows that it is one of two writers, and where it writes.
const WRITER: &str = "TIM_TEST_SETTINGS_WRITER";

#[test]
#[expect(clippy::disallowed_methods, reason = "two writers are two processes: this very test, started twice")]
fn f106_two_processes_that_add_a_hundred_rules_each_lose_none() {
    if let Ok(told) = std::env::var(WRITER) {
        let (name, folder) = told.split_once(' ').unwrap();
        for number in 0..100 {
            kept(Path::new(folder), &[&format!("Bash({name} {number}:*)")]).unwrap();
        }
        return;
    }
    let project = Project::new();
    let name = "claude_settings::file_tests::f106_two_processes_that_add_a_hundred_rules_each_lose_none";
    let start = |writer: &str| {
        let mut command = std::process::Command::new(std::env::current_exe().unwrap());
        command.args([name, "--exact"]).env(WRITER, format!("{writer} {}", project.0.display()));
        command.stdout(std::process::Stdio::null()).spawn().unwrap()
    };
    for mut writer in [start("one"), start("two")] {
        assert!(writer.wait().unwrap().success());
    }
    let settings: serde_json::Value = serde_json::from_str(&project.text()).unwrap();
    let rules = settings["permissions"]["allow"].as_array().unwrap();
    assert_eq!(rules.len(), 200);
    for number in 0..100 {
        for name in ["one", "two"] {
            assert!(
                rules.contains(&serde_json::json!(format!("Bash({name} {number}:*)"))),
                "{name} {number}"
            );
        }
    }
    project.has_nothing_else();
}
