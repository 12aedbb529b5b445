//! The actor of the terminal: a desk with a person at it.
//!
//! Owns the queue: one question at a time, fair between askers. What is drawn and how lines or keys are read is the
//! console's, which the command line implements. Decides nothing: what the person says goes to the router by the name of
//! the question that was shown. Ends when the terminal hangs up; then its questions are given back.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use actix::WeakAddr;
use actix::prelude::*;
use codec::id::{Key, Path};
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
    /// This question is to be drawn; others wait behind it. When it is really on the screen `drawn` must hear of it.
    fn show(&mut self, up: &Waiting, behind: &Behind, drawn: Drawn);

    /// Others wait behind it now.
    fn behind(&mut self, _: &Behind) {}

    /// From now on a line counts for it. What was typed before and not entered is to be forgotten.
    fn arm(&mut self) {}

    /// A line was entered while that question is up: what it says about it, if it says something.
    fn enter(&mut self, _: &str) -> Option<Said> {
        None
    }

    /// A question is over, by whoever, also one that was never up. What was typed for it and not entered is to be
    /// forgotten.
    fn close(&mut self, over: &Waiting, end: &End);

    /// What the person said, about that question or at all, did not count, and why.
    fn object(&mut self, about: Option<&Key>, why: &str);
}

/// A question at this terminal.
#[derive(Debug, Clone)]
pub struct Waiting {
    /// what is asked
    pub offer: Arc<Offer>,
    /// since when it waits here
    pub since: Instant,
}

/// What waits behind the question that is up.
#[derive(Debug, Clone, Default)]
pub struct Behind {
    /// how many
    pub count: usize,
    /// the next few of them, in their order
    pub next: Vec<Arc<Offer>>,
}

/// How many of those that wait are told by name.
const NEXT: usize = 2;

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
    offers: HashMap<Key, Waiting>,
    /// which lines count
    arming: Arming,
    /// fires when they do
    timer: Option<SpawnHandle>,
}

/// How long a question must be on the screen before a line counts for it: what comes earlier was meant for something else.
pub const ARMED_AFTER: Duration = Duration::from_secs(1);

/// A line was entered.
#[derive(Message, Debug)]
#[rtype(result = "()")]
pub struct Entered {
    /// what
    pub line: String,
    /// when: what waited somewhere on its way was not meant for what is up when it arrives
    pub at: Instant,
}

#[derive(Message, Debug)]
#[rtype(result = "()")]
struct Says {
    key: Key,
    said: Said,
}

#[derive(Message, Debug)]
#[rtype(result = "()")]
struct Sends {
    text: String,
    /// to whom, if not to all
    to: Option<Path>,
    /// under which name receipts for it are wanted
    input_id: Option<String>,
}

/// Where a console that reads keys says what the person did. A terminal that is gone has given its questions back, and
/// hears nothing.
#[derive(Debug, Clone)]
pub struct Fingers(WeakAddr<Terminal>);

impl Fingers {
    /// Those of the person at this terminal.
    #[must_use]
    pub fn at(terminal: &Addr<Terminal>) -> Self {
        Self(terminal.downgrade())
    }

    /// Said something about the question of that name. Whether keys count for it is known where they are read.
    pub fn say(&self, key: Key, said: Said) {
        self.post(Says { key, said });
    }

    /// Sent a line to the agents, or to one of them, under a name by which its receipts are known.
    pub fn send(&self, text: String, to: Option<Path>, input_id: Option<String>) {
        self.post(Sends { text, to, input_id });
    }

    /// Left, with the terminal.
    pub fn leave(&self) {
        self.post(HungUp);
    }

    fn post<M>(&self, message: M)
    where
        Terminal: Handler<M>,
        M: Message<Result = ()> + Send + 'static,
    {
        let _ = self.0.upgrade().map(|terminal| post_to(&terminal, message));
    }
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
        let Some(up) = self.offers.get(&key).cloned() else { return };
        self.stop_timer(ctx);
        self.arming.shows();
        let drawn = Drawn { terminal: ctx.address(), key };
        self.console.show(&up, &self.behind(), drawn);
    }

    fn behind(&self) -> Behind {
        let next = self.queue.next(NEXT).filter_map(|key| self.offers.get(key));
        Behind {
            count: self.queue.len().saturating_sub(1),
            next: next.map(|waiting| Arc::clone(&waiting.offer)).collect(),
        }
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
        let Some(over) = self.offers.remove(key) else { return };
        let is_up = self.queue.shown() == Some(key);
        self.console.close(&over, end);
        if self.queue.remove(key) {
            return self.show(ctx);
        }
        self.console.behind(&self.behind());
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
        sit_down(self, DeskInfo::new("terminal", AnswerSource::Terminal), ctx);
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
                self.offers.insert(key.clone(), Waiting { offer, since: Instant::now() });
                match self.queue.add(asker, key) {
                    true => self.show(ctx),
                    false => self.console.behind(&self.behind()),
                }
            }
            DeskMail::Withdrawn(key, end) => self.withdraw(&key, &end, ctx),
            DeskMail::News(key, News::Unfit(why)) => self.console.object(Some(&key), &why),
            DeskMail::News(key, News::Late) => {
                let why = format!("too late: {key} had ended, and your answer did not count");
                self.console.object(Some(&key), &why);
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
                self.console.object(None, "that line came too early to be meant for this: write it again")
            }
            Some(key) => {
                if let Some(said) = self.console.enter(&line) {
                    self.place.say(key, said);
                }
            }
            None if line.trim().is_empty() => {}
            None => self.place.tell(Typed { text: line, ..Typed::default() }),
        }
    }
}

impl Handler<Says> for Terminal {
    type Result = ();

    /// Of a question that is given back the router says no more: the next one is shown.
    fn handle(&mut self, Says { key, said }: Says, ctx: &mut Self::Context) {
        let is_given_back = matches!(said, Said::GiveBack(_));
        self.place.say(key.clone(), said);
        if is_given_back && self.offers.remove(&key).is_some() {
            match self.queue.remove(&key) {
                true => self.show(ctx),
                false => self.console.behind(&self.behind()),
            }
        }
    }
}

impl Handler<Sends> for Terminal {
    type Result = ();

    fn handle(&mut self, Sends { text, to, input_id }: Sends, _: &mut Self::Context) {
        self.place.tell(Typed { text, to, input_id, ..Typed::default() });
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
