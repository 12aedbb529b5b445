//! A tim in this process, on a thread of its own: a router, its socket, and a desk that allows everything at once.

use std::os::unix::fs::DirBuilderExt as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::JoinHandle;
use std::time::Duration;

use actix::{Actor, Addr, Context, Handler, Message};
use actors::agent::Kin;
use actors::messages::{DeskMail, DeskSaid, Seat};
use actors::ports::{NoRecord, RuntimeClock};
use actors::router::{DeskInfo, OpenLimits, Router, Routing, RunInfo, Said, Seated};
use actors::tunnel::{Bounds, Listener, SocketFile};
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::AnswerSource;
use tokio::sync::oneshot;

/// A tim that runs. Dropping it ends it.
pub(super) struct Server {
    folder: PathBuf,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    pub(super) fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("tim-bench-mcp-{}", std::process::id()));
        std::fs::DirBuilder::new().mode(0o700).create(&folder).unwrap();
        let path = folder.join("s");
        let ((stop, stopped), (ready, is_ready)) = (oneshot::channel(), mpsc::channel());
        let thread = std::thread::spawn(move || run(&path, &ready, stopped));
        is_ready.recv().unwrap();
        Self { folder, stop: Some(stop), thread: Some(thread) }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.folder.join("s")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        // Left behind in the temp folder, it does no harm.
        let _ = std::fs::remove_dir_all(&self.folder);
        assert!(matches!(ended, Some(Ok(()))), "the server failed");
    }
}

fn run(path: &Path, ready: &mpsc::Sender<()>, stopped: oneshot::Receiver<()>) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async {
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

/// No record and nobody who takes the output.
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

/// Allows everything at once.
struct Desk {
    router: Addr<Router>,
    seated: Option<Seated>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct SitDown(Seated);

impl Desk {
    async fn at(router: &Addr<Router>) -> Addr<Self> {
        let desk = Self { router: router.clone(), seated: None }.start();
        let info = DeskInfo::new("terminal", AnswerSource::Terminal);
        let seated = router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
        desk.send(SitDown(seated)).await.unwrap();
        desk
    }
}

impl Actor for Desk {
    type Context = Context<Self>;
}

impl Handler<SitDown> for Desk {
    type Result = ();

    fn handle(&mut self, SitDown(seated): SitDown, _: &mut Self::Context) {
        self.seated = Some(seated);
    }
}

impl Handler<DeskMail> for Desk {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        if let DeskMail::Offered(offer) = mail {
            let desk = self.seated.as_ref().unwrap().id();
            let said = Said::Answer(Json::parse(r#"{"allow":true}"#).unwrap());
            self.router.do_send(DeskSaid { desk, key: offer.key.clone(), said });
        }
    }
}
