//! A router with its record and its socket: what every command needs that has one, and how it goes down.

use std::cell::Cell;
use std::path::Path;
use std::rc::Rc;
use std::time::Duration;

use actix::{Actor as _, Addr, AsyncContext as _};
use actors::journal::Journal;
use actors::messages::{AllSaid, Output};
use actors::ports::{NoRecord, Outlet, Record, RuntimeClock, Started};
use actors::router::{Router, Routing, RunInfo};
use actors::tunnel::{HangUp, Listener, NoSocket, RANDOM, SocketFile};
use tokio::sync::oneshot;

use crate::clock::random_hex;
use crate::config::Config;
use crate::desks::Upward;
use crate::environment::Environment;
use crate::exit::{self, Code};
use crate::record;
use crate::voice::Voice;

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
    /// hears when a record is lost, if it is required
    pub(crate) lost: Option<oneshot::Receiver<()>>,
    /// whether a required record is lost
    pub(crate) unrecorded: Rc<Cell<bool>>,
}

impl Routed {
    /// Starts it, with its record where that is wanted.
    pub(crate) fn start(
        run: &RunInfo,
        (config, environment): (&Config, &Environment),
        outlet: Box<dyn Outlet>,
        voice: &Voice,
    ) -> Result<Self, Failed> {
        let (alive, gone) = oneshot::channel();
        let file = record::file(run, config, |what| voice.warn(what))?;
        let has_record = file.is_some();
        crate::log::run_is(&run.id);
        tracing::info!(role = ?run.role, path = run.path.as_ref().map(tracing::field::display), has_record, "a run begins");
        let (outlet, lost, unrecorded) = Requiring::around(outlet, config.requires_journal, voice);
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
            let secrets = environment.secrets.clone();
            let mask = Box::new(move |text: &str| secrets.mask(text).into_owned());
            let started = Started { argv: environment.started_with.clone(), mask };
            let routing = Routing::started_with(started, info, record);
            let routing = if config.requires_journal { routing.requiring_record() } else { routing };
            Router::new(routing, clock, Some(outlet)).watched(alive)
        });
        match failed {
            Some(error) => Err((format!("cannot start the journal: {error}"), exit::INTERNAL)),
            None => Ok(Self { router, gone, has_record, lost, unrecorded }),
        }
    }

    /// Whether a required record is lost.
    pub(crate) fn is_unrecorded(&self) -> bool {
        self.unrecorded.get()
    }

    /// Waits until the first record is on file, if it is required: else nothing may begin.
    pub(crate) async fn is_on_file(&self) -> Result<(), Failed> {
        if self.lost.is_none() {
            return Ok(());
        }
        let said = tokio::time::timeout(SLOWEST, self.router.send(AllSaid)).await;
        match said {
            Ok(_) if !self.is_unrecorded() => Ok(()),
            _ => Err((NOT_ON_FILE.to_owned(), exit::UNWRITTEN)),
        }
    }
}

/// How long the disk may take for a record that everything waits for.
pub(crate) const SLOWEST: Duration = Duration::from_secs(10);

const NOT_ON_FILE: &str = "the journal cannot be written, and one is required: make room where it is, or name another \
                           file (--journal)";

/// What a run says, where its record is required: the first loss is told to whoever ends it.
struct Requiring {
    inner: Box<dyn Outlet>,
    lost: Option<oneshot::Sender<()>>,
    unrecorded: Rc<Cell<bool>>,
    voice: Voice,
}

type Around = (Box<dyn Outlet>, Option<oneshot::Receiver<()>>, Rc<Cell<bool>>);

impl Requiring {
    fn around(inner: Box<dyn Outlet>, is_required: bool, voice: &Voice) -> Around {
        let unrecorded = Rc::<Cell<bool>>::default();
        if !is_required {
            return (inner, None, unrecorded);
        }
        let (lost, hears) = oneshot::channel();
        let outlet =
            Self { inner, lost: Some(lost), unrecorded: Rc::clone(&unrecorded), voice: voice.clone() };
        (Box::new(outlet), Some(hears), unrecorded)
    }
}

impl Outlet for Requiring {
    fn take(&mut self, output: Output) {
        let Output::Gap(lost, why) = output else { return self.inner.take(output) };
        self.unrecorded.set(true);
        let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
        let what =
            format!("the journal loses records, {lost} so far{why}, and it is required: everything ends");
        self.voice.warn(&what);
        if let Some(lost) = self.lost.take() {
            // Whoever listened for that may be ending already.
            let _ = lost.send(());
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
