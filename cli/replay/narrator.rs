//! What happens in a replay, as the person saw it.
//!
//! Owns the questions that are open, for the two rows that each gets: that it was asked, and how it ended. All else is told by
//! [`Retelling`]. What the router said to others is none of it.

use std::collections::HashMap;
use std::sync::Arc;

use actors::agent::events::is_rejection;
use actors::answer::{Given, Verdict};
use actors::end::End;
use actors::question::{Asks, Question};
use actors::replay::{Aside, Happening};
use actors::router::{Emitted, News, Stage};
use codec::id::Key;
use codec::tunnel::PromptKind;

use crate::retold::{Look, Retelling, Speaker, time};
use crate::term::measure::width;
use crate::term::question::{history, summary};
use crate::term::style::{Colour, Row, Span, Style};

/// Tells a run.
pub(super) struct Narrator {
    run: Retelling,
    /// with the path of who asks
    open: HashMap<Key, (String, Arc<Question>)>,
}

/// As wide as in the row of an end.
const WHO_WIDTH: usize = 20;

impl Narrator {
    pub(super) fn new(look: Look) -> Self {
        Self { run: Retelling::new(look), open: HashMap::new() }
    }

    /// What there is to print by now.
    pub(super) fn rows(&mut self) -> std::vec::Drain<'_, String> {
        self.run.rows()
    }

    /// Takes what happens next.
    pub(super) fn take(&mut self, at: u64, happening: &Happening) {
        match happening {
            Happening::Question(emitted) => self.question(at, emitted),
            Happening::Reported { wire, path, line } => self.run.said(Speaker { wire, path }, line, at),
            Happening::Told { desk, key, news: News::Late } => {
                self.run.warn(&format!("{desk}: the answer to {key} came too late"));
            }
            Happening::Told { desk, key, news: News::Unfit(why) } => {
                self.run.warn(&format!("{desk}: no answer to {key}: {why}"));
            }
            Happening::Noise { path, why, is_question: true, .. } => self.run.misasked(path, why, at),
            Happening::Noise { path, why, .. } => self.run.warn(&format!("{path}: {why}")),
            Happening::Aside(aside) => self.aside(at, aside),
            Happening::Remark(why) | Happening::Unused(why) => self.run.warn(why),
            Happening::Sent { .. } | Happening::Differs(_) => {}
        }
    }

    fn aside(&mut self, at: u64, aside: &Aside) {
        match aside {
            Aside::Came { wire, path } => {
                self.run.comes(Speaker { wire, path: path.as_deref().unwrap_or(wire) });
            }
            Aside::Typed { text, to } => self.run.typed(text, to.as_deref()),
            Aside::Interrupted(wire) => self.run.interrupted(wire),
            Aside::Printed { wire, text } => self.run.printed(wire, text),
            Aside::Exited { wire, code, signal } => self.run.exited(wire, *code, *signal),
            Aside::Gone(wire) => self.run.gone(wire, at),
        }
    }

    /// The record ends. Questions that are open then were never answered.
    pub(super) fn finish(&mut self, at: u64) {
        self.run.finish(at);
        let many = self.open.len();
        match many {
            0 => {}
            1 => self.run.warn("1 question is open where the record ends"),
            _ => self.run.warn(&format!("{many} questions are open where the record ends")),
        }
    }

    fn question(&mut self, at: u64, emitted: &Emitted) {
        match &emitted.what {
            Stage::Asked { path, question, .. } => {
                self.asked(at, path, question);
                self.open.insert(emitted.key.clone(), (path.clone(), Arc::clone(question)));
            }
            Stage::Ended(end) => match self.open.remove(&emitted.key) {
                Some((path, question)) => self.ended(at, &path, &question, end),
                None => self.run.warn(&format!("a question was turned away: {}", end.told())),
            },
        }
    }

    fn asked(&mut self, at: u64, path: &str, question: &Question) {
        if let Some(id) = tool_use(question) {
            self.run.tool_asked(path, &id);
        }
        let yellow = Style::of(Colour::Yellow);
        let who = format!("{path} asks");
        let row = Row::own(yellow, "? ").and(Span::foreign(Style::DIM, &format!("{} ", time(at))));
        let row = row.and(Span::foreign(Style::PLAIN, &who));
        let padding = Row::blanks(WHO_WIDTH.saturating_sub(width(&who)).max(2));
        let what = summary::of(question, &self.run.place_of(path));
        self.run.note(&row.then(&padding).and(Span::foreign(Style::PLAIN, &what)));
    }

    fn ended(&mut self, at: u64, path: &str, question: &Question, end: &End) {
        let place = self.run.place_of(path);
        let (time, whose) = (time(at), self.run.whose(path));
        let row = history::row(question, end, &place, (&time, whose), None, self.run.look().room());
        self.run.note(&row);
        // What nobody answered in time may have been allowed all the same: then the tool itself tells.
        let is_open = matches!(end, End::TimedOut { shown: true, .. });
        if let Some(id) = tool_use(question).filter(|_| !is_open) {
            self.run.tool_decided(path, &id, is_allowed(end), at);
        }
        if is_input(question) {
            self.run.input_ended(path, is_rejection(end), at);
        }
    }
}

/// Which use of a tool it is about.
fn tool_use(question: &Question) -> Option<String> {
    Some(question.tool()?.tool_use_id.as_ref()?.get().into_owned())
}

const fn is_allowed(end: &End) -> bool {
    match end {
        End::Answered { given: Given::Verdict(Verdict { allow, .. }), .. } => *allow,
        End::Answered { .. } => true,
        _ => false,
    }
}

/// Whether it is one of the three kinds by which a stream agent asks: a no ends its turn.
const fn is_input(question: &Question) -> bool {
    matches!(&question.asks, Asks::Prompt(PromptKind::Approval | PromptKind::Choice | PromptKind::Text, _))
}
