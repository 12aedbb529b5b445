//! The agents of a run while they are at work, and what ends one, or all, before their time.
//!
//! Owns the one place where the run waits: for its agents, the person, signals, its parent and the time. In which order
//! agents are started, and what follows when one has ended, stands in `alone` and `batch`.

use std::pin::pin;

use actors::agent::verdict::{Account, Exit};
use actors::agent::{Ending as Left, News, Reins};
use actors::messages::{AllSaid, Note};
use codec::id::Path;
use codec::journal::{self, Event, Steering};
use codec::json::{IntoOwned as _, Text};
use codec::tunnel::Role;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep_until, timeout};

use super::ending::Stopped;
use super::leader::Wish;
use super::part::Part;
use super::stage::Stage;
use crate::desks::parent_lost;
use crate::routed::SLOWEST;
use crate::signals::Caught;
use crate::term::screen::status::Status;
use crate::term::style::{Row, Style};

/// What is heard of an agent.
pub(super) enum Word {
    Says(News),
    /// nothing any more: if it has not said that it ended, whatever ended it has taken its process with it
    Gone,
}

/// What one agent came to.
pub(super) struct Played {
    pub(super) stopped: Option<Stopped>,
    pub(super) left: Box<Left>,
}

impl Played {
    /// One that never was, for that reason.
    pub(super) fn never(stopped: Stopped) -> Self {
        Self { stopped: Some(stopped), left: nothing() }
    }
}

/// The agents that are at work.
pub(super) struct AtWork {
    pub(super) parts: Vec<Part>,
    news: mpsc::UnboundedReceiver<(usize, Word)>,
    pub(super) tell: mpsc::UnboundedSender<(usize, Word)>,
    /// why all of them are being ended
    pub(super) stopped: Option<Stopped>,
    pub(super) meanwhile: Meanwhile,
}

/// What the person wanted while nobody waited for it.
#[derive(Debug, Default)]
pub(super) struct Meanwhile {
    /// that this was all
    pub(super) is_finished: bool,
    /// some of the agents to end
    ends: Vec<Path>,
}

impl Default for AtWork {
    fn default() -> Self {
        let (tell, news) = mpsc::unbounded_channel();
        Self { parts: Vec::new(), news, tell, stopped: None, meanwhile: Meanwhile::default() }
    }
}

/// What comes of waiting.
pub(super) enum Came {
    /// an agent has ended
    Ended(Part, Played),
    /// what somebody else waited for is there
    Else,
}

/// What happened while they work.
enum Happened {
    Heard(usize, Word),
    /// ends all of them
    Stops(Stopped),
    /// the parent is gone, to which this run does not belong
    GoesOnAlone,
    /// the time of one is over
    TimeIsOver,
    /// the person said that this was all
    Finish,
    /// the person wants one of them to end
    EndsOne(Path),
    Else,
    Nothing,
}

impl AtWork {
    fn part(&mut self, number: usize) -> Option<&mut Part> {
        self.parts.iter_mut().find(|part| part.number == number)
    }

    fn take(&mut self, number: usize) -> Option<Part> {
        let at = self.parts.iter().position(|part| part.number == number)?;
        Some(self.parts.remove(at))
    }

    fn reins(&self) -> impl Iterator<Item = &Reins> {
        self.parts.iter().filter_map(|part| part.reins.as_ref())
    }
}

impl Stage<'_> {
    /// Waits until an agent has ended, or until what somebody else waits for is there, and ends those who must not go on.
    pub(super) async fn watch(&mut self, at_work: &mut AtWork, other: impl Future<Output = ()>) -> Came {
        let mut other = pin!(other);
        loop {
            if at_work.stopped == Some(Stopped::RouterLost) {
                // Nobody would be asked any more, and nothing told; dropping the agents ends them.
                let part = at_work.parts.pop();
                return part.map_or(Came::Else, |part| Came::Ended(part, Played::never(Stopped::RouterLost)));
            }
            match self.happens(at_work, &mut other).await {
                Happened::Heard(number, Word::Says(News::Ended(left))) => {
                    if let Some(mut part) = at_work.take(number) {
                        if let Some(why) = self.hears_the_rest(at_work).await {
                            part.stopped = part.stopped.or(Some(why));
                        }
                        return self.ended(part, left);
                    }
                }
                Happened::Heard(number, Word::Gone) => {
                    if let Some(mut part) = at_work.take(number) {
                        part.stopped = part.stopped.or(Some(Stopped::RouterLost));
                        return self.ended(part, nothing());
                    }
                }
                Happened::Heard(number, Word::Says(news)) => self.news(number, news, at_work),
                Happened::Stops(Stopped::RouterLost) => at_work.stopped = Some(Stopped::RouterLost),
                Happened::Stops(why) => {
                    self.stop(why, at_work).await;
                    if at_work.parts.is_empty() {
                        return Came::Else;
                    }
                }
                Happened::GoesOnAlone => self.goes_on_alone(),
                Happened::TimeIsOver => self.time_is_over(at_work),
                // It may have been said before the agent was there.
                Happened::Finish => {
                    at_work.meanwhile.is_finished = true;
                    at_work.reins().for_each(Reins::ends_it);
                }
                Happened::EndsOne(path) => {
                    at_work.meanwhile.ends.push(path);
                    self.catch_up(at_work).await;
                }
                Happened::Else => return Came::Else,
                Happened::Nothing => {}
            }
        }
    }

    /// What became of an agent's last questions counts too, and waits for its record. A disk that hangs must neither keep us
    /// nor make a success of what nobody decided: says why the agent has failed by that, if it has.
    async fn hears_the_rest(&mut self, at_work: &mut AtWork) -> Option<Stopped> {
        let all_said = timeout(SLOWEST, self.routed.router.send(AllSaid));
        let caught = tokio::select! {
            // A router that is gone is noticed elsewhere.
            all_said = all_said => return match all_said {
                Err(_) => Some(Stopped::Unrecorded),
                Ok(_) => self.routed.is_unrecorded().then_some(Stopped::Signal(Caught::UNRECORDED)),
            },
            caught = self.signals.next() => Stopped::Signal(caught),
        };
        self.stop(caught, at_work).await;
        Some(caught)
    }

    async fn happens(&mut self, at_work: &mut AtWork, other: impl Future<Output = ()>) -> Happened {
        let is_stopped = at_work.stopped.is_some();
        let deadline = at_work.parts.iter().filter(|part| part.stopped.is_none());
        let deadline = deadline.filter_map(|part| part.deadline(self.job)).min();
        let closed = self.voice.printer().stdout_closed();
        let closed = pin!(closed);
        tokio::select! {
            // We hold one end ourselves, so there is always news to come.
            Some((number, news)) = at_work.news.recv() => Happened::Heard(number, news),
            caught = self.signals.next() => Happened::Stops(Stopped::Signal(caught)),
            wish = self.wishes.recv() => match wish {
                Some(Wish::Out) => Happened::Stops(Stopped::Signal(Caught::INTERRUPT)),
                Some(Wish::Gone) => Happened::Stops(Stopped::HungUp),
                Some(Wish::Finish) => Happened::Finish,
                Some(Wish::End(path)) => Happened::EndsOne(path),
                Some(Wish::Line(_)) | None => Happened::Nothing,
            },
            () = at(deadline), if !is_stopped => Happened::TimeIsOver,
            role = parent_lost(&mut self.upward), if !is_stopped => {
                self.upward = None;
                match role {
                    Role::Run => Happened::Stops(Stopped::ParentLost),
                    Role::Serve => Happened::GoesOnAlone,
                }
            }
            () = closed, if !is_stopped => Happened::Stops(Stopped::OutputClosed),
            _ = &mut self.routed.gone => Happened::Stops(Stopped::RouterLost),
            () = other, if !is_stopped => Happened::Else,
        }
    }

    /// An agent is gone: what it did not read it never will, as its end says.
    fn ended(&self, part: Part, left: Box<Left>) -> Came {
        part.scene.borrow_mut().ends(&self.voice, Instant::now());
        self.off_stage(&part);
        let stopped = part.stopped;
        Came::Ended(part, Played { stopped, left })
    }

    /// Nobody leads it any more.
    pub(super) fn off_stage(&self, part: &Part) {
        let (lines, kept) = self.cast.borrow_mut().leaves(&part.path);
        if let Some(screen) = self.screen() {
            screen.with(|screen| lines.into_iter().for_each(|number| screen.forget_line(number)));
        }
        kept.iter().for_each(|line| self.voice.warn(&format!("not sent: {}", line.text)));
    }

    /// The time of a run is that of each of its agents.
    fn time_is_over(&self, at_work: &mut AtWork) {
        let now = Instant::now();
        let is_over = |part: &&mut Part| part.deadline(self.job).is_some_and(|deadline| deadline <= now);
        for part in at_work.parts.iter_mut().filter(is_over) {
            self.ends(part, self.job.limits.is_over());
        }
    }

    /// One of them is to end.
    fn ends(&self, part: &mut Part, why: Stopped) {
        if let (Some(screen), true) = (self.screen(), self.job.is_alone()) {
            let row =
                Row::own(Style::DIM, "  ending the agent and all that it started; Ctrl-C does it at once");
            screen.with(|screen| screen.set_status(Some(Status::Says(row))));
        }
        part.stops(why);
    }

    /// The agent has said nothing for long: because it waits for a person, or because it is stuck.
    fn is_idle(&self, part: &mut Part) {
        let Some(idle) = self.job.limits.idle else { return };
        let asked = part.scene.borrow().asked_ago(Instant::now()).filter(|ago| *ago < idle);
        match (asked, &part.reins) {
            (Some(ago), Some(reins)) => reins.was_asked(ago),
            _ => self.ends(part, Stopped::Idle(idle)),
        }
    }

    /// The parent is gone, and this run does not belong to it: from now on nobody else tells what goes on.
    fn goes_on_alone(&mut self) {
        self.wanted.is_told_above = false;
        for scene in self.cast.borrow().scenes() {
            scene.borrow_mut().wanted.is_told_above = false;
        }
        self.voice.warn("the parent is gone: questions will be refused from now on");
    }

    pub(super) async fn note(&self, caught: Caught) {
        let signal = journal::Signal::of(Text::new(caught.name));
        // A router that is gone keeps no record any more.
        let _ = self.routed.router.send(Note(Event::Signal(signal))).await;
    }

    /// Ends those whom the person does not want any more, when that is on record.
    pub(super) async fn catch_up(&self, at_work: &mut AtWork) {
        for path in std::mem::take(&mut at_work.meanwhile.ends) {
            let Some(part) = at_work.parts.iter_mut().find(|part| part.path == path) else { continue };
            let steer = journal::Steer::of(Text::new(&part.wire), Steering::End);
            // A router that is gone keeps no record any more.
            let _ = self.routed.router.send(Note(Event::Steer(steer.into_owned()))).await;
            part.stops(Stopped::Elsewhere);
        }
    }

    /// All of them are to end. Whoever asks twice does not want to wait; anything else is only one more sign of the same.
    async fn stop(&self, why: Stopped, at_work: &mut AtWork) {
        let is_first = at_work.stopped.is_none();
        if let (Stopped::Signal(caught), true) = (why, is_first) {
            self.note(caught).await;
        }
        at_work.stopped = at_work.stopped.or(Some(why));
        if let (Some(screen), true) = (self.screen(), is_first) {
            let row = Row::own(Style::DIM, "  ending all that was started; Ctrl-C does it at once");
            screen.with(|screen| screen.set_status(Some(Status::Says(row))));
        }
        for part in &mut at_work.parts {
            match (part.stopped, why, &part.reins) {
                (None, ..) => self.ends(part, why),
                (Some(_), Stopped::Signal(_), Some(reins)) => reins.kills(),
                _ => {}
            }
        }
    }

    fn news(&self, number: usize, news: News, at_work: &mut AtWork) {
        let Some(part) = at_work.part(number) else { return };
        match news {
            News::Idle => self.is_idle(part),
            News::Mute(status) => self.ends(part, Stopped::mute(&status)),
            News::Overdue => {
                let who = part.name();
                self.voice.warn(&format!("{who} did not end its turn within 5 s, and is ended"));
            }
            News::TakenBack(uuid) => {
                let number = self.cast.borrow_mut().line_is_over(&uuid);
                if let (Some(screen), Some(number)) = (self.screen(), number) {
                    screen.with(|screen| screen.was_taken_back(number));
                }
            }
            News::NotTakenBack(_) => {
                if let Some(screen) = self.screen() {
                    screen.with(|screen| screen.object(None, "too late: it has been read"));
                }
            }
            News::Ended(_) => {}
        }
    }
}

/// Of an agent that never was.
fn nothing() -> Box<Left> {
    Box::new(Left {
        exit: Exit::StoppedByTim,
        stderr: String::new(),
        account: Account::default(),
        unread: Vec::new(),
    })
}

/// Until the person wants out. What else they want is remembered.
pub(super) async fn leaves(wishes: &mut mpsc::UnboundedReceiver<Wish>, meanwhile: &mut Meanwhile) {
    loop {
        match wishes.recv().await {
            Some(Wish::Line(_)) => {}
            Some(Wish::End(path)) => meanwhile.ends.push(path),
            Some(Wish::Finish) => meanwhile.is_finished = true,
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
