//! How a run asks the person something itself: the way of every question, so it is on record, and reaches the person also
//! from below another tim. It ends with the answer, a signal, or the time. Before the first agent starts nothing else is
//! waited for; beside agents that work the question is a future that borrows nothing.

use std::path::PathBuf;

use actors::ask::{NotAnswered, Person as _};
use actors::question::Question;
use codec::json::Json;

use super::ending::Stopped;
use super::leader::Wish;
use super::offer;
use super::part::Part;
use super::stage::Stage;
use super::watch::{Meanwhile, at, leaves};
use crate::exit::{self, Code};
use crate::signals::Caught;

/// How a question of ours ended.
pub(super) type Reply = Result<Json<'static>, NotAnswered>;

/// What became of it.
pub(super) enum Answered {
    Yes,
    /// anything else that somebody said, or nobody; why, if it was not simply a no; and how a run exits by that
    No(Option<String>, Code),
    /// something ended the run first
    Stopped(Stopped),
}

impl Answered {
    /// A yes or no. Only a clear yes is one.
    pub(super) fn of(reply: Reply) -> Self {
        match reply {
            Ok(answer) if answer.as_flag() == Some(true) => Self::Yes,
            Err(NotAnswered::Disconnected) => {
                Self::No(Some("the connection to the person was lost".to_owned()), exit::DISCONNECTED)
            }
            Err(NotAnswered::Refused(why) | NotAnswered::Invalid(why)) => Self::No(Some(why), exit::USAGE),
            _ => Self::No(None, exit::USAGE),
        }
    }
}

/// Asks at our own socket.
pub(super) async fn ask(socket: PathBuf, question: Question) -> Reply {
    match offer::connect_at(&socket).await {
        Some(client) => client.ask(question).await,
        None => Err(NotAnswered::Refused("tim cannot ask".to_owned())),
    }
}

impl Stage<'_> {
    /// Asks before anybody is at work.
    pub(super) async fn asks(&mut self, part: &Part, question: Question) -> Answered {
        self.hears(part, self.job.people.reads_lines);
        let (asked, deadline) = (ask(self.listener.path().to_owned(), question), part.deadline(self.job));
        let mut meanwhile = Meanwhile::default();
        let reply = tokio::select! {
            reply = asked => reply,
            caught = self.signals.next() => return self.caught_asking(caught).await,
            () = leaves(&mut self.wishes, &mut meanwhile) => {
                return self.caught_asking(Caught::INTERRUPT).await;
            }
            () = at(deadline) => return Answered::Stopped(self.job.limits.is_over()),
        };
        if meanwhile.is_finished {
            // The agent must hear it, when it is there.
            self.leader.wishes(Wish::Finish);
        }
        // At a screen of our own that is Ctrl-C, or Ctrl-D.
        match reply {
            Err(NotAnswered::Declined) if self.screen().is_some() => {
                self.caught_asking(Caught::INTERRUPT).await
            }
            reply => Answered::of(reply),
        }
    }

    pub(super) async fn caught_asking(&self, caught: Caught) -> Answered {
        self.note(caught).await;
        Answered::Stopped(Stopped::Signal(caught))
    }
}
