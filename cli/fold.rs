//! Rows that are not wider than the screen, so that the terminal never wraps one.
//!
//! Owns the two leftmost columns: only tim writes there. Text from outside begins in the third one, also where it goes on
//! in the next row; so none of it can look like a row of tim's. Everything that goes in comes out, made visible.

use codec::text::visible;

/// In the two leftmost columns where a row goes on.
const GOES_ON: &str = "..";

/// As few columns as there may be; a terminal that says it has fewer does not know.
const NARROWEST: usize = 20;

/// Rows for a screen, in the order in which they were put in.
#[derive(Debug, Clone)]
pub(crate) struct Rows {
    columns: usize,
    rows: Vec<String>,
}

impl Rows {
    /// No row yet, for a screen of so many columns.
    pub(crate) fn new(columns: usize) -> Self {
        Self { columns: columns.max(NARROWEST), rows: Vec::new() }
    }

    /// One row: two columns of ours, then a text.
    pub(crate) fn row(&mut self, ours: &str, text: &str) {
        let mut row = format!("{ours:2}");
        let mut used = 2;
        for letter in visible(text).chars() {
            let width = columns_of(letter);
            if used + width > self.columns {
                self.rows.push(std::mem::replace(&mut row, GOES_ON.to_owned()));
                used = 2;
            }
            row.push(letter);
            used += width;
        }
        self.rows.push(row);
    }

    /// One row for each line of a text, all with the same beginning.
    pub(crate) fn text(&mut self, begin: &str, text: &str) {
        for line in text.split('\n') {
            self.row("", &format!("{begin}{line}"));
        }
    }

    /// All rows.
    pub(crate) fn into_rows(self) -> Vec<String> {
        self.rows
    }
}

/// How many columns a text takes at most, once it is visible.
pub(crate) fn columns(visible: &str) -> usize {
    visible.chars().map(columns_of).sum()
}

/// How many columns a character takes at most: what is not ASCII may take two.
const fn columns_of(letter: char) -> usize {
    if letter.is_ascii() { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rows(columns: usize, text: &str) -> Vec<String> {
        let mut rows = Rows::new(columns);
        rows.text("", text);
        rows.into_rows()
    }

    #[test]
    fn a_short_row_stands_as_it_is_behind_our_columns() {
        assert_eq!(rows(80, "one\n\n  two"), ["  one", "  ", "    two"]);
        let mut head = Rows::new(80);
        head.row("?", "main asks");
        assert_eq!(head.into_rows(), ["? main asks"]);
    }

    #[test]
    fn a_long_row_goes_on_where_only_we_can_have_written() {
        assert_eq!(rows(20, "0123456789abcdefghijkl"), ["  0123456789abcdefgh", "..ijkl"]);
        assert_eq!(rows(20, "日本語日本語日本語語"), ["  日本語日本語日本語", "..語"]);
        assert_eq!(rows(0, "0123456789abcdefghi").len(), 2);
    }

    #[test]
    fn what_a_terminal_would_act_upon_is_made_visible_before_it_is_measured() {
        assert_eq!(rows(20, "\x1b[2J\tabcdefghijklmnop"), ["  \\x1b[2J\\tabcdefghi", "..jklmnop"]);
    }

    proptest! {
        #[test]
        fn no_row_is_too_wide_and_nothing_is_lost(text in any::<String>(), columns in 20..100_usize) {
            let rows = rows(columns, &text);
            for row in &rows {
                prop_assert!(row.chars().map(columns_of).sum::<usize>() <= columns);
                prop_assert!(row.starts_with("  ") || row.starts_with(GOES_ON));
            }
            let mut again = String::new();
            for row in &rows {
                if row.starts_with("  ") {
                    again.push('\n');
                }
                again.extend(row.chars().skip(2));
            }
            let whole: String = text.split('\n').map(|line| format!("\n{}", visible(line))).collect();
            prop_assert_eq!(again, whole);
        }
    }
}
