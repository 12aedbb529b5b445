//! A job, carried out: what comes up in which order, the agent, and how everything goes down again.
//!
//! Signals are caught first; whoever answers is seated before the agent starts; at the end the questions end, then the
//! record, then the connections; then the terminal is given back, and only then is printed what the run came to.

use std::cell::RefCell;
use std::io::IsTerminal as _;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use actors::agent::{Kin, Language};
use actors::control::Control;
use actors::gate::Gate;
use actors::messages::ShutDown;
use actors::router::{OpenLimits, RunInfo};
use actors::tunnel::{Bounds, Listener, Parent, Relay, relay_to};
use codec::limits::Limits;
use codec::tunnel::Role;
use tokio::sync::mpsc;

use super::cast::Cast;
use super::leader::{Leader, Wish};
use super::output::Output;
use super::part::Part;
use super::scene::Wanted;
use super::steered::Steered;
use super::waiting::Waiting;
use super::{Backend, Job, consent, ending, played};
use crate::args::OutputFormat;
use crate::clock::{random_hex, unix_ms};
use crate::desks::{Desks, Upward};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::folder::Presence;
use crate::keeping::Keeping;
use crate::printer::Printer;
use crate::routed::{self, Failed, PATIENCE, Routed};
use crate::signals::Signals;
use crate::term::handle::Handle;
use crate::terminal::{At, Use};
use crate::trust::Folder;
use crate::voice::Voice;
use crate::{control, rules, terminal, upward};

/// A run that goes on.
pub(super) struct Stage<'a> {
    pub(super) job: &'a Job,
    pub(super) environment: &'a Environment,
    pub(super) run: RunInfo,
    pub(super) routed: Routed,
    pub(super) upward: Option<Upward>,
    pub(super) voice: Voice,
    pub(super) cast: Rc<RefCell<Cast>>,
    pub(super) keeping: Rc<Keeping>,
    pub(super) wanted: Wanted,
    pub(super) leader: Leader,
    pub(super) wishes: mpsc::UnboundedReceiver<Wish>,
    pub(super) signals: Signals,
    pub(super) listener: Listener,
    pub(super) control: Option<Control>,
    pub(super) desks: Desks,
    /// nobody can be asked
    pub(super) is_deserted: bool,
    /// the first agent, before it is there
    pub(super) first: Option<Part>,
    /// whom our agents started
    pub(super) kin: Kin,
    /// the way up for what they do
    pub(super) relay: Option<Relay>,
    /// that we are in our folder
    pub(super) presence: Option<Presence>,
    /// the folder as it is trusted in this run
    pub(super) trusted: Option<Folder>,
}

/// What is left to say of a run that is over.
pub(super) struct Over {
    /// for stdout, when the terminal is given back
    pub(super) text: Option<String>,
    pub(super) code: Code,
    /// somebody or some limit ended it, and it must not last much longer
    pub(super) was_stopped: bool,
}

/// Whoever reads nothing for so long after a run was stopped does not read.
const UNREAD: Duration = Duration::from_secs(1);

/// Runs the job.
pub(super) async fn run(job: &Job, environment: &Environment) -> Result<Code, Failed> {
    let internal = |error: std::io::Error| (format!("cannot start: {error}"), exit::INTERNAL);
    let mut signals = Signals::catch().map_err(internal)?;
    let mut parent = tokio::select! {
        parent = parent(job, environment) => parent,
        caught = signals.next() => return Ok(caught.code()),
    };
    tokio::select! {
        agreed = consent::agreed(job, parent.as_mut()) => agreed?,
        caught = signals.next() => return Ok(caught.code()),
    }
    let at = if job.people.uses_terminal && parent.is_none() { open_terminal(environment) } else { None };
    is_possible(job, parent.as_ref(), at.as_ref())?;
    let stage = set(job, environment, parent, at, signals).await?;
    stage.play().await
}

async fn parent(job: &Job, environment: &Environment) -> Option<Parent> {
    if job.people.is_unattended { None } else { upward::parent(environment, &job.label).await }
}

/// The terminal, if a person sits there: some other program may have left us one that nobody looks at.
fn open_terminal(environment: &Environment) -> Option<At> {
    let is_seen =
        std::io::stdin().is_terminal() || std::io::stdout().is_terminal() || std::io::stderr().is_terminal();
    if is_seen { At::open(environment) } else { None }
}

/// Whether there is somebody who could say what is missing.
fn is_possible(job: &Job, parent: Option<&Parent>, at: Option<&At>) -> Result<(), Failed> {
    let has_desk = |parent: &Parent| parent.welcome.as_ref().is_none_or(|welcome| welcome.desk);
    if job.people.requires_human && at.is_none() && !parent.is_some_and(has_desk) {
        let why = "--require-human: there is no terminal here, and no tim above this one that has one; start it at a \
                   terminal, or leave the flag out";
        return Err((why.to_owned(), exit::UNDECIDED));
    }
    if job.awaits_words() && (at.is_none() || !job.people.reads_lines) {
        let why = "there is nothing to do: say it (tim run 'fix the test'), or - to read it from stdin";
        return Err((why.to_owned(), exit::USAGE));
    }
    Ok(())
}

/// What whoever watches sees and hears, and of whom.
struct Front {
    screen: Option<Handle>,
    voice: Voice,
    run: RunInfo,
    wanted: Wanted,
    relay: Option<Relay>,
    first: Part,
    cast: Rc<RefCell<Cast>>,
    keeping: Rc<Keeping>,
    /// nobody is there, and the demo plays the person's part
    is_played: bool,
}

fn front(
    job: &Job,
    environment: &Environment,
    parent: Option<&Parent>,
    at: Option<&At>,
) -> Result<Front, Failed> {
    let internal = |error: std::io::Error| (format!("cannot start: {error}"), exit::INTERNAL);
    let (screen, lines) = match at {
        Some(At::Screen(device)) => {
            let use_ = usage(job);
            (Some(terminal::screen(device, environment, &job.config.attention, use_)), None)
        }
        Some(At::Lines(tty)) => (None, tty.write.try_clone().ok()),
        None => (None, None),
    };
    let is_in_lines = matches!(at, Some(At::Lines(_)));
    let is_played = played::is_played(job, parent, at);
    let voice = Voice::new(Printer::start(lines).map_err(internal)?, screen.as_ref());
    let gate = played::gate(job, environment, &voice);
    let run = run_info(job, parent, gate);
    let wanted =
        Wanted { is_told_above: parent.is_some(), ..wanted(job, is_in_lines || is_played, screen.is_some()) };
    let relay = parent.map(relay_to);
    let first = Part::new(job, environment, &run, wanted, relay.as_ref(), 0);
    let cast = Rc::new(RefCell::new(Cast::default()));
    cast.borrow_mut().enters(&first);
    let keeping = Keeping::new(job.saves_rules().then_some(environment), std::env::current_dir().ok());
    Ok(Front { screen, voice, run, wanted, relay, first, cast, keeping: Rc::new(keeping), is_played })
}

/// Brings everything up but the agents.
async fn set<'a>(
    job: &'a Job,
    environment: &'a Environment,
    parent: Option<Parent>,
    at: Option<At>,
    mut signals: Signals,
) -> Result<Stage<'a>, Failed> {
    let Front { screen, voice, run, wanted, relay, first, cast, keeping, is_played } =
        front(job, environment, parent.as_ref(), at.as_ref())?;
    let socket = routed::socket(None, environment).await.map_err(|error| (error.to_string(), exit::USAGE))?;
    let told = (Rc::clone(&cast), Rc::clone(&keeping));
    let mut outlet = Box::new(Output::new(relay.clone(), voice.clone(), told, wanted, job.is_alone()));
    let is_unseen = job.people.waits && at.is_none() && parent.is_none();
    outlet.waiting =
        is_unseen.then(|| Waiting::new(voice.clone(), wanted, rules::place(environment), job.is_alone()));
    let mut routed = Routed::start(&run, (&job.config, environment), outlet, &voice)?;
    routed.is_on_file().await?;
    signals.hear_of_loss(routed.lost.take());
    let upward =
        parent.zip(relay.as_ref()).map(|(parent, relay)| Upward::attach(parent, relay, &run, &routed.router));
    let is_claude = !matches!(job.language(), Language::Events);
    let (leader, wishes) = Leader::new(Rc::clone(&cast), is_claude, job.is_alone());
    let sitter = leader.sitter(screen.clone());
    let mut desks =
        Desks::seat(upward.as_ref(), at.map(|at| (at, screen)), sitter, &job.config, &routed.router, &voice);
    // Whoever would have been asked there has agreed to it.
    desks.seat_agreed(upward.as_ref(), &job.config, &routed.router, &voice);
    if is_played {
        desks.player = played::seat(job, &first, &routed.router, &voice);
    }
    desks.are_seated(upward.as_ref()).await;
    let by = (&routed.router, Steered::of(&leader, &cast, &voice, job.is_alone()));
    let control = control::open(&socket.0, &run, by, job.people.waits, (environment, &voice)).await?;
    let (kin, router) = (Kin::default(), routed.router.clone());
    let listener = Listener::open(socket, run.path.clone(), kin.clone(), Bounds::standard(), router);
    Ok(Stage {
        job,
        environment,
        is_deserted: desks.is_empty() && upward.is_none() && !job.people.waits,
        run,
        routed,
        upward,
        voice,
        cast,
        keeping,
        wanted,
        leader,
        wishes,
        signals,
        listener,
        control,
        desks,
        first: Some(first),
        kin,
        relay,
        presence: None,
        trusted: None,
    })
}

/// What the screen of a run is for.
fn usage(job: &Job) -> Use {
    Use {
        has_line: job.people.reads_lines,
        tells_read: job.people.reads_lines,
        keeps_rules: true,
        saves_rules: job.saves_rules(),
        has_folder: true,
        ends: "Ctrl-C again within 2 s ends the run",
    }
}

fn run_info(job: &Job, parent: Option<&Parent>, gate: Gate) -> RunInfo {
    let ms = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    RunInfo {
        id: random_hex(8).into(),
        seed: random_hex(32),
        began_unix_ms: unix_ms(),
        open: OpenLimits::default(),
        limits: Limits::STANDARD,
        publishes: true,
        path: parent.and_then(|parent| parent.welcome.as_ref()).map(|welcome| welcome.path.clone()),
        role: Role::Run,
        gate: Arc::new(gate),
        permission_timeout_ms: job.limits.permission.map(ms),
        question_timeout_ms: job.limits.question.map(ms),
        is_bridged: job.asks_by().is_some(),
        allow_on_timeout: job.limits.allow_on_timeout,
    }
}

/// What is told, and where: at a terminal without a screen one row after the other.
fn wanted(job: &Job, in_rows: bool, on_screen: bool) -> Wanted {
    let is_seen = std::io::stdout().is_terminal() || matches!(job.backend, Backend::Demo { .. });
    let tells_on_stdout = in_rows && is_seen && !job.print;
    Wanted { print: job.print, format: job.format, tells_on_stdout, on_screen, is_told_above: false }
}

impl Stage<'_> {
    /// The screen, while somebody draws it.
    pub(super) fn screen(&self) -> Option<&Handle> {
        self.voice.terminal()
    }

    /// Runs the agent, or all of them.
    async fn perform(&mut self) -> Result<Over, Failed> {
        let first = self.first.take();
        let first = first.unwrap_or_else(|| self.enters(0));
        if let Some(stopped) = self.enters_folder(&first).await? {
            let (part, played) = self.stopped_before(first, stopped);
            return Ok(self.over(&part, played));
        }
        if self.job.is_alone() { self.alone(first).await } else { Ok(self.several(first).await) }
    }

    /// Plays it. Where the record is required no other end counts than that it was lost.
    async fn play(self) -> Result<Code, Failed> {
        let unrecorded = self.routed.unrecorded.clone();
        let played = self.play_out().await;
        match played {
            played if !unrecorded.get() => played,
            Ok(_) => Ok(exit::UNWRITTEN),
            Err((why, _)) => Err((why, exit::UNWRITTEN)),
        }
    }

    async fn play_out(mut self) -> Result<Code, Failed> {
        let played = self.perform().await;
        let Over { text, code, was_stopped } = match played {
            Ok(ended) => ended,
            Err(failed) => {
                let is_json = self.job.format != OutputFormat::Text;
                let object = is_json.then(|| ending::not_begun(&self.run.id, &failed));
                let (voice, _) = self.go_down(failed.1).await;
                object.into_iter().for_each(|object| voice.printer().print_data(object + "\n"));
                voice.printer().finish(PATIENCE);
                return Err(failed);
            }
        };
        let (voice, mut signals) = self.go_down(code).await;
        if let Some(text) = text {
            voice.printer().print_data(text);
        }
        let patience = was_stopped.then_some(UNREAD);
        tokio::select! {
            () = voice.printer().all_printed(patience) => {}
            caught = signals.next() => return Ok(caught.code()),
        }
        match voice.printer().stdout_failure() {
            Some(error) if code == exit::SUCCESS || code == exit::OUTPUT_CLOSED => {
                Ok(crate::output_failed(&error))
            }
            _ => Ok(code),
        }
    }

    /// Ends the questions, then the record, then the connections, and gives the terminal back.
    async fn go_down(self, code: Code) -> (Voice, Signals) {
        for text in self.cast.borrow_mut().undelivered() {
            self.voice.warn(&format!("not sent: {text}"));
        }
        // A router that is gone has ended all of its own.
        let _ = self.routed.router.send(ShutDown { patience: PATIENCE, code: Some(code.number()) }).await;
        self.keeping.settle().await;
        drop(self.control);
        routed::hang_up(self.upward, self.listener).await;
        self.desks.close().await;
        (self.voice, self.signals)
    }
}
