//! What became of files: the difference that an edit made, and how many files and lines it was in all.
//!
//! Owns the count. A difference is what Claude Code says was written; where it says nothing, what the tool was told to
//! write. Looks at no file.

use std::collections::BTreeSet;

use codec::json::Object;

use super::look;
use crate::render::prose::Prose;

/// The tools that change files, and where each names its file.
pub(super) fn file_member(tool: &str) -> Option<&'static str> {
    match tool {
        "Edit" | "MultiEdit" | "Write" => Some("file_path"),
        "NotebookEdit" => Some("notebook_path"),
        _ => None,
    }
}

/// The differences that a tool made.
pub(super) fn made(tool: &str, input: &Object<'_>, gave: Option<&Object<'_>>) -> Vec<Prose> {
    let is_update = |gave: &Object<'_>| look::text(gave, "type").is_some_and(|kind| kind == "update");
    match gave.and_then(patch) {
        Some(patch) => vec![patch],
        // The file was like that before.
        None if gave.is_some_and(is_update) => Vec::new(),
        None => meant(tool, input),
    }
}

/// As it was found afterwards.
fn patch(gave: &Object<'_>) -> Option<Prose> {
    let mut text = String::new();
    for hunk in look::each(gave, "structuredPatch") {
        let number = |name| look::count(&hunk, name).unwrap_or_default();
        // Where a file begins nobody has to be told.
        if number("oldStart") > 1 || !text.is_empty() {
            let (from, to) = (number("oldStart"), number("newStart"));
            text += &format!("@@ -{from},{} +{to},{} @@\n", number("oldLines"), number("newLines"));
        }
        let lines = hunk.peek("lines").and_then(codec::json::Json::as_list).unwrap_or_default();
        for line in lines.iter().filter_map(codec::json::Json::as_text) {
            text += &line.get();
            text.push('\n');
        }
    }
    (!text.is_empty()).then(|| Prose::unified(text))
}

/// As it was meant.
fn meant(tool: &str, input: &Object<'_>) -> Vec<Prose> {
    let replaced = |edit: &Object<'_>| {
        Some(Prose::replaced(look::text(edit, "old_string")?, look::text(edit, "new_string")?))
    };
    match tool {
        "Edit" => replaced(input).into_iter().collect(),
        "MultiEdit" => look::each(input, "edits").iter().filter_map(replaced).collect(),
        "Write" => look::text(input, "content").map(|text| all_new(&text)).into_iter().collect(),
        "NotebookEdit" => look::text(input, "new_source").map(|text| all_new(&text)).into_iter().collect(),
        _ => Vec::new(),
    }
}

fn all_new(text: &str) -> Prose {
    let lines = text.lines().map(|line| format!("+{line}\n"));
    Prose::unified(lines.collect::<String>())
}

/// How many lines come and go in all of them.
pub(super) fn counts(changes: &[Prose]) -> (usize, usize) {
    let each = changes.iter().map(Prose::counts);
    each.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1))
}

/// All files that were changed.
#[derive(Debug, Default)]
pub(super) struct Files {
    names: BTreeSet<String>,
    come: usize,
    go: usize,
}

/// More are not told apart.
const MOST_NAMES: usize = 10_000;

impl Files {
    pub(super) fn changed(&mut self, file: String, (come, go): (usize, usize)) {
        if self.names.len() < MOST_NAMES {
            self.names.insert(file);
        }
        self.come = self.come.saturating_add(come);
        self.go = self.go.saturating_add(go);
    }

    /// Files, lines that came, lines that went.
    pub(super) fn sum(&self) -> (usize, usize, usize) {
        (self.names.len(), self.come, self.go)
    }
}
