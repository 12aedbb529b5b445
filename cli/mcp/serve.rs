//! `tim mcp serve`: the bridge as a process.
//!
//! Answers the client from the start; the way to the person is made when it has begun. Ends with stdin or a signal, and what was
//! open is then taken back, because its connection ends.

use std::future::Future;
use std::io;
use std::path::PathBuf;
use std::pin::pin;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use codec::frame::Frame;
use codec::limits::Limits;
use codec::tunnel::Peer;
use rmcp::ServiceExt as _;
use tokio_util::sync::CancellationToken;

use super::handler::Bridge;
use super::link::Link;
use super::wire::{Opened, Wire};
use crate::args::BridgeArgs;
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::signals::Signals;
use crate::stdin::StdinLines;
use crate::upward;

/// Who asks, if nobody said otherwise.
const LABEL: &str = "claude";

/// How long a client that does not read may keep us after a signal.
const LAST_WORDS: Duration = Duration::from_secs(1);

const NOBODY: &str = "there is nobody to ask: give --socket PATH of a `tim serve --socket PATH`, \
                      or set TIM_OUTPUT_SOCKET to it";

/// Runs the command.
pub(super) fn run(args: &BridgeArgs, environment: &Environment) -> Code {
    let Some(socket) = args.socket.clone().or_else(|| environment.output_socket.clone()) else {
        return crate::complain(NOBODY, exit::USAGE);
    };
    let link = link(socket, args, environment);
    if let Some(delay) = environment.test_bridge_delay_ms.map(Duration::from_millis) {
        crate::on_one_thread(async {
            tokio::time::sleep(delay).await;
            exit::SUCCESS
        });
    }
    // Whoever starts us waits for the reply to this line: nothing is set up before it is there.
    let mut lines = StdinLines::new(Limits::STANDARD.agent_line);
    match lines.next() {
        Some(first) => crate::on_one_thread(serve(link, first, lines)),
        None => exit::SUCCESS,
    }
}

fn link(socket: PathBuf, args: &BridgeArgs, environment: &Environment) -> Rc<Link> {
    let label = args.label.as_deref().unwrap_or(LABEL);
    Rc::new(Link::new(socket, upward::greeting(environment, Peer::Bridge, label)))
}

/// Speaks with the client until one of us ends it, and all is written.
async fn serve(link: Rc<Link>, first: io::Result<Frame>, rest: StdinLines) -> Code {
    let ended = CancellationToken::new();
    let Opened { wire, is_begun, written } = Wire::open(first, rest, ended.clone());
    match Bridge::new(Rc::clone(&link)).serve_with_ct(wire, ended.clone()).await {
        Ok(service) => {
            is_begun.store(true, Ordering::Relaxed);
            // The person's tim knows of us from now on; whether it is there matters only when something is asked.
            tokio::task::spawn_local(async move { link.client().await.map(drop) });
            let waiting = async {
                if let Err(error) = service.waiting().await {
                    tracing::error!(%error, "the conversation failed");
                }
                // Whoever writes ends when there is nothing more to write.
                let _ = written.await;
            };
            until_a_signal(waiting, &ended).await
        }
        Err(error) => {
            tracing::info!(%error, "the client did not begin");
            let _ = written.await;
            exit::SUCCESS
        }
    }
}

/// Signals are caught only when there is something to end: before that one ends us as it would anybody.
async fn until_a_signal(speaking: impl Future<Output = ()>, ended: &CancellationToken) -> Code {
    let mut signals = match Signals::catch() {
        Ok(signals) => signals,
        Err(error) => return crate::complain(&format!("cannot start: {error}"), exit::INTERNAL),
    };
    let mut speaking = pin!(speaking);
    let is_over = tokio::select! {
        () = &mut speaking => true,
        _ = signals.next() => false,
    };
    ended.cancel();
    if !is_over {
        // Open calls hear that they are denied, if anybody still reads.
        let _ = tokio::time::timeout(LAST_WORDS, speaking).await;
    }
    exit::SUCCESS
}
