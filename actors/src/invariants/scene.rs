//! A router without actors: what it is told, what it says, and who holds what.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use codec::Outcome;
use codec::frame::Frame;
use codec::id::{Key, Path};
use codec::journal::{Body, Entry, Event as Recorded};
use codec::json::Json;
use codec::tunnel::AnswerSource;

use crate::dialect::Dialect;
use crate::gate::rules::{Rule, RuleSet};
use crate::gate::{Gate, Place};
use crate::messages::Typed;
use crate::ports::Started;
use crate::router::{
    AskerId, AskerInfo, DeskId, DeskInfo, Emitted, Keeper, News, Number, OpenLimits, Order, Routing, RunInfo,
    Said,
};
use crate::simulation::Sabotage;
use crate::simulation::actors::{Recorder, Tape};

/// A router, and everything that it had done.
pub(super) struct Scene {
    pub(super) routing: Routing,
    tape: Arc<Mutex<Tape>>,
    pub(super) now: u64,
    heard: BTreeMap<AskerId, Vec<String>>,
    held: BTreeMap<DeskId, BTreeSet<u64>>,
    pub(super) news: Vec<(DeskId, Key, News)>,
    pub(super) emitted: Vec<Emitted>,
    /// what programs were told of typed lines
    pub(super) typed: Vec<String>,
    pub(super) receipts: Vec<codec::tunnel::UserInputReceipt<'static>>,
    /// who keeps what is granted, for each question that was offered
    pub(super) keepers: BTreeMap<u64, Keeper>,
    deadlines: BTreeMap<u64, u64>,
    /// whether the journal is as fast as the router
    pub(super) journal_is_fast: bool,
}

impl Scene {
    pub(super) fn new(sabotage: Sabotage) -> Self {
        Self::with_limits(sabotage, OpenLimits::default())
    }

    pub(super) fn with_limits(sabotage: Sabotage, open: OpenLimits) -> Self {
        Self::of(sabotage, RunInfo { open, ..RunInfo::of_a_test("scene") })
    }

    /// A scene in which these rules are in force.
    pub(super) fn with_rules(allow: &[&str], deny: &[&str]) -> Self {
        Self::of(Sabotage::None, Self::ruled(allow, deny))
    }

    /// A run with these rules.
    pub(super) fn ruled(allow: &[&str], deny: &[&str]) -> RunInfo {
        let parse = |rules: &[&str]| rules.iter().map(|rule| Rule::parse(rule).unwrap()).collect();
        let rules = RuleSet { allow: parse(allow), deny: parse(deny) };
        let gate = Gate::new(rules, Place { root: "/proj/app".to_owned(), home: None });
        RunInfo { gate: Arc::new(gate), ..RunInfo::of_a_test("scene") }
    }

    pub(super) fn of(sabotage: Sabotage, run: RunInfo) -> Self {
        Self::started(Started::default(), sabotage, run)
    }

    /// The same, and what must not get on record.
    pub(super) fn started(started: Started, sabotage: Sabotage, run: RunInfo) -> Self {
        let tape = Arc::new(Mutex::new(Tape::default()));
        let run = RunInfo { publishes: true, role: codec::tunnel::Role::Run, ..run };
        let mut routing = Routing::started_with(started, run, Box::new(Recorder(Arc::clone(&tape))));
        routing.sabotage = sabotage;
        Self {
            routing,
            tape,
            now: 0,
            heard: BTreeMap::new(),
            held: BTreeMap::new(),
            news: Vec::new(),
            emitted: Vec::new(),
            typed: Vec::new(),
            receipts: Vec::new(),
            keepers: BTreeMap::new(),
            deadlines: BTreeMap::new(),
            journal_is_fast: true,
        }
    }

    pub(super) fn client(&mut self) -> AskerId {
        let wire = format!("tunnel:{}", self.heard.len() + 1);
        self.attach(wire, Dialect::TUNNEL)
    }

    pub(super) fn agent(&mut self) -> AskerId {
        let wire = format!("claude:{}", self.heard.len() + 1);
        self.attach(wire, Dialect::Claude)
    }

    /// An agent that has a name.
    pub(super) fn agent_called(&mut self, path: &str) -> AskerId {
        let (wire, path) = (format!("claude:{path}"), Some(path.to_owned()));
        self.attach_as(AskerInfo { wire, dialect: Dialect::Claude, path, pid: None, below: None })
    }

    /// A client that an agent started.
    pub(super) fn client_of(&mut self, agent: &str) -> AskerId {
        let wire = format!("tunnel:{}", self.heard.len() + 1);
        let path = Some(format!("{agent}/client-{}", self.heard.len() + 1));
        let below = codec::id::Path::new(agent);
        self.attach_as(AskerInfo { wire, dialect: Dialect::TUNNEL, path, pid: None, below })
    }

    fn attach(&mut self, wire: String, dialect: Dialect) -> AskerId {
        self.attach_as(AskerInfo { wire, dialect, path: None, pid: None, below: None })
    }

    fn attach_as(&mut self, info: AskerInfo) -> AskerId {
        let asker = self.routing.attach(self.now, info);
        self.heard.insert(asker, Vec::new());
        self.settle();
        asker
    }

    pub(super) fn leaves(&mut self, asker: AskerId) {
        self.routing.detach(self.now, asker, "peer closed");
        self.settle();
    }

    pub(super) fn desk(&mut self, source: AnswerSource) -> DeskId {
        let desk = self.routing.seat(self.now, DeskInfo::new(source.word(), source));
        self.held.entry(desk).or_default();
        self.settle();
        desk
    }

    /// A desk that may answer and does not count as somebody who is there.
    pub(super) fn control(&mut self) -> DeskId {
        let info = DeskInfo { counts: false, ..DeskInfo::new("control", AnswerSource::Control) };
        let desk = self.routing.seat(self.now, info);
        self.held.entry(desk).or_default();
        self.settle();
        desk
    }

    pub(super) fn terminal(&mut self) -> DeskId {
        self.desk(AnswerSource::Terminal)
    }

    pub(super) fn desk_leaves(&mut self, desk: DeskId) {
        self.routing.leave(self.now, desk, "hung up");
        self.held.remove(&desk);
        self.settle();
    }

    /// A line of an asker.
    pub(super) fn line(&mut self, asker: AskerId, line: &str) {
        self.routing.frame(self.now, asker, Frame::Line(Bytes::copy_from_slice(line.as_bytes())));
        self.settle();
    }

    /// A yes-or-no question of a client.
    pub(super) fn confirm(&mut self, asker: AskerId, id: &str, timeout_ms: Option<u64>) {
        self.prompt(asker, id, "confirm", r#"{"message":"Proceed?"}"#, timeout_ms);
    }

    pub(super) fn prompt(
        &mut self,
        asker: AskerId,
        id: &str,
        kind: &str,
        config: &str,
        timeout_ms: Option<u64>,
    ) {
        let timeout = timeout_ms.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
        let message = format!(
            r#"{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"{kind}","promptConfig":{config}{timeout}}}"#
        );
        self.line(asker, &format!(r#"{{"type":"structured","message":{message}}}"#));
    }

    /// A client would like to know whether a tool may run.
    pub(super) fn permission(&mut self, asker: AskerId, id: &str, timeout_ms: Option<u64>) {
        let timeout = timeout_ms.map(|ms| format!(r#","timeoutMs":{ms}"#)).unwrap_or_default();
        let rest = format!(r#""tool_name":"Bash","input":{{"command":"echo"}}{timeout}"#);
        self.line(asker, &format!(r#"{{"type":"permission_request","requestId":"{id}",{rest}}}"#));
    }

    /// An agent would like to use a tool.
    pub(super) fn tool(&mut self, asker: AskerId, id: &str) {
        let request = r#"{"subtype":"can_use_tool","tool_name":"Write","input":{"file_path":"a"}}"#;
        self.line(asker, &format!(r#"{{"type":"control_request","request_id":"{id}","request":{request}}}"#));
    }

    /// What a desk says about the question of that number.
    pub(super) fn said(&mut self, desk: DeskId, number: u64, said: Said) {
        let gives_back = matches!(said, Said::GiveBack(_) | Said::Lost);
        self.routing.said(self.now, desk, &key(number), said);
        self.settle();
        if gives_back && let Some(held) = self.held.get_mut(&desk) {
            held.remove(&number);
        }
    }

    pub(super) fn answers(&mut self, desk: DeskId, number: u64, value: &str) {
        self.said(desk, number, Said::Answer(Json::parse(value).unwrap().into_owned()));
    }

    /// Time passes, and deadlines with it.
    pub(super) fn wait(&mut self, ms: u64) {
        self.now += ms;
        let due: Vec<u64> =
            self.deadlines.iter().filter(|(_, at)| **at <= self.now).map(|(number, _)| *number).collect();
        for number in due {
            self.deadlines.remove(&number);
            self.routing.expired(self.now, Number(number));
            self.settle();
        }
    }

    pub(super) fn shut_down(&mut self) {
        self.routing.shut_down(self.now);
        self.settle();
    }

    /// The journal gets as far as the router.
    pub(super) fn journal_settles(&mut self) {
        {
            let mut tape = self.tape.lock().unwrap();
            tape.settled = tape.lines.len() as u64;
        }
        self.take_orders();
    }

    /// A person types a line.
    pub(super) fn typed(&mut self, text: &str, to: Option<&Path>, input_id: Option<&str>) {
        let (text, to, input_id) = (text.to_owned(), to.cloned(), input_id.map(str::to_owned));
        self.routing.typed(self.now, &Typed { text, to, input_id, ..Typed::default() });
    }

    pub(super) fn settle(&mut self) {
        if self.journal_is_fast {
            self.journal_settles();
        }
        self.take_orders();
    }

    fn take_orders(&mut self) {
        let now = self.now;
        for order in self.routing.orders() {
            match order {
                Order::Keep(number, offer, desks) => {
                    for desk in desks.iter() {
                        self.held.entry(*desk).or_default().insert(number.0);
                    }
                    self.keepers.insert(number.0, offer.keeper);
                    if let Some(left) = offer.left_ms {
                        self.deadlines.insert(number.0, now + left);
                    }
                }
                Order::OfferTo(number, _, desk) => drop(self.held.entry(desk).or_default().insert(number.0)),
                Order::Close(number, _) => {
                    self.deadlines.remove(&number.0);
                    for held in self.held.values_mut() {
                        held.remove(&number.0);
                    }
                }
                Order::Send(asker, line) => {
                    let line = String::from_utf8(line.to_vec()).unwrap();
                    self.heard.entry(asker).or_default().push(line);
                }
                Order::Tell(desk, key, news) => self.news.push((desk, key, news)),
                Order::Publish(emitted) => self.emitted.push(*emitted),
                Order::Receipt(receipt) => self.receipts.push(*receipt),
                Order::PublishTyped(line) => self.typed.push(line),
                Order::Release(..)
                | Order::Report(..)
                | Order::Noise(..)
                | Order::Misasked(..)
                | Order::Reached(_)
                | Order::Gap(..)
                | Order::Hears(..) => {}
            }
        }
    }

    pub(super) fn heard(&self, asker: AskerId) -> &[String] {
        self.heard.get(&asker).map(Vec::as_slice).unwrap_or_default()
    }

    /// What a desk holds.
    pub(super) fn held(&self, desk: DeskId) -> Vec<u64> {
        self.held.get(&desk).map(|held| held.iter().copied().collect()).unwrap_or_default()
    }

    /// What is on record about the ends of questions.
    pub(super) fn ends(&self) -> Vec<(u64, Outcome)> {
        self.records(|event| match event {
            Recorded::Ended(ended) => Some((ended.key.number, ended.outcome)),
            _ => None,
        })
    }

    pub(super) fn records<T>(&self, pick: impl Fn(Recorded<'_>) -> Option<T>) -> Vec<T> {
        let tape = self.tape.lock().unwrap();
        let event = |line: &String| match Entry::read(line.as_bytes()).unwrap().body {
            Body::Event(event) => pick(event),
            Body::Line(_) => None,
        };
        tape.lines.iter().filter_map(event).collect()
    }

    pub(super) fn tape(&self) -> Vec<String> {
        self.tape.lock().unwrap().lines.clone()
    }
}

pub(super) fn key(number: u64) -> Key {
    Key { run: "7f3c".into(), number }
}
