//! `tim log RUN`: what was said and done in a run, and how its questions ended.
//!
//! Tells what is on record, not what a router of today would do with it. How it looks is up to [`Retelling`]; the rows of
//! questions are made here.

use std::collections::HashMap;
use std::io::{self, BufWriter, Write as _};
use std::time::Duration;

use actors::audit::{Audit, Decision, Name, Outline};
use actors::turns::Turns;
use codec::journal::{Ask, Body, Direction, Entry, Event, Steering, WireLine};
use codec::json::{Json, Object};
use codec::limits::Limits;
use codec::tunnel::{QuestionKind, Up};
use jiff::Zoned;

use super::{Note, json, read, when, words, write_rows};
use crate::duration;
use crate::environment::Environment;
use crate::exit::Code;
use crate::render::figures;
use crate::retold::{Look, Retelling, Speaker};
use crate::runs::RunFile;
use crate::term::measure::width;
use crate::term::style::{Row, Span, Style};

/// Tells a run as its record is read: nobody knows how long that is.
pub(super) fn run(
    run: &RunFile,
    environment: &Environment,
    (look, now): (Look, &Zoned),
) -> Result<Code, String> {
    let mut told = Told::new(look, now);
    let mut out = BufWriter::new(io::stdout().lock());
    let (mut has_begun, mut written) = (false, Ok(()));
    let unused = read::read(run, |entry| {
        told.hear(entry);
        if !std::mem::replace(&mut has_begun, true) {
            written = write_rows(&mut out, &look.dim(&told.head(environment)));
        }
        written = std::mem::replace(&mut written, Ok(())).and_then(|()| write_rows(&mut out, &told.rows));
        told.rows.clear();
        written.is_ok()
    })?;
    let notes = Note::of(run, (&told.outline, told.audit.passed_over()), unused);
    let last = told.finish(run);
    let written = written.and_then(|()| write_rows(&mut out, &last)).and_then(|()| out.flush());
    super::say(&notes);
    Ok(super::printed(written))
}

/// A run that is told.
struct Told<'a> {
    now: &'a Zoned,
    audit: Audit,
    outline: Outline,
    retelling: Retelling,
    paths: HashMap<String, String>,
    /// questions by which an agent of ours asks and waits: a no ends its turn
    inputs: HashMap<u64, String>,
    /// those that were not printed yet
    rows: Vec<String>,
}

/// As many columns has the word for who decided.
const WHO: usize = 20;

impl<'a> Told<'a> {
    fn new(look: Look, now: &'a Zoned) -> Self {
        Self {
            now,
            audit: Audit::new(),
            outline: Outline::default(),
            retelling: Retelling::new(look),
            paths: HashMap::new(),
            inputs: HashMap::new(),
            rows: Vec::new(),
        }
    }

    fn hear(&mut self, entry: &Entry<'_>) {
        let decided = self.audit.hear(entry);
        self.outline.hear(entry, &decided);
        match &entry.body {
            Body::Line(line) => self.line(line, entry.t),
            Body::Event(event) => self.event(event, entry.t),
        }
        for decision in &decided {
            self.decided(decision);
        }
        self.rows.extend(self.retelling.rows());
    }

    fn line(&mut self, line: &WireLine<'_>, t: u64) {
        let wire = line.wire.get();
        let Ok(bytes) = line.bytes() else { return };
        match line.dir {
            Direction::From if is_told(&wire, &bytes) => {
                let path = self.paths.get(wire.as_ref()).cloned().unwrap_or_else(|| wire.to_string());
                self.retelling.said(Speaker { wire: &wire, path: &path }, &bytes, t);
            }
            Direction::To if wire.starts_with("tunnel:") => self.greeted(&wire, &bytes),
            _ => {}
        }
    }

    /// Whoever is greeted is called so from then on.
    fn greeted(&mut self, wire: &str, bytes: &[u8]) {
        let line = std::str::from_utf8(bytes).ok().and_then(|line| Object::parse(line).ok());
        let Some(line) = line
            .filter(|line| line.peek("type").and_then(Json::as_text).is_some_and(|kind| kind.is("welcome")))
        else {
            return;
        };
        if let Some(path) = line.peek("path").and_then(Json::as_text) {
            self.paths.insert(wire.to_owned(), path.get().into_owned());
        }
    }

    fn event(&mut self, event: &Event<'_>, t: u64) {
        match event {
            Event::Attach(came) => {
                let (wire, path) = (came.wire.get(), came.path.as_ref().map(|path| path.get().into_owned()));
                let path = path.unwrap_or_else(|| wire.to_string());
                self.retelling.comes(Speaker { wire: &wire, path: &path });
                self.paths.insert(wire.into_owned(), path);
            }
            Event::Typed(typed) => {
                let to = typed.to.as_ref().map(|to| to.get().into_owned());
                let to = to.filter(|to| self.retelling.whose(to).is_some());
                self.retelling.typed(&typed.text.get(), to.as_deref());
            }
            Event::Ask(ask) => self.asked(ask),
            Event::Steer(steer) if steer.what == Steering::Interrupt => {
                self.retelling.interrupted(&steer.wire.get())
            }
            Event::Exit(exit) => self.retelling.exited(&exit.wire.get(), exit.code, exit.signal),
            Event::Detach(left) => {
                self.retelling.gone(&left.wire.get(), t);
                self.paths.remove(left.wire.get().as_ref());
            }
            Event::Signal(signal) => self.retelling.warn(&format!("{} came", signal.name.get())),
            Event::Late(late) => self.retelling.warn(&format!("an answer to {} came too late", late.key)),
            Event::Gap(gap) => self.retelling.warn(&format!("{} records are missing here", gap.lost)),
            _ => {}
        }
    }

    /// The time of a tool has not begun while somebody is asked about it.
    fn asked(&mut self, ask: &Ask<'_>) {
        let path = ask.path.as_ref().map(|path| path.get().into_owned()).unwrap_or_default();
        let tool = ask.tool.as_ref().and_then(|tool| Object::read(tool.clone()).ok());
        let id = tool.as_ref().and_then(|tool| tool.peek("tool_use_id")).and_then(Json::as_text);
        if let Some(id) = id {
            self.retelling.tool_asked(&path, &id.get());
        }
        let is_agents = ask.wire.as_ref().is_some_and(|wire| wire.get().starts_with("agent:"));
        let is_input = matches!(ask.kind, QuestionKind::Approval | QuestionKind::Choice | QuestionKind::Text);
        if is_agents && is_input {
            self.inputs.insert(ask.key.number, path);
        }
    }

    /// A question ended: its row. What an agent decided by itself stands with its tool.
    fn decided(&mut self, decision: &Decision) {
        let Name::Question(number) = decision.name else { return };
        let allowed = decision.by.allowed();
        if let Some(id) = &decision.tool_use_id {
            self.retelling.tool_decided(&decision.path, id, allowed != Some(false), decision.at_ms);
        }
        let row = self.row(decision);
        self.retelling.note(&row);
        if let Some(path) = self.inputs.remove(&number) {
            self.retelling.input_ended(&path, allowed == Some(false), decision.at_ms);
        }
    }

    fn row(&self, decision: &Decision) -> Row {
        let (sign, style) = words::sign(decision);
        let time = when::time(self.outline.started_unix_ms.saturating_add(decision.at_ms), self.now);
        let by = words::decided_by(decision);
        let padding = WHO.saturating_sub(width(&by)).max(2);
        let tool = if decision.tool.as_deref() == Some("Bash") { "Bash " } else { "" };
        let whose =
            self.retelling.whose(&decision.path).map(|whose| format!("{whose}: ")).unwrap_or_default();
        let said = match &decision.by {
            actors::audit::By::Answered(answered) => {
                answered.words.as_ref().map(|words| format!(" · {words}"))
            }
            _ => None,
        };
        let what = format!("{whose}{tool}{}{}", words::what(decision), said.unwrap_or_default());
        let row = Row::own(style, sign).and(Span::foreign(Style::DIM, &format!("{time} {by}")));
        row.then(&Row::blanks(padding)).and(Span::foreign(Style::DIM, &what.replace('\n', " ")))
    }

    /// The rows that are left.
    fn finish(mut self, run: &RunFile) -> Vec<String> {
        let last = self.outline.lasted_ms;
        for decision in std::mem::take(&mut self.audit).end() {
            self.decided(&decision);
        }
        self.retelling.finish(last);
        self.rows.extend(self.retelling.rows());
        let look = *self.retelling.look();
        self.rows.push(String::new());
        let foot = self.foot(run, &look);
        self.rows.extend(foot);
        self.rows
    }

    /// When and where it was.
    fn head(&self, environment: &Environment) -> String {
        let at = when::exact(self.outline.started_unix_ms, self.now);
        let home = environment.home.as_ref().and_then(|home| home.to_str());
        let folder = self.outline.folder.as_deref().map(|folder| {
            match home.and_then(|home| folder.strip_prefix(home)) {
                Some(below) if below.is_empty() || below.starts_with('/') => format!("  ~{below}"),
                _ => format!("  {folder}"),
            }
        });
        let above = self.outline.path.as_ref().map(|path| format!("  {path}")).unwrap_or_default();
        format!("run {}  {at}{}{above}", self.outline.id, folder.unwrap_or_default())
    }

    /// How it ended, and what can be done with it.
    fn foot(&self, run: &RunFile, look: &Look) -> Vec<String> {
        let outline = &self.outline;
        let is_alive = outline.over.is_none() && super::is_alive(&run.path);
        let (style, ended) = words::ended(outline.over.map(|over| over.code), is_alive);
        let took = duration::written(Duration::from_secs(outline.lasted_ms.div_ceil(1_000)));
        let turns = Some(outline.turns())
            .filter(|turns| *turns > 0)
            .map(|turns| format!("  {turns} turn{}", if turns == 1 { "" } else { "s" }));
        let cost =
            outline.cost().filter(|cost| *cost > 0.0).map(|cost| format!("  {}", figures::price(cost)));
        let row = Row::foreign(style.bold(), &ended).and(Span::foreign(
            Style::DIM,
            &format!("  {took}{}{}", turns.unwrap_or_default(), cost.unwrap_or_default()),
        ));
        let mut rows = look.paint(&[look.cut(&row)]);
        let counts = (outline.yes, outline.no, outline.undecided);
        if counts != (0, 0, 0) {
            rows.extend(
                look.dim(&format!("  questions  {} yes  {} no  {} undecided", counts.0, counts.1, counts.2)),
            );
        }
        let name = if run.short.is_empty() { run.path.display().to_string() } else { run.short.clone() };
        // Of several conversations it must be said which.
        let has_one = outline.sessions().count() == 1;
        let goes_on = Some(()).filter(|()| has_one && !run.short.is_empty() && !is_alive);
        let goes_on = goes_on
            .map(|_| format!("  go on  tim run -r {name} \"…\"   "))
            .unwrap_or_else(|| "  ".to_owned());
        rows.extend(look.dim(&format!("{goes_on}who decided  tim log {name} --decisions")));
        rows
    }
}

/// Whether a line is something that is shown: what is asked is told by its end, and greetings by nothing.
fn is_told(wire: &str, bytes: &[u8]) -> bool {
    if !wire.starts_with("tunnel:") {
        return wire.starts_with("claude:") || wire.starts_with("agent:");
    }
    let message = Up::read(bytes, &Limits::STANDARD);
    !matches!(
        message,
        Err(_) | Ok(Up::Prompt(..) | Up::Permission(_) | Up::Cancel(_) | Up::Hello(_) | Up::Receipt(_))
    )
}

/// The run, its turns and its decisions.
pub(super) fn in_json(run: &RunFile) -> Result<String, String> {
    let (mut audit, mut outline, mut turns) = (Audit::new(), Outline::default(), Turns::new());
    let (mut decided, mut over) = (Vec::new(), Vec::new());
    let unused = read::read(run, |entry| {
        let now = audit.hear(entry);
        outline.hear(entry, &now);
        decided.extend(now);
        over.extend(turns.hear(entry).map(|turn| turn.to_json()));
        true
    })?;
    super::say(&Note::of(run, (&outline, audit.passed_over()), unused));
    decided.extend(audit.end());
    over.extend(turns.end().iter().map(actors::turns::Turn::to_json));
    let of = json::Of { run: &outline.id, started_unix_ms: outline.started_unix_ms };
    let decisions: Vec<_> = decided.iter().map(|decision| json::decision(of, decision)).collect();
    let is_alive = outline.over.is_none() && super::is_alive(&run.path);
    Ok(json::line(&Json::object(|out| {
        out.raw_member("\"run\"", json::run(&outline, &run.path.display().to_string(), is_alive).raw());
        out.raw_member("\"turns\"", &json::list(&over));
        out.raw_member("\"decisions\"", &json::list(&decisions));
    })))
}
