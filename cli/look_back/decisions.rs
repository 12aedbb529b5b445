//! `tim log --since …`: who decided what, in all runs or in one.
//!
//! Owns which decisions are meant and how they are listed. A question of a nested run is on record there and in each run
//! above it; where several records are read it is told once, by the one where it was decided.

use actors::audit::{Audit, Decision, Outline};
use codec::json::{Json, Written as _};
use jiff::Zoned;

use super::json::{self, Of};
use super::once::Above;
use super::table::{Cell, Column, rows};
use super::{Note, read, when, words};
use crate::args::{DecidedBy, LogArgs};
use crate::retold::Look;
use crate::runs::RunFile;
use crate::term::style::Style;

/// Which decisions are meant.
#[derive(Debug, Default)]
pub(super) struct Filter {
    pub(super) since: Option<u64>,
    pub(super) until: Option<u64>,
    pub(super) tools: Vec<String>,
    pub(super) who: Option<String>,
    pub(super) by: Vec<DecidedBy>,
    /// only runs in this folder
    pub(super) folder: Option<String>,
}

impl Filter {
    pub(super) fn of(args: &LogArgs, folder: Option<String>, now: &Zoned) -> Result<Self, String> {
        let moment = |name: &str, text: &Option<String>| {
            let read = text
                .as_ref()
                .map(|text| when::parse(text, now).map_err(|why| format!("{name} {text}: {why}")));
            read.transpose()
        };
        Ok(Self {
            since: moment("--since", &args.since)?,
            until: moment("--until", &args.until)?,
            tools: args.tool.clone(),
            who: args.who.as_ref().map(|who| who.to_lowercase()),
            by: args.by.clone(),
            folder: folder.filter(|_| args.here),
        })
    }

    fn takes(&self, at_unix_ms: u64, decision: &Decision) -> bool {
        let has_name = |who: &String| {
            let names = [Some(decision.path.as_str()), decision.agent.as_deref()];
            names.into_iter().flatten().any(|name| name.to_lowercase().contains(who))
        };
        let is_tool =
            |tool: &String| decision.tool.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(tool));
        let is_by = |by: DecidedBy| words::kind_of(&decision.by).unwrap_or(DecidedBy::Nobody) == by;
        self.since.is_none_or(|since| at_unix_ms >= since)
            && self.until.is_none_or(|until| at_unix_ms < until)
            && (self.tools.is_empty() || self.tools.iter().any(is_tool))
            && self.who.as_ref().is_none_or(has_name)
            && (self.by.is_empty() || self.by.iter().copied().any(is_by))
    }

    /// Whether a record may hold something of that time: nothing is in it that came after it was last written to. A file
    /// that claims to be older than its own run was copied, and says nothing by its age.
    pub(super) fn may_hold(&self, run: &RunFile) -> bool {
        let is_copy = run.written_unix_ms < run.began_unix_ms;
        self.since.is_none_or(|since| is_copy || run.written_unix_ms >= since)
    }
}

/// A decision, and when and in which run it was.
struct Found {
    run: String,
    short: String,
    started_unix_ms: u64,
    at_unix_ms: u64,
    /// its run belongs to another
    is_below: bool,
    decision: Decision,
}

/// Those that were found, out of how many.
#[derive(Default)]
pub(super) struct All {
    found: Vec<Found>,
    total: usize,
    /// the decisions of runs below others: they may be on record above too
    below: Vec<(String, Decision)>,
    above: Above,
    /// the oldest were left out
    is_cut: bool,
}

/// As many are kept at a time, the newest; more is for programs that read the records themselves.
const MOST: usize = 200_000;

impl All {
    /// Reads the decisions of one record.
    pub(super) fn add(&mut self, run: &RunFile, filter: &Filter) -> Result<Vec<Note>, String> {
        let (mut audit, mut outline) = (Audit::new(), Outline::default());
        let is_meant = |outline: &Outline| filter.folder.is_none() || filter.folder == outline.folder;
        let unused = read::read(run, |entry| {
            let decided = audit.hear(entry);
            outline.hear(entry, &[]);
            if is_meant(&outline) {
                decided.into_iter().for_each(|decision| self.take(&outline, run, decision, filter));
            }
            is_meant(&outline)
        })?;
        if !is_meant(&outline) {
            return Ok(Vec::new());
        }
        let passed = audit.passed_over();
        audit.end().into_iter().for_each(|decision| self.take(&outline, run, decision, filter));
        Ok(Note::of(run, (&outline, passed), unused))
    }

    fn take(&mut self, outline: &Outline, run: &RunFile, decision: Decision, filter: &Filter) {
        self.total += 1;
        self.above.add(&decision);
        let is_below = outline.path.is_some();
        if is_below {
            self.below.push((outline.id.clone(), decision.clone()));
        }
        let at_unix_ms = outline.started_unix_ms.saturating_add(decision.at_ms);
        if filter.takes(at_unix_ms, &decision) {
            let short = if run.short.is_empty() { outline.id.clone() } else { run.short.clone() };
            let (run, started_unix_ms) = (outline.id.clone(), outline.started_unix_ms);
            self.found.push(Found { run, short, started_unix_ms, at_unix_ms, is_below, decision });
            if self.found.len() >= 2 * MOST {
                self.keep_newest(MOST);
            }
        }
    }

    /// In the order of time, the newest of them, each once. One that only the record below shows is told by that.
    pub(super) fn settle(&mut self, last: usize) {
        let mut above = Above::default();
        self.found.iter().for_each(|one| above.add(&one.decision));
        self.found.retain(|one| !(one.is_below && above.tell(&one.run, &one.decision)));
        self.total -= self.below.drain(..).filter(|(run, one)| self.above.tell(run, one)).count();
        self.keep_newest(MOST);
        if self.is_cut {
            crate::warn(&format!("only the newest {MOST} are looked at: --since and --until choose others"));
        }
        if last > 0 && self.found.len() > last {
            self.found.drain(..self.found.len() - last);
        }
    }

    fn keep_newest(&mut self, most: usize) {
        self.found.sort_by(|one, other| {
            (one.at_unix_ms, &one.run, one.decision.name).cmp(&(
                other.at_unix_ms,
                &other.run,
                other.decision.name,
            ))
        });
        if self.found.len() > most {
            self.found.drain(..self.found.len() - most);
            self.is_cut = true;
        }
    }

    pub(super) fn to_json(&self) -> String {
        let all: Vec<Json<'static>> = self
            .found
            .iter()
            .map(|one| {
                json::decision(Of { run: &one.run, started_unix_ms: one.started_unix_ms }, &one.decision)
            })
            .collect();
        json::line(&Json::object(|out| {
            out.raw_member("\"decisions\"", &json::list(&all));
            out.member("total", |to| (self.total as u64).write(to));
        }))
    }

    pub(super) fn rows(&self, look: &Look, now: &Zoned) -> Vec<String> {
        if self.found.is_empty() {
            return vec![format!("none of {} decisions is like that", self.total)];
        }
        let cells: Vec<Vec<Cell>> = self.found.iter().map(|one| one.cells(now)).collect();
        let mut all = rows(&COLUMNS, &cells, look);
        let last = self.found.last().map(Found::key).unwrap_or_default();
        let foot = format!(
            "{} of {} · tim log why {last} explains one · --json for all fields",
            self.found.len(),
            self.total
        );
        all.extend(look.dim(&foot));
        all
    }
}

const COLUMNS: [Column; 5] = [
    Column::left("when", 12),
    Column::left("key", 13),
    Column::left("who", 16),
    Column::wide("what"),
    Column::left("decided by", 20),
];

impl Found {
    fn key(&self) -> String {
        format!("{}.{}", self.short, self.decision.name)
    }

    fn cells(&self, now: &Zoned) -> Vec<Cell> {
        let plain = |text: String| (Style::PLAIN, text);
        let (_, style) = words::sign(&self.decision);
        let by = if self.decision.by.allowed() == Some(true) { Style::PLAIN } else { style };
        vec![
            plain(when::shown(self.at_unix_ms, now)),
            plain(self.key()),
            plain(words::who(&self.decision)),
            plain(words::what(&self.decision)),
            (by, words::decided_by(&self.decision)),
        ]
    }
}
