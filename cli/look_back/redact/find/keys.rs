//! Private keys: no row of one is left, also of half a one. Pure.

const BEGIN: &str = "-----BEGIN ";
const END: &str = "-----END ";
const DASHES: &str = "-----";
const PRIVATE: &str = "PRIVATE KEY";

/// A key has fewer bytes than this, and the row that it begins with fewer than that.
const LONGEST: usize = 1 << 16;
const LONGEST_HEAD: usize = 64;

/// A shorter row is none, and a longer one no row of a key.
const SHORTEST_ROW: usize = 8;
const LONGEST_ROW: usize = 200;

/// All rows of private keys: behind their beginning, and before an end without one.
pub(super) fn private_keys<'t>(text: &'t str, found: &mut impl FnMut(&'t str)) {
    for (at, _) in text.match_indices(BEGIN) {
        let Some(body) = behind_head(upto(text.get(at..).unwrap_or_default(), LONGEST)) else { continue };
        each_row(body.split(DASHES).next().unwrap_or_default(), found);
    }
    for (at, _) in text.match_indices(END) {
        let head = upto(text.get(at..).unwrap_or_default(), LONGEST_HEAD);
        if head.contains(PRIVATE) {
            rows_before(text.get(..at).unwrap_or_default(), found);
        }
    }
}

/// What stands behind `-----BEGIN … PRIVATE KEY-----`, or `… PRIVATE KEY BLOCK-----`.
fn behind_head(text: &str) -> Option<&str> {
    let head = upto(text, LONGEST_HEAD);
    let name = head.find(PRIVATE)?;
    let dashes = name + head.get(name..)?.find(DASHES)?;
    text.get(dashes + DASHES.len()..)
}

/// Not more of a text than that.
fn upto(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}

const fn is_base64(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || matches!(letter, '+' | '/' | '=')
}

/// A key is replaced row by row: between its rows stands whatever prints the text.
fn each_row<'t>(body: &'t str, found: &mut impl FnMut(&'t str)) {
    for row in body.split(|letter| !is_base64(letter)) {
        // The letter of an escaped line end stands before the row.
        let row = row.strip_prefix(['n', 'r']).filter(|row| row.len() % 4 == 0).unwrap_or(row);
        if row.len() >= SHORTEST_ROW {
            found(row);
        }
    }
}

/// The rows of a key whose beginning is not there: as far up as they look like those of one.
fn rows_before<'t>(before: &'t str, found: &mut impl FnMut(&'t str)) {
    // Before the end itself there may be the number of its row.
    let own = last_row(before).filter(|own| last_word(own).len() < SHORTEST_ROW);
    let mut rest = own.map_or(before, |own| upto(before, (before.len() - own.len()).saturating_sub(1)));
    let mut length = 0;
    while let Some(row) = last_row(rest).filter(|_| length < LONGEST) {
        let key = last_word(row);
        // Prose has more words, a key with the number of its row two.
        if key.len() < SHORTEST_ROW || row.split_whitespace().count() > 2 {
            return;
        }
        found(key);
        length += row.len() + 1;
        rest = upto(rest, (rest.len() - row.len()).saturating_sub(1));
    }
}

/// The row that a text ends in, unless it is longer than any of a key.
fn last_row(text: &str) -> Option<&str> {
    let from =
        (text.len().saturating_sub(LONGEST_ROW)..=text.len()).find(|from| text.is_char_boundary(*from))?;
    let tail = text.get(from..)?;
    match tail.rsplit_once('\n') {
        Some((_, row)) => Some(row),
        None => (from == 0 && !tail.is_empty()).then_some(tail),
    }
}

fn last_word(row: &str) -> &str {
    row.trim_end().rsplit(|letter| !is_base64(letter)).next().unwrap_or_default()
}
