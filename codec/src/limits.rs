//! How much of anything a peer may send in one message. Parameters, so that tests can stand at each limit.

use std::ops::RangeInclusive;

/// Sizes that the readers hold peers to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// bytes of a line on the tunnel
    pub tunnel_line: usize,
    /// bytes of a line from an agent: a fixed small cap has broken real sessions
    pub agent_line: usize,
    /// bytes of each text that a question shows; the input of a tool is not counted
    pub question_text: usize,
    /// characters of a request id
    pub id_characters: usize,
    /// choices of one question
    pub choices: usize,
    /// how long a question may wait, in milliseconds
    pub timeout_ms: RangeInclusive<u64>,
    /// how many tims a report may have come through
    pub hops: usize,
}

impl Limits {
    /// The limits that tim runs with.
    pub const STANDARD: Self = Self {
        tunnel_line: 8 << 20,
        agent_line: 32 << 20,
        question_text: 64 << 10,
        id_characters: 256,
        choices: 1_000,
        timeout_ms: 1..=30 * 24 * 60 * 60 * 1_000,
        hops: 64,
    };
}

impl Default for Limits {
    fn default() -> Self {
        Self::STANDARD
    }
}
