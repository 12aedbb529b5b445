//! The actor of one agent: its process behind the guard, its pipes, its place with the router.
//!
//! Owns the pipes, the timers and the process; what they mean is decided in [`Session`]. Every line of the agent is heard
//! here first and by the router next (`reading`), and no more is read before the router has it, and whoever shows it has
//! room. Every line for the agent comes from the router, so it is on record. Ends when the process and all that it started
//! are gone, and what it printed was read, but for what stands behind a question that nobody waits for any more; then it
//! says what the run came to.

mod handlers;
mod ports;
mod reading;
mod timing;

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use actix::prelude::*;
use codec::frame::{Lines as Cut, Tail};
use codec::id::Path;
use codec::journal::{self, Event as Recorded, Steering};
use codec::json::Text;
use codec::tunnel::ReceiptState;
use tokio::process::{ChildStderr, ChildStdout};
use tokio::sync::mpsc;

use crate::messages::{Attach, Note, Receipt, Steer};
use crate::ports::{Clock as _, RuntimeClock};
use crate::post::post_to;
use crate::router::{AskerId, AskerInfo, Attached, Router};
use crate::tunnel::{Incoming, Pool};

pub use handlers::Reins;
use handlers::Written;
pub use ports::{Ending, Host, News, Plan, Room};

use super::kin::Kinship;
use super::process::{Ended, Guarded, Running, StartFailure};
use super::session::{Effect, Session};
use super::stdin::Event;
use super::tail::Tail as LastWords;
use super::verdict::Exit;
use super::writer::Writer;

/// What an agent printed is read so much longer than it lives: something that it left behind may hold the pipe.
const LAST_LINES: Duration = Duration::from_secs(1);

/// How a process is told to end.
#[derive(Debug, Clone, Copy)]
enum Order {
    Terminate,
    Kill,
}

/// The actor.
pub struct Agent {
    router: Addr<Router>,
    host: Box<dyn Host>,
    plan: Plan,
    /// until the router knows it
    running: Option<Running>,
    attached: Option<Attached>,
    session: Session,
    /// the name of what it was told first
    began_with: Option<String>,
    writer: Rc<Writer>,
    orders: mpsc::UnboundedSender<Order>,
    last_words: Rc<RefCell<LastWords>>,
    clock: RuntimeClock,
    closed_ms: Option<u64>,
    is_stopped: bool,
    is_idle_told: bool,
    timer: Option<(u64, SpawnHandle)>,
    /// how it ended, when all that it started is gone
    ended: Option<Ended>,
    has_said_all: bool,
    /// its stderr was read to the end
    has_complained: bool,
    /// its process is gone; what it started may live on
    has_exited: bool,
    /// no read is pending: whoever shows what it says has no room
    is_held_back: Rc<Cell<bool>>,
    /// its stdout while nothing is read: it said too much behind a question by which it paused itself
    resting: Option<Incoming<ChildStdout>>,
    /// its stdout ended, and not all of what it said is taken
    is_said_behind: bool,
    /// what it said behind a question is being handed on
    is_catching_up: bool,
    /// whoever it starts is called by its name
    _kinship: Option<Kinship>,
}

impl Agent {
    /// Starts an agent.
    ///
    /// # Errors
    /// Says why it cannot be started, and what to do.
    pub async fn start(
        plan: Plan,
        router: Addr<Router>,
        host: Box<dyn Host>,
    ) -> Result<Addr<Self>, StartFailure> {
        let mut kinship = None;
        // Before there is an agent: the first thing that it does may be to start somebody who asks.
        let knows = |guard| kinship = Path::new(&plan.path).map(|path| plan.kin.know(guard, path));
        let running = plan.spawn.start_known(knows).await?;
        let prompt = plan.prompt.as_ref().and_then(|prompt| prompt.input_id.clone());
        let (orders, taken) = mpsc::unbounded_channel();
        let agent = Self {
            router,
            host,
            began_with: prompt.clone(),
            session: Session::new(plan.language, prompt, plan.keep_open),
            plan,
            running: Some(running),
            attached: None,
            writer: Rc::default(),
            orders,
            last_words: Rc::default(),
            clock: RuntimeClock::start(),
            closed_ms: None,
            is_stopped: false,
            is_idle_told: false,
            timer: None,
            ended: None,
            has_said_all: false,
            has_complained: false,
            has_exited: false,
            is_held_back: Rc::default(),
            resting: None,
            is_said_behind: false,
            is_catching_up: false,
            _kinship: kinship,
        };
        Ok(Self::create(|ctx| {
            agent.attach(taken, ctx);
            agent
        }))
    }

    /// Takes a place with the router, and begins when it is there.
    fn attach(&self, orders: mpsc::UnboundedReceiver<Order>, ctx: &mut Context<Self>) {
        let pid = self.running.as_ref().map(|running| u64::from(running.process.agent_pid()));
        let (wire, path) = (self.plan.wire.clone(), Some(self.plan.path.clone()));
        let asker = AskerInfo { wire, dialect: self.plan.language.dialect(), path, pid, below: None };
        let attach = Attach { asker, lines: ctx.address().recipient() };
        let attached = self.router.send(attach).into_actor(self);
        ctx.wait(attached.map(|attached, agent, ctx| match attached {
            Ok(attached) => agent.begin(attached, orders, ctx),
            // Without a router the run is over, and the process ends with its guard.
            Err(_) => ctx.stop(),
        }));
    }

    fn begin(&mut self, attached: Attached, orders: mpsc::UnboundedReceiver<Order>, ctx: &mut Context<Self>) {
        let Some(Running { stdin, stdout, stderr, process }) = self.running.take() else { return };
        let pid = Some(u64::from(process.agent_pid()));
        let argv = Some(self.plan.argv.iter().map(|word| Text::new(word)).collect());
        let flags = flags(&self.plan.argv);
        tracing::info!(wire = self.plan.wire, agent_pid = pid, flags, "an agent was started");
        let spawned = journal::Spawn { argv, pid, ..journal::Spawn::of(Text::new(&self.plan.wire)) };
        let _ = post_to(&self.router, Note(Recorded::Spawn(spawned)));
        self.attached = Some(attached);
        self.watch(process, orders, ctx);
        self.listen(stderr, ctx);
        let cut = Cut::new(self.plan.line_limit, Tail::Deliver);
        self.read_on(Incoming::over(stdout, cut, Rc::new(Pool::default())), ctx);
        let (writer, me) = (Rc::clone(&self.writer), ctx.address());
        let writing = async move {
            // An agent that is gone needs to hear of no line.
            writer.write_to(stdin, |line| _ = post_to(&me, Written(line))).await
        };
        ctx.spawn(writing.into_actor(self).map(|written, agent, ctx| {
            if written.is_err() {
                agent.happened(Event::WriteFailed, ctx);
                agent.were_never_told(ctx);
            }
        }));
        if let Some(prompt) = self.plan.prompt.take() {
            let _ = post_to(&self.router, prompt);
        }
        self.arm(ctx);
    }

    /// Waits for the end of the process, and passes on what it is told meanwhile.
    fn watch(
        &self,
        mut process: Guarded,
        mut orders: mpsc::UnboundedReceiver<Order>,
        ctx: &mut Context<Self>,
    ) {
        let watching = async move {
            let ended = until(&mut process, &mut orders, Until::Ended).await;
            (process, orders, ended)
        };
        ctx.spawn(watching.into_actor(self).map(|(process, orders, ended), agent, ctx| {
            agent.exited(ended, ctx);
            agent.watch_the_rest(process, orders, ctx);
        }));
    }

    /// Its process ended; what it started may live on for a moment.
    fn exited(&mut self, ended: Ended, ctx: &mut Context<Self>) {
        tracing::info!(wire = self.plan.wire, ?ended, "an agent exited");
        let mut exit = journal::Exit::of(Text::new(&self.plan.wire));
        match ended {
            Ended::Code(code) => exit.code = u64::try_from(code).ok(),
            Ended::Signal(signal) => exit.signal = u64::try_from(signal).ok(),
            Ended::Unknown => {}
        }
        let _ = post_to(&self.router, Note(Recorded::Exit(exit)));
        self.has_exited = true;
        self.happened(Event::ChildExited, ctx);
    }

    /// Waits for the end of all that it started.
    fn watch_the_rest(
        &self,
        mut process: Guarded,
        mut orders: mpsc::UnboundedReceiver<Order>,
        ctx: &mut Context<Self>,
    ) {
        let watching = async move { until(&mut process, &mut orders, Until::Gone).await };
        ctx.spawn(watching.into_actor(self).map(|ended, agent, ctx| {
            tracing::info!(wire = agent.plan.wire, "all that an agent started is gone");
            agent.ended = Some(ended);
            agent.leaves_question();
            agent.finish_if_over(ctx);
            agent.await_last_lines(ctx);
        }));
    }

    /// What it printed is read to the end; if that does not come, until nothing comes for a while. A reader of ours that is
    /// slow loses nothing, unless the run was stopped.
    fn await_last_lines(&mut self, ctx: &mut Context<Self>) {
        ctx.run_later(LAST_LINES, |agent, ctx| {
            // It may have asked since with what was left in its pipe.
            agent.leaves_question();
            let is_heard =
                agent.clock.now() < agent.session.heard_ms().saturating_add(timing::ms(LAST_LINES));
            if is_heard || agent.is_held_back.get() && !agent.is_stopped {
                return agent.await_last_lines(ctx);
            }
            (agent.has_said_all, agent.has_complained) = (true, true);
            agent.finish_if_over(ctx);
        });
    }

    /// Reads stderr, of which only the end is kept.
    fn listen(&self, stderr: ChildStderr, ctx: &mut Context<Self>) {
        let words = Rc::clone(&self.last_words);
        let listening = async move { LastWords::read(&words, stderr).await };
        ctx.spawn(listening.into_actor(self).map(|(), agent, ctx| {
            agent.has_complained = true;
            agent.finish_if_over(ctx);
        }));
    }

    fn happened(&mut self, event: Event, ctx: &mut Context<Self>) {
        let effects = self.session.happened(event, self.clock.now());
        self.carry_out(effects, ctx);
    }

    fn carry_out(&mut self, effects: Vec<Effect>, ctx: &mut Context<Self>) {
        effects.into_iter().for_each(|effect| self.follows(effect));
        self.arm(ctx);
    }

    fn follows(&mut self, effect: Effect) {
        match effect {
            Effect::Close => {
                tracing::debug!(
                    wire = self.plan.wire,
                    "nothing more is said to an agent: its stdin is closed"
                );
                self.closed_ms = Some(self.clock.now());
                self.writer.close();
            }
            Effect::Read(uuid) => self.receipt(uuid, ReceiptState::Seen),
            Effect::TakenBack(uuid) => self.host.tell(News::TakenBack(uuid)),
            Effect::NotTakenBack(uuid) => self.host.tell(News::NotTakenBack(uuid)),
            Effect::Mute(status) => self.host.tell(News::Mute(status)),
            Effect::Interrupt => self.steer(Steering::Interrupt, None),
            Effect::Stop => {
                self.host.tell(News::Overdue);
                self.stop();
            }
        }
    }

    /// What became of a typed line. Of what it began with nobody above knows.
    fn receipt(&self, input_id: String, state: ReceiptState) {
        if let (Some(asker), true) = (self.asker(), self.began_with.as_ref() != Some(&input_id)) {
            let _ = post_to(&self.router, Receipt { asker, input_id, state });
        }
    }

    fn steer(&self, what: Steering, input_id: Option<String>) {
        if let Some(asker) = self.asker() {
            let _ = post_to(&self.router, Steer { asker, what, input_id });
        }
    }

    fn asker(&self) -> Option<AskerId> {
        self.attached.as_ref().map(Attached::id)
    }

    /// Ends the process and all that it started, politely first.
    fn stop(&mut self) {
        tracing::info!(wire = self.plan.wire, "an agent is to end, with all that it started");
        self.is_stopped = true;
        // A process that is gone already needs no telling.
        let _ = self.orders.send(Order::Terminate);
    }

    fn finish_if_over(&mut self, ctx: &mut Context<Self>) {
        let (Some(ended), true, true) = (self.ended, self.has_said_all, self.has_complained) else { return };
        let Some(attached) = self.attached.take() else { return };
        attached.leave("exited");
        let (account, unread) = std::mem::take(&mut self.session).end();
        let stderr = self.last_words.borrow().text();
        let exit = match ended {
            _ if self.is_stopped => Exit::StoppedByTim,
            Ended::Code(code) => Exit::Code(code),
            Ended::Signal(signal) => Exit::Signal(signal),
            Ended::Unknown => Exit::Unknown,
        };
        self.host.tell(News::Ended(Box::new(Ending { exit, stderr, account, unread })));
        ctx.stop();
    }
}

enum Until {
    Ended,
    Gone,
}

/// Waits for the end of a process, or also of all that it started; it hears what it is told meanwhile.
async fn until(process: &mut Guarded, orders: &mut mpsc::UnboundedReceiver<Order>, until: Until) -> Ended {
    loop {
        let order = {
            let over = async {
                match until {
                    Until::Ended => process.wait().await,
                    Until::Gone => process.gone().await,
                }
            };
            tokio::select! {
                ended = over => return ended,
                order = orders.recv() => order,
            }
        };
        match order {
            Some(Order::Terminate) => process.terminate(),
            Some(Order::Kill) | None => process.kill(),
        }
    }
}

impl Actor for Agent {
    type Context = Context<Self>;
}

/// How an agent was started, for the log: the program and the names of its flags. What they say may be anything.
fn flags(argv: &[String]) -> String {
    let program = argv.first().map(String::as_str).unwrap_or_default();
    let named = argv.iter().skip(1).filter(|word| word.starts_with('-'));
    let names = named.map(|word| word.split('=').next().unwrap_or_default());
    let short = |name: &&str| {
        name.len() <= 40 && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    };
    std::iter::once(program).chain(names.filter(short)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    #[test]
    fn of_how_an_agent_was_started_only_the_names_of_flags_are_logged() {
        let argv =
            ["claude", "-p", "--mcp-config", "{\"TOKEN\":\"s3\"}", "--model=x", "-- s3", "-", "--a{s3"];
        assert_eq!(super::flags(&argv.map(str::to_owned)), "claude -p --mcp-config --model -");
    }
}
