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
use tokio::time::Instant;

use super::voice::Voice;
use crate::args::OutputFormat;
use crate::noise::Noise;
use crate::tally::Tally;
use crate::term::screen::Screen;
use crate::term::screen::status::Status;
use crate::term::style::{Row, Style};

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
#[derive(Debug, Clone)]
pub(super) struct Wanted {
    /// nothing but trouble
    pub(super) quiet: bool,
    /// in which form
    pub(super) format: OutputFormat,
    /// the counts, for whoever prints them at the end
    pub(super) tally: Rc<RefCell<Tally>>,
}

/// Where the output of a service goes.
pub(super) struct Output {
    relay: Option<Relay>,
    voice: Voice,
    wanted: Wanted,
    noise: Noise,
    /// the question that was asked last
    asked: Option<(Key, Arc<Question>)>,
    began: Instant,
}

impl Output {
    pub(super) fn new(relay: Option<Relay>, voice: Voice, wanted: Wanted) -> Self {
        Self { relay, voice, wanted, noise: Noise::default(), asked: None, began: Instant::now() }
    }

    /// The way up, as long as there is a parent.
    fn parent(&self) -> Option<&Relay> {
        self.relay.as_ref().filter(|relay| !relay.is_gone())
    }

    fn report(&mut self, who: &Who, line: &Bytes) {
        match self.parent() {
            Some(relay) => {
                if !relay.report(who, line) {
                    self.complain(who, "a report that is too long or came too far to be passed on");
                }
            }
            None if self.wanted.quiet => {}
            None => match self.wanted.format {
                OutputFormat::Text => self.show(who, line),
                OutputFormat::Json => {}
                OutputFormat::StreamJson => match passed_on(who, line) {
                    Some(line) => self.voice.print_json(&line),
                    None => self.complain(who, "a report that is too long or came too far to be printed"),
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
            Stage::Asked { question, .. } => self.asked = Some((emitted.key.clone(), Arc::clone(question))),
            Stage::Ended(end) => {
                let is_ruled = matches!(**end, End::Answered { source: AnswerSource::Rule, .. });
                let asked = self.asked.take().filter(|(key, _)| is_ruled && *key == emitted.key);
                if let Some((_, question)) = asked {
                    screen.with(|screen| screen.ended(&question, end));
                }
            }
        }
    }

    /// Says what was dropped, but not a hundred thousand times.
    fn complain(&mut self, who: &Who, why: &str) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let (left_out, is_told) = self.noise.hear(now, &who.wire);
        for (wire, count) in left_out {
            self.warn(&format!("{wire}: {count} more lines dropped"));
        }
        if is_told {
            self.warn(&format!("{} ({}): a line was dropped: {why}", who.path, who.wire));
        }
    }

    fn warn(&self, what: &str) {
        self.voice.warn(what);
    }
}

impl Outlet for Output {
    fn take(&mut self, output: Said) {
        match output {
            Said::Own(emitted) if !self.wanted.quiet && self.parent().is_none() => self.own(&emitted),
            Said::Own(_) => {}
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
            Said::Dropped(who, why) => self.complain(&who, &why),
            Said::Gap(lost, why) => {
                let why = why.map(|why| format!(" ({why})")).unwrap_or_default();
                self.warn(&format!(
                    "the journal loses records, {lost} so far{why}; answers go on without them"
                ));
            }
        }
    }
}
