//! A decision, once it is known: plain values.

use std::fmt;

use codec::Outcome;
use codec::tunnel::{AnswerSource, QuestionKind, Scope};

/// Which decision of a run it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Name {
    /// the question of that number: `p14`
    Question(u64),
    /// the use of a tool of that number, in the order of the record: `t3`
    Use(u64),
}

impl Name {
    /// Reads what [`fmt::Display`] writes.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (kind, number) = text.split_at_checked(1)?;
        let number = number.parse().ok().filter(|_| number.bytes().all(|byte| byte.is_ascii_digit()))?;
        match kind {
            "p" => Some(Name::Question(number)),
            "t" => Some(Name::Use(number)),
            _ => None,
        }
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Question(number) => write!(out, "p{number}"),
            Name::Use(number) => write!(out, "t{number}"),
        }
    }
}

/// One decision: a question and its end, or the use of a tool about which nobody was asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// which one
    pub name: Name,
    /// when it was asked, in milliseconds since the run began
    pub asked_ms: u64,
    /// when it was decided, or when it was asked if that is not on record
    pub at_ms: u64,
    /// who wants it: `claude`, `claude/review`
    pub path: String,
    /// the subagent that wants it, as it is called
    pub agent: Option<String>,
    /// what kind of question it was, if it was one
    pub kind: Option<QuestionKind>,
    /// the tool that it is about
    pub tool: Option<String>,
    /// what it is about, in one line
    pub what: String,
    /// why the agent's own rules did not decide
    pub reason: Option<String>,
    /// the agent's own id of this use of a tool
    pub tool_use_id: Option<String>,
    /// the id under which it was asked: of a nested run that is the key which it has there
    pub request_id: Option<String>,
    /// whether the agent is one of this very run: only for those the run keeps what is granted
    pub is_ours: bool,
    /// who decided
    pub by: By,
}

impl Decision {
    /// Whether it is known to be something that can be answered without a yes or a no.
    #[must_use]
    pub fn is_plain_question(&self) -> bool {
        self.kind.is_some_and(|kind| kind != QuestionKind::Permission)
    }
}

/// Who decided.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// somebody answered
    Answered(Answered),
    /// whoever sat there gave no answer, and said so
    Declined(AnswerSource),
    /// the agent, by itself: nobody was asked
    Agent {
        /// whether it went on with it, if that is known
        allowed: Option<bool>,
        /// by what
        how: Own,
    },
    /// nobody
    Nobody {
        /// how the question ended instead
        outcome: Outcome,
        /// why, in one word, if it was refused
        reason: Option<String>,
        /// what somebody saw and nobody answered in time was allowed: the user had said so
        allowed: bool,
    },
    /// the record ends before that
    Open,
}

/// An answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answered {
    /// from where
    pub source: AnswerSource,
    /// yes or no, if it was one of them
    pub allowed: Option<bool>,
    /// for how long that holds
    pub scope: Scope,
    /// the rules that decided, or that were granted
    pub rules: Vec<String>,
    /// the answer in words, or what the agent was told about a no
    pub words: Option<String>,
}

/// By what an agent decided itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Own {
    /// one of its rules
    Rule,
    /// its rules, for each part of a command
    Parts,
    /// its permission mode
    Mode,
    /// one of its hooks
    Hook,
    /// it says that somebody was asked, but not here
    Elsewhere,
    /// nobody had to: there is no such tool, or it was called in a way that it cannot be
    Invalid,
    /// something else, in its own word
    Other(String),
    /// it does not say: such a tool needs no permission, or the agent is too old to tell
    Unsaid,
}

impl Own {
    /// One word for it, for programs.
    #[must_use]
    pub fn word(&self) -> &str {
        match self {
            Own::Rule => "rule",
            Own::Parts => "parts",
            Own::Mode => "mode",
            Own::Hook => "hook",
            Own::Elsewhere => "elsewhere",
            Own::Invalid => "invalid",
            Own::Other(word) => word,
            Own::Unsaid => "unasked",
        }
    }
}

impl By {
    /// Whether what was wanted went on: nothing where that is not known, or was no matter of yes and no.
    #[must_use]
    pub fn allowed(&self) -> Option<bool> {
        match self {
            By::Answered(answered) => answered.allowed,
            By::Declined(_) => Some(false),
            By::Agent { allowed, .. } => *allowed,
            By::Nobody { outcome: Outcome::Cancelled, .. } | By::Open => None,
            By::Nobody { allowed, .. } => Some(*allowed),
        }
    }
}
