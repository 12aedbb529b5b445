//! Who answers: the parent if there is one, else the terminal and the answer command.

use actix::{Actor as _, Addr};
use actors::answer_command::AnswerCommand;
use actors::hook::Hook;
use actors::messages::AreYouSeated;
use actors::router::{Router, RunInfo};
use actors::scripted::Scripted;
use actors::terminal::{HungUp, Terminal};
use actors::tunnel::{Parent, Relay, Uplink};
use codec::tunnel::Role;
use tokio::sync::oneshot;

use crate::config::Config;
use crate::environment::NOT_FOR_CHILDREN;
use crate::term::device::Device;
use crate::term::handle::Handle;
use crate::term::owner::Running;
use crate::terminal::{self, At, Does};
use crate::tty::{LineConsole, Tty};

use crate::voice::Voice;

/// The parent, and what tells that it is lost.
pub(crate) struct Upward {
    pub(crate) uplink: Addr<Uplink>,
    pub(crate) lost: oneshot::Receiver<()>,
    pub(crate) role: Role,
    /// whether somebody answers there, as it says
    pub(crate) has_desk: bool,
}

impl Upward {
    /// The parent takes its seat.
    pub(crate) fn attach(parent: Parent, relay: &Relay, run: &RunInfo, router: &Addr<Router>) -> Self {
        // One of the original is a run: when it goes, so do its children.
        let role = parent.welcome.as_ref().map_or(Role::Run, |welcome| welcome.role);
        let has_desk = parent.welcome.as_ref().is_none_or(|welcome| welcome.desk);
        let (uplink, lost) = Uplink::start_with(parent, relay, run.began_unix_ms, router.clone());
        Self { uplink, lost, role, has_desk }
    }
}

/// Which parent was lost; never, if there is none.
pub(crate) async fn parent_lost(upward: &mut Option<Upward>) -> Role {
    match upward {
        Some(Upward { lost, role, .. }) => {
            // The other end says nothing, it only goes.
            let _ = lost.await;
            *role
        }
        None => std::future::pending().await,
    }
}

/// Whoever answers beside a parent.
#[derive(Default)]
pub(crate) struct Desks {
    terminal: Option<Addr<Terminal>>,
    /// the screen's owner, if it is one
    screen: Option<Running>,
    command: Option<Addr<AnswerCommand>>,
    /// whoever plays the person in a demo
    pub(crate) player: Option<Addr<Scripted>>,
}

/// The person at a terminal: who hears what they do, and who hears that the terminal is gone.
pub(crate) struct Sitter {
    pub(crate) does: Does,
    pub(crate) gone: Box<dyn FnOnce()>,
}

impl Desks {
    /// Whoever may answer takes a seat. A parent has its own; with one, nobody else answers.
    pub(crate) fn seat(
        upward: Option<&Upward>,
        at: Option<(At, Option<Handle>)>,
        sitter: Sitter,
        config: &Config,
        router: &Addr<Router>,
        voice: &Voice,
    ) -> Self {
        let command = config.answer_command.as_ref();
        if upward.is_some() {
            return Self::default();
        }
        let mut desks = match at {
            Some((At::Screen(device), Some(screen))) => {
                seat_at_screen(device, &screen, sitter, config, router, voice)
            }
            Some((At::Lines(tty), _)) => {
                Self { terminal: seat_in_lines(tty, sitter.gone, router, voice), ..Self::default() }
            }
            Some((At::Screen(_), None)) | None => Self::default(),
        };
        desks.command = command.map(|command| seat_command(&command.line, router, voice));
        desks
    }

    /// The answer command takes its seat beside a parent: the person there has agreed to it.
    pub(crate) fn seat_agreed(
        &mut self,
        upward: Option<&Upward>,
        config: &Config,
        router: &Addr<Router>,
        voice: &Voice,
    ) {
        if let (Some(_), Some(command)) = (upward, &config.answer_command) {
            self.command = Some(seat_command(&command.line, router, voice));
        }
    }

    /// Whether nobody answers here.
    pub(crate) const fn is_empty(&self) -> bool {
        self.terminal.is_none() && self.command.is_none() && self.player.is_none()
    }

    /// Whether a person sits at a terminal here.
    pub(crate) const fn has_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// Whether questions are asked line by line.
    pub(crate) const fn is_in_lines(&self) -> bool {
        self.terminal.is_some() && self.screen.is_none()
    }

    /// The terminal is given back.
    pub(crate) async fn close(self) {
        if let Some(screen) = self.screen {
            screen.close().await;
        }
    }

    /// Waits until all of them can be asked. One that is gone by then never will be.
    pub(crate) async fn are_seated(&self, upward: Option<&Upward>) {
        if let Some(terminal) = &self.terminal {
            let _ = terminal.send(AreYouSeated).await;
        }
        if let Some(command) = &self.command {
            let _ = command.send(AreYouSeated).await;
        }
        if let Some(player) = &self.player {
            let _ = player.send(AreYouSeated).await;
        }
        if let Some(upward) = upward {
            let _ = upward.uplink.send(AreYouSeated).await;
        }
    }
}

fn seat_command(line: &str, router: &Addr<Router>, voice: &Voice) -> Addr<AnswerCommand> {
    let voice = voice.clone();
    let complain = move |why: &str| voice.warn(why);
    AnswerCommand::new(line, &NOT_FOR_CHILDREN, router.clone(), Box::new(complain)).start()
}

fn seat_at_screen(
    device: Device,
    screen: &Handle,
    sitter: Sitter,
    config: &Config,
    router: &Addr<Router>,
    voice: &Voice,
) -> Desks {
    let hook = config.attention.command.as_ref().map(|hook| Hook::new(&hook.line, &NOT_FOR_CHILDREN));
    match terminal::seat(device, screen, hook, router, sitter.does, sitter.gone) {
        Ok((terminal, running)) => {
            Desks { terminal: Some(terminal), screen: Some(running), ..Desks::default() }
        }
        Err(error) => {
            voice.warn(&format!("the terminal cannot be used: {}", actors::system::says(&error)));
            Desks::default()
        }
    }
}

fn seat_in_lines(
    tty: Tty,
    gone: Box<dyn FnOnce()>,
    router: &Addr<Router>,
    voice: &Voice,
) -> Option<Addr<Terminal>> {
    let (printer, columns) = (voice.printer().clone(), tty.columns());
    let (console, mut lines) = match tty.write.try_clone().and_then(|write| Ok((write, tty.lines()?))) {
        Ok((write, lines)) => (Box::new(LineConsole::new(printer.clone(), write, columns)), lines),
        Err(error) => {
            voice.warn(&format!("the terminal cannot be used: {}", actors::system::says(&error)));
            return None;
        }
    };
    let terminal = Terminal::new(console, router.clone()).start();
    let reader = terminal.clone();
    tokio::task::spawn_local(async move {
        while let Some(entered) = lines.recv().await {
            if reader.send(entered).await.is_err() {
                return;
            }
        }
        gone();
        // If it is gone already, it has given its questions back.
        let _ = reader.send(HungUp).await;
    });
    Some(terminal)
}
