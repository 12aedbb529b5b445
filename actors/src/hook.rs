//! The person's own command that is run when a question waits for them: a light, a sound, a message to a phone.
//!
//! Owns how many of its programs run, and for how long. Each gets the question as an answer command does, as JSON on its
//! stdin, but answers nothing: what it prints is ignored. A program ends by itself, or is killed with its group after
//! half a minute or when the future that runs it is dropped.

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::time::timeout;

use crate::answer_command::described;
use crate::process::run_shell;
use crate::router::Offer;

/// How many of its programs run at a time; the others wait.
const AT_ONCE: usize = 4;
/// How long one may take, from when it runs.
const LONGEST: Duration = Duration::from_secs(30);

/// A command that hears of questions.
#[derive(Debug)]
pub struct Hook {
    line: Arc<str>,
    /// variables that the programs do not see
    without: &'static [&'static str],
    turns: Arc<Semaphore>,
}

impl Hook {
    /// A command line for the shell.
    #[must_use]
    pub fn new(line: &str, without: &'static [&'static str]) -> Self {
        Self { line: line.into(), without, turns: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Runs it for a question. Why it failed comes back as one line that may be shown. Dropping the future, because the
    /// question has ended, kills the program.
    pub fn run(&self, offer: &Arc<Offer>) -> impl Future<Output = Result<(), String>> + use<> {
        let (line, without, turns) = (Arc::clone(&self.line), self.without, Arc::clone(&self.turns));
        let offer = Arc::clone(offer);
        async move {
            // Never closed, so there is always a turn.
            let _turn = turns.acquire().await;
            let ran = timeout(LONGEST, run_shell(&line, described(&offer).as_bytes(), without)).await;
            let failed = match ran {
                Ok(Ok(finished)) if finished.status.success() => return Ok(()),
                Ok(Ok(finished)) => finished.failure(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => format!("it was killed after {} s", LONGEST.as_secs()),
            };
            Err(format!("The attention command failed: {failed}"))
        }
    }
}
