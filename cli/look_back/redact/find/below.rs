//! Values in the row below their name, as YAML has them. Pure.

use super::{is_name, is_value, value_at};

/// A longer block is read so far.
const MOST_ROWS: usize = 64;

/// Hands out what stands in the row below, if nothing else stands behind the name: `password:`, and the value further in.
/// Behind `|` and `>` it may have several rows. Says how far nothing else is to be looked for.
pub(super) fn values<'t>(behind_name: &'t str, found: &mut impl FnMut(&'t str)) -> usize {
    let Some((is_block, end, below)) = head(behind_name) else { return 0 };
    let inner = indent(below);
    let most = if is_block { MOST_ROWS } else { 1 };
    let mut read = behind_name.len() - below.len();
    for row in below.split(end).take(most).take_while(|row| inner > 0 && indent(row) >= inner) {
        let value = if is_block { without_end(row) } else { in_row(without_end(row)) };
        if is_value(value) && (value.contains(' ') || !is_name(value)) {
            found(value);
        }
        read += row.len() + end.len();
    }
    // One row may be names again.
    if is_block { read.min(behind_name.len()) } else { 0 }
}

/// Whether a block begins there, how its lines end, and what stands below.
fn head(behind_name: &str) -> Option<(bool, &'static str, &str)> {
    let behind_quotes = behind_name.trim_start_matches(['"', '\'', '\\']);
    let head = behind_quotes.strip_prefix(':')?.trim_start_matches(' ');
    let block = head.strip_prefix(['|', '>']);
    let head = block.map_or(head, |head| head.trim_start_matches(['-', '+']).trim_start_matches(' '));
    line_end(head).map(|(end, below)| (block.is_some(), end, below))
}

fn indent(row: &str) -> usize {
    row.len() - row.trim_start_matches([' ', '\t']).len()
}

/// How lines end there, and what stands below: in a text inside of another their ends are escaped.
fn line_end(head: &str) -> Option<(&'static str, &str)> {
    if let Some(below) = head.strip_prefix("\r\n").or_else(|| head.strip_prefix('\n')) {
        return Some(("\n", below));
    }
    let letter = unescaped(head)?;
    let letter = letter.strip_prefix('r').and_then(unescaped).unwrap_or(letter);
    letter.strip_prefix('n').map(|below| ("\\n", below))
}

/// What stands behind backslashes, if there are some.
fn unescaped(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches('\\');
    (rest.len() < text.len()).then_some(rest)
}

/// A row without what is left of its line end, and without blanks.
fn without_end(row: &str) -> &str {
    let row = row.trim_end_matches('\\');
    row.strip_suffix("\\r").unwrap_or(row).trim_end_matches('\\').trim()
}

/// The value that a row is, unless it is a name again.
fn in_row(row: &str) -> &str {
    let row = row.trim_start_matches('\\');
    let quote = row.get(..1).filter(|first| ["\"", "'"].contains(first)).unwrap_or_default();
    if quote.is_empty() && (row.ends_with(':') || row.contains(": ")) {
        return "";
    }
    value_at(row, quote.len(), false, quote)
}
