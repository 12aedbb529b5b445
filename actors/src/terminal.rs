//! The actor of the terminal: a desk with a person at it.
//!
//! Owns the queue: one question at a time, fair between askers. What is drawn and how a line is read is the console's,
//! which the command line implements. Decides nothing: what the person says goes to the router by the name of the
//! question that was shown. Ends when the terminal hangs up; then its questions are given back.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::prelude::*;
use codec::id::Key;
use codec::tunnel::AnswerSource;
use tokio::time::Instant;

use crate::arming::Arming;
use crate::desk::{Desk, Place, sit_down};
use crate::end::End;
use crate::messages::{AreYouSeated, DeskMail, Typed};
use crate::post::post_to;
use crate::router::{DeskInfo, News, Offer, Router, Said};
use crate::terminal_queue::TerminalQueue;

/// What the terminal needs of whoever draws.
pub trait Console {
    /// This question is to be drawn; so many wait behind it. When it is really on the screen `drawn` must hear of it.
    fn show(&mut self, offer: &Offer, waiting: usize, drawn: Drawn);

    /// From now on a line counts for it. What was typed before and not entered is to be forgotten.
    fn arm(&mut self);

    /// A line was entered while that question is up: what it says about it, if it says something.
    fn enter(&mut self, line: &str) -> Option<Said>;

    /// The question that is up is over, by whoever. What was typed for it and not entered is to be forgotten.
    fn close(&mut self, end: &End);

    /// What the person said did not count, and why.
    fn object(&mut self, why: &str);
}

/// Tells the terminal that a question is on the screen. From any thread.
pub struct Drawn {
    terminal: Addr<Terminal>,
    key: Key,
}

impl Drawn {
    /// It is.
    pub fn tell(self) {
        // A terminal that is gone has given the question back.
        let _ = post_to(&self.terminal, IsDrawn(self.key));
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct IsDrawn(Key);

/// The actor of the terminal.
pub struct Terminal {
    place: Place,
    console: Box<dyn Console>,
    queue: TerminalQueue,
    offers: HashMap<Key, Arc<Offer>>,
    /// which lines count
    arming: Arming,
    /// fires when they do
    timer: Option<SpawnHandle>,
}

/// How long a question must be on the screen before a line counts for it: what comes earlier was meant for something else.
const ARMED_AFTER: Duration = Duration::from_secs(1);

/// A line was entered.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct Entered {
    /// what
    pub line: String,
    /// when: what waited somewhere on its way was not meant for what is up when it arrives
    pub at: Instant,
}

/// The terminal is gone.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct HungUp;

impl Terminal {
    /// A desk at that console.
    #[must_use]
    pub fn new(console: Box<dyn Console>, router: Addr<Router>) -> Self {
        let queue = TerminalQueue::default();
        Self {
            place: Place::with(router),
            console,
            queue,
            offers: HashMap::new(),
            arming: Arming::new(Instant::now()),
            timer: None,
        }
    }

    fn show(&mut self, ctx: &mut Context<Self>) {
        let Some(key) = self.queue.shown().cloned() else { return };
        let Some(offer) = self.offers.get(&key).cloned() else { return };
        self.stop_timer(ctx);
        self.arming.shows();
        let drawn = Drawn { terminal: ctx.address(), key };
        self.console.show(&offer, self.queue.len().saturating_sub(1), drawn);
    }

    fn stop_timer(&mut self, ctx: &mut Context<Self>) {
        if let Some(timer) = self.timer.take() {
            ctx.cancel_future(timer);
        }
    }

    fn arm_later(&mut self, ctx: &mut Context<Self>) {
        self.timer = Some(ctx.run_later(ARMED_AFTER, |terminal, _| {
            terminal.timer = None;
            terminal.arming.arm(Instant::now());
            if terminal.queue.shown().is_some() {
                terminal.console.arm();
            }
        }));
    }

    fn withdraw(&mut self, key: &Key, end: &End, ctx: &mut Context<Self>) {
        self.offers.remove(key);
        let is_up = self.queue.shown() == Some(key);
        if is_up {
            self.console.close(end);
        }
        if self.queue.remove(key) {
            return self.show(ctx);
        }
        if is_up {
            self.stop_timer(ctx);
            if self.arming.is_over(end, Instant::now()) {
                self.arm_later(ctx);
            }
        }
    }
}

impl Actor for Terminal {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        sit_down(self, DeskInfo { name: "terminal".to_owned(), source: AnswerSource::Terminal }, ctx);
    }
}

impl Desk for Terminal {
    fn place(&mut self) -> &mut Place {
        &mut self.place
    }
}

impl Handler<AreYouSeated> for Terminal {
    type Result = ();

    /// The mailbox is not read before there is a seat.
    fn handle(&mut self, AreYouSeated: AreYouSeated, _: &mut Self::Context) {}
}

impl Handler<DeskMail> for Terminal {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, ctx: &mut Self::Context) {
        match mail {
            DeskMail::Offered(offer) => {
                let (asker, key) = (offer.asker, offer.key.clone());
                self.offers.insert(key.clone(), offer);
                if self.queue.add(asker, key) {
                    self.show(ctx);
                }
            }
            DeskMail::Withdrawn(key, end) => self.withdraw(&key, &end, ctx),
            DeskMail::News(_, News::Unfit(why)) => self.console.object(&why),
            DeskMail::News(key, News::Late) => {
                self.console.object(&format!("too late: {key} had ended, and your answer did not count"));
            }
        }
    }
}

impl Handler<Entered> for Terminal {
    type Result = ();

    /// A line is for the question that is up. If there is none it is for the agents.
    fn handle(&mut self, Entered { line, at }: Entered, _: &mut Self::Context) {
        let counts = self.arming.counts(at);
        match self.queue.shown().cloned() {
            _ if line.trim().is_empty() && !counts => {}
            _ if !counts => {
                self.console.object("that line came too early to be meant for this: write it again")
            }
            Some(key) => {
                if let Some(said) = self.console.enter(&line) {
                    self.place.say(key, said);
                }
            }
            None if line.trim().is_empty() => {}
            None => self.place.tell(Typed { text: line, to: None, input_id: None }),
        }
    }
}

impl Handler<IsDrawn> for Terminal {
    type Result = ();

    /// Only now does anybody see it, and only now does the time begin after which lines count for it.
    fn handle(&mut self, IsDrawn(key): IsDrawn, ctx: &mut Self::Context) {
        if self.queue.shown() == Some(&key) && self.arming.is_drawn() {
            self.arm_later(ctx);
            self.place.say(key, Said::Shown);
        }
    }
}

impl Handler<HungUp> for Terminal {
    type Result = ();

    fn handle(&mut self, HungUp: HungUp, ctx: &mut Self::Context) {
        self.place.leave("hung up");
        ctx.stop();
    }
}

#[cfg(test)]
mod tests;
