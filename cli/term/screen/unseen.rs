//! Questions that ended before anybody saw them: one gets its row, a crowd gets a count.
//!
//! Owns the count until it is said, at most once a second. Pure: the time comes with every call.

use std::time::Duration;

use tokio::time::Instant;

use super::super::style::{Row, Span, Style};

/// As often as that.
const APART: Duration = Duration::from_secs(1);

/// What was not said yet.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    count: usize,
    /// the row of the last one
    row: Option<Row>,
    said: Option<Instant>,
}

impl Unseen {
    /// One more.
    pub(super) fn add(&mut self, row: Row) {
        self.count += 1;
        self.row = Some(row);
    }

    /// When the next row is to be said, if there is one.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        (self.count > 0).then(|| self.said.map_or(now, |said| said + APART))
    }

    /// The next row, if it is time.
    pub(super) fn take(&mut self, now: Instant) -> Option<Row> {
        self.due(now).filter(|due| *due <= now)?;
        self.said = Some(now);
        let row = self.row.take();
        match std::mem::take(&mut self.count) {
            1 => row,
            count => {
                let text = format!("{count} questions ended before they were shown");
                Some(Row::own(Style::DIM, "– ").and(Span::foreign(Style::DIM, &text)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_has_its_row_at_once_and_a_crowd_a_count_every_second() {
        let now = Instant::now();
        let mut unseen = Unseen::default();
        assert_eq!((unseen.due(now), unseen.take(now)), (None, None));
        let row = Row::own(Style::DIM, "– withdrawn");
        unseen.add(row.clone());
        assert_eq!(unseen.take(now), Some(row.clone()));
        for _ in 0..6_000 {
            unseen.add(row.clone());
        }
        assert_eq!((unseen.take(now), unseen.due(now)), (None, Some(now + APART)));
        let said = unseen.take(now + APART).unwrap().text();
        assert_eq!(said, "– 6000 questions ended before they were shown");
        assert_eq!(unseen.take(now + 2 * APART), None);
    }
}
