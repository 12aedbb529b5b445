//! The runs as a tree of rows: each run with its agents and clients, a nested run below the client that it is, and the open
//! questions where they are answered. Pure.

use std::time::Duration;

use actors::gate::Place;
use codec::control::{AgentState, AskerState, OpenQuestion, Status};
use codec::json::Text;
use codec::tunnel::QuestionKind;

use super::question;
use crate::duration;
use crate::term::question::summary;
use crate::term::style::{Row, Span, Style};

/// From where it is looked at.
pub(super) struct View<'a> {
    pub(super) now_unix_ms: u64,
    pub(super) home: Option<&'a str>,
    pub(super) columns: usize,
}

/// Which of the runs are below no other.
pub(super) fn roots(runs: &[&Status<'_>]) -> Vec<bool> {
    let is_below = |run: &Status<'_>| {
        let others = runs.iter().filter(|other| other.pid != run.pid);
        others.flat_map(|other| &other.askers).any(|asker| is(run, asker))
    };
    runs.iter().map(|run| !is_below(run)).collect()
}

/// Whether a run is that client of another. It must say so itself: what the other says could hide it.
fn is(run: &Status<'_>, client: &AskerState<'_>) -> bool {
    run.path.is_some() && client.pid == Some(run.pid)
}

/// The rows of all.
pub(super) fn rows(runs: &[&Status<'_>], view: &View<'_>) -> Vec<String> {
    let mut tree = Tree { runs, view, told: vec![false; runs.len()], first: None, rows: Vec::new() };
    for (at, is_root) in roots(runs).into_iter().enumerate() {
        if is_root {
            tree.run(at, 0);
        }
    }
    // Two that say to be below each other are below nobody.
    (0..runs.len()).for_each(|at| tree.run(at, 0));
    tree.rows.extend(tree.first.map(|open| how_to_answer(open).fit(view.columns)));
    tree.rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
}

struct Tree<'a> {
    runs: &'a [&'a Status<'a>],
    view: &'a View<'a>,
    /// each run is told once
    told: Vec<bool>,
    /// the first question that is listed
    first: Option<&'a OpenQuestion<'a>>,
    rows: Vec<Row>,
}

impl<'a> Tree<'a> {
    fn run(&mut self, at: usize, depth: usize) {
        let (Some(run), Some(told)) = (self.runs.get(at).copied(), self.told.get_mut(at)) else { return };
        if std::mem::replace(told, true) {
            return;
        }
        let age = Duration::from_millis(self.view.now_unix_ms.saturating_sub(run.started_unix_ms));
        let folder = self.short(&run.folder);
        let head = foreign(&format!("{}  tim {}  {folder}", run.run.get(), run.role.word()));
        self.row(depth, &head, &[foreign(&rounded(age))]);
        self.agents(run, depth);
        self.clients(run, depth);
        // What is asked below another run is answered there.
        if depth == 0 {
            self.questions(run);
        }
        if !run.desk && depth == 0 {
            self.row(depth + 2, &foreign("nobody is there: questions are refused"), &[]);
        }
    }

    fn agents(&mut self, run: &Status<'_>, depth: usize) {
        for agent in &run.agents {
            let cost = agent.cost_usd.as_ref().map(|cost| foreign(&format!("${:.2}", cost.as_f64())));
            let row = foreign(&format!("{:<12}  {}", agent.path.get(), does(agent)));
            self.row(depth + 2, &row, &cost.into_iter().collect::<Vec<_>>());
        }
    }

    fn clients(&mut self, run: &'a Status<'a>, depth: usize) {
        for client in run.askers.iter().filter(|asker| !asker.what.is("agent")) {
            self.row(depth + 2, &foreign(&is_client(client)), &[]);
            if let Some(nested) = self.runs.iter().position(|other| is(other, client)) {
                self.run(nested, depth + 4);
            }
        }
    }

    fn questions(&mut self, run: &'a Status<'a>) {
        self.first = self.first.or_else(|| run.questions.first());
        if run.questions.is_empty() {
            return;
        }
        self.row(2, &foreign("questions"), &[]);
        for open in &run.questions {
            let age = rounded(Duration::from_millis(open.since_ms.unwrap_or_default()));
            let words = format!("{}  {}  {}", open.key, open.path.get(), self.asks(open));
            // What is asked gives way to how long it waits.
            let room = self.view.columns.saturating_sub(4 + age.len() + 2);
            self.row(4, &foreign(&words).fit(room), &[foreign(&age)]);
        }
        if let Some(more) = run.more {
            self.row(4, &foreign(&format!("and {more} more")), &[]);
        }
    }

    fn asks(&self, open: &OpenQuestion<'_>) -> String {
        let place = Place { root: String::new(), home: self.view.home.map(str::to_owned) };
        question::of(open).map_or_else(|| open.kind.word().to_owned(), |asked| summary::of(&asked, &place))
    }

    fn short(&self, folder: &Text<'_>) -> String {
        let folder = folder.get();
        let below = self.view.home.and_then(|home| folder.strip_prefix(home));
        match below.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
            Some(rest) => format!("~{rest}"),
            None => folder.into_owned(),
        }
    }

    fn row(&mut self, indent: usize, row: &Row, right: &[Row]) {
        let row = Row::blanks(indent).then(row);
        self.rows.push(row.with_right(right, self.view.columns));
    }
}

fn foreign(text: &str) -> Row {
    Row::foreign(Style::PLAIN, text)
}

fn does(agent: &AgentState<'_>) -> String {
    match &agent.doing {
        _ if agent.waits => "? waits for you".to_owned(),
        Some(doing) => doing.get().replace('\n', " "),
        None => String::new(),
    }
}

fn is_client(client: &AskerState<'_>) -> String {
    let pid = client.pid.map(|pid| format!("  pid {pid}")).unwrap_or_default();
    format!("└ {}  {}{pid}", client.path.get(), client.what.get())
}

/// Nobody cares for the milliseconds of something that goes on.
fn rounded(age: Duration) -> String {
    duration::written(Duration::from_secs(age.as_secs()))
}

fn how_to_answer(open: &OpenQuestion<'_>) -> Row {
    let value = match open.kind {
        QuestionKind::Permission | QuestionKind::Confirm | QuestionKind::Approval => "y",
        _ => "…",
    };
    Row::own(Style::PLAIN, "answer  ")
        .and(Span::foreign(Style::PLAIN, &format!("tim answer {} {value}", open.key)))
}

#[cfg(test)]
mod tests;
