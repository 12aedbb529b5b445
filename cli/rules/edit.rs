//! Changes to the text of the rules file that leave every other character of it where it was.
//!
//! Owns where a rule goes and what goes with it: its comma, and its row if nothing else is on it. Comments stay. Whoever
//! calls reads the result again: what comes out here is a proposal.

use std::ops::Range;

use codec::text::is_printable;

use super::List;
use super::document::{Entries, Entry};

/// What a new file begins with.
const HEADING: &str = "# Rules of tim; see `tim rules --help`.\n";

/// The text with one rule more at the end of a list.
pub(super) fn insert(text: &str, entries: Option<&Entries>, list: List, rule: &str) -> String {
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let quoted = quoted(rule);
    let fresh = format!("[{end}    {quoted},{end}]");
    let Some(entries) = entries else {
        let heading = if text.is_empty() { HEADING } else { "" };
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { end };
        return format!("{text}{heading}{gap}{list} = {fresh}{end}");
    };
    let bracket = entries.span.end.saturating_sub(1);
    let row = row_start(text, bracket);
    let has_own_row = row > entries.span.start && is_blank(text, row..bracket);
    match entries.rules.last() {
        None if has_own_row => spliced(text, row..row, &format!("    {quoted},{end}")),
        None => spliced(text, entries.span.clone(), &fresh),
        Some(last) if has_own_row => {
            let new = format!("{}{quoted},{end}", indentation(text, &last.span));
            let with_row = spliced(text, row..row, &new);
            match comma_after(text, last.span.end) {
                Some(_) => with_row,
                None => spliced(&with_row, last.span.end..last.span.end, ","),
            }
        }
        Some(last) => spliced(text, last.span.end..last.span.end, &format!(", {quoted}")),
    }
}

/// The text without the rule at that place of a list.
pub(super) fn remove(text: &str, rules: &[Entry], place: usize) -> String {
    let Some(Entry { span, .. }) = rules.get(place) else { return text.to_owned() };
    let before = place.checked_sub(1).and_then(|place| rules.get(place)).map(|entry| entry.span.end);
    match (comma_after(text, span.end), before) {
        (Some(comma), _) => {
            // From the back, so that the places in front stay right.
            let text = spliced(text, comma..comma + 1, "");
            without_row(&text, span.clone())
        }
        // The last one of a row: the comma in front of it goes with it.
        (None, Some(before)) if !text.get(before..span.start).unwrap_or_default().contains('\n') => {
            spliced(text, before..span.end, "")
        }
        (None, _) => without_row(text, span.clone()),
    }
}

/// Takes out a part, and the row that it was on if that is blank then; else the blanks that follow it.
fn without_row(text: &str, part: Range<usize>) -> String {
    let row = row_start(text, part.start);
    let rest = text.get(part.end..).unwrap_or_default();
    let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
    let after = part.end + blanks;
    let is_end = |end: &&str| text.get(after..).is_some_and(|rest| rest.starts_with(*end));
    match ["\r\n", "\n"].iter().find(|end| is_end(end)) {
        Some(end) if is_blank(text, row..part.start) => spliced(text, row..after + end.len(), ""),
        _ => spliced(text, part.start..after, ""),
    }
}

/// The comma that follows a rule, be it behind comments; none if the list ends first.
fn comma_after(text: &str, from: usize) -> Option<usize> {
    let mut is_comment = false;
    for (at, letter) in text.get(from..)?.char_indices() {
        match letter {
            '\n' => is_comment = false,
            _ if is_comment => {}
            '#' => is_comment = true,
            ',' => return Some(from + at),
            ' ' | '\t' | '\r' => {}
            _ => return None,
        }
    }
    None
}

/// Where the row begins that a place is on.
fn row_start(text: &str, at: usize) -> usize {
    text.get(..at).and_then(|before| before.rfind('\n')).map_or(0, |end| end + 1)
}

fn is_blank(text: &str, part: Range<usize>) -> bool {
    text.get(part).is_some_and(|part| part.chars().all(|letter| matches!(letter, ' ' | '\t')))
}

/// The blanks that the row of a rule begins with; four if other things stand in front of it.
fn indentation<'t>(text: &'t str, span: &Range<usize>) -> &'t str {
    let row = row_start(text, span.start);
    if is_blank(text, row..span.start) { text.get(row..span.start).unwrap_or_default() } else { "    " }
}

fn spliced(text: &str, part: Range<usize>, new: &str) -> String {
    let (before, after) = (text.get(..part.start), text.get(part.end..));
    format!("{}{new}{}", before.unwrap_or_default(), after.unwrap_or_default())
}

/// A rule as TOML: as it reads wherever that is possible.
fn quoted(rule: &str) -> String {
    let is_odd = |letter: char| letter == '"' || letter == '\\';
    if rule.contains(is_odd) && !rule.contains('\'') && rule.chars().all(is_printable) {
        return format!("'{rule}'");
    }
    let letter = |letter: char| match letter {
        '"' | '\\' => format!("\\{letter}"),
        _ if is_printable(letter) => letter.to_string(),
        _ => format!("\\U{:08X}", u32::from(letter)),
    };
    format!("\"{}\"", rule.chars().map(letter).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_written_as_it_reads_but_for_what_cannot_be_seen() {
        assert_eq!(quoted("Bash(git status:*)"), r#""Bash(git status:*)""#);
        assert_eq!(quoted(r#"a "b\c""#), r#"'a "b\c"'"#);
        assert_eq!(quoted(r#"it's "b\c""#), r#""it's \"b\\c\"""#);
        assert_eq!(quoted("ü\u{202e}\n"), r#""ü\U0000202E\U0000000A""#);
    }
}
