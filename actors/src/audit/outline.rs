//! A run in one row: what it was for, who worked, what it cost, how it ended.
//!
//! A fold over the record, like the decisions. Knows no file: whether the run still goes on is not on record.

use codec::claude::{Output, System};
use codec::journal::{Body, Direction, Entry, Event, WireLine};
use codec::json::Text;
use codec::tunnel::Role;

use super::{By, Decision, Language, Name, speaks};
use crate::agent::verdict::Tally;
use crate::router::emit::unix_ms;
use crate::turns::brief;

/// As many agents are counted one by one.
const MOST_AGENTS: usize = 1_024;

/// What is known of a run.
#[derive(Debug, Default)]
pub struct Outline {
    /// its name
    pub id: String,
    /// when it began, in milliseconds since 1970
    pub started_unix_ms: u64,
    /// what it was to its askers
    pub role: Option<Role>,
    /// what its parent calls it, if it had one
    pub path: Option<String>,
    /// the folder it worked in, if that is on record
    pub folder: Option<String>,
    /// what it was started with, in one line
    pub prompt: Option<String>,
    /// its agents, in the order in which they came
    pub agents: Vec<String>,
    /// how many uses of tools and questions somebody decided with yes, with no, and nobody
    pub yes: u64,
    /// see `yes`
    pub no: u64,
    /// see `yes`
    pub undecided: u64,
    /// how long the record is
    pub lasted_ms: u64,
    /// how many records are missing
    pub lost: u64,
    /// how it ended, if that is on record
    pub over: Option<Over>,
    /// the last signal that came
    pub signal: Option<String>,
    wires: Vec<String>,
    tallies: Vec<(String, Tally)>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Over {
    /// its exit code
    pub code: u64,
}

impl Outline {
    /// Takes the next record, and what was decided by it.
    pub fn hear(&mut self, entry: &Entry<'_>, decided: &[Decision]) {
        self.lasted_ms = self.lasted_ms.max(entry.t);
        decided.iter().for_each(|decision| self.count(decision));
        match &entry.body {
            Body::Line(line) => self.line(line),
            Body::Event(Event::Run(run)) => {
                self.id = brief::line(&run.id.get());
                self.started_unix_ms =
                    run.started.as_ref().and_then(|at| unix_ms(&at.get())).unwrap_or_default();
                self.role = run.role;
                self.path = run.path.as_ref().map(ToString::to_string);
                let root =
                    run.rules.as_ref().and_then(|rules| rules.peek("root")).and_then(|root| root.as_text());
                self.folder = root.map(|root| root.get().into_owned()).filter(|root| !root.is_empty());
            }
            Body::Event(Event::Attach(came)) => self.came(&came.wire, came.path.as_ref()),
            Body::Event(Event::Typed(typed)) if typed.prompt == Some(true) && self.prompt.is_none() => {
                self.prompt = Some(brief::line(&typed.text.get()));
            }
            Body::Event(Event::Signal(signal)) => self.signal = Some(brief::line(&signal.name.get())),
            Body::Event(Event::Gap(gap)) => self.lost = self.lost.saturating_add(gap.lost),
            Body::Event(Event::Over(over)) => self.over = Some(Over { code: over.code }),
            Body::Event(_) => {}
        }
    }

    /// What it cost so far, in dollars, if its agents tell.
    #[must_use]
    pub fn cost(&self) -> Option<f64> {
        let costs = self.tallies.iter().filter_map(|(_, tally)| tally.totals().cost);
        costs.fold(None, |sum, cost| Some(sum.unwrap_or(0.0) + cost))
    }

    /// How many turns there were.
    #[must_use]
    pub fn turns(&self) -> u64 {
        self.tallies.iter().map(|(_, tally)| tally.totals().turns).sum()
    }

    /// The conversations that can be gone on with.
    pub fn sessions(&self) -> impl Iterator<Item = &str> {
        self.tallies.iter().filter_map(|(_, tally)| tally.totals().session_id.as_deref())
    }

    fn count(&mut self, decision: &Decision) {
        let is_open = matches!(decision.by, By::Nobody { allowed: false, .. });
        match decision.by.allowed() {
            // What an agent used without asking is no question, whosever rule it went by.
            _ if matches!(decision.name, Name::Use(_)) => {}
            Some(false) if is_open => self.undecided += 1,
            Some(false) => self.no += 1,
            Some(true) => self.yes += 1,
            // A choice or a text: it was answered. Of what is not known it cannot be said.
            None if matches!(decision.by, By::Answered(_)) && decision.is_plain_question() => self.yes += 1,
            None => {}
        }
    }

    fn came(&mut self, wire: &Text<'_>, path: Option<&Text<'_>>) {
        let wire = wire.get();
        let Some(language) = speaks(&wire).filter(|_| self.agents.len() < MOST_AGENTS) else { return };
        // One that was gone on with comes again.
        if self.wires.iter().any(|known| *known == wire) {
            return;
        }
        self.wires.push(wire.clone().into_owned());
        self.agents.push(path.map_or_else(|| brief::line(&wire), |path| brief::line(&path.get())));
        if language == Language::Claude {
            self.tallies.push((wire.into_owned(), Tally::default()));
        }
    }

    fn line(&mut self, line: &WireLine<'_>) {
        let wire = line.wire.get();
        if speaks(&wire) != Some(Language::Claude) || line.dir != Direction::From {
            return;
        }
        let (Some((_, tally)), Ok(bytes)) =
            (self.tallies.iter_mut().rev().find(|(known, _)| *known == wire), line.bytes())
        else {
            return;
        };
        // Of the others it would only remember more and more.
        if let Ok(output @ (Output::System(System::Init(_)) | Output::Result(_))) = Output::read(&bytes) {
            tally.hear(&output);
        }
    }
}
