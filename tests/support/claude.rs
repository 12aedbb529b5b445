//! The real Claude Code CLI in two pinned versions, and what it may see of this machine: a home of its own and a scripted
//! API on loopback.
//!
//! It is installed by npm below the target folder, once. Where it cannot be had, `Claude::get` says so on stderr and gives
//! none; with `CI` set that is a failure. `TIM_TEST_CLAUDE_NEW` and `TIM_TEST_CLAUDE_OLD` may name binaries instead.

#[path = "claude/install.rs"]
mod install;
#[path = "claude/slot.rs"]
mod slot;

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

pub(crate) use slot::Slot;

use crate::support::temp::Temp;

/// Which one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Version {
    New,
    Old,
}

impl Version {
    pub(crate) const ALL: [Self; 2] = [Self::New, Self::Old];

    /// As npm knows it.
    pub(crate) fn number(self) -> &'static str {
        match self {
            Self::New => "2.1.325",
            Self::Old => "2.1.197",
        }
    }

    fn variable(self) -> &'static str {
        match self {
            Self::New => "TIM_TEST_CLAUDE_NEW",
            Self::Old => "TIM_TEST_CLAUDE_OLD",
        }
    }
}

/// An installed CLI.
#[derive(Clone)]
pub(crate) struct Claude {
    pub(crate) version: Version,
    pub(crate) binary: PathBuf,
}

impl Claude {
    /// Installs it if need be. None if it cannot be had here.
    pub(crate) fn get(version: Version) -> Option<Self> {
        static FOUND: [OnceLock<Result<PathBuf, String>>; 2] = [OnceLock::new(), OnceLock::new()];
        let found = FOUND[version as usize].get_or_init(|| find(version));
        match found {
            Ok(binary) => Some(Self { version, binary: binary.clone() }),
            Err(why) => {
                assert!(!in_ci(), "claude {} cannot be had: {why}", version.number());
                shout(&format!("NOT RUN: a test with claude {}: {why}", version.number()));
                None
            }
        }
    }
}

/// Whether what cannot run is a failure.
pub(crate) fn in_ci() -> bool {
    std::env::var_os("CI").is_some_and(|value| !value.is_empty())
}

/// To stderr itself: what the test harness catches of a test that passes is never seen.
pub(crate) fn shout(text: &str) {
    use std::io::Write as _;
    writeln!(std::io::stderr(), "{text}").ok();
}

fn find(version: Version) -> Result<PathBuf, String> {
    if let Some(named) = std::env::var_os(version.variable()).map(PathBuf::from) {
        // Somebody wanted this very one: then it is no question of what can be had.
        let checked = install::check(&named, version.number());
        checked.unwrap_or_else(|why| panic!("{}: {why}", version.variable()));
        return Ok(named);
    }
    let binary = install::installed(&folder(), version.number())?;
    install::check(&binary, version.number())?;
    Ok(binary)
}

/// Where the CLIs lie: below the target folder, whatever its name.
pub(super) fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder").join("claude-cli")
}

/// All that a CLI finds in its environment, and nothing else: nobody's home, keys or settings.
pub(crate) fn environment(folder: &Temp, api: &str) -> Vec<(&'static str, OsString)> {
    vec![
        ("PATH", path()),
        ("HOME", folder.path("home").into()),
        ("CLAUDE_CONFIG_DIR", folder.path("config").into()),
        ("TMPDIR", folder.path("tmp").into()),
        ("CLAUDE_CODE_TMPDIR", folder.path("tmp").into()),
        ("ANTHROPIC_BASE_URL", api.into()),
        ("ANTHROPIC_API_KEY", "sk-ant-fake".into()),
        ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".into()),
        ("DISABLE_AUTOUPDATER", "1".into()),
        // Ten otherwise, each after a longer pause: minutes, also for a key that is refused.
        ("CLAUDE_CODE_MAX_RETRIES", "2".into()),
    ]
}

/// The usual folders, and that of node.
fn path() -> OsString {
    let usual = ["/usr/bin", "/bin"].map(PathBuf::from);
    let node = install::program("node").and_then(|node| node.parent().map(Path::to_owned));
    std::env::join_paths(node.into_iter().chain(usual)).expect("folders without a colon")
}
