//! What a service prints: questions and their ends, reports of its clients, and what goes wrong.
//!
//! Below another tim reports go up instead and nothing is printed but trouble. Never waits for whoever reads.

use std::cell::RefCell;
use std::path::Path;
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
use codec::limits::Limits;
use codec::text::visible;
use codec::tunnel::{AnswerSource, Up};

use crate::args::OutputFormat;
use crate::complaints::Complaints;
use crate::keeping::Keeping;
use crate::tally::Tally;
use crate::term::screen::Screen;
use crate::term::screen::status::Status;
use crate::term::style::{Row, Style};
use crate::voice::Voice;

/// The first rows on the screen.
pub(super) fn greet(screen: &mut Screen, path: &Path) {
    let path = format!("  TIM_OUTPUT_SOCKET={}", path.display());
    let hint = "  Type a message and press Enter to send input to the agent";
    screen.note(vec![Row::foreign(Style::PLAIN, &path), Row::own(Style::DIM, hint)]);
    screen.set_status(Some(Status::Says(status(0))));
}

fn hearers(screen: &mut Screen, path: codec::id::Path, hears: bool) {
    screen.hears(path, hears);
    let count = screen.hearers();
    screen.set_status(Some(Status::Says(status(count))));
}

fn status(listen: usize) -> Row {
    let text = match listen {
        0 => "  no agent is connected".to_owned(),
        1 => "  1 agent listens".to_owned(),
        many => format!("  {many} agents listen"),
    };
    Row::foreign(Style::DIM, &text)
}

/// What is wanted on stdout.
#[derive(Clone)]
pub(super) struct Wanted {
    /// nothing but trouble
    pub(super) quiet: bool,
    /// in which form
    pub(super) format: OutputFormat,
    /// the counts, for whoever prints them at the end
    pub(super) tally: Rc<RefCell<Tally>>,
    /// what saves rules
    pub(super) keeping: Rc<Keeping>,
}

/// Where the output of a service goes.
pub(super) struct Output {
    relay: Option<Relay>,
    voice: Voice,
    wanted: Wanted,
    complaints: Complaints,
    /// the question that was asked last
    asked: Option<(Key, String, Arc<Question>)>,
}

impl Output {
    pub(super) fn new(relay: Option<Relay>, voice: Voice, wanted: Wanted) -> Self {
        let complaints = Complaints::new(voice.clone());
        Self { relay, voice, wanted, complaints, asked: None }
    }

    /// The way up, as long as there is a parent.
    fn parent(&self) -> Option<&Relay> {
        self.relay.as_ref().filter(|relay| !relay.is_gone())
    }

    fn report(&mut self, who: &Who, line: &Bytes) {
        match self.parent() {
            Some(relay) => {
                if !relay.report(who, line) {
                    self.complaints.dropped(who, "a report that is too long or came too far to be passed on");
                }
            }
            None if self.wanted.quiet => {}
            None => match self.wanted.format {
                OutputFormat::Text => self.show(who, line),
                OutputFormat::Json => {}
                OutputFormat::StreamJson => match passed_on(who, line) {
                    Some(line) => self.voice.print_json(&line),
                    None => self
                        .complaints
                        .dropped(who, "a report that is too long or came too far to be printed"),
                },
            },
        }
    }

    fn show(&self, who: &Who, line: &Bytes) {
        let Ok(message) = Up::read(line, &Limits::STANDARD) else { return };
        match self.voice.screen() {
            Some(screen) => screen.with(|screen| screen.report(&who.path, &message)),
            None => {
                for row in crate::render::plain(&message) {
                    self.voice.print(&format!("{}  {row}", visible(&who.path)));
                }
            }
        }
    }

    /// What became of a question. On a screen it stands there anyway, but for those that a rule answered.
    fn own(&mut self, emitted: &Emitted) {
        self.wanted.tally.borrow_mut().count(emitted);
        match self.wanted.format {
            OutputFormat::StreamJson => return self.voice.print_json(&emitted.line),
            OutputFormat::Json if self.voice.screen().is_none() => return,
            OutputFormat::Json | OutputFormat::Text => {}
        }
        let Some(screen) = self.voice.screen() else {
            return self.voice.print(&crate::replay::question(emitted));
        };
        match &emitted.what {
            Stage::Asked { path, question, .. } => {
                self.asked = Some((emitted.key.clone(), path.clone(), Arc::clone(question)));
            }
            Stage::Ended(end) => {
                let is_ruled = matches!(**end, End::Answered { source: AnswerSource::Rule, .. });
                let asked = self.asked.take().filter(|(key, ..)| is_ruled && *key == emitted.key);
                if let Some((_, path, question)) = asked {
                    screen.with(|screen| screen.ended(&path, &question, end));
                }
            }
        }
    }

    /// A line was typed here. On a screen it stands there anyway.
    fn typed(&self, line: &str) {
        if self.wanted.format == OutputFormat::StreamJson && self.parent().is_none() {
            self.voice.print_json(line);
        }
    }
}

impl Outlet for Output {
    fn take(&mut self, output: Said) {
        match output {
            Said::Own(emitted) => {
                self.wanted.keeping.hear(&emitted, &self.voice);
                if !self.wanted.quiet && self.parent().is_none() {
                    self.own(&emitted);
                }
            }
            Said::Typed(line) => self.typed(&line),
            Said::Report(who, line) => self.report(&who, &line),
            Said::Receipt(receipt) => {
                if let Some(relay) = self.parent() {
                    relay.receipt(&receipt);
                }
            }
            Said::Hears(path, hears) => {
                if let Some(screen) = self.voice.screen() {
                    screen.with(|screen| hearers(screen, path, hears));
                }
            }
            Said::Dropped(who, why) | Said::Misasked(who, why) => self.complaints.dropped(&who, &why),
            Said::Gap(lost, why) => self.complaints.gap(lost, why),
        }
    }
}
