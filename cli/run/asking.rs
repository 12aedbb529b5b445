//! How a run asks the person something itself, before an agent starts: the way of every question, so it is on record, and
//! reaches the person also from below another tim. It ends with the answer, a signal, or the time.

use actors::ask::{NotAnswered, Person as _};
use actors::question::Question;

use super::ending::Stopped;
use super::leader::Wish;
use super::offer;
use super::part::Part;
use super::stage::Stage;
use super::watch::{at, leaves};
use crate::exit::{self, Code};
use crate::signals::Caught;

/// What became of a question of ours.
pub(super) enum Answered {
    Yes,
    /// anything else that somebody said, or nobody; why, if it was not simply a no; and how a run exits by that
    No(Option<String>, Code),
    /// something ended the run first
    Stopped(Stopped),
}

impl Stage<'_> {
    /// Asks a yes or no. Only a clear yes is one.
    pub(super) async fn asks(&mut self, part: &Part, question: Question) -> Answered {
        let Some(client) = offer::connect(self).await else {
            return Answered::No(Some("tim cannot ask".to_owned()), exit::USAGE);
        };
        self.hears(part, self.job.people.reads_lines);
        let deadline = part.deadline(self.job);
        let mut is_finished = false;
        let answer = tokio::select! {
            answer = client.ask(question) => answer,
            caught = self.signals.next() => return self.caught_asking(caught).await,
            () = leaves(&mut self.wishes, &mut is_finished) => {
                return self.caught_asking(Caught::INTERRUPT).await;
            }
            () = at(deadline) => {
                let time = self.job.limits.total.map_or(Stopped::Signal(Caught::INTERRUPT), Stopped::Time);
                return Answered::Stopped(time);
            }
        };
        if is_finished {
            // The agent must hear it, when it is there.
            self.leader.wishes(Wish::Finish);
        }
        match answer {
            Ok(answer) if answer.as_flag() == Some(true) => Answered::Yes,
            // At a screen of our own that is Ctrl-C, or Ctrl-D.
            Err(NotAnswered::Declined) if self.screen().is_some() => {
                self.caught_asking(Caught::INTERRUPT).await
            }
            Err(NotAnswered::Disconnected) => {
                Answered::No(Some("the connection to the person was lost".to_owned()), exit::DISCONNECTED)
            }
            Err(NotAnswered::Refused(why) | NotAnswered::Invalid(why)) => {
                Answered::No(Some(why), exit::USAGE)
            }
            _ => Answered::No(None, exit::USAGE),
        }
    }

    async fn caught_asking(&self, caught: Caught) -> Answered {
        self.note(caught).await;
        Answered::Stopped(Stopped::Signal(caught))
    }
}
