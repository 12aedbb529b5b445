//! Before the agent starts: a folder that brings something is asked about, once.
//!
//! Owns that question and what follows from its answer. It goes the way of every question, so it is on record, and reaches the
//! person also from below another tim. Only a clear yes lets the agent start, once somebody could be asked; where nobody
//! can, the same rows are a warning and the run goes on, as `claude -p` does. It ends with the answer, a signal, or the time.
//! What was agreed to, or said, holds for all agents of the run, as long as the folder stays the same.

use std::path::PathBuf;

use actors::question::{Asks, Question};
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::Backend;
use super::asking::Answered;
use super::ending::Stopped;
use super::part::Part;
use super::stage::Stage;
use crate::exit::Code;
use crate::routed::Failed;
use crate::trust::{self, Folder, Known};

/// A folder that somebody must be asked about.
pub(super) struct Doubt {
    path: PathBuf,
    folder: Folder,
    known: Known,
}

impl Stage<'_> {
    /// Asks whether the folder is trusted, if it brings something new. Gives how the run ended, if it did.
    pub(super) async fn trusts(&mut self, part: &Part) -> Result<Option<Stopped>, Failed> {
        let mut doubt = self.doubts();
        while let Some(open) = doubt {
            match self.asks(part, open.question()).await {
                Answered::Yes => doubt = self.agreed(open).await,
                Answered::No(why, code) => return Err(not_trusted(why.as_deref(), code)),
                Answered::Stopped(stopped) => return Ok(Some(stopped)),
            }
        }
        Ok(None)
    }

    /// What somebody must be asked about before an agent starts here, if anything. What is only said is said once.
    pub(super) fn doubts(&mut self) -> Option<Doubt> {
        let is_claude = matches!(self.job.backend, Backend::Claude { .. });
        let path = std::env::current_dir().ok().filter(|_| is_claude)?;
        let folder = trust::look(self.environment, &path);
        if self.trusted.as_ref().is_some_and(|trusted| folder.is_as(trusted)) {
            return None;
        }
        folder.warnings().iter().for_each(|why| self.voice.warn(why));
        if folder.is_trusted(self.environment) {
            self.trusted = Some(folder);
            return None;
        }
        let known = folder.known(self.environment);
        if self.can_ask() {
            return Some(Doubt { path, folder, known });
        }
        folder.rows(known).iter().for_each(|row| self.voice.warn(row));
        self.trusted = Some(folder);
        None
    }

    /// Whether there is a person who could be asked, as far as anybody knows.
    pub(super) fn can_ask(&self) -> bool {
        let is_above = self.upward.as_ref().is_some_and(|upward| upward.has_desk);
        self.desks.has_terminal() || is_above || self.job.people.waits
    }

    /// Remembers what was agreed to. Gives what is to be asked now, if the folder is not that any more.
    pub(super) async fn agreed(&mut self, Doubt { path, folder, .. }: Doubt) -> Option<Doubt> {
        let now = trust::look(self.environment, &path);
        if folder.can_be_known() && !now.is_as(&folder) {
            let changed = Doubt { path, folder: now, known: Known::Changed };
            return Some(changed).filter(|doubt| !doubt.folder.brings_nothing());
        }
        // A program that answers, here or above, says nothing for later runs.
        let is_persons = self.desks.has_terminal() && self.job.config.answer_command.is_none();
        if is_persons && let Err(why) = trust::remember(self.environment, &folder).await {
            self.voice.warn(&format!("this will be asked again: {why}"));
        }
        self.trusted = Some(folder);
        None
    }
}

/// Why nothing was started.
pub(super) fn not_trusted(why: Option<&str>, code: Code) -> Failed {
    let said = match why {
        Some(why) => format!("{why}: nothing was started"),
        None => "the folder is not trusted: nothing was started; the next run asks again".to_owned(),
    };
    (said, code)
}

impl Doubt {
    /// A confirm that has something to look at. No default: an Enter trusts nothing.
    pub(super) fn question(&self) -> Question {
        let message = Text::new(&self.folder.rows(self.known).join("\n"));
        let details = Some(Text::new(&self.folder.details()));
        let config = PromptConfig { details, ..PromptConfig::of(message) };
        Question {
            asks: Asks::Prompt(PromptKind::Confirm, Box::new(config)),
            timeout_ms: None,
            claimed: None,
        }
    }
}
