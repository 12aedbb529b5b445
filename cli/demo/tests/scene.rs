//! Whoever plays with the demo's agent in a test: its stdin, its stdout, its script and its clock.

use codec::claude::{Decision, Output, UserMessage, control_success};
use codec::id::RequestId;
use codec::json::Json;
use serde_json::Value;

use crate::args::Speed;
use crate::demo::machine::{Demo, Do};

/// The agent, with everything that it did.
pub(super) struct Scene {
    demo: Demo,
    now: u64,
    pub(super) lines: Vec<Value>,
    /// how often its script asked, and was stopped
    pub(super) asks: usize,
    pub(super) stops: usize,
    pub(super) ended: Option<bool>,
}

impl Scene {
    /// One that was told what to do.
    pub(super) fn begun(is_live: bool) -> Self {
        let mut scene = Self {
            demo: Demo::new(Speed::Times(1.0), is_live),
            now: 0,
            lines: Vec::new(),
            asks: 0,
            stops: 0,
            ended: None,
        };
        scene.types("begin", "prompt");
        scene
    }

    fn take(&mut self, all: Vec<Do>) {
        for one in all {
            match one {
                Do::Line(line) => {
                    let read = Output::read(line.as_bytes()).unwrap();
                    assert!(!matches!(read, Output::Unknown(_)), "{line}");
                    self.lines.push(serde_json::from_str(&line).unwrap());
                }
                Do::Ask => self.asks += 1,
                Do::StopAsking => self.stops += 1,
                Do::End { is_good } => self.ended = Some(is_good),
            }
        }
    }

    pub(super) fn hears(&mut self, line: &str) {
        let all = self.demo.hear(line.as_bytes(), self.now);
        self.take(all);
    }

    pub(super) fn types(&mut self, text: &str, uuid: &str) {
        self.hears(&UserMessage::text(text, uuid).to_line());
    }

    pub(super) fn closes(&mut self) {
        let all = self.demo.hear_the_end(self.now);
        self.take(all);
    }

    pub(super) fn asked(&mut self, code: i32) {
        let all = self.demo.asked(Some(code), self.now);
        self.take(all);
    }

    /// Lets time pass until something is to be seen, or nothing happens any more.
    pub(super) fn until(&mut self, seen: impl Fn(&Self) -> bool) {
        while !seen(self) {
            let Some(at) = self.demo.wake_at() else { return };
            self.now = self.now.max(at);
            let all = self.demo.tick(self.now);
            self.take(all);
        }
    }

    pub(super) fn until_still(&mut self) {
        self.until(|_| false);
    }

    pub(super) fn until_asked(&mut self) -> RequestId {
        self.until_still();
        let request = self.of("control_request").last().unwrap()["request_id"].clone();
        RequestId::new(request.as_str().unwrap())
    }

    pub(super) fn decides(&mut self, decision: &Decision<'static>) {
        let request = self.until_asked();
        self.hears(&control_success(&request, decision));
    }

    pub(super) fn allows(&mut self) {
        self.decides(&Decision::allow(Json::of("any")));
    }

    pub(super) fn of<'s>(&'s self, kind: &'s str) -> impl Iterator<Item = &'s Value> {
        self.lines.iter().filter(move |line| line["type"] == kind)
    }

    /// What it said, without what tools gave.
    pub(super) fn said(&self) -> String {
        let texts = self.of("assistant").filter_map(|line| line["message"]["content"][0]["text"].as_str());
        texts.collect::<Vec<_>>().join("\n")
    }

    pub(super) fn states(&self, uuid: &str) -> Vec<&str> {
        let about = self.of("command_lifecycle").filter(|line| line["command_uuid"] == uuid);
        about.map(|line| line["state"].as_str().unwrap()).collect()
    }

    /// By kind, where in the story something first was.
    pub(super) fn at(&self, is_it: impl Fn(&Value) -> bool) -> usize {
        self.lines.iter().position(is_it).unwrap()
    }

    /// Plays what is left, with a yes for the script.
    pub(super) fn goes_to_its_end(&mut self) {
        self.until_still();
        if self.asks > 0 {
            self.asked(0);
        }
        self.until_still();
        self.closes();
    }
}
