//! Before the agent starts: a folder that brings something is asked about, once.
//!
//! Owns that question and what follows from its answer. It goes the way of every question, so it is on record, and reaches the
//! person also from below another tim. Only a clear yes lets the agent start, once somebody could be asked; where nobody
//! can, the same rows are a warning and the run goes on, as `claude -p` does. It ends with the answer, a signal, or the time.

use std::path::Path;

use actors::ask::{NotAnswered, Person as _};
use actors::question::{Asks, Question};
use codec::json::Text;
use codec::tunnel::{PromptConfig, PromptKind};

use super::ending::Stopped;
use super::leader::Wish;
use super::part::Part;
use super::stage::Stage;
use super::watch::{at, leaves};
use super::{Backend, offer};
use crate::exit;
use crate::routed::Failed;
use crate::signals::Caught;
use crate::trust::{self, Folder, Known};

/// What became of the question.
enum Answer {
    Yes,
    /// nothing is started
    No(Failed),
    /// something ended the run first
    Stopped(Stopped),
}

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
            match self.asks_about(part, &folder, known).await {
                Answer::Yes => {}
                Answer::No(failed) => return Err(failed),
                Answer::Stopped(stopped) => {
                    if let Stopped::Signal(caught) = stopped {
                        self.note(caught).await;
                    }
                    return Ok(Some(stopped));
                }
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

    async fn asks_about(&mut self, part: &Part, folder: &Folder, known: Known) -> Answer {
        let not = |why: &str| (format!("{why}: nothing was started"), exit::USAGE);
        let Some(client) = offer::connect(self).await else {
            return Answer::No(not("tim cannot ask about the folder"));
        };
        self.hears(part, self.job.people.reads_lines);
        let deadline = part.deadline(self.job);
        let mut is_finished = false;
        let answer = tokio::select! {
            answer = client.ask(question(folder, known)) => answer,
            caught = self.signals.next() => return Answer::Stopped(Stopped::Signal(caught)),
            () = leaves(&mut self.wishes, &mut is_finished) => return interrupted(),
            () = at(deadline) => {
                return self.job.limits.total.map_or_else(interrupted, |total| Answer::Stopped(Stopped::Time(total)));
            }
        };
        if is_finished {
            // The agent must hear it, when it is there.
            self.leader.wishes(Wish::Finish);
        }
        match answer {
            Ok(answer) if answer.as_flag() == Some(true) => Answer::Yes,
            // At a screen of our own that is Ctrl-C, or Ctrl-D.
            Err(NotAnswered::Declined) if self.screen().is_some() => interrupted(),
            Err(NotAnswered::Disconnected) => {
                let (why, _) = not("the connection to the person was lost");
                Answer::No((why, exit::DISCONNECTED))
            }
            Err(NotAnswered::Refused(why) | NotAnswered::Invalid(why)) => Answer::No(not(&why)),
            _ => Answer::No(not("the folder is not trusted")),
        }
    }
}

const fn interrupted() -> Answer {
    Answer::Stopped(Stopped::Signal(Caught::INTERRUPT))
}

/// A confirm that has something to look at. No default: an Enter trusts nothing.
fn question(folder: &Folder, known: Known) -> Question {
    let message = Text::new(&folder.rows(known).join("\n"));
    let details = Some(Text::new(&folder.details()));
    let config = PromptConfig { details, ..PromptConfig::of(message) };
    Question { asks: Asks::Prompt(PromptKind::Confirm, Box::new(config)), timeout_ms: None, claimed: None }
}
