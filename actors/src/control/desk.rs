//! The desk of those who answer from outside: it holds every open question, and shows none.
//!
//! Owns the seat, and how the last questions ended, for whoever comes too late. What it says is decided by the router, in
//! one call: nothing waits here. Ends with the run.

use std::collections::VecDeque;

use actix::prelude::*;
use codec::id::Key;
use codec::tunnel::AnswerSource;

use crate::desk::{Desk, Place, sit_down};
use crate::end::End;
use crate::messages::{AreYouSeated, DeskMail};
use crate::router::{DeskInfo, Router, Ruling, Said};

/// How many ends are remembered.
const REMEMBERED: usize = 64;

/// The actor of that desk.
pub(super) struct ControlDesk {
    place: Place,
    /// somebody looks after questions there: without anybody else they wait
    counts: bool,
    ended: VecDeque<(Key, String)>,
}

impl ControlDesk {
    pub(super) fn new(router: Addr<Router>, counts: bool) -> Self {
        Self { place: Place::with(router), counts, ended: VecDeque::new() }
    }
}

/// Somebody says something about a question, and wants to hear what came of it.
#[derive(Message)]
#[rtype(result = "Option<Ruling>")]
pub(super) struct Says(pub(super) Key, pub(super) Said);

/// How did that question end?
#[derive(Message)]
#[rtype(result = "Option<String>")]
pub(super) struct HowEnded(pub(super) Key);

impl Actor for ControlDesk {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        let info = DeskInfo { counts: self.counts, ..DeskInfo::new("control", AnswerSource::Control) };
        sit_down(self, info, ctx);
    }
}

impl Desk for ControlDesk {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }
}

impl Handler<AreYouSeated> for ControlDesk {
    type Result = ();

    /// The mailbox is not read before there is a seat.
    fn handle(&mut self, AreYouSeated: AreYouSeated, _: &mut Self::Context) {}
}

impl Handler<DeskMail> for ControlDesk {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        match mail {
            DeskMail::Withdrawn(key, end) => {
                self.ended.push_back((key, in_words(&end)));
                if self.ended.len() > REMEMBERED {
                    self.ended.pop_front();
                }
            }
            // What is open is asked of the router; and whoever said something was told by the router.
            DeskMail::Offered(_) | DeskMail::News(..) => {}
        }
    }
}

impl Handler<Says> for ControlDesk {
    type Result = ResponseFuture<Option<Ruling>>;

    fn handle(&mut self, Says(key, said): Says, _: &mut Self::Context) -> Self::Result {
        let decided = self.place.decide(key, said);
        Box::pin(async move { decided?.await.ok() })
    }
}

impl Handler<HowEnded> for ControlDesk {
    type Result = Option<String>;

    fn handle(&mut self, HowEnded(key): HowEnded, _: &mut Self::Context) -> Self::Result {
        self.ended.iter().rev().find(|(ended, _)| *ended == key).map(|(_, how)| how.clone())
    }
}

/// How a question ended, for whoever would have answered it.
fn in_words(end: &End) -> String {
    let words = match end {
        End::Answered { source, .. } => {
            return match source {
                AnswerSource::Terminal => "it was answered at the terminal".to_owned(),
                AnswerSource::Parent => "it was answered by the tim above this one".to_owned(),
                AnswerSource::Rule => "a rule answered it".to_owned(),
                AnswerSource::Command => "the answer command answered it".to_owned(),
                AnswerSource::Control => "it was answered from another shell".to_owned(),
                AnswerSource::Websocket => "it was answered elsewhere".to_owned(),
            };
        }
        End::Declined => "the person declined it",
        End::TimedOut { .. } => "its time was up",
        End::Disconnected => "the run was over",
        End::Cancelled { gone: true } => "whoever asked it is gone",
        End::Cancelled { gone: false } => "it was taken back",
        End::Refused(_) => "it was refused",
    };
    words.to_owned()
}
