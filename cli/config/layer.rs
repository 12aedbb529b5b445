//! One layer of the configuration: what a file, the environment or the flags say, and who said it.
//!
//! Owns which keys there are, how a layer goes over another, and what of a layer counts that nobody trusts. Values in,
//! values out; reads nothing.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use actors::gate::rules::Rule;

/// A setting, and who said it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) origin: Origin,
}

impl<T> Said<T> {
    pub(super) fn map<U>(self, to: impl FnOnce(T) -> U) -> Said<U> {
        Said { value: to(self.value), origin: self.origin }
    }
}

/// Where a setting came from. A nested tim does not believe all of them alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Origin {
    /// this flag
    Flag(&'static str),
    /// this environment variable
    Variable(&'static str),
    /// this file, at that line
    File(PathBuf, usize),
}

/// Without the line: it is the file that is meant.
impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Flag(name) | Origin::Variable(name) => out.write_str(name),
            Origin::File(path, _) => write!(out, "{}", path.display()),
        }
    }
}

/// Whether a run is recorded, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Recording {
    On,
    Off,
    File(PathBuf),
}

/// A rule of a list, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Written {
    pub(crate) rule: Rule,
    pub(crate) text: String,
}

/// The words of each agent's command, by its name. No command is empty.
pub(super) type Backends = BTreeMap<String, Said<Vec<OsString>>>;

/// What one layer says; what it does not say is `None`, or an empty list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Layer {
    pub(super) allow: Vec<Said<Written>>,
    pub(super) deny: Vec<Said<Written>>,
    /// an empty one takes away what the layers below say
    pub(super) answer_command: Option<Said<String>>,
    pub(super) dangerously_allow_on_timeout: Option<Said<bool>>,
    pub(super) permission_timeout: Option<Said<Duration>>,
    pub(super) question_timeout: Option<Said<Duration>>,
    pub(super) timeout: Option<Said<Duration>>,
    pub(super) idle_timeout: Option<Said<Duration>>,
    pub(super) refused_ok: Option<Said<bool>>,
    pub(super) claude: Option<Said<OsString>>,
    pub(super) model: Option<Said<String>>,
    pub(super) terminal_input: Option<Said<bool>>,
    pub(super) journal: Option<Said<Recording>>,
    /// absolute
    pub(super) journal_folder: Option<Said<PathBuf>>,
    /// for ever, if there is no number
    pub(super) journal_days: Option<Said<Option<u64>>>,
    /// without a limit, if there is no number
    pub(super) journal_size: Option<Said<Option<u64>>>,
    pub(super) require_journal: Option<Said<bool>>,
    pub(super) attention: Attention,
    pub(super) backends: Backends,
    /// the folders whose own files may loosen; only the user's file can say it
    pub(super) trusted_folders: Option<Said<Vec<PathBuf>>>,
}

/// What a layer says about `[attention]`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Attention {
    pub(super) bell: Option<Said<bool>>,
    pub(super) notify: Option<Said<bool>>,
    pub(super) title: Option<Said<bool>>,
    pub(super) after: Option<Said<Duration>>,
    /// an empty one takes away what the layers below say
    pub(super) command: Option<Said<String>>,
}

impl Layer {
    /// What counts if this layer goes over that one: the upper one where it says something. Rules and agents add up.
    pub(super) fn over(self, below: Self) -> Self {
        Self {
            allow: [below.allow, self.allow].concat(),
            deny: [below.deny, self.deny].concat(),
            answer_command: self.answer_command.or(below.answer_command),
            dangerously_allow_on_timeout: self
                .dangerously_allow_on_timeout
                .or(below.dangerously_allow_on_timeout),
            permission_timeout: self.permission_timeout.or(below.permission_timeout),
            question_timeout: self.question_timeout.or(below.question_timeout),
            timeout: self.timeout.or(below.timeout),
            idle_timeout: self.idle_timeout.or(below.idle_timeout),
            refused_ok: self.refused_ok.or(below.refused_ok),
            claude: self.claude.or(below.claude),
            model: self.model.or(below.model),
            terminal_input: self.terminal_input.or(below.terminal_input),
            journal: self.journal.or(below.journal),
            journal_folder: self.journal_folder.or(below.journal_folder),
            journal_days: self.journal_days.or(below.journal_days),
            journal_size: self.journal_size.or(below.journal_size),
            require_journal: self.require_journal.or(below.require_journal),
            attention: self.attention.over(below.attention),
            backends: below.backends.into_iter().chain(self.backends).collect(),
            trusted_folders: self.trusted_folders.or(below.trusted_folders),
        }
    }

    /// What counts of it if whoever wrote it is not trusted, and the keys that do not. What is not named here does not count:
    /// a new key loosens until somebody has thought about it.
    pub(super) fn restrained(self) -> (Self, Vec<String>) {
        let kept = Self {
            deny: self.deny.clone(),
            require_journal: self.require_journal.clone().filter(|said| said.value),
            ..Self::default()
        };
        let (all, some) = (self.keys(), kept.keys());
        (kept, all.into_iter().filter(|key| !some.contains(key)).collect())
    }

    /// The keys that it says something for.
    fn keys(&self) -> Vec<String> {
        let Attention { bell, notify, title, after, command } = &self.attention;
        let said = [
            ("allow", !self.allow.is_empty()),
            ("deny", !self.deny.is_empty()),
            ("answer-command", self.answer_command.is_some()),
            ("dangerously-allow-on-timeout", self.dangerously_allow_on_timeout.is_some()),
            ("permission-timeout", self.permission_timeout.is_some()),
            ("question-timeout", self.question_timeout.is_some()),
            ("timeout", self.timeout.is_some()),
            ("idle-timeout", self.idle_timeout.is_some()),
            ("refused-ok", self.refused_ok.is_some()),
            ("claude", self.claude.is_some()),
            ("model", self.model.is_some()),
            ("terminal-input", self.terminal_input.is_some()),
            ("journal", self.journal.is_some()),
            ("journal-folder", self.journal_folder.is_some()),
            ("journal-days", self.journal_days.is_some()),
            ("journal-size", self.journal_size.is_some()),
            ("require-journal", self.require_journal.is_some()),
            ("attention.bell", bell.is_some()),
            ("attention.notify", notify.is_some()),
            ("attention.title", title.is_some()),
            ("attention.after", after.is_some()),
            ("attention.command", command.is_some()),
            ("trusted-folders", self.trusted_folders.is_some()),
        ];
        let named = said.into_iter().filter(|(_, is_said)| *is_said).map(|(key, _)| key.to_owned());
        named.chain(self.backends.keys().map(|name| format!("backends.{name}"))).collect()
    }
}

impl Attention {
    fn over(self, below: Self) -> Self {
        Self {
            bell: self.bell.or(below.bell),
            notify: self.notify.or(below.notify),
            title: self.title.or(below.title),
            after: self.after.or(below.after),
            command: self.command.or(below.command),
        }
    }
}
