//! One life of an agent: its session and the router as in a run, without actors, pipes and clocks.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use codec::frame::Frame;
use codec::journal::{Body, Direction, Entry};
use codec::json::{Json, Object};
use codec::tunnel::AnswerSource;

use super::model::{Reply, Script};
use crate::agent::Language;
use crate::agent::session::{Session, Taken};
use crate::agent::verdict::Account;
use crate::dialect::Dialect;
use crate::question::{Asks, Question};
use crate::router::{AskerId, AskerInfo, DeskId, DeskInfo, News, Number, Order, Routing, RunInfo, Said};
use crate::simulation::actors::{Recorder, Tape};

/// Something that can be seen from outside, in its order.
#[derive(Debug, Clone)]
pub(super) enum Seen {
    /// shown to whoever watches
    Reported(String),
    /// a question is with the person: its kind, its choices
    Offered(&'static str, Vec<String>),
    /// the person hears that the answer does not fit
    Unfit,
    /// a line for the agent
    Told(String),
    /// a line of the agent was taken and shown to nobody
    Discarded,
}

/// The life, and what is left of it.
pub(super) struct Life {
    pub(super) seen: Vec<Seen>,
    pub(super) account: Account,
    tape: Arc<Mutex<Tape>>,
}

impl Life {
    /// What the agent said, as it is on record.
    pub(super) fn recorded(&self) -> Vec<String> {
        let tape = self.tape.lock().unwrap();
        let line = |record: &String| match Entry::read(record.as_bytes()).unwrap().body {
            Body::Line(line) if line.dir == Direction::From => {
                Some(String::from_utf8(line.bytes().unwrap().to_vec()).unwrap())
            }
            _ => None,
        };
        tape.lines.iter().filter_map(line).collect()
    }
}

/// Lives it.
pub(super) fn play(script: &Script) -> Life {
    let mut lives = Lives::new();
    let mut lines: VecDeque<Frame> =
        script.pieces.iter().map(|piece| Frame::Line(Bytes::from(piece.line()))).collect();
    let mut reads = script.reads.iter().cycle();
    while !lines.is_empty() {
        let count = reads.next().copied().unwrap_or(1).min(lines.len());
        let taken = lives.session.take_in(lines.drain(..count).collect(), 0);
        lives.hand_on(taken);
    }
    let mut replies = script.replies.iter();
    while let Some((number, question)) = lives.open.pop_front() {
        lives.answers(number, &question, replies.next().unwrap());
    }
    let account = lives.session.end().0;
    Life { seen: lives.seen, account, tape: lives.tape }
}

struct Lives {
    session: Session,
    routing: Routing,
    asker: AskerId,
    desk: DeskId,
    open: VecDeque<(u64, Arc<Question>)>,
    seen: Vec<Seen>,
    tape: Arc<Mutex<Tape>>,
}

impl Lives {
    fn new() -> Self {
        let tape = Arc::new(Mutex::new(Tape::default()));
        let run = RunInfo { publishes: true, question_timeout_ms: Some(5), ..RunInfo::of_a_test("streams") };
        let mut routing = Routing::new(run, Box::new(Recorder(Arc::clone(&tape))));
        let info = AskerInfo {
            wire: "agent:main".to_owned(),
            dialect: Dialect::Events,
            path: None,
            pid: None,
            below: None,
        };
        let asker = routing.attach(0, info);
        let source = AnswerSource::Terminal;
        let desk = routing.seat(0, DeskInfo::new("terminal", source));
        let session = Session::new(Language::Events, None, true);
        Self { session, routing, asker, desk, open: VecDeque::new(), seen: Vec::new(), tape }
    }

    /// Lines of the agent go to the router, as the actor hands them on.
    fn hand_on(&mut self, taken: Vec<Taken>) {
        for (_, frame) in taken {
            let Frame::Line(line) = &frame else { continue };
            let line = String::from_utf8(line.to_vec()).unwrap();
            let before = self.seen.len();
            self.routing.frame(0, self.asker, frame);
            let told = self.orders();
            let is_shown = self.seen[before..].iter().any(|seen| matches!(seen, Seen::Reported(_)));
            if !is_shown && !line.contains("input_request") {
                self.seen.push(Seen::Discarded);
            }
            self.tell(told);
        }
    }

    /// What the router wants done; gives the lines for the agent.
    fn orders(&mut self) -> Vec<String> {
        {
            let mut tape = self.tape.lock().unwrap();
            tape.settled = tape.lines.len() as u64;
        }
        let mut told = Vec::new();
        for order in self.routing.orders() {
            match order {
                Order::Report(_, line) => {
                    self.seen.push(Seen::Reported(String::from_utf8(line.to_vec()).unwrap()));
                }
                Order::Keep(number, offer, _) => {
                    self.seen.push(Seen::Offered(kind(&offer.question), choices(&offer.question)));
                    self.open.push_back((number.0, Arc::clone(&offer.question)));
                }
                Order::Tell(_, _, News::Unfit(_)) => self.seen.push(Seen::Unfit),
                Order::Send(_, line) => told.push(String::from_utf8(line.to_vec()).unwrap()),
                _ => {}
            }
        }
        told
    }

    /// Lines reach the agent, and what it said meanwhile is heard.
    fn tell(&mut self, told: Vec<String>) {
        self.seen.extend(told.iter().cloned().map(Seen::Told));
        for line in told {
            let said = self.session.understand(line.as_bytes()).unwrap();
            self.session.goes_out(&said, 0);
            self.session.went_out(&said, 0);
        }
        loop {
            let taken = self.session.goes_on(0);
            if taken.is_empty() {
                return;
            }
            self.hand_on(taken);
        }
    }

    fn answers(&mut self, number: u64, question: &Question, reply: &Reply) {
        for _ in 0..reply.wrong {
            self.says(
                number,
                Said::Answer(Json::parse(r#"{"index":99,"value":"no such"}"#).unwrap().into_owned()),
            );
        }
        match reply.last {
            Reply::FIT => self.says(number, Said::Answer(fit(question, reply.pick))),
            1 => self.says(number, Said::Answer(Json::parse(r#""reject""#).unwrap().into_owned())),
            2 => self.says(number, Said::Decline),
            3 => {
                self.routing.expired(5, Number(number));
                let told = self.orders();
                self.tell(told);
            }
            _ => self.says(number, Said::GiveBack("nobody is there".to_owned())),
        }
    }

    fn says(&mut self, number: u64, said: Said) {
        let key = self.routing.key(Number(number));
        self.routing.said(0, self.desk, &key, said);
        let told = self.orders();
        self.tell(told);
    }
}

fn kind(question: &Question) -> &'static str {
    question.kind().word()
}

fn choices(question: &Question) -> Vec<String> {
    let Asks::Prompt(_, config) = &question.asks else { panic!("{question:?}") };
    config.choices.iter().flatten().map(|choice| choice.name.get().into_owned()).collect()
}

/// An answer that fits.
fn fit(question: &Question, pick: usize) -> Json<'static> {
    let text = |text: &str| Json::parse(&format!("{text:?}")).unwrap().into_owned();
    let choices = choices(question);
    match kind(question) {
        "approval" => text("approve"),
        "text" => text("some words"),
        _ => {
            let index = pick % choices.len();
            let mut chosen = Object::default();
            chosen.push("index", Json::parse(&index.to_string()).unwrap().into_owned());
            chosen.push("value", text(&choices[index]));
            Json::written(&chosen).into_owned()
        }
    }
}
