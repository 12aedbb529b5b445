//! A router with a socket in a folder of its own, and clients that know nothing but lines.

use std::path::PathBuf;
use std::time::Duration;

use actix::prelude::*;
use codec::tunnel::AnswerSource;
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, Lines};
use tokio::net::UnixStream;
use tokio::net::unix::{OwnedReadHalf, OwnedWriteHalf};
use tokio::time::timeout;

use crate::agent::Kin;
use crate::messages::{DeskMail, DeskSaid, Seat};
use crate::ports::{NoRecord, RuntimeClock};
use crate::router::{DeskInfo, Router, Routing, RunInfo, Said, Seated};
use crate::tunnel::{Bounds, Listener, RANDOM, SocketFile};

/// How long anything may take before the test says that it hangs.
pub(super) const BOUND: Duration = Duration::from_secs(10);

/// A folder that is gone when the test is over.
pub(super) struct Folder(pub(super) PathBuf);

impl Folder {
    pub(super) fn new() -> Self {
        use std::sync::atomic::{AtomicU64, Ordering};
        static LAST: AtomicU64 = AtomicU64::new(0);
        let name = format!("tim-s{}-{}", std::process::id(), LAST.fetch_add(1, Ordering::Relaxed));
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// A router with a socket.
pub(super) struct Stand {
    pub(super) router: Addr<Router>,
    pub(super) listener: Listener,
    _folder: Folder,
}

impl Stand {
    pub(super) async fn new(bounds: Bounds) -> Self {
        let folder = Folder::new();
        let socket = SocketFile::fresh(None, &folder.0, &"0".repeat(RANDOM)).await.unwrap();
        let run = RunInfo::of_a_test("stand");
        let routing = Routing::new(run, Box::new(NoRecord));
        let router = Router::new(routing, Box::new(RuntimeClock::start()), None).start();
        let listener = Listener::open(socket, None, Kin::default(), bounds, router.clone());
        Self { router, listener, _folder: folder }
    }

    pub(super) async fn client(&self) -> Client {
        Client::connect(self.listener.path()).await
    }

    /// A desk that answers every question with yes.
    pub(super) async fn yes_man(&self) {
        let desk = YesMan { router: self.router.clone(), seated: None }.start();
        let info = DeskInfo::new("command", AnswerSource::Command);
        let seated = self.router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
        desk.send(Sit(seated)).await.unwrap();
    }
}

/// Says yes.
struct YesMan {
    router: Addr<Router>,
    seated: Option<Seated>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Sit(Seated);

impl Actor for YesMan {
    type Context = Context<Self>;
}

impl Handler<Sit> for YesMan {
    type Result = ();

    fn handle(&mut self, Sit(seated): Sit, _: &mut Self::Context) {
        self.seated = Some(seated);
    }
}

impl Handler<DeskMail> for YesMan {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, ctx: &mut Self::Context) {
        if let DeskMail::Offered(offer) = mail {
            let said = Said::Answer(codec::json::Json::parse("true").unwrap());
            let desk = self.seated.as_ref().unwrap().id();
            let answer = self.router.send(DeskSaid { desk, key: offer.key.clone(), said });
            ctx.spawn(answer.into_actor(self).map(|sent, _, _| sent.unwrap()));
        }
    }
}

/// A client that knows nothing but lines.
pub(super) struct Client {
    pub(super) lines: Lines<BufReader<OwnedReadHalf>>,
    pub(super) write: OwnedWriteHalf,
}

impl Client {
    pub(super) async fn connect(path: &std::path::Path) -> Self {
        let (read, write) = UnixStream::connect(path).await.unwrap().into_split();
        Self { lines: BufReader::new(read).lines(), write }
    }

    pub(super) async fn say(&mut self, line: &str) {
        self.write.write_all(format!("{line}\n").as_bytes()).await.unwrap();
    }

    pub(super) async fn ask(&mut self, id: &str) {
        self.say(&format!(
            r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"confirm","promptConfig":{{"message":"?"}}}}}}"#
        ))
        .await;
    }

    /// The next line, or nothing if the other side hung up.
    pub(super) async fn hear(&mut self) -> Option<String> {
        timeout(BOUND, self.lines.next_line()).await.expect("a line, or the end, in time").unwrap_or_default()
    }
}
