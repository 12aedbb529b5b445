//! The actor of one open question.
//!
//! Owns the question's deadline and its offers to desks. Decides nothing: it tells the router that the time is up, and
//! the desks that a question is there or gone. Ends when the router says so; if it ends in any other way, also by a
//! panic, its desks lose the question and the router hears of it.

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;

use crate::end::{End, Refusal};
use crate::messages::{DeskMail, Expired, Lost, Unreachable};
use crate::post::{post, post_to};
use crate::router::{DeskId, Number, Offer, Router};

/// The actor of one open question.
pub(crate) struct Prompt {
    number: Number,
    offer: Arc<Offer>,
    /// the desks that hold it
    holders: Holders,
    router: Arc<Addr<Router>>,
    /// whether the router told it to end
    told: bool,
}

/// Desks, and where their mail goes. Nearly every question is held by the same ones, so they share the list: to copy an
/// address costs more than to send something there.
pub(crate) type Holders = Arc<[(DeskId, Recipient<DeskMail>)]>;

impl Prompt {
    /// A question, and the desks that it is offered to.
    #[must_use]
    pub(crate) const fn new(
        number: Number,
        offer: Arc<Offer>,
        holders: Holders,
        router: Arc<Addr<Router>>,
    ) -> Self {
        Self { number, offer, holders, router, told: false }
    }

    fn offer_to(&self, desk: DeskId, mail: &Recipient<DeskMail>) {
        if post(mail, DeskMail::Offered(Arc::clone(&self.offer))).is_err() {
            self.report(Unreachable(desk));
        }
    }

    fn withdraw(&self, end: &Arc<End>) {
        for (desk, mail) in self.holders.iter() {
            let withdrawn = DeskMail::Withdrawn(self.offer.key.clone(), Arc::clone(end));
            if post(mail, withdrawn).is_err() {
                self.report(Unreachable(*desk));
            }
        }
    }

    /// If the router is gone the run is over, and there is nobody left to tell.
    fn report<M>(&self, message: M)
    where
        Router: Handler<M>,
        M: Message<Result = ()> + Send + 'static,
    {
        let _ = post_to(&self.router, message);
    }
}

impl Actor for Prompt {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        let (key, kind) = (&self.offer.key, self.offer.question.kind().word());
        let (desks, left_ms) = (self.holders.len(), self.offer.left_ms);
        tracing::info!(%key, kind, path = self.offer.path, desks, left_ms, "a question is open");
        if let Some(left) = self.offer.left_ms {
            ctx.run_later(Duration::from_millis(left), |prompt, _| prompt.report(Expired(prompt.number)));
        }
        for (desk, mail) in self.holders.iter() {
            self.offer_to(*desk, mail);
        }
    }

    fn stopped(&mut self, _: &mut Self::Context) {
        if !self.told {
            tracing::error!(key = %self.offer.key, "the actor of a question failed");
            self.withdraw(&Arc::new(End::Refused(Refusal::Internal)));
            self.report(Lost(self.number));
        }
    }
}

/// Offer the question to one more desk.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct OfferTo(pub(crate) Arc<Offer>, pub(crate) DeskId, pub(crate) Recipient<DeskMail>);

/// A desk no longer holds the question and needs no word of it.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Release(pub(crate) DeskId);

/// The question ended: withdraw it from all desks, and end.
#[derive(Message)]
#[rtype(result = "()")]
pub(crate) struct Close(pub(crate) Arc<End>);

impl Handler<OfferTo> for Prompt {
    type Result = ();

    fn handle(&mut self, OfferTo(offer, desk, mail): OfferTo, _: &mut Self::Context) {
        self.offer = offer;
        self.offer_to(desk, &mail);
        self.holders = self.holders.iter().cloned().chain([(desk, mail)]).collect();
    }
}

impl Handler<Release> for Prompt {
    type Result = ();

    fn handle(&mut self, Release(desk): Release, _: &mut Self::Context) {
        self.holders = self.holders.iter().filter(|(holder, _)| *holder != desk).cloned().collect();
    }
}

impl Handler<Close> for Prompt {
    type Result = ();

    fn handle(&mut self, Close(end): Close, ctx: &mut Self::Context) {
        let (key, outcome) = (&self.offer.key, end.outcome().word());
        tracing::info!(%key, outcome, refused = end.refusal(), "a question ended");
        self.told = true;
        self.withdraw(&end);
        ctx.stop();
    }
}
