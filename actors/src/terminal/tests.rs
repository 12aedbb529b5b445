//! The terminal's actor, under a clock that stands still.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use actix::prelude::*;
use bytes::Bytes;
use codec::frame::Frame;
use codec::id::Key;
use codec::json::Json;

use super::{Behind, Console, Drawn, Entered, Fingers, Terminal, Waiting};
use crate::dialect::Dialect;
use crate::end::End;
use crate::messages::{AreYouSeated, Attach, Frames, Lines};
use crate::ports::{NoRecord, RuntimeClock};
use crate::router::{AskerInfo, Attached, Router, Routing, RunInfo, Said};

type Log = Arc<Mutex<Vec<String>>>;

/// A console that writes down what it is told, and takes every line for a yes. It draws at once or never.
struct Notebook(Log, bool);

impl Console for Notebook {
    fn show(&mut self, up: &Waiting, behind: &Behind, drawn: Drawn) {
        self.0.lock().unwrap().push(format!("show {} +{}", up.offer.key, behind.count));
        if self.1 {
            drawn.tell();
        }
    }

    fn arm(&mut self) {
        self.0.lock().unwrap().push("arm".to_owned());
    }

    fn enter(&mut self, _: &str) -> Option<Said> {
        Some(Said::Answer(Json::parse("true").unwrap()))
    }

    fn close(&mut self, _: &Waiting, end: &End) {
        self.0.lock().unwrap().push(format!("close {}", end.outcome().word()));
    }

    fn object(&mut self, _: Option<&Key>, why: &str) {
        self.0.lock().unwrap().push(format!("object: {why}"));
    }
}

/// Writes down what it hears.
struct Ear(Log);

impl Actor for Ear {
    type Context = Context<Self>;
}

impl Handler<Lines> for Ear {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, _: &mut Self::Context) {
        self.0.lock().unwrap().extend(lines.iter().map(|line| String::from_utf8(line.to_vec()).unwrap()));
    }
}

struct Stand {
    router: Addr<Router>,
    terminal: Addr<Terminal>,
    screen: Log,
    heard: Log,
    attached: Attached,
}

impl Stand {
    async fn new() -> Self {
        Self::with_screen(true).await
    }

    async fn with_screen(draws: bool) -> Self {
        let run = RunInfo::of_a_test("stand");
        let routing = Routing::new(run, Box::new(NoRecord));
        let router = Router::new(routing, Box::new(RuntimeClock::start()), None).start();
        let (screen, heard) = (Log::default(), Log::default());
        let terminal = Terminal::new(Box::new(Notebook(Arc::clone(&screen), draws)), router.clone()).start();
        terminal.send(AreYouSeated).await.unwrap();
        let asker = AskerInfo {
            wire: "tunnel:1".to_owned(),
            dialect: Dialect::TUNNEL,
            path: None,
            pid: None,
            below: None,
        };
        let lines = Ear(Arc::clone(&heard)).start().recipient();
        let attached = router.send(Attach { asker, lines }).await.unwrap();
        Self { router, terminal, screen, heard, attached }
    }

    async fn say(&self, line: &str) {
        let frames = vec![Frame::Line(Bytes::copy_from_slice(line.as_bytes()))];
        self.router.send(Frames { asker: self.attached.id(), frames }).await.unwrap();
        settle().await;
    }

    async fn confirm(&self, id: &str) {
        self.say(&format!(r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{id}","promptType":"confirm","promptConfig":{{"message":"?"}}}}}}"#)).await;
    }

    async fn enter(&self) {
        let entered = Entered { line: "y".to_owned(), at: tokio::time::Instant::now() };
        self.terminal.send(entered).await.unwrap();
        settle().await;
    }
}

async fn settle() {
    for _ in 0..20 {
        tokio::task::yield_now().await;
    }
}

fn told(log: &Log) -> Vec<String> {
    log.lock().unwrap().drain(..).collect()
}

async fn a_second_passes() {
    tokio::time::advance(Duration::from_millis(1_001)).await;
    settle().await;
}

#[actix::test]
async fn a_line_counts_only_for_a_question_that_was_up_for_a_second() {
    tokio::time::pause();
    let stand = Stand::new().await;
    stand.confirm("a").await;
    stand.enter().await;
    assert!(told(&stand.heard).is_empty(), "that was typed before anybody could have read it");
    let screen = told(&stand.screen);
    assert_eq!(screen[0], "show 7f3c.p1 +0");
    assert!(screen[1].starts_with("object: "));
    a_second_passes().await;
    assert_eq!(told(&stand.screen), ["arm"]);
    stand.enter().await;
    assert_eq!(told(&stand.heard).len(), 1);
}

#[actix::test]
async fn a_question_that_takes_the_place_of_another_is_not_answered_by_the_line_for_that() {
    tokio::time::pause();
    let stand = Stand::new().await;
    stand.confirm("a").await;
    stand.confirm("b").await;
    a_second_passes().await;
    stand.say(r#"{"type":"prompt_cancel","requestId":"a","reason":"cancelled"}"#).await;
    told(&stand.heard);
    stand.enter().await;
    assert!(told(&stand.heard).is_empty(), "the line was meant for the first");
    a_second_passes().await;
    stand.enter().await;
    assert!(told(&stand.heard)[0].contains(r#""requestId":"b","value":true"#));
}

#[actix::test]
async fn a_question_that_the_terminal_could_not_draw_is_answered_by_no_line() {
    tokio::time::pause();
    let stand = Stand::with_screen(false).await;
    stand.confirm("a").await;
    a_second_passes().await;
    a_second_passes().await;
    stand.enter().await;
    assert!(told(&stand.heard).is_empty(), "nobody has seen it");
}

#[actix::test]
async fn a_line_that_waited_on_its_way_counts_for_when_it_was_entered() {
    tokio::time::pause();
    let stand = Stand::new().await;
    stand.confirm("a").await;
    let early = Entered { line: "y".to_owned(), at: tokio::time::Instant::now() };
    a_second_passes().await;
    stand.terminal.send(early).await.unwrap();
    settle().await;
    assert!(told(&stand.heard).is_empty());
}

#[actix::test]
async fn a_line_for_a_question_that_just_vanished_is_no_line_for_the_agents() {
    tokio::time::pause();
    let stand = Stand::new().await;
    stand.confirm("a").await;
    a_second_passes().await;
    stand.say(r#"{"type":"prompt_cancel","requestId":"a","reason":"cancelled"}"#).await;
    told(&stand.heard);
    stand.enter().await;
    assert!(told(&stand.heard).is_empty());
    a_second_passes().await;
    stand.enter().await;
    assert!(told(&stand.heard)[0].contains("user_input"), "later it is");
}

/// Something goes wrong in the actor.
#[derive(Message)]
#[rtype(result = "()")]
struct Boom;

impl Handler<Boom> for Terminal {
    type Result = ();

    fn handle(&mut self, Boom: Boom, _: &mut Self::Context) {
        panic!("a bug in the terminal's actor");
    }
}

#[actix::test]
async fn f108_a_terminal_that_fails_leaves_nobody_waiting() {
    let stand = Stand::new().await;
    stand.confirm("a").await;
    assert!(stand.terminal.send(Boom).await.is_err());
    settle().await;
    assert!(told(&stand.heard)[0].contains(r#""outcome":"refused""#));
    stand.confirm("b").await;
    assert!(
        told(&stand.heard)[0].contains(r#""reason":"no_desk""#),
        "and whoever asks later hears it at once"
    );
}

fn key(number: u64) -> Key {
    Key { run: "7f3c".into(), number }
}

#[actix::test]
async fn what_keys_say_is_for_the_question_that_they_name() {
    let stand = Stand::new().await;
    let fingers = Fingers::at(&stand.terminal);
    stand.confirm("a").await;
    stand.confirm("b").await;
    fingers.say(key(1), Said::Answer(Json::parse("true").unwrap()));
    settle().await;
    assert!(told(&stand.heard)[0].contains(r#""requestId":"a""#));
    let screen = told(&stand.screen);
    assert_eq!(
        screen.iter().filter(|said| said.starts_with("show")).collect::<Vec<_>>().len(),
        2,
        "{screen:?}"
    );
    fingers.say(key(1), Said::Answer(Json::parse("false").unwrap()));
    settle().await;
    assert!(told(&stand.heard).is_empty());
    assert!(told(&stand.screen)[0].starts_with("object: too late"), "the person hears it");
}

#[actix::test]
async fn a_question_that_is_given_back_ends_and_the_next_one_is_shown() {
    let stand = Stand::new().await;
    stand.confirm("a").await;
    stand.confirm("b").await;
    told(&stand.screen);
    Fingers::at(&stand.terminal).say(key(1), Said::GiveBack("cannot be drawn".to_owned()));
    settle().await;
    assert!(told(&stand.heard)[0].contains(r#""outcome":"refused""#));
    assert_eq!(told(&stand.screen), ["show 7f3c.p2 +0"]);
}

#[actix::test]
async fn a_line_that_is_sent_goes_to_the_agents_and_whoever_leaves_gives_all_back() {
    let stand = Stand::new().await;
    let fingers = Fingers::at(&stand.terminal);
    fingers.send("also add tests".to_owned(), None, None);
    settle().await;
    assert!(told(&stand.heard)[0].contains("also add tests"));
    stand.confirm("a").await;
    fingers.leave();
    settle().await;
    assert!(told(&stand.heard).iter().any(|line| line.contains(r#""outcome":"refused""#)));
}
