//! How a question ends: six ways, never mixed up on any wire.

use crate::json::words;

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
