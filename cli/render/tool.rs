//! What tools and commands do and give, and what becomes of files.

use std::borrow::Cow;

use codec::json::{Json, Kind as JsonKind, Object, Text};
use codec::tunnel::{
    ChangeKind, CommandExec, CommandResult, FileChange, FileChangeSummary, FileEdit, FileWrite,
    LlmToolResult, LlmToolUse,
};

use super::page::{Line, Page};
use super::prose::Prose;
use super::session::went;
use super::structured::{GREEN, RED, YELLOW, some};
use super::{Kind, figures};
use crate::pretty;
use crate::term::diff;
use crate::term::style::{Row, Style};

/// The row of a tool: what it is called and what it does.
fn tool(name: &str, about: &str) -> Line {
    Line::sign(GREEN, "● ").foreign(Style::PLAIN, name).foreign(Style::DIM, about)
}

pub(super) fn used(message: &LlmToolUse<'_>) -> Page {
    let input = message.input.as_ref().map(|input| &input.0);
    let about = some(&message.input_summary).or_else(|| input.map(about));
    let about = about.unwrap_or_default();
    let (first, rest) = about.split_once('\n').unwrap_or((&about, ""));
    let line = tool(&message.tool_name.get(), first);
    match input.and_then(replaced) {
        Some(change) => {
            let line = line.right(Some(diff::counted(change.counts())));
            Page::of(Kind::Tool).line(line).more(Prose::output(Style::DIM, rest)).text(change)
        }
        None => Page::of(Kind::Tool).line(line).more(Prose::output(Style::DIM, rest)),
    }
}

/// What says most of a tool's input: the member that such tools have for it, or else all of it.
pub(super) fn about<'j>(input: &'j Json<'_>) -> Cow<'j, str> {
    const TELLING: [&str; 8] =
        ["command", "file_path", "notebook_path", "pattern", "path", "url", "query", "description"];
    let object = Object::read(input.clone()).ok();
    let text = |name: &&str| Some(object.as_ref()?.peek(name)?.as_text()?.get().into_owned());
    match TELLING.iter().find_map(text) {
        Some(text) => text.into(),
        None => input.raw().into(),
    }
}

/// The difference that an edit makes, if that is what it is.
fn replaced(input: &Json<'_>) -> Option<Prose> {
    let input = Object::read(input.clone()).ok()?;
    let text = |name| Some(input.peek(name)?.as_text()?.get().into_owned());
    Some(Prose::replaced(text("old_string")?, text("new_string")?))
}

pub(super) fn gave(message: &LlmToolResult<'_>) -> Page {
    let result = message.result.as_ref().map(|result| &result.0);
    let text = some(&message.result_summary).or_else(|| result.map(given)).unwrap_or_default();
    let has_failed = result.is_some_and(has_failed);
    let line = if has_failed { Line::sign(RED, "✗ ") } else { Line::at(2) };
    let line = line.foreign(Style::DIM, &message.tool_name.get());
    let line = if has_failed { line.own(RED, "failed") } else { line.joined(Style::DIM, " gave") };
    let text = text.trim_end_matches('\n');
    match text {
        "" => Page::of(Kind::Tool).line(line.own(Style::DIM, "nothing")),
        text if text.contains('\n') => {
            let mut text = Prose::output(Style::DIM, text);
            // What an agent of an agent comes back with is what was waited for.
            text.is_folded = !(message.tool_name.is("Task") || message.tool_name.is("Agent"));
            Page::of(Kind::Tool).line(line).text(text)
        }
        text => Page::of(Kind::Tool).line(line.foreign(Style::DIM, text).wrapped()),
    }
}

/// What a tool gave: its text, the texts of its parts, or all of it.
pub(super) fn given<'j>(result: &'j Json<'_>) -> Cow<'j, str> {
    let of_parts = || -> Option<String> {
        let parts = result.as_list()?;
        let texts: Option<Vec<_>> = parts.iter().map(text_of_part).collect();
        texts.filter(|texts| !texts.is_empty()).map(|texts| texts.join("\n"))
    };
    match result.as_text() {
        Some(text) => text.get().into_owned().into(),
        None if result.kind() == JsonKind::Null => Cow::default(),
        None => of_parts().unwrap_or_else(|| pretty::rows(result).join("\n")).into(),
    }
}

fn text_of_part(part: &Json<'_>) -> Option<String> {
    let part = Object::read(part.clone()).ok()?;
    let is_text = part.peek("type")?.as_text()?.is("text");
    is_text.then(|| Some(part.peek("text")?.as_text()?.get().into_owned())).flatten()
}

fn has_failed(result: &Json<'_>) -> bool {
    let says_so = |json: &Json<'_>| {
        let object = Object::read(json.clone()).ok();
        object.and_then(|object| object.peek("is_error")?.as_flag()).unwrap_or_default()
    };
    match result.kind() {
        JsonKind::List => result.as_list().unwrap_or_default().iter().any(says_so),
        _ => says_so(result),
    }
}

pub(super) fn write(message: &FileWrite<'_>) -> Page {
    let count = figures::counted(Some(&message.line_count), "line", "lines");
    Page::of(Kind::Tool).line(tool("Write", &message.path.get()).right(figures::dim(count)))
}

pub(super) fn edit(message: &FileEdit<'_>) -> Page {
    let change = Prose::unified(message.diff.get());
    let line = tool("Edit", &message.path.get());
    let count = (!change.is_empty()).then(|| diff::counted(change.counts()));
    Page::of(Kind::Tool).line(line.right(count)).more(change)
}

pub(super) fn changes(message: &FileChangeSummary<'_>) -> Page {
    let count = figures::how_many(message.changes.len(), "file", "files");
    let status = message.status.map(|status| status.word().replace('_', " "));
    let line = tool("Changes", &status.unwrap_or_default()).right(figures::dim(Some(count)));
    message.changes.iter().fold(Page::of(Kind::Tool).line(line), change)
}

fn change(page: Page, change: &FileChange<'_>) -> Page {
    let (style, word) = match change.kind {
        ChangeKind::Added => (GREEN, "added  "),
        ChangeKind::Updated => (YELLOW, "updated"),
        ChangeKind::Removed => (RED, "removed"),
    };
    let line = Line::at(4).own(style, word).foreign(Style::PLAIN, &change.path.get());
    let diff = change.diff.as_ref().filter(|diff| !diff.is_empty());
    match diff.map(|diff| Prose::unified(diff.get())) {
        Some(diff) => page.line(line.right(Some(diff::counted(diff.counts()))).wrapped()).text(diff),
        None => page.line(line.wrapped()),
    }
}

/// Where a command runs.
fn folder(cwd: &Option<Text<'_>>) -> Option<Row> {
    figures::dim(some(cwd).map(|cwd| format!("in {cwd}")))
}

pub(super) fn runs(message: &CommandExec<'_>) -> Page {
    let command = message.command.get();
    let (first, rest) = command.split_once('\n').unwrap_or((&command, ""));
    let line = tool("Run", first).right(folder(&message.cwd));
    Page::of(Kind::Tool).line(line).more(Prose::output(Style::DIM, rest))
}

pub(super) fn ran(message: &CommandResult<'_>) -> Page {
    let success = message.exit_code.as_f64() == 0.0;
    let style = if success { GREEN } else { RED };
    let line = went(success).foreign(style, &format!("exit {}", message.exit_code.raw()));
    let line = line.maybe(Style::DIM, some(&message.command)).right(folder(&message.cwd));
    let page = Page::of(Kind::Tool).line(line);
    let page = match &message.stdout {
        Some(text) => page.more(Prose::output(Style::DIM, text.get())),
        None => page,
    };
    match &message.stderr {
        Some(text) if !text.get().trim().is_empty() => {
            page.line(Line::at(4).own(RED, "on stderr")).text(Prose::output(Style::DIM, text.get()))
        }
        _ => page,
    }
}
