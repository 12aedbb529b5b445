//! A run by its name instead of its file.

use std::path::PathBuf;
use std::process::{Command, Output};

use super::{LIFE, fixture, replay, text};

/// A home with records of runs in it, which is gone with the test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        let home = std::env::temp_dir().join(format!("tim-replay-{name}-{}", std::process::id()));
        let runs = home.join(".local/state/tim/runs");
        std::fs::create_dir_all(&runs).unwrap();
        for run in ["20261116T101500Z-51a0beef", "20261116T101501Z-91aa0000", "20261116T101502Z-91aa0001"] {
            std::fs::copy(fixture(LIFE), runs.join(format!("{run}.jsonl"))).unwrap();
        }
        Self(home)
    }

    fn replay(&self, arguments: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tim"));
        command.arg("replay").args(arguments).env_clear().env("HOME", &self.0).current_dir(&self.0);
        command.output().unwrap()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        std::fs::remove_dir_all(&self.0).unwrap();
    }
}

#[test]
fn a_run_is_found_by_the_beginning_of_its_name() {
    let home = Home::new("found");
    let expected = replay(&[LIFE]).stdout;
    for name in ["51a0", "51A0BEEF", "91aa0001"] {
        let output = home.replay(&[name]);
        assert_eq!((output.status.code(), text(&output.stdout)), (Some(0), text(&expected)), "{name}");
    }
    assert_eq!(text(&home.replay(&["51a0", "--check"]).stdout), "as recorded: 22 lines sent\n");
    assert_eq!(home.replay(&["51a0", "--turns"]).status.code(), Some(0));
}

#[test]
fn a_name_that_means_none_or_several_is_said_to() {
    let home = Home::new("none");
    for (name, said) in [
        ("91aa", "several runs begin with 91aa"),
        ("ffff", "there is no record of a run ffff"),
        ("51a", "51a cannot be read"),
        ("51a0beef0", "51a0beef0 cannot be read"),
    ] {
        let output = home.replay(&[name]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(said), "{}", text(&output.stderr));
    }
    assert!(text(&replay(&["51a0beef"]).stderr).contains("says where the records of runs are"));
}

#[test]
fn a_file_of_that_name_goes_before_the_run() {
    let home = Home::new("file");
    std::fs::write(home.0.join("51a0"), "no run\n").unwrap();
    let output = home.replay(&["51a0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("neither a journal nor a recording"), "{}", text(&output.stderr));
}
