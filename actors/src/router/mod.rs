//! The router: between those who ask and those who answer.
//!
//! The actor only delegates: what comes in goes to [`Routing`], what that orders is done. It owns the addresses: of
//! askers, of desks, of the questions' actors. Reads no clock but its port, no environment, no terminal and no file,
//! and draws no random numbers. Ends with the process; if it fails, the run ends.

mod agents;
mod carry_out;
mod desks;
pub(crate) mod emit;
mod event;
mod grants;
mod greeting;
mod guard;
mod handlers;
mod info;
mod ledger;
mod look;
pub(crate) mod numbered;
mod order;
mod outbox;
mod rejected;
mod routing;
mod ruled;
mod scribe;
mod steering;
#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use tokio::sync::oneshot;

pub use emit::timestamp;
pub(crate) use event::Repeated;
#[cfg(test)]
pub(crate) use event::{Effect, Event};
pub use event::{OpenLimits, Said};
pub use guard::{Attached, Leaves, Place, Seated};
pub use info::{AskerInfo, DeskInfo, RunInfo, Who};
pub(crate) use look::{Open, Picture, Ruling, Seen};
pub(crate) use order::Order;
pub use order::{Emitted, Keeper, News, Offer, Stage};
pub use routing::Routing;

use crate::messages::{DeskMail, Flush, Lines, Output, Settled};
use crate::ports::{Clock, Outlet};
use crate::post::{post, post_to};
use crate::prompt::{Close, Holders, OfferTo, Prompt, Release};
use numbered::ByNumber;

/// Somebody who asks, in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct AskerId(pub u64);

/// A desk, in this run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeskId(pub u64);

/// A question, in this run: the number in its key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Number(pub u64);

/// How long a record that nobody waits for may stay in memory. Waking the journal's thread costs as much as a question.
const SOON: Duration = Duration::from_millis(2);

/// The actor.
pub struct Router {
    routing: Routing,
    clock: Box<dyn Clock>,
    askers: ByNumber<AskerId, Recipient<Lines>>,
    desks: ByNumber<DeskId, Recipient<DeskMail>>,
    /// the desks that the last question was offered to: most likely the next one is too
    holders: Option<(Arc<[DeskId]>, Holders)>,
    /// our own address, as long as the run lasts
    me: Option<Arc<Addr<Self>>>,
    pub(crate) prompts: ByNumber<Number, Addr<Prompt>>,
    outlet: Option<Box<dyn Outlet>>,
    /// room for what is ordered, kept from one message to the next
    orders: Vec<Order>,
    /// whether a flush is in the mailbox, behind everything that came before it
    flushing: bool,
    /// whether a flush comes by itself
    flushing_soon: bool,
    /// dropped with the router: whoever has the other end hears of it
    alive: Option<oneshot::Sender<()>>,
}

impl Router {
    /// A router over its state, with its clock, and whoever wants to hear what the run itself has to say.
    #[must_use]
    pub fn new(routing: Routing, clock: Box<dyn Clock>, outlet: Option<Box<dyn Outlet>>) -> Self {
        let (askers, desks, prompts) = (ByNumber::default(), ByNumber::default(), ByNumber::default());
        Self {
            routing,
            clock,
            askers,
            desks,
            holders: None,
            me: None,
            prompts,
            outlet,
            orders: Vec::new(),
            flushing: false,
            flushing_soon: false,
            alive: None,
        }
    }

    /// Lets somebody know when the router is gone, also by a failure of its own: then the run is over.
    #[must_use]
    pub fn watched(mut self, alive: oneshot::Sender<()>) -> Self {
        self.alive = Some(alive);
        self
    }

    /// What a journal calls when it got further. If the mailbox is full of such news, one more is not needed: each makes
    /// the router look how far the journal is by then.
    pub fn waker(router: Addr<Self>) -> impl Fn() + Send + 'static {
        move || {
            let (Ok(()) | Err(SendError::Full(_) | SendError::Closed(_))) = router.try_send(Settled);
        }
    }

    /// Lets something happen now, and does what follows from it.
    fn let_happen<T>(&mut self, ctx: &mut Context<Self>, what: impl FnOnce(&mut Routing, u64) -> T) -> T {
        let now = self.clock.now();
        let result = what(&mut self.routing, now);
        self.follow_up(ctx);
        result
    }

    /// Does what was ordered, and sees to it that the records go on file. If somebody waits for that: together with those
    /// of all messages that are in the mailbox by now. If nobody does: soon.
    fn follow_up(&mut self, ctx: &mut Context<Self>) {
        let me = Arc::clone(self.me.get_or_insert_with(|| Arc::new(ctx.address())));
        self.carry_out_orders(&me);
        if !self.routing.needs_flush() {
            return;
        }
        if self.routing.is_waiting() && !self.flushing {
            self.flushing = post_to(&me, Flush).is_ok();
        } else if !self.flushing && !self.flushing_soon {
            self.flushing_soon = true;
            ctx.run_later(SOON, |router, _| {
                router.flushing_soon = false;
                router.routing.flush();
            });
        }
    }

    /// Whoever turns out to be gone is taken off the books, and that may order more: until nothing is left.
    fn carry_out_orders(&mut self, me: &Arc<Addr<Self>>) {
        let mut orders = std::mem::take(&mut self.orders);
        loop {
            orders.extend(self.routing.orders());
            if orders.is_empty() {
                break;
            }
            let (mut lines, mut gone) = (Vec::new(), Departures::default());
            for order in orders.drain(..) {
                self.carry_out(order, me, &mut lines, &mut gone);
            }
            self.deliver(lines, &mut gone);
            self.take_off_the_books(gone);
        }
        self.orders = orders;
    }

    fn carry_out(
        &mut self,
        order: Order,
        me: &Arc<Addr<Self>>,
        lines: &mut Vec<(AskerId, Lines)>,
        gone: &mut Departures,
    ) {
        match order {
            Order::Keep(number, offer, desks) => {
                let holders = self.holders(&desks);
                self.prompts.insert(number, Prompt::new(number, offer, holders, Arc::clone(me)).start());
            }
            Order::OfferTo(number, offer, desk) => {
                if let Some(mail) = self.desks.get(&desk) {
                    self.tell_prompt(number, OfferTo(offer, desk, mail.clone()));
                }
            }
            Order::Release(number, desk) => self.tell_prompt(number, Release(desk)),
            Order::Close(number, end) => {
                self.tell_prompt(number, Close(end));
                self.prompts.remove(&number);
            }
            Order::Tell(desk, key, news) => {
                let told = self.desks.get(&desk).map(|mail| post(mail, DeskMail::News(key, news)));
                if told.is_some_and(|told| told.is_err()) {
                    gone.desks.push(desk);
                }
            }
            Order::Send(asker, line) => match lines.last_mut() {
                Some((last, batch)) if *last == asker => batch.0.push(line),
                _ => lines.push((asker, Lines(vec![line]))),
            },
            Order::Publish(emitted) => self.say(Output::Own(emitted)),
            Order::PublishTyped(line) => self.say(Output::Typed(line)),
            Order::Report(who, line) => self.say(Output::Report(who, line)),
            Order::Hears(path, hears) => self.say(Output::Hears(path, hears)),
            Order::Receipt(receipt) => self.say(Output::Receipt(receipt)),
            Order::Noise(who, why) => self.say(Output::Dropped(who, why)),
            Order::Misasked(who, why) => self.say(Output::Misasked(who, why)),
            Order::Gap(lost, why) => self.say(Output::Gap(lost, why)),
            Order::Reached(waits) => drop(waits),
        }
    }

    /// Where the mail for these desks goes. While nobody comes and nobody leaves that is the same for all questions.
    fn holders(&mut self, desks: &Arc<[DeskId]>) -> Holders {
        if let Some((known, holders)) = &self.holders
            && Arc::ptr_eq(known, desks)
        {
            return Arc::clone(holders);
        }
        let mail = |desk: &DeskId| Some((*desk, self.desks.get(desk)?.clone()));
        let holders: Holders = desks.iter().filter_map(mail).collect();
        self.holders = Some((Arc::clone(desks), Arc::clone(&holders)));
        holders
    }

    fn deliver(&self, lines: Vec<(AskerId, Lines)>, gone: &mut Departures) {
        for (asker, batch) in lines {
            let sent = self.askers.get(&asker).map(|to| post(to, batch));
            if sent.is_some_and(|sent| sent.is_err()) {
                gone.askers.push(asker);
            }
        }
    }

    /// A question's actor that is gone reports that itself: nothing to do here.
    fn tell_prompt<M>(&self, number: Number, message: M)
    where
        Prompt: Handler<M>,
        M: Message<Result = ()> + Send + 'static,
    {
        if let Some(prompt) = self.prompts.get(&number) {
            let _ = post_to(prompt, message);
        }
    }

    fn say(&mut self, output: Output) {
        if let Some(outlet) = &mut self.outlet {
            outlet.take(output);
        }
    }

    fn take_off_the_books(&mut self, gone: Departures) {
        let now = self.clock.now();
        for asker in gone.askers {
            self.askers.remove(&asker);
            self.routing.detach(now, asker, "gone");
        }
        for desk in gone.desks {
            self.desks.remove(&desk);
            self.routing.leave(now, desk, "gone");
        }
    }
}

/// Those who turned out to be gone when something was sent to them.
#[derive(Default)]
struct Departures {
    askers: Vec<AskerId>,
    desks: Vec<DeskId>,
}

impl Actor for Router {
    type Context = Context<Self>;
}
