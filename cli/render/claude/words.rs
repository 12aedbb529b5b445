//! Words of Claude Code that are not for a person: frames around a text, and what only the model should read.
//!
//! Owns what is taken off. Nothing that a tool gave is lost: only the frames that Claude Code put around it.

use std::borrow::Cow;

/// What Claude Code says of a tool that somebody stopped, before anything else.
const STOPPED: &str = "The user doesn't want to proceed with this tool use.";

/// Beginnings of what is said of a tool that was not let run; old CLIs have no other sign.
const DENIED: [&str; 4] =
    [STOPPED, "Permission to use ", "Claude requested permissions to ", "Tool permission request failed: "];

/// What a person types, or a signal does, in the middle of a turn: as the model reads it.
pub(super) fn is_interruption(text: &str) -> bool {
    text.trim_start().starts_with("[Request interrupted by user")
}

/// Whether the text says that the tool was not let run.
pub(super) fn is_denial(text: &str) -> bool {
    DENIED.iter().any(|words| text.starts_with(words))
}

/// A text without the frames that Claude Code puts around it for the model.
pub(super) fn unframed(text: &str) -> String {
    let text = without_reminders(text);
    let mut inner = text.as_ref();
    for frame in ["tool_use_error", "persisted-output", "local-command-stdout", "local-command-stderr"] {
        inner = within(inner, frame).unwrap_or(inner);
    }
    inner.trim_matches('\n').to_owned()
}

/// A text without what was put between its lines for the model. Looks at each letter once: there may be megabytes.
fn without_reminders(text: &str) -> Cow<'_, str> {
    let mut parts = text.split("<system-reminder>");
    let first = parts.next().unwrap_or_default();
    if first.len() == text.len() {
        return text.into();
    }
    let rest = parts.map(|part| part.split_once("</system-reminder>").map_or("", |(_, after)| after));
    rest.fold(first.trim_end_matches('\n').to_owned(), |all, part| all + part).into()
}

/// What stands in a frame, if all of the text does.
pub(super) fn within<'t>(text: &'t str, frame: &str) -> Option<&'t str> {
    let inner = text.trim().strip_prefix('<')?.strip_prefix(frame)?.strip_prefix('>')?;
    inner.strip_suffix('>')?.strip_suffix(frame)?.strip_suffix("</")
}

/// Why a tool did not run, in one line.
pub(super) fn why(text: &str) -> String {
    if text.starts_with(STOPPED) {
        return "stopped".to_owned();
    }
    let line = text.trim().lines().next().unwrap_or_default();
    // What follows is how the model should behave.
    let line = line.split_once(" IMPORTANT:").map_or(line, |(before, _)| before);
    let line = line.strip_prefix("Error: ").unwrap_or(line);
    let line = line
        .strip_prefix("Error calling tool (")
        .and_then(|rest| rest.split_once("): "))
        .map_or(line, |(_, why)| why);
    // Lists of what is wrong with an input go on for dozens of lines.
    short(line.trim_end_matches([' ', '[', ':']), LONGEST_WHY)
}

const LONGEST_WHY: usize = 240;

/// The beginning of a text that may have megabytes: more would not fit on any screen.
pub(in crate::render) fn short(text: &str, most: usize) -> String {
    let cut = text.char_indices().nth(most).map(|(at, _)| at);
    match cut.and_then(|at| text.get(..at)) {
        Some(head) => format!("{head}…"),
        None => text.to_owned(),
    }
}
