//! The whole screen of a person, without the terminal: bytes that were typed go in, bytes to be written come out.
//!
//! Owns the line, the question that is up, who has the keys, what waits to be shown and the picture that is on the screen.
//! Decides which key belongs to whom; decides no question. Reads no terminal and no clock, so a test can be the person, the
//! terminal and the time. It ends with
//! [`Screen::step_aside`].

mod backlog;
pub(crate) mod crew;
mod focus;
mod frames;
mod keys;
mod live;
mod queued;
mod said;
pub(crate) mod status;
mod stream;
mod targets;
#[cfg(test)]
mod tests;
mod unseen;

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use actors::end::End;
use actors::router::{Keeper, Offer, Said};
use actors::terminal::{Behind, Waiting};
use codec::id::{Key, Path};
use codec::tunnel::AnswerSource;
use tokio::time::Instant;

use super::attention::Attention;
use super::editor::Editor;
use super::keys::Decoder;
use super::painter::{Painter, Reflow};
use super::question::{Block, Here, summary};
use super::style::{Ink, Row};
use crate::render::Kind;
use backlog::Backlog;
use crew::Crew;
use focus::Focus;
use queued::Queued;
use status::Status;
use stream::Stream;
use targets::Targets;
use unseen::Unseen;

/// What the person did that somebody else must carry out.
#[derive(Debug, Clone)]
pub(crate) enum Act {
    /// said something about the question of that name
    Say(Key, Said),
    /// sent a line, to all or to one
    Send {
        /// under this number, by which the screen wants to hear what became of it
        number: u64,
        /// what
        text: String,
        /// to whom
        to: Option<Path>,
    },
    /// wants the line of that number back
    TakeBack(u64),
    /// wants what goes on to stop: that of this one, if one is meant
    Interrupt(Option<Path>),
    /// has text on the line from now on, or none
    Line(bool),
    /// says that this was all (Ctrl-D)
    Finish,
    /// wants out
    End,
    /// Ctrl-Z
    Suspend,
    /// did nothing for a while: their command is to be run for this question
    Call(Arc<Offer>),
}

/// Tells somebody that a question is on the screen. It must not come back to the screen.
pub(crate) type WhenDrawn = Box<dyn FnOnce()>;

/// What is known about the place when it begins.
pub(crate) struct Setup {
    /// where questions are asked
    pub(crate) here: Here,
    /// the folder, as people know it
    pub(crate) folder: Option<String>,
    /// what the terminal can do
    pub(crate) ink: Ink,
    /// what it does with rows that became too wide
    pub(crate) reflow: Reflow,
    /// whether there is a line that agents hear; without one a question has all keys
    pub(crate) has_line: bool,
    /// whether whoever hears a line says when they read it; until then it waits, and can be taken back
    pub(crate) tells_read: bool,
    /// what a second Ctrl-C does, as a sentence
    pub(crate) ends: &'static str,
    /// a question that says this cannot be drawn, and a line not be sent: for tests
    pub(crate) fails_on: Option<String>,
    /// what calls a person who looks elsewhere
    pub(crate) attention: Attention,
    /// the time of day so long ago
    pub(crate) time: Box<dyn Fn(Duration) -> String>,
}

/// The question that is up.
struct Up {
    offer: Arc<Offer>,
    since: Instant,
    time: String,
    who: Vec<String>,
    block: Block,
    focus: Focus,
    when_drawn: Option<WhenDrawn>,
    /// no key counts before: the last one brought another of its questions
    rests_until: Option<Instant>,
}

/// A word to the person that stands until the next key, or until then.
struct Hint {
    rows: Vec<Row>,
    until: Option<Instant>,
}

/// What a frame that is being written says.
struct Flight {
    question: Option<Key>,
    is_armed: bool,
    began: Instant,
    /// the rows of the history that it has
    above: Vec<Row>,
}

/// The screen.
pub(crate) struct Screen {
    setup: Setup,
    columns: usize,
    height: usize,
    decoder: Decoder,
    /// when the last byte came
    last_byte: Instant,
    editor: Editor,
    painter: Painter,
    backlog: Backlog,
    stream: Stream,
    /// what was reported last, and by whom
    last: Option<(Kind, String)>,
    /// what was folded away, the last one first
    folded: VecDeque<Vec<Row>>,
    up: Option<Up>,
    behind: Behind,
    targets: Targets,
    status: Option<Status>,
    /// several agents, each with what it is at
    crew: Crew,
    queued: Queued,
    hint: Option<Hint>,
    /// when a question went away that had the keys
    vanished: Option<Instant>,
    /// the line was begun so soon after that that it may be the rest of an answer
    line_doubt: Option<&'static str>,
    /// a letter that was none of a question's keys, and when it came: perhaps the first of a line
    stray: Option<(char, Instant)>,
    /// what was on the line was taken away: the next one may be the rest of it
    was_line_dropped: bool,
    /// the line that was not sent because it names nobody
    missed: Option<String>,
    /// who was meant when the line was begun
    line_is_for: Option<Path>,
    /// what was last said about text on the line
    told_text: bool,
    /// when Ctrl-C asked for an interruption
    interrupted: Option<Instant>,
    flight: Option<Flight>,
    /// bytes that go before the next frame and draw nothing
    call: String,
    /// how much of the backlog one frame takes: less on a slow terminal, so that nothing waits behind much
    portion: usize,
    /// something changed that the person did, or that asks them
    is_urgent: bool,
    /// something else changed
    is_changed: bool,
    last_frame: Option<Instant>,
    /// the last one that had something new of an agent or a client
    last_output: Option<Instant>,
    unseen: Unseen,
}

impl Screen {
    /// A screen of that size.
    pub(crate) fn new(setup: Setup, (columns, height): (usize, usize), now: Instant) -> Self {
        let mut screen = Self {
            painter: Painter::new(columns, height, setup.ink, setup.reflow),
            setup,
            columns: 0,
            height: 0,
            decoder: Decoder::default(),
            last_byte: now,
            editor: Editor::default(),
            backlog: Backlog::default(),
            stream: Stream::default(),
            last: None,
            folded: VecDeque::new(),
            up: None,
            behind: Behind::default(),
            targets: Targets::default(),
            status: None,
            crew: Crew::default(),
            queued: Queued::default(),
            hint: None,
            vanished: None,
            line_doubt: None,
            stray: None,
            was_line_dropped: false,
            missed: None,
            line_is_for: None,
            told_text: false,
            interrupted: None,
            flight: None,
            call: String::new(),
            portion: frames::FIRST_PORTION,
            is_urgent: true,
            is_changed: true,
            last_frame: None,
            last_output: None,
            unseen: Unseen::default(),
        };
        screen.resized(columns, height);
        screen
    }

    /// The terminal has another size now.
    pub(crate) fn resized(&mut self, columns: usize, height: usize) {
        (self.columns, self.height) = (columns.max(1), height.max(1));
        self.painter.resized(self.columns, self.height);
        // It was folded for another width, and could take the room of a question.
        self.hint = None;
        self.is_urgent = true;
    }

    /// As wide as rows are: the last column stays free, since terminals differ in what they do there.
    pub(crate) fn width(&self) -> usize {
        self.columns.saturating_sub(1).max(1)
    }

    /// Somebody hears the line from now on, or no longer.
    pub(crate) fn hears(&mut self, path: Path, hears: bool) {
        let before = self.targets.meant().cloned();
        self.targets.hears(path, hears);
        // What is half typed would go elsewhere.
        let is_other =
            before.is_some() && self.targets.meant().is_some_and(|now| Some(now) != before.as_ref());
        if !self.editor.is_empty() && is_other {
            self.hint("Who hears your line has changed: look before you send it", None);
        }
        self.is_changed = true;
    }

    /// Whether there is text on the line.
    pub(crate) fn has_text(&self) -> bool {
        !self.editor.is_empty()
    }

    /// The same, if that is news.
    pub(crate) fn line_news(&mut self) -> Option<Act> {
        let has_text = self.has_text();
        let is_news = std::mem::replace(&mut self.told_text, has_text) != has_text;
        is_news.then_some(Act::Line(has_text))
    }

    /// How many hear the line.
    pub(crate) const fn hearers(&self) -> usize {
        self.targets.count()
    }

    /// A question as it opens. A rule is offered only where somebody would keep it.
    fn block(&self, offer: &Offer) -> Block {
        let mut here = self.setup.here.clone();
        match offer.keeper {
            Keeper::Here => {}
            // It may work in any folder, so there is only tim's own file.
            Keeper::ForGuest => here.claude_file.clear(),
            // Its owner keeps it for the session; neither file is theirs.
            Keeper::Below => {
                here.rules_file.clear();
                here.claude_file.clear();
            }
            Keeper::Nobody => here.keeps_rules = false,
        }
        // What anybody else calls itself does not count, only which process it is.
        here.asks_itself = here.pid.is_some() && offer.pid == here.pid;
        Block::new(&offer.question, &here)
    }

    /// A question is up. `when_drawn` is called when the person can see it.
    pub(crate) fn show(&mut self, up: &Waiting, behind: &Behind, when_drawn: WhenDrawn, now: Instant) {
        self.finish_stream();
        self.interrupted = None;
        let block = self.block(&up.offer);
        let what = format!("{} {}", up.offer.path.replace('/', " › "), block.says());
        self.setup.attention.question(&up.offer.key, &what, now);
        self.up = Some(Up {
            offer: Arc::clone(&up.offer),
            since: up.since,
            time: (self.setup.time)(now.saturating_duration_since(up.since)),
            who: up.offer.path.split('/').map(str::to_owned).collect(),
            block,
            focus: Focus::opens(self.editor.is_empty()),
            when_drawn: Some(when_drawn),
            rests_until: None,
        });
        self.behind(behind);
        self.is_urgent = true;
    }

    /// Others wait behind it.
    pub(crate) fn behind(&mut self, behind: &Behind) {
        self.behind = behind.clone();
        self.count_waiting();
        self.is_changed = true;
    }

    /// The run has ended, as `what` says: whoever looks elsewhere is called.
    pub(crate) fn run_ended(&mut self, what: &str, now: Instant) {
        if self.setup.attention.is_away(now) {
            self.setup.attention.ended(what);
            // There is no question for which a command could be run.
            let _ = self.call(now);
        }
        self.is_urgent = true;
    }

    fn count_waiting(&mut self) {
        let count = self.up.as_ref().map_or(0, |_| 1 + self.behind.count);
        self.setup.attention.waiting(count);
    }

    /// A question is over: one row says how. The line is as it was.
    pub(crate) fn close(&mut self, over: &Waiting, end: &End, now: Instant) {
        let mut is_seen = false;
        if let Some(mut up) = self.up.take_if(|up| up.offer.key == over.offer.key) {
            let is_by_us =
                matches!(end, End::Answered { source: AnswerSource::Terminal, .. } | End::Declined);
            self.vanished = Some(now).filter(|_| up.focus.counts() && !is_by_us);
            is_seen = up.when_drawn.is_none();
            self.hint = None;
            self.count_waiting();
            if let Some(words) = up.block.typed().filter(|_| !is_by_us) {
                self.keep_words(&words);
            }
        }
        self.setup.attention.gone(&over.offer.key);
        match is_seen {
            true => self.ended(&over.offer.path, &over.offer.question, end),
            false => self.ended_unseen(&over.offer.path, &over.offer.question, end),
        }
        self.is_urgent = true;
    }

    /// What was typed into a question that is gone is not lost, and not sent without being looked at.
    fn keep_words(&mut self, words: &str) {
        self.editor.resume();
        if self.editor.is_empty() && self.setup.has_line {
            self.editor.paste(words);
            self.line_is_for = self.targets.meant().cloned();
            self.line_doubt = Some(keys::VANISHED);
            self.hint("The question has ended; your words are here", None);
        } else {
            self.warn(&format!("not sent: {words}"));
        }
    }

    /// What the person said about that question did not count.
    pub(crate) fn object(&mut self, about: Option<&Key>, why: &str) {
        match self.up.as_mut().filter(|up| Some(&up.offer.key) == about) {
            Some(up) => up.block.say(why),
            None => self.warn(why),
        }
        self.is_urgent = true;
    }

    /// The question that is up is taken away without a word, since it cannot be shown.
    pub(crate) fn drop_question(&mut self) -> Option<Key> {
        (self.flight, self.is_urgent) = (None, true);
        self.painter.redraw();
        let key = self.up.take().map(|up| up.offer.key.clone());
        if let Some(key) = &key {
            self.setup.attention.gone(key);
        }
        self.count_waiting();
        key
    }

    fn then(&self) -> Vec<String> {
        let place = &self.setup.here.place;
        let one = |offer: &Arc<Offer>| {
            let who = offer.path.rsplit('/').next().unwrap_or_default();
            format!("{who}: {}", summary::of(&offer.question, place))
        };
        self.behind.next.iter().map(one).collect()
    }
}
