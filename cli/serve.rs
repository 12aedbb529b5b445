//! `tim serve`: the router as a service.
//!
//! Owns the order in which things come up and go down: signals first, the socket last; and at the end the questions, then
//! the record, then the connections. Decides nothing about a question.

mod output;

use std::io::IsTerminal as _;
use std::path::Path;
use std::rc::Rc;
use std::sync::Arc;

use actix::System;
use actors::agent::Kin;
use actors::control::Control;
use actors::gate::Gate;
use actors::gate::rules::RuleSet;
use actors::messages::{Note, ShutDown};
use actors::ports::{Agents, NoAgents};
use actors::router::{OpenLimits, RunInfo};
use actors::tunnel::{Bounds, Listener, Parent, SocketFile, relay_to};
use codec::journal::{self, Event};
use codec::json::{Json, Text, Written as _};
use codec::limits::Limits;
use codec::tunnel::Role;
use tokio::sync::oneshot;

use crate::above::Above;
use crate::args::{OutputFormat, ServeArgs};
use crate::clock::{random_hex, unix_ms};
use crate::config::{self, Config, Flags};
use crate::desks::{Desks, Sitter, Upward, parent_lost};
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::keeping::Keeping;
use crate::printer::{Place, Printer};
use crate::routed::{self, Failed, PATIENCE, Routed};
use crate::rules::{self, Below};
use crate::signals::{Caught, Signals};
use crate::term::handle::Handle;
use crate::term::screen::Act;
use crate::terminal::{At, Does, Use};
use crate::voice::Voice;
use crate::{control, terminal, upward};
use output::{Output, Wanted};

/// Runs the command.
pub(crate) fn run(args: &ServeArgs, environment: &Environment) -> Code {
    let flags = Flags {
        answer_command: args.answer_command.clone(),
        journal: args.journal.clone(),
        no_journal: args.no_journal,
        require_journal: args.require_journal,
    };
    let mut config = match config::load(environment, flags) {
        Ok(config) => config,
        Err(error) => return crate::complain(&error.to_string(), exit::USAGE),
    };
    config.warnings.iter().for_each(|warning| crate::warn(warning));
    let above = Above::look(environment);
    // An agent may have chosen it, also where nobody listens above.
    if let Some(command) = config.answer_command.take_if(|_| above.is_nested()) {
        crate::warn(&format!("the answer command of {} is not used below another tim", command.origin));
    }
    let rules = match rules::from_flags(&args.allow, &args.deny) {
        Ok(rules) => rules,
        Err(code) => return code,
    };
    routed::keep_memory_private();
    let served = System::new().block_on(serve(args, environment, (config, rules), &above));
    served.unwrap_or_else(|(why, code)| crate::complain(&why, code))
}

async fn serve(
    args: &ServeArgs,
    environment: &Environment,
    (config, rules): (Config, RuleSet),
    above: &Above,
) -> Result<Code, Failed> {
    let internal = |error: std::io::Error| (format!("cannot start: {error}"), exit::INTERNAL);
    let mut signals = Signals::catch().map_err(internal)?;
    let parent = tokio::select! {
        parent = upward::parent(environment, "serve") => parent,
        caught = signals.next() => return Ok(caught.code()),
    };
    // At a terminal that an agent made the agent would answer.
    let has_person = parent.is_none() && !above.is_agents() && std::io::stdin().is_terminal();
    let at = if has_person { At::open(environment) } else { None };
    let (screen, lines) = match &at {
        Some(At::Screen(device)) => {
            (Some(terminal::screen(device, environment, &config.attention, USE)), None)
        }
        Some(At::Lines(tty)) => (None, tty.write.try_clone().ok()),
        None => (None, None),
    };
    let printer = Printer::start(lines).map_err(internal)?;
    let voice = Voice::new(printer, screen.as_ref());
    let socket = routed::socket(args.socket.as_deref(), environment).await;
    let socket = socket.map_err(|error| (error.to_string(), exit::USAGE))?;
    // At a terminal the question itself says that it is there.
    let is_in_lines = matches!(at, Some(At::Lines(_))) && std::io::stdout().is_terminal();
    let below = if above.is_nested() { Below::Asked } else { Below::Nobody };
    let gate = rules::in_force(environment, &config.rules, &rules, below, |what| voice.warn(what));
    let is_silent = args.quiet || is_in_lines && args.output_format == OutputFormat::Text;
    // Rules are saved by what is published, also where nothing of it is printed.
    let run = run_info(parent.as_ref(), gate, is_silent && screen.is_none());
    let keeping = Rc::new(Keeping::new(Some(environment), None));
    let wanted = Wanted { quiet: args.quiet, format: args.output_format, tally: Rc::default(), keeping };
    let service = Service::start(run, (&config, environment), parent, voice, wanted).await?;
    let agents = (&service.routed.router, Rc::new(NoAgents) as Rc<dyn Agents>);
    let said = (environment, &service.voice);
    let control = control::open(&socket.0, &service.run, agents, args.wait, said).await?;
    service.serve(socket, (control, args.wait), at.map(|at| (at, screen)), &config, signals).await
}

/// What the one object at the end is called.
const SERVED: &str = "served";

/// What the screen of a service is for.
const USE: Use = Use {
    has_line: true,
    // What becomes of a line that goes through a socket is told to nobody yet.
    tells_read: false,
    ends: "Ctrl-C again within 2 s ends the service",
    // For agents that ask through it, and may work anywhere.
    keeps_rules: true,
    saves_rules: true,
    has_folder: false,
};

/// The person at the terminal of a service: their lines go to whoever listens, and they may want out.
fn sitter(out: oneshot::Sender<()>, voice: &Voice) -> Sitter {
    let (mut out, voice) = (Some(out), voice.clone());
    let does: Does = Box::new(move |act, fingers| match act {
        Act::Send { text, to, .. } => fingers.send(text, to, None),
        // Whoever listened for that is ending already.
        Act::End => drop(out.take().map(|out| out.send(()))),
        _ => {}
    });
    let gone = Box::new(move || voice.warn("the terminal is closed: nobody answers there any more"));
    Sitter { does, gone }
}

fn run_info(parent: Option<&Parent>, gate: Gate, quiet: bool) -> RunInfo {
    RunInfo {
        id: random_hex(8).into(),
        seed: random_hex(32),
        began_unix_ms: unix_ms(),
        open: OpenLimits::default(),
        limits: Limits::STANDARD,
        publishes: parent.is_none() && !quiet,
        path: parent.and_then(|parent| parent.welcome.as_ref()).map(|welcome| welcome.path.clone()),
        role: Role::Serve,
        gate: Arc::new(gate),
        permission_timeout_ms: None,
        question_timeout_ms: None,
        is_bridged: false,
        allow_on_timeout: false,
    }
}

/// The running service.
struct Service {
    run: RunInfo,
    routed: Routed,
    upward: Option<Upward>,
    voice: Voice,
    wanted: Wanted,
}

impl Service {
    async fn start(
        run: RunInfo,
        (config, environment): (&Config, &Environment),
        parent: Option<Parent>,
        voice: Voice,
        wanted: Wanted,
    ) -> Result<Self, Failed> {
        let relay = parent.as_ref().map(relay_to);
        let outlet = Box::new(Output::new(relay.clone(), voice.clone(), wanted.clone()));
        let routed = Routed::start(&run, (config, environment), outlet, &voice)?;
        routed.is_on_file().await?;
        let router = &routed.router;
        let upward = parent.zip(relay).map(|(parent, relay)| Upward::attach(parent, &relay, &run, router));
        Ok(Self { run, routed, upward, voice, wanted })
    }

    async fn serve(
        mut self,
        socket: (SocketFile, tokio::net::UnixListener),
        (control, waits): (Option<Control>, bool),
        at: Option<(At, Option<Handle>)>,
        config: &Config,
        mut signals: Signals,
    ) -> Result<Code, Failed> {
        // Before anybody can ask: a question that comes too early would be refused.
        let (out, wants_out) = oneshot::channel();
        let sitter = sitter(out, &self.voice);
        let desks = Desks::seat(self.upward.as_ref(), at, sitter, config, &self.routed.router, &self.voice);
        if desks.is_empty() && self.upward.is_none() && !waits {
            self.warn("no terminal, no parent and no answer command: every question will be refused");
        }
        desks.are_seated(self.upward.as_ref()).await;
        let listener = Listener::open(
            socket,
            self.run.path.clone(),
            Kin::default(),
            Bounds::standard(),
            self.routed.router.clone(),
        );
        self.begin(listener.path(), &desks);
        let wants_out = async {
            // A screen that is gone says nothing any more.
            if wants_out.await.is_err() {
                std::future::pending::<()>().await;
            }
        };
        signals.hear_of_loss(self.routed.lost.take());
        let code = self.wait(&mut signals, wants_out).await;
        if desks.is_in_lines() {
            // The shell's prompt begins a row of its own.
            self.voice.printer().print(Place::Terminal, "\n".to_owned());
        }
        let unrecorded = self.routed.unrecorded.clone();
        self.end(code, (listener, control), desks).await;
        Ok(if unrecorded.get() { exit::UNWRITTEN } else { code })
    }

    /// Says where it is, and that questions are asked here.
    fn begin(&self, path: &Path, desks: &Desks) {
        let socket = path.display().to_string();
        match (self.wanted.format, self.voice.screen()) {
            (OutputFormat::Text, None) => self.voice.print(&socket),
            (_, Some(screen)) => screen.with(|screen| output::greet(screen, path)),
            (OutputFormat::Json, None) => self.voice.warn(&format!("serving at {socket}")),
            (OutputFormat::StreamJson, None) => self.voice.print_json(&self.in_json("serving", &socket)),
        }
        if desks.is_in_lines() {
            self.voice.warn("questions are asked here; Ctrl-C ends the service");
        }
    }

    /// What a program is told of the service itself.
    fn in_json(&self, what: &str, socket: &str) -> String {
        let json = Json::object(|out| {
            out.member("type", |to| Text::new(what).write(to));
            out.member("run", |to| Text::new(&self.run.id).write(to));
            out.member("socket", |to| Text::new(socket).write(to));
            if what == SERVED {
                out.raw_member("\"questions\"", self.wanted.tally.borrow().to_json().raw());
            }
        });
        json.raw().to_owned()
    }

    /// Serves until something ends it.
    async fn wait(&mut self, signals: &mut Signals, wants_out: impl Future<Output = ()>) -> Code {
        tokio::pin!(wants_out);
        loop {
            let lost = parent_lost(&mut self.upward);
            tokio::select! {
                caught = signals.next() => return self.caught(caught).await,
                () = &mut wants_out => return self.caught(Caught::INTERRUPT).await,
                _ = &mut self.routed.gone => {
                    self.warn("the router failed; this is a bug");
                    return exit::INTERNAL;
                }
                role = lost => {
                    self.upward = None;
                    if role == Role::Run {
                        self.warn("the run that this belongs to is gone");
                        return exit::DISCONNECTED;
                    }
                    self.warn("the parent is gone: questions will be refused from now on");
                }
            }
        }
    }

    async fn caught(&self, caught: Caught) -> Code {
        let signal = journal::Signal::of(Text::new(caught.name));
        // A router that is gone keeps no record any more.
        let _ = self.routed.router.send(Note(Event::Signal(signal))).await;
        caught.code()
    }

    /// Ends the questions, then the record, then the connections, each with what is left to say.
    async fn end(mut self, code: Code, (listener, control): (Listener, Option<Control>), desks: Desks) {
        let socket = listener.path().display().to_string();
        // A router that is gone has ended all of its own.
        let _ = self.routed.router.send(ShutDown { patience: PATIENCE, code: Some(code.number()) }).await;
        self.wanted.keeping.settle().await;
        drop(control);
        routed::hang_up(self.upward.take(), listener).await;
        desks.close().await;
        if self.wanted.format == OutputFormat::Json {
            self.voice.print(&self.in_json(SERVED, &socket));
        }
        self.voice.printer().finish(PATIENCE / 2);
    }

    fn warn(&self, what: &str) {
        self.voice.warn(what);
    }
}
