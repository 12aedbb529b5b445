//! Asking a person from Rust: one call for each kind of question, and one error that says how else it ended.
//!
//! ```no_run
//! # use std::{path::Path, time::Duration};
//! # use actors::ask::{Client, NotAnswered, prompt_confirm};
//! # use actors::tunnel::{Greeting, Plain};
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let socket = Path::new("/run/user/1000/tim/0123456789abcdef/output.sock");
//! let person = Client::connect(socket, &Greeting::script("deploy"), 0).await?;
//! match prompt_confirm(&person, "Deploy now?", None, Some(Duration::from_secs(60))).await {
//!     Ok(true) => { /* a person said yes */ }
//!     Ok(false) | Err(NotAnswered::Declined) => { /* a person said no */ }
//!     Err(NotAnswered::TimedOut { .. }) => { /* nobody answered, whichever clock said so */ }
//!     Err(other) => return Err(other.into()),
//! }
//! # Ok(())
//! # }
//! ```

mod client;
mod early;
mod kinds;
#[cfg(test)]
mod tests;

use std::future::Future;
use std::time::Duration;

use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::Up;
use thiserror::Error;

pub use client::Client;
pub use early::ask_early;
pub use kinds::{
    prompt_approval, prompt_checkbox, prompt_choice, prompt_confirm, prompt_input, prompt_select, prompt_text,
};

use crate::answer;
use crate::question::Question;
use crate::router::Said;

/// Somewhere where a person can be asked.
pub trait Person {
    /// Asks, and waits for the answer, which fits the question. Dropping the future takes the question back.
    fn ask(&self, question: Question) -> impl Future<Output = Result<Json<'static>, NotAnswered>>;
}

/// How else a question ended.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum NotAnswered {
    /// nobody answered in time, by our clock or by that of somebody on the way
    #[error("nobody answered within {} s", .after.as_secs_f32())]
    TimedOut {
        /// how long it was
        after: Duration,
    },
    /// the connection to the person was lost
    #[error("the connection to the person was lost")]
    Disconnected,
    /// a person refused to answer
    #[error("the person declined to answer")]
    Declined,
    /// nobody can answer, and why
    #[error("{0}")]
    Refused(String),
    /// the question itself is wrong
    #[error("{0}")]
    Invalid(String),
}

/// The message of a line, if it only reports.
pub fn report_of(line: &str) -> Result<Up<'_>, NotAnswered> {
    let message = Up::read(line.as_bytes(), &Limits::STANDARD);
    let message = message.map_err(|reject| NotAnswered::Invalid(reject.reason.to_string()))?;
    if message.is_report() {
        return Ok(message);
    }
    Err(NotAnswered::Invalid(format!("\"{}\" is no report", message.kind())))
}

/// What a desk said, as the one who asked sees it. Nothing if it said no end.
pub fn result_of(
    question: &Question,
    said: Said,
    asked_for: Option<Duration>,
) -> Option<Result<Json<'static>, NotAnswered>> {
    Some(match said {
        Said::Shown => return None,
        Said::Answer(value) => match answer::check(question, &value) {
            Ok(_) => Ok(value),
            Err(wrong) => Err(NotAnswered::Refused(format!("The answer does not fit: {wrong}"))),
        },
        Said::Decline => Err(NotAnswered::Declined),
        Said::TimedOut(after_ms) => {
            let after = after_ms.map(Duration::from_millis).or(asked_for);
            Err(NotAnswered::TimedOut { after: after.unwrap_or_default() })
        }
        Said::Refused("invalid", why) => Err(NotAnswered::Invalid(why)),
        Said::GiveBack(why) | Said::Refused(_, why) => Err(NotAnswered::Refused(why)),
        Said::Lost => Err(NotAnswered::Disconnected),
    })
}
