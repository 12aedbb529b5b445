//! The agent of a run, from its start to its end, and what ends it before its time.

use std::pin::pin;

use actors::agent::process::StartFailure;
use actors::agent::verdict::{Account, Exit};
use actors::agent::{Agent, Ending as Left, Host, News, Plan, Reins, Room};
use actors::messages::{Note, Typed};
use codec::journal::{self, Event};
use codec::json::Text;
use codec::tunnel::Role;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until};
use uuid::Uuid;

use super::ending::Stopped;
use super::leader::Wish;
use super::stage::{Over, Stage};
use super::{Backend, offer, probe};
use crate::args::OutputFormat;
use crate::backend;
use crate::desks::parent_lost;
use crate::exit::Code;
use crate::printer::Printer;
use crate::routed::Failed;
use crate::signals::Caught;
use crate::term::screen::status::Status;
use crate::term::style::{Colour, Row, Span, Style};

/// How the agent speaks to the run.
struct ToRun {
    news: mpsc::UnboundedSender<News>,
    printer: Printer,
}

impl Host for ToRun {
    fn tell(&mut self, news: News) {
        // A run that is over needs no telling.
        let _ = self.news.send(news);
    }

    fn room(&self) -> Room {
        if self.printer.has_room() {
            return None;
        }
        let printer = self.printer.clone();
        Some(Box::pin(async move { printer.room().await }))
    }
}

/// What one agent came to.
pub(super) struct Played {
    pub(super) stopped: Option<Stopped>,
    pub(super) left: Box<Left>,
}

impl Stage<'_> {
    /// Runs the agent; and again, if it failed and the person wants to go on. Says what is to be printed, and the exit code.
    pub(super) async fn agents(&mut self) -> Result<Over, Failed> {
        let mut prompt = None;
        let mut resume = None;
        loop {
            // Also before it goes on: it may have written what runs unasked the next time.
            if let Some(stopped) = self.trusts().await? {
                let (ending, code) = self.judge(stopped);
                self.show(&ending);
                return Ok(Over { text: self.printed(&ending), code, was_stopped: true });
            }
            if resume.is_none() {
                prompt = self.first_prompt();
            }
            let played = self.agent(prompt.take(), resume.as_deref()).await?;
            let was_stopped = played.stopped.is_some();
            let (ending, code) = self.judge(played);
            self.show(&ending);
            match offer::goes_on(self, &ending).await {
                Some(session) => {
                    resume = Some(session);
                    prompt = Some(self.begins_with(offer::CONTINUE.to_owned()));
                }
                None => {
                    let caught = if was_stopped { None } else { self.linger().await };
                    let code = caught.map_or(code, |caught| Code::signal(caught.number));
                    return Ok(Over { text: self.printed(&ending), code, was_stopped });
                }
            }
        }
    }

    fn first_prompt(&self) -> Option<Typed> {
        let text = self.job.prompt.text.clone()?;
        Some(Typed { images: self.job.prompt.images.clone(), ..self.begins_with(text) })
    }

    /// What an agent is told first, which stands above all that it does.
    fn begins_with(&self, text: String) -> Typed {
        if let Some(screen) = self.screen() {
            screen.with(|screen| screen.began_with(&text));
        }
        let (to, input_id) = (Some(self.path.clone()), Some(Uuid::new_v4().to_string()));
        Typed { text, to, input_id, is_prompt: true, ..Typed::default() }
    }

    async fn agent(&mut self, prompt: Option<Typed>, resume: Option<&str>) -> Result<Played, Failed> {
        let (tell, mut news) = mpsc::unbounded_channel();
        self.hears(self.job.people.reads_lines);
        self.show_status();
        let mut is_finished = false;
        let found = tokio::select! {
            found = probe::look(&self.job.backend, self.environment) => found,
            caught = self.signals.next() => return Ok(self.caught_early(caught).await),
            () = leaves(&mut self.wishes, &mut is_finished) => {
                return Ok(self.caught_early(Caught::INTERRUPT).await);
            }
        };
        let has_prompt = prompt.is_some();
        let plan = Plan {
            spawn: self.spawn(found, resume)?,
            wire: self.job.wire().to_owned(),
            path: self.path.to_string(),
            prompt,
            // Where nobody can say more, nobody could say that this was all.
            keep_open: self.job.keep_open && self.has_words(),
            has_line: self.screen().is_some() && self.job.people.reads_lines,
            idle: self.job.limits.idle,
            line_limit: self.run.limits.agent_line,
            language: self.job.language(),
            kin: self.kin.clone(),
        };
        let host = Box::new(ToRun { news: tell, printer: self.voice.printer().clone() });
        let started = Agent::start(plan, self.routed.router.clone(), host);
        let agent = tokio::select! {
            started = started => started.map_err(|why| self.not_started(&why))?,
            caught = self.signals.next() => return Ok(self.caught_early(caught).await),
        };
        let reins = Reins::of(&agent);
        self.leader.leads(&reins);
        drop(agent);
        if is_finished {
            reins.ends_it();
        }
        self.greet(has_prompt);
        if let Some(screen) = self.screen() {
            reins.has_text(screen.with(|screen| screen.has_text()));
        }
        let played = self.watch(&reins, &mut news).await;
        *self.leader.reins.borrow_mut() = None;
        self.scene.borrow_mut().ends(&self.voice, Instant::now());
        self.forget_lines();
        Ok(played)
    }

    fn is_overdue(&self) -> String {
        format!("{} did not end its turn within 5 s, and is ended", self.job.name())
    }

    /// Why there is no agent, and what to do.
    fn not_started(&self, why: &StartFailure) -> Failed {
        let known = match (&self.job.backend, why) {
            (Backend::Stream(_), StartFailure::NotFound(_)) => backend::known(&self.job.config).join(", "),
            _ => String::new(),
        };
        let names = if known.is_empty() { known } else { format!(" (in the configuration: {known})") };
        (format!("{why}{names}"), Code::of_program(why.exit_code()))
    }

    fn show_status(&self) {
        if let Some(screen) = self.screen() {
            let status = self.scene.borrow().status();
            screen.with(|screen| screen.set_status(Some(status)));
        }
    }

    /// What whoever watches must know when it begins.
    fn greet(&self, has_prompt: bool) {
        if self.is_deserted && self.job.format == OutputFormat::Text {
            self.voice.warn("nobody can answer here, so questions are refused (tim run --help)");
        }
        if self.desks.is_in_lines() && !has_prompt {
            self.voice.warn("say what to do; Ctrl-D ends");
        }
    }

    /// Whether somebody could say more than the prompt, and that it was all.
    fn has_words(&self) -> bool {
        self.screen().is_some() || self.desks.is_in_lines()
    }

    /// What it did not read it never will: the end says which that is.
    fn forget_lines(&self) {
        self.scene.borrow_mut().lines.clear();
        if let Some(screen) = self.screen() {
            screen.with(|screen| screen.forget_queued());
        }
    }

    /// Somebody is there who hears the line, or will be in a moment; or no longer.
    pub(super) fn hears(&self, hears: bool) {
        if let Some(screen) = self.screen() {
            screen.with(|screen| screen.hears(self.path.clone(), hears));
        }
    }

    /// Waits for the end of the agent, and ends it if it must not go on.
    async fn watch(&mut self, reins: &Reins, news: &mut mpsc::UnboundedReceiver<News>) -> Played {
        let deadline = self.deadline();
        let mut stopped: Option<Stopped> = None;
        loop {
            let happened = {
                let closed = self.voice.printer().stdout_closed();
                let mut closed = pin!(closed);
                tokio::select! {
                    news = news.recv() => match news {
                        Some(News::Ended(left)) => return Played { stopped, left },
                        Some(News::Idle) => self.is_idle(reins),
                        Some(News::Mute(status)) => Some(Stopped::mute(&status)),
                        Some(News::Overdue) => { self.voice.warn(&self.is_overdue()); None }
                        Some(news) => { self.news(news); None }
                        // Whatever ended it without a word has taken the process with it.
                        None => return Played { stopped: Some(stopped.unwrap_or(Stopped::RouterLost)), left: nothing() },
                    },
                    caught = self.signals.next() => Some(Stopped::Signal(caught)),
                    wish = self.wishes.recv() => match wish {
                        Some(Wish::Out) => Some(Stopped::Signal(Caught::INTERRUPT)),
                        Some(Wish::Gone) => Some(Stopped::HungUp),
                        // It may have been said before the agent was there.
                        Some(Wish::Finish) => { reins.ends_it(); None }
                        Some(Wish::Line(_)) | None => None,
                    },
                    () = at(deadline), if stopped.is_none() => self.job.limits.total.map(Stopped::Time),
                    role = parent_lost(&mut self.upward), if stopped.is_none() => {
                        self.upward = None;
                        self.parent_lost(role)
                    }
                    () = &mut closed, if stopped.is_none() => Some(Stopped::OutputClosed),
                    // Nobody would be asked any more, and nothing told; dropping the agent ends it.
                    _ = &mut self.routed.gone => {
                        return Played { stopped: Some(Stopped::RouterLost), left: nothing() };
                    }
                }
            };
            match (happened, stopped) {
                (Some(why), None) => {
                    self.stop(why, reins).await;
                    stopped = Some(why);
                }
                // Whoever asks twice does not want to wait; anything else is only one more sign of the same.
                (Some(Stopped::Signal(_)), Some(_)) => reins.kills(),
                _ => {}
            }
        }
    }

    /// The agent has said nothing for long: because it waits for a person, or because it is stuck.
    fn is_idle(&self, reins: &Reins) -> Option<Stopped> {
        let idle = self.job.limits.idle?;
        match self.scene.borrow().asked_ago(Instant::now()).filter(|ago| *ago < idle) {
            Some(ago) => {
                reins.was_asked(ago);
                None
            }
            None => Some(Stopped::Idle(idle)),
        }
    }

    /// When the time of the whole run is over.
    pub(super) fn deadline(&self) -> Option<Instant> {
        self.job.limits.total.map(|total| self.scene.borrow().began + total)
    }

    fn parent_lost(&self, role: Role) -> Option<Stopped> {
        if role == Role::Run {
            return Some(Stopped::ParentLost);
        }
        // From now on nobody else tells it.
        self.scene.borrow_mut().wanted.is_told_above = false;
        self.voice.warn("the parent is gone: questions will be refused from now on");
        None
    }

    /// There is no agent yet.
    pub(super) async fn caught_early(&self, caught: Caught) -> Played {
        self.hears(false);
        self.note(caught).await;
        Played { stopped: Some(Stopped::Signal(caught)), left: nothing() }
    }

    async fn note(&self, caught: Caught) {
        let signal = journal::Signal::of(Text::new(caught.name));
        // A router that is gone keeps no record any more.
        let _ = self.routed.router.send(Note(Event::Signal(signal))).await;
    }

    async fn stop(&self, why: Stopped, reins: &Reins) {
        if let Stopped::Signal(caught) = why {
            self.note(caught).await;
        }
        if let Some(screen) = self.screen() {
            let row =
                Row::own(Style::DIM, "  ending the agent and all that it started; Ctrl-C does it at once");
            screen.with(|screen| screen.set_status(Some(Status::Says(row))));
        }
        reins.stops();
    }

    fn news(&self, news: News) {
        let (uuid, is_back) = match news {
            News::TakenBack(uuid) => (uuid, true),
            News::NotTakenBack(uuid) => (uuid, false),
            News::Idle | News::Mute(_) | News::Overdue | News::Ended(_) => return,
        };
        let Some(screen) = self.screen() else { return };
        if !is_back {
            return screen.with(|screen| screen.object(None, "too late: it has been read"));
        }
        if let Some(number) = self.scene.borrow_mut().lines.remove(&uuid) {
            screen.with(|screen| screen.was_taken_back(number));
        }
    }

    /// A run does not end under a line with text in it, unless a signal ends it.
    async fn linger(&mut self) -> Option<Caught> {
        while self.screen().is_some_and(|screen| screen.with(|screen| screen.has_text())) {
            if let Some(screen) = self.screen() {
                let row = Row::own(Style::of(Colour::Yellow), "  the agent is done; ")
                    .and(Span::own(Style::DIM, "your line is still here: Ctrl-C clears it and ends"));
                screen.with(|screen| screen.set_status(Some(Status::Says(row))));
            }
            tokio::select! {
                caught = self.signals.next() => {
                    self.note(caught).await;
                    return Some(caught);
                }
                wish = self.wishes.recv() => match wish {
                    Some(Wish::Out | Wish::Finish | Wish::Gone) | None => return None,
                    Some(Wish::Line(_)) => {}
                },
            }
        }
        None
    }
}

/// Of an agent that never was.
pub(super) fn nothing() -> Box<Left> {
    Box::new(Left {
        exit: Exit::StoppedByTim,
        stderr: String::new(),
        account: Account::default(),
        unread: Vec::new(),
    })
}

/// Until the person wants out. That this was all is remembered.
pub(super) async fn leaves(wishes: &mut mpsc::UnboundedReceiver<Wish>, is_finished: &mut bool) {
    loop {
        match wishes.recv().await {
            Some(Wish::Line(_)) => {}
            Some(Wish::Finish) => *is_finished = true,
            Some(Wish::Out | Wish::Gone) => return,
            None => std::future::pending().await,
        }
    }
}

pub(super) async fn at(deadline: Option<Instant>) {
    match deadline {
        Some(deadline) => sleep_until(deadline).await,
        None => std::future::pending().await,
    }
}
