//! What is told of the configuration, and what a new file says.

use super::*;

fn uncommented(text: &str) -> String {
    let keys = text.lines().filter_map(|line| line.strip_prefix('#')).filter(|line| !line.starts_with(' '));
    keys.map(|line| format!("{line}\n")).collect()
}

/// A folder of a test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tim-configure-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn environment(&self, text: &str) -> Environment {
        write(&self.0.join(".config/tim/config.toml"), text, false).unwrap();
        Environment { home: Some(self.0.clone()), ..Environment::default() }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn told(name: &str, text: &str) -> Vec<String> {
    let folder = Folder::new(name);
    let environment = folder.environment(text);
    let found = config::find(&environment).unwrap();
    rows(&found, &shown::settings(&found, &environment, Some(&folder.0)), &environment)
}

#[test]
fn a_new_file_says_nothing_and_without_its_comment_signs_every_key() {
    assert_eq!(told("nothing", template::OWN), told("empty", ""));
    let rows = told("all", &uncommented(template::OWN));
    let defaults: Vec<_> = rows.iter().filter(|row| row.ends_with("default")).collect();
    assert_eq!(defaults, Vec::<&String>::new());
    let folder = std::env::temp_dir().join(format!("tim-configure-{}-all", std::process::id()));
    insta::assert_snapshot!(rows.join("\n").replace(folder.to_str().unwrap(), "HOME"));
}

#[test]
fn a_new_file_of_a_project_says_nothing_and_without_its_comment_signs_nothing_that_loosens() {
    assert_eq!(told("project", template::PROJECT), told("none", ""));
    let folder = Folder::new("untrusted");
    let path = folder.0.join(".tim/config.toml");
    write(&path, &uncommented(template::PROJECT), false).unwrap();
    let environment = Environment { folder: Some(folder.0.clone()), ..Environment::default() };
    let found = config::find(&environment).unwrap();
    assert_eq!(found.files.first(), Some(&Seen { path, state: State::Read }));
}

#[test]
fn where_nothing_is_said_the_defaults_are_shown() {
    insta::assert_snapshot!(told("defaults", "").join("\n"));
}

#[test]
fn what_a_setting_holds_is_shown_and_never_obeyed() {
    let rows = told("hostile", "answer-command = \"a\\u001b[2Jb\\\"\\n\"\nmodel = '\\'");
    let find = |key: &str| rows.iter().find(|row| row.starts_with(key)).unwrap().clone();
    assert!(find("answer-command").contains(r#""a\u001B[2Jb\"\n""#), "{rows:?}");
    assert!(find("model").contains(r#""\\""#), "{rows:?}");
}

#[test]
fn a_file_that_is_there_is_left_as_it_is() {
    let folder = Folder::new("there");
    let path = folder.0.join("x.toml");
    write(&path, "one", false).unwrap();
    assert_eq!(write(&path, "two", false).unwrap_err().kind(), ErrorKind::AlreadyExists);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "one");
}
