//! The end of a run of several tasks: what each came to, and all of them.
//!
//! Owns the rows. What is not done is shown in full; of what is done, a few and the count of the rest.

use std::time::Duration;

use super::ending::{Ending, How, short};
use super::page::{Line, Page};
use super::structured::{GREEN, RED, YELLOW};
use super::{Block, Kind, figures};
use crate::duration;
use crate::quote::quoted;
use crate::term::diff;
use crate::term::style::{Row, Style};

/// A run of several tasks that is over.
#[derive(Debug)]
pub(crate) struct Summary<'a> {
    pub(crate) tasks: Vec<Done<'a>>,
    pub(crate) lasted: Duration,
    pub(crate) exit: u8,
    /// the files in which boxes are not ticked, and how many
    pub(crate) again: Vec<(String, usize)>,
}

/// One task.
#[derive(Debug)]
pub(crate) struct Done<'a> {
    /// what its agent is called, where somebody said so
    pub(crate) name: Option<String>,
    pub(crate) text: &'a str,
    /// what it came to, if it ever began
    pub(crate) ending: Option<&'a Ending>,
}

/// Up to so many tasks are shown each; of more, those that are done are counted.
const MOST: usize = 12;

impl Summary<'_> {
    /// How many are done.
    pub(crate) fn done(&self) -> usize {
        self.tasks.iter().filter(|task| task.is_done()).count()
    }

    /// What all of them cost, in dollars.
    pub(crate) fn cost(&self) -> Option<f64> {
        let costs: Vec<f64> = self.tasks.iter().filter_map(|task| task.ending?.cost).collect();
        (!costs.is_empty()).then(|| costs.iter().sum())
    }

    fn heading(&self) -> Line {
        let (style, sign) = if self.exit == 0 { (GREEN.bold(), "✓ ") } else { (RED.bold(), "✗ ") };
        let exit = if self.exit == 0 { String::new() } else { format!(" (exit {})", self.exit) };
        let count = format!("{} of {} done{exit}", self.done(), self.tasks.len());
        let line = Line::sign(style, sign).foreign(style, &count).maybe(style, whole(self.lasted));
        line.maybe(style, self.cost().filter(|cost| *cost > 0.0).map(figures::price)).wrapped()
    }
}

/// The rows of such an end.
pub(crate) fn block(summary: &Summary<'_>) -> Block {
    let page = Page::of(Kind::Block).line(summary.heading());
    let is_long = summary.tasks.len() > MOST;
    let (mut shown, mut more) = (0, 0);
    let mut rows = Vec::new();
    for (at, task) in summary.tasks.iter().enumerate() {
        shown += usize::from(task.is_done());
        match is_long && task.is_done() && shown > 3 {
            true => more += 1,
            false => rows.push(task.row(at + 1)),
        }
    }
    let more = (more > 0).then(|| Line::at(5).foreign(Style::DIM, &format!("… {more} more ✓")));
    let page = rows.into_iter().chain(more).fold(page, Page::line);
    summary.again.iter().map(again).fold(page, Page::line).into()
}

impl Done<'_> {
    fn is_done(&self) -> bool {
        self.ending.is_some_and(|ending| ending.exit == 0)
    }

    fn row(&self, number: usize) -> Line {
        let (style, sign, why) = match self.ending {
            None => (Style::DIM, "·", "did not begin".to_owned()),
            Some(ending) if ending.exit == 0 => (GREEN, "✓", String::new()),
            Some(ending) => failure(&ending.how),
        };
        let first = short(self.text.lines().next().unwrap_or_default().trim(), LONGEST);
        let first = self.name.as_ref().map_or_else(|| first.clone(), |name| format!("{name}  {first}"));
        let what = if why.is_empty() { first } else { format!("{first}: {why}") };
        let line = Line::at(1).foreign(Style::DIM, &format!("{number:>3}")).joined(Style::PLAIN, " ");
        let line = line.joined(style, sign).joined(Style::PLAIN, &format!(" {what}"));
        let Some(ending) = self.ending else { return line };
        let dim = |text: Option<String>| text.map(|text| Row::foreign(Style::DIM, &text));
        let (files, come, go) = ending.files;
        let lines = (files > 0).then(|| diff::counted((come, go)).text());
        let cost = ending.cost.filter(|cost| *cost > 0.0).map(figures::price);
        line.right(dim(whole(ending.lasted))).right(dim(cost)).right(dim(lines))
    }
}

/// How a task is told that is not done.
fn failure(how: &How) -> (Style, &'static str, String) {
    match how {
        How::Undecided(refused) => {
            let what = refused.first().map(|refused| refused.what.clone()).unwrap_or_default();
            (YELLOW, "–", format!("nobody decided {what}"))
        }
        How::Failed(why) | How::TimedOut(why) | How::Stopped(why) => (RED, "✗", why.clone()),
        How::Done | How::Interrupted | How::Rejected => (YELLOW, "–", word(how).to_owned()),
    }
}

/// What became of it, as the end of a sentence.
pub(crate) const fn word(how: &How) -> &'static str {
    match how {
        How::Done => "is done",
        How::Undecided(_) => "could not go on without an answer",
        How::Failed(_) => "failed",
        How::TimedOut(_) => "took too long",
        How::Interrupted => "was interrupted",
        How::Rejected => "was rejected",
        How::Stopped(_) => "was stopped",
    }
}

/// What does the rest.
fn again((file, count): &(String, usize)) -> Line {
    let rest = if *count == 1 {
        "the one that is not ticked".to_owned()
    } else {
        format!("the {count} that are not ticked")
    };
    let file = quoted(file);
    let line =
        Line::at(2).own(Style::DIM, "again    ").foreign(Style::PLAIN, &format!("tim run --tasks {file}"));
    line.foreign(Style::DIM, &rest).wrapped()
}

/// A task may be as long as a book: so much of it is shown.
const LONGEST: usize = 200;

fn whole(time: Duration) -> Option<String> {
    let whole = Duration::from_secs(time.as_secs());
    (whole > Duration::ZERO).then(|| duration::written(whole))
}

#[cfg(test)]
mod tests {
    use super::super::ending::{Questions, Refused};
    use super::*;

    fn ending(how: How, exit: u8) -> Ending {
        Ending {
            how,
            exit,
            lasted: Duration::from_secs(720),
            turns: 3,
            cost: Some(1.1),
            tokens: None,
            files: (2, 88, 12),
            questions: Questions::default(),
            not_read: Vec::new(),
            session: None,
            goes_on_by: None,
            recorded_as: None,
        }
    }

    #[test]
    fn the_morning_after_says_what_is_done_and_what_is_not() {
        let refused = Refused { what: "Bash docker compose up".to_owned(), remedy: String::new() };
        let (done, undecided) = (ending(How::Done, 0), ending(How::Undecided(vec![refused]), 5));
        let failed = ending(How::Failed("API 529, gave up after 10 tries".to_owned()), 1);
        let tasks = vec![
            Done { name: None, text: "add retry\nto the client", ending: Some(&done) },
            Done { name: None, text: "move config", ending: Some(&undecided) },
            Done { name: Some("cli".to_owned()), text: "port the CLI", ending: Some(&failed) },
            Done { name: None, text: "write docs", ending: None },
        ];
        let again = vec![("TODO.md".to_owned(), 3)];
        let summary = Summary { tasks, lasted: Duration::from_secs(23_460), exit: 1, again };
        insta::assert_snapshot!(block(&summary).plain().join("\n"), @r"
        ✗ 1 of 4 done (exit 1)  6h31m  $3.30
           1 ✓ add retry  12m  $1.10  +88 −12
           2 – move config: nobody decided Bash docker compose up  12m  $1.10  +88 −12
           3 ✗ cli  port the CLI: API 529, gave up after 10 tries  12m  $1.10  +88 −12
           4 · write docs: did not begin
          again      tim run --tasks TODO.md  the 3 that are not ticked
        ");
    }

    #[test]
    fn of_many_that_are_done_most_are_counted() {
        let (done, failed) = (ending(How::Done, 0), ending(How::Rejected, 1));
        let tasks = (0..20).map(|at| Done {
            name: None,
            text: "x",
            ending: Some(if at == 17 { &failed } else { &done }),
        });
        let summary = Summary { tasks: tasks.collect(), lasted: Duration::ZERO, exit: 0, again: Vec::new() };
        let rows = block(&summary).plain();
        assert_eq!(rows.len(), 1 + 3 + 1 + 1, "{rows:#?}");
        assert!(rows[4].contains("18 – x: was rejected") && rows[5].contains("… 16 more ✓"), "{rows:#?}");
    }
}
