//! What all desks have in common: a seat with the router, and a way to speak from it.
//!
//! Owns the seat. An actor that has none yet reads no mail; one that is dropped has left.

use actix::prelude::*;
use codec::id::Key;

use crate::messages::{Decide, DeskMail, DeskSaid, Seat};
use crate::post::post_to;
use crate::router::{DeskInfo, Router, Said, Seated};

/// A desk's place with the router.
pub(crate) struct Place {
    router: Addr<Router>,
    seated: Option<Seated>,
}

impl Place {
    /// No seat yet.
    pub(crate) const fn with(router: Addr<Router>) -> Self {
        Self { router, seated: None }
    }

    /// Says something about a question.
    pub(crate) fn say(&self, key: Key, said: Said) {
        if let Some(seated) = &self.seated {
            self.tell(DeskSaid { desk: seated.id(), key, said });
        }
    }

    /// Says something about a question, and hears what came of it; nothing without a seat.
    pub(crate) fn decide(&self, key: Key, said: Said) -> Option<Request<Router, Decide>> {
        let desk = self.seated.as_ref()?.id();
        Some(self.router.send(Decide { desk, key, said }))
    }

    /// Tells the router something. Without one the run is over, and the desk with it.
    pub(crate) fn tell<M>(&self, message: M)
    where
        Router: Handler<M>,
        M: Message<Result = ()> + Send + 'static,
    {
        let _ = post_to(&self.router, message);
    }

    /// Leaves, and says why.
    pub(crate) fn leave(&mut self, why: &str) {
        if let Some(seated) = self.seated.take() {
            seated.leave(why);
        }
    }
}

/// An actor that is a desk.
pub(crate) trait Desk: Actor<Context = Context<Self>> + Handler<DeskMail> {
    /// Its place.
    fn place(&mut self) -> &mut Place;

    /// It can be asked from now on.
    fn begin(&mut self, _: &mut Context<Self>) {}
}

/// Takes a seat. Until it has one the actor reads no mail: no person is waited for here, only the router's mailbox.
pub(crate) fn sit_down<D: Desk>(desk: &mut D, info: DeskInfo, ctx: &mut Context<D>) {
    let seat = Seat { desk: info, mail: ctx.address().recipient() };
    let seated = desk.place().router.send(seat).into_actor(desk);
    ctx.wait(seated.map(|seated, desk: &mut D, ctx| match seated {
        Ok(seated) => {
            desk.place().seated = Some(seated);
            desk.begin(ctx);
        }
        Err(_) => ctx.stop(),
    }));
}
