//! What a replay tells: plain values.

use std::collections::BTreeMap;

use bytes::Bytes;
use codec::id::Key;

use super::Difference;
use crate::router::{Emitted, News};

/// Something that the replay has to tell.
#[derive(Debug, Clone, PartialEq)]
pub enum Happening {
    /// the router sent a line
    Sent {
        /// to whom
        wire: String,
        /// what
        line: String,
    },
    /// something became of a question
    Question(Emitted),
    /// a peer reported something
    Reported {
        /// who
        wire: String,
        /// what they are called
        path: String,
        /// what
        line: Bytes,
    },
    /// a desk was told that what it said did not count
    Told {
        /// which desk
        desk: String,
        /// about which question
        key: Key,
        /// why not
        news: News,
    },
    /// a line that a peer said could not be understood, then as now
    Noise {
        /// who
        wire: String,
        /// what they are called
        path: String,
        /// why not
        why: String,
        /// whether it asked something: that is taken for a no
        is_question: bool,
    },
    /// something about an agent and the person beside what they said to each other
    Aside(Aside),
    /// something about the file that is no difference
    Remark(String),
    /// something in the record that could not be used, and why: the replay does not show what was
    Unused(String),
    /// the record and the replay do not agree
    Differs(Difference),
}

/// What the router has nothing to decide about, and whoever tells the run all the same has to know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Aside {
    /// somebody who asks came
    Came {
        /// who
        wire: String,
        /// what they are called, if that is known by then
        path: Option<String>,
    },
    /// a person typed a line, for one agent or for all
    Typed {
        /// what
        text: String,
        /// for whom
        to: Option<String>,
    },
    /// a person wanted the agent on that wire to stop
    Interrupted(String),
    /// an agent printed this where nobody expects its language
    Printed {
        /// who
        wire: String,
        /// what
        text: String,
    },
    /// the process of an agent ended
    Exited {
        /// whose
        wire: String,
        /// with what
        code: Option<u64>,
        /// by what
        signal: Option<u64>,
    },
    /// somebody who asks left
    Gone(String),
}

/// What a replay tells, and when.
pub type Told = (u64, Happening);

/// Why a file cannot be replayed at all.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum NotReplayable {
    /// it begins with something else than a journal or a recording does
    #[error("neither a journal nor a recording of tim: {0}; `tim log` lists the runs")]
    Unknown(String),
    /// it was written by a later version
    #[error("the journal has version {0}, this program reads {known}: a newer tim is needed", known = codec::journal::VERSION)]
    Version(u64),
}

/// How much of what happens is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Wanted {
    /// everything
    #[default]
    All,
    /// what became of questions, and whatever is off: nobody reads the rest
    Brief,
}

/// What became of the lines of a file. Each is in exactly one of the counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Lines {
    /// that were played, or compared with what is played
    pub used: u64,
    /// that a replay has no use for, by what they are: notes of the recorder, the wires of others
    pub passed: BTreeMap<&'static str, u64>,
    /// that could not be read or used: each was told
    pub unused: u64,
    /// behind a place where the replay ended
    pub behind: u64,
}

impl Lines {
    /// All of them.
    #[must_use]
    pub fn all(&self) -> u64 {
        self.used + self.unused + self.behind + self.passed.values().sum::<u64>()
    }
}
