//! A tool together with what it gave, as one block.
//!
//! Owns the look of each kind of tool. Told is what a person wants to know of it: of a file that was read how long it is, of
//! an edit the difference, of a command its output. What is left out is there for whoever asks (hidden or folded).

use codec::json::Object;
use tokio::time::Instant;

use super::call::Call;
use super::{change, look, words};
use crate::render::page::{Line, Page};
use crate::render::prose::Prose;
use crate::render::structured::{GREEN, RED};
use crate::render::{Kind, figures};
use crate::term::diff;
use crate::term::style::Style;

/// What came of a tool.
#[derive(Debug)]
pub(super) struct Gave<'a> {
    /// without the frames for the model
    pub(super) text: String,
    /// Claude Code itself turned it down: a wrong input, a server that is gone
    pub(super) is_turned_down: bool,
    /// what Claude Code tells beside the text
    pub(super) detail: Option<Object<'a>>,
    pub(super) has_failed: bool,
    pub(super) is_denied: bool,
    /// it goes on in the background
    pub(super) goes_on: bool,
}

/// More of a tool that did not run is not shown: it was, with the question.
const LONGEST_DENIED: usize = 120;

/// A tool that ended.
pub(super) struct Ended<'c> {
    pub(super) call: &'c Call,
    pub(super) gave: &'c Gave<'c>,
    /// the subagent that used it
    pub(super) who: Option<&'c str>,
    /// how long it took, if that is worth a word
    pub(super) took: Option<String>,
}

impl Ended<'_> {
    /// The block.
    pub(super) fn page(&self) -> Page {
        if self.gave.is_denied {
            return self.denied();
        }
        let head = self.head(Line::sign(if self.gave.has_failed { RED } else { GREEN }, "● "));
        match self.call.name.as_str() {
            _ if self.gave.has_failed => self.failed(head),
            "Read" | "NotebookRead" => self.alone(head.foreign(Style::DIM, &self.lines_read())),
            "Grep" | "Glob" => self.found(head),
            name if change::file_member(name).is_some() => self.changed(head),
            "Agent" | "Task" => self.came_back(head),
            "ExitPlanMode" | "EnterPlanMode" => self.alone(head),
            _ => self.output(head, self.gave_text()),
        }
    }

    /// Who uses what, and what about.
    fn head(&self, line: Line) -> Line {
        self.named(line).foreign(Style::DIM, &self.call.about)
    }

    fn named(&self, line: Line) -> Line {
        let name = &self.call.shown;
        match self.who {
            Some(who) => line.foreign(Style::DIM, &format!("{who} › ")).joined(Style::PLAIN, name),
            None => line.foreign(Style::PLAIN, name),
        }
    }

    fn took(&self, line: Line) -> Line {
        line.right(figures::dim(self.took.clone()))
    }

    fn denied(&self) -> Page {
        let about = words::short(&self.call.about, LONGEST_DENIED);
        let line = self
            .named(Line::sign(RED, "✗ "))
            .foreign(Style::DIM, &about)
            .foreign(Style::DIM, &words::why(&self.gave.text));
        Page::of(Kind::Tool).line(line.wrapped())
    }

    /// A row, and what it gave for whoever asks.
    fn alone(&self, head: Line) -> Page {
        Page::of(Kind::Tool).line(self.took(head))
    }

    /// How it failed has a row of its own: behind a long command it would be cut off.
    fn failed(&self, head: Line) -> Page {
        let (code, rest) = exit_code(&self.gave.text).unwrap_or(("", &self.gave.text));
        let page = Page::of(Kind::Tool).line(self.took(head));
        let word = Line::at(4);
        let word = if code.is_empty() {
            word.own(RED, "failed")
        } else {
            word.foreign(RED, &format!("exit {code}"))
        };
        if self.gave.is_turned_down {
            // What follows is for the model, which will try again.
            let page = page.line(word.foreign(Style::DIM, &words::why(rest)).wrapped());
            return page.more(Prose::output(Style::DIM, rest).hidden());
        }
        page.line(word).more(Prose::output(Style::DIM, rest))
    }

    /// What it gave. What a subagent finds is for the subagent.
    fn output(&self, head: Line, text: &str) -> Page {
        let text = if self.who.is_some() { "" } else { text };
        let page = self.alone(head).more(Prose::output(Style::DIM, text));
        if self.gave.goes_on {
            page.line(Line::at(4).own(Style::DIM, "goes on in the background"))
        } else {
            page
        }
    }

    fn gave_text(&self) -> &str {
        let text = self.gave.text.trim_end();
        if text.starts_with("(Bash completed with no output") { "" } else { text }
    }

    fn detail(&self) -> Option<&Object<'_>> {
        self.gave.detail.as_ref()
    }

    fn lines_read(&self) -> String {
        let file = self.detail().and_then(|detail| look::object(detail.peek("file")));
        let text = file.as_ref().and_then(|file| look::text(file, "content"));
        let is_text = text.is_some() || self.detail().is_none();
        let count = text.as_ref().unwrap_or(&self.gave.text).lines().count();
        if is_text { figures::how_many(count, "line", "lines") } else { String::new() }
    }

    fn found(&self, head: Line) -> Page {
        let number = |name| self.detail().and_then(|detail| look::count(detail, name));
        let is_content =
            self.detail().and_then(|detail| look::text(detail, "mode")).is_some_and(|mode| mode == "content");
        let text = self.gave.text.trim();
        let lines = || if text.is_empty() || text.starts_with("No ") { 0 } else { text.lines().count() };
        let count = match number("numFiles").filter(|_| !is_content) {
            Some(files) => figures::how_many(files, "file", "files"),
            None => figures::how_many(number("numLines").unwrap_or_else(lines), "line", "lines"),
        };
        self.alone(head.foreign(Style::DIM, &count)).more(Prose::output(Style::DIM, text).hidden())
    }

    fn changed(&self, head: Line) -> Page {
        let input = look::object(Some(&self.call.input)).unwrap_or_default();
        let changes = change::made(&self.call.name, &input, self.detail());
        let head = head.right(Some(diff::counted(change::counts(&changes))));
        let changes =
            changes.into_iter().map(|change| if self.who.is_some() { change.hidden() } else { change });
        changes.fold(self.alone(head), Page::more)
    }

    /// What a subagent came back with is what was waited for: it is not folded.
    fn came_back(&self, head: Line) -> Page {
        let told = self.detail().map(|detail| look::texts(detail, "content")).unwrap_or_default();
        let is_note = |text: &&String| words::within(text, "tools-used-before-summary").is_none();
        let told: Vec<_> = told.iter().filter(is_note).map(String::as_str).collect();
        let text = if told.is_empty() { self.gave_text().to_owned() } else { told.join("\n") };
        self.alone(head).more(Prose::at(4, Style::DIM, text.trim_matches('\n')))
    }
}

/// The block of a tool of which nothing is known but what it gave.
pub(in crate::render) fn plain(call: &Call, text: &str, has_failed: bool, now: Instant) -> Page {
    let (is_turned_down, is_denied, goes_on) = (false, false, false);
    let text = text.trim_matches('\n').to_owned();
    let gave = Gave { text, is_turned_down, detail: None, has_failed, is_denied, goes_on };
    Ended { call, gave: &gave, who: None, took: figures::lasted(call.lasted(now)) }.page()
}

/// The exit code that a failed command begins with, and its output.
fn exit_code(text: &str) -> Option<(&str, &str)> {
    let rest = text.strip_prefix("Exit code ")?;
    let (code, output) = rest.split_once('\n').unwrap_or((rest, ""));
    code.parse::<i64>().is_ok().then_some((code, output))
}
