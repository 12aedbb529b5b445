//! The environment variables that tim reads, as plain values.
//!
//! Owns their names, and which of their values count. Reads no variable itself: whoever starts the program hands in how
//! to look one up, so that tests bring their own.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use crate::secrets::Secrets;

/// What the environment says, looked up once at the start. A variable that is not set is `None`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    /// `TIM_CONFIG`: the configuration file
    pub(crate) config: Option<PathBuf>,
    /// `TIM_ANSWER_COMMAND`: set and empty means that there is none
    pub(crate) answer_command: Option<OsString>,
    /// `TIM_JOURNAL`: on, off or a file
    pub(crate) journal: Option<OsString>,
    /// `TIM_ATTENTION`: off calls nobody who looks elsewhere
    pub(crate) attention: Option<OsString>,
    /// `TIM_CLAUDE`: which Claude Code to run
    pub(crate) claude: Option<OsString>,
    /// `CLAUDE_CONFIG_DIR`: what Claude Code has of the user's own, if not in `~/.claude`
    pub(crate) claude_folder: Option<PathBuf>,
    /// the first variable that is set of those by which Claude Code logs in: only its name
    pub(crate) claude_login: Option<&'static str>,
    /// `LC_ALL`, `LC_CTYPE` or `LANG`: the one that counts for letters
    pub(crate) locale: Option<(&'static str, OsString)>,
    /// `TIM_NONINTERACTIVE`: set, and not to 0, means that no terminal is used
    pub(crate) is_non_interactive: bool,
    /// `PATH`
    pub(crate) search_path: Option<OsString>,
    /// `TIM_OUTPUT_SOCKET`: where the parent listens
    pub(crate) output_socket: Option<PathBuf>,
    /// `TIM_TUNNEL`: how to speak to the parent
    pub(crate) tunnel: Option<OsString>,
    /// `TIM_EXECUTOR`: the original sets it for its children
    pub(crate) executor: Option<OsString>,
    /// `TIM_OWNER_PROCESS_ID`: the original sets it for its children
    pub(crate) owner_process_id: Option<OsString>,
    /// `TIM_LOG`: what to log
    pub(crate) log: Option<OsString>,
    /// `TERM`: which terminal it is
    pub(crate) term: Option<OsString>,
    /// `NO_COLOR`: set and not empty means that colours are unwanted
    pub(crate) no_color: bool,
    /// `XTERM_VERSION` or `STY`: xterm itself, or screen
    pub(crate) has_old_screen: bool,
    /// `TIM_TEST_PANIC_ON`: a question with this text cannot be drawn, a line with it not be sent. Only where assertions are on.
    pub(crate) test_panic_on: Option<String>,
    /// `TIM_TEST_BRIDGE_DELAY_MS`: the permission bridge starts so much later. Only where assertions are on.
    pub(crate) test_bridge_delay_ms: Option<u64>,
    /// those of [`SETTINGS`] that are set
    pub(crate) settings: BTreeMap<&'static str, OsString>,
    /// `HOME`
    pub(crate) home: Option<PathBuf>,
    /// `XDG_CONFIG_HOME`
    pub(crate) config_home: Option<PathBuf>,
    /// `XDG_CACHE_HOME`
    pub(crate) cache_home: Option<PathBuf>,
    /// `XDG_STATE_HOME`
    pub(crate) state_home: Option<PathBuf>,
    /// `XDG_RUNTIME_DIR`
    pub(crate) runtime_folder: Option<PathBuf>,
    /// `TMPDIR`
    pub(crate) temp_folder: Option<PathBuf>,
    /// the values of all variables that look secret: what is written about a run does not hold them
    pub(crate) secrets: Secrets,
    /// our own command line without them: no variable, but known from the start as they are
    pub(crate) started_with: Vec<String>,
    /// where we were started: no variable either
    pub(crate) folder: Option<PathBuf>,
}

/// Variables that say what a key of the configuration does, and nothing more.
pub(crate) const SETTINGS: [&str; 8] = [
    "TIM_IDLE_TIMEOUT",
    "TIM_JOURNAL_FOLDER",
    "TIM_MODEL",
    "TIM_PERMISSION_TIMEOUT",
    "TIM_QUESTION_TIMEOUT",
    "TIM_REQUIRE_JOURNAL",
    "TIM_TERMINAL_INPUT",
    "TIM_TIMEOUT",
];

/// What the user's own commands do not see: by these they would be asked by themselves.
pub(crate) const NOT_FOR_CHILDREN: [&str; 2] = ["TIM_ANSWER_COMMAND", "TIM_OUTPUT_SOCKET"];

/// Variables by which Claude Code logs in, in its own order.
const LOGINS: [&str; 6] = [
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CODE_USE_FOUNDRY",
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_API_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
];

/// Variables that say which letters there are: the first one that is set counts.
const LOCALES: [&str; 3] = ["LC_ALL", "LC_CTYPE", "LANG"];

impl Environment {
    /// Looks up every variable. One that is empty counts as not set, but for the answer command, which it takes away;
    /// a folder counts only if it is absolute.
    pub(crate) fn from(get: impl Fn(&str) -> Option<OsString>) -> Self {
        let filled = |name: &str| get(name).filter(|value| !value.is_empty());
        let path = |name: &str| filled(name).map(PathBuf::from);
        let folder = |name: &str| path(name).filter(|folder| folder.is_absolute());
        Self {
            config: path("TIM_CONFIG"),
            answer_command: get("TIM_ANSWER_COMMAND"),
            journal: filled("TIM_JOURNAL"),
            attention: filled("TIM_ATTENTION"),
            claude: filled("TIM_CLAUDE"),
            claude_folder: path("CLAUDE_CONFIG_DIR"),
            claude_login: LOGINS
                .into_iter()
                .find(|name| filled(name).is_some_and(|value| value != "0" && value != "false")),
            locale: LOCALES.into_iter().find_map(|name| Some((name, filled(name)?))),
            is_non_interactive: filled("TIM_NONINTERACTIVE").is_some_and(|value| value != "0"),
            search_path: filled("PATH"),
            output_socket: path("TIM_OUTPUT_SOCKET"),
            tunnel: filled("TIM_TUNNEL"),
            executor: filled("TIM_EXECUTOR"),
            owner_process_id: filled("TIM_OWNER_PROCESS_ID"),
            log: filled("TIM_LOG"),
            term: filled("TERM"),
            no_color: filled("NO_COLOR").is_some(),
            has_old_screen: filled("XTERM_VERSION").or(filled("STY")).is_some(),
            test_panic_on: filled("TIM_TEST_PANIC_ON")
                .filter(|_| cfg!(debug_assertions))
                .and_then(|text| text.into_string().ok()),
            test_bridge_delay_ms: filled("TIM_TEST_BRIDGE_DELAY_MS")
                .filter(|_| cfg!(debug_assertions))
                .and_then(|text| text.to_str()?.parse().ok()),
            home: folder("HOME"),
            config_home: folder("XDG_CONFIG_HOME"),
            cache_home: folder("XDG_CACHE_HOME"),
            state_home: folder("XDG_STATE_HOME"),
            runtime_folder: folder("XDG_RUNTIME_DIR"),
            temp_folder: folder("TMPDIR"),
            settings: SETTINGS.iter().filter_map(|name| Some((*name, filled(name)?))).collect(),
            secrets: Secrets::default(),
            started_with: Vec::new(),
            folder: None,
        }
    }

    /// One of [`SETTINGS`], if it is set.
    pub(crate) fn setting(&self, name: &str) -> Option<&OsStr> {
        self.settings.get(name).map(OsString::as_os_str)
    }

    /// Whether the terminal cuts rows that have become too wide, where all others break them.
    pub(crate) fn cuts_rows(&self) -> bool {
        self.has_old_screen || self.term.as_deref().is_some_and(|term| term == "linux")
    }

    /// The folder of what can be found out again, if one is known.
    pub(crate) fn cache_folder(&self) -> Option<PathBuf> {
        let home = || self.home.as_ref().map(|home| home.join(".cache"));
        self.cache_home.clone().or_else(home).map(|folder| folder.join("tim"))
    }

    /// The folder of what is kept from run to run, if one is known.
    pub(crate) fn state_folder(&self) -> Option<PathBuf> {
        let home = || self.home.as_ref().map(|home| home.join(".local/state"));
        self.state_home.clone().or_else(home).map(|folder| folder.join("tim"))
    }

    /// The folder of all that the user configures, if one is known.
    pub(crate) fn config_folder(&self) -> Option<PathBuf> {
        let home = || self.home.as_ref().map(|home| home.join(".config"));
        self.config_home.clone().or_else(home).map(|folder| folder.join("tim"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(variables: &[(&str, &str)]) -> Environment {
        Environment::from(|name| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into())
        })
    }

    #[test]
    fn an_empty_environment_says_nothing() {
        assert_eq!(environment(&[]), Environment::default());
    }

    #[test]
    fn a_folder_that_is_not_absolute_is_ignored() {
        let folders = ["HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR", "TMPDIR"];
        let relative: Vec<_> = folders.iter().map(|name| (*name, "there")).collect();
        assert_eq!(environment(&relative), Environment::default());
    }

    #[test]
    fn an_empty_variable_counts_as_not_set_but_for_the_answer_command() {
        let names = [
            "TIM_CONFIG",
            "TIM_JOURNAL",
            "TIM_ATTENTION",
            "TIM_OUTPUT_SOCKET",
            "TIM_TUNNEL",
            "TIM_EXECUTOR",
            "TIM_LOG",
        ];
        let empty: Vec<_> = names.iter().map(|name| (*name, "")).collect();
        assert_eq!(environment(&empty), Environment::default());
        assert_eq!(environment(&[("TIM_ANSWER_COMMAND", "")]).answer_command, Some(OsString::new()));
    }

    #[test]
    fn of_a_login_only_the_name_is_known_and_of_locales_the_first_one_counts() {
        let set = environment(&[("ANTHROPIC_API_KEY", "canary"), ("LANG", "C"), ("LC_CTYPE", "en_US.UTF-8")]);
        assert_eq!(set.claude_login, Some("ANTHROPIC_API_KEY"));
        assert_eq!(set.locale, Some(("LC_CTYPE", "en_US.UTF-8".into())));
        assert!(!format!("{set:?}").contains("canary"));
    }

    #[test]
    fn each_variable_has_its_place() {
        let set = environment(&[
            ("TIM_CONFIG", "c.toml"),
            ("TIM_ATTENTION", "off"),
            ("TIM_OUTPUT_SOCKET", "/s"),
            ("TIM_TUNNEL", "plain"),
            ("TIM_OWNER_PROCESS_ID", "7"),
            ("HOME", "/h"),
            ("XDG_RUNTIME_DIR", "/run/user/1"),
        ]);
        let expected = Environment {
            config: Some("c.toml".into()),
            attention: Some("off".into()),
            output_socket: Some("/s".into()),
            tunnel: Some("plain".into()),
            owner_process_id: Some("7".into()),
            home: Some("/h".into()),
            runtime_folder: Some("/run/user/1".into()),
            ..Environment::default()
        };
        assert_eq!(set, expected);
    }
}
