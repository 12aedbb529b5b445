//! Who answers in a service: the parent if there is one, else the terminal and the answer command.

use actix::{Actor as _, Addr};
use actors::answer_command::AnswerCommand;
use actors::messages::AreYouSeated;
use actors::router::{Router, RunInfo};
use actors::terminal::{HungUp, Terminal};
use actors::tunnel::{Parent, Relay, Uplink};
use codec::tunnel::Role;
use tokio::sync::oneshot;

use crate::config::AnswerCommand as AnswerWith;
use crate::environment::NOT_FOR_CHILDREN;
use crate::printer::{Place, Printer};
use crate::tty::{LineConsole, Tty};

use super::warn;

/// The parent, and what tells that it is lost.
pub(super) struct Upward {
    pub(super) uplink: Addr<Uplink>,
    pub(super) lost: oneshot::Receiver<()>,
    pub(super) role: Role,
}

impl Upward {
    /// The parent takes its seat.
    pub(super) fn attach(parent: Parent, relay: &Relay, run: &RunInfo, router: &Addr<Router>) -> Self {
        // One of the original is a run: when it goes, so do its children.
        let role = parent.welcome.as_ref().map_or(Role::Run, |welcome| welcome.role);
        let (uplink, lost) = Uplink::start_with(parent, relay, run.began_unix_ms, router.clone());
        Self { uplink, lost, role }
    }
}

/// Which parent was lost; never, if there is none.
pub(super) async fn parent_lost(upward: &mut Option<Upward>) -> Role {
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
pub(super) struct Desks {
    pub(super) terminal: Option<Addr<Terminal>>,
    command: Option<Addr<AnswerCommand>>,
}

impl Desks {
    /// Whoever may answer takes a seat. A parent has its own; with one, nobody else answers.
    pub(super) fn seat(
        upward: Option<&Upward>,
        tty: Option<Tty>,
        command: Option<&AnswerWith>,
        router: &Addr<Router>,
        printer: &Printer,
    ) -> Self {
        if upward.is_some() {
            if let Some(AnswerWith { origin, .. }) = command {
                let why = "is not used below another tim, which answers";
                warn(printer, &format!("the answer command of {origin} {why}"));
            }
            return Self::default();
        }
        let terminal = tty.and_then(|tty| seat_terminal(tty, router, printer));
        let command = command.map(|command| seat_command(&command.line, router, printer));
        if terminal.is_none() && command.is_none() {
            warn(printer, "no terminal, no parent and no answer command: every question will be refused");
        }
        Self { terminal, command }
    }

    /// Waits until all of them can be asked. One that is gone by then never will be.
    pub(super) async fn are_seated(&self, upward: Option<&Upward>) {
        if let Some(terminal) = &self.terminal {
            let _ = terminal.send(AreYouSeated).await;
        }
        if let Some(command) = &self.command {
            let _ = command.send(AreYouSeated).await;
        }
        if let Some(upward) = upward {
            let _ = upward.uplink.send(AreYouSeated).await;
        }
    }
}

fn seat_command(line: &str, router: &Addr<Router>, printer: &Printer) -> Addr<AnswerCommand> {
    let printer = printer.clone();
    let complain = move |why: &str| printer.print(Place::Stderr, format!("tim: {why}\n"));
    AnswerCommand::new(line, &NOT_FOR_CHILDREN, router.clone(), Box::new(complain)).start()
}

fn seat_terminal(tty: Tty, router: &Addr<Router>, printer: &Printer) -> Option<Addr<Terminal>> {
    let (printer, columns) = (printer.clone(), tty.columns());
    let (console, mut lines) = match tty.write.try_clone().and_then(|write| Ok((write, tty.lines()?))) {
        Ok((write, lines)) => (Box::new(LineConsole::new(printer.clone(), write, columns)), lines),
        Err(error) => {
            warn(&printer, &format!("the terminal cannot be used: {error}"));
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
        warn(&printer, "the terminal is closed: nobody answers there any more");
        // If it is gone already, it has given its questions back.
        let _ = reader.send(HungUp).await;
    });
    Some(terminal)
}
