//! A run that is over, told once more: the history of its screen as rows, from what is on record.
//!
//! Owns what each agent was at, whose words a row is and where a blank row belongs. It is handed what was said, typed and
//! decided, with the time of the record, and gives rows that can be printed. Reads no file and no clock and asks nobody: the
//! same words give the same rows, in every place, at any time. What it keeps is bounded, however long the run was. How a
//! question is told is up to whoever knows it: such rows only pass through here. Ends with [`Retelling::finish`].

mod agent;
mod look;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::time::Duration;

use actors::gate::Place;
use codec::limits::Limits;
use codec::tunnel::Up;
use tokio::time::Instant;

use crate::duration;
use crate::render::tale::Piece;
use crate::render::{self, Badge, Block, Kind};
use crate::term::style::{Colour, Row, Span, Style};
use agent::Agent;
pub(crate) use look::Look;

/// How many agents can be at work at once.
const MOST_AGENTS: usize = 1_024;

/// A run that is told once more.
pub(crate) struct Retelling {
    look: Look,
    /// what counts as the beginning of the run; nothing but what lies between two times is ever shown
    began: Instant,
    /// by their wires
    agents: BTreeMap<String, Agent>,
    /// what was told last, and whose it was
    last: Option<(Kind, String)>,
    rows: Vec<String>,
}

/// Who says something: the wire of the record, and what they are called.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speaker<'a> {
    pub(crate) wire: &'a str,
    pub(crate) path: &'a str,
}

impl Retelling {
    /// A run of which nothing was told yet, for that kind of output.
    pub(crate) fn new(look: Look) -> Self {
        Self { look, began: Instant::now(), agents: BTreeMap::new(), last: None, rows: Vec::new() }
    }

    /// What there is to print by now.
    pub(crate) fn rows(&mut self) -> std::vec::Drain<'_, String> {
        self.rows.drain(..)
    }

    /// How it is printed, for those who make rows of their own.
    pub(crate) const fn look(&self) -> &Look {
        &self.look
    }

    /// Somebody said a line at that time: an agent on its stdout, or a client through the socket.
    pub(crate) fn said(&mut self, who: Speaker<'_>, line: &[u8], t: u64) {
        if !Agent::is_on(who.wire) {
            return self.reported(who.path, line);
        }
        let now = self.instant(t);
        self.comes(who);
        let Some(agent) = self.agents.get_mut(who.wire) else { return };
        let pieces = agent.hear(line, now);
        self.tell(who.wire, pieces);
    }

    /// An agent came. One that says something is here in any case.
    pub(crate) fn comes(&mut self, who: Speaker<'_>) {
        if !Agent::is_on(who.wire) || self.agents.contains_key(who.wire) {
            return;
        }
        if self.agents.len() >= MOST_AGENTS {
            return self.warn(&format!("{} is one agent too many to be told of", who.wire));
        }
        let number = self.agents.len();
        self.agents.insert(who.wire.to_owned(), Agent::new(who, number));
    }

    /// What a client reports, behind its path.
    fn reported(&mut self, path: &str, line: &[u8]) {
        let Ok(message) = Up::read(line, &Limits::STANDARD) else { return };
        let (path, block) = render::block(path, &message);
        self.block(&block, Some(&Badge::of(&path)));
    }

    /// A person typed this, for that agent if there was a choice.
    pub(crate) fn typed(&mut self, text: &str, to: Option<&str>) {
        let cyan = Style::of(Colour::Cyan);
        let you = Row::own(cyan, "→ ").and(Span::own(cyan, "You"));
        let you = to.map_or(you.clone(), |to| you.and(Span::foreign(cyan, &format!(" to {to}"))));
        let rows = self.look.note(you.and(Span::own(cyan, ": ")), cyan, text);
        let rows = self.look.at_most(rows, MOST_TYPED);
        self.put(Kind::Block, "", rows);
    }

    /// A row of whoever knows the questions, or anything else that stands for itself.
    pub(crate) fn note(&mut self, row: &Row) {
        let row = self.look.cut(row);
        self.rows.extend(self.look.paint(&[row]));
    }

    /// Something that the person should know.
    pub(crate) fn warn(&mut self, what: &str) {
        let yellow = Style::of(Colour::Yellow);
        let rows = self.look.note(Row::own(yellow, "! "), yellow, what);
        self.rows.extend(rows);
    }

    /// The agent of that path asks whether it may use a tool: the time of that has not begun.
    pub(crate) fn tool_asked(&mut self, path: &str, tool_use_id: &str) {
        if let Some(agent) = self.of_path(path) {
            agent.story.asked(tool_use_id);
        }
    }

    /// That was decided, and a row says so.
    pub(crate) fn tool_decided(&mut self, path: &str, tool_use_id: &str, is_allowed: bool, t: u64) {
        let now = self.instant(t);
        if let Some(agent) = self.of_path(path) {
            agent.story.decided(tool_use_id, is_allowed, now);
            agent.story.hush(tool_use_id);
        }
    }

    /// A question that the agent of that path asked by itself is over. A no ends its turn.
    pub(crate) fn input_ended(&mut self, path: &str, is_rejected: bool, t: u64) {
        self.of_agent(path, t, |agent, now| match agent.story.is_idle() {
            true => Vec::new(),
            false => agent.story.input_ended(is_rejected, now),
        });
    }

    /// The agent of that path asked what nobody could answer.
    pub(crate) fn misasked(&mut self, path: &str, why: &str, t: u64) {
        self.of_agent(path, t, |agent, now| agent.story.misasked(why, now));
    }

    /// The agent on that wire printed something beside its stdout, or what is no line at all.
    pub(crate) fn printed(&mut self, wire: &str, text: &str) {
        self.tell(wire, vec![Piece::Block(Block::output(text))]);
    }

    /// The person wanted the agent on that wire to stop.
    pub(crate) fn interrupted(&mut self, wire: &str) {
        if let Some(agent) = self.agents.get_mut(wire) {
            agent.story.interrupted();
        }
    }

    /// The process of the agent on that wire ended, with that code or by that signal. It may have printed more than was read
    /// by then.
    pub(crate) fn exited(&mut self, wire: &str, code: Option<u64>, signal: Option<u64>) {
        if let Some(agent) = self.agents.get_mut(wire) {
            agent.exit = (code, signal);
        }
    }

    /// The agent on that wire is gone, and nothing more comes of it.
    pub(crate) fn gone(&mut self, wire: &str, t: u64) {
        let now = self.instant(t);
        let Some(agent) = self.agents.get_mut(wire) else { return };
        let pieces = agent.story.ends(now);
        self.tell(wire, pieces);
        if let Some(agent) = self.agents.remove(wire) {
            self.note(&agent.end_row(t));
        }
    }

    /// The record ends: what is unfinished is told as unfinished.
    pub(crate) fn finish(&mut self, t: u64) {
        let now = self.instant(t);
        for wire in self.agents.keys().cloned().collect::<Vec<_>>() {
            let pieces = self.agents.get_mut(&wire).map(|agent| agent.story.ends(now));
            self.tell(&wire, pieces.unwrap_or_default());
        }
        self.agents.clear();
    }

    /// Where the agent of that path works, by which files are called shortly.
    pub(crate) fn place_of(&self, path: &str) -> Place {
        let agent = self.agents.values().find(|agent| agent.path == path);
        agent.map_or_else(agent::anywhere, |agent| agent.place.clone())
    }

    /// Whose it is, where that must be said: there is more than one agent.
    pub(crate) fn whose<'p>(&self, path: &'p str) -> Option<&'p str> {
        let is_alone = self.agents.len() <= 1 && self.agents.values().all(Agent::is_alone);
        Some(path).filter(|_| !is_alone)
    }

    fn of_path(&mut self, path: &str) -> Option<&mut Agent> {
        self.agents.values_mut().find(|agent| agent.path == path)
    }

    fn of_agent(&mut self, path: &str, t: u64, what: impl FnOnce(&mut Agent, Instant) -> Vec<Piece>) {
        let now = self.instant(t);
        let Some((wire, agent)) = self.agents.iter_mut().find(|(_, agent)| agent.path == path) else {
            return;
        };
        let (wire, pieces) = (wire.clone(), what(agent, now));
        self.tell(&wire, pieces);
    }

    /// Texts are told whole, so that nothing stands in the middle of one.
    fn tell(&mut self, wire: &str, pieces: Vec<Piece>) {
        let is_one_of_several = self.agents.len() > 1;
        let Some(agent) = self.agents.get_mut(wire) else { return };
        let badge = agent.badge(is_one_of_several);
        for block in agent.whole.take(pieces) {
            self.block(&block, badge.as_ref());
        }
    }

    fn block(&mut self, block: &Block, badge: Option<&Badge>) {
        let rows = self.look.block(block, badge);
        let whose = badge.map(|badge| badge.name.as_str()).unwrap_or_default();
        self.put(block.kind(), whose, rows);
    }

    /// Rows of somebody, behind a blank one where they do not belong to what stands above them.
    fn put(&mut self, kind: Kind, whose: &str, rows: Vec<String>) {
        if rows.is_empty() {
            return;
        }
        let before = self.last.replace((kind, whose.to_owned()));
        if before.is_some_and(|(last, by)| by != whose || render::gap_between(last, kind)) {
            self.rows.push(String::new());
        }
        self.rows.extend(rows);
    }

    /// A time of the record. No run takes longer than a century, whatever a file says.
    fn instant(&self, t: u64) -> Instant {
        let since = Duration::from_millis(t.min(CENTURY_MS));
        self.began.checked_add(since).unwrap_or(self.began)
    }
}

/// A time of the record in a row: seconds, and from a minute on as people write it.
pub(crate) fn time(milliseconds: u64) -> String {
    match milliseconds {
        0..60_000 => format!("{}.{}s", milliseconds / 1_000, milliseconds % 1_000 / 100),
        _ => duration::written(Duration::from_secs(milliseconds / 1_000)),
    }
}

/// As many rows of a typed line are told, as on the screen.
const MOST_TYPED: usize = 20;

const CENTURY_MS: u64 = 100 * 365 * 24 * 60 * 60 * 1_000;
