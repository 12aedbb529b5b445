//! A server under measurement, on a thread of its own with a runtime of its own: the floor, or ours.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix::{Actor as _, Addr, AsyncContext as _};
use actors::agent::Kin;
use actors::journal::{Journal, create};
use actors::messages::ShutDown;
use actors::ports::{NoRecord, Record, RuntimeClock};
use actors::router::{OpenLimits, Router, Routing, RunInfo};
use actors::tunnel::{Bounds, Listener, SocketFile};
use codec::limits::Limits;
use tokio::net::UnixListener;
use tokio::sync::oneshot;

use super::desk::Desk;
use super::floor::{self, Answering};

/// How long it has to end.
const PATIENCE: Duration = Duration::from_secs(10);

/// Which server.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Floor(Answering),
    Tim,
    /// tim, with everything on record
    Recorded,
}

impl Side {
    /// The floor that writes as few times as it can, and tim.
    pub(super) const BOTH: [Self; 2] = [Side::Floor(Answering::Together), Side::Tim];
    /// The floor that writes each answer when it is known, and tim.
    pub(super) const SIMPLE: [Self; 2] = [Side::Floor(Answering::OneByOne), Side::Tim];
    /// Without a record and with one.
    pub(super) const RECORD: [Self; 2] = [Side::Tim, Side::Recorded];
}

/// A server that runs. Dropping it ends it.
pub(super) struct Server {
    folder: Folder,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// A server that takes clients.
    pub(super) fn start(side: Side) -> Self {
        let folder = Folder::new();
        let path = folder.socket();
        let (stop, stopped) = oneshot::channel();
        let (ready, is_ready) = mpsc::channel();
        // By their names a profiler tells them apart.
        let thread = match side {
            Side::Floor(answering) => {
                named("floor").spawn(move || run_floor(&path, answering, &ready, stopped))
            }
            Side::Tim => named("tim").spawn(move || run_tim(&path, None, &ready, stopped)),
            Side::Recorded => {
                let record = folder.path().join("run.jsonl");
                named("tim").spawn(move || run_tim(&path, Some(record), &ready, stopped))
            }
        };
        is_ready.recv().unwrap();
        Self { folder, stop: Some(stop), thread: Some(thread.unwrap()) }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.socket()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(matches!(ended, Some(Ok(()))), "the server failed");
    }
}

/// A folder of its own for a socket, gone afterwards.
pub(super) struct Folder(PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        static LAST: AtomicUsize = AtomicUsize::new(0);
        let number = LAST.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("tim-bench-{}-{number}", std::process::id()));
        DirBuilder::new().mode(0o700).create(&folder).unwrap();
        Self(folder)
    }

    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn socket(&self) -> PathBuf {
        self.0.join("output.sock")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // Left behind in the temp folder, it does no harm.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn named(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned())
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap()
}

fn run_floor(path: &Path, answering: Answering, ready: &mpsc::Sender<()>, stopped: oneshot::Receiver<()>) {
    runtime().block_on(async {
        let listener = UnixListener::bind(path).unwrap();
        ready.send(()).unwrap();
        tokio::select! {
            () = floor::serve(listener, answering) => {}
            _ = stopped => {}
        }
    });
}

fn run_tim(path: &Path, record: Option<PathBuf>, ready: &mpsc::Sender<()>, stopped: oneshot::Receiver<()>) {
    tokio::task::LocalSet::new().block_on(&runtime(), async {
        let router = start_router(record);
        let _desk = Desk::at(&router).await;
        let socket = SocketFile::at(path).await.unwrap();
        let listener = Listener::open(socket, None, Kin::default(), Bounds::standard(), router.clone());
        ready.send(()).unwrap();
        // Nothing is ever sent: the other end goes.
        let _ = stopped.await;
        listener.close(PATIENCE).await;
        router.send(ShutDown { patience: PATIENCE, code: None }).await.unwrap();
    });
}

/// Nobody takes the output: lines are validated, recorded if there is a record, and dispatched.
fn start_router(record: Option<PathBuf>) -> Addr<Router> {
    let run = RunInfo {
        id: "be2c".into(),
        seed: "bench".to_owned(),
        began_unix_ms: 0,
        open: OpenLimits::default(),
        limits: Limits::STANDARD,
        publishes: false,
        path: None,
        role: codec::tunnel::Role::Serve,
        gate: std::sync::Arc::default(),
        permission_timeout_ms: None,
        question_timeout_ms: None,
        is_bridged: false,
        allow_on_timeout: false,
    };
    Router::create(move |ctx| {
        let record: Box<dyn Record> = match record {
            None => Box::new(NoRecord),
            Some(path) => {
                Box::new(Journal::start(create(&path).unwrap(), Router::waker(ctx.address())).unwrap())
            }
        };
        Router::new(Routing::new(run, record), Box::new(RuntimeClock::start()), None)
    })
}
