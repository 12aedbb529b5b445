//! Lines that were sent and not read yet.
//!
//! Owns them until somebody says what became of them: read, taken back, or never read. Each has a number by which that is
//! said. Pure.

use super::super::style::{Colour, Row, Span, Style};

/// A line on its way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Line {
    number: u64,
    /// what it says
    pub(super) text: String,
    /// who hears it, where that is to be said
    pub(super) to: Option<String>,
    /// what it waits for
    behind: Option<String>,
}

/// All of them, in their order.
#[derive(Debug, Default)]
pub(super) struct Queued {
    lines: Vec<Line>,
    last: u64,
}

/// More of them are counted.
const MOST: usize = 3;

impl Queued {
    /// The number of the next line.
    pub(super) const fn next(&mut self) -> u64 {
        self.last += 1;
        self.last
    }

    /// It waits to be read.
    pub(super) fn add(&mut self, number: u64, text: &str, to: Option<&str>) {
        let (text, to) = (text.to_owned(), to.map(str::to_owned));
        self.lines.push(Line { number, text, to, behind: None });
    }

    /// It does not wait any more.
    pub(super) fn take(&mut self, number: u64) -> Option<Line> {
        let at = self.lines.iter().position(|line| line.number == number)?;
        Some(self.lines.remove(at))
    }

    /// What those for one agent wait for, or for the only one. Says whether that is news.
    pub(super) fn wait_behind(&mut self, who: Option<&str>, what: Option<&str>) -> bool {
        let mut is_news = false;
        let is_meant = |line: &&mut Line| who.is_none() || line.to.as_deref() == who;
        for line in self.lines.iter_mut().filter(is_meant).filter(|line| line.behind.as_deref() != what) {
            line.behind = what.map(str::to_owned);
            is_news = true;
        }
        is_news
    }

    /// The one that was sent last.
    pub(super) fn newest(&self) -> Option<u64> {
        self.lines.last().map(|line| line.number)
    }

    /// Their rows, in so many columns.
    pub(super) fn rows(&self, columns: usize) -> Vec<Row> {
        let more = self.lines.len().saturating_sub(MOST);
        let cyan = Style::of(Colour::Cyan);
        let counted = (more > 0).then(|| Row::foreign(cyan, &format!("  queued  {more} before these")));
        let shown = self.lines.iter().skip(more).enumerate();
        let rows = shown.map(|(at, line)| line.row(more + at + 1 == self.lines.len(), columns));
        counted.into_iter().chain(rows).map(|row| row.fit(columns)).collect()
    }
}

impl Line {
    fn row(&self, is_newest: bool, columns: usize) -> Row {
        let cyan = Style::of(Colour::Cyan);
        let to = self.to.as_ref().map(|to| format!("to {to}: ")).unwrap_or_default();
        let text = format!("{to}{}", self.text.replace('\n', " "));
        let mut row = Row::own(cyan, "  queued  ").and(Span::foreign(cyan, &text));
        if let Some(behind) = &self.behind {
            row = row.and(Span::foreign(Style::DIM, &format!("  (read when {behind} ends)")));
        }
        let hint = is_newest.then(|| Row::own(Style::DIM, "↑ takes it back"));
        row.with_right(hint.as_slice(), columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(queued: &Queued) -> Vec<String> {
        queued.rows(60).iter().map(|row| row.text().trim_end().to_owned()).collect()
    }

    #[test]
    fn the_last_lines_are_shown_and_the_newest_can_be_taken_back() {
        let mut queued = Queued::default();
        for text in ["one", "two", "three", "four"] {
            let number = queued.next();
            queued.add(number, text, None);
        }
        assert!(queued.wait_behind(None, Some("Bash")) && !queued.wait_behind(Some("web"), None));
        let rows = texts(&queued);
        assert_eq!(rows[0], "  queued  1 before these");
        assert_eq!(rows[1], "  queued  two  (read when Bash ends)");
        assert_eq!(rows[3], "  queued  four  (read when Bash ends)        ↑ takes it back");
        assert_eq!(queued.newest(), Some(4));
    }

    #[test]
    fn what_was_read_or_taken_back_waits_no_more() {
        let mut queued = Queued::default();
        let number = queued.next();
        queued.add(number, "one", Some("web"));
        assert_eq!(
            queued.take(number).map(|line| (line.text, line.to)),
            Some(("one".to_owned(), Some("web".to_owned())))
        );
        assert_eq!((queued.take(number), queued.newest()), (None, None));
        assert!(texts(&queued).is_empty());
    }
}
