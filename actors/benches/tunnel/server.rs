//! A server under measurement, on a thread of its own with a runtime of its own: the floor, or ours.

use std::fs::DirBuilder;
use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix::{Actor as _, Addr};
use actors::agent::Kin;
use actors::ports::{NoRecord, RuntimeClock};
use actors::router::{OpenLimits, Router, Routing, RunInfo};
use actors::tunnel::{Bounds, Listener, SocketFile};
use codec::limits::Limits;
use tokio::net::UnixListener;
use tokio::sync::oneshot;

use super::desk::Desk;
use super::floor::{self, Answering};

/// Which server.
#[derive(Clone, Copy)]
pub(super) enum Side {
    Floor(Answering),
    Tim,
}

impl Side {
    /// The floor that writes as few times as it can, and tim.
    pub(super) const BOTH: [Self; 2] = [Side::Floor(Answering::Together), Side::Tim];
    /// The floor that writes each answer when it is known, and tim.
    pub(super) const SIMPLE: [Self; 2] = [Side::Floor(Answering::OneByOne), Side::Tim];
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
            Side::Tim => named("tim").spawn(move || run_tim(&path, &ready, stopped)),
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

fn run_tim(path: &Path, ready: &mpsc::Sender<()>, stopped: oneshot::Receiver<()>) {
    tokio::task::LocalSet::new().block_on(&runtime(), async {
        let router = start_router();
        let _desk = Desk::at(&router).await;
        let socket = SocketFile::at(path).await.unwrap();
        let listener = Listener::open(socket, None, Kin::default(), Bounds::standard(), router);
        ready.send(()).unwrap();
        // Nothing is ever sent: the other end goes.
        let _ = stopped.await;
        listener.close(Duration::from_secs(10)).await;
    });
}

/// No record and nobody who takes the output: lines are validated and dispatched.
fn start_router() -> Addr<Router> {
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
    Router::new(Routing::new(run, Box::new(NoRecord)), Box::new(RuntimeClock::start()), None).start()
}
