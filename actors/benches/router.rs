//! What a question costs: asked as a line, offered to a desk, answered, and replied to as a line, through the actors.
//!
//! `cargo bench -p actors`. One thread; the journal, where it is on, has its own. Rounds are interleaved and medians
//! compared, so that a slow moment of the machine hits all sides alike. The raw ping-pong of actix says what a hop costs
//! at all.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]
#![expect(clippy::unwrap_used, reason = "a bench that cannot go on should stop")]
#![expect(
    clippy::disallowed_methods,
    reason = "a bench looks at the clock, and its mailboxes are bounded by it"
)]

use std::path::PathBuf;
use std::time::{Duration, Instant};

use actix::{Actor, ActorContext as _, Addr, AsyncContext as _, Context, Handler, Message};
use actors::dialect::Dialect;
use actors::journal::{Journal, create};
use actors::messages::{Attach, DeskMail, DeskSaid, Frames, Lines, Seat, ShutDown};
use actors::ports::{NoRecord, Record, RuntimeClock};
use actors::router::{
    AskerId, AskerInfo, Attached, DeskId, DeskInfo, OpenLimits, Router, Routing, RunInfo, Said, Seated,
};
use bytes::Bytes;
use codec::frame::Frame;
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::AnswerSource;
use tokio::sync::oneshot;

const CYCLES: usize = 50_000;
/// Questions under way at a time: as many as one asker may have open.
const WINDOW: usize = OF_ONE_ASKER;
const ROUNDS: usize = 15;
/// As many open questions as one asker may have.
const OF_ONE_ASKER: usize = 256;
const OPEN: [usize; 4] = [10, 100, 1_000, 10_000];

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, measure());
}

async fn measure() {
    let mut times: Vec<(String, Vec<Duration>)> = vec![
        ("actix: a message there and back".to_owned(), Vec::new()),
        ("a question, journal off, 10 open".to_owned(), Vec::new()),
        ("a question, journal off, 100 open".to_owned(), Vec::new()),
        ("a question, journal off, 1,000 open".to_owned(), Vec::new()),
        ("a question, journal off, 10,000 open".to_owned(), Vec::new()),
        ("a question, journal on, 10 open".to_owned(), Vec::new()),
    ];
    for _ in 0..ROUNDS {
        let mut round = vec![ping_pong().await];
        for open in OPEN {
            round.push(cycles(open, None).await);
        }
        round.push(cycles(10, Some(Folder::new())).await);
        for ((_, all), time) in times.iter_mut().zip(round) {
            all.push(time);
        }
    }
    println!(
        "{CYCLES} times each, {WINDOW} under way at a time, {ROUNDS} interleaved rounds, medians, one thread\n"
    );
    let medians: Vec<f64> = times.iter().map(|(_, all)| each(median(all))).collect();
    for ((name, _), ns) in times.iter().zip(&medians) {
        println!("  {name:<38} {ns:>7.0} ns   {:>9.0} a second", 1e9 / ns);
    }
    let times: Vec<Vec<Duration>> = times.into_iter().map(|(_, all)| all).collect();
    if let ([_, few, .., many, kept], [_, few_ns, ..]) = (times.as_slice(), medians.as_slice()) {
        println!("\n  10,000 open against 10:   {:.2} × (at most 1.5)", ratio(many, few));
        println!("  journal off:              {:.0} k a second (at least 200)", 1e6 / few_ns);
        println!("  journal on against off:   {:.2} of the rate (at least 0.5)", ratio(few, kept));
    }
}

/// The median of the ratios of each round: a slow moment of the machine hits both sides of one round alike.
fn ratio(one: &[Duration], other: &[Duration]) -> f64 {
    let mut ratios: Vec<f64> =
        one.iter().zip(other).map(|(one, other)| one.as_secs_f64() / other.as_secs_f64()).collect();
    ratios.sort_by(f64::total_cmp);
    *ratios.get(ratios.len() / 2).unwrap()
}

fn each(time: Duration) -> f64 {
    time.as_nanos() as f64 / CYCLES as f64
}

fn median(times: &[Duration]) -> Duration {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    *sorted.get(sorted.len() / 2).unwrap()
}

/// A folder for a journal, gone afterwards.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        let folder = std::env::temp_dir().join(format!("tim-bench-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// How long it takes to have so many questions answered while others stay open.
async fn cycles(open: usize, journal: Option<Folder>) -> Duration {
    let router = start_router(journal.as_ref());
    let desk = Desk { router: router.clone(), seated: None, id: None }.start();
    let info = DeskInfo::new("terminal", AnswerSource::Terminal);
    let seated = router.send(Seat { desk: info, mail: desk.clone().recipient() }).await.unwrap();
    desk.send(SitDown(seated)).await.unwrap();
    let (done, is_done) = oneshot::channel();
    let asker =
        Asker { router: router.clone(), attached: None, asked: 0, heard: 0, done: Some(done) }.start();
    let wire = AskerInfo {
        wire: "tunnel:1".to_owned(),
        dialect: Dialect::TUNNEL,
        path: None,
        pid: None,
        below: None,
    };
    let attached = router.send(Attach { asker: wire, lines: asker.clone().recipient() }).await.unwrap();
    let others = wait_for_nobody(&router, open).await;
    let begin = Instant::now();
    asker.send(Go(attached)).await.unwrap();
    is_done.await.unwrap();
    let time = begin.elapsed();
    drop(others);
    router.send(ShutDown { patience: Duration::from_secs(10), code: None }).await.unwrap();
    time
}

/// Questions that nobody answers, of as many askers as it takes: the desk knows them by their kind.
async fn wait_for_nobody(router: &Addr<Router>, open: usize) -> Vec<(Attached, Addr<Asker>)> {
    let mut askers = Vec::new();
    for first in (0..open).step_by(OF_ONE_ASKER) {
        let asker = Asker { router: router.clone(), attached: None, asked: 0, heard: 0, done: None }.start();
        let wire = format!("tunnel:w{first}");
        let info = AskerInfo { wire, dialect: Dialect::TUNNEL, path: None, pid: None, below: None };
        let attached = router.send(Attach { asker: info, lines: asker.clone().recipient() }).await.unwrap();
        let last = open.min(first + OF_ONE_ASKER);
        let frames = (first..last).map(|number| line("input", &format!("w{number}"))).collect();
        router.send(Frames { asker: attached.id(), frames }).await.unwrap();
        askers.push((attached, asker));
    }
    askers
}

fn start_router(journal: Option<&Folder>) -> Addr<Router> {
    let path = journal.map(|folder| folder.0.join("run.jsonl"));
    Router::create(move |ctx| {
        let record: Box<dyn Record> = match path {
            None => Box::new(NoRecord),
            Some(path) => {
                Box::new(Journal::start(create(&path).unwrap(), Router::waker(ctx.address())).unwrap())
            }
        };
        let run = RunInfo {
            id: "be2c".into(),
            seed: "bench".to_owned(),
            began_unix_ms: 0,
            open: OpenLimits { all: 20_000, ..OpenLimits::default() },
            limits: Limits::STANDARD,
            publishes: false,
            path: None,
            role: codec::tunnel::Role::Run,
            gate: std::sync::Arc::default(),
            permission_timeout_ms: None,
            question_timeout_ms: None,
            is_bridged: false,
            allow_on_timeout: false,
        };
        Router::new(Routing::new(run, record), Box::new(RuntimeClock::start()), None)
    })
}

fn line(kind: &str, id: &str) -> Frame {
    Frame::Line(Bytes::from(format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"2026-11-16T09:00:00.000Z","requestId":"{id}","promptType":"{kind}","promptConfig":{{"message":"Delete the three files that the build left behind?"}},"timeoutMs":60000}}}}"#
    )))
}

/// Asks, and asks again when it is answered.
struct Asker {
    router: Addr<Router>,
    attached: Option<Attached>,
    asked: usize,
    heard: usize,
    done: Option<oneshot::Sender<()>>,
}

impl Asker {
    fn ask(&mut self, count: usize) {
        let count = count.min(CYCLES - self.asked);
        let frames = (0..count).map(|number| line("confirm", &format!("q{}", self.asked + number))).collect();
        self.asked += count;
        let asker: AskerId = self.attached.as_ref().unwrap().id();
        self.router.do_send(Frames { asker, frames });
    }
}

#[derive(Message)]
#[rtype(result = "()")]
struct Go(Attached);

impl Actor for Asker {
    type Context = Context<Self>;
}

impl Handler<Go> for Asker {
    type Result = ();

    fn handle(&mut self, Go(attached): Go, _: &mut Self::Context) {
        self.attached = Some(attached);
        // One message each, as separate clients would send them.
        for _ in 0..WINDOW {
            self.ask(1);
        }
    }
}

impl Handler<Lines> for Asker {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, ctx: &mut Self::Context) {
        for _ in &lines {
            self.heard += 1;
            if self.asked < CYCLES {
                self.ask(1);
            }
        }
        if self.heard == CYCLES {
            let _ = self.done.take().unwrap().send(());
            ctx.stop();
        }
    }
}

/// Answers every yes-or-no question at once, and nothing else.
struct Desk {
    router: Addr<Router>,
    seated: Option<Seated>,
    id: Option<DeskId>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct SitDown(Seated);

impl Actor for Desk {
    type Context = Context<Self>;
}

impl Handler<SitDown> for Desk {
    type Result = ();

    fn handle(&mut self, SitDown(seated): SitDown, _: &mut Self::Context) {
        self.id = Some(seated.id());
        self.seated = Some(seated);
    }
}

impl Handler<DeskMail> for Desk {
    type Result = ();

    fn handle(&mut self, mail: DeskMail, _: &mut Self::Context) {
        if let DeskMail::Offered(offer) = mail
            && offer.question.kind() == codec::tunnel::QuestionKind::Confirm
        {
            let said = Said::Answer(Json::parse("true").unwrap());
            self.router.do_send(DeskSaid { desk: self.id.unwrap(), key: offer.key.clone(), said });
        }
    }
}

/// Two actors that do nothing but send a number there and back.
async fn ping_pong() -> Duration {
    let (done, is_done) = oneshot::channel();
    let wall = Wall.start();
    let begin = Instant::now();
    Player { wall, left: CYCLES, done: Some(done) }.start();
    is_done.await.unwrap();
    begin.elapsed()
}

struct Wall;

struct Player {
    wall: Addr<Wall>,
    left: usize,
    done: Option<oneshot::Sender<()>>,
}

#[derive(Message)]
#[rtype(result = "()")]
struct Ping(Addr<Player>);

#[derive(Message)]
#[rtype(result = "()")]
struct Pong;

impl Actor for Wall {
    type Context = Context<Self>;
}

impl Handler<Ping> for Wall {
    type Result = ();

    fn handle(&mut self, Ping(player): Ping, _: &mut Self::Context) {
        player.do_send(Pong);
    }
}

impl Actor for Player {
    type Context = Context<Self>;

    fn started(&mut self, ctx: &mut Self::Context) {
        self.wall.do_send(Ping(ctx.address()));
    }
}

impl Handler<Pong> for Player {
    type Result = ();

    fn handle(&mut self, Pong: Pong, ctx: &mut Self::Context) {
        self.left -= 1;
        if self.left == 0 {
            let _ = self.done.take().unwrap().send(());
            return ctx.stop();
        }
        self.wall.do_send(Ping(ctx.address()));
    }
}
