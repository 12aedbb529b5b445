//! One random life of a router, checked after every step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use codec::Outcome;
use codec::claude::{Decision, Input};
use codec::frame::Frame;
use codec::id::Key;
use codec::journal::{Body, Entry, Event as Recorded};
use codec::json::{Json, Object};
use codec::limits::Limits;
use codec::tunnel::{AnswerSource, Down, PromptKind};

use crate::dialect::Dialect;
use crate::messages::{Attach, DeskSaid, Frames, Seat, Settled, ShutDown};
use crate::ports::RuntimeClock;
use crate::post::post_to;
use crate::prompt::Prompt;
use crate::question::{Asks, Question};
use crate::replay::{Happening, Replay, Told};
use crate::router::{
    AskerInfo, Attached, DeskId, DeskInfo, Number, OpenLimits, Router, Routing, RunInfo, Said, Seated,
};

use super::actors::{Asker, Desk, Ear, Recorder, Tape, View};
use super::model::{Model, Peer};
use super::random::Random;
use super::{Sabotage, UNFIT};

/// What was found to be wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// a question did not end once, as it should and for whom it should (invariants 1, 3, 8)
    Ends(String),
    /// an answer counted that should not, or the other way round (invariant 2)
    Late(String),
    /// a desk does not hold what it should (invariants 4, 5)
    Desks(String),
    /// the queue is not fair (invariant 5)
    Fairness(String),
    /// something took effect before its record was on file (invariant 11)
    Journal(String),
    /// the record does not tell what happened (invariant 13)
    Replay(String),
}

/// What a life was like, to see that the lives are worth living.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Life {
    pub(super) outcomes: BTreeMap<&'static str, usize>,
    pub(super) late: usize,
    pub(super) tape: Vec<String>,
}

const RUN: &str = "51a";
const LIMIT: usize = 3;

/// Lives one life.
pub(super) fn live(seed: u64, sabotage: Sabotage) -> Result<Life, Broken> {
    let runtime =
        tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
    tokio::task::LocalSet::new().block_on(&runtime, async move {
        let mut world = World::new(seed, sabotage);
        if world.random.below(4) > 0 {
            world.asker_comes().await;
            world.asker_comes().await;
            world.desk_comes().await;
        }
        let steps = 20 + world.random.below(60);
        for _ in 0..steps {
            world.step().await;
            world.check(false)?;
        }
        world.end().await
    })
}

struct Person {
    attached: Attached,
    ear: Arc<Mutex<Ear>>,
    wire: String,
}

struct Table {
    seated: Seated,
    view: Arc<Mutex<View>>,
}

struct World {
    random: Random,
    sabotage: Sabotage,
    router: Addr<Router>,
    tape: Arc<Mutex<Tape>>,
    read_to: usize,
    asked: BTreeSet<u64>,
    ended: BTreeMap<u64, Outcome>,
    late: usize,
    model: Model,
    people: BTreeMap<u64, Person>,
    tables: BTreeMap<u64, Table>,
    wires: u64,
}

impl World {
    fn new(seed: u64, sabotage: Sabotage) -> Self {
        let tape = Arc::new(Mutex::new(Tape::default()));
        let run = RunInfo {
            id: RUN.into(),
            seed: seed.to_string(),
            began_unix_ms: 0,
            open: OpenLimits { each: LIMIT, all: 10_000 },
            limits: Limits::STANDARD,
            publishes: false,
        };
        let mut routing = Routing::new(run, Box::new(Recorder(Arc::clone(&tape))));
        routing.sabotage = sabotage;
        Self {
            random: Random::new(seed),
            sabotage,
            router: Router::new(routing, Box::new(RuntimeClock::start()), None).start(),
            tape,
            read_to: 0,
            asked: BTreeSet::new(),
            ended: BTreeMap::new(),
            late: 0,
            model: Model { limit: LIMIT, ..Model::default() },
            people: BTreeMap::new(),
            tables: BTreeMap::new(),
            wires: 0,
        }
    }

    async fn step(&mut self) {
        match self.random.below(100) {
            0..10 => self.asker_comes().await,
            10..14 => self.asker_leaves(),
            14..40 => self.somebody_asks().await,
            40..45 => self.somebody_asks_nonsense().await,
            45..52 => self.somebody_cancels().await,
            52..60 => self.desk_comes().await,
            60..64 => self.desk_leaves(),
            64..80 => self.desk_answers().await,
            80..83 => self.desk_says(Said::Answer(Json::parse(UNFIT).unwrap())).await,
            83..86 => self.desk_says(Said::GiveBack("cannot".to_owned())).await,
            86..88 => self.desk_says(Said::Decline).await,
            88..89 => self.desk_says(Said::TimedOut).await,
            89..91 => self.prompt_vanishes().await,
            91..96 => self.time_passes().await,
            _ => self.journal_settles(),
        }
        self.idle().await;
    }

    /// Lets everybody read their mail.
    async fn idle(&self) {
        for _ in 0..8 {
            tokio::task::yield_now().await;
        }
    }

    async fn asker_comes(&mut self) {
        if self.people.len() >= 4 {
            return;
        }
        self.wires += 1;
        let is_agent = self.random.below(3) == 0;
        let (wire, dialect) = if is_agent {
            (format!("claude:{}", self.wires), Dialect::Claude)
        } else {
            (format!("tunnel:{}", self.wires), Dialect::TUNNEL)
        };
        let ear = Arc::<Mutex<Ear>>::default();
        let asker = Asker { wire: wire.clone(), ear: Arc::clone(&ear), tape: Arc::clone(&self.tape) }.start();
        let info = AskerInfo { wire: wire.clone(), dialect, path: None, pid: None };
        let attached = self.router.send(Attach { asker: info, lines: asker.recipient() }).await.unwrap();
        let id = attached.id().0;
        self.model.askers.insert(id, Peer { is_agent, ..Peer::default() });
        self.people.insert(id, Person { attached, ear, wire });
    }

    fn asker_leaves(&mut self) {
        let there: Vec<u64> = self.people.keys().copied().collect();
        if let Some(id) = self.random.pick(&there) {
            self.people.remove(&id).unwrap().attached.leave("peer closed");
            self.model.asker_left(id);
        }
    }

    async fn say(&self, asker: u64, line: String) {
        let Some(person) = self.people.get(&asker) else { return };
        let frames = vec![Frame::Line(Bytes::from(line))];
        self.router.send(Frames { asker: person.attached.id(), frames }).await.unwrap();
    }

    fn somebody(&mut self) -> Option<(u64, bool, String)> {
        let there: Vec<u64> = self.people.keys().copied().collect();
        let asker = self.random.pick(&there)?;
        let id = format!("id{}", self.random.below(5));
        let is_agent = self.people.get(&asker).unwrap().wire.starts_with("claude");
        Some((asker, is_agent, id))
    }

    async fn somebody_asks(&mut self) {
        let Some((asker, is_agent, id)) = self.somebody() else { return };
        // Deadlines end in 5 and steps of time in 0: they never meet.
        let timeout = (self.random.below(3) > 0).then(|| 5 + 10 * self.random.below(9)).filter(|_| !is_agent);
        let line = if is_agent { agent_line(&id) } else { client_line(&id, timeout, self.random.below(4)) };
        self.say(asker, line).await;
        self.model.ask(asker, &id, timeout);
    }

    async fn somebody_asks_nonsense(&mut self) {
        let Some((asker, is_agent, id)) = self.somebody() else { return };
        let line = if is_agent {
            format!(r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"sing"}}}}"#)
        } else {
            envelope(&id, r#""select","promptConfig":{"message":"?","choices":[]}"#, None)
        };
        self.say(asker, line).await;
        self.model.misask(asker, &id);
    }

    async fn somebody_cancels(&mut self) {
        let Some((asker, is_agent, id)) = self.somebody() else { return };
        let line = if is_agent {
            format!(r#"{{"type":"control_cancel_request","request_id":"{id}"}}"#)
        } else {
            format!(r#"{{"type":"prompt_cancel","requestId":"{id}","reason":"cancelled"}}"#)
        };
        self.say(asker, line).await;
        self.model.cancel(asker, &id);
    }

    async fn desk_comes(&mut self) {
        if self.tables.len() >= 3 {
            return;
        }
        let source =
            self.random.pick(&[AnswerSource::Terminal, AnswerSource::Parent, AnswerSource::Command]).unwrap();
        let view = Arc::<Mutex<View>>::default();
        let desk = Desk { view: Arc::clone(&view), sabotage: self.sabotage }.start();
        let info = DeskInfo { name: source.word().to_owned(), source };
        let seated = self.router.send(Seat { desk: info, mail: desk.recipient() }).await.unwrap();
        let id = seated.id().0;
        self.model.desk_came(id, source == AnswerSource::Parent);
        self.tables.insert(id, Table { seated, view });
    }

    fn desk_leaves(&mut self) {
        let there: Vec<u64> = self.tables.keys().copied().collect();
        if let Some(id) = self.random.pick(&there) {
            self.tables.remove(&id).unwrap().seated.leave("hung up");
            self.model.desk_left(id);
        }
    }

    /// A desk and a question, which it may hold, have held or never have seen.
    fn desk_and_question(&mut self) -> Option<(u64, u64)> {
        let there: Vec<u64> = self.tables.keys().copied().collect();
        let desk = self.random.pick(&there)?;
        let held: Vec<u64> = self.tables.get(&desk)?.view.lock().unwrap().offers.keys().copied().collect();
        let any = 1 + self.random.below(self.model.numbers + 1);
        let number = if self.random.below(5) > 0 { self.random.pick(&held).unwrap_or(any) } else { any };
        Some((desk, number))
    }

    async fn desk_answers(&mut self) {
        let Some((desk, number)) = self.desk_and_question() else { return };
        let offer = self.tables.get(&desk).unwrap().view.lock().unwrap().offers.get(&number).cloned();
        let value = offer.map_or_else(|| Json::of(&true), |offer| fitting(&offer.question));
        self.desk_ends(desk, number, Said::Answer(value), Outcome::Answered).await;
    }

    async fn desk_says(&mut self, said: Said) {
        let Some((desk, number)) = self.desk_and_question() else { return };
        match &said {
            Said::Decline => self.desk_ends(desk, number, said, Outcome::Declined).await,
            Said::TimedOut => self.desk_ends(desk, number, said, Outcome::TimedOut).await,
            Said::GiveBack(_) => {
                self.said(desk, number, said).await;
                self.tables.get(&desk).unwrap().view.lock().unwrap().gone(&key(number), false);
                self.model.give_back(desk, number, Outcome::Refused);
            }
            _ => {
                self.said(desk, number, said).await;
                let holds = self.model.held_by(desk).contains(&number);
                self.model.late += usize::from(!holds);
            }
        }
    }

    async fn desk_ends(&mut self, desk: u64, number: u64, said: Said, outcome: Outcome) {
        self.said(desk, number, said).await;
        self.tables.get(&desk).unwrap().view.lock().unwrap().gone(&key(number), false);
        self.model.desk_ends(desk, number, outcome);
    }

    async fn said(&self, desk: u64, number: u64, said: Said) {
        self.router.send(DeskSaid { desk: DeskId(desk), key: key(number), said }).await.unwrap();
    }

    async fn prompt_vanishes(&mut self) {
        let live: Vec<u64> = self.model.live.iter().map(|live| live.number).collect();
        if let Some(number) = self.random.pick(&live) {
            self.router.send(Vanish(Number(number))).await.unwrap();
            self.model.end(number, Outcome::Refused);
        }
    }

    async fn time_passes(&mut self) {
        let ms = 10 * (1 + self.random.below(6));
        tokio::time::advance(Duration::from_millis(ms)).await;
        self.model.advance(ms);
    }

    fn journal_settles(&mut self) {
        {
            let mut tape = self.tape.lock().unwrap();
            let behind = tape.lines.len() as u64 - tape.settled;
            tape.settled += if self.random.below(2) == 0 { behind } else { self.random.below(behind + 1) };
        }
        post_to(&self.router, Settled).unwrap();
    }

    async fn end(&mut self) -> Result<Life, Broken> {
        self.router.send(ShutDown { patience: Duration::from_secs(1) }).await.unwrap();
        self.model.end_all(Outcome::Disconnected);
        self.idle().await;
        self.check(true)?;
        let mut life = Life { late: self.late, ..Life::default() };
        for outcome in self.ended.values() {
            *life.outcomes.entry(outcome.word()).or_default() += 1;
        }
        life.tape.clone_from(&self.tape.lock().unwrap().lines);
        replays(&life.tape)?;
        Ok(life)
    }

    /// Whether the router did what the model says. What waits for the journal may still be missing.
    fn check(&mut self, is_over: bool) -> Result<(), Broken> {
        self.read_tape();
        let settled = {
            let tape = self.tape.lock().unwrap();
            tape.settled == tape.lines.len() as u64
        };
        self.check_desks()?;
        if self.late != self.model.late {
            return Err(Broken::Late(format!("{} late answers, expected {}", self.late, self.model.late)));
        }
        if self.ended != self.model.ended {
            return Err(Broken::Ends(format!("ended {:?}, expected {:?}", self.ended, self.model.ended)));
        }
        let open: BTreeSet<u64> =
            self.asked.iter().filter(|key| !self.ended.contains_key(key)).copied().collect();
        let live: BTreeSet<u64> = self.model.live.iter().map(|live| live.number).collect();
        if open != live {
            return Err(Broken::Ends(format!("open {open:?}, expected {live:?}")));
        }
        self.check_ears(is_over && settled)
    }

    fn read_tape(&mut self) {
        let tape = self.tape.lock().unwrap();
        for line in tape.lines.iter().skip(self.read_to) {
            match Entry::read(line.as_bytes()).unwrap().body {
                Body::Event(Recorded::Ask(ask)) => drop(self.asked.insert(ask.key.number)),
                Body::Event(Recorded::Ended(end)) if self.asked.contains(&end.key.number) => {
                    let before = self.ended.insert(end.key.number, end.outcome);
                    assert_eq!(before, None, "{} ended twice on record", end.key);
                }
                Body::Event(Recorded::Late(_)) => self.late += 1,
                _ => {}
            }
        }
        self.read_to = tape.lines.len();
    }

    fn check_desks(&self) -> Result<(), Broken> {
        for (id, table) in &self.tables {
            let view = table.view.lock().unwrap();
            if let Some(odd) = view.odd.clone() {
                return Err(Broken::Desks(odd));
            }
            if let Some(unfair) = view.unfair.clone() {
                return Err(Broken::Fairness(unfair));
            }
            let holds: BTreeSet<u64> = view.offers.keys().copied().collect();
            let expected = self.model.held_by(*id);
            if holds != expected {
                return Err(Broken::Desks(format!("desk {id} holds {holds:?}, expected {expected:?}")));
            }
        }
        Ok(())
    }

    fn check_ears(&self, is_complete: bool) -> Result<(), Broken> {
        for (id, person) in &self.people {
            let ear = person.ear.lock().unwrap();
            if let Some(line) = &ear.too_early {
                return Err(Broken::Journal(format!("before its record: {line}")));
            }
            let heard: Vec<_> = ear.heard.iter().map(|line| understood(line)).collect();
            let peer = self.model.askers.get(id).unwrap();
            let must: Vec<_> =
                peer.must_hear.iter().map(|(id, end)| (id.clone(), told(*end, peer.is_agent))).collect();
            let fits = if is_complete { heard == must } else { must.starts_with(&heard) };
            if !fits {
                return Err(Broken::Ends(format!("{} heard {heard:?}, expected {must:?}", person.wire)));
            }
        }
        Ok(())
    }
}

/// Whether the same happens again when the router is given what is on the tape.
fn replays(tape: &[String]) -> Result<(), Broken> {
    let mut replay = Replay::new();
    let as_told = |told: &Happening| !matches!(told, Happening::Unused(_) | Happening::Differs(_));
    let differs = |told: &[Told]| match told.iter().find(|(_, told)| !as_told(told)) {
        Some((_, odd)) => Err(Broken::Replay(format!("{odd:?}"))),
        None => Ok(()),
    };
    for line in tape {
        let told: Vec<Told> = replay.line(line.as_bytes()).unwrap().collect();
        differs(&told)?;
    }
    let told: Vec<Told> = replay.finish().unwrap().collect();
    differs(&told)
}

/// An agent only hears whether it may.
fn told(outcome: Outcome, is_agent: bool) -> Outcome {
    if is_agent && outcome != Outcome::Answered { Outcome::Refused } else { outcome }
}

fn understood(line: &str) -> (String, Outcome) {
    if let Ok(Input::ControlResponse(reply)) = Input::read(line.as_bytes()) {
        let response = reply.response.response.clone().and_then(|json| Object::read(json).ok());
        let allows =
            response.is_some_and(|object| matches!(Decision::from_object(object), Decision::Allow(_)));
        let outcome = if allows { Outcome::Answered } else { Outcome::Refused };
        return (reply.response.request_id.get(), outcome);
    }
    match Down::read(line.as_bytes()).unwrap() {
        Down::Response(response) => (response.request_id.get(), response.ended()),
        Down::Permission(response) => (response.request_id.get(), response.outcome.unwrap()),
        other => panic!("not a reply: {other:?}"),
    }
}

fn key(number: u64) -> Key {
    Key { run: RUN.into(), number }
}

fn agent_line(id: &str) -> String {
    let request =
        r#"{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"a"},"tool_use_id":"t"}"#;
    format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#)
}

fn client_line(id: &str, timeout: Option<u64>, kind: u64) -> String {
    match kind {
        0 => {
            let timeout = timeout.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
            format!(
                r#"{{"type":"permission_request","requestId":"{id}","tool_name":"Bash","input":{{"command":"echo"}}{timeout}}}"#
            )
        }
        1 => envelope(id, r#""confirm","promptConfig":{"message":"?"}"#, timeout),
        2 => envelope(
            id,
            r#""select","promptConfig":{"message":"?","choices":[{"name":"a","value":1},{"name":"b","value":"b"}]}"#,
            timeout,
        ),
        _ => envelope(id, r#""input","promptConfig":{"message":"?"}"#, timeout),
    }
}

fn envelope(id: &str, rest: &str, timeout: Option<u64>) -> String {
    let timeout = timeout.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
    format!(
        r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":{rest}{timeout}}}}}"#
    )
}

fn fitting(question: &Question) -> Json<'static> {
    let text = match &question.asks {
        Asks::Permission(_) => r#"{"allow":true}"#,
        Asks::Prompt(PromptKind::Confirm, _) => "false",
        Asks::Prompt(PromptKind::Select, _) => "\"b\"",
        _ => "\"some words\"",
    };
    Json::parse(text).unwrap()
}

/// Ends a question's actor without a word from the router.
#[derive(Message)]
#[rtype(result = "()")]
struct Vanish(Number);

impl Handler<Vanish> for Router {
    type Result = ();

    fn handle(&mut self, vanish: Vanish, _: &mut Self::Context) {
        if let Some(prompt) = self.prompts.get(&vanish.0) {
            post_to(prompt, vanish).unwrap();
        }
    }
}

impl Handler<Vanish> for Prompt {
    type Result = ();

    fn handle(&mut self, _: Vanish, ctx: &mut Self::Context) {
        ctx.stop();
    }
}
