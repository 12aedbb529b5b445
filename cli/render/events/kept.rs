//! What an agent said, for whoever prints it at the end.
//!
//! Owns the text, without the line ends around it. Bounded: of a text that is too long the end is kept, and it says how much
//! of its beginning is missing. Shows nothing.

use crate::render::figures;

/// More of a text is not kept: it was shown when it was said.
pub(super) const MOST: usize = 1 << 20;

/// A text, or its end.
#[derive(Debug, Default)]
pub(super) struct Kept {
    text: String,
    /// how many bytes of its beginning are missing
    left_out: u64,
    /// whether what comes next stands in another line
    is_broken: bool,
}

impl Kept {
    /// More of it came.
    pub(super) fn push(&mut self, more: &str) {
        if std::mem::take(&mut self.is_broken) && !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
        self.text.push_str(more);
        // Not with every piece: each time all of it is moved.
        if self.text.len() > 2 * MOST {
            let text = self.end().to_owned();
            self.left_out = self.missing();
            self.text = text;
        }
    }

    /// Something else comes between this and what comes next.
    pub(super) const fn breaks(&mut self) {
        self.is_broken = true;
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// All of it; if that was too long its end, and what is missing.
    pub(super) fn read(&self) -> String {
        match self.missing() {
            0 => self.text.trim_matches('\n').to_owned(),
            missing => {
                let missing = figures::grouped(usize::try_from(missing).unwrap_or(usize::MAX));
                format!("… {missing} bytes before this are left out\n{}", self.end().trim_matches('\n'))
            }
        }
    }

    fn end(&self) -> &str {
        let cut = self.text.ceil_char_boundary(self.text.len().saturating_sub(MOST));
        self.text.get(cut..).unwrap_or_default()
    }

    fn missing(&self) -> u64 {
        let more = self.text.len().saturating_sub(self.end().len());
        self.left_out.saturating_add(u64::try_from(more).unwrap_or(u64::MAX))
    }

    #[cfg(test)]
    pub(super) fn bytes(&self) -> usize {
        self.text.capacity()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pieces: &[&str]) -> Kept {
        let mut kept = Kept::default();
        pieces.iter().for_each(|piece| kept.push(piece));
        kept
    }

    #[test]
    fn a_text_is_kept_as_it_is_but_for_the_line_ends_around_it() {
        assert_eq!(kept(&["\nI would ", "delete\n\n3 files.\n\n"]).read(), "I would delete\n\n3 files.");
        assert_eq!(kept(&[]).read(), "");
    }

    #[test]
    fn what_stands_behind_something_else_begins_a_line() {
        let mut kept = kept(&["Let me look."]);
        kept.breaks();
        kept.push("Done.\n");
        kept.breaks();
        kept.push("Really.");
        assert_eq!(kept.read(), "Let me look.\nDone.\nReally.");
    }

    #[test]
    fn of_a_text_that_is_too_long_the_end_is_kept_and_it_says_so() {
        let exact = "x".repeat(MOST);
        assert_eq!(kept(&[&exact]).read(), exact);
        let longer = kept(&["日本", &exact]).read();
        assert_eq!(longer, format!("… 6 bytes before this are left out\n{exact}"));
        let (mut long, piece) = (Kept::default(), "日".repeat(1_000));
        for _ in 0..2_000 {
            long.push(&piece);
            assert!(long.bytes() <= 4 * MOST);
        }
        let read = long.read();
        let (mark, end) = read.split_once('\n').unwrap();
        assert!(end.len() <= MOST && end.len() > MOST - 4 && end.chars().all(|letter| letter == '日'));
        assert_eq!(
            mark,
            format!("… {} bytes before this are left out", figures::grouped(6_000_000 - end.len()))
        );
    }

    #[test]
    fn one_piece_may_be_longer_than_all_that_is_kept() {
        let long = kept(&[&"y".repeat(5 * MOST)]);
        assert!(long.bytes() <= MOST);
        assert_eq!(long.read().len(), MOST + "… 4,194,304 bytes before this are left out\n".len());
    }
}
