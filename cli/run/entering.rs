//! A run enters its folder: says who else is there, and asks before it takes what somebody else holds.
//!
//! Owns what is said and asked. Only a run that wants to hold the folder (`--lock`) asks; any other says what it found and
//! goes on. Where it must ask and nobody can answer, nothing is started.

use std::path::Path;
use std::time::Duration;

use actors::question::{Asks, Question};
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::Backend;
use super::asking::Answered;
use super::ending::Stopped;
use super::part::Part;
use super::stage::Stage;
use crate::clock::{self, unix_ms};
use crate::exit;
use crate::folder::{self, Entry, Other};
use crate::routed::Failed;

impl Stage<'_> {
    /// Enters the folder. Gives why it ends, if it does.
    pub(super) async fn enters_folder(&mut self, part: &Part) -> Result<Option<Stopped>, Failed> {
        let here = std::env::current_dir().ok().filter(|_| !matches!(self.job.backend, Backend::Demo { .. }));
        // A demo does nothing there.
        let Some(here) = here else { return Ok(None) };
        let own = Entry {
            run: self.run.id.to_string(),
            pid: std::process::id(),
            began_unix_ms: self.run.began_unix_ms,
            holds: self.job.holds_folder,
        };
        let (presence, others) = match folder::enter(self.environment, &here, &own) {
            Ok(entered) => entered,
            Err(why) if self.job.holds_folder => return Err((format!("--lock: {why}"), exit::USAGE)),
            Err(why) => {
                tracing::warn!(why, "nobody is told that we are in this folder");
                return Ok(None);
            }
        };
        let others: Vec<Other> = others.into_iter().filter(|other| !is_above(other.entry.pid)).collect();
        let stopped = self.meets(part, &here, &others).await?;
        self.presence = Some(presence);
        Ok(stopped)
    }

    /// Whom it finds there.
    async fn meets(&mut self, part: &Part, here: &Path, others: &[Other]) -> Result<Option<Stopped>, Failed> {
        for other in others {
            let must_ask = self.job.holds_folder && other.entry.holds;
            match must_ask {
                false => self.voice.warn(&told(other)),
                true => {
                    if let Some(stopped) = self.asks_to_take(part, here, other).await? {
                        return Ok(Some(stopped));
                    }
                }
            }
        }
        Ok(None)
    }

    async fn asks_to_take(
        &mut self,
        part: &Part,
        here: &Path,
        other: &Other,
    ) -> Result<Option<Stopped>, Failed> {
        let not = |why: &str| {
            let (what, file) = (told(other), other.path().display());
            let remedy = if other.lives { String::new() } else { format!("; rm {file} takes it") };
            (format!("--lock: {what}; {why}{remedy}"), exit::USAGE)
        };
        if !self.can_ask() {
            return Err(not("nobody can be asked whether to go on all the same"));
        }
        match self.asks(part, question(here, other)).await {
            Answered::Yes => {}
            Answered::Stopped(stopped) => return Ok(Some(stopped)),
            Answered::No(why, code) => {
                let (told, _) = not(why.as_deref().unwrap_or("nothing was started"));
                return Err((told, code));
            }
        }
        if !other.lives {
            other.forget().map_err(|error| not(&format!("it cannot be taken: {error}")))?;
        }
        Ok(None)
    }
}

/// Whether it is a run that this one belongs to: that is no other.
fn is_above(pid: u32) -> bool {
    actors::agent::is_above(pid.cast_signed(), std::process::id().cast_signed())
}

/// What is said of another run.
fn told(other: &Other) -> String {
    let Entry { run, pid, began_unix_ms, holds } = &other.entry;
    let ago = Duration::from_millis(unix_ms().saturating_sub(*began_unix_ms));
    let since = clock::time_of_day(ago);
    match (other.lives, holds) {
        (true, false) => format!("another run is in this folder: {run} (pid {pid}), since {since}"),
        (true, true) => format!("another run holds this folder: {run} (pid {pid}), since {since}"),
        (false, _) => format!(
            "this folder was held by {run} (pid {pid}, since {since}), which is gone without letting go"
        ),
    }
}

/// No default: an Enter takes nothing.
fn question(here: &Path, other: &Other) -> Question {
    let wish = if other.lives { "Go on all the same?" } else { "Take it?" };
    let message = format!("{} ({})\n{wish}", told(other), here.display());
    let config = PromptConfig::of(Text::new(&message));
    Question { asks: Asks::Prompt(PromptKind::Confirm, Box::new(config)), timeout_ms: None, claimed: None }
}
