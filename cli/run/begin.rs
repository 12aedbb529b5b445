//! How the agent of a part is started, and what whoever watches is told of that. It may be over before it begins.

use std::pin::pin;
use std::time::Duration;

use actix::Addr;
use actors::agent::process::StartFailure;
use actors::agent::{Agent, Host, News, Plan, Reins, Room};
use actors::messages::Typed;
use tokio::sync::mpsc;
use tokio::time::Instant;
use uuid::Uuid;

use super::Backend;
use super::ending::Stopped;
use super::part::Part;
use super::probe::{self, Found};
use super::stage::Stage;
use super::watch::{AtWork, Played, Word, leaves};
use crate::args::OutputFormat;
use crate::backend;
use crate::exit::Code;
use crate::printer::Printer;
use crate::routed::Failed;
use crate::signals::Caught;

/// A process that takes longer to start may hang, and whoever wants to leave should not.
const STARTING: Duration = Duration::from_secs(5);

/// How an agent speaks to the run.
struct ToRun {
    number: usize,
    news: mpsc::UnboundedSender<(usize, Word)>,
    printer: Printer,
}

impl Host for ToRun {
    fn tell(&mut self, news: News) {
        // A run that is over needs no telling.
        let _ = self.news.send((self.number, Word::Says(news)));
    }

    fn room(&self) -> Room {
        if self.printer.has_room() {
            return None;
        }
        let printer = self.printer.clone();
        Some(Box::pin(async move { printer.room().await }))
    }
}

impl Drop for ToRun {
    fn drop(&mut self) {
        let _ = self.news.send((self.number, Word::Gone));
    }
}

impl Stage<'_> {
    /// Starts the agent of a part. It may be over before it begins.
    pub(super) async fn begin(
        &mut self,
        mut part: Part,
        prompt: Option<Typed>,
        resume: Option<&str>,
        at_work: &mut AtWork,
    ) -> Result<Option<(Part, Played)>, Failed> {
        self.hears(&part, self.job.people.reads_lines);
        self.show_status(&part);
        let found = tokio::select! {
            found = probe::look(&self.job.backend, self.environment) => found,
            caught = self.signals.next() => return Ok(Some(self.caught_early(part, caught).await)),
            () = leaves(&mut self.wishes, &mut at_work.meanwhile) => {
                return Ok(Some(self.caught_early(part, Caught::INTERRUPT).await));
            }
        };
        let has_prompt = prompt.is_some();
        let plan = self.plan(&part, found, prompt, resume)?;
        let host =
            ToRun { number: part.number, news: at_work.tell.clone(), printer: self.voice.printer().clone() };
        let agent = match self.start(plan, host).await {
            Ok(started) => started.map_err(|why| self.not_started(&why))?,
            Err(caught) => return Ok(Some(self.caught_early(part, caught).await)),
        };
        let reins = Reins::of(&agent);
        self.cast.borrow_mut().leads(&part.path, &reins);
        drop(agent);
        if at_work.meanwhile.is_finished {
            reins.ends_it();
        }
        self.greet(has_prompt);
        if let (Some(screen), true) = (self.screen(), self.job.is_alone()) {
            reins.has_text(screen.with(|screen| screen.has_text()));
        }
        part.reins = Some(reins);
        at_work.parts.push(part);
        self.catch_up(at_work).await;
        Ok(None)
    }

    /// Starts a process. A signal that comes meanwhile is for whoever watches the agent: it may run already, and must be
    /// ended and waited for as any other. Only where starting takes long is nothing waited for; what there is of it then its
    /// guard ends.
    async fn start(&mut self, plan: Plan, host: ToRun) -> Result<Result<Addr<Agent>, StartFailure>, Caught> {
        let mut started = pin!(Agent::start(plan, self.routed.router.clone(), Box::new(host)));
        let caught = tokio::select! {
            started = &mut started => return Ok(started),
            caught = self.signals.next() => caught,
        };
        let started = tokio::time::timeout(STARTING, started).await.map_err(|_| caught)?;
        self.signals.give_back(caught);
        Ok(started)
    }

    fn plan(
        &self,
        part: &Part,
        found: Found<'_>,
        prompt: Option<Typed>,
        resume: Option<&str>,
    ) -> Result<Plan, Failed> {
        let spawn = self.spawn(part, found, resume)?;
        let words = std::iter::once(&spawn.program).chain(&spawn.arguments);
        Ok(Plan {
            argv: self.environment.secrets.mask_all(words),
            spawn,
            wire: part.wire.clone(),
            path: part.path.to_string(),
            prompt,
            // Where nobody can say more, nobody could say that this was all.
            keep_open: self.job.keep_open && self.has_words(),
            has_line: self.screen().is_some() && self.job.people.reads_lines,
            idle: self.job.limits.idle,
            line_limit: self.run.limits.agent_line,
            language: self.job.language(),
            kin: self.kin.clone(),
        })
    }

    /// What an agent is told first, which stands above all that it does.
    pub(super) fn begins_with(&self, part: &Part, text: String) -> Typed {
        if let Some(screen) = self.screen() {
            let to = part.scene.borrow().badge.as_ref().map(|badge| badge.name.clone());
            screen.with(|screen| screen.began_with(&text, to.as_deref()));
        }
        let (to, input_id) = (Some(part.path.clone()), Some(Uuid::new_v4().to_string()));
        Typed { text, to, input_id, is_prompt: true, ..Typed::default() }
    }

    /// Why there is no agent, and what to do.
    fn not_started(&self, why: &StartFailure) -> Failed {
        let code = Code::of_program(why.exit_code());
        let known = match (&self.job.backend, why) {
            (Backend::Stream(_), StartFailure::NotFound(_)) => backend::known(&self.job.config).join(", "),
            (Backend::Claude { .. }, StartFailure::NotFound(name)) => return (no_claude(name), code),
            _ => String::new(),
        };
        let names = if known.is_empty() { known } else { format!(" (in the configuration: {known})") };
        (format!("{why}{names}"), code)
    }

    fn show_status(&self, part: &Part) {
        if let (Some(screen), None) = (self.screen(), &part.scene.borrow().badge) {
            let status = part.scene.borrow().status();
            screen.with(|screen| screen.set_status(Some(status)));
        }
        part.scene.borrow().show_member(&self.voice);
    }

    /// What whoever watches must know when it begins.
    fn greet(&self, has_prompt: bool) {
        if self.job.is_alone() {
            self.warn_deserted();
        }
        if self.job.keep_open && has_prompt && !self.has_words() {
            self.voice
                .warn("-k needs a terminal where lines can be typed: this run ends when its work is done");
        }
        if self.desks.is_in_lines() && !has_prompt {
            self.voice.warn("say what to do; Ctrl-D ends");
        }
    }

    /// That nobody can be asked, for whoever watches: once.
    pub(super) fn warn_deserted(&self) {
        if self.is_deserted && self.job.format == OutputFormat::Text {
            self.voice.warn("nobody can answer here, so questions are refused (tim run --help)");
        }
    }

    /// Whether somebody could say more than the prompt, and that it was all.
    fn has_words(&self) -> bool {
        self.screen().is_some() || self.desks.is_in_lines()
    }

    /// Somebody is there who hears the line, or will be in a moment; or no longer.
    pub(super) fn hears(&self, part: &Part, hears: bool) {
        if let Some(screen) = self.screen() {
            screen.with(|screen| screen.hears(part.path.clone(), hears));
        }
    }

    /// There is no agent yet.
    pub(super) async fn caught_early(&self, part: Part, caught: Caught) -> (Part, Played) {
        self.note(caught).await;
        self.stopped_before(part, Stopped::Signal(caught))
    }

    /// The same for any other reason.
    pub(super) fn stopped_before(&self, part: Part, why: Stopped) -> (Part, Played) {
        self.hears(&part, false);
        part.scene.borrow_mut().ends(&self.voice, Instant::now());
        (part, Played::never(why))
    }
}

/// There is no Claude Code where it was looked for.
fn no_claude(name: &str) -> String {
    format!(
        "`{name}` is not found: install Claude Code, or say where it is (--claude PATH, TIM_CLAUDE); `tim demo` works \
         without it"
    )
}
