//! How a question ends: six ways, never mixed up on any wire.

use crate::json::words;

/// What an asker is told beside the outcome, in the words that clients of the original know or can show.
pub mod told {
    /// a person refused to answer
    pub const DECLINED: &str = "Declined by the user";
    /// the connection to the person was lost
    pub const DISCONNECTED: &str = "Tunnel connection closed";
    /// the question was withdrawn
    pub const CANCELLED: &str = "Prompt was cancelled";
    /// how a timeout begins: clients of the original look for it
    pub const TIMED_OUT: &str = "Prompt request timed out";

    /// nobody answered within that time
    #[must_use]
    pub fn timed_out(after_ms: u64) -> String {
        format!("{TIMED_OUT} after {after_ms}ms")
    }

    /// How long it was, if what an asker was told says so.
    #[must_use]
    pub fn after_ms(told: &str) -> Option<u64> {
        told.strip_prefix(TIMED_OUT)?.strip_prefix(" after ")?.strip_suffix("ms")?.parse().ok()
    }
}

words! {
    /// How a question ended.
    Outcome {
        /// a person, a rule or a command answered; "reject" is an answer too
        Answered = "answered",
        /// a person refused to answer
        Declined = "declined",
        /// the deadline passed, on either side of a hop
        TimedOut = "timed_out",
        /// the connection to the person was lost
        Disconnected = "disconnected",
        /// the asker withdrew it or went away
        Cancelled = "cancelled",
        /// nobody could be asked: no desk, a limit, an invalid question, an internal failure
        Refused = "refused",
    }
}
