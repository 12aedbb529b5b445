//! Whether an agent's shell is above this process, and what was changed there by which less would be asked.
//!
//! A tim that an agent started finds the one above by `TIM_OUTPUT_SOCKET`; an agent can leave that variable out, but not the
//! guard that is above all that it starts. Owns that look; what follows from it is decided by those who start something.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStringExt as _;

use crate::environment::Environment;

/// The variables that say where Claude Code has the user's own rules.
const OWN_RULES: [&str; 2] = ["HOME", "CLAUDE_CONFIG_DIR"];

/// What is above this process.
pub(crate) struct Above {
    guard: Option<i32>,
    has_parent: bool,
}

impl Above {
    pub(crate) fn look(environment: &Environment) -> Self {
        let guard = actors::agent::guard_above(std::process::id().cast_signed());
        Self { guard, has_parent: environment.output_socket.is_some() }
    }

    /// Whether whoever started this may be an agent.
    pub(crate) const fn is_nested(&self) -> bool {
        self.has_parent || self.is_agents()
    }

    /// Whether an agent started this, or something that it started: then a terminal is one that it has made, and nobody else
    /// sits there.
    pub(crate) const fn is_agents(&self) -> bool {
        self.guard.is_some()
    }

    /// What an agent has set so that Claude Code would read other rules than the user's: each variable that is not as it was
    /// when the agent was started.
    pub(crate) fn changed(&self, environment: &Environment) -> Vec<String> {
        // Whoever may not read that of their own guard has no other rules either.
        let given = self.guard.and_then(|guard| std::fs::read(format!("/proc/{guard}/environ")).ok());
        let own = [environment.home.as_deref(), environment.claude_folder.as_deref()];
        let own = own.map(|path| path.map(|path| path.as_os_str()));
        given.map(|given| differing(&given, own)).unwrap_or_default()
    }
}

fn differing(given: &[u8], own: [Option<&OsStr>; 2]) -> Vec<String> {
    let of = |name: &str| {
        let value =
            |entry: &[u8]| entry.strip_prefix(name.as_bytes())?.strip_prefix(b"=").map(<[u8]>::to_vec);
        given.split(|byte| *byte == 0).find_map(value).map(OsString::from_vec)
    };
    let pairs = OWN_RULES.into_iter().zip(own);
    let differs = pairs.filter(|(name, own)| of(name).filter(|value| !value.is_empty()).as_deref() != *own);
    differs.map(|(name, own)| format!("{name}={}", own.unwrap_or_default().display())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_agent_has_set_otherwise_is_named() {
        let given = b"PATH=/bin\0HOME=/home/me\0HOMEX=/x\0";
        let own = |home: &'static str, claude: Option<&'static str>| {
            differing(given, [Some(OsStr::new(home)), claude.map(OsStr::new)])
        };
        assert!(own("/home/me", None).is_empty());
        assert_eq!(own("/tmp/x", Some("/tmp/c")), ["HOME=/tmp/x", "CLAUDE_CONFIG_DIR=/tmp/c"]);
        assert_eq!(differing(b"CLAUDE_CONFIG_DIR=/c", [None, None]), ["CLAUDE_CONFIG_DIR="]);
    }
}
