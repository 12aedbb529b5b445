//! Questions that ended before anybody saw them: one gets its row, a crowd gets a count. Those that were answered, by a rule
//! or elsewhere, get their rows while they are few: something may have been allowed, and the person should see what.
//!
//! Owns the count until it is said, at most once a second. Pure: the time comes with every call.

use std::time::Duration;

use tokio::time::Instant;

use super::super::style::{Row, Span, Style};

/// As often as that.
const APART: Duration = Duration::from_secs(1);

/// So many answers are few.
const FEW: usize = 8;

/// What was not said yet.
#[derive(Debug, Default)]
pub(super) struct Unseen {
    answered: Crowd,
    others: Crowd,
    said: Option<Instant>,
}

/// How many, and the rows of the first ones.
#[derive(Debug, Default)]
struct Crowd {
    count: usize,
    rows: Vec<Row>,
}

impl Crowd {
    fn add(&mut self, row: Row) {
        self.count += 1;
        if self.rows.len() < FEW {
            self.rows.push(row);
        }
    }

    /// Its rows, or else the count of them.
    fn rows(self, most: usize, counted: impl Fn(usize) -> Row) -> Vec<Row> {
        if self.count <= most { self.rows } else { vec![counted(self.count)] }
    }
}

impl Unseen {
    /// One more.
    pub(super) fn add(&mut self, row: Row, is_answered: bool) {
        let crowd = if is_answered { &mut self.answered } else { &mut self.others };
        crowd.add(row);
    }

    /// When the next rows are to be said, if there are any.
    pub(super) fn due(&self, now: Instant) -> Option<Instant> {
        let is_none = self.answered.count + self.others.count == 0;
        (!is_none).then(|| self.said.map_or(now, |said| said + APART))
    }

    /// The next rows, if it is time.
    pub(super) fn take(&mut self, now: Instant) -> Option<Vec<Row>> {
        self.due(now).filter(|due| *due <= now)?;
        let Self { answered, others, .. } =
            std::mem::replace(self, Self { said: Some(now), ..Self::default() });
        let answered = answered.rows(FEW, |count| counted(count, "were answered"));
        let others = others.rows(1, |count| counted(count, "ended"));
        Some(answered.into_iter().chain(others).collect())
    }
}

fn counted(count: usize, what: &str) -> Row {
    let text = format!("{count} questions {what} before they were shown");
    Row::own(Style::DIM, "– ").and(Span::foreign(Style::DIM, &text))
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
        unseen.add(row.clone(), false);
        assert_eq!(unseen.take(now), Some(vec![row.clone()]));
        for _ in 0..6_000 {
            unseen.add(row.clone(), false);
        }
        assert_eq!((unseen.take(now), unseen.due(now)), (None, Some(now + APART)));
        assert_eq!(said(unseen.take(now + APART)), ["– 6000 questions ended before they were shown"]);
        assert_eq!(unseen.take(now + 2 * APART), None);
    }

    fn said(rows: Option<Vec<Row>>) -> Vec<String> {
        rows.unwrap_or_default().iter().map(Row::text).collect()
    }

    #[test]
    fn what_was_answered_has_its_rows_while_they_are_few() {
        let mut now = Instant::now();
        let mut unseen = Unseen::default();
        let mut after = |answered: usize, others: usize| {
            for at in 0..answered + others {
                unseen.add(Row::foreign(Style::DIM, &format!("row {at}")), at < answered);
            }
            now += APART;
            said(unseen.take(now))
        };
        assert_eq!(after(3, 0), ["row 0", "row 1", "row 2"]);
        assert_eq!(after(8, 0).len(), 8);
        assert_eq!(after(9, 0), ["– 9 questions were answered before they were shown"]);
        assert_eq!(after(1, 2), ["row 0", "– 2 questions ended before they were shown"]);
        assert_eq!(after(1, 1), ["row 0", "row 1"]);
    }
}
