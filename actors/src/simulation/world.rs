//! One random life of a router, checked after every step.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use codec::Outcome;
use codec::frame::Frame;
use codec::id::Key;
use codec::json::Json;
use codec::limits::Limits;
use codec::tunnel::AnswerSource;

use crate::dialect::Dialect;
use crate::gate::rules::RuleSet;
use crate::gate::{Gate, Place};
use crate::messages::{Attach, DeskSaid, Frames, Seat, Settled, ShutDown, Typed};
use crate::ports::RuntimeClock;
use crate::post::post_to;
use crate::prompt::Prompt;
use crate::router::{
    AskerInfo, Attached, DeskId, DeskInfo, Number, OpenLimits, Router, Routing, RunInfo, Said, Seated,
};

use super::actors::{Asker, Desk, Ear, Recorder, Tape, View};
use super::check::{Broken, replays};
use super::lines::{agent_line, client_line, envelope, file_of, fitting, granting};
use super::model::{Model, Peer};
use super::random::Random;
use super::{Sabotage, UNFIT};

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

pub(super) struct Person {
    attached: Attached,
    pub(super) ear: Arc<Mutex<Ear>>,
    pub(super) wire: String,
}

pub(super) struct Table {
    seated: Seated,
    pub(super) view: Arc<Mutex<View>>,
}

pub(super) struct World {
    pub(super) random: Random,
    /// whether desks allow things for longer than once: in every fourth life
    grants: bool,
    /// whether there are desks that may answer and do not count: in every third life
    has_helpers: bool,
    pub(super) sabotage: Sabotage,
    pub(super) router: Addr<Router>,
    pub(super) tape: Arc<Mutex<Tape>>,
    pub(super) read_to: usize,
    pub(super) asked: BTreeSet<u64>,
    pub(super) ended: BTreeMap<u64, Outcome>,
    pub(super) late: usize,
    pub(super) model: Model,
    pub(super) people: BTreeMap<u64, Person>,
    pub(super) tables: BTreeMap<u64, Table>,
    pub(super) wires: u64,
}

impl World {
    fn new(seed: u64, sabotage: Sabotage) -> Self {
        let tape = Arc::new(Mutex::new(Tape::default()));
        let grants = seed % 4 == 1;
        let place = Place { root: "/proj/app".to_owned(), home: None };
        let run = RunInfo {
            id: RUN.into(),
            seed: seed.to_string(),
            began_unix_ms: 0,
            open: OpenLimits { each: LIMIT, all: 10_000, ..OpenLimits::default() },
            limits: Limits::STANDARD,
            publishes: false,
            path: None,
            role: codec::tunnel::Role::Run,
            gate: Arc::new(Gate::new(RuleSet::default(), if grants { place } else { Place::default() })),
            permission_timeout_ms: None,
            question_timeout_ms: None,
            is_bridged: false,
            allow_on_timeout: false,
        };
        let mut routing = Routing::new(run, Box::new(Recorder(Arc::clone(&tape))));
        routing.sabotage = sabotage;
        Self {
            random: Random::new(seed),
            grants,
            has_helpers: seed.is_multiple_of(3),
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
            83..85 => self.desk_says(Said::GiveBack("cannot".to_owned())).await,
            85 => self.desk_says(Said::Refused("no_desk", "No one".to_owned())).await,
            86 => self.desk_says(Said::Decline).await,
            87 => self.desk_says(Said::Shown).await,
            88 => self.desk_says(Said::TimedOut(None)).await,
            89 => self.desk_says(Said::Lost).await,
            90 => self.prompt_vanishes().await,
            91..95 => self.time_passes().await,
            95 => self.somebody_types().await,
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
        let info = AskerInfo { wire: wire.clone(), dialect, path: None, pid: None, below: None };
        let attached = self.router.send(Attach { asker: info, lines: asker.recipient() }).await.unwrap();
        let id = attached.id().0;
        self.model.askers.insert(id, Peer { is_agent, ..Peer::default() });
        self.people.insert(id, Person { attached, ear, wire });
        if !is_agent && self.random.below(2) == 0 {
            let is_script = self.random.below(2) == 0;
            let peer = if is_script { "script" } else { "tim" };
            self.say(id, vec![format!(r#"{{"type":"hello","tim":1,"as":"{peer}","label":"w{id}"}}"#)]).await;
            self.model.greeted(id, is_script);
        }
    }

    fn asker_leaves(&mut self) {
        let there: Vec<u64> = self.people.keys().copied().collect();
        if let Some(id) = self.random.pick(&there) {
            self.people.remove(&id).unwrap().attached.leave("peer closed");
            self.model.asker_left(id);
        }
    }

    /// What one read brings.
    async fn say(&self, asker: u64, lines: Vec<String>) {
        let Some(person) = self.people.get(&asker) else { return };
        let frames = lines.into_iter().map(|line| Frame::Line(Bytes::from(line))).collect();
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
        let Some((asker, is_agent, _)) = self.somebody() else { return };
        let mut lines = Vec::new();
        for _ in 0..=self.random.below(2) {
            let id = format!("id{}", self.random.below(5));
            // Deadlines end in 5 and steps of time in 0: they never meet.
            let timeout =
                (self.random.below(3) > 0).then(|| 5 + 10 * self.random.below(9)).filter(|_| !is_agent);
            let kind = self.random.below(4);
            let file = if self.grants { file_of(&id) } else { "a".to_owned() };
            lines.push(if is_agent { agent_line(&id, &file) } else { client_line(&id, timeout, kind) });
            self.model.ask(asker, &id, timeout);
        }
        self.say(asker, lines).await;
    }

    async fn somebody_types(&mut self) {
        let text = format!("line {}", self.random.below(100));
        self.router.send(Typed { text: text.clone(), ..Typed::default() }).await.unwrap();
        self.model.typed(&text);
    }

    async fn somebody_asks_nonsense(&mut self) {
        let Some((asker, is_agent, id)) = self.somebody() else { return };
        let line = if is_agent {
            format!(r#"{{"type":"control_request","request_id":"{id}","request":{{"subtype":"sing"}}}}"#)
        } else {
            envelope(&id, r#""select","promptConfig":{"message":"?","choices":[]}"#, None)
        };
        self.say(asker, vec![line]).await;
        self.model.misask(asker, &id);
    }

    async fn somebody_cancels(&mut self) {
        let Some((asker, is_agent, id)) = self.somebody() else { return };
        let reasons = [
            ("cancelled", Outcome::Cancelled),
            ("asker_gone", Outcome::Cancelled),
            ("timed_out", Outcome::TimedOut),
        ];
        let (reason, outcome) = self.random.pick(&reasons).unwrap();
        if is_agent {
            let line = format!(r#"{{"type":"control_cancel_request","request_id":"{id}"}}"#);
            self.say(asker, vec![line]).await;
            self.model.cancel(asker, &id, Outcome::Cancelled);
        } else {
            let line = format!(r#"{{"type":"prompt_cancel","requestId":"{id}","reason":"{reason}"}}"#);
            self.say(asker, vec![line]).await;
            self.model.cancel(asker, &id, outcome);
        }
    }

    async fn desk_comes(&mut self) {
        if self.tables.len() >= 3 {
            return;
        }
        use AnswerSource::{Command, Control, Parent, Terminal};
        let all = [Terminal, Parent, Command, Control];
        let source = self.random.pick(if self.has_helpers { &all } else { &all[..3] }).unwrap();
        let view = Arc::<Mutex<View>>::default();
        let desk = Desk { view: Arc::clone(&view), sabotage: self.sabotage }.start();
        let counts = source != Control;
        let info = DeskInfo { counts, ..DeskInfo::new(source.word(), source) };
        let seated = self.router.send(Seat { desk: info, mail: desk.recipient() }).await.unwrap();
        let id = seated.id().0;
        self.model.helpers.extend((!counts).then_some(id));
        self.model.desk_came(id, source == Parent);
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
        let granting = offer.as_ref().and_then(|offer| granting(&offer.question));
        if let Some((value, id)) = granting.filter(|_| self.grants && self.random.below(2) == 0) {
            self.said(desk, number, Said::Answer(value)).await;
            return self.model.desk_grants(desk, number, &id);
        }
        let value = offer.map_or_else(|| Json::of(&true), |offer| fitting(&offer.question));
        self.desk_ends(desk, number, Said::Answer(value), Outcome::Answered).await;
    }

    async fn desk_says(&mut self, said: Said) {
        let Some((desk, number)) = self.desk_and_question() else { return };
        match &said {
            Said::Decline => self.desk_ends(desk, number, said, Outcome::Declined).await,
            Said::TimedOut(_) => self.desk_ends(desk, number, said, Outcome::TimedOut).await,
            Said::Lost => self.gives_back(desk, number, said, Outcome::Disconnected).await,
            Said::GiveBack(_) | Said::Refused(..) => {
                self.gives_back(desk, number, said, Outcome::Refused).await;
            }
            Said::Shown => {
                self.said(desk, number, said).await;
                self.model.shown(desk, number);
            }
            Said::Answer(_) => {
                self.said(desk, number, said).await;
                let holds = self.model.held_by(desk).contains(&number);
                self.model.late += usize::from(!holds);
            }
        }
    }

    async fn desk_ends(&mut self, desk: u64, number: u64, said: Said, outcome: Outcome) {
        self.said(desk, number, said).await;
        self.model.desk_ends(desk, number, outcome);
    }

    /// What a desk gives back it does not hold any more: nobody tells it.
    async fn gives_back(&mut self, desk: u64, number: u64, said: Said, if_last: Outcome) {
        let holds = self.model.held_by(desk).contains(&number);
        self.said(desk, number, said).await;
        if holds {
            self.tables.get(&desk).unwrap().view.lock().unwrap().gone(&key(number));
        }
        self.model.give_back(desk, number, if_last);
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
        self.router.send(ShutDown { patience: Duration::from_secs(1), code: None }).await.unwrap();
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
}

fn key(number: u64) -> Key {
    Key { run: RUN.into(), number }
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
