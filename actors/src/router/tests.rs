//! The actors themselves: who notices whom, under paused time, and what is on file when somebody hears something.

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use codec::frame::Frame;
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::AnswerSource;

use super::*;
use crate::dialect::Dialect;
use crate::journal::{Journal, Sink};
use crate::messages::{Attach, DeskSaid, Frames, Seat, ShutDown};
use crate::ports::{NoRecord, Record, RuntimeClock};

type Heard = Arc<Mutex<Vec<String>>>;

/// An asker that writes down what it hears, and what was on file by then.
struct Ear {
    heard: Heard,
    disk: Disk,
    attached: Option<Attached>,
}

impl Actor for Ear {
    type Context = Context<Self>;
}

impl Handler<Lines> for Ear {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, _: &mut Self::Context) {
        for line in lines {
            let line = String::from_utf8(line.to_vec()).unwrap();
            let on_file = String::from_utf8(self.disk.0.lock().unwrap().bytes.clone()).unwrap();
            let recorded = on_file.contains("\"rec\":\"outcome\"");
            self.heard.lock().unwrap().push(format!("{line} recorded: {recorded}"));
        }
    }
}

/// A desk that keeps its mail.
struct Pigeonhole {
    mail: Arc<Mutex<Vec<DeskMail>>>,
    seated: Option<Seated>,
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
struct Boom;

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

impl Handler<Boom> for Pigeonhole {
    type Result = ();

    fn handle(&mut self, _: Boom, ctx: &mut Self::Context) {
        // Its seat lives on elsewhere: the router is not told.
        std::mem::forget(self.seated.take());
        ctx.stop();
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct BoomPrompt(u64);

impl Handler<BoomPrompt> for Router {
    type Result = ();

    fn handle(&mut self, BoomPrompt(number): BoomPrompt, _: &mut Self::Context) {
        post_to(self.prompts.get(&Number(number)).unwrap(), Boom).unwrap();
    }
}

#[derive(Message)]
#[rtype(result = "()")]
enum Hold {
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
struct Disk(Arc<Mutex<Platter>>);

#[derive(Default)]
struct Platter {
    bytes: Vec<u8>,
    is_full: bool,
    /// while somebody keeps the other end, the disk hangs
    hangs: Option<std::sync::mpsc::Receiver<()>>,
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
struct Listener(Arc<Mutex<Vec<String>>>);

impl Actor for Listener {
    type Context = Context<Self>;
}

impl Handler<Output> for Listener {
    type Result = ();

    fn handle(&mut self, output: Output, _: &mut Self::Context) {
        self.0.lock().unwrap().push(format!("{output:?}"));
    }
}

struct Stand {
    router: Addr<Router>,
    disk: Disk,
    said: Arc<Mutex<Vec<String>>>,
}

impl Stand {
    fn new(journal: bool) -> Self {
        Self::with_room(journal, crate::journal::LIMIT)
    }

    fn with_room(journal: bool, room: usize) -> Self {
        let (disk, said) = (Disk::default(), Arc::<Mutex<Vec<String>>>::default());
        let output = Listener(Arc::clone(&said)).start().recipient();
        let sink = disk.clone();
        let router = Router::create(move |ctx| {
            let record: Box<dyn Record> = if journal {
                Box::new(Journal::with_limit(sink, room, Router::waker(ctx.address())).unwrap())
            } else {
                Box::new(NoRecord)
            };
            let run = RunInfo {
                id: "7f3c".into(),
                seed: "stand".to_owned(),
                began_unix_ms: 0,
                open: OpenLimits::default(),
                limits: Limits::STANDARD,
                publishes: false,
            };
            Router::new(Routing::new(run, record), Box::new(RuntimeClock::start()), Some(output))
        });
        Self { router, disk, said }
    }

    async fn asker(&self) -> (Addr<Ear>, AskerId, Heard) {
        let heard = Heard::default();
        let ear = Ear { heard: Arc::clone(&heard), disk: self.disk.clone(), attached: None }.start();
        let asker =
            AskerInfo { wire: "tunnel:1".to_owned(), dialect: Dialect::TUNNEL, path: None, pid: None };
        let attached = self.router.send(Attach { asker, lines: ear.clone().recipient() }).await.unwrap();
        let id = attached.id();
        ear.send(Hold::Attached(attached)).await.unwrap();
        (ear, id, heard)
    }

    async fn desk(&self) -> (Addr<Pigeonhole>, DeskId, Arc<Mutex<Vec<DeskMail>>>) {
        let mail = Arc::<Mutex<Vec<DeskMail>>>::default();
        let desk = Pigeonhole { mail: Arc::clone(&mail), seated: None }.start();
        let info = DeskInfo { name: "terminal".to_owned(), source: AnswerSource::Terminal };
        let seated = self.router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
        let id = seated.id();
        desk.send(Hold::Seated(seated)).await.unwrap();
        (desk, id, mail)
    }

    async fn confirm(&self, asker: AskerId, id: &str, timeout: &str) {
        let message = format!(
            r#"{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"confirm","promptConfig":{{"message":"?"}}{timeout}}}"#
        );
        let line = format!(r#"{{"type":"structured","message":{message}}}"#);
        self.router.send(Frames { asker, frames: vec![Frame::Line(Bytes::from(line))] }).await.unwrap();
        settle().await;
    }

    async fn yes(&self, desk: DeskId, number: u64) {
        let key = codec::id::Key { run: "7f3c".into(), number };
        self.router
            .send(DeskSaid { desk, key, said: Said::Answer(Json::parse("true").unwrap()) })
            .await
            .unwrap();
        settle().await;
    }
}

/// Lets every actor read its mail.
async fn settle() {
    for _ in 0..16 {
        tokio::task::yield_now().await;
    }
}

/// Lets the journal's thread work until somebody has heard something.
async fn until(heard: &Heard, lines: usize) {
    while heard.lock().unwrap().len() < lines {
        tokio::task::yield_now().await;
    }
}

fn told(heard: &Heard) -> Vec<String> {
    heard.lock().unwrap().clone()
}

#[actix::test]
async fn a_question_whose_actor_dies_is_refused_and_leaves_the_desk() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    stand.confirm(asker, "b", "").await;
    stand.router.send(BoomPrompt(1)).await.unwrap();
    settle().await;
    assert_eq!(told(&heard).len(), 1);
    assert!(
        told(&heard)[0].contains(r#""requestId":"a""#) && told(&heard)[0].contains(r#""reason":"internal""#)
    );
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(key, _)) if key.number == 1));
    stand.yes(desk, 2).await;
    assert!(told(&heard)[1].contains(r#""requestId":"b","value":true"#), "the others live");
}

#[actix::test]
async fn an_asker_that_dies_leaves_and_its_questions_with_it() {
    let stand = Stand::new(false);
    let ((ear, asker, heard), (_desk, desk, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    assert!(ear.send(Boom).await.is_err());
    settle().await;
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
    stand.yes(desk, 1).await;
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::News(_, News::Late))));
    assert!(told(&heard).is_empty());
}

#[actix::test]
async fn a_desk_that_dies_without_a_word_is_noticed_by_the_next_offer() {
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (desk, _, _mail)) = (stand.asker().await, stand.desk().await);
    desk.send(Boom).await.unwrap();
    settle().await;
    stand.confirm(asker, "a", "").await;
    assert_eq!(told(&heard).len(), 1);
    assert!(told(&heard)[0].contains("refused"), "{:?}", told(&heard));
}

#[actix::test]
async fn an_hour_passes_and_the_deadline_with_it() {
    tokio::time::pause();
    let stand = Stand::new(false);
    let ((_ear, asker, heard), (_desk, _, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", r#","timeoutMs":3600000"#).await;
    tokio::time::advance(Duration::from_millis(3_599_000)).await;
    settle().await;
    assert!(told(&heard).is_empty());
    tokio::time::advance(Duration::from_secs(2)).await;
    settle().await;
    assert!(told(&heard)[0].contains("timed out after 3600000ms"), "{:?}", told(&heard));
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
}

#[actix::test]
async fn whoever_hears_an_answer_finds_it_on_file() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    stand.yes(desk, 1).await;
    until(&heard, 1).await;
    assert!(told(&heard)[0].contains("\"value\":true") && told(&heard)[0].ends_with("recorded: true"));
}

#[actix::test]
async fn a_full_disk_is_said_once_and_holds_nobody_up() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    stand.disk.0.lock().unwrap().is_full = true;
    for number in 1..=3 {
        stand.confirm(asker, &number.to_string(), "").await;
        stand.yes(desk, number).await;
        until(&heard, usize::try_from(number).unwrap()).await;
    }
    let gaps: Vec<String> =
        stand.said.lock().unwrap().iter().filter(|said| said.starts_with("Gap")).cloned().collect();
    assert_eq!(gaps.len(), 1, "{gaps:?}");
    stand.disk.0.lock().unwrap().is_full = false;
    stand.confirm(asker, "4", "").await;
    let progress = stand.router.send(ShutDown { patience: Duration::from_secs(60) }).await.unwrap();
    assert!(progress.lost > 0);
    let on_file = String::from_utf8(stand.disk.0.lock().unwrap().bytes.clone()).unwrap();
    assert!(on_file.contains(&format!(r#""rec":"gap","lost":{}"#, progress.lost)), "{on_file}");
}

#[actix::test]
async fn at_the_end_everybody_hears_it_and_all_is_on_file() {
    let stand = Stand::new(true);
    let ((_ear, asker, heard), (_desk, _, mail)) = (stand.asker().await, stand.desk().await);
    stand.confirm(asker, "a", "").await;
    let progress = stand.router.send(ShutDown { patience: Duration::from_secs(60) }).await.unwrap();
    settle().await;
    assert_eq!(told(&heard).len(), 1);
    assert!(told(&heard)[0].contains(r#""outcome":"disconnected""#), "{:?}", told(&heard));
    assert!(matches!(mail.lock().unwrap().last(), Some(DeskMail::Withdrawn(..))));
    let on_file = String::from_utf8(stand.disk.0.lock().unwrap().bytes.clone()).unwrap();
    assert_eq!(on_file.lines().count() as u64, progress.settled);
    assert_eq!(progress.lost, 0);
}

#[actix::test]
async fn a_disk_that_hangs_holds_nobody_up_once_there_is_no_room_for_records() {
    let stand = Stand::with_room(true, 4_096);
    let ((_ear, asker, heard), (_desk, desk, _)) = (stand.asker().await, stand.desk().await);
    let (hand, hangs) = std::sync::mpsc::channel();
    stand.disk.0.lock().unwrap().hangs = Some(hangs);
    for number in 1..=40 {
        stand.confirm(asker, &number.to_string(), "").await;
        stand.yes(desk, number).await;
    }
    assert!(told(&heard).len() > 20, "{}", told(&heard).len());
    let said = stand.said.lock().unwrap().clone();
    assert_eq!(said.iter().filter(|said| said.starts_with("Gap")).count(), 1, "{said:?}");
    drop(hand);
    until(&heard, 40).await;
}
