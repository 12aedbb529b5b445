//! A router with its record and its socket: what every command needs that has one, and how it goes down.

use std::path::Path;
use std::time::Duration;

use actix::{Actor as _, Addr, AsyncContext as _};
use actors::journal::Journal;
use actors::ports::{NoRecord, Outlet, Record, RuntimeClock};
use actors::router::{Router, Routing, RunInfo};
use actors::tunnel::{HangUp, Listener, NoSocket, RANDOM, SocketFile};
use tokio::sync::oneshot;

use crate::clock::random_hex;
use crate::config::JournalChoice;
use crate::desks::Upward;
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::record;

/// How long clients may take for the last words to them, and the disk for the last records.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);

/// Why a command ends before it has begun.
pub(crate) type Failed = (String, Code);

/// A router.
pub(crate) struct Routed {
    pub(crate) router: Addr<Router>,
    /// hears when it is gone, also by a failure of its own
    pub(crate) gone: oneshot::Receiver<()>,
    /// whether what it does is put on file
    pub(crate) has_record: bool,
}

impl Routed {
    /// Starts it, with its record where that is wanted.
    pub(crate) fn start(
        run: &RunInfo,
        journal: &JournalChoice,
        outlet: Box<dyn Outlet>,
        warn: impl Fn(&str),
    ) -> Result<Self, Failed> {
        let (alive, gone) = oneshot::channel();
        let file = record::file(run, journal, warn).map_err(|why| (why, exit::USAGE))?;
        let has_record = file.is_some();
        let (info, mut failed) = (run.clone(), None);
        let router = Router::create(|ctx| {
            let record: Box<dyn Record> =
                match file.map(|file| Journal::start(file, Router::waker(ctx.address()))) {
                    None => Box::new(NoRecord),
                    Some(Ok(journal)) => Box::new(journal),
                    Some(Err(error)) => {
                        failed = Some(error);
                        Box::new(NoRecord)
                    }
                };
            let clock = Box::new(RuntimeClock::start());
            Router::new(Routing::new(info, record), clock, Some(outlet)).watched(alive)
        });
        match failed {
            Some(error) => Err((format!("cannot start the journal: {error}"), exit::INTERNAL)),
            None => Ok(Self { router, gone, has_record }),
        }
    }
}

/// The socket for whoever asks here: at that path, or in a fresh folder of its own.
pub(crate) async fn socket(
    wanted: Option<&Path>,
    environment: &Environment,
) -> Result<(SocketFile, tokio::net::UnixListener), NoSocket> {
    match wanted {
        Some(path) => SocketFile::at(path).await,
        None => {
            let temp = environment.temp_folder.as_deref().unwrap_or(Path::new("/tmp"));
            SocketFile::fresh(environment.runtime_folder.as_deref(), temp, &random_hex(RANDOM)).await
        }
    }
}

/// Closes the connections, each with what is left to say.
pub(crate) async fn hang_up(upward: Option<Upward>, listener: Listener) {
    let hung_up = async {
        if let Some(Upward { uplink, lost, .. }) = upward {
            // Either way the connection is closed by then.
            let _ = uplink.send(HangUp).await;
            let _ = lost.await;
        }
    };
    let (_, ()) = tokio::join!(tokio::time::timeout(PATIENCE, hung_up), listener.close(PATIENCE));
}

/// What is asked and typed must not end in a core file. Where that is not allowed, nothing is lost but that.
pub(crate) fn keep_memory_private() {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    if let Err(error) = setrlimit(Resource::Core, none) {
        tracing::debug!(%error, "core files stay possible");
    }
}
