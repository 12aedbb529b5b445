//! A router with actors around it that write down what they hear, and a disk that may be full or hang.

use std::io;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use codec::frame::Frame;
use codec::json::Json;
use codec::tunnel::AnswerSource;

use crate::dialect::Dialect;
use crate::journal::{Journal, Sink};
use crate::messages::{Attach, DeskSaid, Frames, Seat};
use crate::ports::{NoRecord, Record, RuntimeClock};
use crate::router::*;

pub(super) type Heard = Arc<Mutex<Vec<String>>>;

/// An asker that writes down what it hears, and what was on file by then.
pub(super) struct Ear {
    pub(super) heard: Heard,
    pub(super) batches: Arc<Mutex<usize>>,
    pub(super) disk: Disk,
    pub(super) attached: Option<Attached>,
}

impl Actor for Ear {
    type Context = Context<Self>;
}

impl Handler<Lines> for Ear {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, _: &mut Self::Context) {
        *self.batches.lock().unwrap() += 1;
        for line in lines {
            let line = String::from_utf8(line.to_vec()).unwrap();
            let on_file = String::from_utf8(self.disk.0.lock().unwrap().bytes.clone()).unwrap();
            let recorded = on_file.contains("\"rec\":\"outcome\"");
            self.heard.lock().unwrap().push(format!("{line} recorded: {recorded}"));
        }
    }
}

/// A desk that keeps its mail.
pub(super) struct Pigeonhole {
    pub(super) mail: Arc<Mutex<Vec<DeskMail>>>,
    pub(super) seated: Option<Seated>,
}

impl Actor for Pigeonhole {
    type Context = Context<Self>;
}

impl Handler<DeskMail> for Pigeonhole {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        self.mail.lock().unwrap().push(mail);
    }
}

/// Something goes wrong in an actor.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct Boom;

impl Handler<Boom> for Prompt {
    type Result = ();

    fn handle(&mut self, _: Boom, _: &mut Self::Context) {
        panic!("a bug in the question's actor");
    }
}

impl Handler<Boom> for Ear {
    type Result = ();

    fn handle(&mut self, _: Boom, _: &mut Self::Context) {
        panic!("a bug in the asker's actor");
    }
}

/// An actor ends and its place is kept elsewhere: the router is not told.
#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct FadeAway;

impl Handler<FadeAway> for Ear {
    type Result = ();

    fn handle(&mut self, _: FadeAway, ctx: &mut Self::Context) {
        std::mem::forget(self.attached.take());
        ctx.stop();
    }
}

/// How many questions have an actor.
#[derive(Message)]
#[rtype(result = "usize")]
pub(super) struct CountPrompts;

impl Handler<CountPrompts> for Router {
    type Result = usize;

    fn handle(&mut self, _: CountPrompts, _: &mut Self::Context) -> usize {
        self.prompts.len()
    }
}

impl Handler<FadeAway> for Pigeonhole {
    type Result = ();

    fn handle(&mut self, _: FadeAway, ctx: &mut Self::Context) {
        std::mem::forget(self.seated.take());
        ctx.stop();
    }
}

#[derive(Message)]
#[rtype(result = "()")]
pub(super) struct BoomPrompt(pub(super) u64);

impl Handler<BoomPrompt> for Router {
    type Result = ();

    fn handle(&mut self, BoomPrompt(number): BoomPrompt, _: &mut Self::Context) {
        post_to(self.prompts.get(&Number(number)).unwrap(), Boom).unwrap();
    }
}

#[derive(Message)]
#[rtype(result = "()")]
pub(super) enum Hold {
    Attached(Attached),
    Seated(Seated),
}

impl Handler<Hold> for Ear {
    type Result = ();

    fn handle(&mut self, hold: Hold, _: &mut Self::Context) {
        if let Hold::Attached(attached) = hold {
            self.attached = Some(attached);
        }
    }
}

impl Handler<Hold> for Pigeonhole {
    type Result = ();

    fn handle(&mut self, hold: Hold, _: &mut Self::Context) {
        if let Hold::Seated(seated) = hold {
            self.seated = Some(seated);
        }
    }
}

/// A disk in memory, which may be full.
#[derive(Clone, Default)]
pub(super) struct Disk(pub(super) Arc<Mutex<Platter>>);

#[derive(Default)]
pub(super) struct Platter {
    pub(super) bytes: Vec<u8>,
    pub(super) is_full: bool,
    /// while somebody keeps the other end, the disk hangs
    pub(super) hangs: Option<std::sync::mpsc::Receiver<()>>,
}

impl Sink for Disk {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let hangs = self.0.lock().unwrap().hangs.take();
        if let Some(hangs) = hangs {
            hangs.recv().unwrap_err();
        }
        let mut platter = self.0.lock().unwrap();
        if platter.is_full {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        platter.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn truncate(&mut self, length: u64) -> io::Result<()> {
        self.0.lock().unwrap().bytes.truncate(usize::try_from(length).unwrap());
        Ok(())
    }
}

/// What a run says, written down.
pub(super) struct Listener(Arc<Mutex<Vec<String>>>);

impl Outlet for Listener {
    fn take(&mut self, output: Output) {
        self.0.lock().unwrap().push(format!("{output:?}"));
    }
}

pub(super) struct Stand {
    pub(super) router: Addr<Router>,
    pub(super) disk: Disk,
    pub(super) said: Arc<Mutex<Vec<String>>>,
    /// how many messages with lines came to askers
    pub(super) batches: Arc<Mutex<usize>>,
}

impl Stand {
    pub(super) fn new(journal: bool) -> Self {
        Self::with_room(journal, crate::journal::LIMIT)
    }

    pub(super) fn with_room(journal: bool, room: usize) -> Self {
        Self::of(journal, room, false)
    }

    /// One whose record is required.
    pub(super) fn requiring() -> Self {
        Self::of(true, crate::journal::LIMIT, true)
    }

    fn of(journal: bool, room: usize, is_required: bool) -> Self {
        let (disk, said) = (Disk::default(), Arc::<Mutex<Vec<String>>>::default());
        let outlet = Box::new(Listener(Arc::clone(&said)));
        let sink = disk.clone();
        let router = Router::create(move |ctx| {
            let record: Box<dyn Record> = if journal {
                Box::new(Journal::with_limit(sink, room, Router::waker(ctx.address())).unwrap())
            } else {
                Box::new(NoRecord)
            };
            let run = RunInfo::of_a_test("stand");
            let routing = Routing::new(run, record);
            let routing = if is_required { routing.requiring_record() } else { routing };
            Router::new(routing, Box::new(RuntimeClock::start()), Some(outlet))
        });
        Self { router, disk, said, batches: Arc::default() }
    }

    pub(super) async fn asker(&self) -> (Addr<Ear>, AskerId, Heard) {
        let heard = Heard::default();
        let (batches, disk) = (Arc::clone(&self.batches), self.disk.clone());
        let ear = Ear { heard: Arc::clone(&heard), batches, disk, attached: None }.start();
        let asker = AskerInfo {
            wire: "tunnel:1".to_owned(),
            dialect: Dialect::TUNNEL,
            path: None,
            pid: None,
            below: None,
        };
        let attached = self.router.send(Attach { asker, lines: ear.clone().recipient() }).await.unwrap();
        let id = attached.id();
        ear.send(Hold::Attached(attached)).await.unwrap();
        (ear, id, heard)
    }

    pub(super) async fn desk(&self) -> (Addr<Pigeonhole>, DeskId, Arc<Mutex<Vec<DeskMail>>>) {
        let mail = Arc::<Mutex<Vec<DeskMail>>>::default();
        let desk = Pigeonhole { mail: Arc::clone(&mail), seated: None }.start();
        let info = DeskInfo::new("terminal", AnswerSource::Terminal);
        let seated = self.router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
        let id = seated.id();
        desk.send(Hold::Seated(seated)).await.unwrap();
        (desk, id, mail)
    }

    pub(super) async fn confirm(&self, asker: AskerId, id: &str, timeout: &str) {
        let message = format!(
            r#"{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"confirm","promptConfig":{{"message":"?"}}{timeout}}}"#
        );
        let line = format!(r#"{{"type":"structured","message":{message}}}"#);
        self.router.send(Frames { asker, frames: vec![Frame::Line(Bytes::from(line))] }).await.unwrap();
        settle().await;
    }

    pub(super) async fn yes(&self, desk: DeskId, number: u64) {
        let key = codec::id::Key { run: "7f3c".into(), number };
        self.router
            .send(DeskSaid { desk, key, said: Said::Answer(Json::parse("true").unwrap()) })
            .await
            .unwrap();
        settle().await;
    }
}

/// Lets every actor read its mail.
pub(super) async fn settle() {
    for _ in 0..16 {
        tokio::task::yield_now().await;
    }
}

/// Lets the journal's thread work until somebody has heard something.
pub(super) async fn until(heard: &Heard, lines: usize) {
    while heard.lock().unwrap().len() < lines {
        tokio::task::yield_now().await;
    }
}

pub(super) fn told(heard: &Heard) -> Vec<String> {
    heard.lock().unwrap().clone()
}
