//! A task whose agent waits until somebody trusts the folder, while the others work on.
//!
//! Owns that question. A no starts neither this nor any later agent, and touches none that works; its time is that of its
//! task.

use std::pin::Pin;

use actors::ask::NotAnswered;

use super::super::asking::{Answered, Reply, ask};
use super::super::ending::Stopped;
use super::super::part::Part;
use super::super::stage::Stage;
use super::super::trust::{Doubt, not_trusted};
use super::super::watch::at;
use super::Batch;
use crate::signals::Caught;

/// Such a task.
pub(super) struct Doubted {
    pub(super) part: Part,
    doubt: Doubt,
    /// none if its time is over first
    asked: Pin<Box<dyn Future<Output = Option<Reply>>>>,
}

impl Doubted {
    pub(super) async fn reply(&mut self) -> Option<Reply> {
        self.asked.as_mut().await
    }
}

impl Stage<'_> {
    pub(super) fn asks_about(&self, part: Part, doubt: Doubt) -> Doubted {
        self.hears(&part, self.job.people.reads_lines);
        let asked = ask(self.listener.path().to_owned(), doubt.question());
        let deadline = part.deadline(self.job);
        let asked = Box::pin(async move {
            tokio::select! {
                reply = asked => Some(reply),
                () = at(deadline) => None,
            }
        });
        Doubted { part, doubt, asked }
    }

    pub(super) async fn heard_of_folder(&mut self, reply: Option<Reply>, batch: &mut Batch) {
        let Some(Doubted { part, doubt, .. }) = batch.doubted.take() else { return };
        // At a screen of our own that is Ctrl-C, or Ctrl-D: where nobody works, that is all.
        let is_alone = batch.at_work.parts.is_empty() && self.screen().is_some();
        let answered = match reply {
            None => Answered::Stopped(self.job.limits.is_over()),
            Some(Err(NotAnswered::Declined)) if is_alone => self.caught_asking(Caught::INTERRUPT).await,
            Some(reply) => Answered::of(reply),
        };
        match answered {
            Answered::Yes => match self.agreed(doubt).await {
                Some(changed) => batch.doubted = Some(self.asks_about(part, changed)),
                None => {
                    batch.schedule.lets_go();
                    self.starts(part, batch).await;
                }
            },
            Answered::No(why, code) => {
                batch.schedule.stop();
                self.never_began(&part, not_trusted(why.as_deref(), code), batch).await;
            }
            Answered::Stopped(why) => {
                let is_all = matches!(why, Stopped::Signal(_));
                let (part, played) = self.stopped_before(part, why);
                batch.schedule.lets_go();
                if is_all {
                    batch.stops(why);
                }
                self.task_ended(part, played, batch).await;
            }
        }
    }
}
