//! Text that comes in pieces: finished rows go into the history, the one that grows stays in the live region.
//!
//! Owns the line that is not over. A row is final when a word behind it did not fit any more, so nothing that was handed
//! out ever changes. Bounded: a line without end is cut into rows all the same.

use super::super::style::{Row, Style};
use super::super::wrap::{Breaks, Margin, fold};

/// A line that is longer is broken off.
const LONGEST: usize = 8 << 10;

/// Text that is still coming.
#[derive(Debug, Default)]
pub(super) struct Stream {
    line: String,
    /// how many rows of it are final
    done: usize,
    /// whether a text is coming
    is_on: bool,
}

impl Stream {
    /// Whether what comes next is another text.
    pub(super) const fn is_over(&self) -> bool {
        !self.is_on
    }

    /// More of it came: the rows that are final now.
    pub(super) fn push(&mut self, text: &str, columns: usize) -> Vec<Row> {
        self.is_on = true;
        let mut done = Vec::new();
        let mut lines = text.split('\n');
        self.line.push_str(lines.next().unwrap_or_default());
        for line in lines {
            done.extend(self.end_line(columns));
            self.line.push_str(line);
        }
        if self.line.len() > LONGEST {
            done.extend(self.end_line(columns));
        }
        let mut rows = self.rows(columns);
        let last = rows.pop();
        let before = rows.len();
        done.extend(rows.into_iter().skip(self.done));
        self.done = self.done.max(before);
        if let Some(last) = last.filter(|_| before > 0) {
            self.forget_before(&last);
        }
        done
    }

    /// What is final need not be folded again with every piece that comes. Where it cannot be found in the line (it was
    /// made visible, or is blank) the line stays whole.
    fn forget_before(&mut self, last: &Row) {
        let text = last.text();
        let (row, line) = (text.trim(), self.line.trim_end());
        if !row.is_empty() && line.ends_with(row) {
            let cut = line.len() - row.len();
            self.line.drain(..cut);
            self.done = 0;
        }
    }

    /// The row that still grows.
    pub(super) fn rest(&self, columns: usize) -> Option<Row> {
        self.rows(columns).into_iter().skip(self.done).last()
    }

    /// No more comes: what is left of it is final.
    pub(super) fn finish(&mut self, columns: usize) -> Vec<Row> {
        self.is_on = false;
        if self.line.is_empty() { Vec::new() } else { self.end_line(columns) }
    }

    fn end_line(&mut self, columns: usize) -> Vec<Row> {
        let rows = self.rows(columns).into_iter().skip(self.done).collect();
        (self.line, self.done) = (String::new(), 0);
        rows
    }

    fn rows(&self, columns: usize) -> Vec<Row> {
        fold(&Row::foreign(Style::PLAIN, &self.line), &Margin::blank(2), columns, Breaks::Words)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn texts(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn a_row_is_final_when_the_next_word_did_not_fit() {
        let mut stream = Stream::default();
        assert!(stream.push("I keep it", 20).is_empty());
        assert_eq!(texts(&stream.push(" in split_line", 20)), ["  I keep it in"]);
        assert_eq!(stream.rest(20).unwrap().text(), "  split_line");
        assert_eq!(texts(&stream.push("\nand\n", 20)), ["  split_line", "  and"]);
        assert_eq!(stream.rest(20).map(|row| row.text().trim().to_owned()), Some(String::new()));
        assert!(stream.finish(20).is_empty());
    }

    proptest! {
        /// However a text is cut into pieces, the rows are those of the whole text.
        #[test]
        fn pieces_make_the_rows_of_the_whole(words in prop::collection::vec("([a-z日 ]{0,9}|[a-z]{15,45}|  +|\u{1b}\\[m)\n?", 0..30), cuts in prop::collection::vec(1..7_usize, 0..99)) {
            let whole: Vec<char> = words.concat().chars().collect();
            let mut stream = Stream::default();
            let (mut rows, mut at) = (Vec::new(), 0);
            for cut in cuts.into_iter().chain([usize::MAX / 2]) {
                let piece: String = whole.iter().skip(at).take(cut).collect();
                at = (at + cut).min(whole.len());
                rows.extend(stream.push(&piece, 20));
            }
            rows.extend(stream.finish(20));
            let text: String = whole.iter().collect();
            let lines = text.strip_suffix('\n').unwrap_or(&text).split('\n').filter(|_| !text.is_empty());
            let of_line = |line: &str| fold(&Row::foreign(Style::PLAIN, line), &Margin::blank(2), 20, Breaks::Words);
            let expected: Vec<Row> = lines.flat_map(of_line).collect();
            prop_assert_eq!(texts(&rows), texts(&expected));
        }
    }
}
