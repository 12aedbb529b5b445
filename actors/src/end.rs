//! How a question ended, with what that end carries, and the words for those who wait.

use codec::json::Json;
use codec::tunnel::AnswerSource;
use codec::{Outcome, told};

use crate::answer::Given;

/// The end of a question.
#[derive(Debug, Clone, PartialEq)]
pub enum End {
    /// somebody or something answered
    Answered {
        /// the answer as it was given
        value: Json<'static>,
        /// the same, checked against the question
        given: Given,
        /// who answered
        source: AnswerSource,
    },
    /// a person refused to answer
    Declined,
    /// the deadline passed
    TimedOut {
        /// how long it was
        after_ms: u64,
        /// whether our own timer fired, and somebody saw the question in that time
        shown: bool,
    },
    /// the connection to the person was lost
    Disconnected,
    /// the asker withdrew it or went away
    Cancelled {
        /// whether it went away
        gone: bool,
    },
    /// nobody could be asked
    Refused(Refusal),
}

/// Why a question was refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// there is no desk, and never was one for this question
    #[error("No one can answer here")]
    NoDesk,
    /// every desk gave it back; the last one said why
    #[error("{0}")]
    GivenBack(String),
    /// it was refused further up
    #[error("{why}")]
    Further {
        /// for programs
        word: &'static str,
        /// for people
        why: String,
    },
    /// the asker has too many open questions
    #[error("Too many open questions: at most {limit} at a time")]
    TooMany {
        /// how many it may have
        limit: usize,
    },
    /// all askers together have too many
    #[error("Too many open questions in this run: at most {limit} at a time")]
    TooManyInAll {
        /// how many there may be
        limit: usize,
    },
    /// the open questions hold too much as it is
    #[error("Too large: the open questions hold too much already")]
    TooLarge,
    /// the asker uses the id of a question that is still open
    #[error("A question with this id is still open")]
    Duplicate,
    /// what was asked is no question
    #[error("{0}")]
    Invalid(String),
    /// a failure of our own
    #[error("Internal failure: the question was lost")]
    Internal,
}

impl Refusal {
    /// The word of a refusal, if this is one.
    #[must_use]
    pub fn known_word(word: &str) -> Option<&'static str> {
        let words = ["no_desk", "given_back", "too_many", "too_large", "duplicate", "invalid", "internal"];
        words.into_iter().find(|known| *known == word)
    }

    /// One word for programs.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Refusal::NoDesk => "no_desk",
            Refusal::GivenBack(_) => "given_back",
            Refusal::Further { word, .. } => word,
            Refusal::TooMany { .. } | Refusal::TooManyInAll { .. } => "too_many",
            Refusal::TooLarge => "too_large",
            Refusal::Duplicate => "duplicate",
            Refusal::Invalid(_) => "invalid",
            Refusal::Internal => "internal",
        }
    }
}

impl End {
    /// Which of the six ends it is.
    #[must_use]
    pub const fn outcome(&self) -> Outcome {
        match self {
            End::Answered { .. } => Outcome::Answered,
            End::Declined => Outcome::Declined,
            End::TimedOut { .. } => Outcome::TimedOut,
            End::Disconnected => Outcome::Disconnected,
            End::Cancelled { .. } => Outcome::Cancelled,
            End::Refused(_) => Outcome::Refused,
        }
    }

    /// Why it was refused, in one word, if it was.
    #[must_use]
    pub const fn refusal(&self) -> Option<&'static str> {
        match self {
            End::Refused(refusal) => Some(refusal.word()),
            _ => None,
        }
    }

    /// What a client is told if there is no answer.
    #[must_use]
    pub fn told(&self) -> String {
        match self {
            End::Answered { .. } => String::new(),
            End::Declined => told::DECLINED.to_owned(),
            End::TimedOut { after_ms, .. } => told::timed_out(*after_ms),
            End::Disconnected => told::DISCONNECTED.to_owned(),
            End::Cancelled { .. } => told::CANCELLED.to_owned(),
            End::Refused(refusal) => refusal.to_string(),
        }
    }
}
