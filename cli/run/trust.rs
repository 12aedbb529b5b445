//! Before the agent starts: a folder that brings something is asked about, once.
//!
//! Owns that question and what follows from its answer. It goes the way of every question, so it is on record, and reaches the
//! person also from below another tim. Only a clear yes lets the agent start, once somebody could be asked; where nobody
//! can, the same rows are a warning and the run goes on, as `claude -p` does. It ends with the answer, a signal, or the time.

use std::path::Path;

use actors::question::{Asks, Question};
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::Backend;
use super::asking::Answered;
use super::ending::Stopped;
use super::part::Part;
use super::stage::Stage;
use crate::routed::Failed;
use crate::trust::{self, Folder, Known};

impl Stage<'_> {
    /// Asks whether the folder is trusted, if it brings something new. Gives how the run ended, if it did.
    pub(super) async fn trusts(&mut self, part: &Part) -> Result<Option<Stopped>, Failed> {
        let folder = std::env::current_dir().ok();
        let Some(path) = folder.filter(|_| matches!(self.job.backend, Backend::Claude { .. })) else {
            return Ok(None);
        };
        let mut folder = trust::look(self.environment, &path);
        folder.warnings().iter().for_each(|why| self.voice.warn(why));
        if folder.is_trusted(self.environment) {
            return Ok(None);
        }
        let mut known = folder.known(self.environment);
        if !self.can_ask() {
            folder.rows(known).iter().for_each(|row| self.voice.warn(row));
            return Ok(None);
        }
        loop {
            match self.asks(part, question(&folder, known)).await {
                Answered::Yes => {}
                Answered::No(why, code) => {
                    let why = why.as_deref().unwrap_or("the folder is not trusted");
                    return Err((format!("{why}: nothing was started"), code));
                }
                Answered::Stopped(stopped) => return Ok(Some(stopped)),
            }
            match self.agreed(&path, folder).await {
                None => return Ok(None),
                // What was agreed to is not what is there now.
                Some(changed) => (folder, known) = (changed, Known::Changed),
            }
        }
    }

    /// Whether there is a person who could be asked, as far as anybody knows.
    pub(super) fn can_ask(&self) -> bool {
        self.desks.has_terminal() || self.upward.as_ref().is_some_and(|upward| upward.has_desk)
    }

    /// Remembers what was agreed to. Gives the folder as it is now, if it is not that any more.
    async fn agreed(&self, path: &Path, folder: Folder) -> Option<Folder> {
        let now = trust::look(self.environment, path);
        if folder.can_be_known() && !now.is_as(&folder) {
            return Some(now).filter(|now| !now.brings_nothing());
        }
        // A program that answers, here or above, says nothing for later runs.
        let is_persons = self.desks.has_terminal() && self.job.config.answer_command.is_none();
        if !is_persons {
            return None;
        }
        if let Err(why) = trust::remember(self.environment, &folder).await {
            self.voice.warn(&format!("this will be asked again: {why}"));
        }
        None
    }
}

/// A confirm that has something to look at. No default: an Enter trusts nothing.
fn question(folder: &Folder, known: Known) -> Question {
    let message = Text::new(&folder.rows(known).join("\n"));
    let details = Some(Text::new(&folder.details()));
    let config = PromptConfig { details, ..PromptConfig::of(message) };
    Question { asks: Asks::Prompt(PromptKind::Confirm, Box::new(config)), timeout_ms: None, claimed: None }
}
