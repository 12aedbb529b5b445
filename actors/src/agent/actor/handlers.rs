//! What an agent's actor is told: lines for it by the router, what became of its process, and what the person does.

use std::time::Duration;

use actix::WeakAddr;
use actix::prelude::*;
use bytes::Bytes;
use codec::id::Path;
use codec::journal::Steering;
use codec::tunnel::ReceiptState;

use crate::agent::session::Told;
use crate::agent::stdin::Event;
use crate::messages::{Lines, Typed};
use crate::ports::Clock as _;
use crate::post::post_to;

use super::timing::ms;
use super::{Agent, News, Order};

/// A line was written to its stdin.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Written(pub(super) Bytes);

/// What the person does.
#[derive(Message, Debug, Clone, PartialEq, Eq)]
#[rtype(result = "()")]
enum Person {
    /// a line is on its way, under this name: stdin must not close under it
    Sends { uuid: String, text: String },
    /// typed a line before it was there
    Types { uuid: String, text: String, to: Option<Path> },
    /// has text on the line, or not
    HasText(bool),
    /// says that this was all
    EndsIt,
    /// wants what goes on to stop
    Interrupts,
    /// wants the typed line of that name back
    TakesBack(String),
    /// was asked by another way until so long ago
    WasAsked(Duration),
    /// wants it to end: it may clean up, for a few seconds
    Stops,
    /// wants it to end at once
    Kills,
}

/// How an agent is led by whoever started it. One that is gone hears nothing.
#[derive(Debug, Clone)]
pub struct Reins(WeakAddr<Agent>);

impl Reins {
    /// Of that agent.
    #[must_use]
    pub fn of(agent: &Addr<Agent>) -> Self {
        Self(agent.downgrade())
    }

    /// A line is on its way to it, under this name: said before anybody can think that nothing more comes.
    pub fn sends(&self, uuid: String, text: String) {
        self.post(Person::Sends { uuid, text });
    }

    /// A line that was typed when it was not there yet: it goes to the router behind what the agent begins with.
    pub fn types(&self, uuid: String, text: String, to: Option<Path>) {
        self.post(Person::Types { uuid, text, to });
    }

    /// There is text on the person's line, or none.
    pub fn has_text(&self, has_text: bool) {
        self.post(Person::HasText(has_text));
    }

    /// The person says that this was all.
    pub fn ends_it(&self) {
        self.post(Person::EndsIt);
    }

    /// What goes on is to stop.
    pub fn interrupts(&self) {
        self.post(Person::Interrupts);
    }

    /// The line of that name is wanted back.
    pub fn takes_back(&self, uuid: String) {
        self.post(Person::TakesBack(uuid));
    }

    /// The person was asked for it by another way than its pipes, until so long ago: it could say nothing.
    pub fn was_asked(&self, ago: Duration) {
        self.post(Person::WasAsked(ago));
    }

    /// Ends it and all that it started: it may clean up, for a few seconds.
    pub fn stops(&self) {
        self.post(Person::Stops);
    }

    /// Ends it and all that it started, at once.
    pub fn kills(&self) {
        self.post(Person::Kills);
    }

    fn post(&self, person: Person) {
        let _ = self.0.upgrade().map(|agent| post_to(&agent, person));
    }
}

impl Handler<Lines> for Agent {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, ctx: &mut Self::Context) {
        for line in lines {
            let Some(told) = self.session.understand(&line) else { continue };
            let was_paused = self.session.is_paused();
            let effects = self.session.goes_out(&told, self.clock.now());
            self.carry_out(effects, ctx);
            match told {
                // What nobody will read any more is remembered as never read.
                Told::Message { id, .. } if !self.session.is_open() || !self.writer.has_room_for(&line) => {
                    self.is_not_delivered(id, ctx);
                }
                // Nobody hears the answer, and nobody waits for it any more.
                told if !self.session.is_open() => self.was_told(&told, ctx),
                _ => self.writer.push(line.clone()),
            }
            if was_paused && !self.session.is_paused() {
                self.goes_on(ctx);
            }
        }
    }
}

impl Agent {
    /// A message did not reach the agent: whoever typed it hears that.
    fn is_not_delivered(&mut self, uuid: String, ctx: &mut Context<Self>) {
        self.receipt(uuid.clone(), ReceiptState::NotDelivered);
        let effects = self.session.happened(Event::MessageDropped { uuid }, self.clock.now());
        self.carry_out(effects, ctx);
    }

    /// A line is with the agent, or with nobody.
    fn was_told(&mut self, told: &Told, ctx: &mut Context<Self>) {
        let effects = self.session.went_out(told, self.clock.now());
        self.carry_out(effects, ctx);
    }

    /// Its stdin is closed at its end: whatever it was to be told, nobody waits for it.
    pub(super) fn were_never_told(&mut self, ctx: &mut Context<Self>) {
        for line in self.writer.unwritten() {
            match self.session.understand(&line) {
                Some(Told::Message { id, .. }) => self.is_not_delivered(id, ctx),
                Some(told) => self.was_told(&told, ctx),
                None => {}
            }
        }
    }
}

impl Handler<Written> for Agent {
    type Result = ();

    fn handle(&mut self, Written(line): Written, ctx: &mut Self::Context) {
        if let Some(told) = self.session.understand(&line) {
            if let Told::Message { id, .. } = &told {
                self.receipt(id.clone(), ReceiptState::Written);
            }
            self.was_told(&told, ctx);
        }
    }
}

impl Handler<Person> for Agent {
    type Result = ();

    fn handle(&mut self, person: Person, ctx: &mut Self::Context) {
        match person {
            Person::Sends { uuid, text } => {
                let effects = self.session.coming(&uuid, &text, self.clock.now());
                self.carry_out(effects, ctx);
            }
            Person::Types { uuid, text, to } => {
                let effects = self.session.coming(&uuid, &text, self.clock.now());
                self.carry_out(effects, ctx);
                let typed = Typed { text, to, input_id: Some(uuid), ..Typed::default() };
                let _ = post_to(&self.router, typed);
            }
            Person::HasText(has_text) => self.happened(Event::Line { has_text }, ctx),
            Person::EndsIt => {
                let effects = self.session.ends_it(self.clock.now());
                self.carry_out(effects, ctx);
            }
            Person::Interrupts => {
                if self.session.interrupted(self.plan.has_line, self.clock.now()) {
                    self.steer(Steering::Interrupt, None);
                }
            }
            Person::TakesBack(uuid) if self.session.is_open() && self.session.gives_back() => {
                self.steer(Steering::TakeBack, Some(uuid));
            }
            // With its stdin closed it hears nothing any more; and not every agent can give something back.
            Person::TakesBack(uuid) => self.host.tell(News::NotTakenBack(uuid)),
            Person::WasAsked(ago) => {
                self.session.was_asked(self.clock.now().saturating_sub(ms(ago)));
                self.is_idle_told = false;
                self.arm(ctx);
            }
            Person::Stops => self.stop(),
            Person::Kills => {
                self.stop();
                let _ = self.orders.send(Order::Kill);
            }
        }
    }
}
