//! What a run shows and prints: what its agent does, what becomes of questions, what others report, and what goes wrong.
//!
//! Owns which of it goes where: all of it onto the screen where there is one; else what the agent does to stderr, and to
//! stdout only what was asked for. Below another tim all of it goes up. Never waits for whoever reads.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use actors::end::End;
use actors::messages::Output as Said;
use actors::ports::Outlet;
use actors::question::Question;
use actors::router::{Emitted, Stage, Who};
use actors::tunnel::{Relay, passed_on};
use bytes::Bytes;
use codec::id::Key;
use codec::json::{Json, Object, Text, Written as _};
use codec::limits::Limits;
use codec::text::escape_hidden;
use codec::tunnel::{AnswerSource, ReceiptState, Up, UserInputReceipt};
use tokio::time::Instant;

use super::cast::{Below, Cast};
use super::scene::{Scene, Wanted};
use super::waiting::Waiting;
use crate::args::OutputFormat;
use crate::complaints::Complaints;
use crate::keeping::Keeping;
use crate::voice::Voice;

/// Where the output of a run goes.
pub(super) struct Output {
    relay: Option<Relay>,
    voice: Voice,
    cast: Rc<RefCell<Cast>>,
    keeping: Rc<Keeping>,
    wanted: Wanted,
    /// there is one agent and no more: what it says needs no name
    is_alone: bool,
    complaints: Complaints,
    /// the question that was asked last
    asked: Option<(Key, String, Arc<Question>)>,
    /// those that wait for somebody in another shell, where nobody sits at a terminal
    pub(super) waiting: Option<Waiting>,
}

impl Output {
    pub(super) fn new(
        relay: Option<Relay>,
        voice: Voice,
        (cast, keeping): (Rc<RefCell<Cast>>, Rc<Keeping>),
        wanted: Wanted,
        is_alone: bool,
    ) -> Self {
        let complaints = Complaints::new(voice.clone());
        Self { relay, voice, cast, keeping, wanted, is_alone, complaints, asked: None, waiting: None }
    }

    /// The way up, as long as there is a parent.
    fn parent(&self) -> Option<&Relay> {
        self.relay.as_ref().filter(|relay| !relay.is_gone())
    }

    fn is_stream(&self) -> bool {
        self.wanted.format == OutputFormat::StreamJson
    }

    fn report(&mut self, who: &Who, line: &Bytes) {
        let scene = self.cast.borrow().on_wire(&who.wire);
        if let Some(scene) = scene {
            return self.agent(&scene, who, line);
        }
        if let Some(relay) = self.parent() {
            if !relay.report(who, line) {
                self.complaints.dropped(who, "a report that is too long or came too far to be passed on");
            }
        } else if self.is_stream() {
            match passed_on(who, line) {
                Some(line) => self.voice.print_json(&line),
                None => {
                    self.complaints.dropped(who, "a report that is too long or came too far to be printed");
                }
            }
        } else {
            self.show(who, line);
        }
    }

    /// What somebody else reports: a script, or a nested tim.
    fn show(&self, who: &Who, line: &Bytes) {
        let Ok(message) = Up::read(line, &Limits::STANDARD) else { return };
        match self.voice.terminal() {
            Some(screen) => screen.with(|screen| screen.report(&who.path, &message)),
            None => {
                // Nobody else tells it: this is not asked for while there is a parent.
                let wanted = Wanted { is_told_above: false, ..self.wanted };
                wanted.rows(&self.voice, &crate::render::plain(&message), Some(&who.path));
            }
        }
    }

    fn agent(&self, scene: &RefCell<Scene>, who: &Who, line: &Bytes) {
        if let Some(reports) = &scene.borrow().reports {
            reports.hear(line);
        }
        let text = || String::from_utf8_lossy(line);
        let heard = scene.borrow_mut().hear(line);
        match heard {
            Some(pieces) => {
                match self.is_stream() {
                    // What only tim says nobody else can.
                    true if is_reserved(line) => self.print_of(who, &raw(&text())),
                    true => self.print_of(who, &text()),
                    false => {}
                }
                scene.borrow_mut().tell(pieces, &self.voice);
            }
            // Something in it prints what is not in its language: a person may want to read that.
            None if self.is_stream() => self.print_of(who, &raw(&text())),
            None => scene.borrow_mut().noise(&text(), &self.voice),
        }
    }

    /// A line of an agent, for programs. Of several each line says whose it is.
    fn print_of(&self, who: &Who, line: &str) {
        match self.is_alone {
            true => self.voice.print_line(line),
            false => {
                let via = Json::written(&who.segments());
                self.voice.print_line(&format!(r#"{{"type":"relayed","via":{},"line":{line}}}"#, via.raw()));
            }
        }
    }

    /// An event of our own, for whoever reads every event: never dropped, as they are few.
    fn event(&self, json: &str) {
        if self.is_stream() && self.parent().is_none() {
            let shown = escape_hidden(json).unwrap_or_else(|| json.to_owned());
            self.voice.print_line(&shown);
        }
    }

    /// What became of a question. On a screen it stands there anyway, but for those that a rule answered.
    fn own(&mut self, emitted: &Emitted) {
        self.event(&emitted.line);
        self.keeping.hear(emitted, &self.voice);
        self.waiting.iter().for_each(|waiting| waiting.hear(emitted));
        for scene in self.cast.borrow().scenes() {
            scene.borrow_mut().question(emitted, &self.voice, Instant::now());
        }
        match &emitted.what {
            Stage::Asked { path, question, .. } => {
                self.asked = Some((emitted.key.clone(), path.clone(), Arc::clone(question)));
            }
            Stage::Ended(end) => {
                let is_ruled = matches!(**end, End::Answered { source: AnswerSource::Rule, .. });
                let asked = self.asked.take().filter(|(key, ..)| is_ruled && *key == emitted.key);
                if let (Some((_, path, question)), Some(screen)) = (asked, self.voice.terminal()) {
                    screen.with(|screen| screen.ended(&path, &question, end));
                }
            }
        }
    }

    /// Our agent asked what nobody could answer.
    fn misasked(&self, who: &Who, why: &str) {
        if let Some(scene) = self.cast.borrow().on_wire(&who.wire) {
            scene.borrow_mut().misasked(why, &self.voice, Instant::now());
        }
        // Where no rows are printed it must be said all the same.
        if self.wanted.format != OutputFormat::Text {
            self.voice.warn(&format!("{} asks what nobody can answer: {why}", who.path));
        }
    }

    /// A typed line was read, or will never be: then it is on the line again.
    fn receipt(&self, receipt: &UserInputReceipt<'static>) {
        let id = receipt.input_id.get();
        if let Some(relay) = self.parent() {
            // Who is above knows only of lines that came from there.
            if !self.cast.borrow().is_from_here(&id) {
                relay.receipt(receipt);
            }
            return;
        }
        let Some(screen) = self.voice.terminal() else { return };
        match receipt.state {
            ReceiptState::Written => {}
            ReceiptState::Seen => {
                // By somebody further down: then nobody need hear more of it.
                let _ = self.cast.borrow_mut().heard_of(&id);
                let number = self.cast.borrow_mut().line_is_over(&id);
                if let Some(number) = number {
                    screen.with(|screen| screen.was_read(number));
                }
                if let Some(scene) = self.cast.borrow().of_path(&receipt.path).filter(|_| number.is_some()) {
                    scene.borrow_mut().was_read(&self.voice);
                }
            }
            ReceiptState::NotDelivered => {
                let below = self.cast.borrow_mut().heard_of(&id);
                if let Some(Below { to, text, .. }) = below {
                    self.voice.warn(&format!("{to} is gone, and did not say that it read: {text}"));
                }
                // One that was for our agent too is still with that.
                let path = receipt.path.to_string();
                let is_above = |scene: &Rc<RefCell<Scene>>| scene.borrow().decisions.is_above(&path);
                if self.cast.borrow().scenes().iter().any(is_above) {
                    return;
                }
                let number = self.cast.borrow_mut().line_is_over(&id);
                if let Some(number) = number {
                    screen.with(|screen| screen.was_taken_back(number));
                }
            }
        }
    }
}

/// A line that is none, for programs.
fn raw(text: &str) -> String {
    let json = Json::object(|out| {
        out.member("type", |to| Text::new("tim_raw_line").write(to));
        out.member("line", |to| Text::new(text).write(to));
    });
    json.raw().to_owned()
}

/// Whether a line is in the words of tim's own output.
fn is_reserved(line: &[u8]) -> bool {
    let kind = |object: Object<'_>| Some(object.peek("type")?.as_text()?.get().into_owned());
    let kind = std::str::from_utf8(line).ok().and_then(|line| kind(Object::parse(line).ok()?));
    kind.is_some_and(|kind| kind == "structured" || kind.starts_with("tim_"))
}

impl Outlet for Output {
    fn take(&mut self, output: Said) {
        match output {
            Said::Own(emitted) => self.own(&emitted),
            Said::Typed(line) => self.event(&line),
            Said::Report(who, line) => self.report(&who, &line),
            Said::Receipt(receipt) => self.receipt(&receipt),
            Said::Hears(path, hears) => {
                if let Some(screen) = self.voice.terminal() {
                    screen.with(|screen| screen.hears(path, hears));
                }
            }
            Said::Misasked(who, why) => self.misasked(&who, &why),
            Said::Dropped(who, why) => self.complaints.dropped(&who, &why),
            Said::Gap(lost, why) => self.complaints.gap(lost, why),
        }
    }
}
