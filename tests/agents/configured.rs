//! What the files of a project do to a run, and what they cannot do.

use std::sync::Arc;

use crate::stub::{played, run_in};
use crate::support::launch::Launch;
use crate::support::temp::Temp;

/// Asks for one permission, and ends well whatever comes of it. Keeps what it was started with.
const ASKS: &str = "printf '%s\\n' \"$@\" > ../told; hears; init; asks 1; hears; allowed && touch ../allowed; result; to_the_end";

/// A home with a project in it, whose file says that.
struct Place(Arc<Temp>);

impl Place {
    fn new(project: &str, own: &str) -> Self {
        let temp = Arc::new(Temp::new());
        for (name, text) in [("app/.tim/config.toml", project), ("config/tim/config.toml", own)] {
            let path = temp.path(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            for (path, mode) in [(path.as_path(), 0o600), (path.parent().unwrap(), 0o755)] {
                std::fs::set_permissions(path, std::os::unix::fs::PermissionsExt::from_mode(mode)).unwrap();
            }
        }
        Self(temp)
    }

    fn trusting(project: &str) -> Self {
        let place = Self::new(project, "");
        let own = format!("trusted-folders = ['{}']", place.0.path("app").display());
        std::fs::write(place.0.path("config/tim/config.toml"), own).unwrap();
        place
    }

    fn run(&self) -> Launch {
        run_in(Arc::clone(&self.0), ASKS).within(self.0.path("app"))
    }

    fn is_allowed(&self) -> bool {
        self.0.path("allowed").exists()
    }
}

/// All by which the one permission could be allowed without a person.
const LOOSENS: &str =
    "allow = ['Write']\nanswer-command = 'echo \"{\\\"allow\\\":true}\"'\nrefused-ok = true\n";

#[test]
fn a_folder_that_is_not_trusted_allows_nothing_and_that_is_said() {
    let place = Place::new(LOOSENS, "");
    let (code, _, stderr) = played(place.run());
    assert_eq!((code, place.is_allowed()), (5, false), "{stderr}");
    let told = stderr.lines().find(|line| line.contains(".tim/config.toml")).unwrap();
    assert!(
        told.contains(": allow, answer-command, refused-ok: not used; if you trust this folder: "),
        "{told}"
    );
}

#[test]
fn a_folder_that_the_user_trusts_allows_what_its_rules_say() {
    let place = Place::trusting("allow = ['Write']");
    let (code, _, stderr) = played(place.run());
    assert_eq!((code, place.is_allowed()), (0, true), "{stderr}");
}

#[test]
fn below_another_tim_a_trusted_folder_allows_nothing_either() {
    let place = Place::trusting(LOOSENS);
    let nobody = place.0.path("nobody.sock");
    let (code, _, stderr) = played(place.run().under(&nobody));
    assert!(code != 0 && !place.is_allowed(), "{code} {stderr}");
}

#[test]
fn a_folder_may_forbid_untrusted_and_choose_a_model_trusted() {
    let place = Place::new("deny = ['Write']\nmodel = 'small'", "allow = ['Write']\nmodel = 'large'");
    let (code, _, stderr) = played(place.run());
    assert_eq!((code, place.is_allowed()), (0, false), "a deny rule is somebody's decision: {stderr}");
    let told = || std::fs::read_to_string(place.0.path("told")).unwrap();
    assert!(told().lines().any(|word| word == "--model=large"), "{}", told());
    let own = format!("trusted-folders = ['{}']", place.0.path("app").display());
    std::fs::write(place.0.path("config/tim/config.toml"), own).unwrap();
    played(place.run());
    assert!(told().lines().any(|word| word == "--model=small"), "{}", told());
    let (_, _, stderr) = played(place.run().arg("--model").arg("mine"));
    assert!(told().contains("--model\nmine\n") && !told().contains("small"), "{} {stderr}", told());
}

#[test]
fn a_time_limit_may_come_from_the_file_of_a_folder_from_a_variable_or_from_a_flag() {
    let place = Place::trusting("timeout = '1h'");
    let limit = |launch: Launch| {
        let hangs = "hears; init; exec sleep 60";
        std::fs::write(place.0.path("agent"), format!("#!/bin/sh\ncase \"$1\" in --version) echo '2.1.325 (Claude Code)'; exit;; --help) exit;; esac\nhears() {{ read -r line; }}\ninit() {{ :; }}\n{hangs}\n")).unwrap();
        played(launch).0
    };
    assert_eq!(limit(place.run().env("TIM_TIMEOUT", "300ms")), 3);
    assert_eq!(limit(place.run().env("TIM_TIMEOUT", "1h").arg("--timeout").arg("300ms")), 3);
    let (code, _, stderr) = played(place.run().env("TIM_TIMEOUT", "soon"));
    assert_eq!(code, 2);
    assert!(stderr.starts_with("tim: TIM_TIMEOUT: write a number with its unit"), "{stderr}");
}

#[test]
fn what_allows_by_time_needs_a_time() {
    let place = Place::new("", "");
    let (code, _, stderr) = played(place.run().arg("--dangerously-allow-on-timeout"));
    assert_eq!(code, 2);
    assert_eq!(
        stderr,
        "tim: --dangerously-allow-on-timeout: allow on timeout, after which time? Add --permission-timeout 10m\n"
    );
}

#[test]
fn a_deny_rule_of_a_folder_makes_no_failure_a_success() {
    let denied = "hears; init; echo '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"ok\",\"num_turns\":1,\"session_id\":\"s\",\"permission_denials\":[{\"tool_name\":\"Bash\",\"tool_use_id\":\"u1\",\"tool_input\":{}}]}'; to_the_end";
    for project in ["", "deny = ['Bash(nothing:*)']"] {
        let place = Place::new(project, "");
        let launch = run_in(Arc::clone(&place.0), denied).within(place.0.path("app"));
        let (code, _, stderr) = played(launch);
        assert_eq!(code, 5, "{project}: {stderr}");
    }
}

#[test]
fn no_rule_becomes_a_flag_of_claude_code() {
    let place = Place::new("deny = ['--settings']", "");
    let (code, _, stderr) = played(place.run());
    assert_eq!(code, 2);
    assert!(stderr.contains("config.toml:1:10: a tool whose name begins with -"), "{stderr}");
    let (code, _, stderr) = played(Place::new("", "").run().arg("--deny=--settings"));
    assert_eq!(code, 2, "{stderr}");
    let place = Place::new("deny = ['Bash(git push:*)']", "");
    played(place.run());
    let told = std::fs::read_to_string(place.0.path("told")).unwrap();
    assert!(told.contains("\n--disallowedTools=Bash(git push:*)\n"), "{told}");
}
