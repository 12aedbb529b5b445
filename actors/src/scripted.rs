//! A desk that plays a person's part: each question is answered after a moment, as a script says.
//!
//! Owns its seat, which is on record as that of an answer command, and the answers that are on their way; what they say, and
//! who is told of them, is the part's own. Only for a run whose agent is a script as well: nothing that is real may be
//! answered so. Ends with the run.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use codec::id::Key;
use codec::tunnel::AnswerSource;

use crate::desk::{Desk, Place, sit_down};
use crate::messages::{AreYouSeated, DeskMail};
use crate::router::{DeskInfo, Offer, Router, Said};

/// The part that is played. Called from a handler: must not wait.
pub trait Part {
    /// It can be asked from now on.
    fn begins(&mut self) {}

    /// A question came.
    fn asked(&mut self, offer: &Offer);

    /// What is said to it, a moment later.
    fn answers(&mut self, offer: &Offer) -> Said;
}

/// The actor that plays it.
pub struct Scripted {
    part: Box<dyn Part>,
    /// how long an answer takes
    moment: Duration,
    place: Place,
    coming: HashMap<Key, SpawnHandle>,
}

impl Scripted {
    /// A desk that answers each question after that time.
    #[must_use]
    pub fn new(part: Box<dyn Part>, moment: Duration, router: Addr<Router>) -> Self {
        Self { part, moment, place: Place::with(router), coming: HashMap::new() }
    }

    fn ask(&mut self, offer: &Arc<Offer>, ctx: &mut Context<Self>) {
        self.part.asked(offer);
        let asked = Arc::clone(offer);
        let coming = ctx.run_later(self.moment, move |desk, _| {
            desk.coming.remove(&asked.key);
            let said = desk.part.answers(&asked);
            desk.place.say(asked.key.clone(), said);
        });
        self.coming.insert(offer.key.clone(), coming);
    }
}

impl Actor for Scripted {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        sit_down(self, DeskInfo::new("command", AnswerSource::Command), ctx);
    }
}

impl Desk for Scripted {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }

    fn begin(&mut self, _: &mut Context<Self>) {
        self.part.begins();
    }
}

impl Handler<AreYouSeated> for Scripted {
    type Result = ();

    /// The mailbox is not read before there is a seat.
    fn handle(&mut self, AreYouSeated: AreYouSeated, _: &mut Self::Context) {}
}

impl Handler<DeskMail> for Scripted {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, ctx: &mut Self::Context) {
        match mail {
            DeskMail::Offered(offer) => self.ask(&offer, ctx),
            DeskMail::Withdrawn(key, _) => {
                if let Some(coming) = self.coming.remove(&key) {
                    ctx.cancel_future(coming);
                }
            }
            // A script that answers wrongly is a bug of ours; the question stays for whoever else there is.
            DeskMail::News(key, _) => {
                self.place.say(key, Said::GiveBack("the demo has no answer".to_owned()))
            }
        }
    }
}
