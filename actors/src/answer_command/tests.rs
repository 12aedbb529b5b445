//! Answer commands, with a real shell.

use std::cell::RefCell;
use std::rc::Rc;

use actix::prelude::*;
use bytes::Bytes;
use codec::frame::Frame;
use tokio::sync::mpsc;

use super::AnswerCommand;
use crate::dialect::Dialect;
use crate::messages::{AreYouSeated, Attach, Frames, Lines};
use crate::ports::{NoRecord, RuntimeClock};
use crate::process::testing::{BOUND, Scratch, is_gone, until};
use crate::router::{AskerId, AskerInfo, Attached, Router, Routing, RunInfo};

/// Writes down what it hears.
struct Ear(mpsc::UnboundedSender<String>);

impl Actor for Ear {
    type Context = Context<Self>;
}

impl Handler<Lines> for Ear {
    type Result = ();

    fn handle(&mut self, Lines(lines): Lines, _: &mut Self::Context) {
        for line in lines {
            self.0.send(String::from_utf8(line.to_vec()).unwrap()).unwrap();
        }
    }
}

struct Stand {
    router: Addr<Router>,
    heard: mpsc::UnboundedReceiver<String>,
    complaints: Rc<RefCell<Vec<String>>>,
    attached: Attached,
}

impl Stand {
    async fn new(command: &str) -> Self {
        let run = RunInfo::of_a_test("stand");
        let routing = Routing::new(run, Box::new(NoRecord));
        let router = Router::new(routing, Box::new(RuntimeClock::start()), None).start();
        let complaints = Rc::<RefCell<Vec<String>>>::default();
        let told = Rc::clone(&complaints);
        let complain = Box::new(move |why: &str| told.borrow_mut().push(why.to_owned()));
        AnswerCommand::new(command, &[], router.clone(), complain).start().send(AreYouSeated).await.unwrap();
        let (ear, heard) = mpsc::unbounded_channel();
        let asker = AskerInfo {
            wire: "tunnel:1".to_owned(),
            dialect: Dialect::TUNNEL,
            path: Some("script".to_owned()),
            pid: Some(9),
            below: None,
        };
        let attached = router.send(Attach { asker, lines: Ear(ear).start().recipient() }).await.unwrap();
        Self { router, heard, complaints, attached }
    }

    async fn say(&self, line: &str) {
        let asker: AskerId = self.attached.id();
        let frames = vec![Frame::Line(Bytes::copy_from_slice(line.as_bytes()))];
        self.router.send(Frames { asker, frames }).await.unwrap();
    }

    async fn confirm(&self) {
        self.say(r#"{"type":"structured","message":{"type":"prompt_request","timestamp":"t","requestId":"a","promptType":"confirm","promptConfig":{"message":"Go?"},"timeoutMs":60000}}"#).await;
    }

    async fn hear(&mut self) -> String {
        tokio::time::timeout(BOUND, self.heard.recv()).await.expect("a reply in time").unwrap()
    }

    async fn reply_to_confirm(command: &str) -> (String, Vec<String>) {
        let mut stand = Self::new(command).await;
        stand.confirm().await;
        let reply = stand.hear().await;
        let complaints = stand.complaints.borrow().clone();
        (reply, complaints)
    }
}

#[actix::test]
async fn exit_0_and_a_value_answers() {
    let (reply, complaints) = Stand::reply_to_confirm("cat > /dev/null; echo ' true '").await;
    assert_eq!(reply, r#"{"type":"prompt_response","requestId":"a","value":true,"outcome":"answered"}"#);
    assert!(complaints.is_empty());
}

#[actix::test]
async fn exit_1_declines() {
    let (reply, complaints) = Stand::reply_to_confirm("exit 1").await;
    assert!(reply.contains(r#""outcome":"declined""#), "{reply}");
    assert!(complaints.is_empty());
}

#[actix::test]
async fn anything_else_is_an_error_that_is_told_and_gives_the_question_back() {
    for (command, why) in [
        ("echo no idea >&2; exit 7", "exit 7: no idea"),
        ("echo certainly", "it printed no JSON value: certainly"),
        ("true", "it printed no JSON value: (nothing)"),
        ("echo 7", "its answer does not fit"),
        ("kill -9 $$", "signal 9"),
        ("this-is-no-program-of-anybody", "exit 127"),
        ("printf '\\033[2J'; exit 0", "\\x1b[2J"),
    ] {
        let (reply, complaints) = Stand::reply_to_confirm(command).await;
        assert!(reply.contains(r#""outcome":"refused""#), "{command}: {reply}");
        assert_eq!(complaints.len(), 1, "{command}");
        assert!(complaints[0].contains(why), "{command}: {complaints:?}");
    }
}

#[actix::test]
async fn the_command_sees_the_question_as_the_design_says() {
    let seen = Scratch::new("seen");
    let command = format!("cat > {}; echo true", seen.0.display());
    Stand::reply_to_confirm(&command).await;
    let seen = std::fs::read_to_string(&seen.0).unwrap();
    let (before, after) = seen.split_once(r#""deadlineMs":"#).unwrap();
    let expected =
        r#"{"v":1,"key":"7f3c.p1","path":"script","pid":9,"kind":"confirm","config":{"message":"Go?"},"#;
    assert_eq!((before, after), (expected, "60000}\n"));
}

#[actix::test]
async fn a_permission_comes_with_its_tool_and_is_answered_by_a_verdict() {
    let mut stand = Stand::new(r#"grep -q '"tool":{"name":"Bash"' && echo '{"allow":true}'"#).await;
    stand
        .say(r#"{"type":"permission_request","requestId":"p","tool_name":"Bash","input":{"command":"echo"}}"#)
        .await;
    assert!(stand.hear().await.contains(r#""approved":true"#));
}

#[actix::test]
async fn a_command_whose_question_ends_first_is_killed_with_all_that_it_started() {
    let pids = Scratch::new("pids");
    let command = format!("sleep 600 & echo $! $$ > {0}.new; mv {0}.new {0}; wait", pids.0.display());
    let mut stand = Stand::new(&command).await;
    stand.confirm().await;
    let started = until(|| std::fs::read_to_string(&pids.0).ok()).await;
    stand.say(r#"{"type":"prompt_cancel","requestId":"a","reason":"cancelled"}"#).await;
    assert!(stand.hear().await.contains(r#""outcome":"cancelled""#));
    for pid in started.split_whitespace() {
        until(|| is_gone(pid).then_some(())).await;
    }
}

#[actix::test]
async fn many_questions_are_answered_a_few_at_a_time() {
    let mut stand = Stand::new("cat > /dev/null; echo true").await;
    for number in 0..40 {
        stand.say(&format!(r#"{{"type":"structured","message":{{"type":"prompt_request","timestamp":"t","requestId":"{number}","promptType":"confirm","promptConfig":{{"message":"?"}}}}}}"#)).await;
    }
    for _ in 0..40 {
        assert!(stand.hear().await.contains(r#""value":true"#));
    }
}
