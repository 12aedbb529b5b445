//! What is on record against what the router does now.
//!
//! Our own journals are compared record by record. Of other recordings only the lines that were sent are compared:
//! what the other program said must be in what we say; that we say more, such as the outcome, is no difference.

use std::collections::{HashMap, VecDeque};

use codec::id::RequestId;
use codec::json::{Json, Object, Text, Written as _};

use super::capture::Capture;

/// A place where record and replay do not agree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// the record at which it was noticed: its number, or its line where records have none
    pub record: u64,
    /// when, in milliseconds
    pub at: u64,
    /// on which wire; empty if it is about the router's own records
    pub wire: String,
    /// what is on record, if anything is
    pub recorded: Option<String>,
    /// what happened now, if anything did
    pub replayed: Option<String>,
}

/// A place in the file.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub(super) record: u64,
    pub(super) at: u64,
}

impl Difference {
    fn new(place: Place, wire: &str, recorded: Option<&str>, replayed: Option<&str>) -> Self {
        let (recorded, replayed) = (recorded.map(str::to_owned), replayed.map(str::to_owned));
        Self { record: place.record, at: place.at, wire: wire.to_owned(), recorded, replayed }
    }

    fn order(&self) -> impl Ord + '_ {
        (self.at, self.record, &self.wire, &self.recorded, &self.replayed)
    }

    /// The same for programs.
    #[must_use]
    pub fn to_json(&self) -> Json<'static> {
        let text = |text: &Option<String>| {
            text.as_deref().map_or_else(Json::null, |text| Text::new(text).into_json())
        };
        Json::object(|out| {
            out.raw_member("\"type\"", "\"difference\"");
            out.member("at", |to| self.at.write(to));
            out.member("record", |to| self.record.write(to));
            out.member("wire", |to| Text::new(&self.wire).write(to));
            out.member("recorded", |to| text(&self.recorded).write(to));
            out.member("replayed", |to| text(&self.replayed).write(to));
        })
    }
}

/// What a line speaks of: its type, and the question that it names.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
struct Subject {
    wire: String,
    kind: String,
    id: Option<RequestId>,
}

impl Subject {
    fn of(wire: &str, line: &str) -> Self {
        let object = Object::parse(line).unwrap_or_default();
        let reply = object.peek("response").cloned().and_then(|reply| Object::read(reply).ok());
        let inner = reply.as_ref().and_then(|reply| reply.peek("request_id"));
        let id = object.peek("requestId").or(inner).and_then(Json::as_text);
        Self {
            wire: wire.to_owned(),
            kind: object.peek("type").map(|kind| kind.raw().to_owned()).unwrap_or_default(),
            id: id.as_ref().map(RequestId::from_text),
        }
    }
}

/// Lines that wait for their match, with their place.
type Unmatched = HashMap<Subject, VecDeque<(Place, String)>>;

/// How many bytes may wait for their match. What comes beyond that has none.
const MOST_UNMATCHED: usize = 16 << 20;

/// Which of the two is further.
#[derive(Clone, Copy)]
enum Side {
    Ahead,
    Behind,
}

/// What is not matched yet.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// lines that the router sent and the record has not shown yet, and the other way round; those that speak of the
    /// same question stand together
    ahead: Unmatched,
    behind: Unmatched,
    /// how many bytes they hold
    waiting: usize,
    /// whether lines are compared one by one, in our own journals as records
    by_line: bool,
    found: Vec<Difference>,
}

impl Comparison {
    /// From now on lines that are sent are compared by wire.
    pub(super) const fn compare_lines(&mut self) {
        self.by_line = true;
    }

    /// The router sent a line.
    pub(super) fn sent(&mut self, wire: &str, line: &str, place: Place) {
        if !self.by_line {
            return;
        }
        let subject = Subject::of(wire, line);
        match self.take(Side::Behind, &subject) {
            Some((recorded_at, recorded)) => self.match_line(wire, recorded_at, &recorded, line),
            None if self.waiting < MOST_UNMATCHED => {
                self.waiting += line.len();
                self.ahead.entry(subject).or_default().push_back((place, line.to_owned()));
            }
            None => self.found.push(Difference::new(place, wire, None, Some(line))),
        }
    }

    /// The record shows a line that was sent.
    pub(super) fn expected(&mut self, wire: &str, line: &str, place: Place) {
        let subject = Subject::of(wire, line);
        match self.take(Side::Ahead, &subject) {
            Some((_, replayed)) => self.match_line(wire, place, line, &replayed),
            None if self.waiting < MOST_UNMATCHED => {
                self.waiting += line.len();
                self.behind.entry(subject).or_default().push_back((place, line.to_owned()));
            }
            None => self.found.push(Difference::new(place, wire, Some(line), None)),
        }
    }

    /// Takes the oldest line about the same thing.
    fn take(&mut self, from: Side, subject: &Subject) -> Option<(Place, String)> {
        let lines = match from {
            Side::Ahead => &mut self.ahead,
            Side::Behind => &mut self.behind,
        };
        let about = lines.get_mut(subject)?;
        let oldest = about.pop_front();
        if about.is_empty() {
            lines.remove(subject);
        }
        self.waiting -= oldest.as_ref().map_or(0, |(_, line)| line.len());
        oldest
    }

    fn match_line(&mut self, wire: &str, place: Place, recorded: &str, replayed: &str) {
        if !says_as_much(recorded, replayed) {
            self.found.push(Difference::new(place, wire, Some(recorded), Some(replayed)));
        }
    }

    /// The file shows a record. Says whether the router recorded one about the same: another question under the same key
    /// is not, whatever else differs is only told.
    pub(super) fn shows(&mut self, records: &Capture, line: &[u8], place: Place) -> bool {
        let replayed = records.pop();
        // The same bytes are the same record; only of others must it be found out what they mean.
        let replayed = match replayed {
            Some(same) if same.as_bytes() == line => {
                records.recycle(same);
                return true;
            }
            other => other,
        };
        let line = String::from_utf8_lossy(line);
        if !replayed.as_deref().is_some_and(|replayed| is_same_record(&line, replayed)) {
            self.found.push(Difference::new(place, "", Some(&line), replayed.as_deref()));
        }
        replayed.is_some_and(|replayed| is_about_the_same(&line, &replayed))
    }

    /// The file goes on without what the router recorded.
    pub(super) fn passes_over(&mut self, records: &Capture, place: Place) {
        while let Some(line) = records.pop() {
            self.found.push(Difference::new(place, "", None, Some(&line)));
        }
    }

    /// Everything that was found so far.
    pub(super) fn found(&mut self) -> Vec<Difference> {
        std::mem::take(&mut self.found)
    }

    /// The file ends: whatever has no match never will.
    pub(super) fn finish(&mut self) {
        let mut left: Vec<Difference> = Vec::new();
        for (Subject { wire, .. }, lines) in self.behind.drain() {
            left.extend(lines.iter().map(|(place, line)| Difference::new(*place, &wire, Some(line), None)));
        }
        for (Subject { wire, .. }, lines) in self.ahead.drain() {
            left.extend(lines.iter().map(|(place, line)| Difference::new(*place, &wire, None, Some(line))));
        }
        left.sort_by(|one, other| one.order().cmp(&other.order()));
        self.found.extend(left);
    }
}

/// Whether everything that the one says is in the other, and means the same.
fn says_as_much(recorded: &str, replayed: &str) -> bool {
    let (Ok(recorded), Ok(replayed)) = (Object::parse(recorded), Object::parse(replayed)) else {
        return recorded == replayed;
    };
    recorded.iter().all(|(name, value)| replayed.peek(&name).is_some_and(|other| value.means(other)))
}

/// What a question is known by in a record.
const NAMES: [&str; 4] = ["rec", "key", "wire", "requestId"];

/// Whether two records speak of the same question of the same asker.
fn is_about_the_same(one: &str, other: &str) -> bool {
    let (Ok(one), Ok(other)) = (Object::parse(one), Object::parse(other)) else { return false };
    NAMES.iter().all(|name| match (one.peek(name), other.peek(name)) {
        (Some(one), Some(other)) => one.means(other),
        (one, other) => one.is_none() && other.is_none(),
    })
}

/// Whether two records tell the same; their numbers differ after the first difference.
fn is_same_record(one: &str, other: &str) -> bool {
    let without_number = |line: &str| {
        let mut object = Object::parse(line).ok()?;
        object.take("seq").ok()?;
        Some(Json::object(|out| object.write(out)))
    };
    match (without_number(one), without_number(other)) {
        (Some(one), Some(other)) => one.means(&other),
        _ => false,
    }
}
