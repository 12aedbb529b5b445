//! Who takes part in a run. Plain values.

use std::collections::VecDeque;
use std::sync::Arc;

use codec::id::{Label, Path};
use codec::limits::Limits;
use codec::tunnel::{AnswerSource, Peer, Role, Segment};

use crate::dialect::Dialect;
use crate::gate::Gate;

use super::AskerId;
use super::agents::Tasks;
use super::event::OpenLimits;
use super::rejected::Turns;

/// What a run needs to know of itself.
#[derive(Debug, Clone)]
pub struct RunInfo {
    /// its name, a few hex digits: every key begins with it
    pub id: Arc<str>,
    /// where ids come from that are not counted
    pub seed: String,
    /// when it began, in milliseconds since 1970: for timestamps in our output, nothing is decided by it
    pub began_unix_ms: u64,
    /// how much may be open
    pub open: OpenLimits,
    /// how much one message may hold
    pub limits: Limits,
    /// whether somebody reads our own output
    pub publishes: bool,
    /// what a parent calls it: the paths of its askers begin with it
    pub path: Option<Path>,
    /// what it is to its askers
    pub role: Role,
    /// the rules in force
    pub gate: Arc<Gate>,
    /// how long a permission of our own agent may wait; for ever if nothing is said
    pub permission_timeout_ms: Option<u64>,
    /// what somebody saw and nobody answered in that time is allowed: the user said so
    pub allow_on_timeout: bool,
    /// how long a question of our own agent may wait; for ever if nothing is said
    pub question_timeout_ms: Option<u64>,
    /// our agent asks through a bridge: whoever greets as that speaks for it
    pub is_bridged: bool,
}

#[cfg(test)]
impl RunInfo {
    /// A run of a test.
    pub(crate) fn of_a_test(seed: &str) -> Self {
        Self {
            id: "7f3c".into(),
            seed: seed.to_owned(),
            began_unix_ms: 0,
            open: OpenLimits::default(),
            limits: Limits::STANDARD,
            publishes: false,
            path: None,
            role: Role::Serve,
            gate: Arc::default(),
            permission_timeout_ms: None,
            question_timeout_ms: None,
            is_bridged: false,
            allow_on_timeout: false,
        }
    }
}

/// Somebody who asks.
#[derive(Debug, Clone)]
pub struct AskerInfo {
    /// `claude:main`, `tunnel:3`
    pub wire: String,
    /// its language
    pub dialect: Dialect,
    /// what it is called
    pub path: Option<String>,
    /// its process, if known
    pub pid: Option<u64>,
    /// the agent of ours that started it: its name begins with that one's
    pub below: Option<Path>,
}

/// Who said something, for those who show it or pass it on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Who {
    /// `claude:main`, `tunnel:3`
    pub wire: String,
    /// what it is called, from the root on
    pub path: String,
    /// its process, if known
    pub pid: Option<u64>,
    /// the agent of ours that started it
    below: Option<Label>,
}

impl Who {
    /// Somebody of that path, who speaks through us.
    #[must_use]
    pub fn named(path: &str) -> Self {
        Self { wire: String::new(), path: path.to_owned(), pid: None, below: None }
    }

    /// Its part of the way that a report takes upward: itself, behind the agent that started it.
    #[must_use]
    pub fn segments(&self) -> Vec<Segment<'static>> {
        let last = self.path.rsplit('/').next().unwrap_or_default();
        let own = Segment { pid: self.pid, ..Segment::of(Label::from_any(last)) };
        self.below.clone().map(Segment::of).into_iter().chain([own]).collect()
    }
}

/// Somebody who asks, as the router knows them.
#[derive(Debug)]
pub(super) struct Asker {
    pub(super) info: AskerInfo,
    pub(super) who: Arc<Who>,
    /// what it said it is, if it said hello
    pub(super) peer: Option<Peer>,
    /// typed lines that went there, the oldest first, and whether it has said what became of each
    pub(super) unreceipted: VecDeque<(String, bool)>,
    /// whoever types knows that it hears that
    is_known_to_hear: bool,
    /// what its tasks are called, by their ids
    pub(super) tasks: Tasks,
    /// the agent of ours whose bridge it is
    pub(super) speaks_for: Option<AskerId>,
    /// its turns, if it speaks stream events
    pub(super) turns: Turns,
}

impl Asker {
    pub(super) fn new(info: AskerInfo) -> Self {
        let who = Arc::new(who(&info));
        Self {
            info,
            who,
            peer: None,
            unreceipted: VecDeque::new(),
            is_known_to_hear: false,
            tasks: Tasks::default(),
            speaks_for: None,
            turns: Turns::default(),
        }
    }

    /// It is called so from now on.
    pub(super) fn rename(&mut self, path: &Path) {
        self.info.path = Some(path.to_string());
        self.who = Arc::new(who(&self.info));
    }

    pub(super) fn path(&self) -> Option<Path> {
        self.info.path.as_deref().and_then(Path::new)
    }

    /// Whether it hears a line for that path. What is for somebody below an agent of ours has its own way there.
    pub(super) fn hears_what_is_for(&self, to: &Path) -> bool {
        match self.info.dialect {
            // What is for the run that it belongs to is for it.
            Dialect::Claude | Dialect::Events => {
                self.path().is_some_and(|own| own.labels().starts_with(to.labels()))
            }
            Dialect::Tunnel { .. } => self.is_on_the_way_to(to),
        }
    }

    /// Whether a line for that path goes through here.
    pub(super) fn is_on_the_way_to(&self, to: &Path) -> bool {
        self.path().is_some_and(|own| to.labels().starts_with(own.labels()))
    }

    /// Whether it asks for an agent of ours, so that our allow rules are meant for it. A nested tim
    /// asks for its own.
    pub(super) fn is_for_our_agent(&self) -> bool {
        self.info.dialect.is_of_agent() || self.peer == Some(Peer::Bridge)
    }

    /// Whether it is or has an agent that could hear what a person types. A client of the original may have one.
    pub(super) const fn may_listen(&self) -> bool {
        matches!(self.peer, None | Some(Peer::Tim))
    }

    /// Whether what it reports changes nothing that is known of it.
    pub(super) const fn only_goes_on(&self) -> bool {
        self.is_known_to_hear && !self.turns.is_rejected()
    }

    /// By which name it hears what is typed, if that is news.
    pub(super) fn begins_to_hear(&mut self) -> Option<Path> {
        // Asked for every line: what is known costs nothing.
        if self.is_known_to_hear || !self.may_listen() {
            return None;
        }
        self.is_known_to_hear = true;
        self.path()
    }

    /// By which name it heard it until now.
    pub(super) fn hears_no_more(&mut self) -> Option<Path> {
        std::mem::take(&mut self.is_known_to_hear).then(|| self.path())?
    }
}

fn who(info: &AskerInfo) -> Who {
    let path = info.path.clone().unwrap_or_else(|| info.wire.clone());
    let below = info.below.as_ref().and_then(|agent| agent.labels().last().cloned());
    Who { wire: info.wire.clone(), path, pid: info.pid, below }
}

/// Somewhere where answers come from.
#[derive(Debug, Clone)]
pub struct DeskInfo {
    /// `terminal`, `up`, `command`, `control`
    pub name: String,
    /// what its answers count as
    pub source: AnswerSource,
    /// somebody is there. One that does not count may answer what others hold, but where it is alone questions are
    /// refused as if it were not there
    pub counts: bool,
}

impl DeskInfo {
    /// A desk where somebody is.
    #[must_use]
    pub fn new(name: &str, source: AnswerSource) -> Self {
        Self { name: name.to_owned(), source, counts: true }
    }

    /// What the answers of a desk of that name count as, if it is one: a record has only its name.
    #[must_use]
    pub fn source_of(name: &str) -> Option<AnswerSource> {
        match name.split_once(':').map_or(name, |(kind, _)| kind) {
            "terminal" => Some(AnswerSource::Terminal),
            "up" | "parent" => Some(AnswerSource::Parent),
            "command" => Some(AnswerSource::Command),
            "rule" => Some(AnswerSource::Rule),
            "control" => Some(AnswerSource::Control),
            _ => None,
        }
    }
}
