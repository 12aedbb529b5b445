//! `tim rules` from outside: the file and all that can be wrong with it, and what each command says.

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

#[path = "rules/configured.rs"]
mod configured;
#[path = "rules/file.rs"]
mod file;
#[path = "rules/judging.rs"]
mod judging;
#[expect(dead_code, reason = "each test uses a part of it")]
mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use support::launch::Launch;
use support::temp::Temp;

/// A home of the test's own.
fn home() -> Arc<Temp> {
    Arc::new(Temp::new())
}

/// Where the rules of that home are.
fn rules_file(home: &Temp) -> PathBuf {
    home.path("config/tim/rules.toml")
}

fn tim(home: &Arc<Temp>, arguments: &[&str]) -> Launch {
    let launch = Launch::tim_in(Arc::clone(home), ["rules"]);
    arguments.iter().fold(launch, |launch, argument| launch.arg(*argument))
}

/// The exit code, and what was said on stdout and stderr.
fn told(home: &Arc<Temp>, arguments: &[&str]) -> (Option<i32>, String, String) {
    tim(home, arguments).start().exit()
}

/// Writes the rules of a home, for its user alone.
fn write(home: &Temp, text: &str) -> PathBuf {
    let path = rules_file(home);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, text).unwrap();
    set_mode(&path, 0o600);
    path
}

fn set_mode(path: &Path, mode: u32) {
    std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn every_help_fits_a_screen_of_80_columns_and_teaches_by_example() {
    let home = home();
    for command in
        [&["--help"][..], &["list", "--help"], &["add", "--help"], &["remove", "--help"], &["test", "--help"]]
    {
        let (code, help, complaint) = told(&home, command);
        assert_eq!((code, complaint.as_str()), (Some(0), ""), "{command:?}");
        assert!(help.contains("Examples:"), "{command:?}");
        let widest = help.lines().max_by_key(|line| line.chars().count()).unwrap();
        assert!(widest.chars().count() <= 80, "{command:?}: {widest}");
    }
}
